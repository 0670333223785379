/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_cells.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

gboolean
fs_edge_cells_init (FsEdgeCells *cells, const FsEdgeInput *input, int shift, int side)
{
  const int last = (1 << shift) - 1;
  *cells = (FsEdgeCells){ .shift = shift,
                          .all = { 0, 0, (input->image->width + last) >> shift,
                                   (input->image->height + last) >> shift } };
  const gsize n = (gsize)(side >> shift) + 2;
  cells->sides = g_try_malloc (n * n);
  cells->places = g_try_malloc_n (n * n, sizeof *cells->places);
  cells->sums = g_try_malloc_n (n * n, sizeof *cells->sums);
  return cells->sides && cells->places && cells->sums;
}

void
fs_edge_cells_clear (FsEdgeCells *cells)
{
  g_clear_pointer (&cells->sides, g_free);
  g_clear_pointer (&cells->places, g_free);
  g_clear_pointer (&cells->sums, g_free);
}

FsRect
fs_edge_cells_of (const FsEdgeCells *cells, FsRect area, int more)
{
  const int shift = cells->shift, last = (1 << shift) - 1;
  const FsRect met = { area.x0 >> shift, area.y0 >> shift, (area.x1 + last) >> shift,
                       (area.y1 + last) >> shift };
  return fs_rect_intersect (cells->all, fs_rect_widen (met, more));
}

/* Adds those of n pixels to the sides of their cells. */
static inline __attribute__ ((always_inline)) void
add_sides (uint8_t *restrict sides, const uint8_t *restrict mask, int n, int shift)
{
  const int n_whole = n >> shift, side = 1 << shift;
  for (int i = 0; i < n_whole; i++) {
    uint8_t found = 0;
    for (int k = 0; k < side; k++)
      found |= (uint8_t)(FS_SIDE_OUTSIDE + mask[i * side + k]);
    sides[i] |= found;
  }
  for (int x = n_whole * side; x < n; x++)
    sides[n_whole] |= (uint8_t)(FS_SIDE_OUTSIDE + mask[x]);
}

static void
add_sides_of_row (FsEdgeCells *cells, int y)
{
  const FsEdgeWindow *w = cells->window;
  const int shift = cells->shift, x0 = cells->cells.x0 << shift,
            n = MIN (cells->cells.x1 << shift, w->photo.x1) - x0;
  const uint8_t *mask = w->mask + fs_rect_place (w->mask_area, x0, y);
  uint8_t *sides = cells->sides + fs_rect_place (cells->cells, cells->cells.x0, y >> shift);
  if (shift == 0)
    add_sides (sides, mask, n, 0);
  else if (shift == 1)
    add_sides (sides, mask, n, 1);
  else
    add_sides (sides, mask, n, shift);
}

/* Those of which all pixels in the photo are in the area, outside of which there is no mask. */
static FsRect
cells_within (const FsEdgeCells *cells, FsRect photo, FsRect area)
{
  const int shift = cells->shift, last = (1 << shift) - 1;
  return (FsRect){ (area.x0 + last) >> shift, (area.y0 + last) >> shift,
                   area.x1 == photo.x1 ? cells->all.x1 : area.x1 >> shift,
                   area.y1 == photo.y1 ? cells->all.y1 : area.y1 >> shift };
}

void
fs_edge_cells_fill (FsEdgeCells *cells, const FsEdgeWindow *window, FsRect area)
{
  cells->window = window;
  cells->cells = cells_within (cells, window->photo, area);
  const FsRect rect = cells->cells;
  const gsize n = (gsize)(rect.x1 - rect.x0) * (gsize)(rect.y1 - rect.y0);
  memset (cells->places, 0xff, n * sizeof *cells->places);
  cells->n_sums = 0;
  memset (cells->sides, 0, n);
  for (int y = rect.y0 << cells->shift; y < MIN (rect.y1 << cells->shift, window->photo.y1); y++)
    add_sides_of_row (cells, y);
}

/* ---- Sums ---- */

G_STATIC_ASSERT (FS_N_SUMS * sizeof (int32_t) == FS_SPARSE_SUMS_BYTES);

#ifdef __x86_64__
/* Words of two pixels in turn: red, green, blue, 1. The second one may be left out. */
static inline __m128i
two_pixels (const uint32_t *pixels, gboolean is_pair)
{
  const uint32_t colours = 0xffffff, one = 1u << 24;
  const __m128i zero = _mm_setzero_si128 ();
  const __m128i first = _mm_cvtsi32_si128 ((int)((pixels[0] & colours) | one)),
                second = is_pair ? _mm_cvtsi32_si128 ((int)((pixels[1] & colours) | one)) : zero;
  const __m128i words = _mm_unpacklo_epi8 (_mm_unpacklo_epi8 (first, second), zero);
  return _mm_shuffle_epi32 (words, _MM_SHUFFLE (3, 0, 1, 2));
}

