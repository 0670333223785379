/* SPDX-License-Identifier: MIT */
/* The line under the photo: which photo, how the cut stands, who made it, and the zoom.
 * Layer: ui. Threads: the main one.
 */
#ifndef FS_UI_STATUS_STATUS_LINE_H
#define FS_UI_STATUS_STATUS_LINE_H

#include "app/live/document.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_STATUS_LINE (fs_status_line_get_type ())
G_DECLARE_FINAL_TYPE (FsStatusLine, fs_status_line, FS, STATUS_LINE, GtkBox)

/* Follows a document; `name` is the photo's name to show. Both NULL: nothing is open. */
void fs_status_line_set_document (FsStatusLine *self, FsDocument *document, const char *name);
/* With the energy of the cut and the time that it took: figures for those who ask for them. */
void fs_status_line_set_detailed (FsStatusLine *self, gboolean detailed);
/* That a subject finder of this name runs, beside a button that cancels it; NULL: none does. */
void fs_status_line_set_finding (FsStatusLine *self, const char *text, const char *finder);
/* Screen pixels per image pixel; 0 without a photo. */
void fs_status_line_set_zoom (FsStatusLine *self, double zoom);

G_END_DECLS

#endif
