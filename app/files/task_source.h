/* SPDX-License-Identifier: MIT */
/* Release of a task's source object on the task's own thread.   Layer: app.
 *
 * A worker of GTask drops its reference to the task after the result has been reported. Where that
 * is the last one it would dispose of the source object, too: of widgets, or of a document with its
 * threads, on a thread that is not theirs.
 *
 * Threads: the one that makes the task.
 */
#ifndef FS_APP_FILES_TASK_SOURCE_H
#define FS_APP_FILES_TASK_SOURCE_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* Holds a reference to the task's source object, which is dropped on the thread of the task's
 * context, after the task is gone. Before g_task_run_in_thread(). */
void fs_task_hold_source (GTask *task);

G_END_DECLS

#endif
