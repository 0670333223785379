/* SPDX-License-Identifier: MIT */
/* One expansion move as a minimum cut.   Layer: solver.
 *
 * Which pixels take the label α and which keep theirs? Keeping is object (1), taking is background
 * (0), so that a canonical mask, whose background is the smallest there is, changes no label
 * without need: it changes any exactly when that lowers the energy.
 *
 * Source: Kolmogorov & Zabih 2004, section 4, without auxiliary nodes. With a, b the labels of p, q
 *
 *   A = V(a, b)   B = V(α, α)   C = V(a, α)   D = V(α, b)
 *
 * a pair costs B + (C − B − w_pq)·x_p + (D − B − w_qp)·x_q + w_pq·x_p·(1 − x_q) +
 * w_qp·x_q·(1 − x_p) for any w_pq + w_qp = C + D − A − B. The paper takes one arc; we share the sum
 * out between both, so that both pixels are pulled alike. Any other way of sharing is the same
 * energy with flow in it, and that is how flow is kept from one label's cut for those of all the
 * others: as *duals* Y_l(pq), a number a pair and label, after Komodakis, Tziritas & Paragios 2007.
 * C becomes C + Y_a − Y_α, D becomes D + Y_α − Y_b, A becomes A + Y_a − Y_b when a sum is shared
 * out; after the cut Y_α is set so that sharing out gives what is left of the arcs. Whatever the
 * duals are, only the sharing depends on them, so energy and mask do not.
 *
 * A pair that has α already has a sum of 0 and its pixel no t-link: pixels that take no part need
 * no flag. A negative sum, where V is no metric, is truncated: B is lowered until the sum is 0. The
 * other ways to truncate (Rother, Kumar, Kolmogorov & Blake 2005 lower A or raise C and D) make
 * moves that can only fall, but find less; with ours a mask is a proposal, and the caller asks each
 * part of it what it is really worth.
 *
 * Exactness: arcs have 16 bits, a pair's sum may have more. Such a cut is made in instalments: arcs
 * show up to 32,767 of what they have; where a cut used all of that, what is left is shown next,
 * with the flow so far in the t-links, until every arc that is full in the solver is full in truth.
 * Flow and mask are then those of the whole, for nothing was rounded or capped.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_MOVE_MOVE_H
#define FS_SOLVER_EXPANSION_MOVE_MOVE_H

#include "solver/expansion/move/move_state.h"

G_BEGIN_DECLS

void fs_duals_clear (FsDuals *duals);
size_t fs_duals_size_bytes (const FsDuals *duals);

/* Makes a label's duals, all 0, unless it has some. Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_duals_make (FsDuals *duals, int label, GError **error);

/* Makes the duals of all labels, none of which has any, for the caller to write. Errors, after
 * which none has any: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_duals_make_all (FsDuals *duals, GError **error);

/* Its planes lie in the room, which outlives it, if there is one and something is left of it.
 * Errors: FS_SOLVER_ERROR_MEMORY. */
FsMove *fs_move_new (const FsLabelProblem *problem, FsReusedMemory *reused, GError **error);
void fs_move_free (FsMove *move);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsMove, fs_move_free)

/* Follows the labelling with a solver's flow and trees: `pixels` are at least those whose label or
 * data costs have changed since it was filled or updated. Not for a wide cut, nor with a solver
 * that does not follow n-links. Cost O(n). Errors: those of fs_solver_change_nlinks. */
gboolean fs_move_update (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                         FsMoveRun *run, GError **error);

/* Finds the mask, W·H bytes: 0 where a pixel shall take the label. FALSE in `takes_any`: the mask
 * is 1 everywhere, and was not written. Errors: those of fs_solver_solve; BACKEND also where a
 * certificate does not hold. */
gboolean fs_move_solve (FsMove *move, uint8_t *mask, gboolean *takes_any, FsMoveRun *run,
                        GError **error);

/* Checks a mask that a device found for the cut that was filled: it must be a certified solver's.
 * Errors: those of fs_move_solve. */
gboolean fs_move_check (FsMove *move, const uint8_t *mask, FsMoveRun *run, GError **error);

/* The t-link that a pixel has beside the arcs as they are. */
int32_t fs_move_whole_tlink (const FsMove *move, size_t pixel, const uint8_t *labels);

/* Gives the solver away, for the next cut that needs one. */
void fs_move_return_solver (FsMove *move, FsMoveRun *run);

/* Whether updates are possible, with solvers of this backend. */
gboolean fs_move_can_update (const FsBackend *backend);

/* Bytes that the move holds. */
size_t fs_move_size_bytes (FsMove *move);

G_END_DECLS

#endif
