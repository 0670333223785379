/* SPDX-License-Identifier: MIT */
/* C interface of the kernels that cut any graph.
 * Layer: solver/kernels.
 *
 * An engine has one graph's problem and flow on a device, and is updated when they change, as the
 * engine of solver/kernels/engine.h for a grid; errors, statuses and the calls allowed after a
 * failure are the same. solver/graph/graph_cuda.c implements a backend of
 * solver/graph/graph_solver.h with a table of engine functions. The module has one table, of CUDA
 * kernels; tests run the same source on the host, thread for thread.
 *
 * Nodes, edges, capacities and t-links are those of solver/graph/graph.h. The device lays out the
 * rows of arcs itself, so that the host needs no more than its list of edges.
 *
 * Threads: one at a time per engine.
 */
#ifndef FS_SOLVER_KERNELS_GRAPH_GRAPH_ENGINE_H
#define FS_SOLVER_KERNELS_GRAPH_GRAPH_ENGINE_H

#include "solver/kernels/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FS_GRAPH_ENGINE_VERSION 2

typedef struct FsGraphEngine FsGraphEngine;

/* Tuning of the kernel of lists.cuh; 0: the default. The cut never depends on it. */
typedef struct {
  int lanes;  /* that share a node: 4, 8, 16 or 32; 0: by the mean number of arcs      */
  int visits; /* of a node in one step: how often it pushes and is raised              */
  int steps;  /* between exact heights, for each level that there was, times FS_GRAPH_STEP_UNIT */
} FsGraphTuning;

#define FS_GRAPH_STEP_UNIT 4

/* As FsGraphEdge of solver/graph/graph.h. */
typedef struct {
  uint32_t from, to;
  int32_t capacity, back;
} FsGraphEngineEdge;

/* Memory of the host, read by create() alone. */
typedef struct {
  uint32_t n_nodes, n_edges;
  const int64_t *tlink;
  const FsGraphEngineEdge *edges;
  FsGraphTuning tuning;
} FsGraphEngineProblem;

/* Result and statistics of a solve. */
typedef struct {
  int64_t energy, bound;
  uint32_t n_rounds; /* exact heights                        */
  uint32_t n_levels; /* of all of them                       */
  uint64_t n_steps;  /* over all nodes, or over those listed */
  uint64_t n_visits; /* of listed nodes                      */
  double device_ms;  /* of the device's own clock            */
} FsGraphEngineResult;

typedef struct {
  int version; /* FS_GRAPH_ENGINE_VERSION */
  int (*create) (const FsGraphEngineProblem *problem, FsGraphEngine **engine, FsEngineError *error);
  void (*destroy) (FsGraphEngine *engine);
  /* These retain the flow as far as it fits. A node or edge that occurs twice has the same values.
   */
  int (*change_tlinks) (FsGraphEngine *engine, const FsGraphTlinkChange *changes, size_t n,
                        FsEngineError *error);
  int (*change_edges) (FsGraphEngine *engine, const FsGraphEdgeChange *changes, size_t n,
                       FsEngineError *error);
  /* `is_cancelled` is polled; after a cancelled solve the next one goes on. The mask, of n_nodes
   * bytes, is written when the solve is done: 0, background, for every node that can still reach a
   * deficit. */
  int (*solve) (FsGraphEngine *engine, int (*is_cancelled) (void *), void *data, uint8_t *mask,
                FsGraphEngineResult *result, FsEngineError *error);
  /* Reads every excess, and the residual of every edge from → to. */
  int (*read_state) (FsGraphEngine *engine, int64_t *excess, uint32_t *residual,
                     FsEngineError *error);
  size_t (*size_bytes) (FsGraphEngine *engine);
} FsGraphEngineTable;

/* The symbol of the module, beside that of the grid's engine, which opens the device. */
#define FS_GRAPH_ENGINE_SYMBOL "fs_graph_engine_cuda"
typedef const FsGraphEngineTable *FsGraphEngineEntry (void);

#ifdef __cplusplus
}
#endif

#endif
