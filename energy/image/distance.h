/* SPDX-License-Identifier: MIT */
/* Exact squared Euclidean distances on a grid.   Layer: energy.
 *
 * Source: Meijster, Roerdink & Hesselink 2000, "A general algorithm for computing distance
 * transforms in linear time": one pass over the columns, one over the rows, integers only.
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_IMAGE_DISTANCE_H
#define FS_ENERGY_IMAGE_DISTANCE_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* For each pixel the squared distance to the nearest pixel where plane (width·height bytes) is not
 * 0; at least (width + height)² where there is none. g_free. */
int64_t *fs_distance2 (const uint8_t *plane, int width, int height);

G_END_DECLS

#endif
