/* SPDX-License-Identifier: MIT */
/* Directories of tags as Exif and TIFF have them, read for what the program uses.   Layer: app.
 *
 * Source: TIFF 6.0, section 2, and Exif 2.32, 4.6; for 64-bit offsets the "BigTIFF" of libtiff.
 * Writers disagree about types and counts, so any integer type does, and of several values the
 * first. One directory is read, and nothing in it is followed but to where a value lies; at most
 * 65,535 entries are looked at. The bytes are not trusted.
 */
#ifndef FS_APP_PHOTO_INPUT_EXIF_H
#define FS_APP_PHOTO_INPUT_EXIF_H

#include "app/photo/input/metadata_finds.h"

G_BEGIN_DECLS

/* `tiff`: from the byte-order mark on. Sets what is said in its first directory and is not set
 * yet: orientation, resolution, texts. */
void fs_exif_read (FsByteView tiff, FsPhotoMetadata *metadata);

/* Sets every orientation of the first directory to 1, in place, whatever type it was of; that of a
 * thumbnail stays, for the thumbnail is not turned. FALSE where the directory is not whole; then
 * the bytes are of no use. 64-bit offsets, which Exif has not, count as not whole. */
gboolean fs_exif_make_upright (guint8 *tiff, gsize n_bytes);

/* Exif: a TIFF structure, with or without "Exif\0\0" before it. */
void fs_finds_take_exif (FsMetadataFinds *finds, FsByteView view);

/* Finds what the directory of a TIFF's picture says. */
void fs_tiff_find_metadata (FsByteView file, FsMetadataFinds *finds);

G_END_DECLS

#endif
