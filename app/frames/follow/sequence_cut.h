/* SPDX-License-Identifier: MIT */
/* Cut of a frame whose energy has been filled: on a device, on the CPU, or in a span (sequence.h).
 * Layer: app.
 *
 * Threads: one at a time for a sequence; blocks.
 */
#ifndef FS_APP_FRAMES_FOLLOW_SEQUENCE_CUT_H
#define FS_APP_FRAMES_FOLLOW_SEQUENCE_CUT_H

#include "app/frames/follow/sequence_state.h"
#include "app/frames/follow/sequence_step.h"

G_BEGIN_DECLS

/* Cuts the frame that follows from `from` (NULL: by itself) into `cut` of the sequence. Fills
 * `step`'s figures of solution, flow and times; its `is_reused` must say if the window is that of
 * the last flow. Where the device fails the CPU cuts this frame and the later ones. Errors:
 * FS_SOLVER_ERROR; FS_SOLVER_ERROR_INVALID where the cut is not proven minimal. */
gboolean fs_sequence_cut_solve (FsSequence *sequence, const FsKnownFrame *from, FsImage *image,
                                FsSequenceStep *step, GError **error);

/* Writes the frame's mask (width·height bytes): the labels of the cut, and the fixed ones. */
void fs_sequence_cut_write_mask (const FsSequence *sequence, const FsImage *image, uint8_t *mask);

G_END_DECLS

#endif
