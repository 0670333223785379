/* SPDX-License-Identifier: MIT */
/* Metadata found in a file, by its place there, before precedence is decided.   Layer: app.
 *
 * A format's reader passes each block with metadata to the function for its kind. When all are
 * there, fs_photo_metadata_take_finds() decides which value counts.
 */
#ifndef FS_APP_PHOTO_INPUT_METADATA_FINDS_H
#define FS_APP_PHOTO_INPUT_METADATA_FINDS_H

#include "app/photo/input/byte_source.h"
#include "app/photo/input/photo_metadata.h"

G_BEGIN_DECLS

/* The limit of an ICC profile; libjpeg's 255 parts of 65,519 bytes are a little less. */
#define FS_METADATA_ICC_BYTES (16u << 20)
/* The limit of XMP that is parsed for one file. */
#define FS_METADATA_XMP_BYTES (8u << 20)
/* The limit of an Exif block that is copied. */
#define FS_METADATA_EXIF_BYTES (8u << 20)
/* The limit of all metadata that is unpacked for one file. */
#define FS_METADATA_UNPACKED_BYTES (32u << 20)

typedef struct {
  FsPhotoMetadata exif, xmp, own; /* own: from the format itself. Orientation 0, and NULL: not
                                   * found */
  GBytes *icc;
  gsize n_xmp_bytes;      /* parsed so far */
  gsize unpacked_left;    /* bytes that may still be unpacked                                     */
  gboolean own_dpi_first; /* the format's own resolution goes before that of Exif                 */
} FsMetadataFinds;

/* XMP: a packet of XML. */
void fs_finds_take_xmp (FsMetadataFinds *finds, FsByteView view);
/* An ICC profile with whatever follows it. */
void fs_finds_take_icc (FsMetadataFinds *finds, FsByteView view);
/* The same from memory. */
void fs_finds_take_icc_bytes (FsMetadataFinds *finds, const guint8 *bytes, gsize n_bytes);

/* Decides which values count, and clears the finds. */
void fs_photo_metadata_take_finds (FsPhotoMetadata *metadata, FsMetadataFinds *finds);

G_END_DECLS

#endif
