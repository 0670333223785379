/* SPDX-License-Identifier: MIT */
/* The job of `fretsaw replay`: plays a session through the live loop without a window.   Layer:
 * app.
 *
 * The strokes are played at their recorded times (player.h), so that the latencies are those of a
 * person painting. The final mask is a function of the strokes alone, and can be computed without
 * waiting (at_once).
 *
 * Threads: any without a main loop running; blocks.
 */
#ifndef FS_APP_REPLAY_REPLAY_H
#define FS_APP_REPLAY_REPLAY_H

#include "app/labels/output/label_writer.h"
#include "app/replay/player.h"
#include "app/replay/replay_report.h"
#include "energy/edge/edge_settings.h"
#include "solver/progress.h"

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
  const char *alpha;
  FsEdgeSettings edge;         /* of cut-out and alpha; what is unset is the session's */
  const FsProgress *refining;  /* as FsExport has it */
  gboolean keep_hidden;        /* as FsExport has it */
  gboolean keep_metadata;      /* as FsExport has it */
  gboolean has_mask_page;      /* as FsExport has it */
  const char *background;      /* of the cut-out, as fs_background_new takes it; or NULL */
  int quality;                 /* of a cut-out in JPEG, as FsExport has it */
  GString *notes;              /* as FsExport has them; or NULL */
  const char *labels;          /* the object map (mask_objects.h) */
  const char *outline;         /* SVG, one path an object */
  double outline_tolerance_px; /* as FsExport has it */
  const char *report;
  FsLabelWriter *set;         /* gets the photo and its objects; or NULL */
  const FsPlayerWatch *watch; /* of the strokes that are played in their own time; or NULL */
  gboolean at_once;           /* plays without waiting (restore.h): no latencies, no watch */
} FsReplayJob;

/* Runs the job. Errors: those of FS_SESSION_ERROR, FS_PHOTO_ERROR, FS_REPLAY_ERROR,
 * FS_SOLVER_ERROR, FS_EXPORT_ERROR; messages have the file's name. Files are written only if all
 * steps succeed. */
gboolean fs_replay_run (const FsReplayJob *job, FsReplayResult *result, GError **error);

G_END_DECLS

#endif
