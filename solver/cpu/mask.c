/* SPDX-License-Identifier: MIT */
#include "solver/cpu/mask.h"
#include "solver/system/checked_memory.h"
#include "solver/system/threads.h"
#include "solver/cpu/state/tile_nlinks.h"
#include "solver/solver.h"

#include <string.h>

enum { TOUCHED = 1, STALE_COST = 2 };
enum { TILES_PER_BIG = FS_MASK_TILE / FS_CPU_TILE };

gboolean
fs_cpu_mask_init (FsCpuMask *mask, const FsCpuLayout *layout)
{
  *mask = (FsCpuMask){ .tile_cols = layout->tile_cols, .tile_rows = layout->tile_rows };
  mask->big_cols = (layout->width - 1) / FS_MASK_TILE + 1;
  mask->big_rows = (layout->height - 1) / FS_MASK_TILE + 1;
  size_t n = (size_t)mask->tile_cols * mask->tile_rows;
  size_t n_big = (size_t)mask->big_cols * mask->big_rows;
  mask->block_bytes = n * 3 * sizeof (uint64_t) + n_big;
  mask->block = fs_memory_new_whole (mask->block_bytes, 1);
  if (mask->block == NULL)
    return FALSE;
  mask->object = mask->block;
  mask->taken = mask->object + n;
  mask->cost = (int64_t *)(mask->taken + n);
  mask->candidate = (uint8_t *)(mask->cost + n);
  fs_cpu_mask_forget (mask);
  return TRUE;
}

void
fs_cpu_mask_forget (FsCpuMask *mask)
{
  memset (mask->block, 0, mask->block_bytes);
  mask->energy = 0;
}

void
fs_cpu_mask_clear (FsCpuMask *mask)
{
  fs_memory_free (mask->block);
  *mask = (FsCpuMask){ 0 };
}

/* The pixels of a tile that lie in the photo. */
static uint64_t
pixels_inside (const FsCpuLayout *layout, int tx, int ty)
{
  int width = MIN (FS_CPU_TILE, layout->width - tx * FS_CPU_TILE);
  int height = MIN (FS_CPU_TILE, layout->height - ty * FS_CPU_TILE);
  uint64_t row = (1u << width) - 1;
  uint64_t all = row * UINT64_C (0x0101010101010101);
  return height == FS_CPU_TILE ? all : all & ((UINT64_C (1) << (height * FS_CPU_TILE)) - 1);
}

/* The canonical rule: whatever is not in the sink's trees is object. */
static uint64_t
object_pixels (const FsCpuLayout *layout, size_t tile)
{
  const uint32_t *word = layout->word + tile * FS_CPU_TILE_PIXELS;
  uint64_t sink = 0;
  if (!fs_cpu_layout_is_built (layout, tile))
    return ~layout->roots[FS_SINK][tile];
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i++)
    sink |= (uint64_t)((word[i] & FS_WORD_TREE) == FS_WORD_SINK) << i;
  return ~sink;
}

/* A changed tile spoils its own cost, and that of the tiles which have forward n-links into it:
 * those above and beside it. */
static void
spoil_costs (FsCpuLayout *layout, int tx, int ty)
{
  static const int before[][2] = {
    { 0, 0 }, { -1, 0 }, { -1, -1 }, { 0, -1 }, { 1, -1 }, { 1, 0 }
  };
  for (size_t i = 0; i < G_N_ELEMENTS (before); i++) {
    int x = tx + before[i][0];
    int y = ty + before[i][1];
    if (x >= 0 && x < layout->tile_cols && y >= 0)
      layout->touched[(size_t)y * layout->tile_cols + x] |= STALE_COST;
  }
}

static void
update_tile (FsCpuMask *mask, FsCpuLayout *layout, int tx, int ty)
{
  size_t tile = (size_t)ty * mask->tile_cols + tx;
  uint64_t object = object_pixels (layout, tile) & pixels_inside (layout, tx, ty);
  if (object == mask->object[tile])
    return;
  mask->object[tile] = object;
  mask->candidate[(size_t)(ty / TILES_PER_BIG) * mask->big_cols + tx / TILES_PER_BIG] = 1;
  spoil_costs (layout, tx, ty);
}

