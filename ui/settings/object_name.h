/* SPDX-License-Identifier: MIT */
/* Names of objects, and the dialog that changes one.   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SETTINGS_OBJECT_NAME_H
#define FS_UI_SETTINGS_OBJECT_NAME_H

#include "app/session/project.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Its name, or “Object 2” while it has none; objects are numbered from 1 on. `project` may be NULL.
 * g_free. */
char *fs_object_name_call (FsProject *project, int object);

/* Asks above `parent` for another name, which an empty answer takes away. */
void fs_object_name_ask (GtkWindow *parent, FsProject *project, int object);

G_END_DECLS

#endif
