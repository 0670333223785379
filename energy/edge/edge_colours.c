/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_colours.h"

#include "energy/edge/box_sums.h"

/* The colours are means over a window of this many widths, 8 pixels with an automatic one. */
enum { WINDOW_WIDTHS = 2, AUTO_WIDTH_PX = 8 };

enum { RED, GREEN, BLUE, INSIDE, INSIDE_RED, INSIDE_GREEN, INSIDE_BLUE, N_SUMS };

typedef struct {
  const FsEdgeWindow *window;
  FsRect area;
  uint32_t *words;
  gsize stride;
} Colours;

int
fs_edge_colours_get_margin (const FsEdgeSettings *settings)
{
  return WINDOW_WIDTHS * (settings->width_px > 0 ? settings->width_px : AUTO_WIDTH_PX);
}

static inline void
add_colours (gconstpointer data, int y, int x0, int x1, int sign, int64_t *columns)
{
  const FsEdgeWindow *w = ((const Colours *)data)->window;
  const uint32_t *pixels = w->input->image->pixels + fs_edge_window_in_photo (w, 0, y);
  const uint8_t *alpha = w->alpha + fs_rect_place (w->alpha_area, x0, y);
  for (int x = x0; x < x1; x++, columns += N_SUMS, alpha++) {
    const int r = sign * FS_PIXEL_R (pixels[x]), g = sign * FS_PIXEL_G (pixels[x]),
              b = sign * FS_PIXEL_B (pixels[x]);
    const int values[N_SUMS] = { r, g, b, sign * *alpha, *alpha * r, *alpha * g, *alpha * b };
    for (int k = 0; k < N_SUMS; k++)
      columns[k] += values[k];
  }
}

static uint8_t
to_byte (double value)
{
  return (uint8_t)(CLAMP (value, 0, 255) + 0.5);
}

/* The object's colour in a mixed pixel, as far as colours are to be cleaned. The residual, the part
 * of the pixel's colour that the means of the two sides do not explain, goes to the object in
 * proportion to its opacity. */
static uint32_t
clean_colour (uint32_t pixel, uint8_t alpha, int percent, const int64_t *sums, int n)
{
  const double opacity = alpha / 255.0, amount = percent / 100.0;
  const int channels[3] = { FS_PIXEL_R (pixel), FS_PIXEL_G (pixel), FS_PIXEL_B (pixel) };
  uint8_t bytes[3];
  for (int k = 0; k < 3; k++) {
    const int64_t inside = sums[INSIDE_RED + k];
    const double object = (double)inside / (double)sums[INSIDE];
    const double ground = (double)(255 * sums[k] - inside) / (double)(255 * n - sums[INSIDE]);
    const double rest = channels[k] - opacity * object - (1 - opacity) * ground;
    bytes[k] = to_byte (channels[k] + amount * (object + opacity * rest - channels[k]));
  }
  return FS_PIXEL (alpha, bytes[0], bytes[1], bytes[2]);
}

static inline void
take_colour (gpointer data, int x, int y, const int64_t *sums, int n)
{
  const Colours *colours = data;
  const FsEdgeWindow *w = colours->window;
  const uint32_t pixel = w->input->image->pixels[fs_edge_window_in_photo (w, x, y)];
  const uint8_t alpha = w->alpha[fs_rect_place (w->alpha_area, x, y)];
  uint32_t *word = colours->words + (gsize)(y - colours->area.y0) * colours->stride
                   + (gsize)(x - colours->area.x0);
  *word = alpha > 0 && alpha < 255 ? clean_colour (pixel, alpha, w->input->settings.clean, sums, n)
                                   : (pixel & 0xffffffu) | (uint32_t)alpha << 24;
}

void
fs_edge_colours_find (const FsEdgeWindow *window, FsRect area, uint32_t *words, gsize stride)
{
  Colours colours = { window, area, words, stride };
  fs_box_sums (area, window->photo, fs_edge_colours_get_margin (&window->input->settings), N_SUMS,
               window->columns, add_colours, take_colour, &colours);
}
