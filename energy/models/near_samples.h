/* SPDX-License-Identifier: MIT */
/* Colour samples of both sides near their strokes.   Layer: energy.
 *
 * The samples of a side are its painted cells and the unpainted cells that are nearer to it than to
 * the other side, with weights that decay with the distance (decay length 1.2 % of the photo's
 * diagonal). The painted cells have together at least the weight of the unpainted ones. The frame
 * adds a few background samples; without background strokes it takes their place. With background
 * strokes alone, the object's samples are the third of the photo that lies farthest from them and
 * from the frame.
 */
#ifndef FS_ENERGY_MODELS_NEAR_SAMPLES_H
#define FS_ENERGY_MODELS_NEAR_SAMPLES_H

#include "energy/models/geodesic_photo.h"

G_BEGIN_DECLS

/* All pointers are borrowed. */
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
