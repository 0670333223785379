/* SPDX-License-Identifier: MIT */
#include "energy/terms/contrast.h"

#include "energy/image/exact_math.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Pixels at a time, so that their differences stay in the first-level cache. */
enum { CHUNK = 512 };
/* e to less than this is no capacity at all. */
static const double EXPONENT_MAX = 100;

/* As lround(), in steps that a compiler makes vectors of; the difference is exact. Bound: a weight
 * is at least 0 and is cut to FS_NLINK_MAX, which is whole and rounds to itself. */
static inline uint16_t
quantise (double weight)
{
  double w = MIN (weight, (double)FS_NLINK_MAX);
  int32_t whole = (int32_t)w;
  return (uint16_t)(whole + (w - whole >= 0.5));
}

FsContrastTable *
fs_contrast_table_new (double weight)
{
  FsContrastTable *table = g_new (FsContrastTable, 1);
  for (int d2 = 0; d2 <= FS_CONTRAST_D2_MAX; d2++) {
    double w = weight / (1.0 + d2);
    table->straight[d2] = quantise (w);
    table->diagonal[d2] = quantise (w / G_SQRT2);
  }
  return table;
}

FsContrastTable *
fs_contrast_table_new_gaussian (double weight, double beta)
{
  FsContrastTable *table = g_new0 (FsContrastTable, 1);
  for (int d2 = 0; d2 <= FS_CONTRAST_D2_MAX; d2++) {
    double w = weight * fs_exact_exp (-MIN (beta * d2, EXPONENT_MAX));
    table->straight[d2] = quantise (w);
    table->diagonal[d2] = quantise (w / G_SQRT2);
    if (table->straight[d2] == 0)
      break; /* larger differences have no link either */
  }
  return table;
}

static inline int
squared_difference (uint32_t p, uint32_t q)
{
  int r = FS_PIXEL_R (p) - FS_PIXEL_R (q);
  int g = FS_PIXEL_G (p) - FS_PIXEL_G (q);
  int b = FS_PIXEL_B (p) - FS_PIXEL_B (q);
  return r * r + g * g + b * b;
}

static void
square_differences (const uint32_t *p, const uint32_t *q, int n, int32_t *d2)
{
  int i = 0;
#ifdef __SSE2__
  const __m128i red_and_blue = _mm_set1_epi32 (0xff00ff), low = _mm_set1_epi32 (0xff);
  for (; i + 4 <= n; i += 4) {
    __m128i a = _mm_loadu_si128 ((const void *)(p + i)),
            b = _mm_loadu_si128 ((const void *)(q + i));
    __m128i rb = _mm_sub_epi16 (_mm_and_si128 (a, red_and_blue), _mm_and_si128 (b, red_and_blue));
    __m128i g = _mm_sub_epi16 (_mm_and_si128 (_mm_srli_epi32 (a, 8), low),
                               _mm_and_si128 (_mm_srli_epi32 (b, 8), low));
    _mm_storeu_si128 ((void *)(d2 + i),
                      _mm_add_epi32 (_mm_madd_epi16 (rb, rb), _mm_madd_epi16 (g, g)));
  }
#endif
  for (; i < n; i++)
    d2[i] = squared_difference (p[i], q[i]);
}

/* The links of n pixels at `row` with those at `other`. */
static void
fill_links (const uint16_t *weights, const uint32_t *row, const uint32_t *other, int n,
            uint16_t *out)
{
  int32_t d2[CHUNK];
  for (int first = 0; first < n; first += CHUNK) {
    int n_here = MIN (n - first, CHUNK);
    square_differences (row + first, other + first, n_here, d2);
    for (int i = 0; i < n_here; i++)
      out[first + i] = weights[d2[i]];
  }
}

static void
fill_direction (const FsContrastTable *table, const FsImage *image, FsDirection d, int y,
                uint16_t *out)
{
  int w = image->width;
  int dx = fs_direction_dx (d), dy = fs_direction_dy (d);
  if (y + dy >= image->height) {
    memset (out, 0, (size_t)w * sizeof *out);
    return;
  }

  const uint16_t *weights = dx != 0 && dy != 0 ? table->diagonal : table->straight;
  const uint32_t *row = image->pixels + (size_t)y * w;
  const uint32_t *other = row + (size_t)dy * w;
  int x0 = MAX (0, -dx), x1 = w - MAX (0, dx); /* of those that have a neighbour */
  out[0] = out[w - 1] = 0;
  fill_links (weights, row + x0, other + x0 + dx, x1 - x0, out + x0);
}

static uint64_t
sum_row (const FsImage *image, FsDirection d, int y)
{
  int dx = fs_direction_dx (d), dy = fs_direction_dy (d), n = image->width - ABS (dx);
  const uint32_t *row = image->pixels + (size_t)y * image->width + MAX (0, -dx);
  const uint32_t *other = row + (size_t)dy * image->width + dx;
  int32_t d2[CHUNK];
  uint64_t sum = 0;
  for (int first = 0; first < n; first += CHUNK) {
    int n_here = MIN (n - first, CHUNK);
    square_differences (row + first, other + first, n_here, d2);
    for (int i = 0; i < n_here; i++)
      sum += (uint64_t)d2[i];
  }
  return sum;
}

double
fs_contrast_mean (const FsImage *image, int n_directions)
{
  gint64 n_pixels = (gint64)image->width * image->height;
  int step = (int)MAX (1, n_pixels / FS_CONTRAST_SAMPLES);
  uint64_t sum = 0, n = 0;
  for (int y = 0; y < image->height; y += step)
    for (int d = 0; d < n_directions; d++) {
      if (y + fs_direction_dy ((FsDirection)d) >= image->height)
        continue;
      sum += sum_row (image, (FsDirection)d, y);
      n += (uint64_t)(image->width - ABS (fs_direction_dx ((FsDirection)d)));
    }
  return n > 0 ? MAX (1.0 / 3, (double)sum / (double)n) : 1.0 / 3;
}

gboolean
fs_contrast_fill (const FsContrastTable *table, const FsImage *image, int n_directions,
                  uint16_t *nlink[FS_N_DIRECTIONS], const FsProgress *progress, GError **error)
{
  for (int y = 0; y < image->height; y++) {
    if (fs_progress_is_cancelled (progress)) {
      g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "cancelled");
      return FALSE;
    }
    for (int d = 0; d < n_directions; d++)
      fill_direction (table, image, d, y, nlink[d] + (size_t)y * image->width);
  }
  return TRUE;
}

void
fs_contrast_set_tables (FsContrastTable *table, FsPhotoTerms *terms)
{
  terms->tables = (FsNlinkTables){ .scale = FS_SCALE_PLAIN,
                                   .n_entries = FS_CONTRAST_D2_MAX + 1,
                                   .straight = table->straight,
                                   .diagonal = table->diagonal,
                                   .tables = table };
}

gboolean
fs_contrast_fill_terms (FsContrastTable *table, FsPhotoTerms *terms, const FsProgress *progress,
                        GError **error)
{
  fs_contrast_set_tables (table, terms);
  return fs_contrast_fill (table, terms->image, fs_photo_terms_n_directions (terms), terms->nlink,
                           progress, error);
}
