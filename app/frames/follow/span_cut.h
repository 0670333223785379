/* SPDX-License-Identifier: MIT */
/* The cut of a frame together with those before it.   Layer: app.
 *
 * The graph's nodes are other ones with each frame, so that its solver is made anew; what it begins
 * with is the flow of the frames that the graph before had too (energy/frames/frame_span.h).
 *
 * Threads: one at a time for a span; the cut blocks.
 */
#ifndef FS_APP_FRAMES_FOLLOW_SPAN_CUT_H
#define FS_APP_FRAMES_FOLLOW_SPAN_CUT_H

#include "app/frames/follow/sequence_step.h"
#include "energy/frames/frame_span.h"

G_BEGIN_DECLS

/* Cuts the frame that was added last, by the processor, and writes the labels of its free pixels
 * to `cut`, in its window. Fills `step`'s figures of the solution, the flow and the times. The
 * energy is summed anew, without flow, and compared with the bound. Errors: FS_SOLVER_ERROR; the
 * frame is then still to be cut. */
gboolean fs_span_cut (FsFrameSpan *span, gboolean reuses_flow, uint8_t *cut, FsSequenceStep *step,
                      GError **error);

G_END_DECLS

#endif
