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
  FS_RESULT_UPDATED, /* the live solver's mask, with one number */
  FS_RESULT_MAPPED,  /* its object map                           */
  FS_RESULT_FINISHED
} FsResultKind;

struct fretsaw_photo {
  FsLibraryObject object;
  FsImage *image;
  FsPhotoSettings settings;
  FsSeedMap *seeds;
  FsGuess *guess;  /* or NULL */
  FsPhotoCut live; /* of all objects together; without an energy before the first update */
  gboolean is_fit_stale;
  FsPixelList *waiting; /* pixels whose labels the live cut does not know */
  uint8_t *mask;        /* of the cut under way                          */
  uint8_t *numbers;     /* the result                                    */
  FsResultKind result;
  uint8_t number;            /* of all objects, in an updated result */
  gboolean are_labels_newer; /* than the result */
  gboolean is_model_newer;
  /* The labels and the guess of an update of several objects, until they are told apart. */
  FsSeedMap *unmapped; /* or NULL */
  FsGuess *unmapped_guess;
};

static inline size_t
fs_library_count_pixels (const fretsaw_photo *photo)
{
  return (size_t)photo->image->width * (size_t)photo->image->height;
}

/* The object map (cut/mask_objects.h) of a mask becomes the numbers. Errors: MEMORY, CANCELLED. */
fretsaw_status fs_library_map_mask (fretsaw_photo *photo, const FsSeedMap *seeds, FsGuess *guess,
                                    const uint8_t *mask, const FsProgress *progress,
                                    fretsaw_error *error);

/* Keeps labels and guess of an update of several objects, which are told apart when somebody asks.
 * Errors: MEMORY. */
fretsaw_status fs_library_keep_unmapped (fretsaw_photo *photo, fretsaw_error *error);
void fs_library_clear_unmapped (fretsaw_photo *photo);

G_END_DECLS

#endif
