/* SPDX-License-Identifier: MIT */
#include "ui/view/views.h"

#include "app/export/parts/label_colour.h"
#include "energy/edge/edge_settings.h"
#include "ui/view/edge_levels.h"

#include <math.h>
#include <string.h>

#define BLOCK_PX   128 /* a block's window fits into the first cache levels */
#define CHECKER_PX 12

/* From this zoom on image pixels are shown as sharp squares. */
#define ZOOM_CRISP 4.0

#define MARK_OPACITY        200 /* of 255 */
#define ZONE_OPACITY        70  /* of 255; of zones with marks */
#define ZONE_OPACITY_STRONG 110 /* of 255; in other views, where more lies beneath */
#define OBJECT_OPACITY      90  /* of 255; of an object's colour, with several objects */

/* The overlay over background: a weighted mean, with weights out of 255, of the pixel's colour, its
 * grey value and the overlay's colour; the last term is computed once. */
typedef struct {
  uint32_t colour_weight, grey_weight;
  uint32_t tint_rb, tint_g;
} Dull;

uint32_t
fs_view_label_colour (uint8_t label)
{
  return fs_label_colour (label);
}

void
fs_view_labels_reset (FsViewLabels *labels)
{
  *labels = (FsViewLabels){ 0 };
  for (guint i = 0; i < G_N_ELEMENTS (labels->rgb); i++)
    labels->rgb[i] = fs_label_colour ((uint8_t)i);
}

static const FsViewLabels *
get_usual_labels (void)
{
  static FsViewLabels usual;
  static gsize is_made;
  if (g_once_init_enter (&is_made)) {
    fs_view_labels_reset (&usual);
    g_once_init_leave (&is_made, 1);
  }
  return &usual;
}

uint32_t
fs_view_zone_colour (uint8_t zone)
{
  static const uint32_t colours[FS_EDGE_N_ZONES] = {
    [FS_EDGE_ZONE_NONE] = 0xffffff,
    [FS_EDGE_ZONE_HARD] = 0x40e0ff,
    [FS_EDGE_ZONE_REFINE] = 0xffd83d,
  };
  return colours[MIN (zone, FS_EDGE_N_ZONES - 1)];
}

