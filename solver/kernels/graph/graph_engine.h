/* SPDX-License-Identifier: MIT */
/* The cut of any graph on a device: the C interface.   Layer: solver/kernels.
 *
 * One call takes a graph in compressed rows with any flow that respects its capacities, pushes on
 * until no deficit can be reached from an excess, and gives back the flow and the canonical mask:
 * 0, background, for every node that can still reach a deficit. In the program nothing calls it
 * yet: tests do, on the host (tests/kernels/graph), and compare it with solver/graph_solver.h.
 *
 * Threads: one call at a time.
 */
#ifndef FS_KERNELS_GRAPH_ENGINE_H
#define FS_KERNELS_GRAPH_ENGINE_H

#include "solver/kernels/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How arcs lie on the device. */
typedef enum {
  /* Each node's one after another, as they come. */
  FS_GRAPH_FORM_ROWS,
  /* Garrett & Saito 2009, section 3.2: all nodes have as many arcs as the one that has most; those
   * that a node lacks lead back to it and carry nothing. The first arcs of all nodes come first,
   * then the second ones, so that threads side by side read side by side. */
  FS_GRAPH_FORM_REGULAR,
  FS_GRAPH_N_FORMS
} FsGraphForm;

/* Most arcs with FS_GRAPH_FORM_REGULAR, those that carry nothing counted. */
#define FS_GRAPH_REGULAR_ARCS_MAX (UINT32_C (1) << 30)

/* Memory of the host. */
typedef struct {
  uint32_t n_nodes, n_arcs;
  const uint32_t *first;   /* [n_nodes + 1] */
  const uint32_t *head;    /* [n_arcs] */
  const uint32_t *reverse; /* [n_arcs] the arc from the head back */
  uint32_t *residual;      /* [n_arcs] what an arc can still carry; a pair's sum below 2³² */
  int64_t *excess;         /* [n_nodes] */
  uint8_t *mask;           /* [n_nodes] */
} FsGraphArrays;

/* What it took. */
typedef struct {
  uint32_t n_rounds; /* exact heights     */
  uint32_t n_levels; /* of all of them    */
  uint64_t n_sweeps; /* over all nodes    */
} FsGraphWork;

/* Returns an FsEngineStatus: DONE, NO_DEVICE, NO_MEMORY (also where a regular graph would have too
 * many arcs) or FAILED, with a text; the arrays are then of no use. Blocks. */
int fs_graph_cuda_solve (const FsGraphArrays *arrays, FsGraphForm form, FsGraphWork *work,
                         FsEngineError *error);

#ifdef __cplusplus
}
#endif

#endif
