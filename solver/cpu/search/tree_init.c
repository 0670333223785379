/* SPDX-License-Identifier: MIT */
#include "solver/cpu/search/tree_init.h"

#include "solver/cpu/state/pages.h"
#include "solver/cpu/state/tile_build.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define ROOT_DISTANCE (1u << FS_WORD_DISTANCE_SHIFT)
#define SOURCE_ROOT   (FS_WORD_SOURCE | ROOT_DISTANCE | FS_WORD_ROOT)
#define SINK_ROOT     (FS_WORD_SINK | ROOT_DISTANCE | FS_WORD_ROOT)

static void
init_tile (FsCpuLayout *layout, size_t tile)
{
  const int32_t *excess = layout->excess + tile * FS_CPU_TILE_PIXELS;
  uint32_t *word = layout->word + tile * FS_CPU_TILE_PIXELS;
  uint64_t source = 0;
  uint64_t sink = 0;
#ifdef __SSE2__
  const __m128i none = _mm_setzero_si128 ();
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i += 4) {
    __m128i e = _mm_loadu_si128 ((const void *)(excess + i));
    __m128i more = _mm_cmpgt_epi32 (e, none);
    __m128i less = _mm_cmplt_epi32 (e, none);
    __m128i words = _mm_or_si128 (_mm_and_si128 (more, _mm_set1_epi32 ((int)SOURCE_ROOT)),
                                  _mm_and_si128 (less, _mm_set1_epi32 ((int)SINK_ROOT)));
    _mm_storeu_si128 ((void *)(word + i), words);
    source |= (uint64_t)_mm_movemask_ps (_mm_castsi128_ps (more)) << i;
    sink |= (uint64_t)_mm_movemask_ps (_mm_castsi128_ps (less)) << i;
  }
#else
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i++) {
    word[i] = excess[i] > 0 ? SOURCE_ROOT : excess[i] < 0 ? SINK_ROOT : FS_WORD_FREE;
    source |= (uint64_t)(excess[i] > 0) << i;
    sink |= (uint64_t)(excess[i] < 0) << i;
  }
#endif
  layout->roots[FS_SOURCE][tile] = source;
  layout->roots[FS_SINK][tile] = sink;
}

/* The signs of a tile's t-links. */
static void
read_signs (FsCpuLayout *layout, int tx, int ty)
{
  const FsGrid *grid = layout->grid;
  int x0 = tx * FS_CPU_TILE, y0 = ty * FS_CPU_TILE;
  int n_columns = MIN (FS_CPU_TILE, grid->width - x0);
  int n_rows = MIN (FS_CPU_TILE, grid->height - y0);
  uint64_t source = 0, sink = 0;
  for (int y = 0; y < n_rows; y++) {
    const int32_t *tlink = grid->tlink + (size_t)(y0 + y) * (size_t)grid->width + (size_t)x0;
    unsigned more = 0, less = 0;
    int x = 0;
#ifdef __SSE2__
    const __m128i none = _mm_setzero_si128 ();
    for (; x + 4 <= n_columns; x += 4) {
      __m128i t = _mm_loadu_si128 ((const void *)(tlink + x));
      more |= (unsigned)_mm_movemask_ps (_mm_castsi128_ps (_mm_cmpgt_epi32 (t, none))) << x;
      less |= (unsigned)_mm_movemask_ps (_mm_castsi128_ps (t)) << x;
    }
#endif
    for (; x < n_columns; x++) {
      more |= (unsigned)(tlink[x] > 0) << x;
      less |= (unsigned)(tlink[x] < 0) << x;
    }
    source |= (uint64_t)more << (FS_CPU_TILE * y);
    sink |= (uint64_t)less << (FS_CPU_TILE * y);
  }
  size_t tile = (size_t)ty * (size_t)layout->tile_cols + (size_t)tx;
  layout->roots[FS_SOURCE][tile] = source;
  layout->roots[FS_SINK][tile] = sink;
}

