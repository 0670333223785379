/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_alpha.h"

#include "energy/edge/edge_shape.h"

/* With an automatic width. */
enum { NARROW_PX = 2 };
/* Antialiasing reads so far. */
enum { ANTIALIAS_PX = 2 };
/* Where the colours explain so little of the mask, the border is antialiased only; from the higher
 * one on the filter's alpha counts fully. */
#define UNCERTAIN 0.1
#define CERTAIN   0.3

/* Measured on photos with true alpha (docs/decisions/edges.md). */
static const FsWideLevelRule rules[FS_EDGE_N_WIDE] = {
  { .shift = 1,
    .filter = 4,
    .radius = 12,
    .border = 0,
    .strong = 0.25,
    .weak = 0.05,
    .certain = 0.45,
    .low = 0.08,
    .high = 0.32 },
  { .shift = 1,
    .filter = 8,
    .radius = 24,
    .border = 1,
    .strong = 0.3,
    .weak = 0.05,
    .certain = 0.7,
    .low = 0.03,
    .high = 0.09 },
  { .shift = 2,
    .filter = 8,
    .radius = 8,
    .border = 2,
    .strong = 0.5,
    .weak = 0.02,
    .certain = 0.5,
    .low = 0.03,
    .high = 0.09 },
};

/* ---- Size ---- */

static gboolean
is_auto (const FsEdgeSettings *settings)
{
  return settings->width_px == FS_EDGE_WIDTH_AUTO;
}

static int
narrow_radius (const FsEdgeSettings *settings)
{
  return is_auto (settings) ? NARROW_PX : settings->width_px;
}

/* Haze is told by neighbours. */
static int
raw_margin (const FsEdgeSettings *settings)
{
  return 1 + fs_edge_get_shift_margin (settings);
}

int
fs_edge_alpha_get_radius (const FsEdgeSettings *settings)
{
  /* Half a window, the rest of a cell, and the cell that interpolation adds. */
  const int widest = (rules[FS_EDGE_N_WIDE - 1].filter + 2) << rules[FS_EDGE_N_WIDE - 1].shift;
  return (is_auto (settings) ? widest : MAX (settings->width_px, ANTIALIAS_PX))
         + raw_margin (settings);
}

/* The mask is read so far around an area by the levels whose cells have this shift; −1: none. */
static int
levels_margin (const FsEdgeSettings *settings, int shift)
{
  int margin = shift == 0 ? fs_edge_level_get_margin (0, narrow_radius (settings)) : -1;
  for (int k = 0; is_auto (settings) && k < FS_EDGE_N_WIDE; k++)
    if (rules[k].shift == shift)
      margin = MAX (margin, fs_wide_level_get_margin (&rules[k]));
  return margin;
}

static gboolean
init_levels (FsEdgeAlpha *alpha, const FsEdgeInput *input, int side)
{
  const FsEdgeSettings *settings = &input->settings;
  gboolean is_fit = TRUE;
  for (int shift = 0; shift < FS_EDGE_N_SHIFTS; shift++)
    if (levels_margin (settings, shift) >= 0)
      is_fit &= fs_edge_cells_init (&alpha->cells[shift], input, shift,
                                    side + 2 * levels_margin (settings, shift));
  is_fit &= fs_edge_level_init (&alpha->narrow, &alpha->cells[0], narrow_radius (settings), side);
  for (int k = 0; is_auto (settings) && k < FS_EDGE_N_WIDE; k++)
    is_fit &= fs_wide_level_init (&alpha->wide[k], &alpha->cells[rules[k].shift], &rules[k], side);
  return is_fit;
}

gboolean
fs_edge_alpha_init (FsEdgeAlpha *alpha, const FsEdgeInput *input, int side)
{
  const FsEdgeSettings *settings = &input->settings;
  const int raw_side = side + 2 * raw_margin (settings);
  *alpha = (FsEdgeAlpha){ .settings = *settings };
  alpha->raw = g_try_malloc ((gsize)raw_side * (gsize)raw_side);
  alpha->row = g_try_malloc_n ((gsize)raw_side, sizeof *alpha->row);
  alpha->shifted = g_try_malloc ((gsize)raw_side * (gsize)raw_side);
  alpha->rows = g_try_malloc ((gsize)raw_side * (gsize)(raw_side + 1));
  const gboolean is_fit = settings->width_px == 0 || init_levels (alpha, input, raw_side);
  return is_fit && alpha->raw && alpha->row && alpha->shifted && alpha->rows;
}

void
fs_edge_alpha_clear (FsEdgeAlpha *alpha)
{
  for (int shift = 0; shift < FS_EDGE_N_SHIFTS; shift++)
    fs_edge_cells_clear (&alpha->cells[shift]);
  fs_edge_level_clear (&alpha->narrow);
  for (int k = 0; k < FS_EDGE_N_WIDE; k++)
    fs_wide_level_clear (&alpha->wide[k]);
  g_clear_pointer (&alpha->raw, g_free);
  g_clear_pointer (&alpha->row, g_free);
  g_clear_pointer (&alpha->shifted, g_free);
  g_clear_pointer (&alpha->rows, g_free);
}

