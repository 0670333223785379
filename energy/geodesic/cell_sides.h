/* SPDX-License-Identifier: MIT */
/* Sides of cells in a mask: object, background, or both.   Layer: energy (for refine.c).
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_GEODESIC_CELL_SIDES_H
#define FS_ENERGY_GEODESIC_CELL_SIDES_H

#include "energy/geodesic/level.h"

G_BEGIN_DECLS

/* A cell that the border crosses has pixels of both sides. */
enum { FS_CELL_ALL_BACKGROUND, FS_CELL_ALL_OBJECT, FS_CELL_MIXED };

/* Fills side ([cells, row by row]) from a mask of the level's photo, bytes of 0 and 1. */
void fs_cell_sides_find (const FsGeodesicLevel *level, const uint8_t *mask, uint8_t *side);

G_END_DECLS

#endif
