/* SPDX-License-Identifier: MIT */
#include "solver/cuda/cuda_band.h"

#include "solver/cuda/cancel.h"
#include "solver/cuda/cuda_module.h"
#include "solver/system/checked_memory.h"

struct _FsCudaBand {
  const FsEngineTable *table;
  FsEngineBand *engine; /* NULL after a failure */
  FsEngineResult result;
};

/* Every failure is told, and the last thing that this device does here. */
static gboolean
is_done (FsCudaBand *band, int status, const FsEngineError *failure)
{
  if (status == FS_ENGINE_DONE)
    return TRUE;
  fs_cuda_module_set_notice (failure);
  g_clear_pointer (&band->engine, band->table->destroy_band);
  return FALSE;
}

FsCudaBand *
fs_cuda_band_new (const FsBandSpace *space)
{
  g_return_val_if_fail (space != NULL, NULL);
  const FsEngineTable *table = fs_cuda_module_get ();
  FsEngineError failure = { "" };
  FsCudaBand *band = table ? fs_memory_new (1, sizeof *band) : NULL;
  if (!band)
    return NULL;
  *band = (FsCudaBand){ .table = table };
  if (!is_done (band, table->create_band (space, &band->engine, &failure), &failure))
    g_clear_pointer (&band, fs_cuda_band_free);
  return band;
}

void
fs_cuda_band_free (FsCudaBand *band)
{
  if (!band)
    return;
  g_clear_pointer (&band->engine, band->table->destroy_band);
  fs_memory_free (band);
}

gboolean
fs_cuda_band_reserve (FsCudaBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles)
{
  g_return_val_if_fail (band && n_tiles > 0 && n_pulls > 0 && n_pulls <= FS_BAND_PULLS && tiles,
                        FALSE);
  FsEngineError failure = { "" };
  return band->engine
         && is_done (band,
                     band->table->reserve_band (band->engine, n_tiles, n_pulls, tiles, &failure),
                     &failure);
}

const uint32_t *
fs_cuda_band_cut (FsCudaBand *band, FsSolution *solution)
{
  g_return_val_if_fail (band && band->engine && solution, NULL);
  static const FsProgress silent;
  const uint32_t *mask = NULL;
  FsEngineError failure = { "" };
  FsCudaWatch watch = fs_cuda_watch_start (&silent);
  int status = band->table->cut_band (band->engine, fs_cuda_watch_is_cancelled, &watch, &mask,
                                      &band->result, &failure);
  if (!is_done (band, status, &failure))
    return NULL;
  *solution = (FsSolution){ .energy = band->result.energy,
                            .bound = band->result.bound,
                            .exact = band->result.energy == band->result.bound };
  return mask;
}

const FsEngineResult *
fs_cuda_band_last_result (const FsCudaBand *band)
{
  return &band->result;
}
