/* SPDX-License-Identifier: MIT */
/* The kernels' twin in plain C.   Layer: solver/kernels (tests).
 *
 * Runs the very phases of the CUDA engine on the host: the same rounds, the same visits, and
 * between two barriers every thread in turn, in an order drawn anew each time; tiles of one round
 * are visited in a drawn order too, several at once, so that one may or may not see what another
 * has just written. The mask must not depend on any of it.
 */
#ifndef FS_SOLVER_KERNELS_CUDA_ENGINE_HOST_H
#define FS_SOLVER_KERNELS_CUDA_ENGINE_HOST_H

#include "solver/kernels/engine.h"

/* The seed of the orders that engines made from now on draw; 0: ascending order. */
void fs_engine_host_set_seed (uint32_t seed);

/* Tuning of engines made from now on: phases of a visit, pushes over the tile in a phase, by how
 * much a tile's labels may rise and how many rounds of discharges there are between two labellings,
 * and the distance cap of the first epoch; 0: none. Speed is tuned on devices; the mask must not
 * depend on any of these. */
void fs_engine_host_set_tuning (int phases, int pushes, int rise, int rounds, int distance_cap);

/* Test switch: call `n_more` calls from now fails with this status, once or for ever. Negative:
 * none fails. */
void fs_engine_host_fail_after (int n_more, int for_ever, int status);

const FsEngineTable *fs_engine_host (void);

#endif
