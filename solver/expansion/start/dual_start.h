/* SPDX-License-Identifier: MIT */
/* A first labelling, and duals, by sweeps along rows and columns.   Layer: solver (expansion
 * moves).
 *
 * Source: block-coordinate ascent on the dual of the linear relaxation along monotone chains, as
 * in TRW-S (Kolmogorov 2006), with whole lines as blocks, which do not depend on each other
 * (Shekhovtsov, Reinbacher, Graber & Pock 2016). Each pair has one number a label here, Y, as
 * Komodakis & Tziritas 2007 have it for metrics, so that what comes out is what a move's cut begins
 * with (move.h). All of it is in whole numbers:
 *
 *     rest(p, l) = D(p, l) − Σ Y(p → right, down; l) + Σ Y(left, above → p; l)
 *
 * Three rounds pass all rests along all rows and back, then along all columns and back; on the way
 * back a pixel keeps a sixteenth of what it has over its least. A pair hands on as much of a rest
 * as the metric below V lets it, so no pair ever costs less than 0 beside the rests, and Σ min
 * rest(p, l) is a bound of every labelling's energy. The last way back chooses labels, column by
 * column, each the best for those chosen below it. Then every second row, the others, every second
 * column, and the others get the labels that are best of all beside the lines next to them.
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
#define FS_CHAINS_ROUNDS 3
#define FS_CHAINS_MENDS  2

/* Errors: FS_SOLVER_ERROR_INVALID, the message saying what the smoothness must be. */
gboolean fs_chains_are_for (const FsLabelProblem *problem, GError **error);

/* What a device does that does as fs_chains_start. For a problem that they are for. */
FsMovesChains fs_chains_describe (const FsLabelProblem *problem);

/* Writes W·H labels, and every label's duals unless `duals` is NULL, with room for cuts, of which
 * none lies there yet; `bound` may not be NULL. Errors: those of fs_chains_are_for,
 * FS_SOLVER_ERROR_MEMORY. Blocks. */
gboolean fs_chains_start (const FsLabelProblem *problem, uint8_t *labels, FsDuals *duals,
                          int64_t *bound, GError **error);

/* The same with the vectors that a test wants: those of 16 bits have room for few problems. */
gboolean fs_chains_start_with (const FsLinesWork *work, const FsLabelProblem *problem,
                               uint8_t *labels, FsDuals *duals, int64_t *bound, GError **error);

/* What fs_chains_start takes. */
const FsLinesWork *fs_chains_pick (const FsLabelProblem *problem);

G_END_DECLS

#endif
