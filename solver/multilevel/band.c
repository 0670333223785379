/* SPDX-License-Identifier: MIT */
#include "solver/multilevel/band.h"

#include "solver/multilevel/pyramid.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* The coarse rows are met in order; a column needs to remember only the last row where it was
 * marked, because the window of rows that reach a fine row moves downwards. */
typedef struct {
  const uint8_t *mask;
  const uint8_t *blocks;
  int width; /* coarse */
  int height;
  int dilation;
  int32_t *last_row; /* [width]: the last row that marked the column to be dilated, or NEVER */
  uint8_t *strong;   /* [width]: marks of one coarse row, to be dilated */
  uint8_t *weak;     /* [width]: marks that are not dilated             */
  uint8_t *inside;   /* [fine width]: 1 where the band is               */
  int next_row;
  int last_marked;
} Projection;

#define NEVER (-1)

void
fs_band_init (FsBand *band)
{
  *band = (FsBand){ 0 };
}

void
fs_band_clear (FsBand *band)
{
  fs_memory_free (band->runs);
  fs_memory_free (band->row_start);
  fs_memory_free (band->scratch);
  fs_band_init (band);
}

size_t
fs_band_size_bytes (const FsBand *band)
{
  return band->runs_capacity * sizeof *band->runs + band->rows_capacity * sizeof *band->row_start
         + band->scratch_bytes;
}

/* --- marks of a coarse row --- */

/* 1 where a pixel of the row differs from a neighbour in `other`, the row itself or one beside it.
 */
static void
mark_different (const uint8_t *restrict row, const uint8_t *restrict other, int n,
                uint8_t *restrict marks)
{
  for (int x = 0; x < n; x++)
    marks[x] |= row[x] ^ other[x];
  for (int x = 0; x + 1 < n; x++)
    marks[x] |= row[x] ^ other[x + 1];
  for (int x = 1; x < n; x++)
    marks[x] |= row[x] ^ other[x - 1];
}

static void
mark_contradicted (const uint8_t *restrict row, const uint8_t *restrict bits, int n, int first_bit,
                   uint8_t *restrict marks)
{
  for (int x = 0; x < n; x++) {
    uint8_t wanted = bits[x] >> first_bit;
    marks[x] |= (row[x] ? wanted >> 1 : wanted) & 1;
  }
}

static void
enter_row (Projection *projection, int y)
{
  int n = projection->width;
  const uint8_t *row = projection->mask + (size_t)y * n;
  uint8_t *marks = projection->strong;
  memset (marks, 0, n);
  mark_different (row, y > 0 ? row - n : row, n, marks);
  mark_different (row, y + 1 < projection->height ? row + n : row, n, marks);
  /* Neighbours in the row itself. */
  for (int x = 0; x + 1 < n; x++)
    marks[x] |= row[x] ^ row[x + 1];
  for (int x = 1; x < n; x++)
    marks[x] |= row[x] ^ row[x - 1];
  mark_contradicted (row, projection->blocks + (size_t)y * n, n, 0, marks);
  if (memchr (marks, 1, n) == NULL)
    return;
  projection->last_marked = y;
  for (int x = 0; x < n; x++)
    projection->last_row[x] = marks[x] ? y : projection->last_row[x];
}

/* --- a fine row --- */

static void
include (Projection *projection, int width, int64_t from, int64_t to)
{
  from = MAX (from, 0);
  to = MIN (to, width);
  memset (projection->inside + from, 1, (size_t)(to - from));
}

/* Draws the runs of marked blocks, dilated, into the row. */
static void
include_blocks (Projection *projection, int width, const uint8_t *marks, int dilation)
{
  int n = projection->width;
  const uint8_t *end = marks + n;
  for (const uint8_t *from = memchr (marks, 1, n); from != NULL;) {
    const uint8_t *to = memchr (from, 0, (size_t)(end - from));
    to = to != NULL ? to : end;
    include (projection, width, 2 * (int64_t)(from - marks) - dilation,
             2 * (int64_t)(to - marks) + dilation);
    from = to < end ? memchr (to, 1, (size_t)(end - to)) : NULL;
  }
}

