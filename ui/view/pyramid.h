/* SPDX-License-Identifier: MIT */
/* Image pyramid: the photo, the marks and the mask at 1, ½, ¼, … of their size.   Layer: ui.
 *
 * With it the cost of drawing depends on the screen and not on the photo: drawing reads the level
 * nearest to the zoom, and an edit updates only the rectangles that it changed, on every level.
 * Level 0 is the document's own memory, without a copy; the levels above take a third of the memory
 * of the photo, the mask, and two planes for the marks.
 *
 * Source: Williams 1983, "Pyramidal parametrics"; 2×2 box filter.
 *
 * Levels are arrays, not Cairo surfaces: drawing copies windows of at most a block of the screen
 * (views.h), so that photos of more than Cairo's 32,767 px a side can be shown, too.
 *
 * Threads: new(), which is slow, on any; afterwards the photo is immutable, and marks and mask
 * belong to one thread.
 */
#ifndef FS_UI_VIEW_PYRAMID_H
#define FS_UI_VIEW_PYRAMID_H

#include "app/strokes/stroke.h"
#include "energy/image/image.h"

G_BEGIN_DECLS

typedef struct _FsEdgeLevels FsEdgeLevels;

typedef struct {
  int width, height;     /* ⌈size / 2^k⌉                                                    */
  const uint32_t *photo; /* 0xAARRGGBB, straight alpha                                      */
  const uint8_t *mask; /* coverage of object: 0…1 at level 0, 0…255 above; NULL without mask */
  const uint8_t *mark; /* the label that covers most of the pixel; NULL without marks */
  const uint8_t *mark_coverage; /* the painted fraction, 0…255; NULL: 255 where there is a label */
  int mask_unit;                /* the value of `mask` for full coverage */
  const uint8_t *numbers;       /* of level 0: the object of each pixel; NULL: only one */
  const uint8_t *zones;         /* of level 0: zones of the edge (FsEdgeZone); NULL: none */
  int numbers_width, numbers_height;
  guint shift;              /* pixel x of this level is at x << shift in level 0 */
  const FsEdgeLevels *edge; /* the edge of the mask (edge_levels.h); NULL: hard */
} FsPyramidLevel;

typedef struct _FsPyramid FsPyramid;

/* Takes a reference to the image. NULL where memory is short. O(N). */
FsPyramid *fs_pyramid_new (FsImage *image);
void fs_pyramid_free (FsPyramid *pyramid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPyramid, fs_pyramid_free)

FsImage *fs_pyramid_get_image (const FsPyramid *pyramid);
guint fs_pyramid_get_n_levels (const FsPyramid *pyramid);
FsPyramidLevel fs_pyramid_get_level (const FsPyramid *pyramid, guint level);
/* The level whose pixels are nearest in size to the screen's: at most 1.42 level pixels per screen
 * pixel. */
guint fs_pyramid_choose_level (const FsPyramid *pyramid, double zoom);

/* Set the planes of level 0, width·height each, which must stay valid until they are set again;
 * either may be NULL. Only these two calls update the levels above, inside `rect` (image pixels, or
 * empty); at first they have no marks. */
void fs_pyramid_update_marks (FsPyramid *pyramid, const uint8_t *marks, const FsRect *rect);
void fs_pyramid_update_mask (FsPyramid *pyramid, const uint8_t *mask, const FsRect *rect);

/* Sets the labels of objects at level 0, width·height, which must stay valid until they are set
 * again; or NULL. */
void fs_pyramid_set_numbers (FsPyramid *pyramid, const uint8_t *numbers);
/* The same for zones of the edge. */
void fs_pyramid_set_zones (FsPyramid *pyramid, const uint8_t *zones);
/* Sets the edge, which must stay valid until it is set again; or NULL. */
void fs_pyramid_set_edge (FsPyramid *pyramid, const FsEdgeLevels *edge);

G_END_DECLS

#endif
