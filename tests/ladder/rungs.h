/* SPDX-License-Identifier: MIT */
/* The rungs, for every machine. */
#ifndef FS_LADDER_RUNGS_H
#define FS_LADDER_RUNGS_H

#include "tests/ladder/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FS_LADDER_MAX_LEVELS 12
#define FS_LADDER_MAX_PIXELS (1 << 29)

/* R (NAME, name, "name", "idea"). */
#define FS_LADDER_RUNGS(R)                                                                         \
  R (PUSH_PULL, push_pull, "push-pull",                                                            \
     "push into a plane a direction, fetch it in a second kernel: no word has two writers")        \
  R (ATOMIC, atomic, "atomic",                                                                     \
     "push straight into the neighbour's excess: one kernel less, and no planes of flow")          \
  R (STOCHASTIC, stochastic, "stochastic",                                                         \
     "leave out blocks that have not traded flow, but for every tenth iteration")                  \
  R (LOCK_FREE, lock_free, "lock-free",                                                            \
     "one kernel that pushes or relabels, on a list where every node has as many arcs")            \
  R (BAND, band, "band",                                                                           \
     "cut a smaller level, then only a strip along its cut, as a list of neighbours")

#define FS_LADDER_RUNG_NUMBER(NAME, name, text, idea) FS_LADDER_RUNG_##NAME,
typedef enum { FS_LADDER_RUNGS (FS_LADDER_RUNG_NUMBER) FS_LADDER_RUNG_END } FsLadderRungNumber;

/* Checks the arguments, carries the problem to the machine, cuts it, and carries the mask back. The
 * machine has no memory afterwards. Returns an FsLadderError. */
int fs_ladder_run (FsLadderMachine *machine, FsLadderRungNumber rung,
                   const FsLadderProblem *problem, const FsLadderOptions *options,
                   FsLadderResult *result);

#ifdef __cplusplus
}
#endif

#endif
