/* SPDX-License-Identifier: MIT */
/* A made-up sequence to time backends with: a disc that moves over noise.   Layer: app.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_BACKEND_SEQUENCE_H
#define FS_APP_BACKEND_SEQUENCE_H

#include "solver/progress.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* The least time of the wall that a backend takes for a frame of side × side pixels (at least 64)
 * after the first. Errors: BACKEND where a device fails, MEMORY, CANCELLED; FS_FRAMES_ERROR_LOST
 * where the disc is not followed. */
gboolean fs_backend_sequence_time (const FsBackend *backend, int side, const FsProgress *progress,
                                   gint64 *frame_us, GError **error);

G_END_DECLS

#endif
