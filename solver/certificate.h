/* SPDX-License-Identifier: MIT */
/* The proof that a cut is minimal.   Layer: solver.
 *
 * Reads a solver's state through the function table and checks it against the grid, with plain
 * loops that share nothing with any backend: every residual lies within its pair's capacity; the
 * excess of every pixel is its t-link plus inflow less outflow; energy(mask) = value of the flow;
 * and the mask is the canonical one. Weak duality (Ford & Fulkerson 1956) makes that a proof. All
 * sums have 64 bits.
 */
#ifndef FS_SOLVER_CERTIFICATE_H
#define FS_SOLVER_CERTIFICATE_H

#include "solver/solver.h"

G_BEGIN_DECLS

typedef struct {
  gboolean feasible;  /* every residual within [0, c(p,q) + c(q,p)]            */
  gboolean conserved; /* e(p) = t(p) + inflow − outflow, everywhere            */
  gboolean canonical; /* background = pixels that reach a deficit              */
  int64_t energy;     /* E(mask), summed anew                                  */
  int64_t bound;      /* Σ max(t, 0) − Σ max(e, 0): value of the flow          */
  gboolean holds;     /* all of the above, and energy == bound                 */
} FsCertificate;

/* O(N) time, about 14 bytes a pixel while it runs. Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_solver_certify (FsSolver *solver, FsCertificate *certificate, GError **error);

G_END_DECLS

#endif
