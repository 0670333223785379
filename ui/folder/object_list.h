/* SPDX-License-Identifier: MIT */
/* List of a job's classes and of the photo's objects, beside the photo.   Layer: ui.
 *
 * A class has its colour, key and name, and a menu: another object, rename, remove. Below it are
 * its objects on this photo, each with an eye: hidden ones are left out in overlay and cut-out, and
 * exported all the same. Objects of a removed class, or of none, have a heading of their own. A
 * click chooses what the brush paints.
 *
 * Threads: the main one; the folder's sessions are read and renamed by workers.
 */
#ifndef FS_UI_FOLDER_OBJECT_LIST_H
#define FS_UI_FOLDER_OBJECT_LIST_H

#include "app/session/project.h"
#include "ui/canvas/tools.h"
#include "ui/folder/folder_job.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_OBJECT_LIST (fs_object_list_get_type ())
G_DECLARE_FINAL_TYPE (FsObjectList, fs_object_list, FS, OBJECT_LIST, GtkBox)

void fs_object_list_set_tools (FsObjectList *self, FsTools *tools);
/* Shows the list of a job with a project; both NULL: hidden. */
void fs_object_list_set_job (FsObjectList *self, FsFolderJob *job, FsProject *project);

G_END_DECLS

#endif
