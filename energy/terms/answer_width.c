/* SPDX-License-Identifier: MIT */
#include "energy/terms/answer_width.h"

#include "energy/image/distance.h"
#include "energy/image/pixel_bits.h"

#include <string.h>

enum { SLACK_DIVISOR = 256 /* of the diagonal */ };

/* The cells round an answer, row by row, and one more on every side that none of it is in. */
typedef struct {
  const FsGeodesicLevel *level;
  int left, top; /* of the first one, which may be beyond the photo */
  int width, height;
  size_t n;
  uint8_t *is_set;  /* scratch                                                */
  int64_t *radius2; /* of the disc within the answer, squared; 0 outside of it */
} Cells;

static void
cells_clear (Cells *cells)
{
  g_free (cells->is_set);
  g_free (cells->radius2);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cells, cells_clear)

static size_t
count_words (const FsGeodesicLevel *level)
{
  return ((size_t)level->photo_width * (size_t)level->photo_height + 63) / 64;
}

static inline int
column_of (const FsGeodesicLevel *level, size_t pixel)
{
  return (int)(pixel % (size_t)level->photo_width) >> level->shift;
}

static inline int
row_of (const FsGeodesicLevel *level, size_t pixel)
{
  return (int)(pixel / (size_t)level->photo_width) >> level->shift;
}

/* The index of a pixel's cell, which must lie in the answer's bounds. */
static inline size_t
cell_of (const Cells *cells, size_t pixel)
{
  return (size_t)(row_of (cells->level, pixel) - cells->top) * (size_t)cells->width
         + (size_t)(column_of (cells->level, pixel) - cells->left);
}

static gboolean
has_cell_of (const Cells *cells, size_t pixel)
{
  int x = column_of (cells->level, pixel) - cells->left;
  int y = row_of (cells->level, pixel) - cells->top;
  return x >= 0 && x < cells->width && y >= 0 && y < cells->height;
}

/* The answer is not empty. FALSE where memory is short. */
static gboolean
cells_init (Cells *cells, const FsGeodesicLevel *level, const uint64_t *answer)
{
  int left = G_MAXINT, right = 0, top = G_MAXINT, bottom = 0;
  for (size_t word = 0; word < count_words (level); word++)
    for (uint64_t bits = answer[word]; bits != 0; bits &= bits - 1) {
      size_t pixel = word * 64 + (size_t)__builtin_ctzll (bits);
      int x = column_of (level, pixel), y = row_of (level, pixel);
      left = MIN (left, x);
      right = MAX (right, x);
      top = MIN (top, y);
      bottom = y;
    }
  *cells = (Cells){ .level = level,
                    .left = left - 1,
                    .top = top - 1,
                    .width = right - left + 3,
                    .height = bottom - top + 3 };
  cells->n = (size_t)cells->width * (size_t)cells->height;
  cells->is_set = g_try_malloc (cells->n);
  return cells->is_set != NULL;
}

/* The pixels in a cell of the photo. */
static uint32_t
cell_size (const FsGeodesicLevel *level, int x, int y)
{
  int side = 1 << level->shift;
  return (uint32_t)(MIN (side, level->photo_width - (x << level->shift))
                    * MIN (side, level->photo_height - (y << level->shift)));
}

/* Only cells that are the answer's as a whole count. */
static gboolean
measure_radii (Cells *cells, const uint64_t *answer)
{
  const FsGeodesicLevel *level = cells->level;
  g_autofree uint32_t *count = g_try_new0 (uint32_t, cells->n);
  if (!count)
    return FALSE;
  for (size_t word = 0; word < count_words (level); word++)
    for (uint64_t bits = answer[word]; bits != 0; bits &= bits - 1)
      count[cell_of (cells, word * 64 + (size_t)__builtin_ctzll (bits))]++;
  size_t i = 0;
  for (int y = cells->top; y < cells->top + cells->height; y++)
    for (int x = cells->left; x < cells->left + cells->width; x++, i++)
      cells->is_set[i] = count[i] == 0 || count[i] < cell_size (level, x, y);
  cells->radius2 = fs_distance2 (cells->is_set, cells->width, cells->height);
  return TRUE;
}

static gboolean
has_any_of (const uint64_t *answer, const uint32_t *painted, size_t n)
{
  gboolean any = FALSE;
  for (size_t k = 0; k < n && !any; k++)
    any = fs_pixel_bits_has (answer, painted[k]);
  return any;
}

/* Sets is_set in the cells of discs that are too wide, except near the stroke. Returns whether
 * there are any. */
static gboolean
find_wide (Cells *cells, const uint32_t *painted, size_t n, double radius)
{
  gboolean any = FALSE;
  for (size_t i = 0; i < cells->n; i++)
    any |= cells->is_set[i] = (double)cells->radius2[i] > radius * radius;
  if (!any)
    return FALSE;
  g_autofree int64_t *from_middle2 = fs_distance2 (cells->is_set, cells->width, cells->height);
  memset (cells->is_set, 0, cells->n);
  for (size_t k = 0; k < n; k++)
    if (has_cell_of (cells, painted[k]))
      cells->is_set[cell_of (cells, painted[k])] = 1;
  g_autofree int64_t *from_stroke2 = fs_distance2 (cells->is_set, cells->width, cells->height);
  double outer = radius + 1.5; /* with the cells that are the answer's in part */
  for (size_t i = 0; i < cells->n; i++)
    cells->is_set[i] =
        (double)from_middle2[i] <= outer * outer && (double)from_stroke2[i] > radius * radius;
  return TRUE;
}

gboolean
fs_answer_width_bound (const FsGeodesicLevel *level, const uint32_t *painted, size_t n,
                       int32_t depth, uint64_t *answer, uint64_t *wide)
{
  g_auto (Cells) cells = { 0 };
  if (!has_any_of (answer, painted, n))
    return TRUE;
  if (!cells_init (&cells, level, answer) || !measure_radii (&cells, answer))
    return FALSE;
  int32_t slack = MAX (FS_GEODESIC_UNIT / 2, level->diagonal / SLACK_DIVISOR);
  double radius = (double)(MAX (FS_GEODESIC_UNIT, depth) + slack) / FS_GEODESIC_UNIT;
  if (!find_wide (&cells, painted, n, radius))
    return TRUE;
  for (size_t word = 0; word < count_words (level); word++)
    for (uint64_t bits = answer[word]; bits != 0; bits &= bits - 1)
      if (cells.is_set[cell_of (&cells, word * 64 + (size_t)__builtin_ctzll (bits))]) {
        answer[word] ^= bits & -bits;
        wide[word] |= bits & -bits;
      }
  return TRUE;
}
