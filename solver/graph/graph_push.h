/* SPDX-License-Identifier: MIT */
/* Push-relabel on compressed rows, for networks with long ways.   Layer: solver.
 *
 * What the search for augmenting paths does badly: where most ways are hundreds of arcs long, each
 * path is climbed node by node, saturates some arc high up and leaves the nodes behind it to be
 * adopted again. Here excess moves node by node (Goldberg & Tarjan 1988, first in first out), from
 * whatever flow there is towards the deficits, and only as far as these can be reached. Rounds are
 * those of the device (kernels/graph/lists.cuh): heights are made exact, by a search backwards from
 * the deficits; then come as many steps as there are levels, in each of which every node that has
 * something to push is visited once. The end is that no excess stands on a node of finite height.
 * Highest label first, with exact heights after so much work, relabelled three times as often.
 *
 * It borrows the search's nodes: while it runs, their `word` is a height.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_PUSH_H
#define FS_SOLVER_GRAPH_GRAPH_PUSH_H

#include "solver/graph/graph_search_state.h"

G_BEGIN_DECLS

/* Makes the flow a maximum one. The search has no trees before and after, but what is needed to
 * initialise them. NO_MEMORY: for 4 bytes a node; the flow has not changed. */
FsGraphOutcome fs_graph_push_run (FsGraphSearch *search);

G_END_DECLS

#endif
