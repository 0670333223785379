/* SPDX-License-Identifier: MIT */
/* Changes of a problem, applied to the grid and to the engine.   Layer: solver (CUDA backend).
 *
 * Each function sets the grid, always, and the engine, if there is one: an `engine` of NULL is left
 * out. FALSE, with the reason, where the engine failed or memory for the change ran out: the engine
 * is then of no more use, and the grid holds what it should have held. `has_planes`: whether the
 * grid's t-links are filled; else they need not be set.
 */
#ifndef FS_SOLVER_CUDA_CUDA_CHANGES_H
#define FS_SOLVER_CUDA_CUDA_CHANGES_H

#include "solver/grid.h"
#include "solver/kernels/engine.h"

G_BEGIN_DECLS

gboolean fs_cuda_change_tlinks (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                                gboolean has_planes, const FsTlinkChange *changes, size_t n,
                                FsEngineError *failure);
/* Of the engine alone: the grid's t-links are no longer those that hold. */
gboolean fs_cuda_fix_tlinks (const FsEngineTable *table, FsEngine *engine, const FsFixedSpan *spans,
                             size_t n, FsEngineError *failure);
gboolean fs_cuda_replace_tlinks (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                                 const int32_t *tlinks, FsEngineError *failure);
gboolean fs_cuda_change_star (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                              const FsStarChange *changes, size_t n, FsEngineError *failure);
gboolean fs_cuda_change_nlinks (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                                const FsNlinkChange *changes, size_t n, FsEngineError *failure);
gboolean fs_cuda_replace_star (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                               const uint8_t *star, FsEngineError *failure);

G_END_DECLS

#endif
