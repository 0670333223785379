/* SPDX-License-Identifier: MIT */
/* Cut of a frame together with those before it.   Layer: app.
 *
 * The graph has other nodes with each frame, so that it needs a new solver. Its initial flow is
 * that of the frames that the last graph had, too (energy/frames/frame_span.h).
 *
 * Threads: one at a time for a span; the cut blocks.
 */
#ifndef FS_APP_FRAMES_FOLLOW_SPAN_CUT_H
#define FS_APP_FRAMES_FOLLOW_SPAN_CUT_H

#include "app/frames/follow/sequence_step.h"
#include "energy/frames/frame_span.h"

G_BEGIN_DECLS

/* Cuts the frame that was added last, on the CPU, and writes the labels of its free pixels to
 * `cut`, a plane of its window. Fills `step`'s figures of solution, flow and times. The energy is
 * summed independently of the flow and compared with the bound. Errors: FS_SOLVER_ERROR; the frame
 * is then still to be cut. */
gboolean fs_span_cut (FsFrameSpan *span, uint8_t *cut, FsSequenceStep *step, GError **error);

G_END_DECLS

#endif
