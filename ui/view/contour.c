/* SPDX-License-Identifier: MIT */
#include "ui/view/contour.h"

#include "ui/view/screen_cache.h"
#include <math.h>
#include <string.h>

#define DASH_PX 4 /* widget pixels, for each of the two colours */

struct _FsContour {
  FsScreenCache *cache;
  GArray *columns; /* of int, scratch: the level's column at each screen column, or −1 */
};

/* The parameters of an update. */
typedef struct {
  const FsContour *contour;
  const FsViewTransform *transform;
  FsPyramidLevel level;
  double level_zoom;
} Source;

FsContour *
fs_contour_new (void)
{
  FsContour *contour = g_new0 (FsContour, 1);
  contour->cache = fs_screen_cache_new (CAIRO_FORMAT_A8);
  contour->columns = g_array_new (FALSE, FALSE, sizeof (int));
  return contour;
}

void
fs_contour_free (FsContour *contour)
{
  if (contour == NULL)
    return;
  fs_screen_cache_free (contour->cache);
  g_array_unref (contour->columns);
  g_free (contour);
}

void
fs_contour_set_size (FsContour *contour, int width, int height)
{
  fs_screen_cache_set_size (contour->cache, width, height);
}

void
fs_contour_invalidate (FsContour *contour, const FsRect *device)
{
  fs_screen_cache_invalidate (contour->cache, device);
}

void
fs_contour_invalidate_all (FsContour *contour)
{
  fs_screen_cache_invalidate_all (contour->cache);
}

void
fs_contour_scroll (FsContour *contour, int dx, int dy)
{
  fs_screen_cache_scroll (contour->cache, dx, dy);
}

/* ---- The line ---- */

/* The pixel of the pyramid level at the centre of a screen pixel; −1 outside the photo. */
static int
place_of (double offset, int screen, double zoom, int size)
{
  double at = floor ((screen + 0.5 - offset) / zoom);
  return at >= 0 && at < size ? (int)at : -1;
}

static void
find_columns (const Source *source, int x0, int x1)
{
  GArray *columns = source->contour->columns;
  g_array_set_size (columns, 0);
  for (int x = x0; x < x1; x++) {
    int column = place_of (source->transform->x, x, source->level_zoom, source->level.width);
    g_array_append_val (columns, column);
  }
}

/* NULL outside the photo. */
static const uint8_t *
mask_row (const Source *source, int y)
{
  int row = place_of (source->transform->y, y, source->level_zoom, source->level.height);
  return row < 0 ? NULL : source->level.mask + (size_t)row * source->level.width;
}

static inline gboolean
is_object (const uint8_t *row, int column, int unit)
{
  return row != NULL && column >= 0 && 2 * row[column] >= unit;
}

/* `columns` begins `step` screen pixels before the first pixel of the row. */
static void
paint_row (const Source *source, int y, int n, int step, unsigned char *out)
{
  const int *columns = (const int *)(gpointer)source->contour->columns->data;
  const uint8_t *row = mask_row (source, y), *above = mask_row (source, y - step);
  int unit = source->level.mask_unit;
  for (int i = 0; i < n; i++) {
    gboolean here = is_object (row, columns[i + step], unit);
    gboolean border = here != is_object (row, columns[i], unit)
                      || here != is_object (above, columns[i + step], unit);
    out[i] = border ? 255 : 0;
  }
}

static void
paint_line (cairo_t *cr, const FsRect *device, gpointer data)
{
  const Source *source = data;
  cairo_surface_t *surface = cairo_get_target (cr);
  cairo_surface_flush (surface);
  unsigned char *bytes = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface), step = source->transform->scale;
  find_columns (source, device->x0 - step, device->x1);
  for (int y = device->y0; y < device->y1; y++)
    paint_row (source, y, device->x1 - device->x0, step,
               bytes + (size_t)y * (size_t)stride + device->x0);
  cairo_surface_mark_dirty (surface);
}

/* ---- The dashes ---- */

static void
set_dashes (cairo_t *cr, int dash, guint phase)
{
  int period = 2 * dash;
  cairo_surface_t *tile = cairo_image_surface_create (CAIRO_FORMAT_RGB24, period, period);
  int stride = cairo_image_surface_get_stride (tile);
  unsigned char *bytes = cairo_image_surface_get_data (tile);
  for (int y = 0; y < period; y++)
    for (int x = 0; x < period; x++) {
      guint at = ((guint)(x + y) + phase * (guint)dash / 2) % (guint)period;
      uint32_t colour = at < (guint)dash ? 0xffffff : 0;
      memcpy (bytes + y * stride + 4 * x, &colour, sizeof colour);
    }
  cairo_surface_mark_dirty (tile);
  cairo_set_source_surface (cr, tile, 0, 0);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_REPEAT);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_surface_destroy (tile);
}

void
fs_contour_draw (FsContour *contour, cairo_t *cr, const FsPyramid *pyramid,
                 const FsViewTransform *transform, guint phase)
{
  guint k = fs_pyramid_choose_level (pyramid, transform->zoom);
  Source source = { .contour = contour,
                    .transform = transform,
                    .level = fs_pyramid_get_level (pyramid, k),
                    .level_zoom = ldexp (transform->zoom, (int)k) };
  if (source.level.mask == NULL)
    return;
  cairo_surface_t *line = fs_screen_cache_update (contour->cache, paint_line, &source);
  if (line == NULL)
    return;
  cairo_save (cr);
  set_dashes (cr, DASH_PX * transform->scale, phase);
  cairo_mask_surface (cr, line, 0, 0);
  cairo_restore (cr);
}
