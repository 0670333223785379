/* SPDX-License-Identifier: MIT */
/* Engines of any graph by Garrett & Saito's lock-free kernel (2009, after Hong 2008), to compare
 * with the one that programs use.
 *
 * One kernel in which each node is a thread's, on rows, each node's arcs one after another as they
 * come; or on a regular graph (regular.cuh), whose create() also returns NO_MEMORY where that would
 * have too many arcs. They have no tuning. A device must be open (solver/kernels/engine.h).
 */
#ifndef FS_LADDER_GRAPH_SWEEPS_H
#define FS_LADDER_GRAPH_SWEEPS_H

#include "solver/kernels/graph/graph_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

const FsGraphEngineTable *fs_graph_engine_sweeps (void);
const FsGraphEngineTable *fs_graph_engine_sweeps_regular (void);

#ifdef __cplusplus
}
#endif

#endif
