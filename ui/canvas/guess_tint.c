/* SPDX-License-Identifier: MIT */
#include "ui/canvas/guess_tint.h"

/* More pixels than a screen shows would be wasted. */
#define MAX_SIDE 1024
/* The opacity of the tint, as a fraction of the overlay's. */
#define OVERLAY_FRACTION 0.6

struct _FsGuessTint {
  cairo_surface_t *veil; /* A8: probability of background */
  int width, height;
};

static void
draw_guess (FsGuessTint *tint, const FsGuess *guess, int step)
{
  const uint16_t *probability = fs_guess_get_probability (guess);
  const size_t width = (size_t)fs_guess_get_width (guess);
  const size_t stride = (size_t)cairo_image_surface_get_stride (tint->veil);
  uint8_t *pixels = cairo_image_surface_get_data (tint->veil);
  cairo_surface_flush (tint->veil);
  for (int y = 0; y < tint->height; y++)
    for (int x = 0; x < tint->width; x++)
      pixels[(size_t)y * stride + (size_t)x] =
          (uint8_t)(255 - probability[(size_t)(y * step) * width + (size_t)(x * step)] / 257);
  cairo_surface_mark_dirty (tint->veil);
}

FsGuessTint *
fs_guess_tint_new (const FsGuess *guess)
{
  const int width = fs_guess_get_width (guess), height = fs_guess_get_height (guess);
  const int step = (MAX (width, height) + MAX_SIDE - 1) / MAX_SIDE;
  g_autoptr (FsGuessTint) tint = g_new0 (FsGuessTint, 1);
  tint->width = (width + step - 1) / step;
  tint->height = (height + step - 1) / step;
  tint->veil = cairo_image_surface_create (CAIRO_FORMAT_A8, tint->width, tint->height);
  if (cairo_surface_status (tint->veil) != CAIRO_STATUS_SUCCESS)
    return NULL;
  draw_guess (tint, guess, step);
  return g_steal_pointer (&tint);
}

void
fs_guess_tint_free (FsGuessTint *tint)
{
  if (tint == NULL)
    return;
  cairo_surface_destroy (tint->veil);
  g_free (tint);
}

void
fs_guess_tint_draw (FsGuessTint *tint, cairo_t *cr, const FsViewTransform *t, FsViewStyle style)
{
  if (style.view != FS_VIEW_OVERLAY && style.view != FS_VIEW_CONTOUR)
    return;
  cairo_save (cr);
  cairo_scale (cr, 1.0 / t->scale, 1.0 / t->scale);
  cairo_translate (cr, t->x, t->y);
  cairo_scale (cr, t->zoom * t->image_width / tint->width,
               t->zoom * t->image_height / tint->height);
  cairo_rectangle (cr, 0, 0, tint->width, tint->height);
  cairo_clip (cr);
  cairo_pattern_t *pattern = cairo_pattern_create_for_surface (tint->veil);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_PAD);
  cairo_set_source_rgba (cr, (style.overlay_rgb >> 16 & 255) / 255.0,
                         (style.overlay_rgb >> 8 & 255) / 255.0, (style.overlay_rgb & 255) / 255.0,
                         style.overlay_percent / 100.0 * OVERLAY_FRACTION);
  cairo_mask (cr, pattern);
  cairo_pattern_destroy (pattern);
  cairo_restore (cr);
}
