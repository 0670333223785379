/* SPDX-License-Identifier: MIT */
/* Model of the seeds: an instance of a model class (model_class.h).   Layer: energy.
 *
 * Threads: as model_class.h says.
 */
#ifndef FS_ENERGY_TERMS_MODEL_H
#define FS_ENERGY_TERMS_MODEL_H

#include "energy/colour/colour_histogram.h"
#include "energy/geodesic/level.h"
#include "energy/image/seed_map.h"
#include "energy/terms/model_class.h"
#include "energy/terms/photo_terms.h"

G_BEGIN_DECLS

/* The units of by_place in one unit of t-link. */
#define FS_PLACE_UNIT 16

/* The first fields of every model, which the energy reads. */
struct _FsModel {
  FsPhotoTerms *terms; /* borrowed: it outlives the model */
  int16_t *by_colour;  /* [FS_COLOUR_BINS]: the t-link of each of the photo's bins */
  /* The t-link of each place in 1/FS_PLACE_UNIT: a cell plane of the level. NULL: 0 everywhere. */
  const int32_t *by_place;
  const FsGeodesicLevel *level;
  /* A cell plane: FS_CELL_BACKGROUND and FS_CELL_OBJECT (geodesic/sources.h) where the last fit had
   * such seeds; NULL in models that know no cells. */
  const uint8_t *seed_bits;
  gboolean known[2]; /* the last fit had seeds of the background, of the object */
};

/* Everything 0 at first. Errors: FS_SOLVER_ERROR_MEMORY. */
FsModel *fs_model_new (FsPhotoTerms *terms, GError **error);
void fs_model_free (FsModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsModel, fs_model_free)

/* Sets known, by_colour and by_place; without any seed all is 0. */
void fs_model_fit (FsModel *model, const FsSeedMap *seeds);

/* Sets a data term of 0. For model classes. */
void fs_model_say_nothing (FsModel *model);

/* Index into known[]: labels above 2 count as object. */
static inline int
fs_model_side (uint8_t label)
{
  return label == FS_SEED_BACKGROUND ? 0 : 1;
}

/* TRUE if the last fit had seeds of the background and none of the object. */
static inline gboolean
fs_model_knows_background_alone (const FsModel *model)
{
  return model->known[0] && !model->known[1];
}

G_END_DECLS

#endif
