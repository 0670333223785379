/* SPDX-License-Identifier: MIT */
/* Lazy Snapping (Li, Sun, Tang & Shum 2004): energy.h has the formulas and what differs. */
#include "energy/model.h"

#include "energy/colour_model.h"
#include "energy/contrast.h"
#include "energy/energy.h"
#include "energy/far_samples.h"

#include <math.h>

typedef struct {
  FsModel base;
  FsColourHistogram histogram[2];
} KmeansModel;

static gboolean
fill_nlinks (FsScene *scene, const FsProgress *progress, GError **error)
{
  g_autofree FsContrastTable *contrast =
      fs_contrast_table_new (FS_LAMBDA * FS_DATA_SCALE * scene->settings.smoothness);
  return fs_contrast_fill (contrast, scene->image, fs_scene_n_directions (scene), scene->nlink,
                           progress, error);
}

static gboolean
init (FsModel *base, GError **error)
{
  KmeansModel *model = (KmeansModel *)base;
  for (int side = 0; side < 2; side++)
    fs_colour_histogram_init (&model->histogram[side], base->scene->bins, base->scene->n_bins);
  return TRUE;
}

static void
clear (FsModel *base)
{
  KmeansModel *model = (KmeansModel *)base;
  for (int side = 0; side < 2; side++)
    fs_colour_histogram_clear (&model->histogram[side]);
}

static void
collect_seed_colours (KmeansModel *model, const FsSeedMap *seeds)
{
  const FsScene *scene = model->base.scene;
  size_t n = fs_scene_n_pixels (scene);
  for (int side = 0; side < 2; side++)
    fs_colour_histogram_reset (&model->histogram[side]);
  for (size_t i = 0; i < n; i++)
    if (seeds->label[i] != FS_SEED_NONE)
      fs_colour_histogram_add (&model->histogram[fs_model_side (seeds->label[i])],
                               scene->image->pixels[i]);
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
  for (size_t i = 0; i < base->scene->n_bins; i++) {
    uint32_t bin = base->scene->bins[i];
    base->by_colour[bin] = data_term (fs_colour_model_distance2 (&clusters[1], bin),
                                      fs_colour_model_distance2 (&clusters[0], bin));
  }
}

static void
fit (FsModel *base, const FsSeedMap *seeds)
{
  KmeansModel *model = (KmeansModel *)base;
  if (!base->known[0] && !base->known[1]) {
    fs_model_say_nothing (base);
    return;
  }
  collect_seed_colours (model, seeds);
  for (int side = 0; side < 2; side++)
    if (!base->known[side])
      fs_far_samples_add (base->scene->image, seeds, &model->histogram[side]);

  FsColourModel clusters[2];
  for (int side = 0; side < 2; side++)
    fs_colour_model_fit (&clusters[side], &model->histogram[side]);
  fill_table (base, clusters);
}

const FsModelClass fs_model_kmeans = {
  .soft_tlink = FS_DATA_SCALE,
  .fill_nlinks = fill_nlinks,
  .size_bytes = sizeof (KmeansModel),
  .init = init,
  .clear = clear,
  .fit = fit,
};
