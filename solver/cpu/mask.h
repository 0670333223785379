/* SPDX-License-Identifier: MIT */
/* The mask, its changed tiles, and its energy.   Layer: solver (CPU backend).
 *
 * One bit a pixel, one 64-bit word a tile of layout.h, and the energy of every tile: the data terms
 * of its pixels and their forward n-links. After a solve only tiles that the search touched are
 * read, and only the energies that depend on a changed tile are summed again, so that the cost
 * follows the change.
 */
#ifndef FS_SOLVER_CPU_MASK_H
#define FS_SOLVER_CPU_MASK_H

#include "solver/cpu/state/layout.h"

G_BEGIN_DECLS

typedef struct {
  int tile_cols; /* of 8×8 */
  int tile_rows;
  int big_cols; /* of FS_MASK_TILE² */
  int big_rows;
  uint64_t *object;   /* per tile; bit (y%8)·8 + x%8: object. 0 beyond the photo's edge */
  uint64_t *taken;    /* [tile] the mask when fs_cpu_mask_take was last called          */
  int64_t *cost;      /* per tile                                                       */
  uint8_t *candidate; /* per big tile: may differ from what was taken                   */
  int64_t energy;     /* sum of all costs                                               */
  void *block;
  size_t block_bytes;
} FsCpuMask;

/* An empty mask of no cost: everything background. FALSE when memory ends. */
gboolean fs_cpu_mask_init (FsCpuMask *mask, const FsCpuLayout *layout);
void fs_cpu_mask_clear (FsCpuMask *mask);

/* Makes the mask empty again. */
void fs_cpu_mask_forget (FsCpuMask *mask);

/* Copies the search's result in all tiles that are marked as touched, and unmarks them. More than
 * one thread pays where nearly all tiles are. */
void fs_cpu_mask_update (FsCpuMask *mask, FsCpuLayout *layout, const FsGrid *grid, int n_threads);

/* As fs_solver_read_mask and fs_solver_take_changed_tiles. */
void fs_cpu_mask_read (const FsCpuMask *mask, int x, int y, int width, int height, uint8_t *out,
                       size_t stride_bytes);
void fs_cpu_mask_take (FsCpuMask *mask, uint8_t *tiles);

G_END_DECLS

#endif
