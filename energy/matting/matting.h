/* SPDX-License-Identifier: MIT */
/* Alpha of unknown zones from a trimap.   Layer: energy.
 *
 * Alpha minimises a quadratic energy of four parts:
 *
 *   - alpha is locally a linear function of the colours (Levin, Lischinski & Weiss, "A Closed-Form
 *     Solution to Natural Image Matting", 2008; windows of 3 × 3 pixels, ε = 10⁻⁷);
 *   - alpha is near an estimate from similar known colours of both sides, the more so the more
 * these sides differ (Aksoy, Aydın & Pollefeys, "Designing Effective Inter-Pixel Information Flow
 * for Natural Image Matting", 2017, known-to-unknown flow);
 *   - alpha is mixed of that of a few similar colours nearby, as the colour is (the same paper,
 * colour mixtures);
 *   - known pixels keep their side. Unknown ones close to known ones of nearly the same colour
 *     become known first.
 *
 * docs/decisions/matting.md has figures.
 */
#ifndef FS_ENERGY_MATTING_MATTING_H
#define FS_ENERGY_MATTING_MATTING_H

#include "energy/image/image.h"
#include "energy/image/rect.h"
#include "energy/matting/trimap.h"
#include "solver/progress.h"

G_BEGIN_DECLS

/* Computes the alpha of the photo's rectangle `area`, whose bytes, 0 to 255, go to `alpha` row by
 * row. `trimap` has a byte for each pixel of the photo; any but BACKGROUND and OBJECT is unknown.
 * Nothing outside of the area is read, so it should have the known pixels of some 32 px around the
 * unknown ones. Known pixels get 0 or 255. Where the area has no known background, unknown pixels
 * get 255; where it has no known object, 0.
 *
 * Returns FALSE with `alpha` undefined on errors: FS_SOLVER_ERROR_MEMORY, _CANCELLED. `progress`
 * may be NULL. No bit depends on fs_energy_set_threads. Threads: any. */
gboolean fs_matting_solve (const FsImage *image, const uint8_t *trimap, FsRect area, uint8_t *alpha,
                           const FsProgress *progress, GError **error);

G_END_DECLS

#endif
