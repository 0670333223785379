/* SPDX-License-Identifier: MIT */
/* Model class: the interface between the energy and its models of the seeds.   Layer: energy.
 *
 * From seeds a model computes the data term of the other pixels, as a sum of one number for each
 * colour of the photo and one for each place, and optionally a star (grid.h). The energy knows
 * nothing else of a model. Each is in a file of its own:
 *
 *   geodesic   geodesic_model.c, distances, star and colours near the strokes
 *   kmeans     kmeans_model.c, clusters of each side's colours
 *   gmm        gmm_model.c, mixtures of Gaussians of each side's colours
 *
 * Everything is a function of the photo, the settings and the seeds, the same bits everywhere:
 * floating point only while tables are made, in a fixed order.
 *
 * Threads: one at a time per model; models of one photo may be used by different threads. */
#ifndef FS_ENERGY_TERMS_MODEL_CLASS_H
#define FS_ENERGY_TERMS_MODEL_CLASS_H

#include "energy/colour/colour_density.h"
#include "energy/image/seed_map.h"
#include "solver/progress.h"

G_BEGIN_DECLS

typedef struct _FsPhotoTerms FsPhotoTerms; /* photo_terms.h */
typedef struct _FsModel FsModel;           /* model.h       */

typedef struct {
  int32_t soft_tlink; /* the largest |t| of a pixel without a seed */
  /* The strength of the mask prior (mask_prior.h), once strokes cover the area of prior_after cells
   * (geodesic/level.h), and proportionally less before; 0: at once. */
  int32_t prior;
  int32_t prior_after;
  /* The strength of the bounded answer's prior (mask_prior.h), at most that above; 0: none. */
  int32_t depth_prior;

  /* fill_nlinks sets the photo terms' tables of n-links and fills the allocated planes; make_tables
   * sets the same tables alone. Errors: FS_SOLVER_ERROR_CANCELLED. */
  gboolean (*fill_nlinks) (FsPhotoTerms *terms, const FsProgress *progress, GError **error);
  gboolean (*make_tables) (FsPhotoTerms *terms, const FsProgress *progress, GError **error);

  /* Data shared by all models of the photo, made once it has n-links and bins; both NULL for none.
   * Errors: FS_SOLVER_ERROR. */
  gpointer (*new_photo) (FsPhotoTerms *terms, const FsProgress *progress, GError **error);
  void (*free_photo) (gpointer photo);

  /* `by_colour` and `terms` are set by fs_model_new, and its owner frees them. */
  size_t size_bytes; /* of the struct that begins with FsModel */
  gboolean (*init) (FsModel *model, GError **error);
  void (*clear) (FsModel *model);

  /* Sets by_colour and by_place; `known` is set already. */
  void (*fit) (FsModel *model, const FsSeedMap *seeds);

  /* Computes the t-links, as in by_colour, of n colours that need not occur in the photo; NULL for
   * models whose border is not refined. */
  void (*weigh_colours) (const FsModel *model, const FsColourPlace *places, int n, int16_t *out);

  /* Sets by_colour from a mask of W·H bytes in place of seeds; NULL where that is not possible. */
  void (*fit_mask) (FsModel *model, const uint8_t *mask);

  /* Fills rows [y0, y1) of a plane of parents (grid.h); NULL for models without a star. Different
   * rows may be filled by different threads. */
  void (*fill_star) (const FsModel *model, const FsSeedMap *seeds, int y0, int y1,
                     uint8_t *parents);
  /* Updates the star after the labels of n pixels have changed: appends the pixels whose parent
   * differs from `parents`, once each, and about max_pixels at most; FALSE: some are left to the
   * next call. NULL as above. */
  gboolean (*extend_star) (FsModel *model, const FsSeedMap *seeds, const uint32_t *pixels, size_t n,
                           size_t max_pixels, const uint8_t *parents, GArray *changes);
} FsModelClass;

extern const FsModelClass fs_model_geodesic, fs_model_kmeans, fs_model_gmm;

G_END_DECLS

#endif