/* Sets `inside` for fine row y; FALSE when the row has no pixel of the band. */
static gboolean
project_row (Projection *projection, int width, int y)
{
  int d = projection->dilation;
  int first = y > d ? (y - d) / 2 : 0;
  int last = (int)MIN (((int64_t)y + d) / 2, projection->height - 1);
  for (; projection->next_row <= last; projection->next_row++)
    enter_row (projection, projection->next_row);

  int n = projection->width;
  const uint8_t *row = projection->mask + (size_t)(y / 2) * n;
  memset (projection->weak, 0, n);
  mark_contradicted (row, projection->blocks + (size_t)(y / 2) * n, n, 2, projection->weak);
  gboolean any_weak = memchr (projection->weak, 1, n) != NULL;
  gboolean any_strong = projection->last_marked >= first;
  if (!any_weak && !any_strong)
    return FALSE;
  memset (projection->inside, 0, width);
  if (any_weak)
    include_blocks (projection, width, projection->weak, 0);
  if (any_strong) {
    for (int x = 0; x < n; x++)
      projection->strong[x] = projection->last_row[x] >= first;
    include_blocks (projection, width, projection->strong, d);
  }
  return TRUE;
}

/* --- runs --- */

static gboolean
add_run (FsBand *band, int x0, int x1)
{
  if (band->n_runs == band->runs_capacity) {
    size_t capacity = MAX (2 * band->runs_capacity, 1024);
    FsBandRun *runs = fs_memory_new (capacity, sizeof *runs);
    if (runs == NULL)
      return FALSE;
    if (band->n_runs > 0)
      memcpy (runs, band->runs, band->n_runs * sizeof *runs);
    fs_memory_free (band->runs);
    band->runs = runs;
    band->runs_capacity = capacity;
  }
  band->runs[band->n_runs++] = (FsBandRun){ x0, x1 };
  band->n_pixels += (size_t)(x1 - x0);
  return TRUE;
}

static gboolean
add_runs (FsBand *band, const uint8_t *inside)
{
  const uint8_t *end = inside + band->width;
  for (const uint8_t *from = memchr (inside, 1, band->width); from != NULL;) {
    const uint8_t *to = memchr (from, 0, (size_t)(end - from));
    to = to != NULL ? to : end;
    if (!add_run (band, (int)(from - inside), (int)(to - inside)))
      return FALSE;
    from = to < end ? memchr (to, 1, (size_t)(end - to)) : NULL;
  }
  return TRUE;
}

static gboolean
reserve_rows (FsBand *band, int width, int height)
{
  size_t n_coarse = (size_t)fs_half (width);
  size_t bytes = n_coarse * (sizeof (int32_t) + 2) + (size_t)width;
  if (bytes > band->scratch_bytes) {
    fs_memory_free (band->scratch);
    band->scratch = fs_memory_new (bytes, 1);
    band->scratch_bytes = band->scratch != NULL ? bytes : 0;
  }
  if ((size_t)height + 1 > band->rows_capacity) {
    fs_memory_free (band->row_start);
    band->row_start = fs_memory_new ((size_t)height + 1, sizeof *band->row_start);
    band->rows_capacity = band->row_start != NULL ? (size_t)height + 1 : 0;
  }
  band->width = width;
  band->height = height;
  band->n_pixels = band->n_runs = 0;
  return band->scratch != NULL && band->row_start != NULL;
}

gboolean
fs_band_project (FsBand *band, int width, int height, const uint8_t *mask, const uint8_t *blocks,
                 int dilation_px)
{
  g_return_val_if_fail (band != NULL && width > 0 && height > 0 && dilation_px >= 0, FALSE);
  g_return_val_if_fail (mask != NULL && blocks != NULL, FALSE);
  if (!reserve_rows (band, width, height))
    return FALSE;
  int n = fs_half (width);
  Projection projection = { .mask = mask,
                            .blocks = blocks,
                            .width = n,
                            .height = fs_half (height),
                            .dilation = dilation_px,
                            .last_row = band->scratch,
                            .last_marked = NEVER };
  projection.strong = (uint8_t *)(projection.last_row + n);
  projection.weak = projection.strong + n;
  projection.inside = projection.weak + n;
  for (int x = 0; x < n; x++)
    projection.last_row[x] = NEVER;
  for (int y = 0; y < height; y++) {
    band->row_start[y] = (uint32_t)band->n_runs;
    if (project_row (&projection, width, y) && !add_runs (band, projection.inside))
      return FALSE;
  }
  band->row_start[height] = (uint32_t)band->n_runs;
  return TRUE;
}
