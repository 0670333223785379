/* SPDX-License-Identifier: MIT */
/* Facts about a photo beside its pixels, found in any kind of file: which way is up, the colour
 * profile, resolution, texts.   Layer: app.
 *
 * One reader for JPEG, PNG, WebP, TIFF and HEIF, as tolerant as other programs are, because users'
 * files are as other programs left them. Where several places of a file speak of one fact, Exif
 * goes before XMP, and the first of a kind before later ones; what is invalid counts as not said.
 * The bytes are not trusted: work is linear in the file's size, what is unpacked is bounded, and
 * nothing is allocated for a length that is only claimed. What the colours mean is not decided
 * here.
 *
 *   JPEG   Exif and XMP in APP1, JFIF's density; profile in APP2, parts by their numbers, the first
 *          of each, and as they come where these do not make a whole
 *   PNG    eXIf before or after the pixels, with or without "Exif\0\0"; "Raw profile type …" and
 *          XML:com.adobe.xmp in any kind of text; pHYs; texts Author, Copyright, Description;
 *          profile in iCCP, behind any number of chunks of any size
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
#ifndef FS_APP_PHOTO_INPUT_PHOTO_METADATA_H
#define FS_APP_PHOTO_INPUT_PHOTO_METADATA_H

#include <glib.h>

G_BEGIN_DECLS

/* What PNG's own chunks say about colours. */
typedef struct {
  gboolean has_gama, has_chrm, has_srgb;
  guint32 gama;    /* gamma × 100,000                                          */
  guint32 chrm[8]; /* x, y of white, red, green and blue, × 100,000            */
  guint8 srgb;     /* rendering intent                                         */
} FsPngColour;

typedef struct {
  int orientation; /* Exif's numbers, 1 … 8; 1, upright, where nothing is said. Of a HEIF 1: its
                    * library turns it as the boxes say, and Exif in it counts for nothing.       */
  GBytes *icc;     /* the profile, for whatever kind of colours, without what follows the size
                    * that its header gives; NULL: none, or one that is not whole                 */
  double dpi_x, dpi_y;                    /* pixels an inch; 0: not said                         */
  char *artist, *copyright, *description; /* UTF-8, not empty, or NULL                           */
  FsPngColour png;                        /* of a PNG                                            */
  gboolean has_cicp; /* of a PNG: primaries, transfer, matrix, range (ITU-T H.273)                */
  guint8 cicp[4];
  gboolean wants_block;      /* before reading: the Exif block is to be kept                      */
  GBytes *block;             /* the whole Exif block, from the byte-order mark on, as it is but for
                              * an orientation of 1; of several the first that is whole; or NULL  */
  gboolean is_block_damaged; /* there is one, but its directory is not whole, or it has more than
                              * 8 MiB                                                           */
} FsPhotoMetadata;

FsPhotoMetadata *fs_photo_metadata_new (void);
void fs_photo_metadata_free (FsPhotoMetadata *metadata);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPhotoMetadata, fs_photo_metadata_free)

/* Of the photo at `path`. Never NULL: where there is no such file, or nothing in it, nothing is
 * said. fs_photo_load() has it, too, without a second look at the file. */
FsPhotoMetadata *fs_photo_metadata_read (const char *path);

/* The same with its Exif block. A TIFF has none: there it is spread over the file. */
FsPhotoMetadata *fs_photo_metadata_read_block (const char *path);

/* Whether an ICC profile is for colours of the kind that its header calls `space`: "RGB ", "GRAY",
 * "CMYK". */
gboolean fs_icc_is_for (GBytes *icc, const char *space);

G_END_DECLS

#endif
