/* SPDX-License-Identifier: MIT */
/* A made-up cut to time backends with: discs under noise.   Layer: app.
 *
 * After the synthetic images of Vineet & Narayanan 2008, section 4; the same numbers everywhere.
 * Threads: one at a time per problem.
 */
#ifndef FS_APP_BACKEND_PROBLEM_H
#define FS_APP_BACKEND_PROBLEM_H

#include "solver/grid.h"
#include "solver/progress.h"

G_BEGIN_DECLS

typedef struct FsBackendProblem FsBackendProblem;

/* side × side pixels, 8 neighbours. Errors: FS_SOLVER_ERROR_MEMORY. */
FsBackendProblem *fs_backend_problem_new (int side, GError **error);
void fs_backend_problem_free (FsBackendProblem *problem);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsBackendProblem, fs_backend_problem_free)

FsGrid *fs_backend_problem_get_grid (FsBackendProblem *problem);
/* The largest |t| without strokes. */
int32_t fs_backend_problem_get_soft_tlink (void);
/* The t-links as they were at first; no solver may be bound to the grid. */
void fs_backend_problem_reset (FsBackendProblem *problem);

/* The i-th stroke, as t-links of seeds: a short one across some disc's border, of the object and of
 * the background in turn. Owned by the problem, until the next one. */
const FsTlinkChange *fs_backend_problem_stroke (FsBackendProblem *problem, int i, guint *n);

G_END_DECLS

#endif