void
fs_cpu_tree_init_sentinel (FsCpuLayout *layout, size_t tile)
{
  if (layout->state[tile] == FS_TILE_WALLED) {
    layout->state[tile] = FS_TILE_UNTOUCHED;
    return;
  }
  uint32_t bits = layout->roots[FS_SINK][tile] == UINT64_MAX ? FS_WORD_SINK : FS_WORD_SOURCE;
  uint32_t *word = layout->word + tile * FS_CPU_TILE_PIXELS;
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i++)
    word[i] = FS_WORD_LAZY | bits >> FS_WORD_LAZY_SHIFT;
  layout->state[tile] = FS_TILE_FENCED;
}

static void
write_wall (FsCpuLayout *layout, size_t tile)
{
  memset (layout->word + tile * FS_CPU_TILE_PIXELS, 0xff,
          FS_CPU_TILE_PIXELS * sizeof *layout->word);
}

/* NeighbourLabels a tile that was built by itself. */
static void
init_sentinels (FsCpuLayout *layout, int tx, int ty)
{
  int x1 = MIN (tx + 1, layout->tile_cols - 1), y1 = MIN (ty + 1, layout->tile_rows - 1);
  for (int y = MAX (ty - 1, 0); y <= y1; y++)
    for (int x = MAX (tx - 1, 0); x <= x1; x++) {
      size_t tile = (size_t)y * (size_t)layout->tile_cols + (size_t)x;
      if (layout->state[tile] == FS_TILE_UNTOUCHED)
        fs_cpu_tree_init_sentinel (layout, tile);
      else if (layout->state[tile] == FS_TILE_WALLED) {
        layout->state[tile] = FS_TILE_FENCED;
        write_wall (layout, tile);
      }
    }
}

void
fs_cpu_tree_init_signs (FsCpuLayout *layout, int first, int last)
{
  size_t begin = (size_t)first * layout->tile_cols;
  size_t end = (size_t)last * layout->tile_cols;
  size_t tile = begin;
  for (int ty = first; ty < last; ty++)
    for (int tx = 0; tx < layout->tile_cols; tx++, tile++)
      if (fs_cpu_layout_is_built (layout, tile))
        init_tile (layout, tile);
      else {
        read_signs (layout, tx, ty);
        if (layout->state[tile] != FS_TILE_UNTOUCHED)
          fs_cpu_tree_init_sentinel (layout, tile);
      }
  memset (layout->touched + begin, 1, end - begin);
}

void
fs_cpu_tree_init_words (const FsCpuSearch *search)
{
  FsCpuLayout *layout = search->layout;
  for (int ty = search->first_row; ty < search->last_row; ty++) {
    size_t row = (size_t)ty * (size_t)layout->tile_cols;
    for (size_t tile = row + (size_t)search->first_col; tile < row + (size_t)search->last_col;
         tile++)
      if (fs_cpu_layout_is_built (layout, tile))
        init_tile (layout, tile);
      else if (layout->state[tile] != FS_TILE_UNTOUCHED)
        fs_cpu_tree_init_sentinel (layout, tile);
  }
}

void
fs_cpu_tree_init_wall (FsCpuLayout *layout, int tx, int ty)
{
  size_t tile = (size_t)ty * (size_t)layout->tile_cols + (size_t)tx;
  if (layout->state[tile] == FS_TILE_UNTOUCHED)
    layout->state[tile] = FS_TILE_WALLED; /* nothing beside it is built */
  if (layout->state[tile] != FS_TILE_WALLED)
    write_wall (layout, tile);
}

/* A set as a tile's pixels see it: itself, and whether the pixel to the left or right is in it. */
typedef struct {
  uint64_t here, left, right;
} Row;

