/* SPDX-License-Identifier: MIT */
/* Operations on all pixels of a move.   Layer: solver (expansion moves).
 *
 * Rows are shared out to threads in strips. A pair adds to the t-links of both its ends, so those
 * that lead out of a strip wait until all strips are done. No number depends on the strips.
 *
 * Threads: one at a time a move; each call may use as many as solvers may.
 */
#ifndef FS_SOLVER_EXPANSION_PLANES_H
#define FS_SOLVER_EXPANSION_PLANES_H

#include "solver/expansion/move/move.h"

G_BEGIN_DECLS

/* Makes the cut for a label and a labelling; `duals` may be NULL. Cost O(N). */
void fs_move_fill (FsMove *move, int alpha, const uint8_t *labels, const FsDuals *duals,
                   FsMoveRun *run);

/* Takes the flow out of the move's solver, which can then cut another move; of a wide cut it is out
 * already. Nothing without a solver. Cost O(N). */
void fs_move_settle (FsMove *move, FsMoveRun *run);

/* Follows the labelling where the flow is in the planes: without a solver.
 * `pixels` are those whose data costs have changed. Cost: a look at each pixel, and O(changed). */
void fs_move_follow (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                     FsMoveRun *run);

/* The same where few pixels have changed: `pixels` are all of them, with other labels or data
 * costs. Cost: O(changed). */
void fs_move_follow_few (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                         FsMoveRun *run);

/* The same where many pixels have other labels: flow of the pairs that change is put into the
 * label's duals, and their arcs begin with all labels' duals. Cost: a look at each pixel, and
 * O(changed). Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_move_renew (FsMove *move, const uint8_t *labels, FsDuals *duals, const uint32_t *pixels,
                        size_t n, FsMoveRun *run, GError **error);

/* Puts the flow of the last solve, settled where the cut is not wide, into the label's duals. The
 * next cut that is filled with them begins with it, as far as its labels and the other labels'
 * duals are the same. Nothing where there was nothing to cut. Cost O(N). Errors:
 * FS_SOLVER_ERROR_MEMORY. */
gboolean fs_move_fold (FsMove *move, FsDuals *duals, GError **error);

/* The same for the pairs alone of which an end took the label: `after` are labels after the move.
 * Cuts of other labels ask for no others. Cost: a look at each pixel, and O(taken). */
gboolean fs_move_fold_taken (FsMove *move, const uint8_t *after, FsDuals *duals, GError **error);

G_END_DECLS

#endif
