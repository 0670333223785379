/* SPDX-License-Identifier: MIT */
/* Shared computation of the first cuts of all labels.   Layer: solver (expansion moves).
 *
 * Where all labels have duals from the start (dual_start.h), the first cut of each is filled from
 * nearly the same labelling. The initial capacity of a pair's arc (move.h) is the sum of a term
 * that depends on the move's label α and of one that does not:
 *
 *     p → q gets  V(a, α) − Y_α + base,  base = Y_a − ⌊(V(a, b) + Y_a − Y_b) / 2⌋
 *
 * The base, which gathers from many labels' planes, is computed once for all labels, and again only
 * where labels have changed. The rest is vectorised.
 *
 * Threads: one at a time; uses as many as solvers may.
 */
#ifndef FS_SOLVER_EXPANSION_SHARED_FILL_H
#define FS_SOLVER_EXPANSION_SHARED_FILL_H

#include "solver/expansion/fill_base.h"
#include "solver/expansion/move/move.h"

G_BEGIN_DECLS

/* Returns whether a move can be filled so: with a table, V(l, l) = 0, 16-bit sums, and all pixels
 * present.
 */
gboolean fs_base_is_for (const FsMove *move);

/* Drops the base; to be called when duals or data costs change. */
void fs_base_clear (FsBase *base);

size_t fs_base_size_bytes (const FsBase *base, const FsLabelProblem *problem);

/* Computes the same as fs_move_fill with these duals, which all labels must have. Computes the base
 * or updates it to the labels. Cost O(N). Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_base_fill (FsBase *base, FsMove *move, int alpha, const uint8_t *labels,
                       const FsDuals *duals, FsMoveRun *run, GError **error);

G_END_DECLS

#endif
