/* SPDX-License-Identifier: MIT */
/* Settings of the edge: width, shift, contrast, corners, clean colours, specks, holes.   Layer: ui.
 *
 * They act at once, each can be reset, and changes are edits of the document, which undo takes
 * back.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_EDGE_PANEL_H
#define FS_UI_SETTINGS_EDGE_PANEL_H

#include "app/live/document.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_EDGE_PANEL (fs_edge_panel_get_type ())
G_DECLARE_FINAL_TYPE (FsEdgePanel, fs_edge_panel, FS, EDGE_PANEL, GtkBox)

/* NULL: no document, insensitive. */
void fs_edge_panel_set_document (FsEdgePanel *self, FsDocument *document);

G_END_DECLS

#endif
