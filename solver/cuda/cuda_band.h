/* SPDX-License-Identifier: MIT */
/* Cuts of bands on the CUDA device, with implicit links (photo_links.h).
 * Layer: solver (CUDA backend).
 *
 * Each band is a problem of its own: the device computes the links and starts without flow. Memory
 * is reused from one to the next. The mask is canonical (solver.h). A device that fails is given
 * up, with a notice (fs_cuda_notice()); the caller then cuts the band on the CPU.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_CUDA_CUDA_BAND_H
#define FS_SOLVER_CUDA_CUDA_BAND_H

#include "solver/kernels/engine.h"
#include "solver/solver.h"

G_BEGIN_DECLS

typedef struct _FsCudaBand FsCudaBand;

/* NULL where there is no device, it fails, or memory is short. */
FsCudaBand *fs_cuda_band_new (const FsBandSpace *space);
void fs_cuda_band_free (FsCudaBand *band);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsCudaBand, fs_cuda_band_free)

/* Provides memory for a band of n_tiles ≥ 1 tiles and its tables, all of which the caller fills.
 * `n_pulls`: FS_BAND_PULLS at most. FALSE: the device has failed, now or before. */
gboolean fs_cuda_band_reserve (FsCudaBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles);

/* Cuts the band that was filled in since the last reserve. Returns a word per row of a tile, bit x
 * for column x, 1 for object; bits outside the band are undefined. Valid until the next call. NULL:
 * the device has failed. Blocks. */
const uint32_t *fs_cuda_band_cut (FsCudaBand *band, FsSolution *solution);

/* Statistics of the last cut. */
const FsEngineResult *fs_cuda_band_last_result (const FsCudaBand *band);

G_END_DECLS

#endif
