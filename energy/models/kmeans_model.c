/* SPDX-License-Identifier: MIT */
/* Lazy Snapping (Li, Sun, Tang & Shum 2004): energy.h has the formulas and what differs. */
#include "energy/terms/model.h"

#include "energy/colour/colour_clusters.h"
#include "energy/models/side_colours.h"
#include "energy/terms/contrast.h"
#include "energy/terms/scale.h"

#include <math.h>

typedef struct {
  FsModel base;
  FsSideColours colours;
} KmeansModel;

static FsContrastTable *
contrast_new (const FsPhotoTerms *terms)
{
  return fs_contrast_table_new (FS_LAMBDA * FS_DATA_SCALE * terms->settings.smoothness);
}

static gboolean
make_tables (FsPhotoTerms *terms, const FsProgress *progress, GError **error)
{
  fs_contrast_set_tables (contrast_new (terms), terms);
  return TRUE;
}

static gboolean
fill_nlinks (FsPhotoTerms *terms, const FsProgress *progress, GError **error)
{
  return fs_contrast_fill_terms (contrast_new (terms), terms, progress, error);
}

static gboolean
init (FsModel *base, GError **error)
{
  fs_side_colours_init (&((KmeansModel *)base)->colours, base->terms);
  return TRUE;
}

static void
clear_model (FsModel *base)
{
  fs_side_colours_clear (&((KmeansModel *)base)->colours);
}

/* t = S·(d_B − d_O) / (d_O + d_B): 0 where both distances are. */
static int16_t
data_term (int32_t object2, int32_t background2)
{
  double to_object = sqrt (object2), to_background = sqrt (background2);
  double sum = to_object + to_background;
  return sum > 0 ? (int16_t)lround (FS_DATA_SCALE * (to_background - to_object) / sum) : 0;
}

static void
fill_table (FsModel *base, const FsColourModel clusters[2])
{
  for (size_t i = 0; i < base->terms->n_bins; i++) {
    uint32_t bin = base->terms->bins[i];
    base->by_colour[bin] = data_term (fs_colour_model_distance2 (&clusters[1], bin),
                                      fs_colour_model_distance2 (&clusters[0], bin));
  }
}

static void
fit_model (FsModel *base, const FsSeedMap *seeds)
{
  KmeansModel *model = (KmeansModel *)base;
  if (!base->known[0] && !base->known[1]) {
    fs_model_say_nothing (base);
    return;
  }
  fs_side_colours_collect (&model->colours, base, seeds);

  FsColourModel clusters[2];
  for (int side = 0; side < 2; side++)
    fs_colour_model_fit (&clusters[side], &model->colours.side[side], FS_N_CLUSTERS);
  fill_table (base, clusters);
}

const FsModelClass fs_model_kmeans = {
  .soft_tlink = FS_DATA_SCALE,
  .prior = FS_DATA_SCALE * 3 / 8,
  .fill_nlinks = fill_nlinks,
  .make_tables = make_tables,
  .size_bytes = sizeof (KmeansModel),
  .init = init,
  .clear = clear_model,
  .fit = fit_model,
};
