/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench_instance.h"

#include "app/photo/photo.h"
#include "tests/bench/bench_labels.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

void
bench_fail (const char *message)
{
  g_printerr ("bench: %s\n", message);
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

BenchInstance *
bench_instance_new (const char *photo_path, const char *seeds_path, double megapixels)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (photo_path, NULL, NULL, &error);
  if (photo == NULL)
    bench_fail (error->message);
  g_autoptr (BenchLabels) labels = bench_labels_read (seeds_path, BENCH_LABELS_FIRST);
  int width = photo->image->width, height = photo->image->height;
  BenchInstance *instance = g_new0 (BenchInstance, 1);
  instance->name = g_path_get_basename (photo_path);
  instance->scale = megapixels > 0 ? sqrt (megapixels * 1e6 / width / height) : 1;
  instance->image = resized (photo->image, (int)round (width * instance->scale),
                             (int)round (height * instance->scale));
  width = instance->image->width;
  height = instance->image->height;
  g_autofree uint8_t *plane = bench_labels_stretch (labels, width, height);
  instance->seeds = fs_seed_map_new (width, height);
  fs_seed_map_set (instance->seeds, plane);
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

FsGrid *
bench_instance_fit (BenchInstance *instance, FsNeighbours neighbours)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.neighbours = neighbours;
  settings.model = FS_MODEL_KMEANS;
  return bench_instance_fit_settings (instance, &settings);
}

FsGrid *
bench_instance_fit_settings (BenchInstance *instance, const FsSettings *settings)
{
  g_autoptr (GError) error = NULL;
  instance->energy = fs_energy_new (instance->image, settings, NULL, &error);
  if (instance->energy == NULL)
    bench_fail (error->message);
  FsGrid *grid = fs_energy_get_grid (instance->energy);
  fs_energy_fit (instance->energy, instance->seeds);
  fs_energy_fill_tlinks (instance->energy, instance->seeds, grid->tlink);
  return grid;
}

double
bench_instance_megapixels (const BenchInstance *instance)
{
  return (double)instance->image->width * instance->image->height * 1e-6;
}

static double
now_ms (clockid_t clock)
{
  struct timespec now;
  clock_gettime (clock, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double
bench_cpu_ms (void)
{
  return now_ms (CLOCK_THREAD_CPUTIME_ID);
}

double
bench_process_ms (void)
{
  return now_ms (CLOCK_PROCESS_CPUTIME_ID);
}

double
bench_wall_ms (void)
{
  return now_ms (CLOCK_MONOTONIC);
}
