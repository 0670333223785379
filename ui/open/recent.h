/* SPDX-License-Identifier: MIT */
/* Files that were opened or saved before.   Layer: ui. Threads: the main one. */
#ifndef FS_UI_OPEN_RECENT_H
#define FS_UI_OPEN_RECENT_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Registers with the desktop a photo or session of this computer; not about a pasted image. */
void fs_recent_add (const char *path);

/* Fills `menu` with the newest of this program's files that are still there: items of the action
 * app.open-recent with the URI. Looks at files: to be called when the menu opens. */
void fs_recent_fill (GMenu *menu);

G_END_DECLS

#endif
