/* SPDX-License-Identifier: MIT */
/* The window with all keys.   Layer: ui.   Threads: the main one. */
#ifndef FS_UI_WINDOW_SHORTCUTS_H
#define FS_UI_WINDOW_SHORTCUTS_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shows it above `parent`, which may be NULL. There is one for the whole program. */
void fs_shortcuts_show (GtkWindow *parent);

G_END_DECLS

#endif
