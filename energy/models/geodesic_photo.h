/* SPDX-License-Identifier: MIT */
/* Data of a photo for the geodesic model.   Layer: energy (for geodesic_model.c).
 *
 * They are the level of the distances, and the places of the photo's colours in the colour tables.
 *
 * Threads: immutable once made, shared by all models of the photo.
 */
#ifndef FS_ENERGY_MODELS_GEODESIC_PHOTO_H
#define FS_ENERGY_MODELS_GEODESIC_PHOTO_H

#include "energy/colour/colour_density.h"
#include "energy/geodesic/level.h"
#include "energy/terms/photo_terms.h"

G_BEGIN_DECLS

/* Steps of the table of weights to a decay length, and where it ends, at e⁻¹². */
#define FS_DECAY_STEPS   256
#define FS_DECAY_ENTRIES (12 * FS_DECAY_STEPS)

/* More pixels than cells, so that the cells of a reduced photo are those of the photo. */
#define FS_REDUCED_PIXELS 500000

typedef struct {
  FsGeodesicLevel *level;
  FsColourPlace *of_bin;            /* [n_bins] of the middles of the photo's bins           */
  const FsColourPlace *of_cell;     /* cell plane                                            */
  FsColourPlace *own_of_cell;       /* owns of_cell; NULL where the reduced photo does       */
  int32_t decay_length;             /* of the weights of samples                             */
  uint32_t decay[FS_DECAY_ENTRIES]; /* FS_COLOUR_WEIGHT·e^(−i / FS_DECAY_STEPS)    */
  double nlink_max;                 /* the n-link of equal axial neighbours, before rounding */
  /* The photo 2^reduced_by times smaller, as terms of its own on the same cells, where a border is
   * refined first (refine.h); NULL for photos of FS_REDUCED_PIXELS or fewer. */
  FsPhotoTerms *reduced;
  int reduced_by;
  /* The photo as one pixel a cell, where components are added and removed (add_components.h); NULL
   * where the photo's pixels are its cells, and where `reduced` has it. */
  FsPhotoTerms *cells;
} FsGeodesicPhoto;

/* Errors: FS_SOLVER_ERROR_MEMORY, CANCELLED. */
FsGeodesicPhoto *fs_geodesic_photo_new (const FsPhotoTerms *terms, double nlink_max,
                                        const FsProgress *progress, GError **error);
void fs_geodesic_photo_free (FsGeodesicPhoto *photo);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsGeodesicPhoto, fs_geodesic_photo_free)

/* The weight of a sample at a distance from the strokes: 1 is FS_COLOUR_WEIGHT. */
static inline uint32_t
fs_geodesic_photo_weight (const FsGeodesicPhoto *photo, int32_t distance)
{
  int64_t i = (int64_t)distance * FS_DECAY_STEPS / photo->decay_length;
  return i < FS_DECAY_ENTRIES ? photo->decay[i] : 0;
}

G_END_DECLS

#endif
