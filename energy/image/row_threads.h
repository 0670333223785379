/* SPDX-License-Identifier: MIT */
/* Parallel loops over the rows of a photo.   Layer: energy.
 *
 * Rows must not depend on each other: then the bits are the same for every number of threads.
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_IMAGE_ROW_THREADS_H
#define FS_ENERGY_IMAGE_ROW_THREADS_H

#include <glib.h>

G_BEGIN_DECLS

/* Does rows [y0, y1). */
typedef void (*FsRowFunc) (int y0, int y1, gpointer data);

/* Calls `func` for ranges that together are [0, n_rows), on as many threads as
 * fs_energy_set_threads (threads.h) allows and the pixels are worth, and waits for all of them. */
void fs_row_threads_run (int n_rows, int n_pixels_a_row, FsRowFunc func, gpointer data);

/* The same for n tasks, each of which is worth a thread. */
void fs_row_threads_run_each (int n, FsRowFunc func, gpointer data);

G_END_DECLS

#endif
