/* SPDX-License-Identifier: MIT */
#include "energy/guess/guess_photo.h"

#include "energy/guess/guess_internal.h"
#include "solver/system/checked_memory.h"

enum { APART_PER = 200, APART_MIN = 2 };

typedef struct {
  const FsGuess *guess;
  uint32_t *colour; /* [guess] the photo's, reduced to the guess's size */
  uint64_t across, n_across, anywhere, n_anywhere;
} Comparison;

static uint32_t
mix_four (uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
  return FS_PIXEL (0, (FS_PIXEL_R (a) + FS_PIXEL_R (b) + FS_PIXEL_R (c) + FS_PIXEL_R (d)) / 4,
                   (FS_PIXEL_G (a) + FS_PIXEL_G (b) + FS_PIXEL_G (c) + FS_PIXEL_G (d)) / 4,
                   (FS_PIXEL_B (a) + FS_PIXEL_B (b) + FS_PIXEL_B (c) + FS_PIXEL_B (d)) / 4);
}

/* Reduces the photo to the guess's size: the mean of four samples for each of its pixels. */
static void
reduce_photo (Comparison *c, const FsImage *image)
{
  const FsGuess *guess = c->guess;
  size_t i = 0;
  for (int y = 0; y < guess->height; y++) {
    size_t upper = (size_t)((4 * (int64_t)y + 1) * image->height / (4 * (int64_t)guess->height));
    size_t lower = (size_t)((4 * (int64_t)y + 3) * image->height / (4 * (int64_t)guess->height));
    const uint32_t *a = image->pixels + upper * (size_t)image->width;
    const uint32_t *b = image->pixels + lower * (size_t)image->width;
    for (int x = 0; x < guess->width; x++, i++) {
      int64_t left = (4 * (int64_t)x + 1) * image->width / (4 * (int64_t)guess->width);
      int64_t right = (4 * (int64_t)x + 3) * image->width / (4 * (int64_t)guess->width);
      c->colour[i] = mix_four (a[left], a[right], b[left], b[right]);
    }
  }
}

static uint64_t
difference (uint32_t a, uint32_t b)
{
  return (uint64_t)ABS ((int)FS_PIXEL_R (a) - (int)FS_PIXEL_R (b))
         + (uint64_t)ABS ((int)FS_PIXEL_G (a) - (int)FS_PIXEL_G (b))
         + (uint64_t)ABS ((int)FS_PIXEL_B (a) - (int)FS_PIXEL_B (b));
}

/* Pixel i of a line of n, and the next one, `step` apart in the plane. */
static void
compare (Comparison *c, size_t pixel, size_t step, int i, int n, int apart)
{
  if (i < apart || i + 1 + apart >= n)
    return;
  size_t out = (size_t)apart * step;
  uint64_t d = difference (c->colour[pixel - out], c->colour[pixel + step + out]);
  c->anywhere += d;
  c->n_anywhere++;
  if ((fs_guess_odds (c->guess, pixel) > 0) != (fs_guess_odds (c->guess, pixel + step) > 0)) {
    c->across += d;
    c->n_across++;
  }
}

gboolean
fs_guess_is_of_photo (const FsGuess *guess, const FsImage *image)
{
  size_t w = (size_t)guess->width, n = w * (size_t)guess->height;
  Comparison c = { .guess = guess, .colour = fs_memory_new (n, sizeof *c.colour) };
  if (!c.colour)
    return TRUE;
  reduce_photo (&c, image);
  int apart = MAX (APART_MIN, MAX (guess->width, guess->height) / APART_PER);
  for (size_t i = 0; i < n; i++) {
    compare (&c, i, 1, (int)(i % w), guess->width, apart);
    compare (&c, i, w, (int)(i / w), guess->height, apart);
  }
  fs_memory_free (c.colour);
  if (c.anywhere == 0)
    return TRUE;
  return c.n_across > 0 && 2 * c.across * c.n_anywhere >= 3 * c.anywhere * c.n_across;
}
