/* SPDX-License-Identifier: MIT */
/* Populating pages of the planes before tiles are built.   Layer: solver (CPU backend).
 *
 * A search touches some tiles of a photo's planes, and the first access to each page is a fault. 16
 * tiles with consecutive numbers are a *group*: a page of words, one of excess, half a page of
 * arcs, and four of residuals. Before tiles are built, the pages of their groups, and of the words
 * around them, are populated in few calls.
 *
 * Threads: tile rows that are not adjacent may be done at the same time.
 */
#ifndef FS_SOLVER_CPU_STATE_PAGES_H
#define FS_SOLVER_CPU_STATE_PAGES_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

/* Marks the pages of a tile that will be built, and of the words around it, which will be
 * sentinels. */
void fs_cpu_pages_want (FsCpuLayout *layout, int tx, int ty);

/* Populates the pages that were marked in tile rows [first, last) and in the adjacent ones. */
void fs_cpu_pages_take (FsCpuLayout *layout, int first, int last);

/* Populates the pages of a tile's group, unless they are. */
void fs_cpu_pages_need (FsCpuLayout *layout, size_t tile);

G_END_DECLS

#endif
