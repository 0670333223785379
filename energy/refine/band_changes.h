/* SPDX-License-Identifier: MIT */
/* Changed components of a mask that are cut off by the end of their band.   Layer: energy.
 *
 * A mask was cut again within a band of cells (geodesic/level.h) and is fixed outside. Cells that
 * changed to the same side and are connected (8 neighbours) form a *component*. A component *runs
 * out* of the band if one of its cells is adjacent to a cell outside that is not wholly of that
 * side: it ends there because of the band, not because of the photo.
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_REFINE_BAND_CHANGES_H
#define FS_ENERGY_REFINE_BAND_CHANGES_H

#include "energy/geodesic/level.h"

G_BEGIN_DECLS

/* All borrowed. */
typedef struct {
  const FsGeodesicLevel *level;
  const uint8_t *is_open; /* [cells, row by row] in the band         */
  const uint8_t *before;  /* [H·W] 0 or 1                            */
  const uint8_t *after;   /* [H·W] 0 or 1                            */
} FsBandChanges;

/* Bits of a cell's mark. 1 << side (0 background, 1 object): it belongs to a component that changed
 * to that side and runs out. */
enum { FS_BAND_ENDS_HERE = 4 };

/* Sets marks ([cells, row by row]). Returns whether any component runs out. Cost O(pixels of the
 * band). */
gboolean fs_band_changes_mark (const FsBandChanges *changes, uint8_t *marks);

G_END_DECLS

#endif
