/* SPDX-License-Identifier: MIT */
/* Tiles: words of parts of a photo.   Layer: energy, private to the room.
 *
 * Threads: any, several at once; each finds the memory of one that is done.
 */
#ifndef FS_ENERGY_EDGE_EDGE_TILES_H
#define FS_ENERGY_EDGE_EDGE_TILES_H

#include "energy/edge/edge_input.h"
#include "energy/edge/zone_alpha.h"

G_BEGIN_DECLS

typedef struct FsEdgeTiles FsEdgeTiles;

/* As fs_edge_new (edge.h). */
FsEdgeTiles *fs_edge_tiles_new (const FsEdgeInput *input, const FsZoneAlpha *zones);
void fs_edge_tiles_free (FsEdgeTiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsEdgeTiles, fs_edge_tiles_free)

/* Pixels a side. Tiles begin at multiples of it. */
int fs_edge_tiles_get_side (const FsEdgeTiles *self);

/* TRUE if all words of `area`, inside the photo, are as mask and photo have them. */
gboolean fs_edge_tiles_are_hard (const FsEdgeTiles *self, FsRect area);

/* Writes the words of `area`: the first pixel's at `words`, `stride` of them a row. FALSE where
 * memory is short. */
gboolean fs_edge_tiles_find (FsEdgeTiles *self, FsRect area, uint32_t *words, gsize stride);

G_END_DECLS

#endif
