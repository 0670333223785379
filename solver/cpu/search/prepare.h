/* SPDX-License-Identifier: MIT */
/* Preparation of a solve, before trees are initialised.   Layer: solver (CPU backend).
 *
 * Three steps over the whole photo, one after another: the signs of all t-links, the tiles that
 * must be built because of them, and the scanline pre-flow (scanline_preflow.h). Trees may then be
 * initialised any number of times, in regions and in the whole photo.
 *
 * Threads share the first two steps by groups of tile rows. The second also writes a row beyond its
 * group, so adjacent groups are not done at the same time. The third is shared by blocks.
 */
#ifndef FS_SOLVER_CPU_SEARCH_PREPARE_H
#define FS_SOLVER_CPU_SEARCH_PREPARE_H

#include "solver/cpu/search/search_state.h"

G_BEGIN_DECLS

/* All three steps, for a search of the whole photo that has begun; adds the flow to it. FALSE when
 * cancelled; flow that was pushed stays. */
gboolean fs_cpu_prepare_run (FsCpuSearch *search, int n_threads);

/* Tile rows that take a fraction of a millisecond. */
int fs_cpu_prepare_rows (const FsCpuLayout *layout);

G_END_DECLS

#endif
