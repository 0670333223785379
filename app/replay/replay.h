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

#include "app/files/latencies.h"
#include "app/live/document.h"
#include "app/replay/coco.h"
#include "app/replay/player.h"

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

typedef struct {
  char *warning; /* about the photo, or NULL */
  char *note;    /* about which photo it is, or NULL */
  FsSettings settings;
  int width, height;
  guint n_strokes; /* and guesses */
  char *guess; /* what the one that counts in the end is called; "": nothing; NULL: there is none */
  FsDocumentStatus status; /* of the last mask */
  int64_t object_pixels;
  guint n_objects;                                /* that `coco` got */
  FsLatencySummary masks, previews, exact, final; /* as in player.h */
  gint64 decode_us, play_us, map_us, write_us, total_us;
} FsReplayResult;

/* Errors: those of FS_SESSION_ERROR, FS_PHOTO_ERROR, FS_REPLAY_ERROR, FS_SOLVER_ERROR,
 * FS_EXPORT_ERROR, the message complete with the file's name. Files are written only when
 * everything went well. */
gboolean fs_replay_run (const FsReplayJob *job, FsReplayResult *result, GError **error);
void fs_replay_result_clear (FsReplayResult *result);

/* The report as JSON. g_free. */
char *fs_replay_result_to_json (const FsReplayJob *job, const FsReplayResult *result);

G_END_DECLS

#endif
