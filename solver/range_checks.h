/* SPDX-License-Identifier: MIT */
/* Range checks of capacities where solvers begin, in builds with -Dchecks=true and under a
 * sanitizer.   Layer: solver.
 *
 * Solvers trust capacities (solver.h): one beyond its bound wraps in 16 bits, and the cut is then
 * that of another problem. In other builds these functions do nothing and cost nothing.
 */
#ifndef FS_SOLVER_RANGE_CHECKS_H
#define FS_SOLVER_RANGE_CHECKS_H

#include "solver/grid.h"

G_BEGIN_DECLS

#ifdef FS_CHECKS
enum { FS_CHECKS_RANGES = 1 };
#else
enum { FS_CHECKS_RANGES = 0 };
#endif

/* The checks of fs_grid_validate except that of the star: a star with cycles, which a preview's
 * coarse level may have, is a valid problem too. */
gboolean fs_grid_validate_capacities (const FsGrid *grid, GError **error);

/* Returns whether all n t-links lie within ±FS_TLINK_MAX. */
static inline gboolean
fs_tlinks_are_in_range (const int32_t *tlinks, size_t n)
{
  gboolean all = TRUE;
  for (size_t i = 0; i < n && FS_CHECKS_RANGES; i++)
    all &= tlinks[i] <= FS_TLINK_MAX && tlinks[i] >= -FS_TLINK_MAX;
  return all;
}

/* Returns whether a table indexed by capacities has no entry above FS_NLINK_MAX. */
static inline gboolean
fs_counts_are_in_range (const uint16_t *counts)
{
  gboolean all = TRUE;
  for (int w = 0; w <= FS_NLINK_MAX && FS_CHECKS_RANGES; w++)
    all &= counts[w] <= FS_NLINK_MAX;
  return all;
}

G_END_DECLS

#endif
