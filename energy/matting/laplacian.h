/* SPDX-License-Identifier: MIT */
/* Matting Laplacian: alpha is locally linear in the colours.   Layer: energy.
 *
 * Levin, Lischinski & Weiss 2008, windows of 3 × 3 pixels, at the area's edges of those that it
 * has.
 *
 * Threads: one at a time per system; loops use as many as fs_energy_set_threads allows.
 */
#ifndef FS_ENERGY_MATTING_LAPLACIAN_H
#define FS_ENERGY_MATTING_LAPLACIAN_H

#include "energy/matting/system.h"

G_BEGIN_DECLS

/* Sets links, diagonal and right-hand side. */
void fs_laplacian_fill (FsMattingSystem *system);

G_END_DECLS

#endif
