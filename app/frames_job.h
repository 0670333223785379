/* SPDX-License-Identifier: MIT */
/* Silhouettes of a sequence: a mask for each numbered image of a folder.   Layer: app.
 *
 * The first frame is cut along seeds, as `fretsaw cut` does; from then on the object is followed
 * (app/follow.h) from the last frame that was cut to the next. With skin each frame is cut for
 * itself. A frame needs only those before it.
 *
 * The masks, STEM.png as 8-bit grey, appear whole or not at all, one after the other. A run that
 * was ended in between goes on where it stood, and the folder is then the same to the byte: every
 * mask is a function of frames and of masks that are there. A file fretsaw-frames.json in the
 * folder says what the masks were made from; a folder of another run is refused.
 *
 * A frame that cannot be read, is of another size, or in which the object is not found, has no mask
 * and is told; the next one follows from the last that has one.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_FRAMES_JOB_H
#define FS_APP_FRAMES_JOB_H

#include "app/frames.h"

G_BEGIN_DECLS

typedef struct {
  const char *folder; /* paths in the file system's encoding */
  const char *out;
  const char *seeds;  /* of the first frame; NULL only with skin */
  const char *report; /* or NULL */
  gboolean skin;
  int n_threads; /* 0: as many as there are processors */
  /* Told of each frame that fails, with a message that begins with its name. */
  void (*tell) (const char *message, gpointer user_data);
  gpointer user_data;
} FsFramesJob;

typedef struct {
  guint n_frames;
  guint n_cut;    /* in this run                 */
  guint n_kept;   /* whose mask was there        */
  guint n_failed; /* n_cut + n_kept + n_failed = n_frames */
  guint64 n_missing;
  gint64 cut_us, total_us; /* without and with files */
} FsFramesResult;

/* Errors: FS_FRAMES_ERROR, FS_EXPORT_ERROR, and what the first frame's cut says. Single frames that
 * fail are no error. */
gboolean fs_frames_job_run (const FsFramesJob *job, FsFramesResult *result, GError **error);

G_END_DECLS

#endif
