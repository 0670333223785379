/* SPDX-License-Identifier: MIT */
/* The machine that is a CUDA device. */
#include "tests/ladder/launch.cuh"
#include "tests/ladder/rungs.h"

struct DeviceMachine {
  FsLadderMachine base; /* first: the two are cast into each other */
  cudaEvent_t began, ended;
};

/* The only place where a status becomes an error. */
static void
note (FsLadderMachine *machine, cudaError_t status)
{
  if (status == cudaSuccess || machine->error != FS_LADDER_OK)
    return;
  machine->error =
      status == cudaErrorMemoryAllocation ? FS_LADDER_ERROR_MEMORY : FS_LADDER_ERROR_DEVICE;
  machine->fault = cudaGetErrorString (status);
}

static void *
device_alloc (FsLadderMachine *machine, size_t bytes)
{
  void *memory = NULL;
  note (machine, cudaMalloc (&memory, bytes));
  return memory;
}

static void
device_release (FsLadderMachine *, void *memory)
{
  cudaFree (memory);
}

static void
device_upload (FsLadderMachine *machine, void *to, const void *from, size_t bytes)
{
  note (machine, cudaMemcpy (to, from, bytes, cudaMemcpyHostToDevice));
}

static void
device_download (FsLadderMachine *machine, void *to, const void *from, size_t bytes)
{
  note (machine, cudaMemcpy (to, from, bytes, cudaMemcpyDeviceToHost));
}

#define ENTRY(NAME, name, State) fs_ladder_launch_##name,

static void
device_launch (FsLadderMachine *machine, FsLadderKernel kernel, const void *state, int n_blocks)
{
  static cudaError_t (*const launchers[]) (const void *state,
                                           int n_blocks) = { FS_LADDER_KERNELS (ENTRY) };
  note (machine, launchers[kernel](state, n_blocks));
}

static void
device_set_clock (FsLadderMachine *machine, int running)
{
  DeviceMachine *device = reinterpret_cast<DeviceMachine *> (machine);
  float ms = 0;
  if (running) {
    note (machine, cudaEventRecord (device->began));
    return;
  }
  note (machine, cudaEventRecord (device->ended));
  note (machine, cudaEventSynchronize (device->ended));
  note (machine, cudaEventElapsedTime (&ms, device->began, device->ended));
  machine->ms += ms;
}

static int
run_on_device (FsLadderRungNumber rung, const FsLadderProblem *problem,
               const FsLadderOptions *options, FsLadderResult *result)
{
  DeviceMachine device = {};
  FsLadderMachine *machine = &device.base;
  int n_devices = 0;
  cudaError_t status = cudaGetDeviceCount (&n_devices);
  if (status != cudaSuccess || n_devices == 0) {
    result->fault = cudaGetErrorString (status != cudaSuccess ? status : cudaErrorNoDevice);
    return FS_LADDER_ERROR_NO_DEVICE;
  }
  machine->alloc = device_alloc;
  machine->release = device_release;
  machine->upload = device_upload;
  machine->download = device_download;
  machine->launch = device_launch;
  machine->set_clock = device_set_clock;
  note (machine, cudaEventCreate (&device.began));
  note (machine, cudaEventCreate (&device.ended));
  int error = fs_ladder_run (machine, rung, problem, options, result);
  cudaEventDestroy (device.began);
  cudaEventDestroy (device.ended);
  return error;
}

#define RUNG(NAME, name, text, idea)                                                               \
  static int run_rung_##name (const FsLadderProblem *problem, const FsLadderOptions *options,      \
                              FsLadderResult *result)                                              \
  {                                                                                                \
    return run_on_device (FS_LADDER_RUNG_##NAME, problem, options, result);                        \
  }
FS_LADDER_RUNGS (RUNG)

#define ROW(NAME, name, text, idea) { text, idea, run_rung_##name },
extern "C" const FsLadderRung fs_ladder_rungs[FS_LADDER_N_RUNGS] = { FS_LADDER_RUNGS (ROW) };