/* (a·(255−weight) + b·weight) / 255 for each channel, rounded; both without alpha. */
static inline uint32_t
blend (uint32_t a, uint32_t b, uint32_t weight)
{
  uint32_t rest = 255 - weight;
  uint32_t rb = (a & 0xff00ff) * rest + (b & 0xff00ff) * weight + 0x800080;
  uint32_t g = (a & 0x00ff00) / 256 * rest + (b & 0x00ff00) / 256 * weight + 0x80;
  rb = (rb + (rb >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
  g = (g + (g >> 8)) & 0xff00;
  return rb | g;
}

static Dull
make_dull (const FsViewStyle *style)
{
  uint32_t tint_weight = ((uint32_t)style->overlay_percent * 255 + 50) / 100;
  uint32_t colour_weight = (255 - tint_weight) / 2;
  return (Dull){ .colour_weight = colour_weight,
                 .grey_weight = 255 - tint_weight - colour_weight,
                 .tint_rb = (style->overlay_rgb & 0xff00ff) * tint_weight,
                 .tint_g = (style->overlay_rgb >> 8 & 0xff) * tint_weight };
}

static inline uint32_t
dull (const Dull *d, uint32_t p)
{
  uint32_t grey = (FS_PIXEL_R (p) * 77u + FS_PIXEL_G (p) * 151u + FS_PIXEL_B (p) * 28u) >> 8;
  uint32_t add = grey * d->grey_weight + 0x80;
  uint32_t rb = (p & 0xff00ff) * d->colour_weight + add * 0x10001 + d->tint_rb;
  uint32_t g = (p >> 8 & 0xff) * d->colour_weight + add + d->tint_g;
  rb = (rb + (rb >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
  g = (g + (g >> 8)) & 0xff00;
  return rb | g;
}

static inline uint32_t
premultiply (uint32_t rgb, uint32_t alpha)
{
  if (alpha == 255)
    return 0xff000000u | (rgb & 0xffffff);
  return alpha << 24 | blend (0, rgb, alpha);
}

/* Pointers to the first pixel of a row of the window; NULL for missing planes. */
typedef struct {
  const uint32_t *photo;
  const uint8_t *mask;
  const uint8_t *mark;
  const uint8_t *mark_coverage;
  uint32_t mask_scale;    /* mask value → 0…255 */
  const uint8_t *numbers; /* the whole row of level 0; NULL: one object */
  const uint8_t *zones;   /* the same; NULL: none are shown */
  const FsViewLabels *labels;
  int first, last; /* the window's first pixel in the level, level 0's last one */
  guint shift;
} Row;

/* The label of a pixel's object; less than FS_SEED_OBJECT: none yet. */
static inline uint8_t
number_at (const Row *row, int x)
{
  return row->numbers[MIN ((row->first + x) << row->shift, row->last)];
}

static inline uint32_t
add_mark (uint32_t rgb, const Row *row, int x)
{
  uint8_t label = row->mark[x];
  if (label == 0)
    return rgb;
  uint32_t weight = row->mark_coverage != NULL ? row->mark_coverage[x] : 255;
  return blend (rgb, row->labels->rgb[label], weight * MARK_OPACITY / 255);
}

static inline gboolean
is_hidden (const Row *row, int x)
{
  return row->numbers != NULL && row->labels->is_hidden[number_at (row, x)];
}

/* The number of pixels that are tested together; mostly they are all equal. */
enum { STRETCH = 8 };

static inline gboolean
are_all (const uint8_t *bytes, uint8_t value)
{
  uint64_t all;
  memcpy (&all, bytes, STRETCH);
  return all == value * UINT64_C (0x0101010101010101);
}

static inline gboolean
are_opaque (const uint32_t *pixels)
{
  uint32_t all = pixels[0];
  for (int i = 1; i < STRETCH; i++)
    all &= pixels[i];
  return FS_PIXEL_A (all) == 255;
}

static inline gboolean
is_plain (const Row *row, int x)
{
  return (row->mark == NULL || are_all (row->mark + x, 0)) && are_opaque (row->photo + x);
}

static void
mark_stretch (const Row *row, int x, int n, uint32_t *out)
{
  for (int i = x; i < x + n; i++) {
    uint32_t p = row->photo[i];
    out[i] = premultiply (row->mark != NULL ? add_mark (p, row, i) : p, FS_PIXEL_A (p));
  }
}

static void
compose_marks (const Row *row, int n, uint32_t *out)
{
  int x = 0;
  for (; x + STRETCH <= n; x += STRETCH)
    if (is_plain (row, x))
      memcpy (out + x, row->photo + x, STRETCH * sizeof *out);
    else
      mark_stretch (row, x, STRETCH, out);
  mark_stretch (row, x, n - x, out);
}

gboolean
fs_view_shows_zones (const FsViewStyle *style)
{
  return style->view == FS_VIEW_MARKS || (style->has_zones && style->view != FS_VIEW_ORIGINAL);
}

gboolean
fs_view_shows_edge (const FsViewStyle *style)
{
  return style->view == FS_VIEW_CUTOUT || style->view == FS_VIEW_EDGE
         || (style->view == FS_VIEW_MASK && style->has_soft_mask);
}

/* Over premultiplied pixels; transparent ones become partly opaque. */
static void
tint_zones (const Row *row, uint32_t opacity, int n, uint32_t *out)
{
  for (int x = 0; x < n; x++) {
    const uint8_t zone = row->zones[MIN ((row->first + x) << row->shift, row->last)];
    if (zone == FS_EDGE_ZONE_NONE)
      continue;
    const uint32_t alpha = 255 - ((255 - FS_PIXEL_A (out[x])) * (255 - opacity) + 127) / 255;
    out[x] = alpha << 24 | blend (out[x], fs_view_zone_colour (zone), opacity);
  }
}

/* With several objects each has its own colour. */
static inline uint32_t
tint (const Row *row, int x)
{
  uint32_t p = row->photo[x];
  uint8_t number = row->numbers != NULL ? number_at (row, x) : 0;
  return number < FS_SEED_OBJECT ? p : blend (p, row->labels->rgb[number], OBJECT_OPACITY);
}

static void
overlay_stretch (const Row *row, const Dull *d, int x, int n, uint32_t *out)
{
  for (int i = x; i < x + n; i++) {
    uint32_t p = row->photo[i];
    uint32_t background = is_hidden (row, i) ? 255 : 255 - row->mask[i] * row->mask_scale;
    uint32_t rgb;
    if (background == 255)
      rgb = dull (d, p);
    else if (background == 0)
      rgb = tint (row, i);
    else
      rgb = blend (tint (row, i), dull (d, p), background);
    out[i] = premultiply (row->mark != NULL ? add_mark (rgb, row, i) : rgb, FS_PIXEL_A (p));
  }
}

static void
compose_overlay (const Row *row, const Dull *d, int n, uint32_t *out)
{
  uint8_t whole = (uint8_t)(255 / row->mask_scale);
  int x = 0;
  for (; x + STRETCH <= n; x += STRETCH) {
    const uint32_t *photo = row->photo + x;
    gboolean plain = is_plain (row, x);
    if (plain && are_all (row->mask + x, 0))
      for (int i = 0; i < STRETCH; i++)
        out[x + i] = 0xff000000u | dull (d, photo[i]);
    else if (plain && row->numbers == NULL && are_all (row->mask + x, whole))
      memcpy (out + x, photo, STRETCH * sizeof *out);
    else
      overlay_stretch (row, d, x, STRETCH, out);
  }
  overlay_stretch (row, d, x, n - x, out);
}

static void
compose_cutout (const Row *row, int n, uint32_t *out)
{
  for (int x = 0; x < n; x++) {
    uint32_t p = row->photo[x];
    uint32_t object = is_hidden (row, x) ? 0 : row->mask[x] * row->mask_scale;
    out[x] = premultiply (p, (FS_PIXEL_A (p) * object + 127) / 255);
  }
}

static void
compose_mask (const Row *row, int n, uint32_t *out)
{
  for (int x = 0; x < n; x++) {
    uint32_t weight = row->mask != NULL ? row->mask[x] * row->mask_scale : 0;
    uint8_t number = row->numbers != NULL && weight > 0 ? number_at (row, x) : 0;
    uint32_t rgb =
        number < FS_SEED_OBJECT ? weight * 0x010101u : blend (0, row->labels->rgb[number], weight);
    out[x] = 0xff000000u | rgb;
  }
}

/* ---- The edge ---- */

#define EDGE_RGB         0xff2bd6u /* of partly transparent pixels */
#define EDGE_OPACITY_MIN 170       /* of 255: the thinnest haze is seen */
#define DIM_OBJECT       110       /* of 255 that the photo keeps in the edge view */
#define DIM_BACKGROUND   50

static inline uint32_t
show_edge (const Row *row, int x, uint32_t alpha)
{
  const uint32_t p = row->photo[x];
  if (alpha == 0 || alpha == 255)
    return blend (0, p, alpha == 0 ? DIM_BACKGROUND : DIM_OBJECT);
  const uint32_t strength = 2 * MIN (alpha, 255 - alpha);
  return blend (blend (0, p, DIM_OBJECT), EDGE_RGB,
                EDGE_OPACITY_MIN + strength * (255 - EDGE_OPACITY_MIN) / 255);
}

static void
compose_edge (FsView view, const Row *row, const uint32_t *words, int n, uint32_t *out)
{
  for (int x = 0; x < n; x++) {
    const uint32_t alpha = FS_PIXEL_A (words[x]), own = FS_PIXEL_A (row->photo[x]);
    if (view == FS_VIEW_CUTOUT) {
      out[x] = is_hidden (row, x) ? 0 : premultiply (words[x], (own * alpha + 127) / 255);
    } else if (view == FS_VIEW_EDGE) {
      out[x] = premultiply (show_edge (row, x, alpha), own);
    } else {
      const uint8_t number = row->numbers != NULL && alpha > 0 ? number_at (row, x) : 0;
      out[x] = 0xff000000u
               | (number < FS_SEED_OBJECT ? alpha * 0x010101u
                                          : blend (0, row->labels->rgb[number], alpha));
    }
  }
}

/* Between tiles with an edge: a pixel of a coarse level that is partly object is no haze. */
static void
compose_hard_edge (const Row *row, int n, uint32_t *out)
{
  for (int x = 0; x < n; x++) {
    const gboolean is_object = row->mask[x] * row->mask_scale >= 128;
    out[x] = premultiply (show_edge (row, x, is_object ? 255 : 0), FS_PIXEL_A (row->photo[x]));
  }
}

static void
compose_row (FsView view, const Dull *d, const Row *row, int n, uint32_t *out)
{
  Row plain = *row;
  plain.mark = NULL;
  if (view == FS_VIEW_MASK)
    compose_mask (row, n, out);
  else if (view == FS_VIEW_OVERLAY && row->mask != NULL)
    compose_overlay (row, d, n, out);
  else if (view == FS_VIEW_CUTOUT && row->mask != NULL)
    compose_cutout (&plain, n, out);
  else if (view == FS_VIEW_EDGE && row->mask != NULL)
    compose_hard_edge (&plain, n, out);
  else
    compose_marks (view == FS_VIEW_MARKS || view == FS_VIEW_OVERLAY ? row : &plain, n, out);
}

void
fs_view_compose (const FsPyramidLevel *level, const FsViewStyle *style, const FsRect *window,
                 uint32_t *out, size_t stride_px)
{
  Dull d = make_dull (style);
  const uint32_t zone_opacity = style->view == FS_VIEW_MARKS ? ZONE_OPACITY : ZONE_OPACITY_STRONG;
  const int n = window->x1 - window->x0;
  const gboolean has_words = level->edge != NULL && level->mask != NULL
                             && fs_view_shows_edge (style)
                             && fs_edge_levels_has_words (level->edge, level->shift, window);
  g_autofree uint32_t *words = has_words ? g_new (uint32_t, (gsize)n) : NULL;
  for (int y = window->y0; y < window->y1; y++) {
    size_t at = (size_t)y * level->width + window->x0;
    Row row = {
      .photo = level->photo + at,
      .mask = level->mask != NULL ? level->mask + at : NULL,
      .mark = level->mark != NULL ? level->mark + at : NULL,
      .mark_coverage = level->mark_coverage != NULL ? level->mark_coverage + at : NULL,
      .mask_scale = 255 / level->mask_unit,
      .first = window->x0,
      .last = level->numbers_width - 1,
      .shift = level->shift,
      .labels = style->labels != NULL ? style->labels : get_usual_labels (),
    };
    const int y0 = MIN (y << level->shift, level->numbers_height - 1);
    const size_t row0 = (size_t)y0 * (size_t)level->numbers_width;
    if (level->numbers != NULL)
      row.numbers = level->numbers + row0;
    if (level->zones != NULL && fs_view_shows_zones (style))
      row.zones = level->zones + row0;
    if (has_words) {
      fs_edge_levels_read_row (level->edge, level->shift, y, window->x0, window->x1, words);
      compose_edge (style->view, &row, words, n, out);
    } else {
      compose_row (style->view, &d, &row, n, out);
    }
    if (row.zones != NULL)
      tint_zones (&row, zone_opacity, n, out);
    out += stride_px;
  }
}

void
fs_view_scratch_clear (FsViewScratch *scratch)
{
  g_free (scratch->pixels);
  *scratch = (FsViewScratch){ 0 };
}

static uint32_t *
scratch_reserve (FsViewScratch *scratch, size_t n)
{
  if (scratch->capacity < n) {
    g_free (scratch->pixels);
    scratch->pixels = g_new (uint32_t, n);
    scratch->capacity = n;
  }
  return scratch->pixels;
}

/* The level's pixels for a block of the screen, with the margin that the filter reads. */
static FsRect
level_window (const FsPyramidLevel *level, const FsViewTransform *t, double level_zoom,
              const FsRect *block)
{
  FsRect window = {
    (int)floor ((block->x0 - t->x) / level_zoom) - 2,
    (int)floor ((block->y0 - t->y) / level_zoom) - 2,
    (int)ceil ((block->x1 - t->x) / level_zoom) + 2,
    (int)ceil ((block->y1 - t->y) / level_zoom) + 2,
  };
  return fs_rect_intersect (window, (FsRect){ 0, 0, level->width, level->height });
}

static gboolean
is_see_through (const FsPyramid *pyramid, const FsViewStyle *style)
{
  return style->view == FS_VIEW_CUTOUT || fs_pyramid_get_image (pyramid)->has_alpha;
}

/* Paints `part` of a block. The window is always that of the whole block, so that a pixel is
 * sampled identically whenever it is painted; pixels that the part does not need are not composed.
 */
static void
paint_block (const FsPyramid *pyramid, const FsViewStyle *style, const FsViewTransform *t,
             const FsRect *block, const FsRect *part, FsViewScratch *scratch, cairo_t *cr)
{
  guint k = fs_pyramid_choose_level (pyramid, t->zoom);
  double level_zoom = ldexp (t->zoom, (int)k);
  FsPyramidLevel level = fs_pyramid_get_level (pyramid, k);
  FsRect window = level_window (&level, t, level_zoom, block);
  if (fs_rect_is_empty (window))
    return;
  int width = window.x1 - window.x0;
  int height = window.y1 - window.y0;
  uint32_t *pixels = scratch_reserve (scratch, (size_t)width * height);
  FsRect needed = level_window (&level, t, level_zoom, part);
  size_t first = (size_t)(needed.y0 - window.y0) * width + (needed.x0 - window.x0);
  fs_view_compose (&level, style, &needed, pixels + first, (size_t)width);

  /* Opaque pixels are copied, not blended. */
  cairo_format_t format =
      is_see_through (pyramid, style) ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24;
  cairo_surface_t *surface = cairo_image_surface_create_for_data ((unsigned char *)pixels, format,
                                                                  width, height, width * 4);
  cairo_save (cr);
  cairo_rectangle (cr, part->x0, part->y0, part->x1 - part->x0, part->y1 - part->y0);
  cairo_clip (cr);
  cairo_translate (cr, t->x, t->y);
  cairo_scale (cr, level_zoom, level_zoom);
  cairo_set_source_surface (cr, surface, window.x0, window.y0);
  gboolean crisp = level_zoom == 1 || level_zoom >= ZOOM_CRISP;
  cairo_pattern_set_filter (cairo_get_source (cr),
                            crisp ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_paint (cr);
  cairo_restore (cr);
  cairo_surface_destroy (surface);
}

static void
fill_rect (cairo_t *cr, const FsRect *rect)
{
  cairo_rectangle (cr, rect->x0, rect->y0, rect->x1 - rect->x0, rect->y1 - rect->y0);
  cairo_fill (cr);
}

static cairo_surface_t *
new_checkers (int square)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, 2 * square, 2 * square);
  cairo_t *cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 0.73, 0.73, 0.73);
  cairo_paint (cr);
  cairo_set_source_rgb (cr, 0.85, 0.85, 0.85);
  cairo_rectangle (cr, square, 0, square, square);
  cairo_rectangle (cr, 0, square, square, square);
  cairo_fill (cr);
  cairo_destroy (cr);
  return surface;
}

/* The squares are fixed to the photo; otherwise pixels moved by a pan would not match. */
static void
paint_checkerboard (const FsViewTransform *t, const FsRect *rect, cairo_t *cr)
{
  cairo_surface_t *surface = new_checkers (CHECKER_PX * t->scale);
  cairo_set_source_surface (cr, surface, t->x, t->y);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_REPEAT);
  fill_rect (cr, rect);
  cairo_surface_destroy (surface);
}

/* In views other than the cut-out a transparent photo is shown on squares. */
static void
paint_backdrop (const FsViewStyle *style, const FsViewTransform *t, const FsRect *rect, cairo_t *cr)
{
  FsBackdrop backdrop = style->view == FS_VIEW_CUTOUT ? style->backdrop : FS_BACKDROP_CHECKS;
  if (backdrop == FS_BACKDROP_CHECKS) {
    paint_checkerboard (t, rect, cr);
    return;
  }
  uint32_t rgb = backdrop == FS_BACKDROP_BLACK   ? 0
                 : backdrop == FS_BACKDROP_WHITE ? 0xffffff
                                                 : style->backdrop_rgb;
  cairo_set_source_rgb (cr, FS_PIXEL_R (rgb) / 255.0, FS_PIXEL_G (rgb) / 255.0,
                        FS_PIXEL_B (rgb) / 255.0);
  fill_rect (cr, rect);
}

void
fs_view_paint (const FsPyramid *pyramid, const FsViewStyle *style, const FsViewTransform *t,
               const FsRect *device, FsViewScratch *scratch, cairo_t *cr)
{
  cairo_set_source_rgb (cr, 0.118, 0.118, 0.125);
  fill_rect (cr, device);
  FsRect photo = fs_rect_intersect (fs_view_transform_photo (t), *device);
  if (fs_rect_is_empty (photo))
    return;
  if (is_see_through (pyramid, style))
    paint_backdrop (style, t, &photo, cr);
  /* Blocks are fixed to the photo, too. */
  FsRect whole = fs_view_transform_photo (t);
  int first_x = photo.x0 - (photo.x0 - whole.x0) % BLOCK_PX;
  int first_y = photo.y0 - (photo.y0 - whole.y0) % BLOCK_PX;
  for (int y = first_y; y < photo.y1; y += BLOCK_PX)
    for (int x = first_x; x < photo.x1; x += BLOCK_PX) {
      FsRect block = { x, y, MIN (x + BLOCK_PX, whole.x1), MIN (y + BLOCK_PX, whole.y1) };
      FsRect part = fs_rect_intersect (block, photo);
      paint_block (pyramid, style, t, &block, &part, scratch, cr);
    }
}
