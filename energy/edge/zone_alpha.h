/* SPDX-License-Identifier: MIT */
/* Alpha of the pixels in refine zones, by matting.   Layer: energy.
 *
 * A zone is a connected component of pixels that are painted FS_EDGE_ZONE_REFINE, or several whose
 * rectangles are less than FS_ZONE_MARGIN_PX apart. Its pixels without strokes are unknown, all
 * others have the side of the mask (energy/matting/matting.h). A zone is solved as a whole, so its
 * alpha depends on pixels up to FS_ZONE_MARGIN_PX around it.
 *
 * Threads: immutable; computing uses as many as fs_energy_set_threads allows.
 */
#ifndef FS_ENERGY_EDGE_ZONE_ALPHA_H
#define FS_ENERGY_EDGE_ZONE_ALPHA_H

#include "energy/edge/edge_input.h"
#include "solver/progress.h"

G_BEGIN_DECLS

#define FS_ZONE_MARGIN_PX 48

typedef struct FsZoneAlpha FsZoneAlpha;

/* Zones of `previous` (may be NULL) that none of the n rectangles comes near are taken over:
 * outside of these mask, marks and zones must be what they were. Image and size are the same.
 * Errors: FS_SOLVER_ERROR_MEMORY, CANCELLED. */
FsZoneAlpha *fs_zone_alpha_new (const FsEdgeInput *input, const FsZoneAlpha *previous,
                                const FsRect *changed, guint n_changed, const FsProgress *progress,
                                GError **error);
void fs_zone_alpha_free (FsZoneAlpha *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsZoneAlpha, fs_zone_alpha_free)

/* Writes the alpha of the pixels of zones into a plane of `area`'s pixels; leaves the others. */
void fs_zone_alpha_fill (const FsZoneAlpha *self, FsRect area, uint8_t *alpha);

/* A rectangle of `tile` that has all of its pixels within `distance_px` of a zone; empty: none. */
FsRect fs_zone_alpha_find (const FsZoneAlpha *self, FsRect tile, int distance_px);

/* The zones of `self` that `previous` (may be NULL) does not have, and the other way round: where
 * alpha may differ. Of FsRect. g_array_unref. */
GArray *fs_zone_alpha_list_changed (const FsZoneAlpha *self, const FsZoneAlpha *previous);

G_END_DECLS

#endif
