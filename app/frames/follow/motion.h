/* SPDX-License-Identifier: MIT */
/* Motion of the object from one frame to the next.   Layer: app.
 *
 * The previous frame's mask is moved by the whole pixels that make the object's own pixels match
 * the next frame best (block matching, coarse to fine). sequence.h cuts the frame along it.
 *
 * Threads: any.
 */
#ifndef FS_APP_FRAMES_FOLLOW_MOTION_H
#define FS_APP_FRAMES_FOLLOW_MOTION_H

#include "energy/image/image.h"

G_BEGIN_DECLS

/* The least number of pixels that can be followed. */
#define FS_FOLLOW_MIN_PX 16

typedef struct {
  int dx, dy;
} FsShift;

/* The shift by which the object of a mask (width·height bytes, 0 or 1) moved between two frames of
 * one size, up to a sixth of the frame's sides. */
FsShift fs_follow_measure (const FsImage *previous, const uint8_t *mask, const FsImage *next);

/* The same wherever in the frame it is, or for the most part. */
FsShift fs_follow_seek (const FsImage *previous, const uint8_t *mask, const FsImage *next);

G_END_DECLS

#endif
