/* SPDX-License-Identifier: MIT */
/* Changes of a problem, applied to the grid and to the engine.   Layer: solver (CUDA backend).
 *
 * Each function changes the grid and, unless `engine` is NULL, the engine. FALSE, with the reason,
 * where the engine failed or memory ran out: the engine is then unusable, and the grid has the
 * change all the same. `has_planes`: whether the grid's t-links are filled; else they need not be
 * set.
 */
#ifndef FS_SOLVER_CUDA_CUDA_CHANGES_H
#define FS_SOLVER_CUDA_CUDA_CHANGES_H

#include "solver/grid.h"
#include "solver/kernels/engine.h"

G_BEGIN_DECLS

gboolean fs_cuda_change_tlinks (const FsEngineTable *table, FsEngine *engine, FsGrid *grid,
                                gboolean has_planes, const FsTlinkChange *changes, size_t n,
                                FsEngineError *failure);
/* Changes the engine alone: the grid's t-links are out of date from then on. */
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
