/* SPDX-License-Identifier: MIT */
/* State of a search for augmenting paths (search.h), and its common functions.   Layer: solver (CPU
 * backend).
 *
 * Threads: one search a thread; cancellation from any.
 */
#ifndef FS_SOLVER_CPU_SEARCH_SEARCH_STATE_H
#define FS_SOLVER_CPU_SEARCH_SEARCH_STATE_H

#include "solver/cpu/state/global_relabel.h"
#include "solver/cpu/state/layout.h"
#include "solver/cpu/state/lists.h"
#include "solver/cpu/state/orphans.h"
#include "solver/progress.h"

G_BEGIN_DECLS

/* Relabellings in one adoption before it sets the other orphans free (adopt.h). */
#define FS_SEARCH_RELABELS 10000

/* Augmentations before the orphans of the sink's trees are adopted, at most. */
#define FS_SEARCH_PATHS 64

/* Orphans of the source's trees, once these do not grow, that a run relabels before it sets the
 * rest free. */
#define FS_SEARCH_SPARED 100000

/* Among possible parents at the same distance, the lane with the least number XOR this is taken:
 * diagonal neighbours before axis-aligned ones (docs/decisions/search-trees.md). */
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
  int first_col; /* in columns [first_col, last_col) of tiles */
  int last_col;
  gboolean is_subproblem; /* a region of a larger problem: no mask is wanted             */
  uint32_t max_steps;     /* of a path, if it is one                                    */
  FsChunkPool pool;
  FsLists waiting[FS_N_TREES];
  FsOrphans orphans[FS_N_TREES];
  FsLists trapped;   /* in its first list: sink nodes that have a parent and, perhaps, excess */
  FsOrphans pass[2]; /* of repairs (push_relabel.h): tiles with excess, the farthest first */
  FsNodes deficits;  /* new ones                                                          */
  FsCpuGlobalRelabel relabelling; /* finds the region that can reach `deficits`           */
  uint32_t *children;             /* orphans whose parents were relabelled (adopt.h)      */
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
  gboolean has_trees;  /* else the next run initialises them from the excess */
  gboolean is_too_far; /* a distance above FS_CPU_DISTANCE_MAX occurred      */
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

/* The first and the last step of every run. */
void fs_cpu_search_begin (FsCpuSearch *search, const FsProgress *progress);
FsSearchOutcome fs_cpu_search_end (FsCpuSearch *search, gboolean is_done);

/* Sets the error of a search that is not done. Returns FALSE. */
gboolean fs_search_outcome_fail (FsSearchOutcome outcome, GError **error);

/* The cancel flag, for any thread. */
gboolean fs_cpu_search_is_cancelled (const FsCpuSearch *search);

/* Reports progress, every 4 ms at most. */
void fs_cpu_search_report (FsCpuSearch *search);

/* Reports progress; TRUE when cancelled. For the caller's thread. */
static inline gboolean
fs_cpu_search_poll (FsCpuSearch *search)
{
  fs_cpu_search_report (search);
  return fs_cpu_search_is_cancelled (search);
}

/* Reserves the lists of a tree up to a distance; FALSE when memory ends. */
gboolean fs_cpu_search_reserve (FsCpuSearch *search, FsCpuTree tree, uint32_t distance);

/* Makes a node of a tree active: lists it, unless it is. */
void fs_cpu_search_enqueue (FsCpuSearch *search, FsCpuTree tree, uint32_t node);

G_END_DECLS

#endif
