/* SPDX-License-Identifier: MIT */
/* A session through the live loop without a window: what `fretsaw replay` does between its options
 * and its files.   Layer: app.
 *
 * The strokes are played into a document in their own time (player.h), so that the latencies are
 * those of a person painting; the final mask is a function of the strokes alone, and comes at once
 * where that is all that is wanted.
 *
 * Threads: any without a main loop running; blocks.
 */
#ifndef FS_APP_REPLAY_REPLAY_H
#define FS_APP_REPLAY_REPLAY_H

#include "app/replay/coco.h"
#include "app/replay/player.h"
#include "app/replay/replay_report.h"

G_BEGIN_DECLS

#define FS_REPLAY_ERROR (fs_replay_error_quark ())
GQuark fs_replay_error_quark (void);

typedef enum {
  FS_REPLAY_ERROR_NOT_EXACT, /* the last mask has no certificate; nothing is written */
} FsReplayError;

typedef struct {
  const char *session; /* paths, not owned; only the session is needed */
  const char *photo;   /* instead of the session's own, or a folder to look for it in
                        * (session_photo.h) */
  const char *guess;   /* in place of those that the session carries, before its strokes; as
                        * fs_guess_load_mask takes it */
  const char *mask;
  const char *cutout;
  int soft_px;            /* of the cut-out's border, as FsExport has it */
  gboolean keep_hidden;   /* as FsExport has it */
  gboolean keep_metadata; /* as FsExport has it */
  GString *notes;         /* as FsExport has them; or NULL */
  const char *labels;     /* which object each pixel of the mask is (mask_objects.h) */
  const char *report;
  FsCoco *coco;          /* gets the photo, called as seen from coco_path, and the objects in it */
  const char *coco_path; /* where it will be written; NULL without one                           */
  const FsPlayerWatch *watch; /* of the strokes that are played in their own time; or NULL */
  gboolean at_once; /* the strokes as fast as the cut allows (restore.h): no latencies, no watch */
} FsReplayJob;

/* Errors: those of FS_SESSION_ERROR, FS_PHOTO_ERROR, FS_REPLAY_ERROR, FS_SOLVER_ERROR,
 * FS_EXPORT_ERROR, the message complete with the file's name. Files are written only when
 * everything went well. */
gboolean fs_replay_run (const FsReplayJob *job, FsReplayResult *result, GError **error);

G_END_DECLS

#endif
