/* SPDX-License-Identifier: MIT */
/* Labelling of a folder as one job, in a window: keys, saving, what comes next.   Layer: ui.
 *
 * A photo whose folder has a list of classes (folder_classes.h) is part of a job: it is saved by
 * itself, digits choose classes, Enter calls it done and goes to the next one that is not. Cut
 * settings go along to the next photo, and the class that was painted first is chosen again.
 *
 * Signals: "changed" (): another photo, which may be part of a job or not.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_JOB_FLOW_H
#define FS_UI_WINDOW_JOB_FLOW_H

#include "ui/folder/folder_job.h"
#include "ui/window/window_state.h"

G_BEGIN_DECLS

#define FS_TYPE_JOB_FLOW (fs_job_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsJobFlow, fs_job_flow, FS, JOB_FLOW, GObject)

/* Holds no reference to the window. */
FsJobFlow *fs_job_flow_new (FsWindow *window);

/* The window shows another project, or none; `is_restored`: its strokes are there. */
void fs_job_flow_follow (FsJobFlow *self, gboolean is_restored);
/* NULL: the photo is not part of a job. */
FsFolderJob *fs_job_flow_get_job (FsJobFlow *self);

/* Opens a folder's first photo that is not done; without a list of classes its first photo. */
void fs_job_flow_open_folder (FsJobFlow *self, const char *folder);
/* Asks for classes, and makes the photo's folder a job. */
void fs_job_flow_begin (FsJobFlow *self);

/* Calls the photo done and goes on to the next one that is not. */
void fs_job_flow_finish (FsJobFlow *self);
void fs_job_flow_next_unfinished (FsJobFlow *self);
void fs_job_flow_toggle_done (FsJobFlow *self);
/* Selects an object of a class, or another object of it. */
void fs_job_flow_choose_class (FsJobFlow *self, const char *name, gboolean is_new);

/* TRUE if the key was one of the job's: digits, Enter, Page Up and Page Down. */
gboolean fs_job_flow_key (FsJobFlow *self, const GdkEventKey *event);

/* Ends, and drops the pointer to the window. */
void fs_job_flow_close (FsJobFlow *self);

G_END_DECLS

#endif
