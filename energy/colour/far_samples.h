/* SPDX-License-Identifier: MIT */
/* Samples far from the seeds, for the side that has none yet.   Layer: energy.
 *
 * They make a cut possible after the first stroke. The photo is divided into cells, which are
 * ordered by their distance from the nearest seed; the farthest third gives the samples.
 */
#ifndef FS_ENERGY_COLOUR_FAR_SAMPLES_H
#define FS_ENERGY_COLOUR_FAR_SAMPLES_H

#include "energy/colour/colour_histogram.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

/* Adds up to 64 samples a cell to `histogram`. There must be at least one seed. Deterministic. */
void fs_far_samples_add (const FsImage *image, const FsSeedMap *seeds,
                         FsColourHistogram *histogram);

G_END_DECLS

#endif
