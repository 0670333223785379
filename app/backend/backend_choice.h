/* SPDX-License-Identifier: MIT */
/* Choice of the backend of a cut: the requested one, or the faster one on this machine.   Layer:
 * app.
 *
 * "auto" times real cuts. The first is made on the CPU. If there may be a device, and cuts on the
 * CPU are long enough for a person to notice the difference, the next one is made on the device;
 * from then on the faster one is used. The times are means over the last cuts, in nanoseconds a
 * pixel, stored in a file of the cache folder. Without driver and module nothing is timed, written
 * or opened. A requested backend that is not available is replaced by the CPU, with a notice.
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

/* Requests "auto", "cpu" or "cuda" for all later cuts; NULL, the default: the environment's
 * FRETSAW_BACKEND, else "auto". FALSE for another name. */
gboolean fs_backend_choice_want (const char *name);

/* Says that the devices were named: where there is none, a notice says so, and "auto" says it of
 * one that it cannot open. Opens no driver that is there. */
void fs_backend_choice_want_device (void);

/* Picks the backend for a cut, or frames, of n_pixels. May open the driver, which is slow. */
const FsBackend *fs_backend_choice_pick (FsWork work, size_t n_pixels);

/* Records the time of a cold cut, or of a frame, on the picked backend, including the making of its
 * state, and the CPU's part if the device failed. Ignored unless "auto" picks. */
void fs_backend_choice_note (FsWork work, const FsBackend *picked, size_t n_pixels, gint64 us);

/* Picks the backend for one cut of a graph, which is not timed: "auto" is the device if it was
 * faster with photos and the graph is large. */
const FsGraphBackend *fs_backend_choice_pick_graph (const FsGraph *graph);

/* A notice for the user, once: the requested backend is not available, or a device failed and the
 * CPU continues. NULL if there is nothing new. Static storage. */
const char *fs_backend_choice_take_notice (void);

/* The file with the times; g_free. */
char *fs_backend_choice_path (void);

/* Test switch: forgets what was wanted, read and reported. */
void fs_backend_choice_forget (void);

G_END_DECLS

#endif
