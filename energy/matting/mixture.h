/* SPDX-License-Identifier: MIT */
/* Colour mixtures: alpha of a pixel as its colour's mixture of similar colours.   Layer: energy.
 *
 * Each unknown pixel's colour is mixed of its FS_MIXTURE_K nearest by colour, near the zone, by
 * locally linear embedding; its alpha is to be the same mixture of theirs (Aksoy, Aydın & Pollefeys
 * 2017, section 3.1). With W the weights, the energy is |α − W α|² times a weight.
 *
 * Threads: one at a time per mixture; loops use as many as fs_energy_set_threads allows.
 */
#ifndef FS_ENERGY_MATTING_MIXTURE_H
#define FS_ENERGY_MATTING_MIXTURE_H

#include "energy/matting/zone.h"

G_BEGIN_DECLS

enum { FS_MIXTURE_K = 4 };

/* A weight of W, and the row that it is in. */
typedef struct {
  uint32_t row;
  float weight;
} FsMixtureUser;

typedef struct {
  const FsZone *zone;
  uint32_t *place; /* [n_unknown][FS_MIXTURE_K] of neighbours, in planes with margins */
  float *weight;   /* [n_unknown][FS_MIXTURE_K] 0 of neighbours that do not exist */
  double *known;   /* [n_unknown] known neighbours' part of W α */
  /* The transpose: in which weights an unknown pixel occurs. */
  FsMixtureUser *user;  /* [first_user[n_unknown]] */
  uint32_t *first_user; /* [n_unknown + 1] */
  double *residual;     /* [n_unknown] scratch */
} FsMixture;

/* FALSE where memory is short; incomplete, and not to be used, when cancelled. */
gboolean fs_mixture_init (FsMixture *mixture, const FsZone *zone);
void fs_mixture_clear (FsMixture *mixture);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsMixture, fs_mixture_clear)

/* `plane` has margins and is 0 at known pixels. Sets `residual` to α − W α. */
void fs_mixture_set_residual (FsMixture *mixture, const double *plane);

/* The weight of a mixture's energy times (I − W)ᵀ · residual, for one unknown pixel. */
double fs_mixture_product (const FsMixture *mixture, uint32_t pixel);

/* Adds known pixels' part to the right-hand side of a system. */
void fs_mixture_add_right (FsMixture *mixture, double *right);

/* The diagonal element of the energy's matrix. */
double fs_mixture_diagonal (const FsMixture *mixture, uint32_t pixel);

G_END_DECLS

#endif
