/* SPDX-License-Identifier: MIT */
/* The job of `fretsaw export`: the objects of sessions as a data set of labels.   Layer: app.
 *
 * Each session is cut as `fretsaw replay --at-once` does, one after another; one that fails is
 * reported and left out.
 *
 * Threads: any without a main loop running; blocks. The step is called on the same thread.
 */
#ifndef FS_APP_REPLAY_LABEL_EXPORT_H
#define FS_APP_REPLAY_LABEL_EXPORT_H

#include "app/labels/output/label_writer.h"
#include <gio/gio.h>

G_BEGIN_DECLS

/* One session, done or failed. */
typedef struct {
  const char *session; /* its path */
  guint n_done, n_all; /* sessions, this one included */
  guint n_objects;     /* that the set got from it */
  const char *warning; /* about its photo, or NULL */
  const char *note;    /* about which photo it is, or NULL */
  const GError *error; /* why it was left out; NULL: it is in the set */
} FsLabelExportStep;

typedef struct {
  const char *const *sessions; /* paths, NULL-terminated; not owned, as all of this */
  const char *const *all; /* those of all shards, sorted as fs_label_export_list does; or NULL */
  const char *photo;      /* as FsReplayJob has it */
  const FsLabelFormat *format;
  const char *classes;            /* a file of class names, a closed list, or NULL */
  const char *const *class_names; /* without a file: names that come first, NULL-terminated, before
                                   * others in the order of appearance; or NULL */
  FsLabelOptions options;         /* `date_s` 0: when the last session was saved */
  void (*step) (const FsLabelExportStep *step, gpointer user_data); /* or NULL */
  gpointer user_data;
} FsLabelExportJob;

typedef struct {
  guint n_photos, n_objects, n_failed;
} FsLabelExportResult;

/* Paths of sessions, NULL-terminated, from paths of files and folders: a folder stands for all
 * files *.fretsaw in it, sorted by bytes. What a shard takes is taken from the whole list, sorted
 * likewise. g_strfreev. Errors: FS_SESSION_ERROR_READ for a folder that cannot be read or has no
 * session. */
char **fs_label_export_list (const char *const *paths, const FsShard *shard, GError **error);

/* Runs the job. Where `all` says that a session before one, of another shard, has a photo whose
 * files have the same names, the later one is left out, as it is within a shard. FALSE where
 * nothing could be written at all, or it was cancelled: errors of FS_LABEL_ERROR, FS_EXPORT_ERROR,
 * G_IO_ERROR_CANCELLED; files of a folder that were written before stay. TRUE with no photos in the
 * result where every session failed: nothing was written. */
gboolean fs_label_export_run (const FsLabelExportJob *job, GCancellable *cancellable,
                              FsLabelExportResult *result, GError **error);

G_END_DECLS

#endif
