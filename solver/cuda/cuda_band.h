/* SPDX-License-Identifier: MIT */
/* Bands that the CUDA device cuts, their links told in tables (link_source.h).
 * Layer: solver (CUDA backend).
 *
 * Band after band, each a problem of its own: the device makes the links and starts from nothing.
 * Memory stays from one to the next. The mask is canonical, as solver.h says. A device that fails
 * is given up, for fs_cuda_notice() to tell; whoever wants the mask then cuts the band elsewhere.
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

/* Gives memory for a band of so many tiles, 1 at least, and tables, all of which the caller fills.
 * `n_pulls`: FS_BAND_PULLS at most. FALSE: the device has failed, now or before. */
gboolean fs_cuda_band_reserve (FsCudaBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles);

/* Cuts what has been filled in since the last reserve: a word a row of a tile, bit x for column x,
 * 1 for object; only those of the band's pixels say something. Valid until the next call. NULL: the
 * device has failed. Blocks. */
const uint32_t *fs_cuda_band_cut (FsCudaBand *band, FsSolution *solution);

/* What the last cut took. */
const FsEngineResult *fs_cuda_band_last_result (const FsCudaBand *band);

G_END_DECLS

#endif
