/* SPDX-License-Identifier: MIT */
/* Flow along rows and columns, before trees grow.   Layer: solver (CPU backend).
 *
 * A row of pixels is a chain: what its excess can send to deficits further on is found in one pass
 * forth, which notes what each deficit takes of what comes along, and one back, which says who gave
 * it. The first deficit on the way takes first; that is a greatest flow one way. It costs a few
 * nanoseconds a pixel however far the flow goes, where a search has trees to mend for each path.
 * Eight chains go side by side: those of a row or a column of tiles.
 *
 * No excess is left on the way, so that no node changes its sign: roots become poorer, or free.
 */
#ifndef FS_SOLVER_CPU_STATE_SCANLINE_PREFLOW_H
#define FS_SOLVER_CPU_STATE_SCANLINE_PREFLOW_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

/* Blocks of so many tiles a side go one by one: nothing is brought further. */
#define FS_CPU_CHAINS_TILES 32

/* Of the whole photo. */
int fs_cpu_chains_n_blocks (const FsCpuLayout *layout);

/* Sends what can flow through the built tiles of a block, east, west, south, and north, where all
 * words are those of roots. Reads and writes nothing else. Returns the flow. */
int64_t fs_cpu_chains_push (FsCpuLayout *layout, int block);

G_END_DECLS

#endif
