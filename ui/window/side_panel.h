/* SPDX-License-Identifier: MIT */
/* Side panel at the end of the window, which can be revealed and hidden.   Layer: ui.
 *
 * It is a child of a GtkOverlay. In a wide overlay a spacer next to the photo has the panel's
 * width, so that nothing is covered; in a narrow one the panel is as narrow as it can be, covers a
 * part of the photo, and Escape closes it. Bars of messages lie over the photo alone, or above a
 * panel that covers it.
 *
 * Property: "reveal-child" (GtkRevealer's): TRUE while it is open.
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_SIDE_PANEL_H
#define FS_UI_WINDOW_SIDE_PANEL_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_SIDE_PANEL (fs_side_panel_get_type ())
G_DECLARE_FINAL_TYPE (FsSidePanel, fs_side_panel, FS, SIDE_PANEL, GtkRevealer)

/* The minimum width of the photo next to the panel, in widget pixels; otherwise the panel covers
 * it. */
#define FS_SIDE_PANEL_MIN_PHOTO_WIDTH 520

/* Call it once, when the panel has its child, a GtkScrolledWindow, and is in its overlay. `space`
 * is the spacer, `bars` lie over the overlay, at its top. */
void fs_side_panel_set_space (FsSidePanel *self, GtkWidget *space, GtkWidget *bars);

G_END_DECLS

#endif
