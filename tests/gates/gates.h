/* SPDX-License-Identifier: MIT */
/* What a gate is: sorts of checks, each made many times with random numbers of its own.
 *
 * A check's random numbers follow from gate, work and number alone, so what is checked depends
 * neither on how many processes share the work nor on what was checked before.
 */
#ifndef FS_GATES_H
#define FS_GATES_H

#include "tests/solver/problem.h"

#include <string.h>

G_BEGIN_DECLS

typedef enum { GATE_RIGHT, GATE_WRONG, GATE_SKIPPED } GateResult;

typedef struct _GateWork GateWork;
struct _GateWork {
  const char *name;
  GateResult (*check) (GRand *rand, const GateWork *work, int64_t number);
  int n;          /* checks with SCALE=1                                             */
  int size;       /* of the problem, as the check understands it                     */
  int holds;      /* how many problems a check counts as; 0: one                     */
  gboolean fixed; /* n checks whatever SCALE is                                      */
  gboolean alone; /* one after the other, each with all the threads that it can have */
};

typedef struct {
  const char *id;
  const GateWork *works; /* the longest checks first */
  int n_works;
  const char *missing; /* why there is nothing to check, or NULL */
} Gate;

extern const Gate gate_brute_force;
extern const Gate gate_independent_code;
extern const Gate gate_kernels;
extern const Gate gate_graphs;
extern const Gate gate_any_graphs;
extern const Gate gate_histories;
extern const Gate gate_extremes;
extern const Gate gate_side_by_side;

/* The backend of gates K and M: the kernels on the host in an order drawn anew, or the device. */
const FsBackend *gate_backend (GRand *rand);

static inline GateResult
gate_result (gboolean right)
{
  return right ? GATE_RIGHT : GATE_WRONG;
}

G_END_DECLS

#endif
