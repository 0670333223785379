/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench_instance.h"

#include "app/photo.h"
#include "solver/solver.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static void
fail (const GError *error)
{
  g_printerr ("bench: %s\n", error->message);
  exit (1);
}

/* The mean of the source pixels that a target pixel covers; at least the nearest one. */
static uint32_t
area_mean (const FsImage *image, int x0, int y0, int x1, int y1)
{
  uint64_t sum[3] = { 0 };
  uint64_t n = 0;
  for (int y = y0; y < MAX (y1, y0 + 1); y++)
    for (int x = x0; x < MAX (x1, x0 + 1); x++, n++) {
      uint32_t pixel = image->pixels[(size_t)y * image->width + x];
      sum[0] += FS_PIXEL_R (pixel);
      sum[1] += FS_PIXEL_G (pixel);
      sum[2] += FS_PIXEL_B (pixel);
    }
  return FS_PIXEL (255, sum[0] / n, sum[1] / n, sum[2] / n);
}

static uint32_t
blend (const FsImage *image, double x, double y)
{
  int x0 = CLAMP ((int)floor (x), 0, image->width - 1);
  int y0 = CLAMP ((int)floor (y), 0, image->height - 1);
  int x1 = MIN (x0 + 1, image->width - 1);
  int y1 = MIN (y0 + 1, image->height - 1);
  double fx = CLAMP (x - x0, 0, 1);
  double fy = CLAMP (y - y0, 0, 1);
  uint32_t p[4] = { image->pixels[(size_t)y0 * image->width + x0],
                    image->pixels[(size_t)y0 * image->width + x1],
                    image->pixels[(size_t)y1 * image->width + x0],
                    image->pixels[(size_t)y1 * image->width + x1] };
  double weight[4] = { (1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy };
  double sum[3] = { 0.5, 0.5, 0.5 };
  for (int i = 0; i < 4; i++) {
    sum[0] += weight[i] * FS_PIXEL_R (p[i]);
    sum[1] += weight[i] * FS_PIXEL_G (p[i]);
    sum[2] += weight[i] * FS_PIXEL_B (p[i]);
  }
  return FS_PIXEL (255, (uint32_t)sum[0], (uint32_t)sum[1], (uint32_t)sum[2]);
}

static FsImage *
resized (const FsImage *image, int width, int height)
{
  FsImage *out = fs_image_new (width, height);
  double sx = (double)image->width / width;
  double sy = (double)image->height / height;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      out->pixels[(size_t)y * width + x] =
          sx < 1 ? blend (image, (x + 0.5) * sx - 0.5, (y + 0.5) * sy - 0.5)
                 : area_mean (image, (int)(x * sx), (int)(y * sy), (int)((x + 1) * sx),
                              (int)((y + 1) * sy));
  return out;
}

static FsSeedMap *
resized_seeds (const uint8_t *labels, int from_width, int from_height, int width, int height)
{
  FsSeedMap *map = fs_seed_map_new (width, height);
  g_autofree uint8_t *out = g_malloc ((size_t)width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int from_x = (int)((int64_t)x * from_width / width);
      int from_y = (int)((int64_t)y * from_height / height);
      out[(size_t)y * width + x] = labels[(size_t)from_y * from_width + from_x];
    }
  fs_seed_map_set (map, out);
  return map;
}

/* Seeds may be smaller than the photo: they are stretched over it. */
static void
read_seeds_size (const char *path, int *width, int *height)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) seeds = fs_photo_load (path, NULL, NULL, &error);
  if (seeds == NULL)
    fail (error);
  *width = seeds->image->width;
  *height = seeds->image->height;
}

BenchInstance *
bench_instance_new (const char *photo_path, const char *seeds_path, double megapixels,
                    FsNeighbours neighbours)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (photo_path, NULL, NULL, &error);
  if (photo == NULL)
    fail (error);
  int seeds_width, seeds_height;
  read_seeds_size (seeds_path, &seeds_width, &seeds_height);
  g_autofree uint8_t *labels = fs_seeds_load (seeds_path, seeds_width, seeds_height, NULL, &error);
  if (labels == NULL)
    fail (error);
  BenchInstance *instance = g_new0 (BenchInstance, 1);
  instance->name = g_path_get_basename (photo_path);
  double n = (double)photo->image->width * photo->image->height;
  double scale = megapixels > 0 ? sqrt (megapixels * 1e6 / n) : 1;
  instance->image = resized (photo->image, (int)round (photo->image->width * scale),
                             (int)round (photo->image->height * scale));
  instance->seeds = resized_seeds (labels, seeds_width, seeds_height, instance->image->width,
                                   instance->image->height);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.neighbours = neighbours;
  instance->energy = fs_energy_new (instance->image, &settings, NULL, &error);
  if (instance->energy == NULL)
    fail (error);
  fs_energy_fit (instance->energy, instance->seeds);
  fs_energy_fill_tlinks (instance->energy, instance->seeds,
                         fs_energy_get_grid (instance->energy)->tlink);
  return instance;
}

void
bench_instance_free (BenchInstance *instance)
{
  fs_energy_free (instance->energy);
  fs_seed_map_free (instance->seeds);
  fs_image_unref (instance->image);
  g_free (instance->name);
  g_free (instance);
}

/* The first pixel after `from`, row by row, that lies beside the other side of the mask. */
static size_t
next_on_border (const uint8_t *mask, size_t n, size_t from)
{
  for (size_t i = 0; i + 1 < n; i++) {
    size_t p = (from + i) % (n - 1);
    if (mask[p] != mask[p + 1])
      return p;
  }
  return from;
}

GArray *
bench_instance_stroke (BenchInstance *instance, int i, const uint8_t *mask)
{
  int width = instance->image->width;
  int height = instance->image->height;
  double diagonal = hypot (width, height);
  size_t n = fs_grid_n_pixels (fs_energy_get_grid (instance->energy));
  /* Steps of the golden ratio spread the strokes over the photo. */
  size_t start = (size_t)(fmod (0.37 + i * 0.6180339887, 1) * (double)(n - 1));
  if (i % 2 == 1)
    start = next_on_border (mask, n, start);
  double x = (double)(start % width);
  double y = (double)(start / width);
  FsCapsule capsule = { x, y, x + 0.02 * diagonal * cos (i), y + 0.02 * diagonal * sin (i),
                        0.004 * diagonal };
  uint8_t label = mask[start] ? FS_SEED_OBJECT : FS_SEED_BACKGROUND;
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  fs_seed_map_paint (instance->seeds, &capsule, label, NULL, pixels);
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  for (guint j = 0; j < pixels->len; j++) {
    uint32_t pixel = g_array_index (pixels, uint32_t, j);
    FsTlinkChange change = { pixel, fs_energy_tlink (instance->energy, pixel, label) };
    g_array_append_val (changes, change);
  }
  return changes;
}

int32_t *
bench_instance_refit (BenchInstance *instance)
{
  int32_t *tlinks = g_new (int32_t, fs_grid_n_pixels (fs_energy_get_grid (instance->energy)));
  fs_energy_fit (instance->energy, instance->seeds);
  fs_energy_fill_tlinks (instance->energy, instance->seeds, tlinks);
  return tlinks;
}

static clockid_t bench_clock = CLOCK_THREAD_CPUTIME_ID;

void
bench_set_wall_clock (gboolean wall)
{
  bench_clock = wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
}

double
bench_now_ms (void)
{
  struct timespec now;
  clock_gettime (bench_clock, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}
