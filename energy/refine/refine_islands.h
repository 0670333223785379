/* SPDX-License-Identifier: MIT */
/* Islands: new components of the object that touch none of the first mask.   Layer: energy.
 *
 * Threads: as refine.h says.
 */
#ifndef FS_ENERGY_REFINE_REFINE_ISLANDS_H
#define FS_ENERGY_REFINE_REFINE_ISLANDS_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Declared in refine.h too, which is above this. */
typedef struct _FsRefinement FsRefinement;

/* As fs_refinement_refuse, for *islands*: components (8 neighbours) of new object pixels that touch
 * no pixel that is object in the first mask and in this one. Nothing where the band is the whole
 * photo, since its first mask is a guess. */
gboolean fs_refinement_refuse_islands (FsRefinement *refinement, uint8_t *mask, GArray *tlinks);

G_END_DECLS

#endif
