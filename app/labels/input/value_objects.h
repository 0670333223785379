/* SPDX-License-Identifier: MIT */
/* The objects of a picture of numbers.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_LABELS_INPUT_VALUE_OBJECTS_H
#define FS_APP_LABELS_INPUT_VALUE_OBJECTS_H

#include "app/labels/parse/indexed_png.h"
#include "app/labels/input/label_input.h"

G_BEGIN_DECLS

/* [value] TRUE where the picture has it. */
void fs_value_objects_find (const FsIndexedPng *png, gboolean is_there[256]);

/* Adds an object for each of the values 1 … 254, of the class of its name; one without a name is of
 * an unknown class. 255 is unknown. FALSE, with an error, where the picture's proportions are not
 * those of the photo. */
gboolean fs_value_objects_add (const FsIndexedPng *png, const char *const names[256],
                               FsLabelReading *reading, GError **error);

G_END_DECLS

#endif
