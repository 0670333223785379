/* SPDX-License-Identifier: MIT */
/* Replacement of all t-links under an existing flow.   Layer: solver (CPU backend). Where strokes
 * become t-links: energy/energy.h.
 *
 * A refit of the colour models changes nearly every t-link. The flow through the n-links stays,
 * each excess grows by as much as its t-link, and the trees are built anew. So this processes the
 * planes tile by tile, with vectors and threads, and reads no tree. On an easy photo the search
 * that follows takes hardly longer.
 */
#ifndef FS_SOLVER_CPU_TLINKS_H
#define FS_SOLVER_CPU_TLINKS_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

/* Over pixels: Σ max(t, 0), Σ max(e, 0). */
typedef struct {
  int64_t tlinks;
  int64_t excess;
} FsCpuSums;

/* Returns whether more than `max` t-links differ from the grid's. Stops as soon as it is sure. */
gboolean fs_cpu_tlinks_differ (const FsGrid *grid, const int32_t *tlinks, size_t max);

/* Sets the t-links of tile rows [first, last) in the layout and in the grid. No search may have
 * trees there. Returns the changes of the sums. Different threads may do different rows. */
FsCpuSums fs_cpu_tlinks_replace (FsCpuLayout *layout, FsGrid *grid, const int32_t *tlinks,
                                 int first, int last);

G_END_DECLS

#endif
