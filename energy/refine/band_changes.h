/* SPDX-License-Identifier: MIT */
/* Changes of a mask that run out of the band they are allowed in.   Layer: energy.
 *
 * Within a band of cells (geodesic/level.h) a mask was cut again; outside it stands. Of what
 * changed to one side, cells that touch (8 neighbours) make a *component*. A component *runs out*
 * of the band where one of its cells lies beside a cell outside the band that is not wholly of the
 * side that the component changed to: what ends it there is not the photo.
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
  const uint8_t *is_open; /* [cells, row by row] whether in the band */
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
