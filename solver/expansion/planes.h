/* SPDX-License-Identifier: MIT */
/* Operations on all pixels of a move.   Layer: solver (expansion moves).
 *
 * Threads share the rows in strips. A pair adds to the t-links of both its ends, so pairs that
 * cross a strip's edge wait until all strips are done. No result depends on the strips.
 *
 * Threads: one at a time a move; each call may use as many as solvers may.
 */
#ifndef FS_SOLVER_EXPANSION_PLANES_H
#define FS_SOLVER_EXPANSION_PLANES_H

#include "solver/expansion/move/move.h"

G_BEGIN_DECLS

/* Fills the cut of a label's move from a labelling; `duals` may be NULL. Cost O(N). */
void fs_move_fill (FsMove *move, int alpha, const uint8_t *labels, const FsDuals *duals,
                   FsMoveRun *run);

/* Copies the flow from the move's solver to the planes, so that the solver can cut another move. A
 * wide cut has its flow there already. Does nothing without a solver. Cost O(N). */
void fs_move_read_flow (FsMove *move, FsMoveRun *run);

/* Updates a cut whose flow is in the planes, without a solver, to a new labelling. `pixels` are
 * those whose data costs have changed. Cost: one read of each pixel, and O(changed). */
void fs_move_follow (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                     FsMoveRun *run);

/* The same where few pixels have changed: `pixels` are all with other labels or data costs. Cost:
 * O(changed). */
void fs_move_follow_few (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                         FsMoveRun *run);

/* The same where many pixels have other labels: the flow of changed pairs is stored in the label's
 * duals, and their arcs are initialised from all labels' duals. Cost: one read of each pixel, and
 * O(changed). Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_move_renew (FsMove *move, const uint8_t *labels, FsDuals *duals, const uint32_t *pixels,
                        size_t n, FsMoveRun *run, GError **error);

/* Stores the flow of the last solve (after fs_move_read_flow, unless the cut is wide) in the
 * label's duals. The next cut that is filled with them begins with that flow where its labels and
 * the other labels' duals are the same. Does nothing where nothing was cut. Cost O(N). Errors:
 * FS_SOLVER_ERROR_MEMORY. */
gboolean fs_move_fold (FsMove *move, FsDuals *duals, GError **error);

/* The same only for pairs of which an end took the label; `after` are the labels after the move.
 * Other labels' cuts need no others. Cost: one read of each pixel, and O(taken). */
gboolean fs_move_fold_taken (FsMove *move, const uint8_t *after, FsDuals *duals, GError **error);

G_END_DECLS

#endif
