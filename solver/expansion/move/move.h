/* SPDX-License-Identifier: MIT */
/* One expansion move as a minimum cut.   Layer: solver.
 *
 * In the cut of label α, object (1) is a pixel that keeps its label, background (0) one that takes
 * α. A canonical mask, whose background is the smallest, thus changes no label without need: it
 * changes any exactly when that lowers the energy.
 *
 * Source: Kolmogorov & Zabih 2004, section 4, without auxiliary nodes. With a, b the labels of p, q
 *
 *   A = V(a, b)   B = V(α, α)   C = V(a, α)   D = V(α, b)
 *
 * a pair costs B + (C − B − w_pq)·x_p + (D − B − w_qp)·x_q + w_pq·x_p·(1 − x_q) +
 * w_qp·x_q·(1 − x_p) for any w_pq + w_qp = C + D − A − B. The paper uses one arc; here the sum is
 * divided between both, so that both pixels get the same t-link. Another division is the same
 * energy with flow in it (a reparametrisation). That is how the flow of one label's cut is saved
 * for those of all others: as *duals* Y_l(pq), one number per pair and label, after Komodakis,
 * Tziritas & Paragios 2007. When a sum is divided, C becomes C + Y_a − Y_α, D becomes D + Y_α −
 * Y_b, and A becomes A + Y_a − Y_b; after the cut Y_α is set so that the division gives the
 * residuals. Only the division depends on the duals: energy and mask do not.
 *
 * A pair with α already has a sum of 0, and a pixel with α no t-link: neither needs a flag. A
 * negative sum, where V is no metric, is truncated: B is lowered until the sum is 0. Other
 * truncations (Rother, Kumar, Kolmogorov & Blake 2005 lower A or raise C and D) never raise the
 * true energy, but find less; with this one a mask is a proposal, and the caller computes the true
 * energy of each component of it.
 *
 * Exactness: arcs have 16 bits, a pair's sum may have more. Such a *wide* cut is made in
 * instalments: the solver gets up to 32,767 of each arc's capacity; where it saturates such an arc,
 * it gets more of the rest next, with the flow so far in the t-links, until every arc that is full
 * in the solver is full in truth. Flow and mask are then exact: nothing is rounded or capped.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_MOVE_MOVE_H
#define FS_SOLVER_EXPANSION_MOVE_MOVE_H

#include "solver/expansion/move/move_state.h"

G_BEGIN_DECLS

void fs_duals_clear (FsDuals *duals);
size_t fs_duals_size_bytes (const FsDuals *duals);

/* Allocates a label's duals, all 0, unless it has some. Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_duals_make (FsDuals *duals, int label, GError **error);

/* Allocates the duals of all labels, none of which has any, for the caller to write. Errors:
 * FS_SOLVER_ERROR_MEMORY; there are none then. */
gboolean fs_duals_make_all (FsDuals *duals, GError **error);

/* The planes are taken from `reused`, which must outlive the move, as long as it has memory; it may
 * be NULL. Errors: FS_SOLVER_ERROR_MEMORY. */
FsMove *fs_move_new (const FsLabelProblem *problem, FsReusedMemory *reused, GError **error);
void fs_move_free (FsMove *move);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsMove, fs_move_free)

/* Updates the cut to a labelling, with its solver's flow and trees: `pixels` contain all whose
 * label or data costs have changed since it was filled or updated. Not for a wide cut, nor with a
 * solver that cannot change n-links. Cost O(n). Errors: those of fs_solver_change_nlinks. */
gboolean fs_move_update (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                         FsMoveRun *run, GError **error);

/* Finds the mask, W·H bytes: 0 where a pixel shall take the label. FALSE in `takes_any`: the mask
 * is 1 everywhere, and was not written. Errors: those of fs_solver_solve; BACKEND also where a
 * certificate does not hold. */
gboolean fs_move_solve (FsMove *move, uint8_t *mask, gboolean *takes_any, FsMoveRun *run,
                        GError **error);

/* Checks a device's mask for the filled cut: it must equal that of a certified solver. Errors:
 * those of fs_move_solve. */
gboolean fs_move_check (FsMove *move, const uint8_t *mask, FsMoveRun *run, GError **error);

/* The t-link of a pixel for the present arcs. */
int32_t fs_move_whole_tlink (const FsMove *move, size_t pixel, const uint8_t *labels);

/* Gives the solver away, for the next cut that needs one. */
void fs_move_return_solver (FsMove *move, FsMoveRun *run);

/* Returns whether updates are possible, with solvers of this backend. */
gboolean fs_move_can_update (const FsBackend *backend);

/* Bytes that the move holds. */
size_t fs_move_size_bytes (FsMove *move);

G_END_DECLS

#endif
