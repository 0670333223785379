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
#include "app/frames/follow/skin_frames.h"

G_BEGIN_DECLS

typedef struct {
  const FsFramesJob *job;
  FsFramesResult *result;
  FsFrameSource *source;
  FsFramesOutputs outputs;
  GHashTable *corrections; /* frame number → const FsFramesCorrection, those not used yet */
  GPtrArray *failures;     /* messages; nothing is made of a frame, or not all */
  GPtrArray *warnings;     /* messages; something of it is damaged */
  FsFrame *last;           /* that has a mask; NULL: none yet           */
  FsImage *previous;       /* its picture, and its mask; NULL until needed */
  uint8_t *previous_mask;
  FsFrame *marked; /* the last one whose mask a person has said something of */
  GQueue recent;   /* of FsFrame: the last ones after it that have masks, as many as a span */
  FsFrameGuesses *guesses; /* NULL: none */
  FsSkinFrames *skin;      /* the same of skin in frames that are cut together */
  FsSequence *sequence;    /* from there to the last one; NULL until needed */
  const FsBackend *picked; /* by size for the sequence; NULL: the CPU, whatever the size */
  gboolean is_lost;        /* the object, since the last frame that has a mask */
  gboolean is_changed;     /* a picture, since its mask was made, and that has been reported */
  gboolean is_stopped;     /* nothing more is wanted */
  gboolean is_fatal;       /* the failure that was met: nobody can go on */
} FsFramesRun;

void fs_frames_run_clear (FsFramesRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFramesRun, fs_frames_run_clear)

void fs_frames_run_forget_previous (FsFramesRun *run);
void fs_frames_run_trim_recent (FsFramesRun *run, guint n_left);

/* Adds a message to the failures or warnings, and reports it. */
void fs_frames_run_report (const FsFramesRun *run, GPtrArray *messages, const char *message);
/* A warning, "PATH: words". */
void fs_frames_run_report_file (FsFramesRun *run, const char *path, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Errors: as frame_strokes.h. */
FsFrameStrokes *fs_frames_run_load_strokes (const char *path, gboolean is_session,
                                            const FsFrame *frame, const FsImage *image,
                                            const char *photo, GError **error);

/* The strokes of the first frame, or of a correction: their file's name, the run's own. */
const char *fs_frames_run_find_strokes (const FsFramesRun *run, const FsFrame *frame,
                                        gboolean *is_session);
/* And they themselves; where they cannot be used nobody can go on. */
FsFrameStrokes *fs_frames_run_load_own_strokes (FsFramesRun *run, const FsFrame *frame,
                                                const FsImage *image, GError **error);

/* The picture and mask of a frame that has one; to be unreferenced and freed. */
gboolean fs_frames_run_load_known (FsFramesRun *run, const FsFrame *frame, FsImage **image,
                                   uint8_t **mask, GError **error);

/* The mask of the next frame, width·height bytes, 0 or 1. g_free. Errors: FS_FRAMES_ERROR, and
 * those of what cuts it. */
uint8_t *fs_frames_run_cut (FsFramesRun *run, const FsFrame *frame, FsImage *image, GError **error);

G_END_DECLS

#endif
