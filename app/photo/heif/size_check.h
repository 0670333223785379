/* SPDX-License-Identifier: MIT */
/* The memory cost of a HEIF file, checked before libheif sees it.   Layer: app.
 *
 * Source: ISO/IEC 23008-12:2022, 6.6 (derived pictures: grid, iden) and 6.5.8 (auxiliary ones).
 * From the primary picture everything is visited that libheif decodes for it: tiles, the picture
 * that another is, alpha. A picture that others are laid over (iovl) is refused: nobody makes
 * them, and libheif's code for them has been a source of holes.
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
  gboolean has_odd_tiles; /* that must be unpacked one after the other */
  guint64 n_work_bytes;   /* of memory, at most, that it takes */
} FsHeifCost;

/* Refuses, in words, a file that cannot be trusted to libheif, and one whose size and cost are not
 * admitted; the size is that of the picture before it is turned and cropped. Where the pixels are
 * not wanted, `with_pixels` is FALSE, only what libheif makes of the boxes is weighed. Itself this
 * takes no more memory than a small share of `n_bytes`. */
gboolean fs_heif_claim (FsPhotoInput *input, const guint8 *bytes, gsize n_bytes,
                        gboolean with_pixels, FsHeifCost *cost, GError **error);

G_END_DECLS

#endif
