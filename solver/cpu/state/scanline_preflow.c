/* SPDX-License-Identifier: MIT */
#include "solver/cpu/state/scanline_preflow.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
  LANES = FS_CPU_TILE,
  /* Tiles through which flow goes to a deficit at most. */
  FLOW_TILES = 8,
  /* Maximum of a pixel or an arc in one pass: the sum of two fits into 16 bits. */
  FLOW_MAX = INT16_MAX / 2,
};

/* Eight adjacent scanlines, in one direction. */
typedef struct {
  FsCpuLayout *layout;
  size_t tile;         /* the first               */
  ptrdiff_t tile_step; /* from a tile to the next */
  int n_tiles;
  gboolean is_row; /* of tiles: else a column */
  gboolean is_backward;
  uint32_t d, back;                        /* direction of the flow, and its opposite        */
  uint8_t is_near[FS_PREFLOW_BLOCK_TILES]; /* per tile: a deficit is within FLOW_TILES tiles */
  /* Per position: what each scanline's pixel takes, and a bit for each that takes anything. */
  int16_t taken[FS_PREFLOW_BLOCK_TILES][FS_CPU_TILE][LANES];
  uint8_t takers[FS_PREFLOW_BLOCK_TILES][FS_CPU_TILE];
} Scanlines;

static size_t
tile_of (const Scanlines *lines, int i)
{
  return (size_t)((ptrdiff_t)lines->tile + i * lines->tile_step);
}

/* In nodes, from one line to the next. */
static int
to_next_line (const Scanlines *lines)
{
  return lines->is_row ? FS_CPU_TILE : 1;
}

/* The first line's pixel k of a tile. */
static size_t
node_of (const Scanlines *lines, int i, int k)
{
  int place = lines->is_backward ? FS_CPU_TILE - 1 - k : k;
  return tile_of (lines, i) * FS_CPU_TILE_PIXELS
         + (size_t)(lines->is_row ? place : place * FS_CPU_TILE);
}

static size_t
node_before (const Scanlines *lines, int i, int k)
{
  return k > 0 ? node_of (lines, i, k - 1) : node_of (lines, i - 1, FS_CPU_TILE - 1);
}

/* Returns whether there is any deficit. */
static gboolean
find_deficits (Scanlines *lines)
{
  const FsCpuLayout *layout = lines->layout;
  gboolean any = FALSE;
  for (int i = lines->n_tiles, left = 0; i-- > 0; left = MAX (left - 1, 0)) {
    size_t tile = tile_of (lines, i);
    if (!fs_cpu_layout_is_built (layout, tile))
      left = 0;
    else if (layout->roots[FS_SINK][tile] != 0)
      left = FLOW_TILES;
    lines->is_near[i] = left > 0;
    any |= left > 0;
  }
  return any;
}

/* --- what is taken --- */

#ifdef __SSE2__
typedef __m128i Lanes;

static inline Lanes
no_lanes (void)
{
  return _mm_setzero_si128 ();
}

/* Bit l: of lane l. */
static inline uint32_t
positive (Lanes a)
{
  __m128i more = _mm_cmpgt_epi16 (a, _mm_setzero_si128 ());
  return (uint32_t)_mm_movemask_epi8 (_mm_packs_epi16 (more, _mm_setzero_si128 ()));
}

/* Excess of eight nodes in a row. */
static inline Lanes
load_excess (const int32_t *excess)
{
  const __m128i max = _mm_set1_epi16 (FLOW_MAX);
  __m128i e = _mm_packs_epi32 (_mm_loadu_si128 ((const void *)excess),
                               _mm_loadu_si128 ((const void *)(excess + 4)));
  return _mm_max_epi16 (_mm_min_epi16 (e, max), _mm_sub_epi16 (_mm_setzero_si128 (), max));
}

