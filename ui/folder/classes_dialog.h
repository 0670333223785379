/* SPDX-License-Identifier: MIT */
/* Dialog that asks which classes a folder has, when it becomes one job.   Layer: ui.
 * Threads: the main one. */
#ifndef FS_UI_FOLDER_CLASSES_DIALOG_H
#define FS_UI_FOLDER_CLASSES_DIALOG_H

#include "app/folder/folder_classes.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The classes, which are the callee's; NULL: cancelled. */
typedef void (*FsClassesNamed) (FsFolderClasses *classes, gpointer user_data);

/* Asks for names, separated by commas; those of `proposed` stand there already. Calls `done` once,
 * also where the window is destroyed. */
void fs_classes_dialog_ask (GtkWindow *parent, const FsFolderClasses *proposed, FsClassesNamed done,
                            gpointer user_data);

G_END_DECLS

#endif
