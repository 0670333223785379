/* SPDX-License-Identifier: MIT */
/* The object map: the object of each pixel of a mask, where strokes name several objects.
 * Layer: cut.
 *
 * The mask separates all objects together from the background. Each of its pixels gets an object in
 * three steps: a connected component of the mask (eight neighbours) with strokes of one object
 * alone is that object's; within the other components, so is each component of a first guess with
 * strokes of one object alone; the remaining pixels are labelled by the energy of
 * energy/labels/labels_objects.h, exactly for two objects, else until no expansion move improves
 * the labels. Specks (label_specks.h) then go to the object around them. The union of the objects'
 * masks is the mask, to the pixel. Where the mask was imported with its objects, those count below
 * the strokes (guessed_objects.h).
 *
 * Threads: any; blocks.
 */
#ifndef FS_CUT_MASK_OBJECTS_H
#define FS_CUT_MASK_OBJECTS_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "energy/image/settings.h"
#include "solver/progress.h"

G_BEGIN_DECLS

/* `guess`: the first guess that the mask was cut by, or NULL. `mask`: W·H bytes, 0 or 1, in which
 * every object's seeds lie. `numbers`: W·H bytes, gets the number of an object's seeds where the
 * mask is 1 and FS_SEED_BACKGROUND elsewhere. Where neither seeds nor a guess name an object all is
 * FS_SEED_OBJECT's. Errors: FS_SOLVER_ERROR. Cost: one pass where each component has one object;
 * else energies of the mask's bounding box. */
gboolean fs_mask_map_objects (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds,
                              FsGuess *guess, const uint8_t *mask, const FsProgress *progress,
                              uint8_t *numbers, GError **error);

G_END_DECLS

#endif
