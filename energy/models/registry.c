/* SPDX-License-Identifier: MIT */
#include "energy/models/registry.h"

const FsModelClass *
fs_model_class (FsModelKind kind)
{
  switch (kind) {
  case FS_MODEL_GEODESIC:
    return &fs_model_geodesic;
  case FS_MODEL_KMEANS:
    return &fs_model_kmeans;
  case FS_MODEL_GMM:
    return &fs_model_gmm;
  case FS_N_MODELS:
    break;
  }
  g_return_val_if_reached (NULL);
}
