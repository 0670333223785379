/* SPDX-License-Identifier: MIT */
/* GrabCut's energy (Rother, Kolmogorov & Blake 2004): energy.h has the formulas and what differs.
 */
#include "energy/terms/model.h"

#include "energy/colour/gmm.h"
#include "energy/models/side_colours.h"
#include "energy/terms/contrast.h"
#include "energy/terms/scale.h"

#include <math.h>

/* λ of the n-links, in nats: the γ that the paper found. */
#define LAMBDA 50.0
/* Log ratios are cut to ± so many nats: where both densities are next to nothing their ratio says
 * little. */
#define RATIO_MAX 12
/* Rounds of assignment and estimation when mixtures are fitted. */
enum { N_ROUNDS = 5 };

typedef struct {
  FsModel base;
  FsSideColours colours;
} GmmModel;

static FsContrastTable *
contrast_new (const FsPhotoTerms *terms)
{
  double mean = fs_contrast_mean (terms->image, fs_photo_terms_n_directions (terms));
  return fs_contrast_table_new_gaussian (LAMBDA * FS_NAT_SCALE * terms->settings.smoothness,
                                         1 / (2 * mean));
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
  fs_side_colours_init (&((GmmModel *)base)->colours, base->terms);
  return TRUE;
}

static void
clear_model (FsModel *base)
{
  fs_side_colours_clear (&((GmmModel *)base)->colours);
}

/* ln p_O − ln p_B; 0 where a side has no colours at all. */
static void
fill_by_colour (GmmModel *model)
{
  const FsPhotoTerms *terms = model->base.terms;
  FsGmm mixture[2];
  for (int side = 0; side < 2; side++)
    fs_gmm_fit (&mixture[side], &model->colours.side[side], N_ROUNDS);
  gboolean known = mixture[0].n_components > 0 && mixture[1].n_components > 0;
  for (size_t i = 0; i < terms->n_bins; i++) {
    uint32_t bin = terms->bins[i];
    double r =
        known ? fs_gmm_log_density (&mixture[1], bin) - fs_gmm_log_density (&mixture[0], bin) : 0;
    model->base.by_colour[bin] =
        (int16_t)floor (FS_NAT_SCALE * CLAMP (r, -RATIO_MAX, RATIO_MAX) + 0.5);
  }
}

static void
fit_model (FsModel *base, const FsSeedMap *seeds)
{
  GmmModel *model = (GmmModel *)base;
  if (!base->known[0] && !base->known[1]) {
    fs_model_say_nothing (base);
    return;
  }
  fs_side_colours_collect (&model->colours, base, seeds);
  fill_by_colour (model);
}

static void
fit_mask (FsModel *base, const uint8_t *mask)
{
  GmmModel *model = (GmmModel *)base;
  fs_side_colours_divide (&model->colours, base->terms, mask);
  fill_by_colour (model);
}

const FsModelClass fs_model_gmm = {
  .soft_tlink = RATIO_MAX * FS_NAT_SCALE,
  .prior = RATIO_MAX * FS_NAT_SCALE * 3 / 8,
  .fill_nlinks = fill_nlinks,
  .make_tables = make_tables,
  .size_bytes = sizeof (GmmModel),
  .init = init,
  .clear = clear_model,
  .fit = fit_model,
  .fit_mask = fit_mask,
};
