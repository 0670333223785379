/* SPDX-License-Identifier: MIT */
/* Parallel loops over items.   Layer: solver (CPU backend).
 *
 * Plain POSIX threads, created for one call and joined at its end: that happens at most a few times
 * a solve, and an idle solver has none. Where a thread cannot be created, the others do its work.
 */
#ifndef FS_SOLVER_SYSTEM_THREADS_H
#define FS_SOLVER_SYSTEM_THREADS_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define FS_THREADS_MAX 64

/* Does one item; `worker` is in [0, n_threads), and 0 is the calling thread. */
typedef void (*FsThreadsWork) (int item, int worker, gpointer data);

/* Calls `work` for every item in [0, n_items), in any order, on up to n_threads threads. */
void fs_threads_run (int n_threads, int n_items, FsThreadsWork work, gpointer data);

/* The items, with lower numbers, on which an item depends; −1: none. */
typedef struct {
  int before[2];
  int state; /* 0 at first; used by the run */
} FsThreadsOrder;

/* The same, but each item begins when those on which it depends are done, and sees their writes. Of
 * the ready items the first is begun. */
void fs_threads_run_in_order (int n_threads, int n_items, FsThreadsOrder *order, FsThreadsWork work,
                              gpointer data);

G_END_DECLS

#endif
