/* SPDX-License-Identifier: MIT */
/* The part of the fills of all labels that knows no label; see shared_fill.h.   Layer: solver
 * (expansion moves). */
#ifndef FS_SOLVER_EXPANSION_FILL_BASE_H
#define FS_SOLVER_EXPANSION_FILL_BASE_H

#include "solver/grid.h"

G_BEGIN_DECLS

typedef struct {
  uint8_t *labels; /* that it is made for; NULL: it is not made */
  int32_t *data;   /* their data costs */
  int32_t *base[FS_N_DIRECTIONS];
  uint16_t *cost[FS_N_DIRECTIONS]; /* V(a, b) */
} FsBase;

G_END_DECLS

#endif
