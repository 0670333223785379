/* SPDX-License-Identifier: MIT */
/* Implicit links of an energy: source data from which devices compute them.   Layer: energy.
 *
 * Threads: as energy.h says.
 */
#ifndef FS_ENERGY_IMPLICIT_LINKS_H
#define FS_ENERGY_IMPLICIT_LINKS_H

#include "energy/energy.h"
#include "energy/energy_extras.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

/* Lists pixels that have become seeds as spans (GArray of FsFixedSpan), from which a device
 * computes the same t-links as fs_energy_extend. FALSE where some pixel is not a seed; `spans` is
 * undefined then. Cost O(n); the photo is not read. */
gboolean fs_energy_list_fixed (const FsSeedMap *seeds, const uint32_t *pixels, size_t n,
                               GArray *spans);

/* Fills the source data of the n-links and of the t-links of fs_energy_fill_tlinks. Energies that
 * share their n-links have the same photo number. Borrows from energy and seeds: valid until the
 * next fit or fs_energy_set_mask_prior, and only while the labels do not change. Cheap. */
void fs_energy_fill_link_source (FsEnergy *energy, const FsSeedMap *seeds, FsLinkSource *source);

G_END_DECLS

#endif
