/* SPDX-License-Identifier: MIT */
/* Running the same work on several threads.   Layer: solver (CPU backend).
 *
 * Plain POSIX threads, made for one call and joined at its end: they are made at most a few times a
 * solve, and an idle solver holds none. Where a thread cannot be had, the others do its share.
 */
#ifndef FS_SOLVER_SYSTEM_THREADS_H
#define FS_SOLVER_SYSTEM_THREADS_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define FS_THREADS_MAX 64

/* One item of the work; `worker` is in [0, n_threads), and 0 is the calling thread. */
typedef void (*FsThreadsWork) (int item, int worker, gpointer data);

/* Calls `work` for every item in [0, n_items), in any order, on up to n_threads threads. */
void fs_threads_run (int n_threads, int n_items, FsThreadsWork work, gpointer data);

/* The items, with lower numbers, that an item has to wait for; −1 for none. */
typedef struct {
  int before[2];
  int state; /* 0; then the run's own */
} FsThreadsOrder;

/* The same, but each item is begun when those before it are done, and sees what they wrote; of the
 * ready ones the first. */
void fs_threads_run_in_order (int n_threads, int n_items, FsThreadsOrder *order, FsThreadsWork work,
                              gpointer data);

G_END_DECLS

#endif
