/* SPDX-License-Identifier: MIT */
/* Errors and limits of reading photos.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_PHOTO_INPUT_PHOTO_ERROR_H
#define FS_APP_PHOTO_INPUT_PHOTO_ERROR_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_PHOTO_ERROR (fs_photo_error_quark ())
GQuark fs_photo_error_quark (void);

typedef enum {
  FS_PHOTO_ERROR_READ,    /* cannot be opened or read                       */
  FS_PHOTO_ERROR_FORMAT,  /* not a format that this build opens             */
  FS_PHOTO_ERROR_DAMAGED, /* no part of it can be shown                     */
  FS_PHOTO_ERROR_LIMIT,   /* beyond a limit of FsPhotoLimits, or of memory  */
  FS_PHOTO_ERROR_CANCELLED,
} FsPhotoError;

/* Zero means the default. */
typedef struct {
  guint64 max_file_bytes;   /* 512 MB                                            */
  guint64 max_pixels;       /* 256 megapixels                                    */
  int max_side_px;          /* 65,500                                            */
  int max_scans;            /* 100 (progressive JPEG); fewer, down to 20, above 20 megapixels */
  int max_markers;          /* 1,024 (JPEG)                                      */
  int max_warnings;         /* 100 decoder warnings                              */
  guint64 max_memory_bytes; /* 60 % of what is available                         */
  guint bytes_per_pixel;    /* of the caller's memory beside the photo, which is counted, too; 0 */
  int enough_px; /* not a limit: for thumbnails, JPEGs are decoded at a half, a quarter or an eighth
                    of their size, as long as their longer side has so many pixels; 0: whole */
  gint *permille; /* not a limit: gets the decoded part, 0 … 1000, by g_atomic_int_set(), for
                     formats that report it; may be NULL */
} FsPhotoLimits;

G_END_DECLS

#endif
