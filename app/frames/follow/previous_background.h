/* SPDX-License-Identifier: MIT */
/* Background subtraction: the part of a mask that shows background of an earlier frame.
 * Layer: app.
 *
 * A large part is a sign that the object was lost and something with its colours taken for it. The
 * background is registered by one translation, that of the camera, in whole pixels and up to half
 * the frame. A pixel of the mask shows background if the corresponding pixel of the earlier frame
 * is background and differs from it by no more than noise. The result is 0 where the background
 * does not match (rotation, zoom or other light), and where object and background of the earlier
 * frame look alike.
 *
 * Source: ours; background subtraction with a single frame as model.
 *
 * Threads: any.
 */
#ifndef FS_APP_FRAMES_FOLLOW_PREVIOUS_BACKGROUND_H
#define FS_APP_FRAMES_FOLLOW_PREVIOUS_BACKGROUND_H

#include "energy/image/image.h"

G_BEGIN_DECLS

/* The fraction, in [0, 1], of a mask's pixels that show background of the previous frame; 0 where
 * that cannot be found out. Frames of one size; masks of width·height bytes, 0 or 1. Cost: that of
 * some thousand samples, and O(N) of bytes read. */
double fs_previous_background_fraction (const FsImage *previous, const uint8_t *previous_mask,
                                        const FsImage *image, const uint8_t *mask);

G_END_DECLS

#endif
