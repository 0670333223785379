/* SPDX-License-Identifier: MIT */
#include "solver/levels.h"

#include "solver/checked_memory.h"

#include <stdlib.h>
#include <string.h>

/* --- t-links of blocks --- */

/* t / 2^shift to the nearest, halves away from 0, so that the two labels are treated alike. */
static inline int32_t
scale_tlink (int32_t t, int shift)
{
  int32_t sign = t >> 31;
  int32_t size = (t ^ sign) - sign;
  size = (size + ((1 << shift) >> 1)) >> shift;
  return (MIN (size, FS_TLINK_MAX) ^ sign) - sign;
}

static int
pixel_bits (const FsLevels *levels, int x, int y)
{
  const FsGrid *fine = levels->fine;
  int32_t t = fine->tlink[(size_t)y * fine->width + x];
  if (t > 0 && t > fs_grid_links_out (fine, x, y))
    return t > levels->soft_tlink ? FS_BLOCK_OBJECT_SEED : FS_BLOCK_OBJECT_SURE;
  if (t < 0 && -t > fs_grid_links_in (fine, x, y))
    return -t > levels->soft_tlink ? FS_BLOCK_BACKGROUND_SEED : FS_BLOCK_BACKGROUND_SURE;
  return 0;
}

/* The bits of block (X, Y) of level k + 1 from what level k says. */
static int
block_bits (const FsLevels *levels, int k, int block_x, int block_y)
{
  const FsGrid *below = fs_levels_grid (levels, k);
  int bits = 0;
  for (int y = 2 * block_y; y < MIN (2 * block_y + 2, below->height); y++)
    for (int x = 2 * block_x; x < MIN (2 * block_x + 2, below->width); x++)
      bits |= k == 0 ? pixel_bits (levels, x, y)
                     : levels->level[k - 1].blocks[(size_t)y * below->width + x] & FS_BLOCK_SEEDS;
  return bits;
}

static int32_t
block_sum (const FsLevels *levels, int k, int block_x, int block_y)
{
  const FsGrid *below = fs_levels_grid (levels, k);
  size_t p = (size_t)2 * block_y * below->width + (size_t)2 * block_x;
  int32_t sum = below->tlink[p];
  if (levels->downsampling == FS_DOWNSAMPLING_EVEN_PIXELS)
    return sum;
  gboolean right = 2 * block_x + 1 < below->width;
  if (right)
    sum += below->tlink[p + 1];
  if (2 * block_y + 1 < below->height)
    sum += below->tlink[p + below->width] + (right ? below->tlink[p + below->width + 1] : 0);
  return sum;
}

/* Makes a block with seeds of one kind sure. */
static void
promote (FsLevel *level, int x, int y)
{
  size_t p = (size_t)y * level->grid.width + x;
  int kind = level->blocks[p] & FS_BLOCK_SEEDS;
  int32_t t = level->grid.tlink[p];
  if (kind == FS_BLOCK_OBJECT_SEED)
    level->grid.tlink[p] = MAX (t, (int32_t)fs_grid_links_out (&level->grid, x, y) + 1);
  else if (kind == FS_BLOCK_BACKGROUND_SEED)
    level->grid.tlink[p] = MIN (t, -(int32_t)fs_grid_links_in (&level->grid, x, y) - 1);
}

static void
update_block (FsLevels *levels, int k, int x, int y)
{
  FsLevel *level = &levels->level[k];
  size_t p = (size_t)y * level->grid.width + x;
  level->grid.tlink[p] = scale_tlink (block_sum (levels, k, x, y), level->shift);
  level->blocks[p] = (uint8_t)block_bits (levels, k, x, y);
  promote (level, x, y);
}

/* --- whole rows: the same numbers, in loops that compilers turn into vectors --- */

static void
sum_rows (const int32_t *restrict upper, const int32_t *restrict lower, int n, int shift,
          int32_t *restrict sum)
{
  for (int i = 0; i < n; i++)
    sum[i] = scale_tlink (upper[2 * i] + upper[2 * i + 1] + lower[2 * i] + lower[2 * i + 1], shift);
}

/* 1 where a pixel of the block may be sure. */
static void
suspect_rows (const int32_t *restrict upper, const int32_t *restrict lower,
              const uint8_t *restrict least, int n, uint8_t *restrict suspect)
{
  for (int i = 0; i < n; i++) {
    int32_t most = MAX (MAX (abs (upper[2 * i]), abs (upper[2 * i + 1])),
                        MAX (abs (lower[2 * i]), abs (lower[2 * i + 1])));
    suspect[i] = most > least[i] * FS_LEAST_LINKS_UNIT;
  }
}

static void
merge_rows (const uint8_t *restrict upper, const uint8_t *restrict lower, int n,
            uint8_t *restrict bits)
{
  for (int i = 0; i < n; i++)
    bits[i] = (upper[2 * i] | upper[2 * i + 1] | lower[2 * i] | lower[2 * i + 1]) & FS_BLOCK_SEEDS;
}

