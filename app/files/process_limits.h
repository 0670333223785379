/* SPDX-License-Identifier: MIT */
/* Limits that a process is given (ulimit): files' size, address space, threads.   Layer: app.
 *
 * Threads: fs_process_limits_prepare() before there are others; the rest any.
 */
#ifndef FS_APP_FILES_PROCESS_LIMITS_H
#define FS_APP_FILES_PROCESS_LIMITS_H

#include <glib.h>

G_BEGIN_DECLS

/* For main(): makes writes beyond the limit of a file's size fail as on a full disk, instead of
 * ending the process; and makes threads share a heap where address space is limited. */
void fs_process_limits_prepare (void);

/* Checks that n more threads can be started now. Errors: G_THREAD_ERROR. */
gboolean fs_process_limits_allow_threads (guint n, GError **error);

/* Starts all threads of GTask in advance: GLib aborts if it cannot start its own, and a task whose
 * thread cannot be started waits for ever. Errors: G_THREAD_ERROR where they, and two more, cannot
 * be started. */
gboolean fs_process_limits_start_workers (GError **error);

/* Bytes of address space that are left under its limit; G_MAXUINT64 where there is none. */
guint64 fs_process_limits_left_bytes (void);

G_END_DECLS

#endif
