/* SPDX-License-Identifier: MIT */
/* The memory cost of a HEIF file, checked before libheif reads it.   Layer: app.
 *
 * Source: ISO/IEC 23008-12:2022, 6.6 (derived pictures: grid, iden) and 6.5.8 (auxiliary ones). All
 * items that libheif decodes for the primary picture are visited: tiles, the source of a derived
 * picture, alpha. Overlays (iovl) are refused: they are not used in practice, and libheif's code
 * for them has had security holes.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_PHOTO_HEIF_SIZE_CHECK_H
#define FS_APP_PHOTO_HEIF_SIZE_CHECK_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

typedef struct {
  gboolean has_hevc; /* libheif needs a decoder for it */
  gboolean has_av1;
  gboolean has_odd_tiles; /* tiles that must be decoded one after the other */
  guint64 n_work_bytes;   /* the maximum of memory */
} FsHeifCost;

/* Refuses, with a message, a file that is not safe for libheif, and one whose size or cost is not
 * admitted; the size is that before rotation and cropping. Without `with_pixels` only libheif's
 * memory for the boxes counts. The check itself takes a small fraction of `n_bytes`. */
gboolean fs_heif_claim (FsPhotoInput *input, const guint8 *bytes, gsize n_bytes,
                        gboolean with_pixels, FsHeifCost *cost, GError **error);

G_END_DECLS

#endif
