/* SPDX-License-Identifier: MIT */
/* The canvas as it was last drawn, in screen pixels.   Layer: ui.
 *
 * Exposures, the brush circle and panning copy from it; only rectangles that were invalidated are
 * composed again. Panning moves what is there and composes the strip that comes in.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_VIEW_SCREEN_CACHE_H
#define FS_UI_VIEW_SCREEN_CACHE_H

#include "app/strokes/stroke.h"
#include <cairo.h>

G_BEGIN_DECLS

typedef struct _FsScreenCache FsScreenCache;

typedef void (*FsScreenPaint) (cairo_t *cr, const FsRect *device, gpointer user_data);

/* `format`: RGB24, or A8 for layers over it. */
FsScreenCache *fs_screen_cache_new (cairo_format_t format);
void fs_screen_cache_free (FsScreenCache *cache);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsScreenCache, fs_screen_cache_free)

/* Device pixels. Another size makes everything invalid. */
void fs_screen_cache_set_size (FsScreenCache *cache, int width, int height);
void fs_screen_cache_invalidate (FsScreenCache *cache, const FsRect *device);
void fs_screen_cache_invalidate_all (FsScreenCache *cache);
void fs_screen_cache_scroll (FsScreenCache *cache, int dx, int dy);

/* Lets `paint` draw each invalid rectangle, then returns the surface, which the cache owns. NULL
 * before a size is set. */
cairo_surface_t *fs_screen_cache_update (FsScreenCache *cache, FsScreenPaint paint,
                                         gpointer user_data);
/* Device pixels painted by update() since the cache was made: what tests of damage look at. */
guint64 fs_screen_cache_get_painted (const FsScreenCache *cache);

G_END_DECLS

#endif
