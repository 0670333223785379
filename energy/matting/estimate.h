/* SPDX-License-Identifier: MIT */
/* Estimates of alpha from known colours.   Layer: energy.
 *
 * A pixel's colour is mixed of the nearest known ones of both sides, nearest by colour and place,
 * by locally linear embedding (Roweis & Saul 2000) in colour: the object's share of the weights is
 * the estimate. It counts in proportion to the squared distance of the two sides' means (Aksoy,
 * Aydın & Pollefeys 2017, section 3.2; the embedding without place, and nearer pixels preferred, is
 * ours).
 *
 * Threads: one at a time per system; loops use as many as fs_energy_set_threads allows.
 */
#ifndef FS_ENERGY_MATTING_ESTIMATE_H
#define FS_ENERGY_MATTING_ESTIMATE_H

#include "energy/matting/system.h"

G_BEGIN_DECLS

/* Adds the estimates to the system, which starts from them. Both sides must be known somewhere in
 * the area. FALSE where memory is short; incomplete when cancelled. */
gboolean fs_estimate_add (FsMattingSystem *system);

G_END_DECLS

#endif
