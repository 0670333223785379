/* SPDX-License-Identifier: MIT */
#include "energy/image/settings.h"

#include <string.h>

static const char *const names[FS_N_MODELS] = {
  [FS_MODEL_GEODESIC] = "geodesic",
  [FS_MODEL_KMEANS] = "kmeans",
  [FS_MODEL_GMM] = "gmm",
};

gboolean
fs_settings_are_valid (const FsSettings *settings)
{
  g_return_val_if_fail (settings, FALSE);
  return (settings->neighbours == FS_NEIGHBOURS_4 || settings->neighbours == FS_NEIGHBOURS_8)
         && settings->smoothness >= 0 && settings->smoothness <= FS_SMOOTHNESS_MAX
         && (unsigned)settings->model < FS_N_MODELS;
}

gboolean
fs_settings_equal (const FsSettings *a, const FsSettings *b)
{
  g_return_val_if_fail (a && b, FALSE);
  return a->neighbours == b->neighbours && a->smoothness == b->smoothness && a->model == b->model
         && !a->star == !b->star && !a->stability == !b->stability;
}

const char *
fs_model_name (FsModelKind model)
{
  g_return_val_if_fail ((unsigned)model < FS_N_MODELS, NULL);
  return names[model];
}

gboolean
fs_model_from_name (const char *name, FsModelKind *model)
{
  g_return_val_if_fail (name && model, FALSE);
  for (FsModelKind i = 0; i < FS_N_MODELS; i++)
    if (strcmp (name, names[i]) == 0) {
      *model = i;
      return TRUE;
    }
  return FALSE;
}
