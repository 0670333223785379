/* SPDX-License-Identifier: MIT */
/* Trimap trimming: known regions grow over neighbours of nearly the same colour.   Layer: energy.
 *
 * Threads: any, one at a time per zone.
 */
#ifndef FS_ENERGY_MATTING_TRIM_H
#define FS_ENERGY_MATTING_TRIM_H

#include "energy/matting/zone.h"

G_BEGIN_DECLS

/* Labels unknown pixels within FS_TRIM_RADIUS_PX of a known one. The farther it is the nearer their
 * colours have to be; of several known ones the nearest decides. FALSE where memory is short. */
enum { FS_TRIM_RADIUS_PX = 9 };
gboolean fs_zone_trim (FsZone *zone);

G_END_DECLS

#endif
