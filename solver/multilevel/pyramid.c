/* SPDX-License-Identifier: MIT */
#include "solver/multilevel/pyramid.h"

#include "solver/solver.h"
#include "solver/system/checked_memory.h"
#include "solver/system/threads.h"

#include <stdlib.h>
#include <string.h>

/* A level of fewer is not worth a thread. */
enum { PIXELS_FOR_THREADS = 100000 };

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

/* Row y of blocks. */
static inline const uint8_t *
min_links_of_row (const FsLevels *levels, int y)
{
  return levels->min_links + (size_t)(y / 2) * (size_t)fs_half (levels->fine->width);
}

static int
pixel_bits (const FsLevels *levels, int x, int y)
{
  const FsGrid *fine = levels->fine;
  int32_t t = fine->tlink[(size_t)y * fine->width + x];
  if (abs (t) <= min_links_of_row (levels, y / 2)[x / 2] * FS_MIN_LINKS_UNIT
      || !fs_grid_is_sure (fine, x, y, t))
    return 0;
  gboolean is_seed = abs (t) > levels->soft_tlink;
  if (t > 0)
    return is_seed ? FS_BLOCK_OBJECT_SEED : FS_BLOCK_OBJECT_SURE;
  return is_seed ? FS_BLOCK_BACKGROUND_SEED : FS_BLOCK_BACKGROUND_SURE;
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

/* A star link carries at least so much where links have no direction, and a sure pixel outvotes it:
 * that which leads out of a pixel that is for the object, those that lead into one that is not. */
enum { MIN_STAR_LINK = FS_NLINK_PAIR_MAX - FS_NLINK_PAIR_MAX / 2 };

enum { HAS_PARENT = 1, HAS_CHILD = 2, PIXELS_A_PIECE = 256 };

/* Pixels [x0, x1) of a row, the first of which is `relatives[0]`'s. Those that are each other's
 * parents have no star link (fs_grid_is_star). */
static void
find_star_relatives (const FsGrid *grid, int y, int x0, int x1, uint8_t *restrict relatives)
{
  const uint8_t *row = grid->star + (size_t)y * (size_t)grid->width;
  memset (relatives, 0, (size_t)(x1 - x0));
  for (int d = 0; d < FS_N_ARCS; d++) {
    int sign = d < FS_DIRECTION_OPPOSITE ? 1 : -1;
    int dx = sign * fs_direction_dx (d % FS_DIRECTION_OPPOSITE);
    int dy = sign * fs_direction_dy (d % FS_DIRECTION_OPPOSITE);
    if (y + dy < 0 || y + dy >= grid->height)
      continue;
    const uint8_t *there = row + (ptrdiff_t)dy * grid->width + dx;
    const uint8_t forth = (uint8_t)d, back = (uint8_t)(d ^ FS_DIRECTION_OPPOSITE);
    for (int x = MAX (x0, -dx); x < MIN (x1, grid->width - MAX (dx, 0)); x++) {
      uint8_t parent = row[x] == forth ? HAS_PARENT : 0;
      uint8_t child = there[x] == back ? HAS_CHILD : 0;
      relatives[x - x0] |= (parent | child) == (HAS_PARENT | HAS_CHILD) ? 0 : parent | child;
    }
  }
}

/* Returns whether a star link leaves open that a pixel is sure. */
static inline gboolean
dominates_relatives (int32_t t, uint8_t relatives)
{
  return !(relatives & (t > 0 ? HAS_PARENT : HAS_CHILD)) | (abs (t) > MIN_STAR_LINK);
}

/* Blocks whose pixels are not sure for their star links' sake alone are none to look at. */
static void
clear_dominated_row (const FsGrid *fine, int y, int n, uint8_t *restrict candidate)
{
  uint8_t upper_relatives[PIXELS_A_PIECE], lower_relatives[PIXELS_A_PIECE];
  for (int x0 = 0; x0 < 2 * n; x0 += PIXELS_A_PIECE) {
    int x1 = MIN (x0 + PIXELS_A_PIECE, 2 * n);
    const int32_t *upper = fine->tlink + (size_t)2 * y * (size_t)fine->width + x0;
    const int32_t *lower = upper + fine->width;
    find_star_relatives (fine, 2 * y, x0, x1, upper_relatives);
    find_star_relatives (fine, 2 * y + 1, x0, x1, lower_relatives);
    for (int x = 0; x < x1 - x0; x += 2)
      candidate[(x0 + x) / 2] &= dominates_relatives (upper[x], upper_relatives[x])
                                 | dominates_relatives (upper[x + 1], upper_relatives[x + 1])
                                 | dominates_relatives (lower[x], lower_relatives[x])
                                 | dominates_relatives (lower[x + 1], lower_relatives[x + 1]);
  }
}

/* 1 where a pixel of the block may be sure. */
static void
mark_candidate_rows (const int32_t *restrict upper, const int32_t *restrict lower,
                     const uint8_t *restrict min, int n, uint8_t *restrict candidate)
{
  for (int i = 0; i < n; i++) {
    int32_t max = MAX (MAX (abs (upper[2 * i]), abs (upper[2 * i + 1])),
                       MAX (abs (lower[2 * i]), abs (lower[2 * i + 1])));
    candidate[i] = max > min[i] * FS_MIN_LINKS_UNIT;
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
  if (n > 0)
    sum_rows (upper, lower, n, level->shift, level->grid.tlink + p);
  if (n > 0 && k == 0)
    mark_candidate_rows (upper, lower, min_links_of_row (levels, y), n, level->blocks + p);
  if (n > 0 && k == 0 && below->star != NULL && below->nlink_back[0] == NULL)
    clear_dominated_row (below, y, n, level->blocks + p);
  if (n > 0 && k > 0)
    merge_rows (levels->level[k - 1].blocks + q, levels->level[k - 1].blocks + q + below->width, n,
                level->blocks + p);
  finish_row (levels, k, y, n);
  for (int x = n; x < level->grid.width; x++)
    update_block (levels, k, x, y);
}

/* A block of one direction has that direction. Most have: a star changes from cell to cell of a
 * coarser grid. */
static void
update_star_row (FsLevels *levels, int k, int y)
{
  const FsGrid *below = fs_levels_grid (levels, k);
  const FsGrid *grid = &levels->level[k].grid;
  uint8_t *star = grid->star + (size_t)y * grid->width;
  const uint8_t *upper = below->star + (size_t)2 * y * below->width;
  const uint8_t *lower = upper + below->width;
  int n = 2 * y + 1 < below->height ? below->width / 2 : 0;
  for (int x = 0; x < grid->width; x++) {
    gboolean is_plain = x < n && upper[2 * x] == upper[2 * x + 1] && upper[2 * x] == lower[2 * x]
                        && upper[2 * x] == lower[2 * x + 1];
    star[x] = is_plain ? upper[2 * x] : fs_levels_block_star (below, x, y);
  }
}

typedef void (*RowFunc) (FsLevels *levels, int k, int y);

typedef struct {
  FsLevels *levels;
  int k;
  RowFunc func;
  const FsProgress *progress;
} RowWork;

enum { ROWS_AN_ITEM = 32 };

static void
do_rows (int item, int worker, gpointer data)
{
  const RowWork *work = data;
  int height = work->levels->level[work->k].grid.height;
  int end = MIN ((item + 1) * ROWS_AN_ITEM, height);
  for (int y = item * ROWS_AN_ITEM; y < end && !fs_progress_is_cancelled (work->progress); y++)
    work->func (work->levels, work->k, y);
}

/* A row of a level depends on the finer level alone. */
static gboolean
update_rows (FsLevels *levels, int k, RowFunc func, const FsProgress *progress)
{
  RowWork work = { .levels = levels, .k = k, .func = func, .progress = progress };
  const FsGrid *grid = &levels->level[k].grid;
  int n_threads = fs_grid_n_pixels (grid) < PIXELS_FOR_THREADS ? 1 : fs_solver_get_threads ();
  fs_threads_run (n_threads, (grid->height - 1) / ROWS_AN_ITEM + 1, do_rows, &work);
  return !fs_progress_is_cancelled (progress);
}

/* All stars first: what is sure depends on the star links all round. */
gboolean
fs_levels_update (FsLevels *levels, const FsProgress *progress)
{
  g_return_val_if_fail (levels != NULL, FALSE);
  for (int k = 0; k < levels->n_levels && levels->fine->star != NULL; k++)
    if (!update_rows (levels, k, update_star_row, progress))
      return FALSE;
  for (int k = 0; k < levels->n_levels; k++)
    if (!update_rows (levels, k, update_row, progress))
      return FALSE;
  return TRUE;
}

/* --- what changed --- */

/* Marks in FsLevel.blocks, never set between calls. */
enum { LISTED = 0x40, VISITED = 0x80 };

/* Lists the blocks of level k + 1 that hold n pixels of level k, each once, and marks them. */
static void
list_blocks (FsLevels *levels, int k, const uint32_t *pixels, size_t n, GArray *list)
{
  FsLevel *level = &levels->level[k];
  const uint32_t width = (uint32_t)fs_levels_grid (levels, k)->width;
  uint32_t row = 0;
  uint32_t first = UINT32_MAX; /* of the row of pixels; none yet */
  for (size_t i = 0; i < n; i++) {
    /* They come in rows, mostly: a division for each is spared. */
    if (pixels[i] < first || pixels[i] - first >= width) {
      row = pixels[i] / width;
      first = row * width;
    }
    uint32_t block = row / 2 * (uint32_t)level->grid.width + (pixels[i] - first) / 2;
    if (level->blocks[block] & LISTED)
      continue;
    level->blocks[block] |= LISTED;
    g_array_append_val (list, block);
  }
}

/* The blocks of level k + 1 whose pixels changed, from those of level k or, at first, from the
 * pixels. */
static const GArray *
list_changed (FsLevels *levels, int k, const uint32_t *pixels, size_t n)
{
  GArray *list = levels->changed[k % 2];
  const GArray *before = levels->changed[(k + 1) % 2];
  g_array_set_size (list, 0);
  if (k == 0)
    list_blocks (levels, k, pixels, n, list);
  else
    list_blocks (levels, k, (const uint32_t *)(gpointer)before->data, before->len, list);
  return list;
}

static void
update_listed (FsLevels *levels, int k, uint32_t block)
{
  uint32_t width = (uint32_t)levels->level[k].grid.width;
  update_block (levels, k, (int)(block % width), (int)(block / width));
}

void
fs_levels_change (FsLevels *levels, const uint32_t *pixels, size_t n)
{
  g_return_if_fail (levels != NULL && (pixels != NULL || n == 0));
  for (int k = 0; k < levels->n_levels; k++) {
    const GArray *list = list_changed (levels, k, pixels, n);
    for (guint i = 0; i < list->len; i++)
      update_listed (levels, k, g_array_index (list, uint32_t, i));
  }
}

/* Returns whether a star could make a difference to a block: only by what is sure in it, since the
 * sums of t-links do not know of it. */
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
  uint8_t candidate;
  mark_candidate_rows (upper, upper + below->width, min_links_of_row (levels, y) + x, 1,
                       &candidate);
  return candidate;
}

/* The block and its eight neighbours, whose star links into it or out of it count for what is sure.
 */
static void
visit_neighbours (FsLevels *levels, int k, int block_x, int block_y)
{
  FsLevel *level = &levels->level[k];
  const FsGrid *grid = &level->grid;
  for (int y = MAX (block_y - 1, 0); y <= MIN (block_y + 1, grid->height - 1); y++)
    for (int x = MAX (block_x - 1, 0); x <= MIN (block_x + 1, grid->width - 1); x++) {
      uint32_t block = (uint32_t)((size_t)y * (size_t)grid->width + (size_t)x);
      if (level->blocks[block] & VISITED)
        continue;
      level->blocks[block] &= (uint8_t)~LISTED;
      if (heeds_star (levels, k, x, y))
        update_block (levels, k, x, y);
      level->blocks[block] |= VISITED;
      g_array_append_val (levels->visited, block);
    }
}

static void
change_level_star (FsLevels *levels, int k, const GArray *list)
{
  FsLevel *level = &levels->level[k];
  uint32_t width = (uint32_t)level->grid.width;
  const uint32_t *blocks = (const uint32_t *)(gpointer)list->data;
  for (guint i = 0; i < list->len; i++)
    level->grid.star[blocks[i]] =
        fs_levels_block_star (fs_levels_grid (levels, k), (int)(blocks[i] % width),
                              (int)(blocks[i] / width));
  for (guint i = 0; i < list->len; i++)
    visit_neighbours (levels, k, (int)(blocks[i] % width), (int)(blocks[i] / width));
  for (guint i = 0; i < levels->visited->len; i++)
    level->blocks[g_array_index (levels->visited, uint32_t, i)] &= (uint8_t)~VISITED;
  g_array_set_size (levels->visited, 0);
}

void
fs_levels_change_star (FsLevels *levels, const uint32_t *pixels, size_t n)
{
  g_return_if_fail (levels != NULL && levels->fine->star != NULL && (pixels != NULL || n == 0));
  for (int k = 0; k < levels->n_levels; k++)
    change_level_star (levels, k, list_changed (levels, k, pixels, n));
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
allocate_levels (FsLevels *levels, int n_levels)
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
  size_t n_pairs = (size_t)fs_half (fine->width) * (size_t)fs_half (fs_half (fine->height));
  levels->min_links = new_plane (levels, n_pairs, 1);
  return levels->min_links != NULL;
}

static gboolean
make_links (FsLevels *levels, const FsProgress *progress)
{
  for (int k = 0; k < levels->n_levels; k++) {
    FsLevel *level = &levels->level[k];
    if (!fs_levels_make_nlinks (fs_levels_grid (levels, k), &level->grid, &level->shift, progress))
      return FALSE;
  }
  return levels->n_levels == 0
         || fs_levels_make_min_links (levels->fine, levels->min_links, progress);
}

gboolean
fs_levels_init (FsLevels *levels, const FsGrid *fine, int n_levels, int32_t soft_tlink,
                const FsProgress *progress, GError **error)
{
  g_return_val_if_fail (levels != NULL && fine != NULL, FALSE);
  g_return_val_if_fail (n_levels >= 0 && n_levels <= FS_LEVELS_MAX, FALSE);
  *levels = (FsLevels){ .fine = fine, .soft_tlink = soft_tlink };
  for (int i = 0; i < 2; i++)
    levels->changed[i] = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  levels->visited = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  if (!allocate_levels (levels, n_levels)) {
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
  fs_memory_free (levels->min_links);
  for (int i = 0; i < 2; i++)
    g_clear_pointer (&levels->changed[i], g_array_unref);
  g_clear_pointer (&levels->visited, g_array_unref);
  *levels = (FsLevels){ 0 };
}
