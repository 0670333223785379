/* SPDX-License-Identifier: MIT */
/* Linear system of the alpha of unknown pixels.   Layer: energy.
 *
 * Its matrix is symmetric and positive definite: alpha minimises a sum of squares. The conjugate
 * gradients (Hestenes & Stiefel 1952, preconditioned by the diagonal) stop when the residual is
 * 10⁻³ of the first, its norm being that of the preconditioner.
 *
 * Threads: one at a time per system; loops use as many as fs_energy_set_threads allows.
 */
#ifndef FS_ENERGY_MATTING_SYSTEM_H
#define FS_ENERGY_MATTING_SYSTEM_H

#include "energy/matting/mixture.h"

G_BEGIN_DECLS

/* Neighbours of a pixel in 5 × 5, itself in the middle. */
enum { FS_SYSTEM_SIDE = 5, FS_SYSTEM_LINKS = FS_SYSTEM_SIDE * FS_SYSTEM_SIDE };

typedef struct {
  const FsZone *zone;
  float *link; /* [FS_SYSTEM_LINKS][n_unknown] off the diagonal; not read of known neighbours */
  double *diagonal;  /* [n_unknown] */
  double *right;     /* [n_unknown] right-hand side: known pixels, estimates */
  FsMixture mixture; /* adds to the matrix, and to the right-hand side by fs_mixture_add_right */
  double *alpha;     /* [n_unknown] first the start, then the solution, from about 0 to about 1 */
} FsMattingSystem;

/* FALSE where memory is short. Values are not initialised, and there is no
 * mixture. */
gboolean fs_matting_system_init (FsMattingSystem *system, const FsZone *zone);
void fs_matting_system_clear (FsMattingSystem *system);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsMattingSystem, fs_matting_system_clear)

/* Solves it from `alpha` on, or stops early when cancelled. Reports progress from `fraction` to 1.
 * FALSE where memory is short. */
gboolean fs_matting_system_solve (FsMattingSystem *system, double fraction);

G_END_DECLS

#endif
