/* SPDX-License-Identifier: MIT */
/* Cutting by regions, merged bottom-up.   Layer: solver (CPU backend).
 *
 * After Liu & Sun, "Parallel graph-cuts by adaptive bottom-up merging" (CVPR 2010). The photo is
 * halved recursively, across the longer side, down to regions of about 32×32 tiles. These are
 * searched first, each by itself; then the two halves of each larger region are merged, and its
 * search goes on with the trees of both, from the seam between them and from the active nodes that
 * were left. The last region is the whole photo. So most paths are found in memory that is in the
 * cache, and several threads search disjoint regions. The mask is canonical and depends on neither.
 *
 * A region is not searched to its end: paths longer than a number of steps, which grows with the
 * region's level, may be detours within the larger region and are left to it.
 *
 * A seam is two tiles wide and belongs to neither half: it is a wall (tree_init.h) until both are
 * done, so no thread writes what another one reads. A node at the photo's right edge loads, but
 * does not use, words of the first tiles of the next two tile rows. So where regions lie side by
 * side, the first two tile columns are left to the whole.
 */
#ifndef FS_SOLVER_CPU_SEARCH_REGIONS_H
#define FS_SOLVER_CPU_SEARCH_REGIONS_H

#include "solver/cpu/search/search.h"

G_BEGIN_DECLS

/* Searches all regions of a problem without trees, on up to n_threads threads, and gives `whole`
 * their trees and flow; does nothing for a single region. Outcomes are those of a run; after any
 * but FS_SEARCH_DONE there are no trees, and the flow stays. */
FsSearchOutcome fs_cpu_regions_run (FsCpuSearch *whole, FsCpuRun run, int n_threads,
                                    const FsProgress *progress);

G_END_DECLS

#endif
