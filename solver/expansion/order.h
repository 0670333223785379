/* SPDX-License-Identifier: MIT */
/* Which labels a cycle of moves takes, and in which order.   Layer: solver (expansion moves). */
#ifndef FS_SOLVER_EXPANSION_ORDER_H
#define FS_SOLVER_EXPANSION_ORDER_H

#include "solver/expansion/move/label_problem.h"

G_BEGIN_DECLS

typedef struct {
  gboolean is_drawn; /* else labels stay in order */
  guint32 random;    /* the state of the drawing  */
  uint8_t all[FS_LABELS_MAX], label[FS_LABELS_MAX];
  int n_all, n; /* in all, of a cycle */
} FsLabelOrder;

/* `given`: all labels, each once; NULL: they ascend. */
void fs_label_order_init (FsLabelOrder *order, const uint8_t *given, int n_labels);

/* The stride of the first cycle where some are coarse: the largest 2^k that leaves four labels. */
int fs_label_order_coarsest (const FsLabelOrder *order);

/* Cycles are of the multiples of `stride` from now on. */
void fs_label_order_begin (FsLabelOrder *order, int stride);

/* Orders are drawn from now on, from this number; 0: labels stay in theirs. */
void fs_label_order_shuffle (FsLabelOrder *order, guint32 random);

/* Draws a cycle's order, where they are drawn. The sequence of orders is the same everywhere, and
 * another for each number that it begins with. */
void fs_label_order_draw (FsLabelOrder *order);

G_END_DECLS

#endif
