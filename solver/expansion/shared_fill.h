/* SPDX-License-Identifier: MIT */
/* The common part of the fills of all labels.   Layer: solver (expansion moves).
 *
 * Where all labels have duals from the start (dual_start.h), each is filled once with nearly
 * the same labels. What a pair's arcs begin with (move.h) then is a part that knows the
 * label, Y_α and what V(a, α) and V(α, b) are, and one that does not:
 *
 *     p → q gets  V(a, α) − Y_α + base,  base = Y_a − ⌊(V(a, b) + Y_a − Y_b) / 2⌋
 *
 * of which the latter, with its looks at many labels' planes, is done once for all of them, and
 * again where labels have changed. The rest goes by many pixels at a time.
 *
 * Threads: one at a time; uses as many as solvers may.
 */
#ifndef FS_SOLVER_EXPANSION_SHARED_FILL_H
#define FS_SOLVER_EXPANSION_SHARED_FILL_H

#include "solver/expansion/fill_base.h"
#include "solver/expansion/move/move.h"

G_BEGIN_DECLS

/* For a table whose pairs' sums have 16 bits, with V(l, l) = 0, and all pixels present. */
gboolean fs_base_is_for (const FsMove *move);

/* Forgets it, as is to be done when duals or data costs change. */
void fs_base_clear (FsBase *base);

size_t fs_base_size_bytes (const FsBase *base, const FsLabelProblem *problem);

/* As fs_move_fill with these duals, which are all labels': the same numbers. Makes the base, or
 * follows the labels with it. Cost O(N). Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_base_fill (FsBase *base, FsMove *move, int alpha, const uint8_t *labels,
                       const FsDuals *duals, FsMoveRun *run, GError **error);

G_END_DECLS

#endif
