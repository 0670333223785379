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

typedef struct {
  uint32_t r, g, b;
} ColourSum;

static inline ColourSum
sum_columns (const Sums *sums, int first, int last)
{
  ColourSum sum = { 0 };
  for (int i = first; i < last; i++) {
    sum.r += sums->red_blue[i] >> 16;
    sum.g += sums->green[i];
    sum.b += sums->red_blue[i] & 0xffff;
  }
  return sum;
}

/* Blocks of 4^shift pixels, without a division. */
static inline void
write_whole (uint32_t *out, int n, int shift, const Sums *sums)
{
  const uint32_t half = 1u << (2 * shift) >> 1;
  for (int x = 0; x < n; x++) {
    ColourSum sum = sum_columns (sums, x << shift, (x + 1) << shift);
    out[x] = FS_PIXEL (255, (sum.r + half) >> (2 * shift), (sum.g + half) >> (2 * shift),
                       (sum.b + half) >> (2 * shift));
  }
}

static void
write_row (const Job *job, int y, int n_rows, const Sums *sums)
{
  uint32_t *out = job->to->pixels + (size_t)y * (size_t)job->to->width;
  int n_whole = n_rows == 1 << job->shift ? job->from->width >> job->shift : 0;
  /* Known sizes of the usual blocks let the compiler sum them up in one go. */
  if (job->shift == 1)
    write_whole (out, n_whole, 1, sums);
  else if (job->shift == 2)
    write_whole (out, n_whole, 2, sums);
  else if (job->shift == 3)
    write_whole (out, n_whole, 3, sums);
  else
    write_whole (out, n_whole, job->shift, sums);
  for (int x = n_whole; x < job->to->width; x++) {
    int first = x << job->shift, last = MIN ((x + 1) << job->shift, job->from->width);
    uint32_t n = (uint32_t)(n_rows * (last - first));
    ColourSum sum = sum_columns (sums, first, last);
    out[x] = FS_PIXEL (255, mean (sum.r, n), mean (sum.g, n), mean (sum.b, n));
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
      fs_image_new_whole ((image->width + size - 1) >> shift, (image->height + size - 1) >> shift);
  if (!reduced)
    return NULL;
  Job job = { image, reduced, shift };
  fs_row_threads_run (reduced->height, image->width << shift, reduce_rows, &job);
  return reduced;
}
