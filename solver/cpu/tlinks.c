/* SPDX-License-Identifier: MIT */
#include "solver/cpu/tlinks.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { PIXELS_PER_LOOK = 1 << 14 };

gboolean
fs_cpu_tlinks_differ (const FsGrid *grid, const int32_t *tlinks, size_t max)
{
  size_t n = fs_grid_n_pixels (grid);
  size_t n_changed = 0;
  for (size_t begin = 0; begin < n && n_changed <= max; begin += PIXELS_PER_LOOK) {
    size_t end = MIN (begin + PIXELS_PER_LOOK, n);
    uint32_t changed = 0;
    for (size_t p = begin; p < end; p++)
      changed += tlinks[p] != grid->tlink[p];
    n_changed += changed;
  }
  return n_changed > max;
}

static void
replace_pixels (int32_t *old, const int32_t *tlink, int32_t *excess, int n, FsCpuSums *gained)
{
  for (int i = 0; i < n; i++) {
    int32_t e = excess[i] + (tlink[i] - old[i]);
    gained->tlinks += (int64_t)MAX (tlink[i], 0) - MAX (old[i], 0);
    gained->excess += (int64_t)MAX (e, 0) - MAX (excess[i], 0);
    excess[i] = e;
    old[i] = tlink[i];
  }
}

#ifdef __SSE2__
/* Two 64-bit sums of max(v, 0). */
static inline __m128i
add_positive (__m128i sums, __m128i v)
{
  const __m128i none = _mm_setzero_si128 ();
  __m128i more = _mm_and_si128 (v, _mm_cmpgt_epi32 (v, none));
  sums = _mm_add_epi64 (sums, _mm_unpacklo_epi32 (more, none));
  return _mm_add_epi64 (sums, _mm_unpackhi_epi32 (more, none));
}

static inline int64_t
both_of (__m128i sums)
{
  int64_t sum[2];
  _mm_storeu_si128 ((void *)sum, sums);
  return sum[0] + sum[1];
}

/* A tile that is not built: its excess is its t-link. */
static void
replace_lazy_tile (int32_t *old, const int32_t *tlink, int stride, FsCpuSums *gained)
{
  __m128i before = _mm_setzero_si128 (), after = before;
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i += 4) {
    size_t pixel = (size_t)(i / FS_CPU_TILE) * (size_t)stride + (size_t)(i % FS_CPU_TILE);
    __m128i is = _mm_loadu_si128 ((const void *)(tlink + pixel));
    before = add_positive (before, _mm_loadu_si128 ((const void *)(old + pixel)));
    after = add_positive (after, is);
    _mm_storeu_si128 ((void *)(old + pixel), is);
  }
  int64_t sum = both_of (after) - both_of (before);
  gained->tlinks += sum;
  gained->excess += sum;
}

/* A built tile. Both lie inside the photo as a whole. */
static void
replace_tile (int32_t *old, const int32_t *tlink, int stride, int32_t *excess, FsCpuSums *gained)
{
  __m128i before = _mm_setzero_si128 (), after = before;
  __m128i before_excess = before, after_excess = before;
  for (int i = 0; i < FS_CPU_TILE_PIXELS; i += 4) {
    size_t pixel = (size_t)(i / FS_CPU_TILE) * (size_t)stride + (size_t)(i % FS_CPU_TILE);
    __m128i was = _mm_loadu_si128 ((const void *)(old + pixel));
    __m128i is = _mm_loadu_si128 ((const void *)(tlink + pixel));
    __m128i e = _mm_loadu_si128 ((const void *)(excess + i));
    before = add_positive (before, was);
    after = add_positive (after, is);
    before_excess = add_positive (before_excess, e);
    e = _mm_add_epi32 (e, _mm_sub_epi32 (is, was));
    after_excess = add_positive (after_excess, e);
    _mm_storeu_si128 ((void *)(excess + i), e);
    _mm_storeu_si128 ((void *)(old + pixel), is);
  }
  gained->tlinks += both_of (after) - both_of (before);
  gained->excess += both_of (after_excess) - both_of (before_excess);
}
#else
static void
replace_lazy_tile (int32_t *old, const int32_t *tlink, int stride, FsCpuSums *gained)
{
  for (int y = 0; y < FS_CPU_TILE; y++) {
    size_t pixel = (size_t)y * (size_t)stride;
    int32_t excess[FS_CPU_TILE];
    memcpy (excess, old + pixel, sizeof excess);
    replace_pixels (old + pixel, tlink + pixel, excess, FS_CPU_TILE, gained);
  }
}

static void
replace_tile (int32_t *old, const int32_t *tlink, int stride, int32_t *excess, FsCpuSums *gained)
{
  for (int y = 0; y < FS_CPU_TILE; y++) {
    size_t pixel = (size_t)y * (size_t)stride;
    replace_pixels (old + pixel, tlink + pixel, excess + (ptrdiff_t)y * FS_CPU_TILE, FS_CPU_TILE,
                    gained);
  }
}
#endif

/* A tile that may hang over the photo's edge. */
static void
replace_edge_tile (FsCpuLayout *layout, FsGrid *grid, const int32_t *tlinks, int tx, int ty,
                   FsCpuSums *gained)
{
  int x = tx * FS_CPU_TILE;
  int n = MIN (FS_CPU_TILE, grid->width - x);
  gboolean is_built =
      fs_cpu_layout_is_built (layout, (size_t)ty * (size_t)layout->tile_cols + (size_t)tx);
  for (int y = ty * FS_CPU_TILE; y < MIN ((ty + 1) * FS_CPU_TILE, grid->height); y++) {
    size_t pixel = (size_t)y * (size_t)grid->width + (size_t)x;
    int32_t own[FS_CPU_TILE], *excess = own;
    if (is_built)
      excess = layout->excess + fs_cpu_layout_node (layout, x, y);
    else
      memcpy (own, grid->tlink + pixel, (size_t)n * sizeof *own);
    replace_pixels (grid->tlink + pixel, tlinks + pixel, excess, n, gained);
  }
}

FsCpuSums
fs_cpu_tlinks_replace (FsCpuLayout *layout, FsGrid *grid, const int32_t *tlinks, int first,
                       int last)
{
  FsCpuSums gained = { 0 };
  for (int ty = first; ty < last; ty++) {
    int n_whole = (ty + 1) * FS_CPU_TILE <= grid->height ? grid->width / FS_CPU_TILE : 0;
    size_t pixel = (size_t)ty * FS_CPU_TILE * (size_t)grid->width;
    int32_t *excess = layout->excess + (size_t)ty * layout->tile_cols * FS_CPU_TILE_PIXELS;
    const uint8_t *state = layout->state + (size_t)ty * (size_t)layout->tile_cols;
    for (int tx = 0; tx < layout->tile_cols; tx++)
      if (tx < n_whole && state[tx] == FS_TILE_BUILT)
        replace_tile (grid->tlink + pixel + (size_t)tx * FS_CPU_TILE,
                      tlinks + pixel + (size_t)tx * FS_CPU_TILE, grid->width,
                      excess + (size_t)tx * FS_CPU_TILE_PIXELS, &gained);
      else if (tx < n_whole)
        replace_lazy_tile (grid->tlink + pixel + (size_t)tx * FS_CPU_TILE,
                           tlinks + pixel + (size_t)tx * FS_CPU_TILE, grid->width, &gained);
      else
        replace_edge_tile (layout, grid, tlinks, tx, ty, &gained);
  }
  return gained;
}
