/* SPDX-License-Identifier: MIT */
/* Dialogs that rename and remove a class of a job.   Layer: ui.
 *
 * Renaming also renames the objects of all sessions of the folder, by a worker, and those of the
 * photo that is shown. Removing says first how many photos have objects of the class; these stay.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_FOLDER_CLASS_EDIT_H
#define FS_UI_FOLDER_CLASS_EDIT_H

#include "app/session/project.h"
#include "ui/folder/folder_job.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

void fs_class_edit_rename (GtkWindow *parent, FsFolderJob *job, FsProject *project,
                           const char *name);
void fs_class_edit_remove (GtkWindow *parent, FsFolderJob *job, FsProject *project,
                           const char *name);
/* Says why a name was not taken, by the job's "failed": another class has it, or it is empty or too
 * long. */
void fs_class_edit_refuse (FsFolderJob *job, const char *name);

G_END_DECLS

#endif
