/* SPDX-License-Identifier: MIT */
/* The window's buttons for tools and views: one for each value of FsTool and FsView.   Layer: ui.
 *
 * In the template they are called after the values: tool_object, view_mask, …
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_WINDOW_CHOICES_H
#define FS_UI_WINDOW_WINDOW_CHOICES_H

#include "ui/window/window.h"

G_BEGIN_DECLS

/* For the class's initialiser. */
void fs_window_choices_declare (GtkWidgetClass *widget_class);
/* Keeps the buttons and the window's tools alike from now on. */
void fs_window_choices_bind (FsWindow *window);
/* The accessible name of the button for a value, by its nick; an FsNarratorCall. */
const char *fs_window_choices_call (const char *property, const char *nick, gpointer window);

G_END_DECLS

#endif
