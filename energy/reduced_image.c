/* SPDX-License-Identifier: MIT */
#include "energy/reduced_image.h"

#include "energy/row_threads.h"

#include <string.h>

typedef struct {
  const FsImage *from;
  FsImage *to;
  int shift;
} Job;

/* Sums of columns within a block: red and blue share a word, each with 16 bits to itself, which is
 * room for 2^8 pixels. */
typedef struct {
  uint32_t *red_blue, *green; /* [width] */
} Sums;

static void
add_row (const uint32_t *restrict pixels, int width, uint32_t *restrict red_blue,
         uint32_t *restrict green)
{
  for (int x = 0; x < width; x++) {
    red_blue[x] += pixels[x] & 0x00ff00ff;
    green[x] += pixels[x] >> 8 & 0xff;
  }
}

static uint8_t
mean (uint32_t sum, uint32_t n)
{
  return (uint8_t)((sum + n / 2) / n);
}

static void
write_row (const Job *job, int y, int n_rows, const Sums *sums)
{
  uint32_t *out = job->to->pixels + (size_t)y * (size_t)job->to->width;
  for (int x = 0; x < job->to->width; x++) {
    int first = x << job->shift, last = MIN ((x + 1) << job->shift, job->from->width);
    uint32_t r = 0, g = 0, b = 0, n = (uint32_t)(n_rows * (last - first));
    for (int i = first; i < last; i++) {
      r += sums->red_blue[i] >> 16;
      g += sums->green[i];
      b += sums->red_blue[i] & 0xffff;
    }
    out[x] = FS_PIXEL (255, mean (r, n), mean (g, n), mean (b, n));
  }
}

static void
reduce_rows (int y0, int y1, gpointer data)
{
  const Job *job = data;
  size_t width = (size_t)job->from->width;
  g_autofree uint32_t *planes = g_new (uint32_t, 2 * width);
  Sums sums = { planes, planes + width };
  for (int y = y0; y < y1; y++) {
    int first = y << job->shift, last = MIN ((y + 1) << job->shift, job->from->height);
    memset (planes, 0, 2 * width * sizeof *planes);
    for (int j = first; j < last; j++)
      add_row (job->from->pixels + (size_t)j * width, job->from->width, sums.red_blue, sums.green);
    write_row (job, y, last - first, &sums);
  }
}

FsImage *
fs_image_reduce (const FsImage *image, int shift)
{
  g_return_val_if_fail (image && shift >= 0 && shift <= 8, NULL);

  int size = 1 << shift;
  FsImage *reduced =
      fs_image_new ((image->width + size - 1) >> shift, (image->height + size - 1) >> shift);
  if (!reduced)
    return NULL;
  Job job = { image, reduced, shift };
  fs_row_threads_run (reduced->height, image->width << shift, reduce_rows, &job);
  return reduced;
}
