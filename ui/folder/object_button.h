/* SPDX-License-Identifier: MIT */
/* Menu button that selects the object to paint: colour, number and name of the current one, and a
 * menu of all by name.   Layer: ui.
 *
 * In a folder that is one job the number is that among the objects of its class, since digits
 * choose classes there.
 *
 * Selects by the window's action "win.object", renames by "win.name-object".
 *
 * Threads: the main one.
 */
#ifndef FS_UI_FOLDER_OBJECT_BUTTON_H
#define FS_UI_FOLDER_OBJECT_BUTTON_H

#include "app/session/project.h"
#include "ui/canvas/tools.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_OBJECT_BUTTON (fs_object_button_get_type ())
G_DECLARE_FINAL_TYPE (FsObjectButton, fs_object_button, FS, OBJECT_BUTTON, GtkMenuButton)

void fs_object_button_set_tools (FsObjectButton *self, FsTools *tools);

/* Sets the project with the objects; may be NULL. */
void fs_object_button_set_project (FsObjectButton *self, FsProject *project);

/* TRUE while the photo is one of a job. */
void fs_object_button_set_in_job (FsObjectButton *self, gboolean in_job);

G_END_DECLS

#endif
