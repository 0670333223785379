/* SPDX-License-Identifier: MIT */
/* Class of models of the seeds: all that the energy asks of one.   Layer: energy.
 *
 * A model turns seeds into the data term of the pixels that carry none: a number for each colour
 * of the photo, one for each place, or both, which add up; and, if it likes, into a star (grid.h).
 * The energy looks them up, and knows nothing else of what the model thinks. Each model lies in a
 * file of its own, NAME_model.c, and gives a class:
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
  int32_t soft_tlink; /* no pixel without a seed has a |t| above this */
  /* The mask prior (mask_prior.h) far from the stroke, once strokes cover the area of so many cells
   * (geodesic/level.h), and proportionally less before; 0: at once. */
  int32_t prior;
  int32_t prior_after;
  /* The mask prior of what is deeper in its previous side than what a stroke corrects; 0: none. At
   * most the one above. */
  int32_t depth_prior;

  /* Sets the photo terms' tables of n-links, and fills these, which are allocated; or sets the
   * tables alone, to the same numbers. Errors: FS_SOLVER_ERROR_CANCELLED. */
  gboolean (*fill_nlinks) (FsPhotoTerms *terms, const FsProgress *progress, GError **error);
  gboolean (*make_tables) (FsPhotoTerms *terms, const FsProgress *progress, GError **error);

  /* What every model of the photo shares, once it has n-links and bins; both NULL for nothing.
   * Errors: FS_SOLVER_ERROR. */
  gpointer (*new_photo) (FsPhotoTerms *terms, const FsProgress *progress, GError **error);
  void (*free_photo) (gpointer photo);

  /* `by_colour` and `terms` are set by fs_model_new, and its owner frees them. */
  size_t size_bytes; /* of the struct that begins with FsModel */
  gboolean (*init) (FsModel *model, GError **error);
  void (*clear) (FsModel *model);

  /* Sets by_colour and by_place; `known` says which sides have seeds. */
  void (*fit) (FsModel *model, const FsSeedMap *seeds);

  /* What by_colour would hold for n colours that need not occur in the photo; NULL for models whose
   * border is not refined. */
  void (*weigh_colours) (const FsModel *model, const FsColourPlace *places, int n, int16_t *out);

  /* Sets by_colour from a mask of W·H bytes in place of seeds; NULL for models that cannot. */
  void (*fit_mask) (FsModel *model, const uint8_t *mask);

  /* Rows [y0, y1) of a plane of parents (grid.h); NULL for models without a star. Different rows
   * may be filled by different threads. */
  void (*fill_star) (const FsModel *model, const FsSeedMap *seeds, int y0, int y1,
                     uint8_t *parents);
  /* Follows n pixels whose labels have changed since: appends what is no longer as in `parents`,
   * each pixel once. The star follows for about max_pixels pixels; FALSE: some are left to the next
   * call. NULL as above. */
  gboolean (*extend_star) (FsModel *model, const FsSeedMap *seeds, const uint32_t *pixels, size_t n,
                           size_t max_pixels, const uint8_t *parents, GArray *changes);
} FsModelClass;

extern const FsModelClass fs_model_geodesic, fs_model_kmeans, fs_model_gmm;

G_END_DECLS

#endif