static Row
row_of (const FsCpuLayout *layout, const uint64_t *set, int tx, int ty)
{
  const uint64_t first_column = UINT64_C (0x0101010101010101);
  const uint64_t last_column = first_column << 7;
  if (ty < 0 || ty >= layout->tile_rows)
    return (Row){ 0 };
  const uint64_t *tile = set + (size_t)ty * layout->tile_cols + tx;
  uint64_t left = tx > 0 ? tile[-1] : 0;
  uint64_t right = tx + 1 < layout->tile_cols ? tile[1] : 0;
  return (Row){ tile[0], (tile[0] & ~last_column) << 1 | (left & last_column) >> 7,
                (tile[0] & ~first_column) >> 1 | (right & first_column) << 7 };
}

static uint64_t
in_all (Row row)
{
  return row.here & row.left & row.right;
}

/* Returns whether the set has all pixels of three tiles side by side. */
static inline gboolean
has_three (const uint64_t *middle)
{
  return (middle[-1] & middle[0] & middle[1]) == UINT64_MAX;
}

/* The pixels of a tile that are in the set and have one of eight neighbours that is not. */
static uint64_t
frontier_of (const FsCpuLayout *layout, const uint64_t *set, int tx, int ty)
{
  const uint64_t *tile = set + (size_t)ty * layout->tile_cols + tx;
  uint64_t here = *tile;
  if (here == 0)
    return 0;
  gboolean is_inside = tx > 0 && ty > 0 && tx < layout->tile_cols - 1 && ty < layout->tile_rows - 1;
  if (is_inside && has_three (tile) && has_three (tile - layout->tile_cols)
      && has_three (tile + layout->tile_cols))
    return 0;
  uint64_t middle = in_all (row_of (layout, set, tx, ty));
  uint64_t above = in_all (row_of (layout, set, tx, ty - 1));
  uint64_t below = in_all (row_of (layout, set, tx, ty + 1));
  uint64_t inner = middle & (middle << 8 | above >> 56) & (middle >> 8 | below << 56);
  return here & ~inner;
}

/* Returns whether all pixels in a tile that is not built, and around it, are roots of one tree. */
static gboolean
is_uniform_tile (const FsCpuLayout *layout, int tx, int ty)
{
  size_t tile = (size_t)ty * (size_t)layout->tile_cols + (size_t)tx;
  for (int tree = 0; tree < FS_N_TREES; tree++)
    if (layout->roots[tree][tile] == UINT64_MAX)
      return frontier_of (layout, layout->roots[tree], tx, ty) == 0;
  return FALSE;
}

static void
init_lazy_tile (FsCpuLayout *layout, int tx, int ty)
{
  fs_cpu_layout_build_tile (layout, tx, ty);
  init_sentinels (layout, tx, ty);
  init_tile (layout, (size_t)ty * (size_t)layout->tile_cols + (size_t)tx);
}

void
fs_cpu_tree_init_lazy (FsCpuLayout *layout, uint32_t node)
{
  int tile = (int)(node / FS_CPU_TILE_PIXELS);
  init_lazy_tile (layout, tile % layout->tile_cols, tile / layout->tile_cols);
}

void
fs_cpu_tree_init_tiles (FsCpuLayout *layout, int first, int last)
{
  size_t begin = (size_t)first * (size_t)layout->tile_cols, tile = begin;
  for (int ty = first; ty < last; ty++)
    for (int tx = 0; tx < layout->tile_cols; tx++, tile++)
      if (!fs_cpu_layout_is_built (layout, tile) && !is_uniform_tile (layout, tx, ty)) {
        layout->state[tile] = FS_TILE_WANTED;
        fs_cpu_pages_want (layout, tx, ty);
      }
  fs_cpu_pages_take (layout, first, last);
  tile = begin;
  for (int ty = first; ty < last; ty++)
    for (int tx = 0; tx < layout->tile_cols; tx++, tile++)
      if (layout->state[tile] == FS_TILE_WANTED)
        init_lazy_tile (layout, tx, ty);
}

