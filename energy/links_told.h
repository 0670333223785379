/* SPDX-License-Identifier: MIT */
/* The links of an energy in tables, for devices that make them from the photo.   Layer: energy.
 *
 * Threads: as energy.h says.
 */
#ifndef FS_ENERGY_LINKS_TOLD_H
#define FS_ENERGY_LINKS_TOLD_H

#include "energy/energy.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

/* What the n-links, and the t-links that fs_energy_fill_tlinks would fill, follow from: every model
 * has it all in tables. Energies that share their n-links have the same photo number. Borrows from
 * energy and seeds: valid until the next fit or fs_energy_keep, and only as long as the labels
 * stay. Cheap. */
void fs_energy_tell_links (FsEnergy *energy, const FsSeedMap *seeds, FsLinkSource *source);

G_END_DECLS

#endif
