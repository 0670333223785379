/* SPDX-License-Identifier: MIT */
/* Settings of the energy that a person may change.   Layer: energy (value header). */
#ifndef FS_ENERGY_IMAGE_SETTINGS_H
#define FS_ENERGY_IMAGE_SETTINGS_H

#include "solver/grid.h"

G_BEGIN_DECLS

/* The model of the pixels without strokes (energy.h). */
typedef enum {
  FS_MODEL_GEODESIC, /* distances along the photo, a star, and colours near the strokes */
  FS_MODEL_KMEANS,   /* Lazy Snapping: distance to the clusters of each side's colours  */
  FS_MODEL_GMM,      /* GrabCut: mixtures of Gaussians of each side's colours              */
  FS_N_MODELS
} FsModelKind;

typedef struct {
  FsNeighbours neighbours; /* 4 or 8; default 8                                              */
  double smoothness;       /* λ as a multiple of the default, in [0, FS_SMOOTHNESS_MAX]; 1   */
  FsModelKind model;       /* default geodesic                                               */
  /* Star convexity (geodesic only, star.h): every object pixel is joined to an object stroke by its
   * shortest path. Off within a lasso or trimap, for which the model has other weights and the
   * border is not refined (refine.h). Default on. */
  gboolean star;
  /* Stability (mask_prior.h): far from a stroke the mask stays as it was when the stroke began.
   * Only cuts of a history of strokes have such a previous mask. Default off. */
  gboolean stability;
} FsSettings;

#define FS_SMOOTHNESS_MAX 100.0

#define FS_SETTINGS_DEFAULT                                                                        \
  ((FsSettings){ .neighbours = FS_NEIGHBOURS_8,                                                    \
                 .smoothness = 1.0,                                                                \
                 .model = FS_MODEL_GEODESIC,                                                       \
                 .star = TRUE })

/* TRUE if every field is in its range; FALSE for a smoothness that is not a number. */
gboolean fs_settings_are_valid (const FsSettings *settings);

gboolean fs_settings_equal (const FsSettings *a, const FsSettings *b);

/* The name that commands, reports and sessions use: "geodesic", "kmeans", "gmm". Static storage. */
const char *fs_model_name (FsModelKind model);

/* FALSE where there is no model of that name. */
gboolean fs_model_from_name (const char *name, FsModelKind *model);

G_END_DECLS

#endif
