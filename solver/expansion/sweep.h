/* SPDX-License-Identifier: MIT */
/* A walk over all rows of a move and their pairs, by threads; see planes.h.   Layer:
 * solver (expansion moves).
 *
 * Threads: one walk at a time a move; it uses as many as solvers may.
 */
#ifndef FS_SOLVER_EXPANSION_SWEEP_H
#define FS_SOLVER_EXPANSION_SWEEP_H

#include "solver/expansion/fill_base.h"
#include "solver/expansion/move/arcs.h"

G_BEGIN_DECLS

enum { FS_SWEEP_STRIPS = 64 };

typedef struct _FsSweep FsSweep;

/* What is done in one row: first by itself, then for the pairs that begin there and lead in
 * direction d. */
typedef void (*FsRowWork) (const FsSweep *sweep, int y);
typedef void (*FsPairsWork) (const FsSweep *sweep, int y, int d, FsTruncation *truncation);

struct _FsSweep {
  FsMove *move;
  const uint8_t *labels;
  const FsDuals *duals;
  const FsBase *base;   /* NULL: it is done without one */
  int32_t *folded;      /* the label's own duals */
  const uint8_t *after; /* labels after the move; NULL: no matter which */
  gboolean is_plain;
  FsTableMove costs; /* of a plain table */
  FsRowWork row;
  FsPairsWork pairs; /* NULL: there is nothing to do for them */
  int n_strips;
  FsTruncation truncation[FS_SWEEP_STRIPS];
};

/* `labels` and `duals` may be NULL. What is to be done is for the caller to say. */
void fs_sweep_init (FsSweep *sweep, FsMove *move, const uint8_t *labels, const FsDuals *duals);

/* Does it, first for rows, then for pairs. Truncated terms are counted as if strip after strip had
 * been swept, seams and all; `truncation` is NULL where there are no pairs. */
void fs_sweep_all (FsSweep *sweep, FsTruncation *truncation);

G_END_DECLS

#endif
