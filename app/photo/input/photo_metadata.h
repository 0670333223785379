/* SPDX-License-Identifier: MIT */
/* Metadata of a photo: orientation, colour information, resolution, texts.   Layer: app.
 *
 * metadata_reader.h reads them from files of any format. colour_profile.h decides which colour
 * information counts.
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
  int orientation; /* Exif's numbers, 1 … 8; default 1, upright. Of a HEIF always 1: its library
                    * rotates by the boxes, and Exif is ignored.                                  */
  GBytes *icc;     /* the profile, for any colour space, cut to the size in its header; NULL: none,
                    * or an incomplete one                                                        */
  double dpi_x, dpi_y;                    /* pixels an inch; 0: not said                         */
  char *artist, *copyright, *description; /* UTF-8, not empty, or NULL                           */
  FsPngColour png;                        /* of a PNG                                            */
  gboolean has_cicp; /* of a PNG: primaries, transfer, matrix, range (ITU-T H.273)                */
  guint8 cicp[4];
  gboolean wants_block; /* before reading: the Exif block is to be copied                     */
  GBytes *block;        /* the first complete Exif block, from the byte-order mark on, unchanged
                         * except that its orientation is 1; or NULL                          */
  gboolean is_block_damaged; /* there is a block, but its directory is incomplete, or it has more
                              * than 8 MiB                                                      */
} FsPhotoMetadata;

FsPhotoMetadata *fs_photo_metadata_new (void);
void fs_photo_metadata_free (FsPhotoMetadata *metadata);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsPhotoMetadata, fs_photo_metadata_free)

/* Frees the contents, but not the struct. */
void fs_photo_metadata_clear (FsPhotoMetadata *metadata);

/* Sets a text that is not set yet, in UTF-8 and without surrounding white space. `bytes` are UTF-8,
 * or else taken as Latin-1; a NUL ends them. */
void fs_photo_metadata_set_text (char **text, const char *bytes, gsize n_bytes);

/* A profile's header and the number of its tags. */
#define FS_ICC_HEAD_BYTES 132

/* TRUE if an ICC profile's header has the colour space `space`: "RGB ", "GRAY", "CMYK". */
gboolean fs_icc_is_for (GBytes *icc, const char *space);

G_END_DECLS

#endif
