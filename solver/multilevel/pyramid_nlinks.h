/* SPDX-License-Identifier: MIT */
/* The links of a coarser level from those of the finer one; pyramid.h says by which rule.   Layer:
 * solver. */
#ifndef FS_SOLVER_MULTILEVEL_PYRAMID_NLINKS_H
#define FS_SOLVER_MULTILEVEL_PYRAMID_NLINKS_H

#include "solver/grid.h"
#include "solver/progress.h"

G_BEGIN_DECLS

static inline int
fs_half (int size)
{
  return size / 2 + size % 2;
}

/* The n-links of `coarse` from those of `fine`. `coarse` has its size and planes.
 * Sets *shift. FALSE when cancelled. */
gboolean fs_levels_make_nlinks (const FsGrid *fine, FsGrid *coarse, int *shift,
                                const FsProgress *progress);

/* The parent of block (x, y) of a level. */
uint8_t fs_levels_block_star (const FsGrid *fine, int x, int y);

/* Unit of the sums in FsLevels.min_links. */
#define FS_MIN_LINKS_UNIT 4

/* FsLevels.min_links of a problem. FALSE when cancelled. */
gboolean fs_levels_make_min_links (const FsGrid *fine, uint8_t *min, const FsProgress *progress);

/* All the n-links out of pixel (x, y) together (towards object) or into it, star links included. */
int64_t fs_grid_links_out (const FsGrid *grid, int x, int y);
int64_t fs_grid_links_in (const FsGrid *grid, int x, int y);

/* Whether a pixel with the t-link t is sure: t is more than fs_grid_links_out where it is positive,
 * −t more than fs_grid_links_in where it is negative. Star links are looked at only where the
 * others leave it open. */
gboolean fs_grid_is_sure (const FsGrid *grid, int x, int y, int32_t t);

G_END_DECLS

#endif