static uint64_t
tile_bits (const FsCpuMask *mask, int tx, int ty)
{
  gboolean inside = tx >= 0 && tx < mask->tile_cols && ty < mask->tile_rows;
  return inside ? mask->object[(size_t)ty * mask->tile_cols + tx] : 0;
}

/* The mask around a tile as ten columns by nine rows: bit 1 + x of rows[y] is pixel (x, y), bits 0
 * and 9 are the columns beside the tile, rows[8] is the row below. */
static void
read_surroundings (const FsCpuMask *mask, int tx, int ty, unsigned rows[FS_CPU_TILE + 1])
{
  for (int y = 0; y <= FS_CPU_TILE; y++) {
    int row_ty = ty + y / FS_CPU_TILE;
    int shift = y % FS_CPU_TILE * FS_CPU_TILE;
    unsigned left = (unsigned)(tile_bits (mask, tx - 1, row_ty) >> shift) & 0xffu;
    unsigned middle = (unsigned)(tile_bits (mask, tx, row_ty) >> shift) & 0xffu;
    unsigned right = (unsigned)(tile_bits (mask, tx + 1, row_ty) >> shift) & 0xffu;
    rows[y] = left >> 7 | middle << 1 | (right & 1) << 9;
  }
}

/* Cut n-links in direction d from the pixels of a tile's row `y` that lie in the photo. */
static int64_t
row_links_cost (const FsGrid *grid, size_t first_pixel, FsDirection d, unsigned here,
                unsigned there)
{
  int64_t cost = 0;
  for (unsigned cut = here ^ there; cut != 0; cut &= cut - 1) {
    int x = __builtin_ctz (cut);
    size_t p = first_pixel + x;
    gboolean leaves = (here >> x & 1) != 0;
    cost += leaves ? fs_grid_capacity (grid, p, d)
                   : fs_grid_capacity (grid, p + (size_t)fs_grid_step (grid, d),
                                       d ^ FS_DIRECTION_OPPOSITE);
  }
  return cost;
}

static int64_t
row_data_cost (const int32_t *tlink, int width, unsigned object)
{
  int64_t cost = 0;
  for (int x = 0; x < width; x++) {
    int32_t t = object >> x & 1 ? -tlink[x] : tlink[x];
    cost += MAX (t, 0);
  }
  return cost;
}

/* Returns whether the tile and all that its forward n-links lead to are on one side. */
static gboolean
is_uniform (const unsigned rows[FS_CPU_TILE + 1])
{
  unsigned any = 0, all = ~0u;
  for (int y = 0; y <= FS_CPU_TILE; y++) {
    any |= rows[y];
    all &= rows[y];
  }
  return any == 0 || all == (4u << FS_CPU_TILE) - 1;
}

/* The pixels of a tile's row that have a neighbour in direction d in the photo. */
static unsigned
pixels_with_neighbour (const FsCpuLayout *layout, int x0, int y, FsDirection d)
{
  int width = MIN (FS_CPU_TILE, layout->width - x0), dx = fs_direction_dx (d);
  unsigned within = (1u << width) - 1;
  if (y + fs_direction_dy (d) == layout->height)
    return 0;
  if (x0 + width == layout->width && dx > 0)
    within >>= 1;
  return x0 == 0 && dx < 0 ? within & ~1u : within;
}

/* `first`: the pixel of `grid`, the photo's or a window, that the tile begins with. */
static int64_t
links_cost (const FsCpuLayout *layout, const FsGrid *grid, size_t first, int tx, int ty,
            const unsigned rows[FS_CPU_TILE + 1])
{
  int x0 = tx * FS_CPU_TILE, y0 = ty * FS_CPU_TILE;
  int height = MIN (FS_CPU_TILE, layout->height - y0);
  int64_t cost = 0;
  for (int y = 0; y < height; y++)
    for (int d = 0; d < fs_grid_n_directions (grid); d++) {
      unsigned within = pixels_with_neighbour (layout, x0, y0 + y, (FsDirection)d);
      unsigned there = rows[y + fs_direction_dy (d)] >> (1 + fs_direction_dx (d));
      cost += row_links_cost (grid, first + (size_t)y * (size_t)grid->width, (FsDirection)d,
                              rows[y] >> 1 & within, there & within);
    }
  return cost;
}

