/* SPDX-License-Identifier: MIT */
#include "solver/cpu/state/tile_build.h"

#include "solver/cpu/state/pages.h"
#include "solver/cpu/state/tile_nlinks.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* (x, y): the node's pixel in the grid. */
static void
build_node (FsCpuLayout *layout, const FsGrid *grid, size_t node, int x, int y)
{
  size_t p = (size_t)y * grid->width + x;
  uint16_t *residual = layout->residual + node * layout->n_directions;
  gboolean inside = x < grid->width && y < grid->height;
  unsigned arcs = 0;
  for (int d = 0; d < layout->n_directions; d++) {
    int arc = fs_cpu_layout_arc (layout, d);
    residual[d] = 0;
    if (!inside || !fs_grid_has_arc (grid, x, y, arc))
      continue;
    size_t there = p + (size_t)fs_grid_step (grid, arc);
    residual[d] = fs_grid_capacity (grid, p, arc);
    arcs |= (unsigned)(residual[d] > 0) << d;
    arcs |= (unsigned)(fs_grid_capacity (grid, there, arc ^ FS_DIRECTION_OPPOSITE) > 0) << (d + 8);
  }
  layout->arcs[node] = (uint16_t)arcs;
  layout->excess[node] = inside ? grid->tlink[p] : 0;
}

/* (x, y): the tile's first pixel in the grid. */
static void
build_edge_tile (FsCpuLayout *layout, const FsGrid *grid, size_t tile, int x, int y)
{
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i++)
    build_node (layout, grid, tile * FS_CPU_TILE_PIXELS + (size_t)i, x + i % FS_CPU_TILE,
                y + i / FS_CPU_TILE);
}

