/* SPDX-License-Identifier: MIT */
/* State of a search for augmenting paths, and what all who work on it need.   Layer: solver (CPU
 * backend).
 *
 * search.h says what the search does.
 *
 * Threads: one search a thread; it is told to stop from any.
 */
#ifndef FS_SOLVER_CPU_SEARCH_SEARCH_STATE_H
#define FS_SOLVER_CPU_SEARCH_SEARCH_STATE_H

#include "solver/cpu/state/global_relabel.h"
#include "solver/cpu/state/layout.h"
#include "solver/cpu/state/lists.h"
#include "solver/cpu/state/orphans.h"
#include "solver/progress.h"

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

/* Capacity of the list of orphans' children; the rest are in stacks (orphans.h). */
#define FS_SEARCH_CHILDREN 16384

/* The longest paths that are sought in a region (regions.h) of the lowest level, and how much
 * longer they may be at each level above. */
#define FS_SEARCH_REGION_STEPS         64
#define FS_SEARCH_REGION_STEPS_A_LEVEL 32

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
  gboolean is_subproblem; /* a region of a larger problem: no mask is wanted             */
  uint32_t max_steps;     /* of a path, if it is one                                    */
  FsChunkPool pool;
  FsLists waiting[FS_N_TREES];
  FsOrphans orphans[FS_N_TREES];
  FsLists trapped;   /* in its first list: sink nodes that have a parent and, perhaps, excess */
  FsOrphans pass[2]; /* of repairs (push_relabel.h): tiles with excess, the farthest first */
  FsNodes deficits;  /* new ones, and … */
  FsCpuGlobalRelabel relabelling; /* … the region that can reach them */
  uint32_t *children;             /* whose parents have moved away, to be adopted (adopt.h) */
  uint32_t *path;                 /* nodes from an augmenting arc to the source's root */
  uint32_t path_capacity;
  uint32_t top[FS_N_TREES];             /* greatest distance that was scanned since reset */
  uint64_t n_adopted[FS_N_TREES];       /* orphans of either side since initialised */
  uint64_t n_adopted_before;            /* of the source when this run began */
  uint64_t n_adopted_apart[FS_N_TREES]; /* when the source's trees last began to grow */
  uint64_t n_freed;                     /* nodes that left the sink's trees in this run */
  uint64_t regrow_at;                   /* so many let the source's trees grow again    */
  uint64_t n_left;                      /* trapped excesses that this run has left      */
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

/* What every run does first and last. */
void fs_cpu_search_begin (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_search_end (FsCpuSearch *search, gboolean is_done);

/* Sets the error of a search that is not done. Returns FALSE. */
gboolean fs_search_outcome_fail (FsSearchOutcome outcome, GError **error);

/* Reports and asks whether to stop. */
gboolean fs_cpu_search_poll (FsCpuSearch *search);

/* Only asks: for threads other than the caller's. */
gboolean fs_cpu_search_is_cancelled (const FsCpuSearch *search);

/* Makes room for nodes of a tree up to a distance; FALSE when memory ends. */
gboolean fs_cpu_search_reserve (FsCpuSearch *search, FsCpuTree tree, uint32_t distance);

/* Puts a node of a tree into its list, unless it is there. */
void fs_cpu_search_enqueue (FsCpuSearch *search, FsCpuTree tree, uint32_t node);

G_END_DECLS

#endif
