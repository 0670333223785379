/* SPDX-License-Identifier: MIT */
/* Facts about a photo beside its pixels: which way is up, the colour profile, resolution, texts.
 * Layer: app.
 *
 * metadata_reader.h finds them in any kind of file. What the colours mean is not decided here.
 *
 * Threads: any, one at a time per photo.
 */
#ifndef FS_APP_PHOTO_INPUT_PHOTO_METADATA_H
#define FS_APP_PHOTO_INPUT_PHOTO_METADATA_H

#include <glib.h>

G_BEGIN_DECLS

/* Colour information in PNG's own chunks. */
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
  gboolean wants_block; /* before reading: the Exif block is to be copied                     */
  GBytes *block;        /* the whole Exif block, from the byte-order mark on, as it is but for
                         * an orientation of 1; of several the first that is whole; or NULL  */
  gboolean is_block_damaged; /* there is one, but its directory is not whole, or it has more than
                              * 8 MiB                                                           */
} FsPhotoMetadata;

FsPhotoMetadata *fs_photo_metadata_new (void);
void fs_photo_metadata_free (FsPhotoMetadata *metadata);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPhotoMetadata, fs_photo_metadata_free)

/* Sets free what it holds, but not itself. */
void fs_photo_metadata_clear (FsPhotoMetadata *metadata);

/* Keeps the first of each text, in UTF-8 and without white space around it. `bytes` may be in
 * UTF-8 or else are taken as Latin-1; a NUL ends them. */
void fs_photo_metadata_set_text (char **text, const char *bytes, gsize n_bytes);

/* A profile's header and the number of its tags. */
#define FS_ICC_HEAD_BYTES 132

/* Returns whether an ICC profile is for colours of the kind that its header calls `space`: "RGB ",
 * "GRAY", "CMYK". */
gboolean fs_icc_is_for (GBytes *icc, const char *space);

G_END_DECLS

#endif
