/* SPDX-License-Identifier: MIT */
/* A sweep over all rows of a move and their pairs, by threads; see planes.h.   Layer: solver
 * (expansion moves).
 *
 * Threads: one sweep at a time a move; it uses as many as solvers may.
 */
#ifndef FS_SOLVER_EXPANSION_SWEEP_H
#define FS_SOLVER_EXPANSION_SWEEP_H

#include "solver/expansion/fill_base.h"
#include "solver/expansion/move/arcs.h"

G_BEGIN_DECLS

enum { FS_SWEEP_STRIPS = 64 };

typedef struct _FsSweep FsSweep;

/* The work in one row: on its pixels, then on the pairs from its pixels in direction d. */
typedef void (*FsRowWork) (const FsSweep *sweep, int y);
typedef void (*FsPairsWork) (const FsSweep *sweep, int y, int d, FsTruncation *truncation);

struct _FsSweep {
  FsMove *move;
  const uint8_t *labels;
  const FsDuals *duals;
  const FsBase *base;   /* or NULL                      */
  int32_t *folded;      /* the label's own duals */
  const uint8_t *after; /* labels after the move; NULL: not needed */
  gboolean is_plain;
  FsTableMove costs; /* of a plain table */
  FsRowWork row;
  FsPairsWork pairs; /* NULL: no work */
  int n_strips;
  FsTruncation truncation[FS_SWEEP_STRIPS];
};

/* `labels` and `duals` may be NULL. The caller sets `row` and `pairs`. */
void fs_sweep_init (FsSweep *sweep, FsMove *move, const uint8_t *labels, const FsDuals *duals);

/* Runs the work, first of rows, then of pairs. Truncated terms are counted as if the strips had
 * been swept one after another, with the pairs between them; `truncation` may be NULL without
 * pairs. */
void fs_sweep_all (FsSweep *sweep, FsTruncation *truncation);

G_END_DECLS

#endif
