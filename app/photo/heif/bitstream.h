/* SPDX-License-Identifier: MIT */
/* Picture sizes in HEVC and AV1 streams, for which decoders allocate memory.   Layer: app.
 *
 * Source: ITU-T H.265 (v9), 7.3.1 and 7.3.2.2 (sequence parameter sets); AV1 Bitstream &
 * Decoding Process Specification (2019), 5.3 … 5.5 (sequence headers). Decoders use these sizes,
 * whatever the boxes around them say. They may be in the decoder's settings or before the picture;
 * of several the largest counts.
 *
 * Threads: any.
 */
#ifndef FS_APP_PHOTO_HEIF_BITSTREAM_H
#define FS_APP_PHOTO_HEIF_BITSTREAM_H

#include "app/photo/heif/boxes.h"

G_BEGIN_DECLS

/* Sizes found in everything that was added; initially zeros. */
typedef struct {
  guint64 n_pixels; /* of the largest picture; no side has more than 2³² */
  guint64 width;    /* of the last one, without what is cut off at its edges */
  guint64 height;
  guint64 max_width; /* of any of them, with what is cut off */
  guint64 max_height;
  guint bits;       /* at most, of a sample */
  guint n_pictures; /* that are packed */
} FsHeifStream;

/* Adds a box hvcC or av1C, depending on the item's type. FALSE where it is invalid. */
gboolean fs_heif_stream_add_settings (FsHeifStream *stream, guint32 type, FsHeifSpan box);

/* Adds the bytes of an item of type hvc1 or av01. FALSE where they are invalid. */
gboolean fs_heif_stream_add_data (FsHeifStream *stream, guint32 type, FsHeifSpan data);

G_END_DECLS

#endif
