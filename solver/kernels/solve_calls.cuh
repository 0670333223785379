/* SPDX-License-Identifier: MIT */
/* Launching the solve and waiting for it, for engine_cuda.cu.   Layer: solver/kernels. */
#ifndef FS_KERNELS_SOLVE_CALLS_CUH
#define FS_KERNELS_SOLVE_CALLS_CUH

#include "solver/kernels/engine_parts.cuh"

/* Where the way to a deficit may be long, labels rise more before they are made exact again. */
static int
fs_usual_rise (const FsGridState *grid)
{
  return fs_min_i32 (fs_max_i32 ((grid->tiles_x + grid->tiles_y) / 18, 6), 12);
}

/* Queues the cut of a state, the engine's own or a band's, which has no more tiles. */
static int
fs_launch_solve (FsEngine *engine, FsSolveArgs *solve, FsEngineError *error)
{
  FS_TRY (cudaMemsetAsync (solve->rounds, 0, sizeof (FsRounds), engine->stream));
  void *args[] = { solve };
  const void *kernel =
      solve->grid.n_arcs == 4 ? (const void *)fs_solve_kernel<4> : (const void *)fs_solve_kernel<8>;
  FS_TRY (cudaLaunchCooperativeKernel (kernel, dim3 (engine->n_blocks), dim3 (FS_BLOCK), args, 0,
                                       engine->stream));
  return FS_ENGINE_DONE;
}

/* Waits for what was queued, and tells a solve in it when it is cancelled. */
static int
fs_wait_for_solve (FsEngine *engine, int (*is_cancelled) (void *), void *data, FsEngineError *error)
{
  FS_TRY (cudaMemcpyAsync (&engine->mirror->rounds, engine->solve.rounds, sizeof (FsRounds),
                           cudaMemcpyDefault, engine->stream));
  FS_TRY (cudaEventRecord (engine->after, engine->stream));
  cudaError_t code;
  while ((code = cudaEventQuery (engine->after)) == cudaErrorNotReady)
    if (is_cancelled (data))
      engine->mirror->cancel = 1;
  FS_TRY (code);
  return FS_ENGINE_DONE;
}

/* How the solve that was waited for ended. */
static int
fs_solve_outcome (const FsEngine *engine, FsEngineError *error)
{
  if (engine->mirror->rounds.outcome == FS_ENGINE_FAILED)
    snprintf (error->text, sizeof error->text, "the cut does not end");
  return engine->mirror->rounds.outcome;
}

#endif
