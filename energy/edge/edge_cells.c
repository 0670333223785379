/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_cells.h"

gboolean
fs_edge_cells_init (FsEdgeCells *cells, const FsEdgeInput *input, int shift, int side)
{
  const int last = (1 << shift) - 1;
  *cells = (FsEdgeCells){ .shift = shift,
                          .all = { 0, 0, (input->image->width + last) >> shift,
                                   (input->image->height + last) >> shift } };
  const gsize n = (gsize)(side >> shift) + 2;
  cells->sides = g_try_malloc (n * n);
  cells->has_sums = g_try_malloc (n * n);
  cells->sums = g_try_malloc_n (n * n, sizeof *cells->sums);
  return cells->sides && cells->has_sums && cells->sums;
}

void
fs_edge_cells_clear (FsEdgeCells *cells)
{
  g_clear_pointer (&cells->sides, g_free);
  g_clear_pointer (&cells->has_sums, g_free);
  g_clear_pointer (&cells->sums, g_free);
}

FsRect
fs_edge_cells_of (const FsEdgeCells *cells, FsRect area, int more)
{
  const int shift = cells->shift, last = (1 << shift) - 1;
  const FsRect met = { area.x0 >> shift, area.y0 >> shift, (area.x1 + last) >> shift,
                       (area.y1 + last) >> shift };
  return fs_rect_intersect (cells->all, fs_rect_widen (met, more));
}

/* The sides of the cells of a row of pixels, added to what is there. */
static void
add_sides (FsEdgeCells *cells, int y)
{
  const FsEdgeWindow *w = cells->window;
  const int x0 = cells->cells.x0 << cells->shift,
            x1 = MIN (cells->cells.x1 << cells->shift, w->photo.x1);
  const uint8_t *mask = w->mask + fs_rect_place (w->mask_area, x0, y);
  uint8_t *to = cells->sides + fs_rect_place (cells->cells, cells->cells.x0, y >> cells->shift);
  for (int i = 0; i < x1 - x0; i++)
    to[i >> cells->shift] |= (uint8_t)(FS_SIDE_OUTSIDE << mask[i]);
}

void
fs_edge_cells_fill (FsEdgeCells *cells, const FsEdgeWindow *window, FsRect area)
{
  cells->window = window;
  cells->cells = fs_edge_cells_of (cells, area, 0);
  const FsRect rect = cells->cells;
  const gsize n = (gsize)(rect.x1 - rect.x0) * (gsize)(rect.y1 - rect.y0);
  memset (cells->has_sums, 0, n);
  memset (cells->sides, 0, n);
  for (int y = rect.y0 << cells->shift; y < MIN (rect.y1 << cells->shift, window->photo.y1); y++)
    add_sides (cells, y);
}

static inline void
add_pixel (int32_t *sums, uint32_t pixel, int is_inside)
{
  const int r = FS_PIXEL_R (pixel), g = FS_PIXEL_G (pixel), b = FS_PIXEL_B (pixel);
  const int values[FS_N_SUMS] = {
    r,     g,     b,     1,     is_inside, is_inside * r, is_inside * g, is_inside * b,
    r * r, r * g, r * b, g * g, g * b,     b * b
  };
  for (int k = 0; k < FS_N_SUMS; k++)
    sums[k] += values[k];
}

void
fs_edge_cells_sum (FsEdgeCells *cells, int x, int y)
{
  const FsEdgeWindow *w = cells->window;
  const int shift = cells->shift;
  const FsRect pixels = { x << shift, y << shift, MIN ((x + 1) << shift, w->photo.x1),
                          MIN ((y + 1) << shift, w->photo.y1) };
  const gsize i = fs_rect_place (cells->cells, x, y);
  FsSparseSum sums;
  memset (&sums, 0, sizeof sums);
  for (int py = pixels.y0; py < pixels.y1; py++)
    for (int px = pixels.x0; px < pixels.x1; px++)
      add_pixel (sums.narrow, w->input->image->pixels[fs_edge_window_in_photo (w, px, py)],
                 w->mask[fs_rect_place (w->mask_area, px, py)]);
  cells->sums[i] = sums;
  cells->has_sums[i] = 1;
}

/* ---- Squares ---- */

/* bytes[i] becomes the or of `length` bytes from there, `stride` apart: where there are so many. */
static void
or_ahead (uint8_t *bytes, gsize n, gsize stride, int length)
{
  for (int done = 1; done < length;) {
    const int step = MIN (done, length - done);
    const gsize by = (gsize)step * stride;
    gsize i = 0;
    for (uint64_t here, ahead; i + by + sizeof here <= n; i += sizeof here) {
      memcpy (&here, bytes + i, sizeof here);
      memcpy (&ahead, bytes + i + by, sizeof ahead);
      here |= ahead;
      memcpy (bytes + i, &here, sizeof here);
    }
    for (; i + by < n; i++)
      bytes[i] |= bytes[i + by];
    done += step;
  }
}

void
fs_edge_or_squares (const uint8_t *bytes, FsRect from, FsRect to, int radius, uint8_t *result)
{
  const FsRect wide = fs_rect_widen (to, radius), both = fs_rect_intersect (wide, from);
  const gsize stride = (gsize)(wide.x1 - wide.x0), width = (gsize)(to.x1 - to.x0);
  const gsize n = stride * (gsize)(wide.y1 - wide.y0);
  memset (result, 0, n);
  for (int y = both.y0; y < both.y1; y++)
    memcpy (result + fs_rect_place (wide, both.x0, y), bytes + fs_rect_place (from, both.x0, y),
            (gsize)(both.x1 - both.x0));
  or_ahead (result, n, 1, 2 * radius + 1);
  or_ahead (result, n, stride, 2 * radius + 1);
  for (gsize y = 1; y < (gsize)(to.y1 - to.y0); y++)
    memmove (result + y * width, result + y * stride, width);
}
