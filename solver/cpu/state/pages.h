/* SPDX-License-Identifier: MIT */
/* Pages for the tiles that are built.   Layer: solver (CPU backend).
 *
 * Of a photo's planes a search touches some tiles, and each page that is touched first is a fault.
 * 16 tiles in a row of their numbers are a *group*: a page of words, one of excess, half a page of
 * arcs, and four of residuals. Before tiles are built, the pages of all their groups, and of the
 * words around them, are asked for in few calls.
 *
 * Threads: rows of tiles that have a row between them may be done at the same time.
 */
#ifndef FS_SOLVER_CPU_STATE_PAGES_H
#define FS_SOLVER_CPU_STATE_PAGES_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

/* Notes a tile that will be built, and the words around it that will be sentinels. */
void fs_cpu_pages_want (FsCpuLayout *layout, int tx, int ty);

/* Asks for what was noted in tile rows [first, last) and beside them. */
void fs_cpu_pages_take (FsCpuLayout *layout, int first, int last);

/* Asks for the pages of a tile's group, unless it has them. */
void fs_cpu_pages_need (FsCpuLayout *layout, size_t tile);

G_END_DECLS

#endif
