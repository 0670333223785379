/* SPDX-License-Identifier: MIT */
/* Connected components of a band, grouped into independent subproblems.   Layer: solver.
 *
 * Components of a band (8-connected) are independent, since all pixels between them are fixed: each
 * can be cut for itself, with memory for one at a time. Small components are grouped, in the order
 * of their first runs, up to a number of pixels.
 *
 * Memory: 8 bytes a run. Buffers are reused and only grow.
 */
#ifndef FS_SOLVER_MULTILEVEL_BAND_COMPONENTS_H
#define FS_SOLVER_MULTILEVEL_BAND_COMPONENTS_H

#include "solver/multilevel/band.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t n_subproblems;
  /* [n_subproblems + 1]: subproblem k has the runs order[start[k]] … order[start[k + 1] − 1] */
  uint32_t *start;
  uint32_t *order;      /* [band's runs]: indices of runs, in each subproblem in the band's order */
  uint32_t *subproblem; /* [band's runs] scratch */
  size_t runs_capacity;
  size_t capacity; /* subproblems */
} FsBandSubproblems;

void fs_band_subproblems_init (FsBandSubproblems *subproblems);
void fs_band_subproblems_clear (FsBandSubproblems *subproblems);
size_t fs_band_subproblems_size_bytes (const FsBandSubproblems *subproblems);

/* Divides a band. A subproblem has no more than `max` pixels, unless it is one component. FALSE
 * when memory ends. Cost: nearly linear in the runs. */
gboolean fs_band_subproblems_find (FsBandSubproblems *subproblems, const FsBand *band, size_t max);

G_END_DECLS

#endif
