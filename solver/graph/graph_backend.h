/* SPDX-License-Identifier: MIT */
/* A graph backend's function table, and the base struct of all graph backends' solvers.
 * Layer: solver. */
#ifndef FS_SOLVER_GRAPH_GRAPH_BACKEND_H
#define FS_SOLVER_GRAPH_GRAPH_BACKEND_H

#include "solver/graph/graph.h"
#include "solver/progress.h"
#include "solver/solver_types.h"

G_BEGIN_DECLS

/* The functions of a backend; those of graph_solver.h check arguments and call through them. */
struct _FsGraphBackend {
  const char *name; /* "cpu", "cuda" */
  /* The device in words, static storage. */
  const char *(*device) (void);
  FsGraphSolver *(*create) (FsGraph *graph, GError **error);
  void (*destroy) (FsGraphSolver *solver);
  /* These change the graph even when they fail. */
  gboolean (*change_tlinks) (FsGraphSolver *solver, const FsGraphTlinkChange *changes, size_t n,
                             GError **error);
  gboolean (*change_edges) (FsGraphSolver *solver, const FsGraphEdgeChange *changes, size_t n,
                            GError **error);
  gboolean (*solve) (FsGraphSolver *solver, const FsProgress *progress, FsSolution *solution,
                     GError **error);
  void (*read_mask) (FsGraphSolver *solver, uint8_t *mask);
  gboolean (*read_state) (FsGraphSolver *solver, int64_t *excess, uint32_t *residual,
                          GError **error);
  size_t (*size_bytes) (FsGraphSolver *solver);
  /* The backend that does the work now. */
  const struct _FsGraphBackend *(*in_use) (FsGraphSolver *solver);
};

struct _FsGraphSolver {
  const FsGraphBackend *backend;
  FsGraph *graph;
};

G_END_DECLS

#endif
