/* SPDX-License-Identifier: MIT */
/* Dual start: a first labelling, duals and a lower bound by dual ascent along scanlines.
 * Layer: solver (expansion moves).
 *
 * Source: block-coordinate ascent on the dual of the linear relaxation along monotone chains, as
 * in TRW-S (Kolmogorov 2006), with whole lines as blocks, which do not depend on each other
 * (Shekhovtsov, Reinbacher, Graber & Pock 2016). Each pair has one number a label here, Y, as
 * Komodakis & Tziritas 2007 have it for metrics, so that the result is what a move's cut begins
 * with (move.h). All numbers are integers:
 *
 *     rest(p, l) = D(p, l) − Σ Y(p → right, down; l) + Σ Y(left, above → p; l)
 *
 * Three rounds sweep forwards and back along all rows, then along all columns, and pass the rests
 * on; on the way back a pixel retains a sixteenth of each rest's difference from the least one. A
 * pair passes on as much of a rest as the largest metric below V allows, so that its reduced cost
 * is never negative, and Σ min rest(p, l) is a lower bound of every labelling's energy. The last
 * sweep back chooses labels, column by column, each the best for those chosen below it. Then every
 * second row, the other rows, every second column and the other columns get their best labels,
 * exactly, with those of the adjacent lines fixed.
 *
 * For 4 neighbours and V(a, b) = c(|a − b|) where c(0) = 0 and min (k · c(1), c(L − 1)) ≤ c(k) ≤
 * c(L − 1): Potts, linear and square, truncated or not.
 *
 * Exactness: labels, duals and bound are the same with 16 and 32 bits, AVX2 or none, and any number
 * of threads. Cost: O(N·L); 4 to 16 bytes a pixel and label while it lasts.
 *
 * Threads: one at a time; uses as many as solvers may.
 */
#ifndef FS_SOLVER_EXPANSION_START_DUAL_START_H
#define FS_SOLVER_EXPANSION_START_DUAL_START_H

#include "solver/expansion/move/move.h"
#include "solver/expansion/start/scanlines.h"
#include "solver/kernels/moves_engine.h"

G_BEGIN_DECLS

/* Rounds of sweeps. */
#define FS_DUAL_START_ROUNDS 3
#define FS_DUAL_START_MENDS  2

/* FALSE where V is of no kind above. Errors: FS_SOLVER_ERROR_INVALID; the message says what the
 * smoothness must be. */
gboolean fs_dual_start_supports (const FsLabelProblem *problem, GError **error);

/* The parameters with which a device computes the same as fs_dual_start. For a supported problem.
 */
FsMovesDualStart fs_dual_start_describe (const FsLabelProblem *problem);

/* Writes W·H labels, every label's duals unless `duals` is NULL (it has capacity for cuts and holds
 * none yet), and `bound`, which may not be NULL. Errors: those of fs_dual_start_supports,
 * FS_SOLVER_ERROR_MEMORY. Blocks. */
gboolean fs_dual_start (const FsLabelProblem *problem, uint8_t *labels, FsDuals *duals,
                        int64_t *bound, GError **error);

/* The same with vectors of a test's choice. Those of 16 bits hold the sums of few problems. */
gboolean fs_dual_start_with (const FsLinesWork *work, const FsLabelProblem *problem,
                             uint8_t *labels, FsDuals *duals, int64_t *bound, GError **error);

/* The vectors that fs_dual_start takes. */
const FsLinesWork *fs_dual_start_pick_work (const FsLabelProblem *problem);

G_END_DECLS

#endif
