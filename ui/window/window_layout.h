/* SPDX-License-Identifier: MIT */
/* Widgets of a window: template, buttons for tools and views, menus, visibility.   Layer: ui.
 *
 * In the template the buttons are named after the values of FsTool and FsView: tool_object,
 * view_mask, …
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_WINDOW_LAYOUT_H
#define FS_UI_WINDOW_WINDOW_LAYOUT_H

#include "ui/window/window_state.h"

G_BEGIN_DECLS

/* Sets the class's template and declares its children. */
void fs_window_layout_class_init (GtkWidgetClass *widget_class);
/* Creates the widgets and connects them with each other and with the window's tools. */
void fs_window_layout_init (FsWindow *self);
/* Shows the widgets of a photo, or those of the empty state. */
void fs_window_layout_set_has_photo (FsWindow *self, gboolean has_photo);

/* Apply in place of Export, and no buttons that open files. */
void fs_window_layout_set_hand_over (FsWindow *self);

G_END_DECLS

#endif
