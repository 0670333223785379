/* SPDX-License-Identifier: MIT */
/* Solvers whose links are made where they are needed.   Layer: solver.
 *
 * What fs_solver_new and fs_solver_replace_tlinks take as planes a device makes for itself from a
 * photo and tables (link_source.h), to the same numbers. The host's planes are then filled only
 * where somebody on the host needs them: a processor that goes on when the device fails, or a
 * certificate.
 *
 * Threads: as solver.h says.
 */
#ifndef FS_SOLVER_IMPLICIT_LINKS_H
#define FS_SOLVER_IMPLICIT_LINKS_H

#include "solver/link_source.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* Gives a solver's grid every plane, as they are to be cut now: the n-links, all t-links, and the
 * star, where it has one. Called from within a call on the solver, again after links were rebuilt
 * or fixed; what it gives must stay as long as the solver. Errors: MEMORY. */
typedef struct _FsPlaneOwner {
  gboolean (*fill) (FsGrid *grid, gpointer data, GError **error);
  gpointer data;
} FsPlaneOwner;

/* As fs_solver_new. Where the backend makes links, `source` says what they are, and of the grid's
 * planes it needs the star alone; the t-links' is there but need not be filled. Else the planes are
 * filled first. The n-links are undirected. Borrows the source for the call alone. */
FsSolver *fs_solver_new_built (const FsBackend *backend, FsGrid *grid, const FsLinkSource *source,
                               FsPlaneOwner owner, GError **error);

/* Whether new t-links may come as a source: no more once a device has failed. */
gboolean fs_solver_builds (FsSolver *solver);

/* As fs_solver_replace_tlinks, of what the terms of a source of the same photo say. Only where
 * fs_solver_builds. */
gboolean fs_solver_rebuild_tlinks (FsSolver *solver, const FsLinkSource *source, GError **error);

/* As fs_solver_change_tlinks, of pixels that become fixed, by the terms of the last source: only
 * these spans go to the device, and the planes, where they were filled, are to be filled again. A
 * pixel may occur twice: the last side wins. Only where fs_solver_builds. */
gboolean fs_solver_fix_tlinks (FsSolver *solver, const FsFixedSpan *spans, size_t n,
                               GError **error);

/* Has the grid's planes filled, for whoever is to read them. Nothing where they are. */
gboolean fs_solver_need_planes (FsSolver *solver, GError **error);

G_END_DECLS

#endif
