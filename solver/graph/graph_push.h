/* SPDX-License-Identifier: MIT */
/* Push-relabel on compressed rows, for networks with long paths.   Layer: solver.
 *
 * Augmenting paths are slow where most paths have hundreds of arcs: each is traced node by node,
 * saturates some arc near the root, and makes orphans of all nodes below. Here excess is pushed
 * node by node (Goldberg & Tarjan 1988, first in first out), from any initial flow towards the
 * deficits, as long as these can be reached. Rounds are those of the device
 * (kernels/graph/lists.cuh): a global relabelling by a backward search from the deficits makes
 * heights exact; then come as many steps as there are heights, in each of which every active node
 * is discharged once. It ends when no excess is left on a node of finite height. (Highest label
 * first, with a global relabelling after a fixed amount of work, relabelled three times as often.)
 *
 * It borrows the search's nodes: while it runs, their `word` is a height.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_PUSH_H
#define FS_SOLVER_GRAPH_GRAPH_PUSH_H

#include "solver/graph/graph_search_state.h"

G_BEGIN_DECLS

/* Makes the flow maximum. The search must have no trees; afterwards they can be initialised.
 * NO_MEMORY: 4 bytes a node were not to be had; the flow has not changed. */
FsGraphOutcome fs_graph_push_run (FsGraphSearch *search);

G_END_DECLS

#endif
