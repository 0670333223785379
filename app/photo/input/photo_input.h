/* SPDX-License-Identifier: MIT */
/* The untrusted file under a decoder: bytes, limits, cancellation, words.   Layer: app.
 *
 * Every decoder reads through this, asks it whether a claimed size is admitted before it allocates
 * for that size, and lets it word every refusal, so that the limits and the sentences are in one
 * place. Only regular files are opened (a FIFO would block, /dev/zero would never end).
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
  FS_PHOTO_SAMPLES, /* where it has more than 8 bits, image and samples; else how many bits */
  FS_PHOTO_BITS,    /* only how many bits it has                                            */
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
  guint64 min_file_bytes; /* no file shorter than this can fill the picture        */
} FsPhotoClaim;

/* The result of a decoder: the stored picture, not yet turned upright. */
typedef struct {
  FsImage *image;     /* owned; NULL where nobody asked for it                       */
  int bits;           /* per channel, in the file                                    */
  const char *damage; /* a static clause for the warning, or NULL: the file is whole */
} FsDecoded;

typedef gboolean (*FsPhotoDecoder) (FsPhotoInput *input, FsDecoded *decoded, GError **error);

/* `limits` and `cancellable` may be NULL; the cancellable is not owned. Errors: FS_PHOTO_ERROR. */
FsPhotoInput *fs_photo_input_new (const char *path, const FsPhotoLimits *limits,
                                  GCancellable *cancellable, GError **error);
void fs_photo_input_free (FsPhotoInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPhotoInput, fs_photo_input_free)

/* Reads up to `n_bytes`; 0 at the end of the file, −1 with an error. Sees the cancellable. */
gssize fs_photo_input_read (FsPhotoInput *input, void *buffer, gsize n_bytes, GError **error);

/* All of the file, from its first byte on; fewer bytes than its size where it has become shorter.
 * g_free. */
guint8 *fs_photo_input_read_whole (FsPhotoInput *input, gsize *n_bytes, GError **error);

/* Back to the first byte. */
gboolean fs_photo_input_rewind (FsPhotoInput *input, GError **error);

/* FALSE with FS_PHOTO_ERROR_CANCELLED where the user gave up. */
gboolean fs_photo_input_go_on (FsPhotoInput *input, GError **error);

/* `done` of `all` rows, or parts, are decoded: for who waits. */
void fs_photo_input_report (const FsPhotoInput *input, guint64 done, guint64 all);

/* Refuses, with the figures, a claim beyond the limits, one that memory cannot hold, and one that
 * the file's few bytes cannot come near to filling. */
gboolean fs_photo_input_admit (FsPhotoInput *input, const FsPhotoClaim *claim, GError **error);

/* Paints the rows from `first_row` on opaque grey: no data came for them. */
void fs_decoded_fill_missing (FsImage *image, int first_row);

/* An image for an admitted size, or an error where the memory is not there after all. */
FsImage *fs_photo_input_new_image (FsPhotoInput *input, guint64 width, guint64 height,
                                   GError **error);

/* Returns whether pixels are asked for of a photo of so many bits. */
gboolean fs_photo_input_wants_pixels (const FsPhotoInput *input, int bits);

/* Memory for samples, where they are asked for, admitted with the image. */
gboolean fs_photo_input_new_samples (FsPhotoInput *input, const FsImage *image, GError **error);

/* Sets "NAME: reason". */
void fs_photo_input_refuse (const FsPhotoInput *input, GError **error, FsPhotoError code,
                            const char *format, ...) G_GNUC_PRINTF (4, 5);

G_END_DECLS

#endif
