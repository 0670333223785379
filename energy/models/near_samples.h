/* SPDX-License-Identifier: MIT */
/* The colours of both sides, from what lies near their strokes.   Layer: energy.
 *
 * Painted cells, and unpainted ones on the side that is nearer to them, with weights that decay
 * with the distance (e⁻¹ over 1.2 % of the photo's diagonal). What is painted has together at least
 * the weight of what is not. With background strokes the frame adds a few samples to them, without
 * any it stands in for them. With background strokes alone the object's colours are those of the
 * third of the photo that lies farthest from them and from the frame.
 */
#ifndef FS_ENERGY_MODELS_NEAR_SAMPLES_H
#define FS_ENERGY_MODELS_NEAR_SAMPLES_H

#include "energy/models/geodesic_photo.h"

G_BEGIN_DECLS

/* All borrowed. */
typedef struct {
  const FsGeodesicPhoto *photo;
  const uint8_t *bits;          /* a sources plane                             */
  const int32_t *to_object;     /* cell planes: distances to its strokes        */
  const int32_t *to_background; /* cell planes: distances to strokes or frame   */
  size_t n_frame_cells;         /* cells that touch the frame; 0: it is no background */
  gboolean known[2];            /* strokes of the background, of the object    */
} FsNearSamples;

/* Fills both tables, [0] background and [1] object, and smoothes them. Cost O(cells). */
void fs_near_samples_collect (const FsNearSamples *samples, FsColourTable *table[2]);

G_END_DECLS

#endif
