/* SPDX-License-Identifier: MIT */
#include "energy/terms/model.h"

#include "solver/system/checked_memory.h"

FsModel *
fs_model_new (FsPhotoTerms *terms, GError **error)
{
  g_autoptr (FsModel) model = g_malloc0 (terms->model->size_bytes);
  model->terms = terms;
  model->by_colour = g_new0 (int16_t, FS_COLOUR_BINS);
  fs_memory_need (model->by_colour, FS_COLOUR_BINS, sizeof *model->by_colour);
  return terms->model->init (model, error) ? g_steal_pointer (&model) : NULL;
}

void
fs_model_free (FsModel *model)
{
  if (!model)
    return;
  model->terms->model->clear (model);
  g_free (model->by_colour);
  g_free (model);
}

static void
note_known_sides (FsModel *model, const FsSeedMap *seeds)
{
  model->known[0] = seeds->n_seeds[FS_SEED_BACKGROUND] > 0;
  model->known[1] = FALSE;
  for (int label = FS_SEED_OBJECT; label <= FS_SEED_MAX; label++)
    model->known[1] |= seeds->n_seeds[label] > 0;
}

void
fs_model_fit (FsModel *model, const FsSeedMap *seeds)
{
  note_known_sides (model, seeds);
  model->terms->model->fit (model, seeds);
}

void
fs_model_say_nothing (FsModel *model)
{
  for (size_t i = 0; i < model->terms->n_bins; i++)
    model->by_colour[model->terms->bins[i]] = 0;
  model->by_place = NULL;
}