int32_t
fs_cpu_tree_init_push_arc (FsCpuLayout *layout, size_t node, size_t there, uint32_t d)
{
  uint32_t back = d ^ (uint32_t)(layout->n_directions / 2);
  uint16_t *forth = &layout->residual[node * layout->n_directions + d];
  int32_t flow = MIN (*forth, MIN (layout->excess[node], -layout->excess[there]));
  *forth -= (uint16_t)flow;
  layout->residual[there * layout->n_directions + back] += (uint16_t)flow;
  layout->arcs[there] |= 1u << back;
  layout->arcs[node] |= 1u << (d + 8);
  if (*forth == 0) {
    layout->arcs[node] &= ~(1u << d);
    layout->arcs[there] &= ~(1u << (back + 8));
  }
  layout->excess[node] -= flow;
  layout->excess[there] += flow;
  return flow;
}

/* Returns whether an arc leads from the node out of its tree (for the sink's: in from outside). All
 * around a tile that is not built are of its tree. */
static gboolean
has_arc_out (const FsCpuLayout *layout, FsCpuTree tree, uint32_t node)
{
  uint32_t bits = layout->word[node] & FS_WORD_TREE;
  uint32_t arcs = tree == FS_SOURCE ? layout->arcs[node] & 0xffu : layout->arcs[node] >> 8;
  for (; arcs != 0; arcs &= arcs - 1) {
    int32_t offset = layout->offset[node % FS_CPU_TILE_PIXELS][__builtin_ctz (arcs)];
    uint32_t there = layout->word[(int32_t)node + offset] & FS_WORD_TREE;
    if (there != bits && there != FS_WORD_LAZY)
      return TRUE;
  }
  return FALSE;
}

/* Per direction, the pixels of a tile whose neighbour there is in the set. */
static void
neighbour_sets (const FsCpuLayout *layout, const uint64_t *set, int tx, int ty,
                uint64_t neighbour[8])
{
  Row above = row_of (layout, set, tx, ty - 1), middle = row_of (layout, set, tx, ty);
  Row below = row_of (layout, set, tx, ty + 1);
  const Row up = { middle.here << 8 | above.here >> 56, middle.left << 8 | above.left >> 56,
                   middle.right << 8 | above.right >> 56 };
  const Row down = { middle.here >> 8 | below.here << 56, middle.left >> 8 | below.left << 56,
                     middle.right >> 8 | below.right << 56 };
  int half = layout->n_directions / 2;
  for (int d = 0; d < layout->n_directions; d++) {
    int sign = d < half ? 1 : -1;
    int dx = sign * fs_direction_dx (d % half), dy = sign * fs_direction_dy (d % half);
    Row row = dy == 0 ? middle : dy < 0 ? up : down;
    neighbour[d] = dx == 0 ? row.here : dx < 0 ? row.left : row.right;
  }
}

void
fs_cpu_tree_init_arcs (const FsCpuLayout *layout, FsCpuTree tree, size_t tile, uint64_t with_arc[8])
{
  const uint16_t *arcs = layout->arcs + tile * FS_CPU_TILE_PIXELS;
  memset (with_arc, 0, 8 * sizeof *with_arc);
#ifdef __SSE2__
  const __m128i low = _mm_set1_epi16 (0xff);
  const __m128i shift = _mm_cvtsi32_si128 (tree == FS_SOURCE ? 0 : 8);
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i += 16) {
    __m128i a = _mm_srl_epi16 (_mm_loadu_si128 ((const void *)(arcs + i)), shift);
    __m128i b = _mm_srl_epi16 (_mm_loadu_si128 ((const void *)(arcs + i + 8)), shift);
    __m128i bytes = _mm_packus_epi16 (_mm_and_si128 (a, low), _mm_and_si128 (b, low));
    for (int d = 8; d-- > 0; bytes = _mm_add_epi8 (bytes, bytes))
      with_arc[d] |= (uint64_t)(unsigned)_mm_movemask_epi8 (bytes) << i;
  }
#else
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i++)
    for (int d = 0; d < layout->n_directions; d++)
      with_arc[d] |= (uint64_t)(arcs[i] >> (tree == FS_SOURCE ? d : d + 8) & 1) << i;
