/* SPDX-License-Identifier: MIT */
/* The CUDA engine on the host, thread for thread: what tests turn.
 *
 * fs_engine_cuda() is the module's own table, compiled from the module's own source; its device is
 * made of fibres (device.h), its CUDA library of device memory that is the host's (cuda_runtime.h).
 * Threads: one.
 */
#ifndef FS_TESTS_FIBRE_CONTROL_H
#define FS_TESTS_FIBRE_CONTROL_H

#include "solver/kernels/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  FIBRE_NO_MEMORY = 2,
  FIBRE_OLD_DRIVER = 35,
  FIBRE_NO_DEVICE = 100,
  FIBRE_LAUNCH_FAILED = 719
} FibreError;

const FsEngineTable *fs_engine_cuda (void);

/* The schedule of all that runs from now on, and how many blocks fit on the device at once. */
void fibre_set_schedule (uint32_t number, int n_blocks);

/* Call `n_more` calls of the CUDA library from now fails, launches counted too, once or for ever.
 * Negative: none fails. */
void fibre_fail_after (int n_more, int for_ever, FibreError error);

/* The driver's version as CUDA counts, 13000 at first; 0: there is none. */
void fibre_set_driver (int version);

/* Whether every touch of memory is announced (touch.h), which takes ten times as long. */
int fibre_is_touched (void);

/* Calls made; what is allocated: memory, streams, events. */
int fibre_n_calls (void);
int fibre_n_allocated (void);

#ifdef __cplusplus
}
#endif

#endif
