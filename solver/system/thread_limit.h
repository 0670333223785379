/* SPDX-License-Identifier: MIT */
/* Number of threads that calls may use: one for all threads of a process, or one of a thread's own.
 * Layer: solver (value header).
 *
 * Threads that a call starts inherit the limit of its caller. No result depends on it.
 *
 * Threads: any.
 */
#ifndef FS_SOLVER_SYSTEM_THREAD_LIMIT_H
#define FS_SOLVER_SYSTEM_THREAD_LIMIT_H

#include <glib.h>

G_BEGIN_DECLS

/* Sets the limit of the calling thread, which comes before those of the process
 * (fs_solver_set_threads, fs_energy_set_threads); 0: none of its own. Returns the previous one. */
int fs_thread_limit_set (int n_threads);
int fs_thread_limit_get (void);

G_END_DECLS

#endif