static int64_t
data_cost (const FsCpuLayout *layout, const FsGrid *grid, int tx, int ty,
           const unsigned rows[FS_CPU_TILE + 1])
{
  int x0 = tx * FS_CPU_TILE, y0 = ty * FS_CPU_TILE;
  int width = MIN (FS_CPU_TILE, layout->width - x0);
  int height = MIN (FS_CPU_TILE, layout->height - y0);
  int64_t cost = 0;
  for (int y = 0; y < height; y++) {
    const int32_t *tlink = grid->tlink + (size_t)(y0 + y) * (size_t)layout->width + (size_t)x0;
    unsigned here = rows[y] >> 1 & ((1u << width) - 1);
    cost += row_data_cost (tlink, width, here);
  }
  return cost;
}

static int64_t
tile_cost (const FsCpuMask *mask, const FsCpuLayout *layout, const FsGrid *grid, int tx, int ty)
{
  unsigned rows[FS_CPU_TILE + 1];
  read_surroundings (mask, tx, ty, rows);
  int64_t cost = data_cost (layout, grid, tx, ty, rows);
  if (is_uniform (rows))
    return cost;
  size_t first = (size_t)ty * FS_CPU_TILE * (size_t)layout->width + (size_t)tx * FS_CPU_TILE;
  if (!fs_grid_lacks_planes (grid))
    return cost + links_cost (layout, grid, first, tx, ty, rows);
  FsCpuWindow window;
  fs_cpu_window_read (&window, grid, tx, ty);
  return cost + links_cost (layout, &window.grid, FS_CPU_WINDOW_FIRST, tx, ty, rows);
}

/* The next marked tile at or after `tile`, or n. Most are unmarked: eight at a time. */
static size_t
next_marked (const uint8_t *touched, size_t tile, size_t n)
{
  for (; tile < n; tile++) {
    uint64_t eight = 1;
    if (tile + sizeof eight <= n)
      memcpy (&eight, touched + tile, sizeof eight);
    if (eight == 0)
      tile += sizeof eight - 1;
    else if (touched[tile] != 0)
      return tile;
  }
  return n;
}

typedef struct {
  FsCpuMask *mask;
  FsCpuLayout *layout;
  const FsGrid *grid;
  int phase;
  int64_t gained[FS_THREADS_MAX]; /* energy, per worker */
} Update;

/* The tiles [begin, end) in a row of big tiles. */
typedef struct {
  size_t begin, end;
} Tiles;

static Tiles
tiles_of_big_row (const FsCpuMask *mask, int by)
{
  size_t cols = (size_t)mask->tile_cols;
  return (Tiles){ (size_t)by * TILES_PER_BIG * cols,
                  (size_t)MIN ((by + 1) * TILES_PER_BIG, mask->tile_rows) * cols };
}

/* Every other row, for each spoils costs in the one above. */
static void
update_big_row (int item, int worker, gpointer data)
{
  const Update *update = data;
  FsCpuMask *mask = update->mask;
  const uint8_t *touched = update->layout->touched;
  Tiles tiles = tiles_of_big_row (mask, 2 * item + update->phase);
  for (size_t i = next_marked (touched, tiles.begin, tiles.end); i < tiles.end;
       i = next_marked (touched, i + 1, tiles.end))
    if (touched[i] & TOUCHED)
      update_tile (mask, update->layout, (int)(i % mask->tile_cols), (int)(i / mask->tile_cols));
}

/* Around a tile that is not built all are on the side that their t-links say. */
static void
sum_big_row (int item, int worker, gpointer data)
{
  Update *update = data;
  FsCpuMask *mask = update->mask;
  uint8_t *touched = update->layout->touched;
  Tiles tiles = tiles_of_big_row (mask, item);
  for (size_t i = next_marked (touched, tiles.begin, tiles.end); i < tiles.end;
       i = next_marked (touched, i + 1, tiles.end)) {
    int tx = (int)(i % mask->tile_cols), ty = (int)(i / mask->tile_cols);
    int64_t cost = fs_cpu_layout_is_built (update->layout, i)
                       ? tile_cost (mask, update->layout, update->grid, tx, ty)
                       : 0;
    touched[i] = 0;
    update->gained[worker] += cost - mask->cost[i];
    mask->cost[i] = cost;
  }
}