int
fs_edge_alpha_get_margin (const FsEdgeSettings *settings)
{
  int margin = ANTIALIAS_PX;
  for (int shift = 0; shift < FS_EDGE_N_SHIFTS; shift++)
    margin = MAX (margin, levels_margin (settings, shift));
  return margin + raw_margin (settings);
}

/* ---- Raw alpha ---- */

static double
mask_at (const FsEdgeWindow *w, int x, int y)
{
  return w->mask[fs_rect_place (w->mask_area, x, y)];
}

/* Alpha by the filter of pixels. */
static double
narrow_alpha (const FsEdgeAlpha *alpha, const FsEdgeWindow *w, int x, int y)
{
  if (alpha->settings.width_px == 0 || !fs_edge_level_is_near (&alpha->narrow, x, y))
    return mask_at (w, x, y);
  const FsEdgeLine *line = fs_edge_level_get_line (&alpha->narrow, x, y);
  const uint32_t pixel = w->input->image->pixels[fs_edge_window_in_photo (w, x, y)];
  const double own =
      fs_edge_line_alpha (line, FS_PIXEL_R (pixel), FS_PIXEL_G (pixel), FS_PIXEL_B (pixel));
  if (!is_auto (&alpha->settings) || line->certainty >= (float)CERTAIN)
    return own;
  const double hard = fs_edge_get_antialiased (w, x, y) / 255.0;
  const double t = CLAMP ((line->certainty - UNCERTAIN) / (CERTAIN - UNCERTAIN), 0, 1);
  return hard + t * (own - hard);
}

static gboolean
is_hard_zone (const FsEdgeWindow *w, int x, int y)
{
  return w->input->zones && w->input->zones[fs_edge_window_in_photo (w, x, y)] == FS_EDGE_ZONE_HARD;
}

static void
find_raw (FsEdgeAlpha *alpha, const FsEdgeWindow *w)
{
  const int x0 = alpha->area.x0, x1 = alpha->area.x1;
  uint8_t *to = alpha->raw;
  for (int y = alpha->area.y0; y < alpha->area.y1; y++) {
    for (int x = x0; x < x1; x++)
      alpha->row[x - x0] = narrow_alpha (alpha, w, x, y);
    for (int k = 0; is_auto (&alpha->settings) && k < FS_EDGE_N_WIDE; k++)
      fs_wide_level_mix (&alpha->wide[k], w, y, x0, x1, alpha->row);
    for (int x = x0; x < x1; x++)
      *to++ = is_hard_zone (w, x, y) ? fs_edge_get_antialiased (w, x, y)
                                     : (uint8_t)(alpha->row[x - x0] * 255 + 0.5);
  }
  if (w->zones)
    fs_zone_alpha_fill (w->zones, alpha->area, alpha->raw);
}

/* ---- All ---- */

/* Pixels with strokes have the alpha of their side, whatever the filter gives. */
static void
restore_strokes (const FsEdgeWindow *w)
{
  uint8_t *to = w->alpha;
  for (int y = w->alpha_area.y0; w->input->marks && y < w->alpha_area.y1; y++)
    for (int x = w->alpha_area.x0; x < w->alpha_area.x1; x++, to++)
      if (fs_edge_window_mark (w, x, y) != FS_SEED_NONE)
        *to = w->input->mask[fs_edge_window_in_photo (w, x, y)] ? 255 : 0;
}

static void
fit_levels (FsEdgeAlpha *alpha, const FsEdgeWindow *window)
{
  if (alpha->settings.width_px == 0)
    return;
  for (int shift = 0; shift < FS_EDGE_N_SHIFTS; shift++) {
    const int margin = levels_margin (&alpha->settings, shift);
    if (margin >= 0)
      fs_edge_cells_fill (&alpha->cells[shift], window,
                          fs_rect_intersect (window->photo, fs_rect_widen (alpha->area, margin)));
  }
  fs_edge_level_fit (&alpha->narrow, window, alpha->area);
  for (int k = 0; is_auto (&alpha->settings) && k < FS_EDGE_N_WIDE; k++)
    fs_wide_level_fit (&alpha->wide[k], window, alpha->area);
}

void
fs_edge_alpha_find (FsEdgeAlpha *alpha, FsEdgeWindow *window)
{
  const FsEdgeSettings *settings = &alpha->settings;
  const FsRect all = window->alpha_area;
  const FsRect before_shift =
      fs_rect_intersect (window->photo, fs_rect_widen (all, fs_edge_get_shift_margin (settings)));
  alpha->area = fs_rect_intersect (window->photo, fs_rect_widen (all, raw_margin (settings)));
  fit_levels (alpha, window);
  find_raw (alpha, window);
  if (settings->shift_tenths == 0)
    fs_edge_clear_haze (alpha->raw, alpha->area, window->alpha, all);
  else {
    fs_edge_clear_haze (alpha->raw, alpha->area, alpha->shifted, before_shift);
    fs_edge_shift (settings, alpha->shifted, before_shift, window->alpha, all, alpha->rows);
  }
  if (settings->contrast > 0)
    fs_edge_raise_contrast (settings, window->alpha,
                            (gsize)(all.x1 - all.x0) * (gsize)(all.y1 - all.y0));
  restore_strokes (window);
}