/* Blocks with bits need a second look; the others are done. */
static void
finish_row (FsLevels *levels, int k, int y, int n)
{
  FsLevel *level = &levels->level[k];
  const uint8_t *bits = level->blocks + (size_t)y * level->grid.width;
  for (int x = 0; x < n; x++) {
    uint64_t eight = 0;
    if (x + 8 <= n)
      memcpy (&eight, bits + x, 8);
    if (x + 8 <= n && eight == 0)
      x += 7;
    else if (bits[x] != 0)
      update_block (levels, k, x, y);
  }
}

static void
update_row (FsLevels *levels, int k, int y)
{
  const FsGrid *below = fs_levels_grid (levels, k);
  FsLevel *level = &levels->level[k];
  /* Whole blocks only; halves at the edges are done one by one. */
  int n = 2 * y + 1 < below->height ? below->width / 2 : 0;
  size_t p = (size_t)y * level->grid.width;
  size_t q = (size_t)2 * y * below->width;
  const int32_t *upper = below->tlink + q;
  const int32_t *lower = upper + below->width;
  if (levels->downsampling == FS_DOWNSAMPLING_EVEN_PIXELS)
    for (int i = 0; i < n; i++)
      level->grid.tlink[p + i] = scale_tlink (upper[2 * i], level->shift);
  else if (n > 0)
    sum_rows (upper, lower, n, level->shift, level->grid.tlink + p);
  if (n > 0 && k == 0)
    suspect_rows (upper, lower, levels->least_links + p, n, level->blocks + p);
  else if (n > 0)
    merge_rows (levels->level[k - 1].blocks + q, levels->level[k - 1].blocks + q + below->width, n,
                level->blocks + p);
  finish_row (levels, k, y, n);
  for (int x = n; x < level->grid.width; x++)
    update_block (levels, k, x, y);
}

static gboolean
is_cancelled (const FsProgress *progress)
{
  return progress != NULL && progress->cancel != NULL && atomic_load (progress->cancel);
}

/* All stars first: what is sure depends on the star links all round. */
static gboolean
update_stars (FsLevels *levels, const FsProgress *progress)
{
  for (int k = 0; k < levels->n_levels && levels->fine->star != NULL; k++) {
    const FsGrid *below = fs_levels_grid (levels, k);
    const FsGrid *grid = &levels->level[k].grid;
    for (int y = 0; y < grid->height; y++) {
      if (is_cancelled (progress))
        return FALSE;
      for (int x = 0; x < grid->width; x++)
        grid->star[(size_t)y * grid->width + x] = fs_levels_block_star (below, x, y);
    }
  }
  return TRUE;
}

gboolean
fs_levels_update (FsLevels *levels, const FsProgress *progress)
{
  g_return_val_if_fail (levels != NULL, FALSE);
  if (!update_stars (levels, progress))
    return FALSE;
  for (int k = 0; k < levels->n_levels; k++)
    for (int y = 0; y < levels->level[k].grid.height; y++) {
      if (is_cancelled (progress))
        return FALSE;
      update_row (levels, k, y);
    }
  return TRUE;
}

void
fs_levels_change (FsLevels *levels, const uint32_t *pixels, size_t n)
{
  g_return_if_fail (levels != NULL && (pixels != NULL || n == 0));
  for (int k = 0; k < levels->n_levels; k++) {
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
      int x = (int)(pixels[i] % (uint32_t)levels->fine->width) >> (k + 1);
      int y = (int)(pixels[i] / (uint32_t)levels->fine->width) >> (k + 1);
      size_t block = (size_t)y * levels->level[k].grid.width + x;
      /* Strokes come in rows: neighbours in the list share blocks. */
      if (block != last)
        update_block (levels, k, x, y);
      last = block;
    }
  }
}

/* Whether a star could make a difference to a block: only by what is sure in it, since the sums of
 * t-links do not know of it. */
static inline gboolean
heeds_star (const FsLevels *levels, int k, int x, int y)
{
  const FsGrid *below = fs_levels_grid (levels, k);
  size_t p = (size_t)y * levels->level[k].grid.width + x;
  if (levels->level[k].blocks[p] != 0 || 2 * x + 1 >= below->width || 2 * y + 1 >= below->height)
    return TRUE;
  if (k > 0)
    return block_bits (levels, k, x, y) != 0;
  const int32_t *upper = below->tlink + (size_t)2 * y * below->width + 2 * x;
  uint8_t suspect;
  suspect_rows (upper, upper + below->width, levels->least_links + p, 1, &suspect);
  return suspect;
}

/* The block and its eight neighbours, whose star links into it or out of it count for what is sure.
 */
static void
update_around (FsLevels *levels, int k, int block_x, int block_y)
{
  const FsGrid *grid = &levels->level[k].grid;
  for (int y = MAX (block_y - 1, 0); y <= MIN (block_y + 1, grid->height - 1); y++)
    for (int x = MAX (block_x - 1, 0); x <= MIN (block_x + 1, grid->width - 1); x++)
      if (heeds_star (levels, k, x, y))
        update_block (levels, k, x, y);
}

