/* SPDX-License-Identifier: MIT */
#include "energy/energy.h"

#include "energy/model.h"
#include "energy/scene.h"

struct _FsEnergy {
  FsScene *scene;
  FsModel *model;
  FsGrid grid;
  int32_t *tlink;
};

/* Takes the reference to the scene. */
static FsEnergy *
energy_for_scene (FsScene *scene, GError **error)
{
  g_autoptr (FsEnergy) energy = g_new0 (FsEnergy, 1);
  energy->scene = scene;
  energy->grid = (FsGrid){ .width = scene->image->width,
                           .height = scene->image->height,
                           .neighbours = scene->settings.neighbours };
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    energy->grid.nlink[d] = scene->nlink[d];
  energy->grid.tlink = energy->tlink = g_try_new0 (int32_t, fs_scene_n_pixels (scene));
  if (!energy->tlink && !fs_scene_refuse_size (scene->image, error))
    return NULL;
  energy->model = fs_model_new (scene, error);
  return energy->model ? g_steal_pointer (&energy) : NULL;
}

FsEnergy *
fs_energy_new (FsImage *image, const FsSettings *settings, const FsProgress *progress,
               GError **error)
{
  g_return_val_if_fail (image && settings, NULL);
  g_return_val_if_fail (settings->smoothness >= 0 && settings->smoothness <= FS_SMOOTHNESS_MAX,
                        NULL);

  FsScene *scene = fs_scene_new (image, settings, progress, error);
  return scene ? energy_for_scene (scene, error) : NULL;
}

FsEnergy *
fs_energy_new_sibling (FsEnergy *energy, GError **error)
{
  return energy_for_scene (fs_scene_ref (energy->scene), error);
}

void
fs_energy_free (FsEnergy *energy)
{
  if (!energy)
    return;
  fs_model_free (energy->model);
  g_free (energy->tlink);
  fs_scene_unref (energy->scene);
  g_free (energy);
}

FsGrid *
fs_energy_get_grid (FsEnergy *energy)
{
  return &energy->grid;
}

int32_t
fs_energy_get_soft_tlink (FsEnergy *energy)
{
  return energy->scene->model->soft_tlink;
}

gboolean
fs_energy_knows (FsEnergy *energy, uint8_t side)
{
  return energy->model->known[fs_model_side (side)];
}

void
fs_energy_fit (FsEnergy *energy, const FsSeedMap *seeds)
{
  fs_model_fit (energy->model, seeds);
}

/* One more than the sum of the pixel's n-links: no cut can gain by leaving a seed on the wrong
 * side. */
static int32_t
seed_strength (const FsGrid *grid, uint32_t pixel)
{
  int x = (int)(pixel % (uint32_t)grid->width), y = (int)(pixel / (uint32_t)grid->width);
  int32_t sum = 1;
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    int back_x = x - fs_direction_dx (d), back_y = y - fs_direction_dy (d);
    sum += grid->nlink[d][pixel];
    if (back_x >= 0 && back_x < grid->width && back_y >= 0)
      sum += grid->nlink[d][(size_t)back_y * (size_t)grid->width + (size_t)back_x];
  }
  return sum;
}

int32_t
fs_energy_tlink (FsEnergy *energy, uint32_t pixel, uint8_t label)
{
  if (label == FS_SEED_NONE)
    return energy->model->by_colour[fs_colour_bin (energy->scene->image->pixels[pixel])];
  int32_t strength = seed_strength (&energy->grid, pixel);
  return label == FS_SEED_BACKGROUND ? -strength : strength;
}

void
fs_energy_fill_tlinks (FsEnergy *energy, const FsSeedMap *seeds, int32_t *tlinks)
{
  size_t n = fs_grid_n_pixels (&energy->grid);
  for (size_t i = 0; i < n; i++)
    tlinks[i] = fs_energy_tlink (energy, (uint32_t)i, seeds->label[i]);
}
