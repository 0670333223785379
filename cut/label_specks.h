/* SPDX-License-Identifier: MIT */
/* Specks of an object's label, far from the object's strokes.   Layer: cut.
 *
 * A speck is a connected component (eight neighbours) of an object's pixels without a stroke of it
 * that has less than a fiftieth of the pixels of the object's components with strokes, or is
 * farther from these than twice its own breadth. Specks enlarge an object's bounding box and are
 * visible in its files. A speck gets the label that it has the longest contact with.
 *
 * Threads: any.
 */
#ifndef FS_CUT_LABEL_SPECKS_H
#define FS_CUT_LABEL_SPECKS_H

#include "energy/image/seed_map.h"
#include "solver/progress.h"

G_BEGIN_DECLS

/* Labels that specks may get. */
typedef enum {
  FS_SPECKS_TO_OBJECTS, /* another object, the nearest where they touch none: the mask stays */
  FS_SPECKS_TO_ANY      /* the background too */
} FsSpecksTo;

/* `numbers`: W·H of FS_SEED_BACKGROUND and the numbers of the seeds' objects, in which every seed
 * has its own. `n_given` and `progress` may be NULL; the former gets how many pixels changed. O(N).
 * Errors: FS_SOLVER_ERROR_MEMORY, FS_SOLVER_ERROR_CANCELLED; nothing has changed then. */
gboolean fs_label_specks_give_away (const FsSeedMap *seeds, FsSpecksTo to, uint8_t *numbers,
                                    size_t *n_given, const FsProgress *progress, GError **error);

G_END_DECLS

#endif
