/* SPDX-License-Identifier: MIT */
#include "tests/ladder/machine.h"

const char *
fs_ladder_error_text (int error)
{
  switch (error) {
  case FS_LADDER_OK:
    return "no error";
  case FS_LADDER_ERROR_INVALID:
    return "the problem or an option is not valid";
  case FS_LADDER_ERROR_MEMORY:
    return "not enough memory";
  case FS_LADDER_ERROR_NO_DEVICE:
    return "no CUDA device that can be used";
  case FS_LADDER_ERROR_DEVICE:
    return "a call of the CUDA device failed";
  default:
    return "an error without a name";
  }
}

void *
fs_ladder_alloc (FsLadderMachine *machine, size_t bytes)
{
  void *memory = NULL;
  if (machine->error == FS_LADDER_OK && machine->n_memory < FS_LADDER_MAX_ALLOCATIONS)
    memory = machine->alloc (machine, bytes);
  if (memory != NULL) {
    machine->memory[machine->n_memory++] = memory;
    machine->bytes += bytes;
  } else if (machine->error == FS_LADDER_OK)
    machine->error = FS_LADDER_ERROR_MEMORY;
  return memory;
}

void
fs_ladder_release_all (FsLadderMachine *machine)
{
  while (machine->n_memory > 0)
    machine->release (machine, machine->memory[--machine->n_memory]);
}

void
fs_ladder_upload (FsLadderMachine *machine, void *to, const void *from, size_t bytes)
{
  if (machine->error == FS_LADDER_OK)
    machine->upload (machine, to, from, bytes);
}

void
fs_ladder_download (FsLadderMachine *machine, void *to, const void *from, size_t bytes)
{
  if (machine->error == FS_LADDER_OK)
    machine->download (machine, to, from, bytes);
}

void
fs_ladder_launch (FsLadderMachine *machine, FsLadderKernel kernel, const void *state,
                  int64_t n_threads)
{
  int64_t n_blocks = (n_threads + FS_LADDER_THREADS - 1) / FS_LADDER_THREADS;
  if (machine->error == FS_LADDER_OK && n_blocks > 0)
    machine->launch (machine, kernel, state, (int)n_blocks);
}

void
fs_ladder_set_clock (FsLadderMachine *machine, int running)
{
  if (machine->error == FS_LADDER_OK)
    machine->set_clock (machine, running);
}
