/* SPDX-License-Identifier: MIT */
#include "solver/cpu_plant.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define ROOT_DISTANCE (1u << FS_WORD_DISTANCE_SHIFT)
#define SOURCE_ROOT   (FS_WORD_SOURCE | ROOT_DISTANCE | FS_WORD_ROOT)
#define SINK_ROOT     (FS_WORD_SINK | ROOT_DISTANCE | FS_WORD_ROOT)

static void
plant_tile (FsCpuLayout *layout, size_t tile)
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

void
fs_cpu_plant_words (FsCpuLayout *layout, int first, int last)
{
  size_t begin = (size_t)first * layout->tile_cols;
  size_t end = (size_t)last * layout->tile_cols;
  for (size_t tile = begin; tile < end; tile++)
    plant_tile (layout, tile);
  memset (layout->touched + begin, 1, end - begin);
}

void
fs_cpu_plant_nothing (FsCpuLayout *layout, int row)
{
  size_t tile = (size_t)row * layout->tile_cols;
  size_t n = (size_t)layout->tile_cols;
  memset (layout->word + tile * FS_CPU_TILE_PIXELS, 0,
          n * FS_CPU_TILE_PIXELS * sizeof *layout->word);
  for (int tree = 0; tree < FS_N_TREES; tree++)
    memset (layout->roots[tree] + tile, 0, n * sizeof *layout->roots[tree]);
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

static uint64_t
in_any (Row row)
{
  return row.here | row.left | row.right;
}

/* The pixels of a tile that are in the set and have one of eight neighbours that is not. */
static uint64_t
rim_of (const FsCpuLayout *layout, const uint64_t *set, int tx, int ty)
{
  uint64_t here = set[(size_t)ty * layout->tile_cols + tx];
  if (here == 0)
    return 0;
  uint64_t middle = in_all (row_of (layout, set, tx, ty));
  uint64_t above = in_all (row_of (layout, set, tx, ty - 1));
  uint64_t below = in_all (row_of (layout, set, tx, ty + 1));
  uint64_t inner = middle & (middle << 8 | above >> 56) & (middle >> 8 | below << 56);
  return here & ~inner;
}

/* The pixels of a tile that are in the set or have one of eight neighbours in it. */
static uint64_t
around (const FsCpuLayout *layout, const uint64_t *set, int tx, int ty)
{
  uint64_t middle = in_any (row_of (layout, set, tx, ty));
  uint64_t above = in_any (row_of (layout, set, tx, ty - 1));
  uint64_t below = in_any (row_of (layout, set, tx, ty + 1));
  return middle | middle << 8 | above >> 56 | middle >> 8 | below << 56;
}

/* Nothing is left of a root. */
static void
wither (FsCpuLayout *layout, FsCpuTree tree, size_t node)
{
  layout->roots[tree][node / FS_CPU_TILE_PIXELS] &= ~(UINT64_C (1) << node % FS_CPU_TILE_PIXELS);
  layout->word[node] = FS_WORD_FREE;
}

int32_t
fs_cpu_plant_push_arc (FsCpuLayout *layout, size_t node, size_t there, uint32_t d)
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

/* Pushes what can flow through the node's arc in direction d. Returns the flow. */
static int32_t
push_beside (FsCpuLayout *layout, size_t node, uint32_t d)
{
  size_t there = node + layout->offset[node % FS_CPU_TILE_PIXELS][d];
  if (layout->excess[there] >= 0)
    return 0;
  int32_t flow = fs_cpu_plant_push_arc (layout, node, there, d);
  if (layout->excess[there] == 0)
    wither (layout, FS_SINK, there);
  return flow;
}

static int64_t
push_from (FsCpuLayout *layout, size_t node)
{
  int64_t sum = 0;
  uint32_t lanes = layout->arcs[node] & 0xffu;
  for (; lanes != 0 && layout->excess[node] > 0; lanes &= lanes - 1)
    sum += push_beside (layout, node, (uint32_t)__builtin_ctz (lanes));
  if (layout->excess[node] == 0)
    wither (layout, FS_SOURCE, node);
  return sum;
}

int64_t
fs_cpu_plant_push (FsCpuLayout *layout, int first, int last)
{
  int64_t sum = 0;
  for (int ty = first; ty < last; ty++)
    for (int tx = 0; tx < layout->tile_cols; tx++) {
      size_t tile = (size_t)ty * layout->tile_cols + tx;
      uint64_t source = layout->roots[FS_SOURCE][tile];
      if (source != 0)
        source &= around (layout, layout->roots[FS_SINK], tx, ty);
      for (; source != 0; source &= source - 1)
        sum += push_from (layout, tile * FS_CPU_TILE_PIXELS + __builtin_ctzll (source));
    }
  return sum;
}

/* Whether an arc leads from the node out of its tree (for the sink's: in from outside). */
static gboolean
has_arc_out (const FsCpuLayout *layout, FsCpuTree tree, uint32_t node)
{
  uint32_t bits = layout->word[node] & FS_WORD_TREE;
  uint32_t arcs = tree == FS_SOURCE ? layout->arcs[node] & 0xffu : layout->arcs[node] >> 8;
  for (; arcs != 0; arcs &= arcs - 1) {
    int32_t offset = layout->offset[node % FS_CPU_TILE_PIXELS][__builtin_ctz (arcs)];
    if ((layout->word[(int32_t)node + offset] & FS_WORD_TREE) != bits)
      return TRUE;
  }
  return FALSE;
}

static void
list_rim (FsCpuSearch *search, FsCpuTree tree, int tx, int ty)
{
  FsCpuLayout *layout = search->layout;
  uint32_t first = (uint32_t)((size_t)ty * layout->tile_cols + tx) * FS_CPU_TILE_PIXELS;
  uint64_t rim = rim_of (layout, layout->roots[tree], tx, ty);
  while (rim != 0) {
    int i = 63 - __builtin_clzll (rim);
    rim &= ~(UINT64_C (1) << i);
    if (has_arc_out (layout, tree, first + i))
      fs_cpu_search_enqueue (search, tree, first + i);
  }
}

void
fs_cpu_plant_lists (FsCpuSearch *search, int first, int last)
{
  /* Backwards: what is listed last is scanned first. */
  for (int ty = last; ty-- > first;)
    for (int tx = search->layout->tile_cols; tx-- > 0;) {
      list_rim (search, FS_SOURCE, tx, ty);
      list_rim (search, FS_SINK, tx, ty);
    }
}
