/* SPDX-License-Identifier: MIT */
/* What a schedule runs its kernels on: a CUDA device, or plain C.
 *
 * The first error stays: every later call does nothing, so that a schedule need look at `error`
 * only where it loops and at its end. Launches are in order and may return before they have run;
 * the two copies wait for them.
 */
#ifndef FS_LADDER_MACHINE_H
#define FS_LADDER_MACHINE_H

#include "tests/ladder/ladder.h"
#include "tests/ladder/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* K (NAME, name, state that it takes). */
#define FS_LADDER_KERNELS(K)                                                                       \
  K (BUILD, build, FsLadderGrid)                                                                   \
  K (PUSH, push, FsLadderGrid)                                                                     \
  K (PULL, pull, FsLadderGrid)                                                                     \
  K (PULL_RELABEL, pull_relabel, FsLadderGrid)                                                     \
  K (PUSH_ATOMIC, push_atomic, FsLadderGrid)                                                       \
  K (RELABEL, relabel, FsLadderGrid)                                                               \
  K (PUSH_ACTIVE, push_active, FsLadderGrid)                                                       \
  K (RELABEL_ACTIVE, relabel_active, FsLadderGrid)                                                 \
  K (ACTIVATE, activate, FsLadderGrid)                                                             \
  K (START_HEIGHTS, start_heights, FsLadderGrid)                                                   \
  K (LOWER, lower, FsLadderGrid)                                                                   \
  K (DRAW, draw, FsLadderGrid)                                                                     \
  K (LOOK, look, FsLadderNodes)                                                                    \
  K (FIND_LEFT, find_left, FsLadderNodes)                                                          \
  K (COARSEN, coarsen, FsLadderCoarsening)                                                         \
  K (FIND_EDGE, find_edge, FsLadderList)                                                           \
  K (MARK_BAND, mark_band, FsLadderList)                                                           \
  K (NUMBER, number, FsLadderList)                                                                 \
  K (LINK, link, FsLadderList)                                                                     \
  K (LIST_PUSH, list_push, FsLadderList)                                                           \
  K (LIST_PULL, list_pull, FsLadderList)                                                           \
  K (LIST_PULL_RELABEL, list_pull_relabel, FsLadderList)                                           \
  K (LIST_START_HEIGHTS, list_start_heights, FsLadderList)                                         \
  K (LIST_LOWER, list_lower, FsLadderList)                                                         \
  K (LIST_DISCHARGE, list_discharge, FsLadderList)                                                 \
  K (LIST_DRAW, list_draw, FsLadderList)

#define FS_LADDER_KERNEL_NAME(NAME, name, State) FS_LADDER_KERNEL_##NAME,
typedef enum {
  FS_LADDER_KERNELS (FS_LADDER_KERNEL_NAME) FS_LADDER_N_KERNELS,
  FS_LADDER_NO_KERNEL = FS_LADDER_N_KERNELS
} FsLadderKernel;

#define FS_LADDER_MAX_ALLOCATIONS 512

typedef struct _FsLadderMachine FsLadderMachine;
struct _FsLadderMachine {
  void *(*alloc) (FsLadderMachine *machine, size_t bytes);
  void (*release) (FsLadderMachine *machine, void *memory);
  void (*upload) (FsLadderMachine *machine, void *to, const void *from, size_t bytes);
  void (*download) (FsLadderMachine *machine, void *to, const void *from, size_t bytes);
  void (*launch) (FsLadderMachine *machine, FsLadderKernel kernel, const void *state, int n_blocks);
  /* Adds the time between 1 and 0 to `ms`. */
  void (*set_clock) (FsLadderMachine *machine, int running);
  double ms;
  size_t bytes;      /* that were allocated */
  int error;         /* FsLadderError */
  const char *fault; /* static text, or NULL */
  void *memory[FS_LADDER_MAX_ALLOCATIONS];
  int n_memory;
};

/* Memory that lives until the run ends; NULL after an error. */
void *fs_ladder_alloc (FsLadderMachine *machine, size_t bytes);
void fs_ladder_release_all (FsLadderMachine *machine);

void fs_ladder_upload (FsLadderMachine *machine, void *to, const void *from, size_t bytes);
void fs_ladder_download (FsLadderMachine *machine, void *to, const void *from, size_t bytes);

/* A thread for each of n_threads; the block on the edge has some too many. */
void fs_ladder_launch (FsLadderMachine *machine, FsLadderKernel kernel, const void *state,
                       int64_t n_threads);

void fs_ladder_set_clock (FsLadderMachine *machine, int running);

#ifdef __cplusplus
}
#endif

#endif