void
fs_levels_change_star (FsLevels *levels, const uint32_t *pixels, size_t n)
{
  g_return_if_fail (levels != NULL && levels->fine->star != NULL && (pixels != NULL || n == 0));
  uint32_t width = (uint32_t)levels->fine->width;
  for (int k = 0; k < levels->n_levels; k++) {
    const FsGrid *grid = &levels->level[k].grid;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
      int x = (int)(pixels[i] % width) >> (k + 1);
      int y = (int)(pixels[i] / width) >> (k + 1);
      size_t block = (size_t)y * grid->width + x;
      if (block != last)
        grid->star[block] = fs_levels_block_star (fs_levels_grid (levels, k), x, y);
      last = block;
    }
    last = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
      int x = (int)(pixels[i] % width) >> (k + 1);
      int y = (int)(pixels[i] / width) >> (k + 1);
      size_t block = (size_t)y * grid->width + x;
      if (block != last)
        update_around (levels, k, x, y);
      last = block;
    }
  }
}

/* --- life --- */

static void *
new_plane (FsLevels *levels, size_t n, size_t size)
{
  void *plane = fs_memory_new (n, size);
  levels->n_bytes += plane != NULL ? n * size : 0;
  return plane;
}

static gboolean
level_init (FsLevels *levels, FsLevel *level, const FsGrid *below)
{
  FsGrid *grid = &level->grid;
  *grid = (FsGrid){ .width = fs_half (below->width),
                    .height = fs_half (below->height),
                    .neighbours = below->neighbours };
  size_t n = fs_grid_n_pixels (grid);
  gboolean complete = TRUE;
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    complete &= (grid->nlink[d] = new_plane (levels, n, sizeof (uint16_t))) != NULL;
    if (below->nlink_back[d] != NULL)
      complete &= (grid->nlink_back[d] = new_plane (levels, n, sizeof (uint16_t))) != NULL;
  }
  if (below->star != NULL)
    complete &= (grid->star = new_plane (levels, n, 1)) != NULL;
  complete &= (grid->tlink = new_plane (levels, n, sizeof (int32_t))) != NULL;
  complete &= (level->blocks = new_plane (levels, n, 1)) != NULL;
  return complete;
}

static gboolean
allocate (FsLevels *levels, int n_levels)
{
  const FsGrid *fine = levels->fine;
  for (int k = 0; k < n_levels; k++) {
    const FsGrid *below = fs_levels_grid (levels, k);
    if (below->width == 1 && below->height == 1)
      break;
    levels->n_levels = k + 1;
    if (!level_init (levels, &levels->level[k], below))
      return FALSE;
  }
  if (levels->n_levels == 0)
    return TRUE;
  size_t n_blocks = (size_t)fs_half (fine->width) * (size_t)fs_half (fine->height);
  levels->least_links = new_plane (levels, n_blocks, 1);
  return levels->least_links != NULL;
}

static gboolean
make_links (FsLevels *levels, const FsProgress *progress)
{
  for (int k = 0; k < levels->n_levels; k++) {
    FsLevel *level = &levels->level[k];
    if (!fs_levels_make_nlinks (fs_levels_grid (levels, k), &level->grid, levels->downsampling,
                                &level->shift, progress))
      return FALSE;
  }
  return levels->n_levels == 0
         || fs_levels_make_least_links (levels->fine, levels->least_links, progress);
}

gboolean
fs_levels_init (FsLevels *levels, const FsGrid *fine, int n_levels, FsDownsampling downsampling,
                int32_t soft_tlink, const FsProgress *progress, GError **error)
{
  g_return_val_if_fail (levels != NULL && fine != NULL, FALSE);
  g_return_val_if_fail (n_levels >= 0 && n_levels <= FS_LEVELS_MAX, FALSE);
  *levels = (FsLevels){ .fine = fine, .downsampling = downsampling, .soft_tlink = soft_tlink };
  if (!allocate (levels, n_levels)) {
    fs_levels_clear (levels);
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for the levels of %d × %d pixels", fine->width, fine->height);
    return FALSE;
  }
  if (!make_links (levels, progress)) {
    fs_levels_clear (levels);
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the preview was cancelled");
    return FALSE;
  }
  return TRUE;
}

void
fs_levels_clear (FsLevels *levels)
{
  for (int k = 0; k < levels->n_levels; k++) {
    FsLevel *level = &levels->level[k];
    for (int d = 0; d < FS_N_DIRECTIONS; d++) {
      fs_memory_free ((uint16_t *)level->grid.nlink[d]);
      fs_memory_free ((uint16_t *)level->grid.nlink_back[d]);
    }
    fs_memory_free (level->grid.star);
    fs_memory_free (level->grid.tlink);
    fs_memory_free (level->blocks);
  }
  fs_memory_free (levels->least_links);
  *levels = (FsLevels){ 0 };
}
