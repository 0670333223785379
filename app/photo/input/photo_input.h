/* SPDX-License-Identifier: MIT */
/* Input of a photo decoder: an untrusted file, limits, cancellation and error messages.   Layer:
 * app.
 *
 * Every decoder reads through this, checks claimed sizes with it before allocation, and uses it for
 * error messages, so that limits and messages are in one place. Only regular files are opened (a
 * FIFO would block, /dev/zero would never end).
 *
 * Threads: one at a time; blocks on the disk.
 */
#ifndef FS_APP_PHOTO_INPUT_PHOTO_INPUT_H
#define FS_APP_PHOTO_INPUT_PHOTO_INPUT_H

#include "app/photo/input/photo_error.h"
#include "app/photo/input/photo_metadata.h"
#include "energy/image/image.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define FS_PHOTO_HEAD_BYTES 64

/* The request to a decoder. */
typedef enum {
  FS_PHOTO_IMAGE,
  FS_PHOTO_SAMPLES, /* image and samples if it has more than 8 bits, else only the number of bits */
  FS_PHOTO_BITS,    /* only the number of bits                                              */
} FsPhotoWish;

typedef struct {
  char *name;           /* the user's path as displayable UTF-8, one line            */
  int fd;               /* positioned at `offset`                                    */
  guint64 n_bytes;      /* the file's size when it was opened; it may change later   */
  guint64 offset;       /* bytes read so far                                         */
  FsPhotoLimits limits; /* resolved: nothing is zero                                 */
  GCancellable *cancellable;
  guint8 head[FS_PHOTO_HEAD_BYTES]; /* the first bytes, to recognise the format by   */
  gsize n_head;
  FsPhotoWish wish;
  guint16 *samples; /* owned; four a pixel, as FsPhotoSamples has them, but not turned upright */
  FsPhotoMetadata *metadata; /* owned; filled before a decoder runs, or, of HEIF, by it  */
} FsPhotoInput;

/* The claims of a header, for fs_photo_input_admit(). */
typedef struct {
  guint64 width;
  guint64 height;
  guint64 work_bytes;     /* memory beside the 4 bytes a pixel of the image        */
  guint64 min_file_bytes; /* the smallest file that could have all of the picture  */
} FsPhotoClaim;

/* The result of a decoder: the stored picture, not yet turned upright. */
typedef struct {
  FsImage *image;     /* owned; NULL where it was not requested                      */
  int bits;           /* per channel, in the file                                    */
  const char *damage; /* a static clause for the warning, or NULL: the file is whole */
} FsDecoded;

typedef gboolean (*FsPhotoDecoder) (FsPhotoInput *input, FsDecoded *decoded, GError **error);

/* `limits` and `cancellable` may be NULL; the cancellable is not owned. Errors: FS_PHOTO_ERROR. */
FsPhotoInput *fs_photo_input_new (const char *path, const FsPhotoLimits *limits,
                                  GCancellable *cancellable, GError **error);
void fs_photo_input_free (FsPhotoInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPhotoInput, fs_photo_input_free)

/* Reads up to `n_bytes`; 0 at the end of the file, −1 with an error, also when cancelled. */
gssize fs_photo_input_read (FsPhotoInput *input, void *buffer, gsize n_bytes, GError **error);

/* Reads the whole file; fewer bytes than its size if it has become shorter. g_free. */
guint8 *fs_photo_input_read_whole (FsPhotoInput *input, gsize *n_bytes, GError **error);

/* Seeks to the first byte. */
gboolean fs_photo_input_rewind (FsPhotoInput *input, GError **error);

/* FALSE with FS_PHOTO_ERROR_CANCELLED if cancelled. */
gboolean fs_photo_input_go_on (FsPhotoInput *input, GError **error);

/* Reports progress: `done` of `all` rows, or parts, are decoded. */
void fs_photo_input_report (const FsPhotoInput *input, guint64 done, guint64 all);

/* Refuses, with the figures in the message, a claim beyond the limits, beyond memory, or far beyond
 * the file's length. */
gboolean fs_photo_input_admit (FsPhotoInput *input, const FsPhotoClaim *claim, GError **error);

/* Fills the rows from `first_row` on, for which there were no data, with opaque grey. */
void fs_decoded_fill_missing (FsImage *image, int first_row);

/* An image of an admitted size, or an error where memory is short after all. */
FsImage *fs_photo_input_new_image (FsPhotoInput *input, guint64 width, guint64 height,
                                   GError **error);

/* TRUE if the pixels of a photo with this number of bits are requested. */
gboolean fs_photo_input_wants_pixels (const FsPhotoInput *input, int bits);

/* Allocates the samples, if requested; their size was admitted with the image. */
gboolean fs_photo_input_new_samples (FsPhotoInput *input, const FsImage *image, GError **error);

/* Sets "NAME: reason". */
void fs_photo_input_refuse (const FsPhotoInput *input, GError **error, FsPhotoError code,
                            const char *format, ...) G_GNUC_PRINTF (4, 5);

G_END_DECLS

#endif
