/* SPDX-License-Identifier: MIT */
#include "energy/guess/guess_box.h"

/* The fraction of an object component that must be in the box; that of the box to be filled. */
enum { WITHIN_NUMERATOR = 4, WITHIN_DENOMINATOR = 5, FILLED_DIVISOR = 8 };
/* The fraction of the box's width and height that must be spanned. */
enum { SPAN_DIVISOR = 2 };

typedef struct {
  FsRect bounds;
  int64_t n;
} Extent;

static void
extent_add (Extent *extent, int x, int y)
{
  extent->bounds = (FsRect){ MIN (extent->bounds.x0, x), MIN (extent->bounds.y0, y),
                             MAX (extent->bounds.x1, x + 1), MAX (extent->bounds.y1, y + 1) };
  extent->n++;
}

/* A pixel of the guess stands for many of the photo, or for a part of one. */
static gboolean
is_beyond_box (const FsGuess *guess, uint32_t component, uint32_t n_outside)
{
  uint64_t n_photo = (uint64_t)guess->photo_width * (uint64_t)guess->photo_height;
  uint64_t n_guess = (uint64_t)guess->width * (uint64_t)guess->height;
  double n_component = (double)guess->n_pixels[component] * (double)n_photo / (double)n_guess;
  return (double)n_outside * WITHIN_DENOMINATOR
         > n_component * (WITHIN_DENOMINATOR - WITHIN_NUMERATOR);
}

gboolean
fs_guess_box_fits (const FsGuess *guess, const FsSeedMap *seeds, const uint32_t *n_against,
                   uint8_t *is_other)
{
  for (uint32_t component = 0; component < guess->n_components; component++)
    is_other[component] =
        guess->is_object[component] && is_beyond_box (guess, component, n_against[component]);
  Extent box = { { seeds->width, seeds->height, 0, 0 }, 0 }, object = box;
  for (int y = 0; y < seeds->height; y++) {
    const uint8_t *label = seeds->label + (size_t)y * (size_t)seeds->width;
    for (int x = 0; x < seeds->width; x++) {
      if (label[x] != FS_SEED_NONE)
        continue;
      extent_add (&box, x, y);
      uint32_t component = fs_guess_component_at (guess, x, y);
      if (guess->is_object[component] && !is_other[component])
        extent_add (&object, x, y);
    }
  }
  int width = object.bounds.x1 - object.bounds.x0, height = object.bounds.y1 - object.bounds.y0;
  return object.n > 0 && object.n * FILLED_DIVISOR >= box.n
         && width * SPAN_DIVISOR >= box.bounds.x1 - box.bounds.x0
         && height * SPAN_DIVISOR >= box.bounds.y1 - box.bounds.y0;
}
