/* SPDX-License-Identifier: MIT */
/* The order of labels in cycles of moves.   Layer: solver (expansion moves). */
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

/* The stride of the first coarse cycle: the largest 2^k that leaves four labels. */
int fs_label_order_coarsest (const FsLabelOrder *order);

/* From now on cycles are over every `stride`-th label. */
void fs_label_order_begin (FsLabelOrder *order, int stride);

/* From now on each cycle draws a random order, starting from this seed; 0: labels stay in order. */
void fs_label_order_shuffle (FsLabelOrder *order, guint32 random);

/* Draws a cycle's order, if there is a seed. The sequence of orders depends on the seed alone. */
void fs_label_order_draw (FsLabelOrder *order);

G_END_DECLS

#endif
