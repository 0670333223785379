/* SPDX-License-Identifier: MIT */
/* A photo, its labels and its last result.   Layer: library.
 *
 * Threads: one at a time.
 */
#ifndef FS_LIBRARY_PHOTO_H
#define FS_LIBRARY_PHOTO_H

#include "cut/photo_cut.h"
#include "library/photo_input.h"

G_BEGIN_DECLS

/* The numbers of the result. */
typedef enum {
  FS_RESULT_NONE,
  FS_RESULT_UPDATED, /* the live solver's mask */
  FS_RESULT_FINISHED
} FsResultKind;

struct fretsaw_photo {
  FsLibraryObject object;
  FsImage *image;
  FsPhotoSettings settings;
  FsSeedMap *seeds;
  FsGuess *guess;  /* or NULL */
  FsPhotoCut live; /* of one object; without an energy before the first update */
  gboolean is_fit_stale;
  FsPixelList *waiting; /* pixels whose labels the live cut does not know */
  uint8_t *mask;        /* of the cut under way                          */
  uint8_t *numbers;     /* the result                                    */
  FsResultKind result;
  uint8_t number;            /* of the object, in the result of one */
  gboolean are_labels_newer; /* than the result */
};

/* The pixels of the photo. */
size_t fs_library_count_pixels (const fretsaw_photo *photo);

G_END_DECLS

#endif
