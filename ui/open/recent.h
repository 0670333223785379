/* SPDX-License-Identifier: MIT */
/* Recently used files.   Layer: ui.   Threads: the main one. */
#ifndef FS_UI_OPEN_RECENT_H
#define FS_UI_OPEN_RECENT_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Adds a local photo or session to the desktop's recent files; pasted images are not added. */
void fs_recent_add (const char *path);

/* Fills `menu` with this program's most recent files that still exist: items of the action
 * app.open-recent with the URI. Accesses the disk: call it when the menu opens. */
void fs_recent_fill (GMenu *menu);

G_END_DECLS

#endif
