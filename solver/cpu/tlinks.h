/* SPDX-License-Identifier: MIT */
/* New t-links for a whole photo.   Layer: solver (CPU backend).
 *
 * After a refit of the colour models nearly every t-link is another. The flow through the n-links
 * stays, each excess gains what its t-link gained, and the trees are made anew: so this runs
 * through the planes tile by tile, with vectors and threads, and looks nothing up. On an easy photo
 * the search that follows takes hardly longer.
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

/* Whether more than `max` t-links differ from the grid's. Stops as soon as it is sure. */
gboolean fs_cpu_tlinks_differ (const FsGrid *grid, const int32_t *tlinks, size_t max);

/* Gives tile rows [first, last) and the grid new t-links. No search may have trees there. Returns
 * what the sums have gained. Rows may be done by different threads. */
FsCpuSums fs_cpu_tlinks_replace (FsCpuLayout *layout, FsGrid *grid, const int32_t *tlinks,
                                 int first, int last);

G_END_DECLS

#endif
