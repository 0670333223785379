/* SPDX-License-Identifier: MIT */
/* Choice of the backend of a cut: the wanted one, or the faster one on this machine.   Layer: app.
 *
 * "auto" times real cuts. The first is the CPU's. Where there may be a device, and cuts take the
 * CPU long enough for the difference to be felt, the next is the device's; from then on the faster
 * one cuts. The times are means over the last cuts, in nanoseconds a pixel, and stand in a file of
 * the cache folder. Without driver and module nothing is timed, written or opened. A wanted backend
 * that is not there is replaced by the CPU, and one line says so.
 *
 * Threads: any.
 */
#ifndef FS_APP_BACKEND_BACKEND_CHOICE_H
#define FS_APP_BACKEND_BACKEND_CHOICE_H

#include "solver/graph/graph_solver.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* A single cut of a command, one that follows a brush, or the frames of a sequence. */
typedef enum { FS_WORK_ONCE, FS_WORK_LIVE, FS_WORK_FRAMES } FsWork;

/* "auto", "cpu" or "cuda", for all cuts that begin from now on; NULL, the start: what the
 * environment's FRETSAW_BACKEND says, else auto. FALSE for another name. */
gboolean fs_backend_choice_want (const char *name);

/* For a cut of n_pixels, or for frames of so many. May open the driver, which takes a moment. */
const FsBackend *fs_backend_choice_pick (FsWork work, size_t n_pixels);

/* The time that a cold cut, or one frame, took the backend that was picked, with its state and with
 * the CPU's part where the device failed. Ignored unless "auto" picks. */
void fs_backend_choice_note (FsWork work, const FsBackend *picked, size_t n_pixels, gint64 us);

/* The same choice for one cut of any graph, which is not timed: "auto" is the device where it was
 * faster with photos and the graph is large. */
const FsGraphBackend *fs_backend_choice_pick_graph (const FsGraph *graph);

/* A notice for the user, given once: that the wanted backend is not there, or that a device failed
 * and the CPU goes on. NULL when there is nothing new. Static storage. */
const char *fs_backend_choice_take_notice (void);

/* The file with the times; g_free. */
char *fs_backend_choice_path (void);

/* Test switch: forgets what was wanted, read and reported. */
void fs_backend_choice_forget (void);

G_END_DECLS

#endif
