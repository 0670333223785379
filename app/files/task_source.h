/* SPDX-License-Identifier: MIT */
/* Release of a task's source object on the task's own thread.   Layer: app.
 *
 * A worker thread of GTask drops its reference to the task after the result has been reported. If
 * that is the last one, the source object (widgets, or a document with its threads) would be
 * disposed of on the worker thread.
 *
 * Threads: the one that makes the task.
 */
#ifndef FS_APP_FILES_TASK_SOURCE_H
#define FS_APP_FILES_TASK_SOURCE_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* Takes a reference to the task's source object, which is dropped on the thread of the task's
 * context after the task is freed. To be called before g_task_run_in_thread(). */
void fs_task_hold_source (GTask *task);

G_END_DECLS

#endif
