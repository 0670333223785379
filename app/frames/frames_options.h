/* SPDX-License-Identifier: MIT */
/* Options of the job of `fretsaw frames` (frames_job.h).   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_FRAMES_FRAMES_OPTIONS_H
#define FS_APP_FRAMES_FRAMES_OPTIONS_H

#include "energy/edge/edge_settings.h"
#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint64 number;
  const char *path; /* of seeds or a session */
  gboolean is_session;
} FsFramesCorrection;

/* Treatment of frames in which the object is lost. */
typedef enum {
  FS_FRAMES_LOST_SKIP,  /* it has no mask and counts as failed          */
  FS_FRAMES_LOST_EMPTY, /* a mask of nothing                            */
  FS_FRAMES_LOST_LAST,  /* the last mask again                          */
  FS_FRAMES_LOST_STOP,  /* the run ends there                           */
} FsFramesLost;

/* "skip", "empty", "last", "stop". */
const char *fs_frames_lost_name (FsFramesLost way);
gboolean fs_frames_lost_from_name (const char *name, FsFramesLost *way);

typedef struct {
  const char *frames;  /* paths in the file system's encoding */
  guint64 first, last; /* numbers; 0 and G_MAXUINT64 for all */
  const char *out;     /* the masks' folder */
  const char *cutouts; /* folders, or NULL */
  const char *overlays;
  FsEdgeSettings edge;    /* of the cut-outs, as FsExport has it; unset ones are those of `session`,
                           * or the default ones */
  gboolean keep_hidden;   /* in cut-outs, as FsExport has it */
  const char *background; /* of cut-outs, as fs_background_new takes it; or NULL */
  const char *seeds; /* of the first frame; one of the two, or skin; with guesses none need be */
  const char *session;
  const char
      *photo; /* that sessions were painted on instead of their frames, or a folder of such */
  const FsFramesCorrection *corrections; /* of later ones, each once; none with skin */
  guint n_corrections;
  const char *guess;        /* pictures of the frames' numbers (frame_guesses.h); or NULL */
  const char *find_subject; /* or a finder makes them, "" for the one of the settings; or NULL */
  const char *report;       /* or NULL */
  const char *backend; /* as fs_backend_choice_want takes it: what follows frames, each by itself */
  gboolean skin;
  FsFramesLost lost;
  int span; /* frames that are cut together (app/frames/follow/sequence.h), 1 to FS_FRAME_SPAN_MAX;
               0 is 1 */
  int n_threads; /* 0: as many as there are processors */
  /* Called for each frame that fails or is damaged, with a message that begins with its name. */
  void (*on_message) (const char *message, gpointer user_data);
  /* Before each frame, the first one being 1 of n_all, or of 0 where that is not known. */
  void (*progress) (guint at, guint n_all, gpointer user_data);
  gpointer user_data;
} FsFramesJob;

G_END_DECLS

#endif
