/* SPDX-License-Identifier: MIT */
/* Several sequences as one job: its options, and the files of each sequence.   Layer: app.
 *
 * A sequence has the name of its folder, or of its video without the ending. Its outputs are in
 * FOLDER/NAME. Its strokes are NAME.fretsaw, or else NAME-seeds.png, beside it; in folders that are
 * named for them NAME.fretsaw, or else NAME.png. Its guesses are the pictures in DIR/NAME.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_FRAMES_MANY_SEQUENCE_LIST_H
#define FS_APP_FRAMES_MANY_SEQUENCE_LIST_H

#include "app/frames/frames_options.h"

G_BEGIN_DECLS

typedef struct {
  const char *const *inputs; /* folders and videos, not owned; NULL ends */
  /* As for one sequence, but `out`, `cutouts`, `overlays`, `seeds`, `session`, `guess`, `photo` and
   * `report` name folders, and there are no frames and corrections. n_threads is one worker's, 0:
   * its share. `on_message` gets warnings, `progress` is not called. */
  FsFramesJob each;
  int n_jobs;                 /* workers, at least 1 */
  const char *const *devices; /* worker k has device k mod n as its only one; NULL: all of them */
  void (*progress) (guint n_done, guint n_failed, guint n_all, gpointer user_data);
} FsSequencesJob;

typedef struct {
  char *path, *name;
  char *out, *cutouts, *overlays, *report; /* or NULL, but for `out` */
  char *session, *seeds, *guess;           /* or NULL; seeds only without a session */
} FsSequenceFiles;

/* The sequences (of FsSequenceFiles) in the order given; one that is named several times is one.
 * One that is not there is among them; files of strokes are left aside. g_ptr_array_unref. Errors:
 * FS_FRAMES_ERROR_OTHER: none, a pattern, two of one name, one folder for two kinds of outputs, no
 * folder of strokes, guesses or photos. */
GPtrArray *fs_sequence_list_make (const FsSequencesJob *job, GError **error);

G_END_DECLS

#endif
