/* SPDX-License-Identifier: MIT */
/* Background of an earlier frame in the mask of a later one: the sign of an object that was lost
 * while something of its colours was taken for it.   Layer: app.
 *
 * The background is registered by one translation, that of the camera, whole pixels and up to half
 * the frame. A pixel of the mask shows background where the earlier frame has, at the place that
 * it comes from, a pixel of the background that differs by no more than noise does. Where the
 * background does not fit (a camera that turns or comes nearer, other light) or object and
 * background of the earlier frame cannot be distinguished so, nothing is said.
 *
 * Source: ours; it is background subtraction with one frame for a model.
 *
 * Threads: any.
 */
#ifndef FS_APP_FRAMES_FOLLOW_PREVIOUS_BACKGROUND_H
#define FS_APP_FRAMES_FOLLOW_PREVIOUS_BACKGROUND_H

#include "energy/image/image.h"

G_BEGIN_DECLS

/* The share, in [0, 1], of a mask's pixels that show background of the previous frame, whose mask
 * is known; 0 where that is not known. Frames of one size; masks of width·height bytes, 0 or 1.
 * Cost: that of some thousand samples, and O(N) of bytes read. */
double fs_previous_background_fraction (const FsImage *previous, const uint8_t *previous_mask,
                                        const FsImage *image, const uint8_t *mask);

G_END_DECLS

#endif
