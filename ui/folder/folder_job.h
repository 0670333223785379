/* SPDX-License-Identifier: MIT */
/* A folder that is labelled as one job, as a window has it: its classes, and its photos and how far
 * they are.   Layer: ui.
 *
 * Both are read and written by workers, and read again when somebody else changes the folder. What
 * the window changes is seen at once.
 *
 * Signals:
 *   "classes-changed" ()
 *   "list-changed" ()
 *   "failed" (const char *text)   one sentence to show; classes that could not be read or saved
 *                                 stay as they are here
 *
 * Threads: the main one.
 */
#ifndef FS_UI_FOLDER_FOLDER_JOB_H
#define FS_UI_FOLDER_FOLDER_JOB_H

#include "app/folder/folder_classes.h"
#include "app/folder/folder_list.h"
#include <glib-object.h>

G_BEGIN_DECLS

#define FS_TYPE_FOLDER_JOB (fs_folder_job_get_type ())
G_DECLARE_FINAL_TYPE (FsFolderJob, fs_folder_job, FS, FOLDER_JOB, GObject)

/* Begins to read; `folder` is an absolute path. */
FsFolderJob *fs_folder_job_new (const char *folder);
const char *fs_folder_job_get_folder (FsFolderJob *self);

/* Valid until "classes-changed"; none before they have been read. */
const FsFolderClasses *fs_folder_job_get_classes (FsFolderJob *self);
/* Takes what a copy of them has become, and saves it. */
void fs_folder_job_take_classes (FsFolderJob *self, FsFolderClasses *classes);

/* Valid until "list-changed"; NULL before it has been read. */
const FsFolderList *fs_folder_job_get_list (FsFolderJob *self);
/* The state of a photo that the window knows before the folder does. */
void fs_folder_job_set_state (FsFolderJob *self, const char *photo, FsFolderState state);
/* Looks at the folder again. */
void fs_folder_job_refresh (FsFolderJob *self);

/* Ends watching; workers that are under way come back to nothing. */
void fs_folder_job_close (FsFolderJob *self);

G_END_DECLS

#endif
