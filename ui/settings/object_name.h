/* SPDX-License-Identifier: MIT */
/* Names of objects, and the dialog that renames one.   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_OBJECT_NAME_H
#define FS_UI_SETTINGS_OBJECT_NAME_H

#include "app/session/project.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The object's name, or “Object 2” if it has none; objects are numbered from 1 on. `project` may be
 * NULL. g_free. */
char *fs_object_name_call (FsProject *project, int object);

/* Shows a dialog above `parent` that renames the object; an empty name removes it. */
void fs_object_name_ask (GtkWindow *parent, FsProject *project, int object);

G_END_DECLS

#endif