#endif
}

/* The pixels of a tile that have an arc to where their tree's roots are not; of the sink's, from
 * there. */
static uint64_t
arcs_out (const FsCpuLayout *layout, FsCpuTree tree, int tx, int ty)
{
  uint64_t neighbour[8], with_arc[8], out = 0;
  size_t tile = (size_t)ty * (size_t)layout->tile_cols + (size_t)tx;
  neighbour_sets (layout, layout->roots[tree], tx, ty, neighbour);
  fs_cpu_tree_init_arcs (layout, tree, tile, with_arc);
  for (int d = 0; d < layout->n_directions; d++)
    out |= with_arc[d] & ~neighbour[d];
  return out;
}

static void
list_frontier (FsCpuSearch *search, FsCpuTree tree, int tx, int ty)
{
  FsCpuLayout *layout = search->layout;
  uint32_t first = (uint32_t)((size_t)ty * layout->tile_cols + tx) * FS_CPU_TILE_PIXELS;
  uint64_t frontier = frontier_of (layout, layout->roots[tree], tx, ty);
  /* Beside it, pushing has used up a root. */
  if (frontier != 0 && !fs_cpu_layout_is_built (layout, first / FS_CPU_TILE_PIXELS))
    init_lazy_tile (layout, tx, ty);
  if (frontier != 0)
    frontier &= arcs_out (layout, tree, tx, ty);
  while (frontier != 0) {
    uint32_t i = 63 - (uint32_t)__builtin_clzll (frontier);
    frontier &= ~(UINT64_C (1) << i);
    fs_cpu_search_enqueue (search, tree, first + i);
  }
}

void
fs_cpu_tree_init_lists (FsCpuSearch *search, int first, int last)
{
  /* Backwards: what is listed last is scanned first. */
  for (int ty = last; ty-- > first;)
    for (int tx = search->last_col; tx-- > search->first_col;) {
      list_frontier (search, FS_SOURCE, tx, ty);
      list_frontier (search, FS_SINK, tx, ty);
    }
}

static void
list_node (FsCpuSearch *search, uint32_t node)
{
  uint32_t bits = search->layout->word[node] & FS_WORD_TREE;
  FsCpuTree tree = bits == FS_WORD_SOURCE ? FS_SOURCE : FS_SINK;
  if (bits != FS_WORD_FREE && has_arc_out (search->layout, tree, node))
    fs_cpu_search_enqueue (search, tree, node);
}

/* A tile that was built only now, for the trees in front of it are not its own. */
static void
list_lazy (FsCpuSearch *search, uint32_t node)
{
  uint32_t first = node - node % FS_CPU_TILE_PIXELS;
  fs_cpu_tree_init_lazy (search->layout, node);
  for (uint32_t i = 0; i < FS_CPU_TILE_PIXELS; i++)
    list_node (search, first + i);
}

void
fs_cpu_tree_init_seam (FsCpuSearch *search, uint32_t node)
{
  const FsCpuLayout *layout = search->layout;
  if (!fs_cpu_layout_is_built (layout, node / FS_CPU_TILE_PIXELS))
    return;
  uint32_t bits = layout->word[node] & FS_WORD_TREE;
  uint32_t arcs = (layout->arcs[node] | layout->arcs[node] >> 8) & 0xffu;
  for (; arcs != 0; arcs &= arcs - 1) {
    int32_t offset = layout->offset[node % FS_CPU_TILE_PIXELS][__builtin_ctz (arcs)];
    uint32_t there = node + (uint32_t)offset;
    uint32_t word = layout->word[there];
    uint32_t lazy = word << FS_WORD_LAZY_SHIFT & FS_WORD_TREE;
    /* A wall, which other rows may begin with, is of neither tree. */
    if ((word & FS_WORD_TREE) == FS_WORD_LAZY && lazy != FS_WORD_TREE && lazy != bits)
      list_lazy (search, there);
  }
  list_node (search, node);
}
