/* SPDX-License-Identifier: MIT */
/* Energies of many labels for tests, shaped at random. */
#ifndef FS_TESTS_LABELS_PROBLEM_H
#define FS_TESTS_LABELS_PROBLEM_H

#include "solver/expansion/move/label_problem.h"

G_BEGIN_DECLS

typedef enum {
  COSTS_POTTS,
  COSTS_LINEAR,
  COSTS_WIDE,  /* a metric whose sums exceed 16 bits         */
  COSTS_TABLE, /* anything: no metric, not even symmetric     */
  COSTS_FUNCTION,
  N_COSTS
} Costs;

typedef struct {
  FsLabelProblem problem;
  int32_t *data, *table;
  uint16_t *weight[FS_N_DIRECTIONS];
  uint8_t *present;
  int32_t *levels; /* [n_labels · n], for the function */
} Labels;

/* Some of them with weights, some with absent pixels; 4 or 8 neighbours. */
Labels *labels_new (GRand *rand, int width, int height, int n_labels, Costs costs);
void labels_free (Labels *labels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Labels, labels_free)

/* Free with g_free. */
uint8_t *random_labelling (GRand *rand, const FsLabelProblem *problem);

/* Of all labellings of 16 pixels at most, each asked. */
int64_t min_label_energy (const FsLabelProblem *problem);

G_END_DECLS

#endif
