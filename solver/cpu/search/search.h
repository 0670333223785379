/* SPDX-License-Identifier: MIT */
/* The search for augmenting paths.   Layer: solver (CPU backend).
 *
 * Incremental breadth-first search (Goldberg, Hed, Kaplan, Tarjan & Werneck, "Maximum flows by
 * incremental breadth-first search", ESA 2011) on the tiled grid of layout.h.
 *
 * Two forests: the source's trees are rooted at nodes with excess and contain nodes that can get
 * flow from these; the sink's are rooted at deficits and contain nodes that can send flow there.
 * Every node's distance is one more than its parent's. Repeated steps:
 *
 * - scan (grow.h) a node of the nearest waiting list: free neighbours join its tree, and a
 *   neighbour in the other tree closes an augmenting path;
 *
 * - augment (augment.h): push as much flow as the path from the source's root can carry; saturated
 *   arcs make their lower node an orphan, in the sink's trees with the excess it could not pass on;
 *
 * - adopt (adopt.h), nearest orphans first: find a parent at the same distance, else at the
 *   least possible distance, or set the node free.
 *
 * Differences from the paper: roots are nodes with excess instead of two terminals, as in the
 * authors' later EIBFS (ESA 2015), so that any pseudoflow is a start; excess that does not get to a
 * deficit stays on its path, as there, but no deficits are made on the source's side; a node that
 * becomes a root retains its distance; only nodes with a neighbour outside their tree are active at
 * first; the sides do not alternate, the one whose growth has made fewer orphans goes on. The
 * search ends when the sink's trees are closed: they then contain exactly the nodes that can reach
 * a deficit, which is the canonical background.
 *
 * The invariant that makes the end a proof: a sink node that has an incoming residual arc from a
 * node outside the sink's trees is QUEUED in its list.
 */
#ifndef FS_SOLVER_CPU_SEARCH_SEARCH_H
#define FS_SOLVER_CPU_SEARCH_SEARCH_H

#include "solver/cpu/search/search_state.h"

G_BEGIN_DECLS

/* Changes the excess of a node, and its tree accordingly (Kohli & Torr 2007). Cost: one node. */
void fs_cpu_search_change_excess (FsCpuSearch *search, uint32_t node, int32_t excess);

/* Changes the residuals of the arc from a node in direction d and of its reverse, and the trees
 * accordingly. */
void fs_cpu_search_change_arcs (FsCpuSearch *search, uint32_t node, int d, uint16_t forth,
                                uint16_t back);

/* Stops the growth of the source's trees: from now on their nodes can be found by the sink's, but
 * their lists are not maintained. */
void fs_cpu_search_stop_source (FsCpuSearch *search);

/* Lets the source's trees grow again, from where the run has changed the sink's. */
void fs_cpu_search_start_source (FsCpuSearch *search);

/* Initialises trees from the excess in the search's tile rows. FALSE when cancelled: there are no
 * trees then, and flow that was pushed stays. */
gboolean fs_cpu_search_init_trees (FsCpuSearch *search);

/* Makes an orphan whose excess was changed from outside a root, in the forest of its excess's sign.
 * Returns FALSE when its excess is 0 and it needs a parent. */
gboolean fs_cpu_search_make_root (FsCpuSearch *search, FsCpuTree tree, uint32_t node);

/* Runs until no excess can reach a deficit, or until stopped; the state is consistent then, and the
 * next run goes on. One instance per number of directions, kind of nodes and instruction set. */
typedef FsSearchOutcome (*FsCpuRun) (FsCpuSearch *search, const FsProgress *progress);

FsSearchOutcome fs_cpu_run_4 (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_run_8 (FsCpuSearch *search, const FsProgress *progress);
/* On a band (band_cut.h), whose trees were initialised. */
FsSearchOutcome fs_cpu_run_band (FsCpuSearch *search, const FsProgress *progress);
/* Only where the build (FS_WITH_AVX2) and the processor have AVX2. */
FsSearchOutcome fs_cpu_run_4_avx2 (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_run_8_avx2 (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_run_band_avx2 (FsCpuSearch *search, const FsProgress *progress);
/* FALSE, for the plain C instances, where the processor lacks AVX2 or FRETSAW_CPU=scalar is set. */
gboolean fs_cpu_search_uses_avx2 (void);

G_END_DECLS

#endif
