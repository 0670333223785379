/* SPDX-License-Identifier: MIT */
/* Links of a coarser level from those of the finer one, by the rules of pyramid.h.   Layer:
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

/* The sum of the n-links out of pixel (x, y) (towards object) or into it, star links included. */
int64_t fs_grid_links_out (const FsGrid *grid, int x, int y);
int64_t fs_grid_links_in (const FsGrid *grid, int x, int y);

/* Returns whether a pixel with the t-link t is sure: t exceeds fs_grid_links_out if it is positive,
 * −t exceeds fs_grid_links_in if it is negative. Star links are read only where the others do not
 * decide. */
gboolean fs_grid_is_sure (const FsGrid *grid, int x, int y, int32_t t);

G_END_DECLS

#endif
