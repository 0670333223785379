/* SPDX-License-Identifier: MIT */
/* Colours of what lies far from the seeds.   Layer: energy.
 *
 * Stands in for the side that has no seeds yet, so that the very first stroke already cuts: the
 * photo is divided into cells, the cells are ordered by their distance from the nearest seed, and
 * the farthest third gives the samples.
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
