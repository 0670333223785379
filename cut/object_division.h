/* SPDX-License-Identifier: MIT */
/* Division of pixels among the objects that they touch, by the energy of several objects.
 * Layer: cut.
 *
 * Threads: any; blocks.
 */
#ifndef FS_CUT_OBJECT_DIVISION_H
#define FS_CUT_OBJECT_DIVISION_H

#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "energy/image/settings.h"
#include "solver/progress.h"

G_BEGIN_DECLS

/* Labels the FS_SEED_NONE of `numbers` (W·H bytes) within `box` by the energy of
 * energy/labels/labels_objects.h on that box, whose other pixels keep their numbers. `takes_part`
 * [FS_SEED_MAX + 1] says which objects' seeds count and get pixels, NULL for all; the others are
 * background to it. The box contains seeds of one that takes part. Errors: FS_SOLVER_ERROR. */
gboolean fs_object_division_run (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds,
                                 const uint8_t *takes_part, FsRect box, const FsProgress *progress,
                                 uint8_t *numbers, GError **error);

G_END_DECLS

#endif
