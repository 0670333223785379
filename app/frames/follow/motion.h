/* SPDX-License-Identifier: MIT */
/* Motion of the object from one frame to the next.   Layer: app.
 *
 * Block matching of the object's pixels, coarse to fine, in whole pixels. sequence.h moves the
 * previous mask by the result.
 *
 * Threads: any.
 */
#ifndef FS_APP_FRAMES_FOLLOW_MOTION_H
#define FS_APP_FRAMES_FOLLOW_MOTION_H

#include "energy/image/image.h"

G_BEGIN_DECLS

/* The smallest number of object pixels that can be followed. */
#define FS_FOLLOW_MIN_PX 16

typedef struct {
  int dx, dy;
} FsShift;

/* The shift by which the object of a mask (width·height bytes, 0 or 1) moved between two frames of
 * one size, up to a sixth of the frame's sides. */
FsShift fs_follow_measure (const FsImage *previous, const uint8_t *mask, const FsImage *next);

/* The same with the whole frame as search range; the object may be partly outside. */
FsShift fs_follow_seek (const FsImage *previous, const uint8_t *mask, const FsImage *next);

/* The same within `range` pixels of the shift `near`. */
FsShift fs_follow_refine (const FsImage *previous, const uint8_t *mask, const FsImage *next,
                          FsShift near, int range);

G_END_DECLS

#endif
