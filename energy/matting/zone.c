/* SPDX-License-Identifier: MIT */
#include "energy/matting/zone.h"

#include "energy/image/row_threads.h"
#include "energy/matting/trimap.h"
#include "solver/system/checked_memory.h"

/* Pixels of a block, at least where there are so many. */
enum { BLOCK_PIXELS = 2048 };

/* ---- Memory ---- */

gboolean
fs_zone_init (FsZone *zone, const FsImage *image, const uint8_t *trimap, FsRect area,
              const FsProgress *progress)
{
  const int width = area.x1 - area.x0, height = area.y1 - area.y0;
  *zone = (FsZone){ .image = image,
                    .area = area,
                    .width = width,
                    .height = height,
                    .stride = width + 2 * FS_ZONE_MARGIN,
                    .progress = progress };
  zone->label = fs_memory_new ((size_t)width * (size_t)height, 1);
  if (zone->label == NULL)
    return FALSE;
  for (int y = 0; y < height; y++) {
    const uint8_t *from = trimap + (size_t)(area.y0 + y) * (size_t)image->width + (size_t)area.x0;
    uint8_t *to = zone->label + fs_zone_pixel (zone, 0, y);
    for (int x = 0; x < width; x++) {
      const gboolean is_known = from[x] == FS_TRIMAP_BACKGROUND || from[x] == FS_TRIMAP_OBJECT;
      to[x] = is_known ? from[x] : FS_TRIMAP_UNKNOWN;
    }
  }
  return TRUE;
}

void
fs_zone_clear (FsZone *zone)
{
  fs_memory_free (zone->label);
  fs_memory_free (zone->run);
  fs_memory_free (zone->block);
  *zone = (FsZone){ 0 };
}

/* ---- Runs ---- */

/* The next run of unknown pixels in row y from `*x` on, which moves behind it. */
static gboolean
find_run (const FsZone *zone, int y, int *x, FsZoneRun *run)
{
  const uint8_t *row = zone->label + fs_zone_pixel (zone, 0, y);
  while (*x < zone->width && row[*x] != FS_TRIMAP_UNKNOWN)
    ++*x;
  *run = (FsZoneRun){ .x = *x, .y = y };
  while (*x < zone->width && run->n < FS_ZONE_RUN_MAX && row[*x] == FS_TRIMAP_UNKNOWN) {
    run->n++;
    ++*x;
  }
  return run->n > 0;
}

/* Counts runs and pixels; stores them where there is room for them. */
static void
collect_runs (FsZone *zone)
{
  zone->n_runs = zone->n_unknown = 0;
  for (int y = 0; y < zone->height; y++) {
    FsZoneRun run;
    for (int x = 0; find_run (zone, y, &x, &run);) {
      run.first = zone->n_unknown;
      if (zone->run != NULL)
        zone->run[zone->n_runs] = run;
      zone->n_runs++;
      zone->n_unknown += (uint32_t)run.n;
    }
  }
}

static void
divide_into_blocks (FsZone *zone)
{
  uint32_t begin = 0;
  zone->n_blocks = 0;
  for (uint32_t i = 0; i < zone->n_runs; i++)
    if (i == 0 || zone->run[i].first - begin >= BLOCK_PIXELS) {
      zone->block[zone->n_blocks++] = i;
      begin = zone->run[i].first;
    }
  zone->block[zone->n_blocks] = zone->n_runs;
}

gboolean
fs_zone_number_pixels (FsZone *zone)
{
  collect_runs (zone);
  zone->run = fs_memory_new (zone->n_runs + 1, sizeof *zone->run);
  zone->block = fs_memory_new (zone->n_unknown / BLOCK_PIXELS + 2, sizeof *zone->block);
  if (zone->run == NULL || zone->block == NULL)
    return FALSE;
  collect_runs (zone);
  divide_into_blocks (zone);
  return TRUE;
}

/* ---- Loops ---- */

typedef struct {
  const FsZone *zone;
  FsZoneFunc func;
  FsZoneBlockFunc block_func;
  gpointer data;
} Loop;

static void
run_blocks (int b0, int b1, gpointer data)
{
  const Loop *loop = data;
  for (int b = b0; b < b1; b++)
    loop->block_func (loop->zone, (uint32_t)b, loop->data);
}

void
fs_zone_run_blocks (const FsZone *zone, int ns, FsZoneBlockFunc func, gpointer data)
{
  Loop loop = { .zone = zone, .block_func = func, .data = data };
  fs_row_threads_run ((int)zone->n_blocks, BLOCK_PIXELS * ns, run_blocks, &loop);
}

static void
run_runs (const FsZone *zone, uint32_t block, gpointer data)
{
  const Loop *loop = data;
  for (uint32_t i = zone->block[block]; i < zone->block[block + 1]; i++) {
    if (fs_progress_is_cancelled (zone->progress))
      return;
    loop->func (zone, &zone->run[i], loop->data);
  }
}

void
fs_zone_run_each (const FsZone *zone, int ns, FsZoneFunc func, gpointer data)
{
  Loop loop = { .zone = zone, .func = func, .data = data };
  fs_zone_run_blocks (zone, ns, run_runs, &loop);
}

gboolean
fs_zone_report (const FsZone *zone, double fraction)
{
  const FsProgress *progress = zone->progress;
  if (progress != NULL && progress->report != NULL)
    progress->report (fraction, progress->user_data);
  return !fs_progress_is_cancelled (progress);
}
