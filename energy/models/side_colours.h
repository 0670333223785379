/* SPDX-License-Identifier: MIT */
/* Histograms of the strokes' colours, for models by colours alone.   Layer: energy.
 *
 * [0] background, [1] object. A side without strokes gets samples far from those of the other one
 * (far_samples.h).
 */
#ifndef FS_ENERGY_MODELS_SIDE_COLOURS_H
#define FS_ENERGY_MODELS_SIDE_COLOURS_H

#include "energy/terms/model.h"

G_BEGIN_DECLS

typedef struct {
  FsColourHistogram side[2];
} FsSideColours;

void fs_side_colours_init (FsSideColours *colours, const FsPhotoTerms *terms);
void fs_side_colours_clear (FsSideColours *colours);

/* Counts the pixels under the strokes. There must be at least one seed. Cost O(N). */
void fs_side_colours_collect (FsSideColours *colours, const FsModel *model, const FsSeedMap *seeds);

/* Counts all pixels of the photo, by a mask of W·H bytes (0 or 1). Cost O(N). */
void fs_side_colours_divide (FsSideColours *colours, const FsPhotoTerms *terms,
                             const uint8_t *mask);

G_END_DECLS

#endif
