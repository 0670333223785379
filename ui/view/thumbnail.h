/* SPDX-License-Identifier: MIT */
/* Thumbnail of an export's content, on a checkerboard.   Layer: ui.
 *
 * Threads: the main one; render() on any.
 */
#ifndef FS_UI_VIEW_THUMBNAIL_H
#define FS_UI_VIEW_THUMBNAIL_H

#include "app/export/export.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_THUMBNAIL (fs_thumbnail_get_type ())
G_DECLARE_FINAL_TYPE (FsThumbnail, fs_thumbnail, FS, THUMBNAIL, GtkDrawingArea)

/* Sets the maximum size of the photo's pixels, in widget pixels; 1 by default. */
void fs_thumbnail_set_zoom (FsThumbnail *self, int zoom);

/* Renders it immediately; `what` need not stay valid. */
void fs_thumbnail_set (FsThumbnail *self, const FsExport *what);

/* The picture without a widget, at most `side` pixels high and wide; NULL where memory is short.
 * Averages up to 16 pixels of the photo for each of its own. cairo_surface_destroy. */
cairo_surface_t *fs_thumbnail_render (const FsExport *what, int side);

G_END_DECLS

#endif
