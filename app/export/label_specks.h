/* SPDX-License-Identifier: MIT */
/* Specks of an object's label, far from the object's strokes.   Layer: app.
 *
 * A connected component (eight neighbours) of an object's pixels in which none of its strokes lies
 * is a speck where it is small, less than a fiftieth of those that have strokes, or lies farther
 * from them than twice its own breadth: a few pixels of its colour, which widen its bounding box
 * and are seen in its files. It goes to what it touches most of.
 *
 * Threads: any.
 */
#ifndef FS_APP_EXPORT_LABEL_SPECKS_H
#define FS_APP_EXPORT_LABEL_SPECKS_H

#include "energy/image/seed_map.h"

G_BEGIN_DECLS

/* Labels that specks may get. */
typedef enum {
  FS_SPECKS_TO_OBJECTS, /* another object, the nearest where they touch none: the mask stays */
  FS_SPECKS_TO_ANY      /* the background too */
} FsSpecksTo;

/* `numbers`: W·H of FS_SEED_BACKGROUND and the numbers of the seeds' objects, in which every seed
 * has its own. `n_given`, which may be NULL, gets how many pixels changed. O(N). Errors:
 * FS_SOLVER_ERROR_MEMORY; nothing has changed then. */
gboolean fs_label_specks_give_away (const FsSeedMap *seeds, FsSpecksTo to, uint8_t *numbers,
                                    size_t *n_given, GError **error);

G_END_DECLS

#endif
