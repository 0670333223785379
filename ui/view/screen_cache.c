/* SPDX-License-Identifier: MIT */
#include "ui/view/screen_cache.h"

struct _FsScreenCache {
  cairo_format_t format;
  cairo_surface_t *surface;
  cairo_surface_t *spare; /* the target of scroll(): a surface must not be copied onto itself */
  cairo_region_t *invalid;
  int width, height;
  guint64 painted;
};

FsScreenCache *
fs_screen_cache_new (cairo_format_t format)
{
  FsScreenCache *cache = g_new0 (FsScreenCache, 1);
  cache->format = format;
  cache->invalid = cairo_region_create ();
  return cache;
}

static void
drop_surfaces (FsScreenCache *cache)
{
  g_clear_pointer (&cache->surface, cairo_surface_destroy);
  g_clear_pointer (&cache->spare, cairo_surface_destroy);
}

void
fs_screen_cache_free (FsScreenCache *cache)
{
  if (cache == NULL)
    return;
  drop_surfaces (cache);
  cairo_region_destroy (cache->invalid);
  g_free (cache);
}

void
fs_screen_cache_set_size (FsScreenCache *cache, int width, int height)
{
  if (cache->width == width && cache->height == height)
    return;
  drop_surfaces (cache);
  cache->width = width;
  cache->height = height;
  if (width > 0 && height > 0) {
    cache->surface = cairo_image_surface_create (cache->format, width, height);
    cache->spare = cairo_image_surface_create (cache->format, width, height);
  }
  fs_screen_cache_invalidate_all (cache);
}

void
fs_screen_cache_invalidate (FsScreenCache *cache, const FsRect *device)
{
  FsRect rect = fs_rect_intersect (*device, (FsRect){ 0, 0, cache->width, cache->height });
  if (fs_rect_is_empty (rect))
    return;
  cairo_rectangle_int_t r = { rect.x0, rect.y0, rect.x1 - rect.x0, rect.y1 - rect.y0 };
  cairo_region_union_rectangle (cache->invalid, &r);
}

void
fs_screen_cache_invalidate_all (FsScreenCache *cache)
{
  cairo_region_destroy (cache->invalid);
  cache->invalid = cairo_region_create ();
  fs_screen_cache_invalidate (cache, &(FsRect){ 0, 0, cache->width, cache->height });
}

void
fs_screen_cache_scroll (FsScreenCache *cache, int dx, int dy)
{
  if (cache->surface == NULL || (dx == 0 && dy == 0))
    return;
  cairo_t *cr = cairo_create (cache->spare);
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, cache->surface, dx, dy);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_t *moved = cache->spare;
  cache->spare = cache->surface;
  cache->surface = moved;

  cairo_rectangle_int_t view = { 0, 0, cache->width, cache->height };
  cairo_rectangle_int_t reused = { dx, dy, cache->width, cache->height };
  cairo_region_t *fresh = cairo_region_create_rectangle (&view);
  cairo_region_subtract_rectangle (fresh, &reused);
  cairo_region_translate (cache->invalid, dx, dy);
  cairo_region_union (cache->invalid, fresh);
  cairo_region_intersect_rectangle (cache->invalid, &view);
  cairo_region_destroy (fresh);
}

cairo_surface_t *
fs_screen_cache_update (FsScreenCache *cache, FsScreenPaint paint, gpointer user_data)
{
  int n = cairo_region_num_rectangles (cache->invalid);
  if (cache->surface == NULL || n == 0)
    return cache->surface;
  cairo_t *cr = cairo_create (cache->surface);
  for (int i = 0; i < n; i++) {
    cairo_rectangle_int_t r;
    cairo_region_get_rectangle (cache->invalid, i, &r);
    FsRect rect = { r.x, r.y, r.x + r.width, r.y + r.height };
    paint (cr, &rect, user_data);
    cache->painted += (guint64)r.width * (guint64)r.height;
  }
  cairo_destroy (cr);
  cairo_region_destroy (cache->invalid);
  cache->invalid = cairo_region_create ();
  return cache->surface;
}

guint64
fs_screen_cache_get_painted (const FsScreenCache *cache)
{
  return cache->painted;
}
