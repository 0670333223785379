/* SPDX-License-Identifier: MIT */
/* Accessors of an energy for the other files of the layer.   Layer: energy. */
#ifndef FS_ENERGY_ENERGY_INTERNAL_H
#define FS_ENERGY_ENERGY_INTERNAL_H

#include "energy/energy_extras.h"
#include "energy/guess/opinion.h"
#include "energy/terms/mask_prior.h"
#include "energy/terms/model.h"

G_BEGIN_DECLS

/* The model, as last fitted. */
const FsModel *fs_energy_get_model (FsEnergy *energy);
/* The |t| of every seed; 0 where it depends on the pixel's n-links. */
int32_t fs_energy_get_seed_strength (FsEnergy *energy);
/* The opinion of the guess; NULL without one. */
const FsOpinion *fs_energy_get_opinion (FsEnergy *energy);
/* The opinion's view over the photo. */
const FsOpinionView *fs_energy_get_guess_view (FsEnergy *energy);
/* NULL without a previous mask. */
const FsMaskPrior *fs_energy_get_mask_prior (FsEnergy *energy);

G_END_DECLS

#endif
