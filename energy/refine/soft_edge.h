/* SPDX-License-Identifier: MIT */
/* A border as soft as the photo's: alpha and the object's own colours along it.   Layer: energy.
 *
 * The exact mask says on which side of the border a pixel lies; hair, fur and a lens mix both sides
 * in one. Within `radius_px` of the border (in rows and columns) alpha is the mask, filtered with
 * the photo as the guide: locally a linear function of the colours (He, Sun & Tang, "Guided Image
 * Filtering", 2013, its closed form for colour), without the haze that it makes of noise. There the
 * object's colours are separated from the background's by their means near by, weighted with alpha
 * (Forte, "Approximate Fast Foreground Colour Estimation", 2021), so that no fringe of the old
 * background comes along. Beyond it the mask and the photo are left alone to the bit, and so is a
 * pixel that strokes mark.
 *
 * Colours are taken as they are in the file, not as light: alpha is nearer to the true one so
 * (docs/decisions/cut-outs.md). Sums are whole numbers, so that no bit depends on the area that is
 * asked for.
 *
 * Threads: an edge belongs to one; the work is shared among those that fs_energy_set_threads
 * allows, and the bits do not depend on them.
 */
#ifndef FS_ENERGY_REFINE_SOFT_EDGE_H
#define FS_ENERGY_REFINE_SOFT_EDGE_H

#include "energy/image/image.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

#define FS_SOFT_EDGE_MAX_PX 32

typedef struct FsSoftEdge FsSoftEdge;

/* For the rows of `area`, which lies inside the photo; what lies outside it counts as far as it is
 * near. `mask` has width · height bytes, 0 or not, and `marks` the labels of a seed map that the
 * mask holds to, or is NULL; image and planes are borrowed until the end. `radius_px` is 1 to
 * FS_SOFT_EDGE_MAX_PX. NULL where memory is short. */
FsSoftEdge *fs_soft_edge_new (const FsImage *image, const uint8_t *mask, const uint8_t *marks,
                              FsRect area, int radius_px);
void fs_soft_edge_free (FsSoftEdge *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsSoftEdge, fs_soft_edge_free)

/* The area's pixels of the photo's row y, a word each: 0xAARRGGBB, A the edge's alpha alone,
 * without the photo's own. Valid until the next call; in whatever order, but a step through the
 * rows makes each once. NULL where memory is short. */
const uint32_t *fs_soft_edge_get_row (FsSoftEdge *self, int y);

/* Such a word, with the alpha of the photo's pixel too. */
static inline uint32_t
fs_soft_edge_over (uint32_t soft, uint32_t pixel)
{
  const uint32_t alpha = ((soft >> 24) * (pixel >> 24) + 127) / 255;
  return (soft & 0xffffffu) | alpha << 24;
}

/* All of the area as a picture of its own, with both alphas; NULL where memory is short. */
FsImage *fs_soft_edge_render (const FsImage *image, const uint8_t *mask, const uint8_t *marks,
                              FsRect area, int radius_px);

G_END_DECLS

#endif
