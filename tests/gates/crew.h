/* SPDX-License-Identifier: MIT */
/* Makes a gate's checks, in several processes at once.
 *
 * Processes, not threads: a check that crashes takes its own process only, and is counted as wrong.
 */
#ifndef FS_GATES_CREW_H
#define FS_GATES_CREW_H

#include "solver/graph/graph_solver.h"
#include "tests/gates/gates.h"

G_BEGIN_DECLS

typedef struct {
  int jobs;     /* processes; 1 makes none but the calling one         */
  int scale;    /* what the checks of every work that is not fixed are multiplied by */
  int64_t only; /* the one number to check of every work, or -1        */
} CrewOptions;

typedef struct {
  int64_t n_expected;
  int64_t n_wrong; /* also those that no process lived to finish */
  int64_t n_skipped;
  int64_t n_proven; /* cuts whose certificate holds */
  int64_t n_unproven;
} CrewTally;

/* Tells on stderr which checks are wrong, the first ten of them. Blocks. */
CrewTally crew_run (const Gate *gate, const CrewOptions *options);

/* Inside a check: solves, counts whether the certificate holds, and returns that. */
gboolean crew_solve (FsSolver *solver, FsSolution *solution);

/* The same with any graph. */
gboolean crew_solve_graph (FsGraphSolver *solver, FsSolution *solution);

/* Inside a check: the scale that the gate runs with. */
int crew_scale (void);

G_END_DECLS

#endif
