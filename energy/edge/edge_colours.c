/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_colours.h"

/* The colours are means over a window of this many widths, 8 pixels with an automatic one. */
enum { WINDOW_WIDTHS = 2, AUTO_WIDTH_PX = 8 };

enum { RED, GREEN, BLUE, INSIDE, INSIDE_RED, INSIDE_GREEN, INSIDE_BLUE, N_SUMS = 8 };

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
add_pixel (gpointer data, int x, int y, int sign, FsSparseSum *column)
{
  const FsEdgeWindow *w = ((const Colours *)data)->window;
  const uint32_t pixel = w->input->image->pixels[fs_edge_window_in_photo (w, x, y)];
  const int alpha = w->alpha[fs_rect_place (w->alpha_area, x, y)];
  const int r = FS_PIXEL_R (pixel), g = FS_PIXEL_G (pixel), b = FS_PIXEL_B (pixel);
  const int values[N_SUMS] = { r, g, b, alpha, alpha * r, alpha * g, alpha * b };
  for (int k = 0; k < N_SUMS; k++)
    column->narrow[k] += sign * values[k];
}

static inline void
move_pixels (FsSparseSum *sums, const FsSparseSum *column, int sign)
{
  for (int k = 0; k < N_SUMS; k++)
    sums->narrow[k] += sign * column->narrow[k];
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
clean_colour (uint32_t pixel, uint8_t alpha, int percent, const int32_t *sums, int n)
{
  const double opacity = alpha / 255.0, amount = percent / 100.0;
  const int channels[3] = { FS_PIXEL_R (pixel), FS_PIXEL_G (pixel), FS_PIXEL_B (pixel) };
  uint8_t bytes[3];
  for (int k = 0; k < 3; k++) {
    const int64_t inside = sums[INSIDE_RED + k];
    const double object = (double)inside / (double)sums[INSIDE];
    const double ground =
        (double)(255 * (int64_t)sums[k] - inside) / (double)(255 * (int64_t)n - sums[INSIDE]);
    const double rest = channels[k] - opacity * object - (1 - opacity) * ground;
    bytes[k] = to_byte (channels[k] + amount * (object + opacity * rest - channels[k]));
  }
  return FS_PIXEL (alpha, bytes[0], bytes[1], bytes[2]);
}

static inline void
take_colour (gpointer data, int x, int y, const FsSparseSum *sums, int n)
{
  const Colours *colours = data;
  const FsEdgeWindow *w = colours->window;
  uint32_t *row = colours->words + (gsize)(y - colours->area.y0) * colours->stride;
  row[x - colours->area.x0] =
      clean_colour (w->input->image->pixels[fs_edge_window_in_photo (w, x, y)],
                    w->alpha[fs_rect_place (w->alpha_area, x, y)], w->input->settings.clean,
                    sums->narrow, n);
}

void
fs_edge_colours_find (const FsEdgeWindow *window, FsRect area, uint32_t *words, gsize stride)
{
  Colours colours = { window, area, words, stride };
  const gsize width = (gsize)(area.x1 - area.x0);
  uint8_t *is_mixed = window->wanted;
  for (int y = area.y0; y < area.y1; y++, words += stride, is_mixed += width) {
    const uint8_t *alpha = window->alpha + fs_rect_place (window->alpha_area, area.x0, y);
    const uint32_t *pixels =
        window->input->image->pixels + fs_edge_window_in_photo (window, area.x0, y);
    for (gsize x = 0; x < width; x++) {
      words[x] = (pixels[x] & 0xffffffu) | (uint32_t)alpha[x] << 24;
      is_mixed[x] = alpha[x] > 0 && alpha[x] < 255;
    }
  }
  const FsSparseSums sums = { .of = area,
                              .all = window->photo,
                              .radius = fs_edge_colours_get_margin (&window->input->settings),
                              .wanted = window->wanted,
                              .value = TRUE,
                              .columns = window->columns,
                              .rows = window->column_rows };
  fs_sparse_sums (&sums, add_pixel, move_pixels, take_colour, &colours);
}
