/* SPDX-License-Identifier: MIT */
/* Soft edge: alpha and the object's own colours along the border.   Layer: energy.
 *
 * The exact mask has one side for each pixel, but hair, fur and blur mix both sides in one. Within
 * `radius_px` of the border (in rows and columns):
 *
 *   - alpha is the mask after a guided filter with the photo as guide, locally a linear function
 *     of the colours (He, Sun & Tang, "Guided Image Filtering", 2013, closed form for colour);
 *     the haze that the filter makes of noise is removed;
 *   - the object's colour is separated from the background's by the means of both nearby, weighted
 *     with alpha (Forte, "Approximate Fast Foreground Colour Estimation", 2021), so that no
 *     fringe of the old background remains.
 *
 * Elsewhere, and at pixels with strokes, mask and photo are unchanged to the bit.
 *
 * Colours are those of the file, not linear light: alpha is more accurate that way
 * (docs/decisions/cut-outs.md). Sums are integers, so that no bit depends on the requested area or
 * on the number of threads.
 *
 * Threads: one at a time per edge; it uses as many as fs_energy_set_threads allows.
 */
#ifndef FS_ENERGY_REFINE_SOFT_EDGE_H
#define FS_ENERGY_REFINE_SOFT_EDGE_H

#include "energy/image/image.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

#define FS_SOFT_EDGE_MAX_PX 32

typedef struct FsSoftEdge FsSoftEdge;

/* For the rows of `area`, a rectangle of the photo; pixels near it are read, too. `mask` has
 * width · height bytes, 0 or not. `marks` has the labels of a seed map that the mask agrees with,
 * or is NULL. Image and planes are borrowed for the edge's life. `radius_px` is 1 to
 * FS_SOFT_EDGE_MAX_PX. NULL where memory is short. */
FsSoftEdge *fs_soft_edge_new (const FsImage *image, const uint8_t *mask, const uint8_t *marks,
                              FsRect area, int radius_px);
void fs_soft_edge_free (FsSoftEdge *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsSoftEdge, fs_soft_edge_free)

/* The area's pixels of the photo's row y, a word each: 0xAARRGGBB, A the edge's alpha without the
 * photo's own. Valid until the next call. Rows may be asked for in any order; in ascending order
 * each is computed once. NULL where memory is short. */
const uint32_t *fs_soft_edge_get_row (FsSoftEdge *self, int y);

/* Such a word, with the alpha of the photo's pixel too. */
static inline uint32_t
fs_soft_edge_over (uint32_t soft, uint32_t pixel)
{
  const uint32_t alpha = ((soft >> 24) * (pixel >> 24) + 127) / 255;
  return (soft & 0xffffffu) | alpha << 24;
}

/* The whole area as an image, with the product of both alphas; NULL where memory is short. */
FsImage *fs_soft_edge_render (const FsImage *image, const uint8_t *mask, const uint8_t *marks,
                              FsRect area, int radius_px);

G_END_DECLS

#endif
