/* SPDX-License-Identifier: MIT */
/* Cache of the canvas as last drawn, in screen pixels.   Layer: ui.
 *
 * Exposures and the brush circle are drawn from it; only rectangles that were invalidated are
 * composed again. Panning moves the pixels in it and composes the uncovered strip.
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

/* Device pixels. Another size invalidates everything. */
void fs_screen_cache_set_size (FsScreenCache *cache, int width, int height);
void fs_screen_cache_invalidate (FsScreenCache *cache, const FsRect *device);
void fs_screen_cache_invalidate_all (FsScreenCache *cache);
void fs_screen_cache_scroll (FsScreenCache *cache, int dx, int dy);

/* Lets `paint` draw each invalid rectangle, then returns the surface, which the cache owns. NULL
 * before a size is set. */
cairo_surface_t *fs_screen_cache_update (FsScreenCache *cache, FsScreenPaint paint,
                                         gpointer user_data);
/* The number of device pixels painted by update() since the cache was made, for tests of damage. */
guint64 fs_screen_cache_get_painted (const FsScreenCache *cache);

G_END_DECLS

#endif
