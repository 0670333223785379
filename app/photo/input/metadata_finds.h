/* SPDX-License-Identifier: MIT */
/* Findings of the metadata readers of the file formats, by where they were found.
 * Layer: app.
 *
 * A reader walks over its format's blocks and hands each one that may say something to the function
 * for its kind; which of them counts is decided when all are there.
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
  FsPhotoMetadata exif, xmp, own; /* own: what the format itself says. An orientation of 0, and
                                   * NULL: nothing was said */
  GBytes *icc;
  gsize n_xmp_bytes;      /* that were looked at */
  gsize unpacked_left;    /* bytes that may still be unpacked                                     */
  gboolean own_dpi_first; /* the format's own resolution goes before that of Exif                 */
} FsMetadataFinds;

/* XMP: a packet of XML. */
void fs_finds_take_xmp (FsMetadataFinds *finds, FsByteView view);
/* An ICC profile with whatever follows it. */
void fs_finds_take_icc (FsMetadataFinds *finds, FsByteView view);
/* The same from memory. */
void fs_finds_take_icc_bytes (FsMetadataFinds *finds, const guint8 *bytes, gsize n_bytes);

/* Decides what counts, and empties the finds. */
void fs_photo_metadata_take_finds (FsPhotoMetadata *metadata, FsMetadataFinds *finds);

G_END_DECLS

#endif
