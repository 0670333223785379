/* SPDX-License-Identifier: MIT */
/* The ladder: graph cuts on the GPU as they were published, to compare with.
 *
 * Each rung is a published way to cut the grid by push-relabel, from the papers alone, and runs
 * with the papers' stop rule or with the sound one. Nothing here is linked into the application:
 * the benchmark runs the rungs beside the production backend and prints their time and their wrong
 * pixels.
 *
 * Sources: Vineet & Narayanan 2008 (CUDA Cuts), sections 2.3 and 3; Garrett & Saito 2009, section
 * 3; Lattari 2010, sections 5.2 to 5.4. State as there: excess, capacity to the sink and residuals
 * per direction as planes of 32-bit integers in row order. Where a rung differs from its paper, its
 * header says so.
 *
 * The schedules (ladder's .c files) and the phases (its .h files) are the same for the device and
 * for plain C; plain C runs the threads of each phase in any order that is asked for.
 *
 * Threads: one run at a time.
 */
#ifndef FS_LADDER_LADDER_H
#define FS_LADDER_LADDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A cut problem, all in host memory: the undirected case of solver/grid.h. */
typedef struct {
  int width;      /* ≥ 1; width · height ≤ 2^29 */
  int height;     /* ≥ 1                        */
  int neighbours; /* 4 or 8                     */
  /* nlink[d][y·W + x]: to the neighbour in direction E, S, SE, SW and back; 0 where that lies
   * outside; at most 32,767. The diagonals are not read with 4 neighbours. */
  const uint16_t *nlink[4];
  const int32_t *tlink; /* [y·W + x], at most 2^28 in size; positive towards object */
} FsLadderProblem;

typedef enum {
  /* As published: stop when the excess of every pixel is what it was `period` iterations ago. Flow
   * may be on its way still, or circle in step with the period: the mask can be wrong. */
  FS_LADDER_STOP_PAPER,
  /* Ours: exact heights from time to time, and stop when no pixel with excess can reach a deficit.
   * The mask is the canonical one; with levels, that of the last band. */
  FS_LADDER_STOP_EXACT
} FsLadderStop;

/* All zero is the default. An iteration is m pushes and one relabel. */
typedef struct {
  FsLadderStop stop;
  int pushes;        /* m, pushes per relabel; 0: 1                                       */
  int period;        /* iterations between two looks at the excess or at blocks; 0: 10    */
  int heights_every; /* FS_LADDER_STOP_EXACT: iterations between exact heights; 0: 64     */
  int limit;         /* iterations after which a run ends unfinished; 0: 100,000          */
  int levels;        /* the band's coarse levels; 0: none, the whole grid as a list       */
  int dilation_px;   /* by how much a band grows on either side of what is projected      */
} FsLadderOptions;

typedef struct {
  uint8_t *mask;     /* [W·H], the caller's: 1 object, 0 background; undefined after an error */
  int iterations;    /* of all levels together                                                */
  int heights;       /* how often exact heights were made                                     */
  int finished;      /* 1: the stop rule ended the run, 0: the limit                          */
  int64_t bytes;     /* of the device's memory beside the problem and its mask            */
  double ms;         /* from the problem on the device to the mask on the device              */
  const char *fault; /* what the device said of an error, NULL otherwise; static storage      */
} FsLadderResult;

typedef enum {
  FS_LADDER_OK,
  FS_LADDER_ERROR_INVALID,   /* the problem or an option */
  FS_LADDER_ERROR_MEMORY,    /* of the host or the device */
  FS_LADDER_ERROR_NO_DEVICE, /* no driver, one that is too old, or no device */
  FS_LADDER_ERROR_DEVICE     /* a call failed; see the result's fault */
} FsLadderError;

typedef struct {
  const char *name;
  const char *idea; /* one line */
  /* Cuts the problem. Blocks. Returns an FsLadderError. */
  int (*run) (const FsLadderProblem *problem, const FsLadderOptions *options,
              FsLadderResult *result);
} FsLadderRung;

#define FS_LADDER_N_RUNGS 5

/* On the first CUDA device; only in programs that are linked with the kernels. */
extern const FsLadderRung fs_ladder_rungs[FS_LADDER_N_RUNGS];

/* The same in plain C, thread after thread: slow, for checks. */
extern const FsLadderRung fs_ladder_host_rungs[FS_LADDER_N_RUNGS];

/* The order in which plain C runs blocks and threads from now on: 0 upwards (the start), 1
 * downwards, any other number seeds a new permutation for every phase. */
void fs_ladder_host_set_order (uint32_t order);

/* The n-th allocation from now on fails; 0: none does. */
void fs_ladder_host_fail_allocation (int n);

/* Static text, for every code. */
const char *fs_ladder_error_text (int error);

#ifdef __cplusplus
}
#endif

#endif
