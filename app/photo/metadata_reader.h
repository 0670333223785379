/* SPDX-License-Identifier: MIT */
/* Reader of a photo's metadata (photo_metadata.h), for JPEG, PNG, WebP, TIFF and HEIF.   Layer:
 * app.
 *
 * It is as tolerant as other programs, which wrote the users' files. If a value is in several
 * places Exif takes precedence over XMP, and the first of a kind over later ones; invalid values
 * are ignored. The bytes are not trusted: work is linear in the file's size, unpacked bytes are
 * bounded, and nothing is allocated for a length that is only claimed.
 *
 *   JPEG   Exif and XMP in APP1, JFIF's density; profile in APP2, parts by their numbers, the first
 *          of each, and as they come where these do not make a whole
 *   PNG    eXIf before or after the pixels, with or without "Exif\0\0"; "Raw profile type …" and
 *          XML:com.adobe.xmp in any kind of text; pHYs; texts Author, Copyright, Description;
 *          profile in iCCP, after any number of chunks of any size
 *   WebP   EXIF, with or without "Exif\0\0"; XMP; profile in ICCP
 *   TIFF   the directory of the picture that is opened, and XMP in it; profile in tag 34675
 *   HEIF   texts and resolution from its notes; orientation by irot and imir alone; profile by
 *          libheif
 *
 * Orientation may be of any integer type, of its values the first. A profile ends where its header
 * says; where at most three bytes of padding are missing they are added.
 *
 * Threads: any, one at a time per photo; blocks on the disk.
 */
#ifndef FS_APP_PHOTO_METADATA_READER_H
#define FS_APP_PHOTO_METADATA_READER_H

#include "app/photo/input/photo_input.h"
#include "app/photo/input/photo_metadata.h"

G_BEGIN_DECLS

/* Reads the metadata of the photo at `path`. Never NULL: empty where there is no such file, or no
 * metadata in it. fs_photo_load() gives it, too, without a second pass over the file. */
FsPhotoMetadata *fs_photo_metadata_read (const char *path);

/* The same with the Exif block. A TIFF has no block: its tags are spread over the file. */
FsPhotoMetadata *fs_photo_metadata_read_block (const char *path);

/* Reads the metadata of a file of any of these formats except HEIF. */
void fs_photo_metadata_scan (FsPhotoMetadata *metadata, FsPhotoInput *input);

G_END_DECLS

#endif
