/* SPDX-License-Identifier: MIT */
#include "solver/implicit_links.h"

#include "solver/backend.h"

FsSolver *
fs_solver_new_built (const FsBackend *backend, FsGrid *grid, const FsLinkSource *source,
                     FsPlaneOwner owner, GError **error)
{
  g_return_val_if_fail (backend != NULL && grid != NULL && source != NULL, NULL);
  g_return_val_if_fail (owner.fill != NULL && grid->nlink_back[0] == NULL, NULL);
  if (backend->create_built == NULL)
    return owner.fill (grid, owner.data, error) ? fs_solver_new (backend, grid, error) : NULL;
  g_return_val_if_fail (grid->tlink != NULL && grid->width > 0 && grid->height > 0, NULL);
  FsSolver *solver = backend->create_built (grid, source, &owner, error);
  g_assert (solver == NULL || (solver->backend == backend && solver->grid == grid));
  return solver;
}

gboolean
fs_solver_builds (FsSolver *solver)
{
  g_return_val_if_fail (solver != NULL, FALSE);
  return solver->backend->builds != NULL && solver->backend->builds (solver);
}

gboolean
fs_solver_rebuild_tlinks (FsSolver *solver, const FsLinkSource *source, GError **error)
{
  g_return_val_if_fail (source != NULL && fs_solver_builds (solver), FALSE);
  return solver->backend->rebuild_tlinks (solver, source, error);
}

gboolean
fs_solver_fix_tlinks (FsSolver *solver, const FsFixedSpan *spans, size_t n, GError **error)
{
  g_return_val_if_fail ((spans != NULL || n == 0) && fs_solver_builds (solver), FALSE);
  return solver->backend->fix_tlinks (solver, spans, n, error);
}

gboolean
fs_solver_need_planes (FsSolver *solver, GError **error)
{
  g_return_val_if_fail (solver != NULL, FALSE);
  return solver->backend->need_planes == NULL || solver->backend->need_planes (solver, error);
}
