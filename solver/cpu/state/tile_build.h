/* SPDX-License-Identifier: MIT */
/* A tile of the planes, filled from the grid.   Layer: solver (CPU backend).
 *
 * Threads: any, but only one for tiles of the same group (pages.h).
 */
#ifndef FS_SOLVER_CPU_STATE_TILE_BUILD_H
#define FS_SOLVER_CPU_STATE_TILE_BUILD_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

/* Fills a tile: zero flow, excess = t-link; words are left alone. */
void fs_cpu_layout_build_tile (FsCpuLayout *layout, int tx, int ty);

G_END_DECLS

#endif
