/* SPDX-License-Identifier: MIT */
#ifndef FS_GATES_H
#define FS_GATES_H

#include "tests/solver/problem.h"

#include <string.h>

typedef struct {
  int64_t n_checked;
  int64_t n_wrong;
  const char *skipped; /* why, or NULL */
} GateResult;

typedef struct {
  const char *id;
  void (*run) (GateResult *result);
} Gate;

void gate_brute_force (GateResult *result);
void gate_independent_code (GateResult *result);
void gate_histories (GateResult *result);
void gate_extremes (GateResult *result);

/* The environment's SCALE, at least 1; and n times it, less where sanitizers watch. */
int gate_scale (void);
int64_t gate_count (int n);

/* Solves, and counts for S1 whether the certificate holds; returns that. */
gboolean gate_solve (FsSolver *solver, FsSolution *solution);

#endif
