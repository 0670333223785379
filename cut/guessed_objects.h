/* SPDX-License-Identifier: MIT */
/* The object map of a mask that was imported with its objects.   Layer: cut, private to this room.
 *
 * The imported pixels of the mask and the strokes over them are seeds (object_seeds.h). The other
 * pixels of the mask are labelled a connected component (eight neighbours) at a time, of pixels
 * that were imported as the same. Those of an object, which strokes have freed, stay that object's
 * or are that of strokes that they touch; others are that of any object that they touch. With one
 * such object the component is its; with several, and a stroke among them, it is divided by the
 * energy of several objects, among these alone (object_division.h); else each pixel of an imported
 * object stays, and the others are labelled like the nearest pixel that has an object.
 *
 * Threads: any; blocks.
 */
#ifndef FS_CUT_GUESSED_OBJECTS_H
#define FS_CUT_GUESSED_OBJECTS_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "energy/image/settings.h"
#include "solver/progress.h"

G_BEGIN_DECLS

/* As fs_mask_map_objects (mask_objects.h), for a guess with objects. */
gboolean fs_guessed_objects_map (FsImage *image, const FsSettings *settings,
                                 const FsSeedMap *strokes, const FsGuess *guess,
                                 const uint8_t *mask, const FsProgress *progress, uint8_t *numbers,
                                 GError **error);

G_END_DECLS

#endif
