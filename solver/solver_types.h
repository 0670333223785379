/* SPDX-License-Identifier: MIT */
/* Types of solvers that their backends share: what a solve finds, and opaque names.   Layer: solver
 * (value header).
 *
 * Threads: plain data.
 */
#ifndef FS_SOLVER_SOLVER_TYPES_H
#define FS_SOLVER_SOLVER_TYPES_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  int64_t energy; /* cost of the mask                                      */
  int64_t bound;  /* value of the flow, a lower bound of every mask's cost */
  gboolean exact; /* energy == bound                                       */
} FsSolution;

/* One minimum cut of a grid (solver.h), and of any graph (graph_solver.h). */
typedef struct _FsSolver FsSolver;
typedef struct _FsGraphSolver FsGraphSolver;

/* A way of solving: the CPU's, or a device's. */
typedef struct _FsBackend FsBackend;
typedef struct _FsGraphBackend FsGraphBackend;

G_END_DECLS

#endif
