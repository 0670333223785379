/* SPDX-License-Identifier: MIT */
/* Functions of an energy for the program, which the library does not install.   Layer: energy.
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

/* Declared in energy.h too, which is above this. */
typedef struct _FsEnergy FsEnergy;

/* As fs_energy_new, but planes of n-links and t-links are not filled before fs_energy_need_planes:
 * fs_energy_fill_grid fills the star alone. Siblings are of the same kind. */
FsEnergy *fs_energy_new_implicit (FsImage *image, const FsSettings *settings,
                                  const FsProgress *progress, GError **error);

/* Fills the planes of the grid for the seeds, as the models stand, unless they are filled: to be
 * called before they are read, where links may be implicit. From then on they are filled until the
 * next fs_energy_fill_grid. `seeds`: as they are to be now, not as at the last fit. Errors:
 * FS_SOLVER_ERROR_MEMORY. */
gboolean fs_energy_need_planes (FsEnergy *energy, const FsSeedMap *seeds, GError **error);

/* Whether the grid's t-links are not filled: then those that change need not be set there either.
 */
gboolean fs_energy_lacks_tlinks (FsEnergy *energy);

/* All that an energy takes for seeds: the strokes themselves, or over those of a finished mask.
 * Belongs to the energy, until its next call with other strokes. For border refinement. */
const FsSeedMap *fs_energy_get_all_seeds (FsEnergy *energy, const FsSeedMap *strokes);

G_END_DECLS

#endif
