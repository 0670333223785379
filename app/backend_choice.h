/* SPDX-License-Identifier: MIT */
/* Which backend a cut gets: the wanted one, or the faster one for its size.   Layer: app.
 *
 * What is faster was measured on this machine and stands in a file of the cache folder, with the
 * devices and versions that it holds for (backend_times.h). Until there is such a file, and after a
 * device has failed, "auto" is the CPU, and no driver is opened. A wanted backend that is not there
 * is replaced by the CPU, and one line says so.
 *
 * Threads: any, but for the two calls about measuring beside, which are the main thread's.
 */
#ifndef FS_APP_BACKEND_CHOICE_H
#define FS_APP_BACKEND_CHOICE_H

#include "app/backend_times.h"
#include "solver/graph_solver.h"

G_BEGIN_DECLS

/* "auto", "cpu" or "cuda", for all cuts that begin from now on; NULL, the start: what the
 * environment's FRETSAW_BACKEND says, else auto. FALSE for another name. */
gboolean fs_backend_choice_want (const char *name);

/* For a cut of n_pixels, or for frames of so many. May open the driver, which takes a moment. */
const FsBackend *fs_backend_choice_pick (FsWork work, size_t n_pixels);

/* The same for one cut of any graph, for which nothing was measured: "auto" is the device where it
 * is known to this program and the graph is large. */
const FsGraphBackend *fs_backend_choice_pick_graph (const FsGraph *graph);

/* What the user should hear once: that the wanted backend is not there, or that a device failed and
 * the CPU goes on. NULL when there is nothing new. Static storage. */
const char *fs_backend_choice_take_notice (void);

/* Measures now, and keeps it. Blocks for a second or two. Errors: as fs_backend_times_measure, and
 * G_FILE_ERROR. */
gboolean fs_backend_choice_measure (FsBackendTimes *times, GError **error);

/* The same on a thread of its own, where nothing that holds was kept, a device is there, and auto
 * is wanted; silent when it fails. At most once a program. */
void fs_backend_choice_measure_beside (void);
/* Waits for that to end; soon, for it is cancelled. */
void fs_backend_choice_stop (void);

/* The file that it is kept in; g_free. */
char *fs_backend_choice_path (void);

/* Test switch: forgets what was wanted, read and told. */
void fs_backend_choice_forget (void);

G_END_DECLS

#endif
