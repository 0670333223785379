/* SPDX-License-Identifier: MIT */
/* The search for augmenting paths on compressed rows.   Layer: solver.
 *
 * Incremental breadth-first search (Goldberg, Hed, Kaplan, Tarjan & Werneck, "Maximum flows by
 * incremental breadth-first search", ESA 2011), in the form that solver/cpu/search/search.h
 * describes for the grid: two forests, rooted at excess and at deficits, so that any pseudoflow is
 * a start (EIBFS, ESA 2015); scan the nearest active nodes, augment where the forests meet, adopt
 * orphans nearest first. Only the neighbours are found differently here: by a row of arcs in place
 * of a tile and offsets, and a node stores the arc to its parent.
 *
 * An orphan first searches its row from its last parent's arc on for a parent at the same distance:
 * the arcs before that were excluded when it got this distance (current arc). Only then does it
 * search the whole row.
 *
 * The search ends when the sink's trees are closed. The invariant that makes this a proof: a sink
 * node that has an incoming residual arc from a node outside the sink's trees is QUEUED in its
 * list.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_SEARCH_H
#define FS_SOLVER_GRAPH_GRAPH_SEARCH_H

#include "solver/graph/graph_search_state.h"

G_BEGIN_DECLS

/* The rows must outlive the search. FALSE when memory ends; clear it in any case. */
gboolean fs_graph_search_init (FsGraphSearch *search, FsGraphRows *rows);
void fs_graph_search_clear (FsGraphSearch *search);
size_t fs_graph_search_bytes (const FsGraphSearch *search);

/* Runs until no excess can reach a deficit, or until stopped; the state is consistent then, and the
 * next run goes on. When done, the nodes of the sink's trees are the canonical background. */
FsGraphOutcome fs_graph_search_run (FsGraphSearch *search, const FsProgress *progress);

G_END_DECLS

#endif
