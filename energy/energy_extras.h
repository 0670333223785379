/* SPDX-License-Identifier: MIT */
/* Implicit links of an energy, and its seeds for border refinement.   Layer: energy.
 *
 * Threads: as energy.h says.
 */
#ifndef FS_ENERGY_ENERGY_EXTRAS_H
#define FS_ENERGY_ENERGY_EXTRAS_H

#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "energy/image/settings.h"
#include "solver/progress.h"

G_BEGIN_DECLS

/* Declared in energy.h too, which may include this. */
typedef struct _FsEnergy FsEnergy;

/* As fs_energy_new, with implicit links: the planes of n-links and t-links are not filled before
 * fs_energy_need_planes, and fs_energy_fill_grid fills the star alone. Siblings have implicit
 * links, too. */
FsEnergy *fs_energy_new_implicit (FsImage *image, const FsSettings *settings,
                                  const FsProgress *progress, GError **error);

/* Fills the grid's planes by the present models, unless they are filled. To be called before they
 * are read where links may be implicit. They stay filled until the next fs_energy_fill_grid.
 * `seeds`: the present ones, not those of the last fit. Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_energy_need_planes (FsEnergy *energy, const FsSeedMap *seeds, GError **error);

/* TRUE if the grid's t-links are not filled: changes need not be applied to them then. */
gboolean fs_energy_lacks_tlinks (FsEnergy *energy);

/* All seeds of an energy: the strokes, over the seeds of a finished mask if there is one
 * (mask_seeds.h). Owned by the energy, valid until its next call with other strokes. For border
 * refinement. */
const FsSeedMap *fs_energy_get_all_seeds (FsEnergy *energy, const FsSeedMap *strokes);

G_END_DECLS

#endif
