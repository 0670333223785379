/* SPDX-License-Identifier: MIT */
/* The search for augmenting paths.   Layer: solver (CPU backend).
 *
 * Incremental breadth-first search (Goldberg, Hed, Kaplan, Tarjan & Werneck, "Maximum flows by
 * incremental breadth-first search", ESA 2011) on the tiled grid of layout.h.
 *
 * Two forests. The source's are rooted at nodes with excess and hold nodes that these can send flow
 * to; the sink's are rooted at deficits and hold nodes that can send flow there. Every node's
 * distance is one more than its parent's. Then, over and over:
 *
 * - scan (grow.h) a node of the nearest waiting list: free neighbours join its tree, and a
 *   neighbour in the other tree closes an augmenting path;
 *
 * - augment (augment.h): push what the way from the source's root lets through; arcs that are
 *   now full leave their lower node an orphan, of the sink's with what it could not send on;
 *
 * - adopt (adopt.h), nearest orphans first: find a parent at the same distance, else at the
 *   least distance there is, or set the node free.
 *
 * Where we differ from the paper: roots are nodes with excess instead of two terminals, as in the
 * authors' later EIBFS (ESA 2015), so that any pseudoflow is a start; what does not get through to
 * a deficit stays on the way, as there, but nothing is drawn from the source that it does not have;
 * a root keeps whatever distance it had in its tree; only nodes with a neighbour outside their tree
 * begin in a list; the sides do not take turns, the one whose growth has made fewer orphans goes
 * on. The search ends when the sink's trees are closed: they then hold exactly the nodes that can
 * reach a deficit, which is the canonical background.
 *
 * The invariant that makes the end a proof: a sink node that has an incoming residual arc from a
 * node outside the sink's trees is QUEUED in its list.
 */
#ifndef FS_SOLVER_CPU_SEARCH_SEARCH_H
#define FS_SOLVER_CPU_SEARCH_SEARCH_H

#include "solver/cpu/search/search_state.h"

G_BEGIN_DECLS

/* Tells the search that the excess of a node is to change, before its trees are used again (Kohli &
 * Torr 2007). Writes the excess. Cost: that of one node. */
void fs_cpu_search_change_excess (FsCpuSearch *search, uint32_t node, int32_t excess);

/* The same for what is left of the arc from a node in direction d, and of the one back. */
void fs_cpu_search_change_arcs (FsCpuSearch *search, uint32_t node, int d, uint16_t forth,
                                uint16_t back);

/* From now on the source's trees are only met, never grown: their lists are not kept up. */
void fs_cpu_search_stop_source (FsCpuSearch *search);

/* Lets the source's trees grow again, from wherever the run has changed the sink's. */
void fs_cpu_search_start_source (FsCpuSearch *search);

/* Makes trees from the excess of its tile rows. FALSE when it was cancelled: there are none then,
 * and what has been pushed so far stays. */
gboolean fs_cpu_search_init_trees (FsCpuSearch *search);

/* An orphan whose excess was changed from outside becomes a root where it has excess, in the other
 * forest if need be. Returns FALSE when it has none and needs a parent. */
gboolean fs_cpu_search_settle (FsCpuSearch *search, FsCpuTree tree, uint32_t node);

/* Runs until no deficit can be reached from an excess, or until stopped; then the state is whole
 * and the next run goes on. One instance per number of directions, kind of nodes,
 * and instruction set. */
typedef FsSearchOutcome (*FsCpuRun) (FsCpuSearch *search, const FsProgress *progress);

FsSearchOutcome fs_cpu_run_4 (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_run_8 (FsCpuSearch *search, const FsProgress *progress);
/* On a band (band_cut.h), whose trees were initialised. */
FsSearchOutcome fs_cpu_run_band (FsCpuSearch *search, const FsProgress *progress);
/* Only where the build has them (FS_WITH_AVX2) and the processor too. */
FsSearchOutcome fs_cpu_run_4_avx2 (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_run_8_avx2 (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_run_band_avx2 (FsCpuSearch *search, const FsProgress *progress);
/* Plain C where the processor lacks AVX2, or where FRETSAW_CPU=scalar asks for it. */
gboolean fs_cpu_search_uses_avx2 (void);

G_END_DECLS

#endif