void
fs_cpu_mask_update (FsCpuMask *mask, FsCpuLayout *layout, const FsGrid *grid, int n_threads)
{
  Update update = { .mask = mask, .layout = layout, .grid = grid };
  for (update.phase = 0; update.phase < 2; update.phase++)
    fs_threads_run (n_threads, (mask->big_rows + 1 - update.phase) / 2, update_big_row, &update);
  fs_threads_run (n_threads, mask->big_rows, sum_big_row, &update);
  for (int i = 0; i < FS_THREADS_MAX; i++)
    mask->energy += update.gained[i];
}

/* Byte k becomes bit k. */
static void
bits_to_bytes (unsigned bits, uint8_t bytes[FS_CPU_TILE])
{
  /* A copy in each byte, of which one bit is kept; adding 127 moves it to the top. */
  uint64_t each = bits * UINT64_C (0x0101010101010101) & UINT64_C (0x8040201008040201);
  uint64_t ones = (each + UINT64_C (0x7f7f7f7f7f7f7f7f)) >> 7 & UINT64_C (0x0101010101010101);
  ones = GUINT64_TO_LE (ones);
  memcpy (bytes, &ones, sizeof ones);
}

/* Pixels [first, first + n) of a tile's row. */
static void
read_row_segment (uint64_t tile, int row, int first, int n, uint8_t *out)
{
  uint8_t bytes[FS_CPU_TILE];
  bits_to_bytes ((unsigned)(tile >> (row * FS_CPU_TILE)) & 0xffu, bytes);
  memcpy (out, bytes + first, (size_t)n);
}

void
fs_cpu_mask_read (const FsCpuMask *mask, int x, int y, int width, int height, uint8_t *out,
                  size_t stride_bytes)
{
  for (int j = 0; j < height; j++) {
    const uint64_t *tile = mask->object + (size_t)((y + j) / FS_CPU_TILE) * mask->tile_cols
                           + (size_t)(x / FS_CPU_TILE);
    int row = (y + j) % FS_CPU_TILE, first = x % FS_CPU_TILE;
    int n_before = first == 0 ? 0 : MIN (FS_CPU_TILE - first, width);
    uint8_t *to = out + (size_t)j * stride_bytes;
    if (n_before > 0)
      read_row_segment (*tile++, row, first, n_before, to);
    to += n_before;
    int n = (width - n_before) / FS_CPU_TILE, n_after = (width - n_before) % FS_CPU_TILE;
    for (; n > 0; n--, tile++, to += FS_CPU_TILE)
      bits_to_bytes ((unsigned)(*tile >> (row * FS_CPU_TILE)) & 0xffu, to);
    if (n_after > 0)
      read_row_segment (*tile, row, 0, n_after, to);
  }
}

/* Compares a big tile with what was taken, and takes it. */
static gboolean
take_big_tile (FsCpuMask *mask, int bx, int by)
{
  gboolean differs = FALSE;
  int last_x = MIN (mask->tile_cols, (bx + 1) * TILES_PER_BIG);
  int last_y = MIN (mask->tile_rows, (by + 1) * TILES_PER_BIG);
  for (int ty = by * TILES_PER_BIG; ty < last_y; ty++)
    for (int tx = bx * TILES_PER_BIG; tx < last_x; tx++) {
      size_t tile = (size_t)ty * mask->tile_cols + tx;
      differs |= mask->object[tile] != mask->taken[tile];
      mask->taken[tile] = mask->object[tile];
    }
  return differs;
}

void
fs_cpu_mask_take (FsCpuMask *mask, uint8_t *tiles)
{
  size_t i = 0;
  for (int by = 0; by < mask->big_rows; by++)
    for (int bx = 0; bx < mask->big_cols; bx++, i++) {
      tiles[i] = mask->candidate[i] && take_big_tile (mask, bx, by);
      mask->candidate[i] = 0;
    }
}
