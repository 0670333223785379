/* SPDX-License-Identifier: MIT */
/* A pyramid of grids over one problem.   Layer: solver.
 *
 * Level 0 is the problem; level k + 1 halves level k: its pixel (X, Y) stands for the block (2X,
 * 2Y) … (2X + 1, 2Y + 1), of which the last column and row may have only a half. Sources: Lombaert,
 * Sun, Grady & Xu 2005 (multilevel banded cuts) and Lattari 2010, sections 3.5 and 5.4; both shrink
 * the *image*; here, differently, the *energy* is shrunk: t-links of a block are summed. A cut
 * between two blocks may run anywhere between their centres, so it costs the least possible: each
 * of the two rows (columns, diagonals) from one block to the next contributes the weakest link on
 * its path, of three links along an axis and of two along a diagonal. (Exact restriction, with one
 * label for each block, makes cuts follow the edges of blocks, where links are strong, instead of
 * those of the photo: docs/decisions/previews.md.)
 *
 * 16 bits for a pair of capacities. Sums over blocks double from level to level and soon exceed
 * that. Clamping would make long uniform borders too cheap, so the whole level is *scaled*: t-links
 * and n-links are divided by 2^shift, rounded to nearest, with the least shift that fits the
 * largest pair. T-links grow fourfold a level and n-links less than threefold, so the loss of
 * precision does not matter, and a level whose links fit is exact. T-links are clamped to
 * ±FS_TLINK_MAX, far above the sum of a pixel's n-links, so that no label depends on it.
 *
 * Seeds. A pixel is *sure* when its t-link exceeds the sum of its n-links: it has that label in
 * every minimum. A sure pixel with |t| > soft_tlink is a seed. A block with seeds of one kind is
 * made sure of that kind at its level, regardless of its other pixels, so that an object of one
 * pixel survives at level 12. A block with seeds of both kinds has the plain sum of its t-links; if
 * its label contradicts one of its seeds, the block belongs to the band.
 *
 * Star. A coarse level has a star of its own where the problem has one, so its n-links need not
 * change with the strokes. The paths of parents that begin in a block lead out of it to one of its
 * neighbours; the one to which most of them lead is the block's parent. Where a path ends in the
 * block, the block is a root too. Two fine star links a side become one of half the weight of both:
 * hence a level with a star is scaled by 2 at least. A coarse star is not always a forest: paths
 * that pass each other may close a cycle of blocks, all of which then have one label.
 *
 * The n-links depend on the photo alone and are made once. Memory: 13 bytes a coarse pixel (8
 * neighbours, undirected) and ⅛ byte a fine one: 4.4 bytes a pixel of the photo. A star adds one
 * byte a coarse pixel.
 *
 * Threads: one at a time; a whole update uses as many as fs_solver_get_threads allows. The
 * problem's grid is borrowed.
 */
#ifndef FS_SOLVER_MULTILEVEL_PYRAMID_H
#define FS_SOLVER_MULTILEVEL_PYRAMID_H

#include "solver/grid.h"
#include "solver/multilevel/pyramid_nlinks.h"
#include "solver/progress.h"

G_BEGIN_DECLS

#define FS_LEVELS_MAX 12

/* Kinds of pixels in a coarse pixel's block. Seeds are passed up from level 0; sure pixels that are
 * no seeds are known at level 1 only. */
enum {
  FS_BLOCK_OBJECT_SEED = 1,
  FS_BLOCK_BACKGROUND_SEED = 2,
  FS_BLOCK_OBJECT_SURE = 4,
  FS_BLOCK_BACKGROUND_SURE = 8,
  FS_BLOCK_SEEDS = 3
};

typedef struct {
  FsGrid grid;     /* planes owned by the pyramid */
  int shift;       /* this level's capacities are the sums of the next finer one's, over 2^shift */
  uint8_t *blocks; /* [H·W] FS_BLOCK_ bits */
} FsLevel;

typedef struct {
  const FsGrid *fine;
  int32_t soft_tlink;
  int n_levels; /* coarse ones: level[0 … n_levels − 1] are levels 1 … n_levels */
  FsLevel level[FS_LEVELS_MAX];
  uint8_t *min_links; /* per pair of blocks of the problem, one above the other: a lower bound of
                         the sum of n-links of each of their pixels, in FS_MIN_LINKS_UNITs */
  /* Lists of blocks during a change; their memory is reused. */
  GArray *changed[2], *visited;
  size_t n_bytes;
} FsLevels;

/* Makes at most n_levels levels (fewer where 1 × 1 is reached) and their n-links; t-links are
 * undefined until fs_levels_update. Errors: FS_SOLVER_ERROR_MEMORY, CANCELLED; the pyramid is then
 * as cleared. Cost O(N). */
gboolean fs_levels_init (FsLevels *levels, const FsGrid *fine, int n_levels, int32_t soft_tlink,
                         const FsProgress *progress, GError **error);
void fs_levels_clear (FsLevels *levels);

/* Recomputes all t-links and the star from the problem. Cost O(N). FALSE when cancelled: call it
 * again. */
gboolean fs_levels_update (FsLevels *levels, const FsProgress *progress);

/* Updates the levels to changed t-links of n pixels (y·W + x, repetitions allowed): the same as
 * fs_levels_update when nothing else has changed. Cost O(n · levels). */
void fs_levels_change (FsLevels *levels, const uint32_t *pixels, size_t n);

/* The same for changed star links of n pixels. Cost: also one read of each neighbouring block. */
void fs_levels_change_star (FsLevels *levels, const uint32_t *pixels, size_t n);

/* Level k: the problem for 0, else level[k − 1]. */
static inline const FsGrid *
fs_levels_grid (const FsLevels *levels, int k)
{
  return k == 0 ? levels->fine : &levels->level[k - 1].grid;
}

G_END_DECLS

#endif
