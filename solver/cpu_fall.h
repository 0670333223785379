/* SPDX-License-Identifier: MIT */
/* Flow without trees, where trees are dear.   Layer: solver (CPU backend).
 *
 * Trees pay for every root that is used up: its nodes look for new parents one by one. Where flow
 * has a long way, that is most of a search. So once parts have made many orphans, waves go on: the
 * exact distance of every pixel to the nearest deficit, found for 64 pixels at once, and then all
 * excess that lies in reach falls down these distances, the farthest first. It is push–relabel
 * (Goldberg & Tarjan 1988) with global relabelling (Cherkassky & Goldberg 1997), stopped when
 * little is left: a pixel that is stuck is raised a few times only, and then waits for the next
 * wave. What is left is for the search, which any flow is a start for (decision 0037).
 *
 * Distances lie where the words of a tile are, which are planted anew afterwards.
 */
#ifndef FS_SOLVER_CPU_FALL_H
#define FS_SOLVER_CPU_FALL_H

#include "solver/cpu_search.h"

G_BEGIN_DECLS

/* Moves flow in a whole problem that was prepared, forgets the search's trees, and leaves it
 * prepared. Any outcome leaves a flow; where it is not FS_SEARCH_DONE the words have to be planted
 * anew. */
FsSearchOutcome fs_cpu_fall_run (FsCpuSearch *search, const FsProgress *progress);

G_END_DECLS

#endif
