/* SPDX-License-Identifier: MIT */
/* The colours under the strokes of each side, for models that go by colours alone.   Layer: energy.
 *
 * [0] background, [1] object. A side without strokes gets what lies far from the other one's.
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

/* The strokes'. There must be at least one seed. Cost O(N). */
void fs_side_colours_collect (FsSideColours *colours, const FsModel *model, const FsSeedMap *seeds);

/* Those of the whole photo, by a mask of W·H bytes (0 or 1). Cost O(N). */
void fs_side_colours_divide (FsSideColours *colours, const FsPhotoTerms *terms,
                             const uint8_t *mask);

G_END_DECLS

#endif
