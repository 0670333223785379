/* SPDX-License-Identifier: MIT */
/* A tile of the planes, filled from the grid.   Layer: solver (CPU backend).
 *
 * Threads: different tiles of one group of pages (pages.h) by one thread, others by any.
 */
#ifndef FS_SOLVER_CPU_STATE_TILE_BUILD_H
#define FS_SOLVER_CPU_STATE_TILE_BUILD_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

/* Fills a tile: zero flow, excess = t-link; words are left alone. */
void fs_cpu_layout_build_tile (FsCpuLayout *layout, int tx, int ty);

G_END_DECLS

#endif
