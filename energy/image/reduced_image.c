/* SPDX-License-Identifier: MIT */
#include "energy/image/reduced_image.h"

#include "energy/image/row_threads.h"
#include "energy/image/target_clones.h"

#include <string.h>

typedef struct {
  const FsImage *from;
  FsImage *to;
  int shift;
} Job;

/* The mean of the pixels x0 ≤ x < x1, y0 ≤ y < y1. */
static uint32_t
mean_of (const FsImage *image, int x0, int x1, int y0, int y1)
{
  uint32_t r = 0, g = 0, b = 0, n = (uint32_t)((x1 - x0) * (y1 - y0));
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++) {
      uint32_t pixel = image->pixels[(size_t)y * (size_t)image->width + (size_t)x];
      r += FS_PIXEL_R (pixel);
      g += FS_PIXEL_G (pixel);
      b += FS_PIXEL_B (pixel);
    }
  return FS_PIXEL (255, (r + n / 2) / n, (g + n / 2) / n, (b + n / 2) / n);
}

/* The largest block whose sums fit 16 bits for each channel has 2^4 pixels a side. */
enum { SHIFT_MAX = 4 };

/* `pixels`: the first of a whole block. Two pixels are added at once: red and blue share a word,
 * green is beside alpha. */
static inline uint32_t
mean_of_whole (const uint32_t *pixels, size_t stride, int shift)
{
  const uint64_t channels = UINT64_C (0x00ff00ff00ff00ff);
  const uint32_t half = 1u << (2 * shift) >> 1;
  uint64_t red_blue = 0, green = 0, two;
  for (int y = 0; y < 1 << shift; y++, pixels += stride)
    for (int x = 0; x < 1 << shift; x += 2) {
      memcpy (&two, pixels + x, sizeof two);
      red_blue += two & channels;
      green += two >> 8 & channels;
    }
  red_blue = (red_blue >> 32) + (red_blue & UINT32_MAX);
  green = (green >> 32) + (green & UINT32_MAX);
  return FS_PIXEL (255, ((red_blue >> 16) + half) >> (2 * shift),
                   ((green & 0xffff) + half) >> (2 * shift),
                   ((red_blue & 0xffff) + half) >> (2 * shift));
}

static inline void
write_whole (const FsImage *from, int y, int n, int shift, uint32_t *out)
{
  size_t stride = (size_t)from->width;
  const uint32_t *pixels = from->pixels + ((size_t)y << shift) * stride;
  for (int x = 0; x < n; x++)
    out[x] = mean_of_whole (pixels + ((size_t)x << shift), stride, shift);
}

/* Known sizes let the compiler sum a block up in one go. */
FS_TARGET_CLONES static void
write_whole_of (const FsImage *from, int y, int n, int shift, uint32_t *out)
{
  if (shift == 1)
    write_whole (from, y, n, 1, out);
  else if (shift == 2)
    write_whole (from, y, n, 2, out);
  else if (shift == 3)
    write_whole (from, y, n, 3, out);
  else
    write_whole (from, y, n, SHIFT_MAX, out);
}

static void
reduce_row (const Job *job, int y)
{
  const FsImage *from = job->from;
  int shift = job->shift, y0 = y << shift, y1 = MIN ((y + 1) << shift, from->height);
  gboolean is_whole = shift > 0 && shift <= SHIFT_MAX && y1 - y0 == 1 << shift;
  uint32_t *out = job->to->pixels + (size_t)y * (size_t)job->to->width;
  int n_whole = is_whole ? from->width >> shift : 0;
  if (is_whole)
    write_whole_of (from, y, n_whole, shift, out);
  for (int x = n_whole; x < job->to->width; x++)
    out[x] = mean_of (from, x << shift, MIN ((x + 1) << shift, from->width), y0, y1);
}

static void
reduce_rows (int y0, int y1, gpointer data)
{
  for (int y = y0; y < y1; y++)
    reduce_row (data, y);
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
