/* SPDX-License-Identifier: MIT */
/* Decoding of photos: untrusted files to upright pixels.   Layer: app.
 *
 * JPEG (libjpeg-turbo), PNG (libpng's low-level API) and, as optional features, BMP (gdk-pixbuf),
 * TIFF (libtiff), WebP (libwebp), and HEIC, HEIF and AVIF (libheif).
 * The format is recognised by the first bytes, never by the name. Orientation (photo_metadata.h; in
 * HEIF the boxes irot and imir) is applied once. Every error is one sentence with the file's name
 * and the reason; a damaged photo that can be shown in part opens with a warning. Memory is
 * estimated from the header before the first allocation.
 *
 * Threads: any; blocks. Nothing here opens a display.
 */
#ifndef FS_APP_PHOTO_PHOTO_H
#define FS_APP_PHOTO_PHOTO_H

#include "app/photo/input/photo_error.h"
#include "app/photo/input/photo_metadata.h"
#include "energy/image/image.h"
#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  FsImage *image;
  char *warning;             /* "NAME: the damage", or NULL                             */
  const char *format;        /* "JPEG", "PNG", "BMP", "TIFF", "WebP", "HEIC", "HEIF", "AVIF" */
  int bits;                  /* per channel, in the file                                */
  FsPhotoMetadata *metadata; /* never NULL                                       */
} FsPhoto;

/* Reads `path` (a local file name in the file system's encoding). `limits`, `cancellable` may be
 * NULL. Errors: FS_PHOTO_ERROR, the message without a prefix: "NAME: reason". */
FsPhoto *fs_photo_load (const char *path, const FsPhotoLimits *limits, GCancellable *cancellable,
                        GError **error);
void fs_photo_free (FsPhoto *photo);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPhoto, fs_photo_free)

/* A photo's own samples: red, green, blue and straight alpha of each pixel, upright, 0 to 65,535.
 */
typedef struct {
  FsImage *image; /* the same in 8 bits, as fs_photo_load() has it */
  guint16 *samples;
} FsPhotoSamples;

/* The samples of a photo with more than 8 bits per channel, 10 and 12 bits scaled to 16. NULL
 * without an error where it has 8 bits or fewer, or is damaged. The limits are the default ones. */
FsPhotoSamples *fs_photo_load_samples (const char *path, GCancellable *cancellable, GError **error);
void fs_photo_samples_free (FsPhotoSamples *samples);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPhotoSamples, fs_photo_samples_free)

/* The photo's bits per channel, as in FsPhoto; 0 where it cannot be opened. Reads its header. */
int fs_photo_count_bits (const char *path);

/* A seed map: an 8-bit grey or indexed PNG of exactly width × height; the grey value or index is
 * the label (0 none, 1 background, 2 object, 3, 4, … further objects). Returns width·height bytes,
 * g_free. Errors: FS_PHOTO_ERROR, also where the size or the kind of PNG differs. */
uint8_t *fs_seeds_load (const char *path, int width, int height, GCancellable *cancellable,
                        GError **error);

/* FALSE with FS_PHOTO_ERROR_FORMAT where the labels of a seed map are the shades of a soft or
 * anti-aliased brush, which would be dozens of objects: there are eight or more labels whose pixels
 * are all adjacent to other labels. `path` is for the message. */
gboolean fs_seeds_check_hard (const char *path, const uint8_t *labels, int width, int height,
                              GError **error);

/* The names of the formats that this build opens: "JPEG, PNG, …". */
const char *fs_photo_get_formats (void);
/* The endings of photos' names, without the dot, in lower case, terminated by NULL. */
const char *const *fs_photo_get_suffixes (void);
/* TRUE if a file's name has one of these endings, in any case. */
gboolean fs_photo_has_name (const char *name);

G_END_DECLS

#endif