#ifdef __SSE2__
/* Eight vectors of one direction each become eight pixels' records. */
static inline void
store_records_8 (uint16_t *residual, const __m128i v[8])
{
  __m128i a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = _mm_unpacklo_epi16 (v[2 * i], v[2 * i + 1]);
    a[2 * i + 1] = _mm_unpackhi_epi16 (v[2 * i], v[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++)
    for (int half = 0; half < 2; half++) {
      b[4 * i + 2 * half] = _mm_unpacklo_epi32 (a[4 * i + half], a[4 * i + 2 + half]);
      b[4 * i + 2 * half + 1] = _mm_unpackhi_epi32 (a[4 * i + half], a[4 * i + 2 + half]);
    }
  __m128i *out = (__m128i *)(void *)residual;
  for (int i = 0; i < 4; i++) {
    _mm_storeu_si128 (out + 2 * i, _mm_unpacklo_epi64 (b[i], b[i + 4]));
    _mm_storeu_si128 (out + 2 * i + 1, _mm_unpackhi_epi64 (b[i], b[i + 4]));
  }
}

static inline void
store_records_4 (uint16_t *residual, const __m128i v[4])
{
  __m128i *out = (__m128i *)(void *)residual;
  __m128i a = _mm_unpacklo_epi16 (v[0], v[1]);
  __m128i b = _mm_unpacklo_epi16 (v[2], v[3]);
  _mm_storeu_si128 (out, _mm_unpacklo_epi32 (a, b));
  _mm_storeu_si128 (out + 1, _mm_unpackhi_epi32 (a, b));
  a = _mm_unpackhi_epi16 (v[0], v[1]);
  b = _mm_unpackhi_epi16 (v[2], v[3]);
  _mm_storeu_si128 (out + 2, _mm_unpacklo_epi32 (a, b));
  _mm_storeu_si128 (out + 3, _mm_unpackhi_epi32 (a, b));
}

/* Bit `bit` of each of eight pixels: has this capacity. */
static inline __m128i
arc_bits (__m128i capacity, int bit)
{
  __m128i none = _mm_cmpeq_epi16 (capacity, _mm_setzero_si128 ());
  return _mm_andnot_si128 (none, _mm_set1_epi16 ((short)(1 << bit)));
}

/* The capacities of eight pixels' arcs in a forward direction and its opposite. */
typedef struct {
  __m128i out, out_back; /* of the arcs that leave them */
  __m128i in, in_back;   /* of their opposites          */
} Eight;

/* The lanes of eight pixels that have a parent in direction d and are not their parent's parent. */
static inline __m128i
star_lanes (const uint8_t *star, const uint8_t *there, int d)
{
  __m128i here = _mm_cmpeq_epi8 (_mm_loadl_epi64 ((const void *)star), _mm_set1_epi8 ((char)d));
  __m128i mutual = _mm_cmpeq_epi8 (_mm_loadl_epi64 ((const void *)there),
                                   _mm_set1_epi8 ((char)(d ^ FS_DIRECTION_OPPOSITE)));
  __m128i lanes = _mm_andnot_si128 (mutual, here);
  return _mm_unpacklo_epi8 (lanes, lanes);
}

/* 65,535 − the opposite capacity, in some lanes. */
static inline __m128i
raised (__m128i capacity, __m128i opposite, __m128i lanes)
{
  __m128i max = _mm_xor_si128 (opposite, _mm_set1_epi16 (-1));
  return _mm_or_si128 (_mm_andnot_si128 (lanes, capacity), _mm_and_si128 (lanes, max));
}

static inline Eight
raise_star (Eight plane, const uint8_t *star, ptrdiff_t step, int d)
{
  int back = d ^ FS_DIRECTION_OPPOSITE;
  return (Eight){
    .out = raised (plane.out, plane.in, star_lanes (star, star + step, d)),
    .in = raised (plane.in, plane.out, star_lanes (star + step, star, back)),
    .out_back = raised (plane.out_back, plane.in_back, star_lanes (star, star - step, back)),
    .in_back = raised (plane.in_back, plane.out_back, star_lanes (star - step, star, d)),
  };
}

/* Eight pixels of one row, none of them at the photo's edge. Called with constants for `half` and
 * for no star, so that each case is compiled by itself. */
static inline void
build_eight (FsCpuLayout *layout, const FsGrid *grid, const uint8_t *star, size_t node,
             size_t pixel, int half)
{
  __m128i out[8];
  __m128i arcs = _mm_setzero_si128 ();
#pragma GCC unroll 4
  for (int d = 0; d < half; d++) {
    const uint16_t *forth = grid->nlink[d];
    const uint16_t *back = grid->nlink_back[d] != NULL ? grid->nlink_back[d] : forth;
    ptrdiff_t step = fs_grid_step (grid, d);
    Eight eight = { _mm_loadu_si128 ((const void *)(forth + pixel)),
                    _mm_loadu_si128 ((const void *)(back + pixel - step)),
                    _mm_loadu_si128 ((const void *)(back + pixel)),
                    _mm_loadu_si128 ((const void *)(forth + pixel - step)) };
    if (star != NULL)
      eight = raise_star (eight, star + pixel, step, d);
    out[d] = eight.out;
    out[half + d] = eight.out_back;
    arcs = _mm_or_si128 (arcs, arc_bits (eight.out, d));
    arcs = _mm_or_si128 (arcs, arc_bits (eight.out_back, half + d));
    arcs = _mm_or_si128 (arcs, arc_bits (eight.in, 8 + d));
    arcs = _mm_or_si128 (arcs, arc_bits (eight.in_back, 8 + half + d));
  }
  uint16_t *residual = layout->residual + node * 2 * half;
  if (half == 4)
    store_records_8 (residual, out);
  else
    store_records_4 (residual, out);
  _mm_storeu_si128 ((void *)(layout->arcs + node), arcs);
  memcpy (layout->excess + node, grid->tlink + pixel, FS_CPU_TILE * sizeof *layout->excess);
}

static void
build_inner_tile (FsCpuLayout *layout, const FsGrid *grid, size_t tile, int x0, int y0)
{
  for (int y = 0; y < FS_CPU_TILE; y++) {
    size_t pixel = (size_t)(y0 + y) * (size_t)grid->width + (size_t)x0;
    size_t node = tile * FS_CPU_TILE_PIXELS + (size_t)y * FS_CPU_TILE;
    if (layout->n_directions == 8 && grid->star == NULL)
      build_eight (layout, grid, NULL, node, pixel, 4);
    else if (layout->n_directions == 8)
      build_eight (layout, grid, grid->star, node, pixel, 4);
    else if (grid->star == NULL)
      build_eight (layout, grid, NULL, node, pixel, 2);
    else
      build_eight (layout, grid, grid->star, node, pixel, 2);
  }
}
#else
#define build_inner_tile build_edge_tile
#endif

/* A tile that no photo's edge touches. */
static gboolean
is_inner (const FsCpuLayout *layout, int tx, int ty)
{
  return tx > 0 && ty > 0 && (tx + 1) * FS_CPU_TILE < layout->width
         && (ty + 1) * FS_CPU_TILE < layout->height;
}

void
fs_cpu_layout_build_tile (FsCpuLayout *layout, int tx, int ty)
{
  size_t tile = (size_t)ty * (size_t)layout->tile_cols + (size_t)tx;
  fs_cpu_pages_need (layout, tile);
  int x = tx * FS_CPU_TILE, y = ty * FS_CPU_TILE;
  if (fs_grid_lacks_planes (layout->grid)) {
    FsCpuWindow window;
    fs_cpu_window_read (&window, layout->grid, tx, ty);
    build_inner_tile (layout, &window.grid, tile, 1, 1);
  } else if (is_inner (layout, tx, ty))
    build_inner_tile (layout, layout->grid, tile, x, y);
  else
    build_edge_tile (layout, layout->grid, tile, x, y);
  layout->state[tile] = FS_TILE_BUILT;
}
