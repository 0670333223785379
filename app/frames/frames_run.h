/* SPDX-License-Identifier: MIT */
/* The state of one run of `fretsaw frames` (frames_job.h), and the cut of its next frame.
 * Layer: app.
 *
 * Threads: one at a time; blocks.
 */
#ifndef FS_APP_FRAMES_FRAMES_RUN_H
#define FS_APP_FRAMES_FRAMES_RUN_H

#include "app/frames/frame_guesses.h"
#include "app/frames/follow/frame_strokes.h"
#include "app/frames/follow/sequence.h"
#include "app/frames/frames_outputs.h"
#include "app/frames/frames_report.h"
#include "app/frames/recent_edges.h"
#include "app/frames/follow/skin_frames.h"

G_BEGIN_DECLS

typedef struct {
  const FsFramesJob *job;
  FsFramesResult *result;
  FsFrameSource *source;
  FsFramesOutputs outputs;
  GHashTable *corrections; /* frame number → const FsFramesCorrection, those not used yet */
  GPtrArray *failures;     /* messages about frames without all of their outputs */
  GPtrArray *warnings;     /* messages about damaged files                       */
  FsFrame *last;           /* the last frame with a mask; NULL: none yet         */
  FsImage *previous;       /* its picture, NULL until needed                     */
  uint8_t *previous_mask;  /* its mask, NULL until needed                        */
  FsFrame *marked;         /* the last frame that a person has marked            */
  GQueue recent;           /* of FsFrame: the last ones after it with masks, at most a span */
  FsFrameGuesses *guesses; /* NULL: none */
  FsSkinFrames *skin;      /* for skin, where frames are cut together; NULL until needed */
  FsRecentEdges *edges;    /* of the cut-outs; NULL: none */
  FsSequence *sequence;    /* from `marked` to `last`; NULL until needed */
  const FsBackend *picked; /* for the sequence, by size; NULL: the CPU, whatever the size */
  gboolean is_lost;        /* the object is lost since `last` */
  gboolean is_changed;     /* a picture has changed since its mask was made; reported already */
  gboolean is_stopped;     /* no further frame is to be cut */
  gboolean is_fatal;       /* after this failure no further frame can be cut */
} FsFramesRun;

void fs_frames_run_clear (FsFramesRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFramesRun, fs_frames_run_clear)

void fs_frames_run_forget_previous (FsFramesRun *run);
void fs_frames_run_trim_recent (FsFramesRun *run, guint n_left);

/* Adds a message to the failures or warnings, and reports it. */
void fs_frames_run_report (const FsFramesRun *run, GPtrArray *messages, const char *message);
/* Adds a warning, "PATH: text", and reports it. */
void fs_frames_run_report_file (FsFramesRun *run, const char *path, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Loads seeds or a session. Errors: as frame_strokes.h. */
FsFrameStrokes *fs_frames_run_load_strokes (const char *path, gboolean is_session,
                                            const FsFrame *frame, const FsImage *image,
                                            const char *photo, GError **error);

/* The path of the strokes of `frame`, the first one or one with a correction. Owned by
 * the job. */
const char *fs_frames_run_find_strokes (const FsFramesRun *run, const FsFrame *frame,
                                        gboolean *is_session);
/* Loads these strokes. An error is fatal for the run. */
FsFrameStrokes *fs_frames_run_load_own_strokes (FsFramesRun *run, const FsFrame *frame,
                                                const FsImage *image, GError **error);

/* Loads picture and mask of a frame that has a mask; fs_image_unref, g_free. */
gboolean fs_frames_run_load_known (FsFramesRun *run, const FsFrame *frame, FsImage **image,
                                   uint8_t **mask, GError **error);

/* Cuts the next frame. Returns its mask, width·height bytes, 0 or 1; g_free. Errors:
 * FS_FRAMES_ERROR, and those of the cut. */
uint8_t *fs_frames_run_cut (FsFramesRun *run, const FsFrame *frame, FsImage *image, GError **error);

G_END_DECLS

#endif
