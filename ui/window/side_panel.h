/* SPDX-License-Identifier: MIT */
/* A panel at the end of the window that comes and goes.   Layer: ui.
 *
 * It is an overlay's child. Where the overlay is wide, a widget beside the photo keeps as much room
 * free as the panel takes, so that nothing is hidden; where it is narrow, the panel lies over the
 * photo, and Escape closes it.
 *
 * Property: "reveal-child" (GtkRevealer's): whether it is open.
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_SIDE_PANEL_H
#define FS_UI_WINDOW_SIDE_PANEL_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_SIDE_PANEL (fs_side_panel_get_type ())
G_DECLARE_FINAL_TYPE (FsSidePanel, fs_side_panel, FS, SIDE_PANEL, GtkRevealer)

/* Widget pixels of the photo that a panel beside it leaves. */
#define FS_SIDE_PANEL_MIN_PHOTO_WIDTH 520

/* Once, when it has its child and is in its overlay. `space` is the widget that keeps room for it.
 */
void fs_side_panel_set_space (FsSidePanel *self, GtkWidget *space);

G_END_DECLS

#endif
