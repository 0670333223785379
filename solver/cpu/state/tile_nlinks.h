/* SPDX-License-Identifier: MIT */
/* A tile and the pixels around it as a grid of its own.   Layer: solver (CPU backend).
 *
 * Where a grid has links in place of planes (grid.h), those of the few tiles that a search reaches
 * are read into such a window, and code that reads planes reads the window's. Beyond the photo's
 * edge the window has pixels without links, so that every tile lies inside its window.
 *
 * Threads: plain data.
 */
#ifndef FS_SOLVER_CPU_STATE_TILE_NLINKS_H
#define FS_SOLVER_CPU_STATE_TILE_NLINKS_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

/* The window's side, and the pixels that a vector of eight may read beyond its last one. */
enum { FS_CPU_WINDOW = FS_CPU_TILE + 2, FS_CPU_WINDOW_SPARE = 8 };
enum { FS_CPU_WINDOW_PIXELS = FS_CPU_WINDOW * FS_CPU_WINDOW + FS_CPU_WINDOW_SPARE };
/* The index of the tile's first pixel. */
enum { FS_CPU_WINDOW_FIRST = FS_CPU_WINDOW + 1 };
G_STATIC_ASSERT (FS_CPU_WINDOW *FS_CPU_WINDOW <= FS_GRID_LINKS_MAX);

typedef struct {
  FsGrid grid; /* its planes are the ones below */
  uint16_t nlink[FS_N_DIRECTIONS][FS_CPU_WINDOW_PIXELS];
  int32_t tlink[FS_CPU_WINDOW_PIXELS];
  uint8_t star[FS_CPU_WINDOW_PIXELS];
} FsCpuWindow;

/* Reads the window of a tile of a grid that lacks planes. The window must not move while its grid
 * is used. */
void fs_cpu_window_read (FsCpuWindow *window, const FsGrid *grid, int tx, int ty);

G_END_DECLS

#endif
