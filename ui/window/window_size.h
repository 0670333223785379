/* SPDX-License-Identifier: MIT */
/* Size of new windows: that of the last one.   Layer: ui.   Threads: the main one. */
#ifndef FS_UI_WINDOW_WINDOW_SIZE_H
#define FS_UI_WINDOW_WINDOW_SIZE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Sets the stored size for `window`, which is not yet shown, and stores its size whenever it is
 * hidden or closed. */
void fs_window_size_remember (GtkWindow *window);

G_END_DECLS

#endif
