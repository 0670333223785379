/* SPDX-License-Identifier: MIT */
/* Block by block, for memory's sake.   Layer: solver (CPU backend).
 *
 * A search of a whole photo goes back and forth over more memory than a processor keeps near it.
 * So blocks of 32×32 tiles are searched first, one after another, each as a part
 * (FS_SEARCH_PART_STEPS): most paths are found there. What is left is for the whole, or for the
 * strip in which they lie, which goes on with the blocks' trees: from their seams, and from where
 * they were left.
 *
 * Around a block stand walls: words of no tree, in the tiles that touch it, until it is done.
 */
#ifndef FS_SOLVER_CPU_BLOCKS_H
#define FS_SOLVER_CPU_BLOCKS_H

#include "solver/cpu_search.h"

G_BEGIN_DECLS

/* Whether tile rows [first, last) hold more than one block. */
gboolean fs_cpu_blocks_are_many (const FsCpuLayout *layout, int first, int last);

/* Searches the blocks of tile rows [first, last) of a problem that was prepared, one after another,
 * and leaves the search with trees of all of them; what lies around these rows is neither read nor
 * written but for the rows beside, which are walls, or the photo's edge. Outcomes: as of a run; of
 * others than FS_SEARCH_DONE there are no trees. */
FsSearchOutcome fs_cpu_blocks_run (FsCpuSearch *search, FsCpuRun run, int first, int last,
                                   const FsProgress *progress);

G_END_DECLS

#endif
