/* SPDX-License-Identifier: MIT */
/* Reader of the tag directories of Exif and TIFF.   Layer: app.
 *
 * Source: TIFF 6.0, section 2, and Exif 2.32, 4.6; for 64-bit offsets the "BigTIFF" of libtiff.
 * Since writers disagree about types and counts, any integer type is accepted, and the first of
 * several values counts. Only one directory is read, at most 65,535 entries of it, and no offsets
 * but those of values are followed. The bytes are not trusted.
 */
#ifndef FS_APP_PHOTO_INPUT_EXIF_H
#define FS_APP_PHOTO_INPUT_EXIF_H

#include "app/photo/input/metadata_finds.h"

G_BEGIN_DECLS

/* `tiff`: from the byte-order mark on. Sets orientation, resolution and texts from the first
 * directory, as far as they are not set yet. */
void fs_exif_read (FsByteView tiff, FsPhotoMetadata *metadata);

/* Sets every orientation of the first directory to 1, in place, whatever its type; that of a
 * thumbnail stays, because the thumbnail is not rotated. FALSE where the directory is incomplete,
 * or has 64-bit offsets, which Exif does not allow; the bytes are then invalid. */
gboolean fs_exif_make_upright (guint8 *tiff, gsize n_bytes);

/* Exif: a TIFF structure, with or without "Exif\0\0" before it. */
void fs_finds_take_exif (FsMetadataFinds *finds, FsByteView view);

/* Reads the directory of a TIFF's picture. */
void fs_tiff_find_metadata (FsByteView file, FsMetadataFinds *finds);

G_END_DECLS

#endif
