/* SPDX-License-Identifier: MIT */
/* The minimum cut of a band problem, with its proof.   Layer: solver.
 *
 * By band_cut.h, in compact storage: the cost follows the free pixels, not the photo. Energy and
 * bound are those of the free pixels' t-links and of all n-links with a free end, and are summed
 * apart: the energy from the mask, the bound from the flow.
 *
 * Threads: any; a problem is read only.
 */
#ifndef FS_SOLVER_MULTILEVEL_BAND_SOLVE_H
#define FS_SOLVER_MULTILEVEL_BAND_SOLVE_H

#include "solver/multilevel/band_problem.h"
#include "solver/progress.h"
#include "solver/solver.h"

G_BEGIN_DECLS

/* `mask`, height · width bytes of 0 and 1, has the fixed pixels' labels and gets those of the free
 * ones: the canonical minimum (solver.h). Errors: CANCELLED, MEMORY; the free pixels are then
 * undefined. */
gboolean fs_band_solve (const FsBandProblem *problem, uint8_t *mask, const FsProgress *progress,
                        FsSolution *solution, GError **error);

G_END_DECLS

#endif
