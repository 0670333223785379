/* SPDX-License-Identifier: MIT */
/* Parts of a band that can be cut one by one.   Layer: solver.
 *
 * Pixels of a band that do not touch, not even by a corner, do not know of each other: what lies
 * between them is fixed. So a band falls into as many problems as it has connected components, and
 * memory need not hold more than one of them. Small ones are put together, in the order of their
 * first runs, until a part is worth the trouble.
 *
 * Memory: 8 bytes a run. Buffers grow and stay.
 */
#ifndef FS_SOLVER_MULTILEVEL_BAND_COMPONENTS_H
#define FS_SOLVER_MULTILEVEL_BAND_COMPONENTS_H

#include "solver/multilevel/band.h"

G_BEGIN_DECLS

typedef struct {
  uint32_t n_parts;
  uint32_t
      *start; /* [n_parts + 1]: part k has the runs order[start[k]] … order[start[k + 1] − 1] */
  uint32_t *order; /* [band's runs]: indices of runs, in each part in the band's order */
  uint32_t *part;  /* [band's runs] scratch */
  size_t runs_capacity;
  size_t parts_capacity;
} FsBandParts;

void fs_band_parts_init (FsBandParts *parts);
void fs_band_parts_clear (FsBandParts *parts);
size_t fs_band_parts_size_bytes (const FsBandParts *parts);

/* Divides a band. A part has no more than `max` pixels, unless it is one component. FALSE when
 * memory ends. Cost: nearly linear in the runs. */
gboolean fs_band_parts_find (FsBandParts *parts, const FsBand *band, size_t max);

G_END_DECLS

#endif
