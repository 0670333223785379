/* SPDX-License-Identifier: MIT */
/* Thumbnails of photos, loaded when they are asked for.   Layer: ui.
 *
 * A worker reads one photo at a time, the newest wish first; the oldest thumbnails are dropped.
 * A photo that cannot be read has none. Signals: "loaded" (): another thumbnail is there.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_FOLDER_THUMBNAIL_CACHE_H
#define FS_UI_FOLDER_THUMBNAIL_CACHE_H

#include <cairo.h>
#include <glib-object.h>

G_BEGIN_DECLS

#define FS_TYPE_THUMBNAIL_CACHE (fs_thumbnail_cache_get_type ())
G_DECLARE_FINAL_TYPE (FsThumbnailCache, fs_thumbnail_cache, FS, THUMBNAIL_CACHE, GObject)

/* At most `side_px` high and wide. */
FsThumbnailCache *fs_thumbnail_cache_new (int side_px);

/* The thumbnail of the photo at `path`, owned by the cache; NULL: it is not there, and has been
 * asked for. */
cairo_surface_t *fs_thumbnail_cache_get (FsThumbnailCache *self, const char *path);
/* Forgets the wishes that have not been begun. */
void fs_thumbnail_cache_forget_wishes (FsThumbnailCache *self);
/* Ends; a photo that is being read comes back to nothing. */
void fs_thumbnail_cache_close (FsThumbnailCache *self);

G_END_DECLS

#endif