static inline void
transpose (Lanes row[FS_CPU_TILE])
{
  __m128i a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = _mm_unpacklo_epi16 (row[2 * i], row[2 * i + 1]);
    a[2 * i + 1] = _mm_unpackhi_epi16 (row[2 * i], row[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      b[4 * i + 2 * j] = _mm_unpacklo_epi32 (a[4 * i + j], a[4 * i + 2 + j]);
      b[4 * i + 2 * j + 1] = _mm_unpackhi_epi32 (a[4 * i + j], a[4 * i + 2 + j]);
    }
  for (int j = 0; j < 4; j++) {
    row[2 * j] = _mm_unpacklo_epi64 (b[j], b[4 + j]);
    row[2 * j + 1] = _mm_unpackhi_epi64 (b[j], b[4 + j]);
  }
}

/* Capacities left, so many words apart. */
static inline Lanes
load_capacity (const uint16_t *arc, size_t stride)
{
  const __m128i max = _mm_set1_epi16 (FLOW_MAX);
  __m128i capacity = _mm_cvtsi32_si128 (arc[0]);
  capacity = _mm_insert_epi16 (capacity, arc[stride], 1);
  capacity = _mm_insert_epi16 (capacity, arc[2 * stride], 2);
  capacity = _mm_insert_epi16 (capacity, arc[3 * stride], 3);
  capacity = _mm_insert_epi16 (capacity, arc[4 * stride], 4);
  capacity = _mm_insert_epi16 (capacity, arc[5 * stride], 5);
  capacity = _mm_insert_epi16 (capacity, arc[6 * stride], 6);
  capacity = _mm_insert_epi16 (capacity, arc[7 * stride], 7);
  return _mm_sub_epi16 (capacity, _mm_subs_epu16 (capacity, max));
}

/* The flow that one pixel of each scanline takes of what arrives. */
static inline Lanes
take (Lanes excess, Lanes capacity, Lanes *carry)
{
  const __m128i none = _mm_setzero_si128 ();
  __m128i given = _mm_max_epi16 (excess, none);
  __m128i wanted = _mm_sub_epi16 (given, excess);
  __m128i here = _mm_min_epi16 (*carry, capacity), taken = _mm_min_epi16 (here, wanted);
  *carry = _mm_add_epi16 (_mm_sub_epi16 (here, taken), given);
  return taken;
}

static inline void
store (Lanes a, int16_t *out)
{
  _mm_storeu_si128 ((void *)out, a);
}
#else
typedef struct {
  int16_t lane[LANES];
} Lanes;

static inline Lanes
no_lanes (void)
{
  return (Lanes){ 0 };
}

static inline uint32_t
positive (Lanes a)
{
  uint32_t set = 0;
  for (int l = 0; l < LANES; l++)
    set |= (uint32_t)(a.lane[l] > 0) << l;
  return set;
}

static inline Lanes
load_excess (const int32_t *excess)
{
  Lanes out;
  for (int l = 0; l < LANES; l++)
    out.lane[l] = (int16_t)CLAMP (excess[l], -FLOW_MAX, FLOW_MAX);
  return out;
}

static inline void
transpose (Lanes row[FS_CPU_TILE])
{
  for (int i = 0; i < LANES; i++)
    for (int j = 0; j < i; j++) {
      int16_t swapped = row[i].lane[j];
      row[i].lane[j] = row[j].lane[i];
      row[j].lane[i] = swapped;
    }
}

static inline Lanes
load_capacity (const uint16_t *arc, size_t stride)
{
  Lanes out;
  for (size_t l = 0; l < LANES; l++)
    out.lane[l] = (int16_t)MIN (arc[l * stride], FLOW_MAX);
  return out;
}

static inline Lanes
take (Lanes excess, Lanes capacity, Lanes *carry)
{
  Lanes taken;
  for (int l = 0; l < LANES; l++) {
    int here = MIN (carry->lane[l], capacity.lane[l]);
    taken.lane[l] = (int16_t)MIN (here, MAX (-excess.lane[l], 0));
    carry->lane[l] = (int16_t)(here - taken.lane[l] + MAX (excess.lane[l], 0));
  }
  return taken;
}

static inline void
store (Lanes a, int16_t *out)
{
  memcpy (out, a.lane, sizeof a.lane);
}
#endif

static inline void
load_tile (const Scanlines *lines, int i, gboolean is_row, Lanes excess[FS_CPU_TILE])
{
  const int32_t *from = lines->layout->excess + tile_of (lines, i) * FS_CPU_TILE_PIXELS;
  for (int k = 0; k < FS_CPU_TILE; k++)
    excess[k] = load_excess (from + (ptrdiff_t)k * FS_CPU_TILE);
  if (is_row)
    transpose (excess);
}

/* Returns whether anything is taken in a tile. What comes along comes through the arc from before.
 */
static inline uint32_t
measure_tile (Scanlines *lines, int i, gboolean is_row, uint32_t nd, Lanes *carry)
{
  const uint16_t *residual = lines->layout->residual + lines->d;
  const size_t stride = (is_row ? FS_CPU_TILE : 1) * nd;
  Lanes excess[FS_CPU_TILE];
  uint32_t any = 0;
  load_tile (lines, i, is_row, excess);
  gboolean begins = positive (*carry) == 0;
  for (int k = 0; k < FS_CPU_TILE; k++) {
    Lanes capacity = k == 0 && begins
                         ? no_lanes ()
                         : load_capacity (residual + node_before (lines, i, k) * nd, stride);
    Lanes taken = take (excess[lines->is_backward ? FS_CPU_TILE - 1 - k : k], capacity, carry);
    store (taken, lines->taken[i][k]);
    any |= lines->takers[i][k] = (uint8_t)positive (taken);
  }
  return any;
}

/* Notes what is taken. Whether anything is. */
static inline gboolean
measure (Scanlines *lines, gboolean is_row, uint32_t nd)
{
  const FsCpuLayout *layout = lines->layout;
  Lanes carry = no_lanes ();
  uint32_t any = 0;
  for (int i = 0; i < lines->n_tiles; i++) {
    if (!lines->is_near[i])
      carry = no_lanes ();
    else if (layout->roots[FS_SOURCE][tile_of (lines, i)] != 0 || positive (carry) != 0) {
      any |= measure_tile (lines, i, is_row, nd, &carry);
      continue;
    }
    memset (lines->takers[i], 0, sizeof lines->takers[i]);
  }
  return any != 0;
}

/* --- who gives it --- */

/* Nothing is left of a root. */
static void
wither (FsCpuLayout *layout, FsCpuTree tree, size_t node)
{
  layout->roots[tree][node / FS_CPU_TILE_PIXELS] &= ~(UINT64_C (1) << node % FS_CPU_TILE_PIXELS);
  layout->word[node] = FS_WORD_FREE;
}

static inline void
push_through (const Scanlines *lines, size_t from, size_t to, int32_t flow, uint32_t nd)
{
  FsCpuLayout *layout = lines->layout;
  uint16_t *forth = &layout->residual[from * nd + lines->d];
  uint16_t *back = &layout->residual[to * nd + lines->back];
  if (*back == 0) {
    layout->arcs[to] |= (uint16_t)(1u << lines->back);
    layout->arcs[from] |= (uint16_t)(1u << (lines->d + 8));
  }
  *back += (uint16_t)flow;
  *forth -= (uint16_t)flow;
  if (*forth == 0) {
    layout->arcs[from] &= (uint16_t) ~(1u << lines->d);
    layout->arcs[to] &= (uint16_t) ~(1u << (lines->back + 8));
  }
}

/* Meets a need from what a pixel took and from its excess. Returns the need that is left for the
 * pixels before it. */
static inline int32_t
meet_need (FsCpuLayout *layout, size_t node, int32_t taken, int32_t need)
{
  int32_t excess = layout->excess[node];
  int32_t given = CLAMP (excess, 0, need);
  if (taken == given)
    return need;
  layout->excess[node] = excess + taken - given;
  if (layout->excess[node] == 0)
    wither (layout, taken > 0 ? FS_SINK : FS_SOURCE, node);
  return need + taken - given;
}

static inline int64_t
give (const Scanlines *lines, uint32_t nd)
{
  int32_t need[LANES] = { 0 };
  uint32_t needing = 0;
  int64_t sum = 0;
  for (int i = lines->n_tiles; i-- > 0;)
    for (int k = FS_CPU_TILE; k-- > 0;) {
      uint32_t takers = lines->takers[i][k];
      for (uint32_t lanes = needing | takers; lanes != 0; lanes &= lanes - 1) {
        uint32_t l = (uint32_t)__builtin_ctz (lanes);
        size_t neighbour = l * (size_t)to_next_line (lines);
        size_t node = node_of (lines, i, k) + neighbour;
        int32_t taken = takers >> l & 1 ? lines->taken[i][k][l] : 0;
        sum += taken;
        need[l] = meet_need (lines->layout, node, taken, need[l]);
        if (need[l] > 0)
          push_through (lines, node_before (lines, i, k) + neighbour, node, need[l], nd);
        needing = (needing & ~(1u << l)) | (uint32_t)(need[l] > 0) << l;
      }
    }
  return sum;
}

static inline int64_t
push_instance (Scanlines *lines, gboolean is_row, uint32_t nd)
{
  return measure (lines, is_row, nd) ? give (lines, nd) : 0;
}

static int64_t
push_one_way (Scanlines *lines)
{
  if (!find_deficits (lines))
    return 0;
  if (lines->layout->n_directions == 8)
    return lines->is_row ? push_instance (lines, TRUE, 8) : push_instance (lines, FALSE, 8);
  return lines->is_row ? push_instance (lines, TRUE, 4) : push_instance (lines, FALSE, 4);
}

static int64_t
push_both_ways (Scanlines *lines)
{
  uint32_t half = (uint32_t)lines->layout->n_directions / 2;
  lines->is_backward = FALSE;
  lines->d = lines->is_row ? FS_DIRECTION_E : FS_DIRECTION_S;
  lines->back = lines->d + half;
  int64_t sum = push_one_way (lines);
  lines->tile = tile_of (lines, lines->n_tiles - 1);
  lines->tile_step = -lines->tile_step;
  lines->is_backward = TRUE;
  lines->back = lines->d;
  lines->d += half;
  return sum + push_one_way (lines);
}

static int64_t
push_row (FsCpuLayout *layout, int first, int n, int y)
{
  Scanlines lines;
  lines.layout = layout;
  lines.tile = (size_t)y * (size_t)layout->tile_cols + (size_t)first;
  lines.tile_step = 1;
  lines.n_tiles = n;
  lines.is_row = TRUE;
  return push_both_ways (&lines);
}

static int64_t
push_column (FsCpuLayout *layout, int first, int n, int x)
{
  Scanlines lines;
  lines.layout = layout;
  lines.tile = (size_t)first * (size_t)layout->tile_cols + (size_t)x;
  lines.tile_step = layout->tile_cols;
  lines.n_tiles = n;
  lines.is_row = FALSE;
  return push_both_ways (&lines);
}

static int
blocks_across (const FsCpuLayout *layout)
{
  return (layout->tile_cols - 1) / FS_PREFLOW_BLOCK_TILES + 1;
}

int
fs_cpu_preflow_n_blocks (const FsCpuLayout *layout)
{
  return blocks_across (layout) * ((layout->tile_rows - 1) / FS_PREFLOW_BLOCK_TILES + 1);
}

int64_t
fs_cpu_preflow_push (FsCpuLayout *layout, int block)
{
  int x0 = block % blocks_across (layout) * FS_PREFLOW_BLOCK_TILES;
  int y0 = block / blocks_across (layout) * FS_PREFLOW_BLOCK_TILES;
  int x1 = MIN (x0 + FS_PREFLOW_BLOCK_TILES, layout->tile_cols);
  int y1 = MIN (y0 + FS_PREFLOW_BLOCK_TILES, layout->tile_rows);
  int64_t sum = 0;
  for (int y = y0; y < y1; y++)
    sum += push_row (layout, x0, x1 - x0, y);
  for (int x = x0; x < x1; x++)
    sum += push_column (layout, y0, y1 - y0, x);
  return sum;
}
