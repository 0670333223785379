/* SPDX-License-Identifier: MIT */
/* Which object the brush paints: its colour and number, and a menu of them.   Layer: ui.
 *
 * Chooses by the window's action "win.object". Threads: the main one.
 */
#ifndef FS_UI_OBJECT_BUTTON_H
#define FS_UI_OBJECT_BUTTON_H

#include "ui/tools.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_OBJECT_BUTTON (fs_object_button_get_type ())
G_DECLARE_FINAL_TYPE (FsObjectButton, fs_object_button, FS, OBJECT_BUTTON, GtkMenuButton)

void fs_object_button_set_tools (FsObjectButton *self, FsTools *tools);

G_END_DECLS

#endif
