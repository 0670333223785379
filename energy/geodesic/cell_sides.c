/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/cell_sides.h"

#include "energy/image/row_threads.h"

#include <string.h>

typedef struct {
  const FsGeodesicLevel *level;
  const uint8_t *mask;
  uint8_t *side;
} Job;

static uint8_t
side_of_cell (const Job *job, int x, int y)
{
  const FsGeodesicLevel *level = job->level;
  int shift = level->shift;
  int x0 = x << shift, x1 = MIN ((x + 1) << shift, level->photo_width);
  int y0 = y << shift, y1 = MIN ((y + 1) << shift, level->photo_height);
  uint8_t any = 0, all = 1;
  for (int j = y0; j < y1; j++) {
    const uint8_t *row = job->mask + (size_t)j * (size_t)level->photo_width;
    for (int i = x0; i < x1; i++) {
      any |= row[i];
      all &= row[i];
    }
  }
  return any != all ? FS_CELL_MIXED : all ? FS_CELL_ALL_OBJECT : FS_CELL_ALL_BACKGROUND;
}

/* The OR and the AND of 8 adjacent pixels of the mask over some rows. */
typedef struct {
  uint64_t any, all;
} Eight;

static inline Eight
read_eight (const uint8_t *mask, size_t stride, int n_rows)
{
  Eight eight = { 0, UINT64_MAX };
  for (int j = 0; j < n_rows; j++) {
    uint64_t row;
    memcpy (&row, mask + (size_t)j * stride, sizeof row);
    eight.any |= GUINT64_FROM_LE (row);
    eight.all &= GUINT64_FROM_LE (row);
  }
  return eight;
}

/* The sides of the cells of 2, 4 or 8 pixels within 8 adjacent pixels. */
static inline void
sides_of_eight (Eight eight, int shift, uint8_t *side)
{
  const uint64_t ones = UINT64_C (0x0101010101010101);
  const uint64_t bits = UINT64_MAX >> (64 - (8 << shift));
  for (int first = 0; first < 8; first += 1 << shift, side++) {
    uint64_t any = eight.any >> (8 * first) & bits, all = eight.all >> (8 * first) & bits;
    *side = any == 0               ? FS_CELL_ALL_BACKGROUND
            : all == (ones & bits) ? FS_CELL_ALL_OBJECT
                                   : FS_CELL_MIXED;
  }
}

/* Eight pixels at once where cells divide them and the photo has them all. */
static void
find_sides_of_row (const Job *job, int y)
{
  const FsGeodesicLevel *level = job->level;
  int shift = level->shift, x = 0;
  uint8_t *side = job->side + (size_t)y * (size_t)level->width;
  size_t stride = (size_t)level->photo_width;
  int y0 = y << shift, n_rows = MIN (1 << shift, level->photo_height - y0);
  if (shift == 0) {
    memcpy (side, job->mask + (size_t)y * stride, stride);
    return;
  }
  if (shift <= 3)
    for (; (x << shift) + 8 <= level->photo_width; x += 8 >> shift)
      sides_of_eight (read_eight (job->mask + (size_t)y0 * stride + (size_t)(x << shift), stride,
                                  n_rows),
                      shift, side + x);
  for (; x < level->width; x++)
    side[x] = side_of_cell (job, x, y);
}

static void
find_sides (int y0, int y1, gpointer data)
{
  for (int y = y0; y < y1; y++)
    find_sides_of_row (data, y);
}

void
fs_cell_sides_find (const FsGeodesicLevel *level, const uint8_t *mask, uint8_t *side)
{
  Job job = { level, mask, side };
  fs_row_threads_run (level->height, level->width << level->shift << level->shift, find_sides,
                      &job);
}
