/* SPDX-License-Identifier: MIT */
/* The base that all labels' first cuts share; see shared_fill.h.   Layer: solver (expansion moves).
 */
#ifndef FS_SOLVER_EXPANSION_FILL_BASE_H
#define FS_SOLVER_EXPANSION_FILL_BASE_H

#include "solver/grid.h"

G_BEGIN_DECLS

typedef struct {
  uint8_t *labels; /* the labelling of the base; NULL: there is none */
  int32_t *data;   /* their data costs */
  int32_t *base[FS_N_DIRECTIONS];
  uint16_t *cost[FS_N_DIRECTIONS]; /* V(a, b) */
} FsBase;

G_END_DECLS

#endif
