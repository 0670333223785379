/* SPDX-License-Identifier: MIT */
/* Implicit links: solvers that compute their links themselves.   Layer: solver.
 *
 * A device computes the links that fs_solver_new and fs_solver_replace_tlinks take as planes from a
 * photo and tables (link_source.h); the numbers are the same. The host's planes are then filled
 * only when the host reads them: when the CPU goes on after the device has failed, or for a
 * certificate.
 *
 * Threads: as in solver.h.
 */
#ifndef FS_SOLVER_IMPLICIT_LINKS_H
#define FS_SOLVER_IMPLICIT_LINKS_H

#include "solver/link_source.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* Fills every plane of a solver's grid with the current problem: n-links, t-links and, where it has
 * one, the star. Called from within calls on the solver, and again after links were rebuilt or
 * fixed. The planes must outlive the solver. Errors: MEMORY. */
typedef struct _FsPlaneOwner {
  gboolean (*fill) (FsGrid *grid, gpointer data, GError **error);
  gpointer data;
} FsPlaneOwner;

/* As fs_solver_new. A backend that computes links reads them from `source`, and of the grid's
 * planes the star alone; the t-link plane must exist, but need not be filled. For other backends
 * the planes are filled first. The n-links are undirected. Borrows the source for this call only.
 */
FsSolver *fs_solver_new_built (const FsBackend *backend, FsGrid *grid, const FsLinkSource *source,
                               FsPlaneOwner owner, GError **error);

/* Returns whether the solver computes links from sources: no longer once its device has failed. */
gboolean fs_solver_builds (FsSolver *solver);

/* As fs_solver_replace_tlinks, with the t-links of a source of the same photo. Only where
 * fs_solver_builds. */
gboolean fs_solver_rebuild_tlinks (FsSolver *solver, const FsLinkSource *source, GError **error);

/* As fs_solver_change_tlinks for pixels that become fixed, by the terms of the last source: only
 * the spans go to the device; planes that were filled become stale. A pixel may occur twice: the
 * last side wins. Only where fs_solver_builds. */
gboolean fs_solver_fix_tlinks (FsSolver *solver, const FsFixedSpan *spans, size_t n,
                               GError **error);

/* Has the grid's planes filled, unless they are, before the host reads them. */
gboolean fs_solver_need_planes (FsSolver *solver, GError **error);

G_END_DECLS

#endif
