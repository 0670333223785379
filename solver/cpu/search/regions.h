/* SPDX-License-Identifier: MIT */
/* Regions first, then the whole.   Layer: solver (CPU backend).
 *
 * After Liu & Sun, "Parallel graph-cuts by adaptive bottom-up merging" (CVPR 2010). The photo is
 * halved again and again, across the longer side, until regions of some 32×32 tiles are left. These
 * are searched first, each by itself; then each two halves together, which go on with the trees of
 * both: from the seam between them, and from where they were left. The last region is the whole.
 * So most paths are found in memory that a processor keeps near it, and several threads search
 * regions that do not lie in each other. The mask is canonical, so that neither can show in it.
 *
 * A region is not searched to its end: a path that is longer than so many steps, more of them the
 * larger the region is, may be a detour for what surrounds it, and is left.
 *
 * A seam is two tiles wide and belongs to neither half: it stands as a wall (tree_init.h) until
 * both are done, and no thread writes what another one reads. A node at the photo's right edge
 * reads words, which it does not heed, of the first tiles of the next two rows of tiles. So where
 * regions lie side by side, the first two columns of tiles are left to the whole.
 */
#ifndef FS_SOLVER_CPU_SEARCH_REGIONS_H
#define FS_SOLVER_CPU_SEARCH_REGIONS_H

#include "solver/cpu/search/search.h"

G_BEGIN_DECLS

/* Searches all regions of a problem that has no trees, on up to n_threads threads, and gives
 * `whole` their trees and flow; does nothing where there is one region only. Outcomes: as of a run;
 * of others than FS_SEARCH_DONE there are no trees, and the flow stays. */
FsSearchOutcome fs_cpu_regions_run (FsCpuSearch *whole, FsCpuRun run, int n_threads,
                                    const FsProgress *progress);

G_END_DECLS

#endif
