/* SPDX-License-Identifier: MIT */
/* C interface of the kernels that make expansion moves.   Layer: solver/kernels.
 *
 * An engine has an energy of many labels, a labelling and, where it reuses flow, the duals of every
 * label (solver/expansion/move/move.h). It fills a move's cut, solves it and applies it on the
 * device. Pair costs are a table times a weight per pair, and small enough for arcs of 16 bits:
 * twice the largest is at most 65,535.
 *
 * Planes, directions and costs are those of solver/expansion/move/label_problem.h. Calls that can
 * fail return 0, or another status and a text; after a failure, but not after a cancelled call,
 * only destroy() may be called. FsEngineTable.open() of the same module must have succeeded before.
 *
 * Threads: one at a time per engine.
 */
#ifndef FS_SOLVER_KERNELS_MOVES_ENGINE_H
#define FS_SOLVER_KERNELS_MOVES_ENGINE_H

#include "solver/kernels/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FS_MOVES_VERSION 4
#define FS_MOVES_LABELS  256

typedef struct FsMoves FsMoves;

/* Row-major planes of the host, read by create() alone. */
typedef struct {
  int width, height, neighbours, n_labels;
  const int32_t *data;       /* [label · W·H + p]         */
  const int32_t *table;      /* [a · n_labels + b]        */
  const uint16_t *weight[4]; /* [p]; all NULL: 1          */
  const uint8_t *present;    /* NULL: all are present     */
  int reuses_flow;           /* from a label's cut to its next one */
  int shares_flow;           /* and to a label's first one from all before it */
} FsMovesProblem;

typedef struct {
  uint32_t pixel;
  int32_t label, cost;
} FsMovesDatum;

/* Statistics of a call. */
typedef struct {
  int64_t n_cuts;      /* moves whose cut had changed               */
  int64_t n_truncated; /* terms of the last move that are no metric */
  int64_t epochs, discharges;
  double ms[3];      /* of raising, lowering, discharging */
  int64_t energy[2]; /* of run(), unless it was cancelled: Σ D and Σ V of the labelling */
} FsMovesResult;

/* The cost of labels a distance apart: `max` beyond `truncation`, and never more. */
typedef struct {
  int truncation;
  int32_t max, cost[FS_MOVES_LABELS]; /* [|a − b|] */
} FsMovesDistances;

/* Parameters of a dual start (solver/expansion/start/dual_start.h): rounds of sweeps along rows and
 * columns, then rounds in which every second line is improved exactly. */
typedef struct {
  int n_rounds, n_mends, retained_shift;
  FsMovesDistances metric, real;
} FsMovesDualStart;

typedef struct {
  int (*is_cancelled) (void *); /* polled; a cancelled engine can go on */
  void *data;
} FsMovesWatch;

typedef struct {
  int version; /* FS_MOVES_VERSION */
  int (*create) (const FsMovesProblem *problem, FsMoves **moves, FsEngineError *error);
  void (*destroy) (FsMoves *moves);
  /* n data costs; a pixel and label that occur twice have the same cost twice. */
  int (*change_data) (FsMoves *moves, const FsMovesDatum *changes, size_t n, FsEngineError *error);
  int (*set_labels) (FsMoves *moves, const uint8_t *labels, FsEngineError *error);
  /* The labels as they were last set or got, in the host's memory. A caller of change_labels writes
   * them here, too. */
  uint8_t *(*labels) (FsMoves *moves);
  /* Writes the labels that run() has changed since then: the range of n pixels from `first` on. */
  int (*get_labels) (FsMoves *moves, uint8_t *labels, size_t *first, size_t *n,
                     FsEngineError *error);
  /* Gives n pixels a label. */
  int (*change_labels) (FsMoves *moves, const uint32_t *pixels, size_t n, int label,
                        FsEngineError *error);
  /* The dual start: writes W·H labels and a lower bound of every labelling's energy; where flow is
   * reused or shared, also sets all labels' duals, with which their next moves begin. For 4
   * neighbours. Blocks. */
  int (*start) (FsMoves *moves, const FsMovesDualStart *start, uint8_t *labels, int64_t *bound,
                FsEngineError *error);
  /* Makes and applies the moves of n labels, at most FS_MOVES_LABELS, one after another.
   * n_changed[i]: pixels that took the i-th. A cancelled call ends after a whole move. */
  int (*run) (FsMoves *moves, const uint8_t *labels, int n, const FsMovesWatch *watch,
              uint32_t *n_changed, FsMovesResult *result, FsEngineError *error);
  /* Makes one move without applying it: mask() has the pixels that would take the label. */
  int (*propose) (FsMoves *moves, int label, const FsMovesWatch *watch, FsMovesResult *result,
                  FsEngineError *error);
  /* The mask of the last proposal: a word per row of a tile of 32 × 32 pixels, 1 for pixels that
   * keep their label, tiles row by row. Valid until the next call. */
  const uint32_t *(*mask) (FsMoves *moves);
  size_t (*size_bytes) (FsMoves *moves);
} FsMovesTable;

/* The symbol of the module. */
#define FS_MOVES_SYMBOL "fs_moves_cuda"
typedef const FsMovesTable *FsMovesEntry (void);

#ifdef __cplusplus
}
#endif

#endif
