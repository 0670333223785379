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

#include "solver/cpu/state/global_relabel.h"
#include "solver/cpu/state/layout.h"
#include "solver/cpu/state/lists.h"
#include "solver/cpu/state/orphans.h"
#include "solver/solver.h"

G_BEGIN_DECLS

#define FS_SEARCH_RELABELS 10000

/* Augmentations for which orphans of the sink's trees may wait, at most. */
#define FS_SEARCH_PATHS 64

/* Orphans of the source's trees, once these do not grow, that a run moves away before it lets the
 * rest go. */
#define FS_SEARCH_SPARED 100000

/* Of lanes at the same distance the one whose number, XOR this, is least becomes the parent:
 * diagonal ones before straight ones (docs/decisions/search-trees.md). */
#define FS_SEARCH_LANES 3u

/* Children of orphans that are listed; more are chained (orphans.h). */
#define FS_SEARCH_CHILDREN 16384

/* Paths longer than that are not sought in a part of a problem (regions.h): in the smallest
 * ones, and so much more in what is made of two of them, and again. */
#define FS_SEARCH_PART_STEPS         64
#define FS_SEARCH_PART_STEPS_A_LEVEL 32

/* Nodes of the sink's trees that a repairing run sets free before the source's trees grow again. */
#define FS_SEARCH_REGROWN 10000

typedef enum {
  FS_SEARCH_DONE,
  FS_SEARCH_CANCELLED,
  FS_SEARCH_NO_MEMORY,
  FS_SEARCH_TOO_FAR, /* a shortest path longer than FS_CPU_DISTANCE_MAX */
} FsSearchOutcome;

struct FsCpuSearch {
  FsCpuLayout *layout;
  int first_row; /* tile rows [first_row, last_row) are searched */
  int last_row;
  int first_col; /* … and of these, columns [first_col, last_col) */
  int last_col;
  gboolean is_part;    /* of a larger problem: no mask is wanted, and no long path */
  uint32_t part_steps; /* … longer than that                                       */
  FsChunkPool pool;
  FsLists waiting[FS_N_TREES];
  FsOrphans orphans[FS_N_TREES];
  FsLists surplus;    /* in its first list: sink nodes that have a parent and, perhaps, excess */
  FsOrphans wave[2];  /* of repairs (push_relabel.h): tiles with excess, the farthest first */
  FsNodes deficits;   /* new ones, and … */
  FsCpuFlood flood;   /* … the region that can reach them */
  uint32_t *children; /* whose parents have moved away, to be adopted (adopt.h) */
  uint32_t *path;     /* nodes from an augmenting arc to the source's root */
  uint32_t path_capacity;
  uint32_t top[FS_N_TREES];             /* greatest distance that was scanned since reset */
  uint64_t n_adopted[FS_N_TREES];       /* orphans of either side since it was planted */
  uint64_t n_adopted_before;            /* of the source when this run began */
  uint64_t n_adopted_apart[FS_N_TREES]; /* when the source's trees last began to grow */
  uint64_t n_freed;                     /* nodes that left the sink's trees in this run */
  uint64_t regrow_at;                   /* so many let the source's trees grow again    */
  uint64_t n_left;                      /* surpluses that this run has left behind      */
  uint32_t n_paths;                     /* augmentations since the sink's last adoption */
  uint32_t n_relabels;                  /* in this adoption */
  gboolean source_grows;
  gboolean has_trees;  /* else the next run makes them from the excess */
  gboolean is_too_far; /* a distance had no room in a word             */
  int64_t flow;        /* pushed from excess to deficit, ever          */

  const FsProgress *progress;
  uint32_t until_poll;
  uint64_t n_polls; /* since the caller set it to 0 */
  int64_t reported_us;
};

gboolean fs_cpu_search_init (FsCpuSearch *search, FsCpuLayout *layout);
void fs_cpu_search_clear (FsCpuSearch *search);
size_t fs_cpu_search_bytes (const FsCpuSearch *search);

/* Forgets the trees. */
void fs_cpu_search_reset (FsCpuSearch *search);

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
gboolean fs_cpu_search_plant (FsCpuSearch *search);

/* What every run does first and last. */
void fs_cpu_search_begin (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_search_end (FsCpuSearch *search, gboolean is_done);

/* Sets the error of a search that is not done. Returns FALSE. */
gboolean fs_search_outcome_fail (FsSearchOutcome outcome, GError **error);

/* Reports and asks whether to stop. */
gboolean fs_cpu_search_poll (FsCpuSearch *search);

/* Only asks: for threads other than the caller's. */
gboolean fs_cpu_search_is_cancelled (const FsCpuSearch *search);

/* For tests: whoever asks for the n-th time from now, n ≥ 1, or later, on any thread, is told to
 * stop; −1 ends that. */
void fs_cpu_search_cancel_after (int n_polls);

/* An orphan whose excess was changed from outside becomes a root where it has excess, in the other
 * forest if need be. Returns FALSE when it has none and needs a parent. */
gboolean fs_cpu_search_settle (FsCpuSearch *search, FsCpuTree tree, uint32_t node);

/* Makes room for nodes of a tree up to a distance; FALSE when memory ends. */
gboolean fs_cpu_search_reserve (FsCpuSearch *search, FsCpuTree tree, uint32_t distance);

/* Puts a node of a tree into its list, unless it is there. */
void fs_cpu_search_enqueue (FsCpuSearch *search, FsCpuTree tree, uint32_t node);

/* Runs until no deficit can be reached from an excess, or until stopped; then the state is whole
 * and the next run goes on. One instance per number of directions, kind of nodes,
 * and instruction set. */
typedef FsSearchOutcome (*FsCpuRun) (FsCpuSearch *search, const FsProgress *progress);

FsSearchOutcome fs_cpu_run_4 (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_run_8 (FsCpuSearch *search, const FsProgress *progress);
/* On a band (band_cut.h), whose trees were planted. */
FsSearchOutcome fs_cpu_run_band (FsCpuSearch *search, const FsProgress *progress);
/* Only where the build has them (FS_WITH_AVX2) and the processor too. */
FsSearchOutcome fs_cpu_run_4_avx2 (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_run_8_avx2 (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_run_band_avx2 (FsCpuSearch *search, const FsProgress *progress);
/* Plain C where the processor lacks AVX2, or where FRETSAW_CPU=scalar asks for it. */
gboolean fs_cpu_search_uses_avx2 (void);

G_END_DECLS

#endif
