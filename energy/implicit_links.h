/* SPDX-License-Identifier: MIT */
/* The links of an energy in tables, for devices that make them from the photo.   Layer: energy.
 *
 * Threads: as energy.h says.
 */
#ifndef FS_ENERGY_IMPLICIT_LINKS_H
#define FS_ENERGY_IMPLICIT_LINKS_H

#include "energy/energy.h"
#include "energy/energy_extras.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

/* Lists pixels that have become seeds as spans (GArray of FsFixedSpan): what fs_energy_extend makes
 * their t-links is what a device makes of spans. FALSE where some pixel is none; the contents are
 * then of no use. Cost O(n), without a look at the photo. */
gboolean fs_energy_list_fixed (const FsSeedMap *seeds, const uint32_t *pixels, size_t n,
                               GArray *spans);

/* What the n-links, and the t-links that fs_energy_fill_tlinks would fill, follow from: every model
 * has it all in link tables. Energies that share their n-links have the same photo number. Borrows
 * from energy and seeds: valid until the next fit or fs_energy_set_mask_prior, and only as long as
 * the labels stay. Cheap. */
void fs_energy_fill_link_source (FsEnergy *energy, const FsSeedMap *seeds, FsLinkSource *source);

G_END_DECLS

#endif
