/* SPDX-License-Identifier: MIT */
/* State of a move, and the context of its runs; see move.h.   Layer: solver (expansion moves). */
#ifndef FS_SOLVER_EXPANSION_MOVE_MOVE_STATE_H
#define FS_SOLVER_EXPANSION_MOVE_MOVE_STATE_H

#include "solver/expansion/move/label_problem.h"
#include "solver/expansion/move/local_maxflow.h"
#include "solver/solver.h"
#include "solver/system/reused_memory.h"

G_BEGIN_DECLS

/* The first term that had to be truncated. */
typedef struct {
  int64_t n; /* truncated terms, counted in each move that computes them */
  size_t pixel;
  FsDirection direction;
  uint8_t a, b, alpha; /* V(a, b) + V(alpha, alpha) > V(a, alpha) + V(alpha, b) */
} FsTruncation;

/* Duals: one number per pair and label (move.h). */
typedef struct {
  const FsLabelProblem *problem;
  int32_t *of[FS_LABELS_MAX]; /* [direction · n + p]; NULL: all 0 */
  FsReusedMemory reused;      /* memory of some of them, and of cuts */
} FsDuals;

/* A label's cut. */
typedef struct {
  const FsLabelProblem *problem;
  int alpha;
  gboolean is_wide; /* a sum may exceed 16 bits */
  gboolean is_cold; /* no flow was saved for it: many pixels may have deficits */
  int32_t potts;    /* V of any two different labels, while V(a, a) = 0; 0: V is another */
  FsGrid grid;      /* what a solver sees       */
  uint16_t *nlink[FS_N_DIRECTIONS], *nlink_back[FS_N_DIRECTIONS];
  int32_t *forth[FS_N_DIRECTIONS], *back[FS_N_DIRECTIONS]; /* the whole arcs of a wide cut */
  uint8_t *seen;    /* the labels for which the cut was filled */
  FsSolver *solver; /* NULL until local_maxflow.h does not suffice; the flow is in the arcs then */
  GArray *candidates; /* of uint32_t: all pixels that may have a deficit, if known */
  gboolean are_candidates_known;
  FsReusedMemory *reused; /* memory of the planes, or NULL */
  void *block;
} FsMove;

typedef struct {
  const FsBackend *backend;
  gboolean verify; /* check every certificate; a cut that fails is an error */
  const FsProgress *progress;
  FsTruncation *truncation;
  FsLocalMaxflow *maxflow;
  FsSolver **spare; /* a solver of the same shape for reuse; NULL: solvers are freed */
  int64_t n_solves; /* several for a move made in instalments */
} FsMoveRun;

G_END_DECLS

#endif
