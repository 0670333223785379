/* SPDX-License-Identifier: MIT */
/* Figures and events of one frame of a sequence.   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_FRAMES_FOLLOW_SEQUENCE_STEP_H
#define FS_APP_FRAMES_FOLLOW_SEQUENCE_STEP_H

#include "app/frames/follow/lost_signs.h"
#include "app/frames/follow/motion.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* Events in the cut of a frame that a person should know. */
typedef enum {
  FS_SEQUENCE_NEW_BACKGROUND = 1 << 0, /* the colours around the object have changed              */
  FS_SEQUENCE_FOUND_AGAIN = 1 << 1,    /* the object was found by a search of the whole frame     */
  FS_SEQUENCE_SMALL = 1 << 3,    /* it has hardly any of the first frame's pixels            */
  FS_SEQUENCE_DOUBTFUL = 1 << 2, /* there are signs that the mask is of something else      */
} FsSequenceEvents;

/* Figures of one frame. */
typedef struct {
  FsSequenceEvents events;
  FsShift shift;
  gboolean is_reused;       /* the flow, or a device's memory, was that of the frame before */
  FsLostSigns signs;        /* of the last cut                         */
  size_t n_window;          /* pixels of the window                    */
  size_t n_free;            /* free pixels of the window               */
  size_t n_span;            /* free pixels of all frames of the span   */
  int64_t n_initial;        /* on the CPU: the initial flow over n-links */
  double device_ms;         /* by the device's own clock               */
  const FsBackend *backend; /* that cut it */
  FsSolution solution;
  gint64 motion_us, model_us, energy_us, change_us, solve_us, total_us;
} FsSequenceStep;

G_END_DECLS

#endif
