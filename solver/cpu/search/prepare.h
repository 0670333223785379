/* SPDX-License-Identifier: MIT */
/* Preparation of a solve, before trees are initialised.   Layer: solver (CPU backend).
 *
 * Three steps over the whole photo, each when the one before it is done: the signs of all t-links,
 * the tiles that must be built because of them, and what can flow along rows and columns
 * (scanline_preflow.h). Trees may then be initialised as often as need be, in parts and in the
 * whole.
 *
 * The first two are shared among threads by bands of tile rows. The second also writes a row beyond
 * its band, so that two bands side by side are never done at once. The third goes by blocks.
 */
#ifndef FS_SOLVER_CPU_SEARCH_PREPARE_H
#define FS_SOLVER_CPU_SEARCH_PREPARE_H

#include "solver/cpu/search/search_state.h"

G_BEGIN_DECLS

/* Does all three, for a search of the whole photo that has begun; the flow is added to it. FALSE
 * when it was cancelled: what has been pushed so far stays. */
gboolean fs_cpu_prepare_run (FsCpuSearch *search, int n_threads);

/* Tile rows that take a fraction of a millisecond. */
int fs_cpu_prepare_rows (const FsCpuLayout *layout);

G_END_DECLS

#endif