static void
sum_pixels (FsSparseSum *to, const uint32_t *pixels, gsize stride, const uint8_t *mask,
            gsize mask_stride, int width, int height)
{
  const __m128i ones = _mm_set1_epi16 (1);
  __m128i sums = _mm_setzero_si128 (), inside = sums, squares = sums, products = sums;
  for (int y = 0; y < height; y++, pixels += stride, mask += mask_stride)
    for (int x = 0; x < width; x += 2) {
      const gboolean is_pair = x + 1 < width;
      const __m128i words = two_pixels (pixels + x, is_pair);
      const __m128i next = _mm_shuffle_epi32 (words, _MM_SHUFFLE (3, 0, 2, 1));
      const __m128i sides = _mm_set1_epi32 (mask[x] | (is_pair ? mask[x + 1] << 16 : 0));
      sums = _mm_add_epi32 (sums, _mm_madd_epi16 (words, ones));
      inside = _mm_add_epi32 (inside, _mm_madd_epi16 (words, sides));
      squares = _mm_add_epi32 (squares, _mm_madd_epi16 (words, words));
      products = _mm_add_epi32 (products, _mm_madd_epi16 (words, next));
    }
  _mm_storeu_si128 ((__m128i *)(gpointer)(to->narrow + FS_RED), sums);
  _mm_storeu_si128 ((__m128i *)(gpointer)(to->narrow + FS_INSIDE_RED), inside);
  _mm_storeu_si128 ((__m128i *)(gpointer)(to->narrow + FS_RR), squares);
  _mm_storeu_si128 ((__m128i *)(gpointer)(to->narrow + FS_RG), products);
}
#else
static void
sum_pixels (FsSparseSum *to, const uint32_t *pixels, gsize stride, const uint8_t *mask,
            gsize mask_stride, int width, int height)
{
  int32_t *sums = to->narrow;
  memset (to, 0, sizeof *to);
  for (int y = 0; y < height; y++, pixels += stride, mask += mask_stride)
    for (int x = 0; x < width; x++) {
      const int colours[3] = { FS_PIXEL_R (pixels[x]), FS_PIXEL_G (pixels[x]),
                               FS_PIXEL_B (pixels[x]) };
      for (int k = 0; k < 3; k++) {
        sums[FS_RED + k] += colours[k];
        sums[FS_INSIDE_RED + k] += mask[x] * colours[k];
        sums[FS_RR + k] += colours[k] * colours[k];
        sums[FS_RG + k] += colours[k] * colours[(k + 1) % 3];
      }
      sums[FS_COUNT]++;
      sums[FS_INSIDE] += mask[x];
    }
}
#endif

void
fs_edge_cells_sum (FsEdgeCells *cells, int x, int y)
{
  const FsEdgeWindow *w = cells->window;
  const int side = 1 << cells->shift, px = x * side, py = y * side;
  sum_pixels (&cells->sums[cells->n_sums],
              w->input->image->pixels + fs_edge_window_in_photo (w, px, py), (gsize)w->photo.x1,
              w->mask + fs_rect_place (w->mask_area, px, py),
              (gsize)(w->mask_area.x1 - w->mask_area.x0), MIN (side, w->photo.x1 - px),
              MIN (side, w->photo.y1 - py));
  cells->places[fs_rect_place (cells->cells, x, y)] = cells->n_sums++;
}

/* ---- Squares ---- */

/* bytes[i] becomes the or of `length` bytes from there, `stride` apart: where there are so many. */
static void
or_ahead (uint8_t *bytes, gsize n, gsize stride, int length)
{
  for (int done = 1; done < length;) {
    const int step = MIN (done, length - done);
    const gsize by = (gsize)step * stride;
    gsize i = 0;
    for (uint64_t here, ahead; i + by + sizeof here <= n; i += sizeof here) {
      memcpy (&here, bytes + i, sizeof here);
      memcpy (&ahead, bytes + i + by, sizeof ahead);
      here |= ahead;
      memcpy (bytes + i, &here, sizeof here);
    }
    for (; i + by < n; i++)
      bytes[i] |= bytes[i + by];
    done += step;
  }
}

void
fs_edge_or_squares (const uint8_t *bytes, FsRect from, FsRect to, int radius, uint8_t *result)
{
  const FsRect wide = fs_rect_widen (to, radius), both = fs_rect_intersect (wide, from);
  const gsize stride = (gsize)(wide.x1 - wide.x0), width = (gsize)(to.x1 - to.x0);
  const gsize n = stride * (gsize)(wide.y1 - wide.y0);
  memset (result, 0, n);
  for (int y = both.y0; y < both.y1; y++)
    memcpy (result + fs_rect_place (wide, both.x0, y), bytes + fs_rect_place (from, both.x0, y),
            (gsize)(both.x1 - both.x0));
  or_ahead (result, n, 1, 2 * radius + 1);
  or_ahead (result, n, stride, 2 * radius + 1);
  for (gsize y = 1; y < (gsize)(to.y1 - to.y0); y++)
    memmove (result + y * width, result + y * stride, width);
}
