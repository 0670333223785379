/* SPDX-License-Identifier: MIT */
/* Labels of a photo as a guess (energy/guess/guess.h), whose objects have the numbers and names of
 * a session's labels.   Layer: app.
 *
 * Where objects overlap, the smaller one is on top. An object gets the number of one that has its
 * name already, or else the next number that nothing else has.
 *
 * Threads: any.
 */
#ifndef FS_APP_LABELS_INPUT_OBJECT_NUMBERS_H
#define FS_APP_LABELS_INPUT_OBJECT_NUMBERS_H

#include "app/labels/input/label_reader.h"
#include "energy/guess/guess.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

/* One number stays free, for the object map. */
#define FS_OBJECT_NUMBERS_MAX (FS_SEED_MAX - FS_SEED_OBJECT)

/* The objects that have numbers already: [number]. */
typedef struct {
  gboolean is_painted[FS_SEED_MAX + 1]; /* has strokes */
  char *names[FS_SEED_MAX + 1];         /* NULL: has no name */
} FsObjectNumbers;

void fs_object_numbers_clear (FsObjectNumbers *numbers);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsObjectNumbers, fs_object_numbers_clear)

/* Makes the guess, and adds its objects' names to `numbers`. Objects that get no number or are
 * covered are counted in the reading. A guess without any object is one, too. NULL where memory is
 * short. */
FsGuess *fs_object_numbers_make_guess (FsObjectNumbers *numbers, FsLabelReading *reading);

G_END_DECLS

#endif
