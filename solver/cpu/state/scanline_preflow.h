/* SPDX-License-Identifier: MIT */
/* Scanline pre-flow: flow along rows and columns, before trees grow.   Layer: solver (CPU backend).
 *
 * The flow that a scanline's excess can send to deficits further on is found in two passes: the one
 * forwards notes how much each deficit takes of the flow that arrives, the one backwards decides
 * which pixels gave it. The first deficit on the way takes first; that is a maximum flow in one
 * direction. It costs a few nanoseconds a pixel however far the flow goes, where a search repairs
 * trees after each path. Eight scanlines, those of a row or a column of tiles, fill a vector.
 *
 * No excess is left on the way, so no node changes its sign: roots become smaller or free.
 */
#ifndef FS_SOLVER_CPU_STATE_SCANLINE_PREFLOW_H
#define FS_SOLVER_CPU_STATE_SCANLINE_PREFLOW_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

/* Tiles along each side of a block. Blocks are independent: no flow goes from one to another. */
#define FS_PREFLOW_BLOCK_TILES 32

/* Number of blocks of the photo. */
int fs_cpu_preflow_n_blocks (const FsCpuLayout *layout);

/* Pushes flow through the initialised tiles of a block, to the east, west, south and north. All
 * nodes' words must be those of roots or free nodes. Reads and writes nothing else. Returns the
 * flow. */
int64_t fs_cpu_preflow_push (FsCpuLayout *layout, int block);

G_END_DECLS

#endif
