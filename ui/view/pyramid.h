/* SPDX-License-Identifier: MIT */
/* The photo, the marks and the mask at 1, ½, ¼, … of their size.   Layer: ui.
 *
 * What makes the display's cost depend on the screen and not on the photo: drawing reads the level
 * next to the zoom, and an edit updates only the rectangles it changed, on every level (Williams
 * 1983, "Pyramidal parametrics"; 2×2 box filter). Level 0 is the document's own memory, without a
 * copy; the levels above add a third of the photo, the mask, and two planes for the marks.
 *
 * Levels are plain planes and never surfaces: drawing takes windows of at most a block of the
 * screen (views.h), which is why photos beyond Cairo's 32,767 px a side display too.
 *
 * Threads: new() on any thread (it is the slow part); afterwards the photo is immutable, and marks
 * and mask belong to one thread.
 */
#ifndef FS_UI_VIEW_PYRAMID_H
#define FS_UI_VIEW_PYRAMID_H

#include "app/strokes/stroke.h"
#include "energy/image/image.h"

G_BEGIN_DECLS

typedef struct {
  int width, height;     /* ⌈size / 2^k⌉                                                    */
  const uint32_t *photo; /* 0xAARRGGBB, straight alpha                                      */
  const uint8_t *mask; /* coverage of object: 0…1 at level 0, 0…255 above; NULL without mask */
  const uint8_t *mark; /* the label that covers most of the pixel; NULL without marks     */
  const uint8_t *mark_coverage; /* how much of it is painted, 0…255; NULL: all or nothing */
  int mask_unit;          /* what `mask` says for "all object"                               */
  const uint8_t *numbers; /* of level 0: which object a pixel is; NULL: there is one         */
  int numbers_width, numbers_height;
  guint shift; /* this level's pixel x is that one's x << shift */
} FsPyramidLevel;

typedef struct _FsPyramid FsPyramid;

/* Takes a reference to the image. NULL where memory is short. O(N). */
FsPyramid *fs_pyramid_new (FsImage *image);
void fs_pyramid_free (FsPyramid *pyramid);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPyramid, fs_pyramid_free)

FsImage *fs_pyramid_get_image (const FsPyramid *pyramid);
guint fs_pyramid_get_n_levels (const FsPyramid *pyramid);
FsPyramidLevel fs_pyramid_get_level (const FsPyramid *pyramid, guint level);
/* The level whose pixels come nearest to the screen's: at most 1.42 of them a screen pixel. */
guint fs_pyramid_choose_level (const FsPyramid *pyramid, double zoom);

/* The planes of level 0, width·height each, read until they are set again; either may be NULL. The
 * levels above are rebuilt inside `rect` (image pixels, or empty) by these two calls, and by
 * nothing else; at first they have no marks. */
void fs_pyramid_update_marks (FsPyramid *pyramid, const uint8_t *marks, const FsRect *rect);
void fs_pyramid_update_mask (FsPyramid *pyramid, const uint8_t *mask, const FsRect *rect);

/* Labels of objects at level 0, width·height, read until they are set again; or NULL. */
void fs_pyramid_set_numbers (FsPyramid *pyramid, const uint8_t *numbers);

G_END_DECLS

#endif
