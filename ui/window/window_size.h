/* SPDX-License-Identifier: MIT */
/* The size of the last window, taken over by new ones.   Layer: ui.   Threads: the main one. */
#ifndef FS_UI_WINDOW_WINDOW_SIZE_H
#define FS_UI_WINDOW_WINDOW_SIZE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Gives `window`, not yet shown, the size that is remembered, and remembers the size that it has
 * whenever it is hidden or closed. */
void fs_window_size_remember (GtkWindow *window);

G_END_DECLS

#endif
