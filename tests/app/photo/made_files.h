/* SPDX-License-Identifier: MIT */
/* Photos, damaged photos and folders that the tests make themselves. */
#ifndef FS_TESTS_MADE_FILES_H
#define FS_TESTS_MADE_FILES_H

#include <gio/gio.h>
#include <stdint.h>

typedef enum {
  MADE_JPEG_GREY,
  MADE_JPEG_YCC,
  MADE_JPEG_RGB,
  MADE_JPEG_CMYK,
  MADE_JPEG_YCCK,
} MadeJpegKind;

typedef struct {
  int width;
  int height;
  MadeJpegKind kind;
  gboolean progressive;
  gboolean no_adobe; /* CMYK without Adobe's marker                                        */
  int h_sampling;    /* of the first channel; 0 means 1                                    */
  int v_sampling;
  const uint8_t *app1; /* the data of an APP1 marker, or NULL                              */
  gsize n_app1;
  const uint8_t *profile; /* ICC, or NULL */
  gsize n_profile;
} MadeJpeg;

/* The colour, 0xRRGGBB, that made photos show at (x, y): smooth, and different in every corner. */
uint32_t made_colour (int x, int y, int width, int height);
/* The greatest difference of a pixel's channels, but alpha, from a colour. */
int made_distance (uint32_t pixel, uint32_t colour);

GByteArray *made_jpeg (const MadeJpeg *spec);

/* An Exif APP1 that says only which way is up. */
GByteArray *made_exif (int orientation, gboolean big_endian, gboolean with_app1_header);

/* PNG, chunk by chunk. */
GByteArray *made_png_begin (guint32 width, guint32 height, int bits, int colour_type,
                            gboolean interlaced);
void made_png_chunk (GByteArray *png, const char *type, const void *data, gsize n_bytes);
/* Filter bytes and rows, deflated into one IDAT. */
void made_png_pixels (GByteArray *png, const void *rows, gsize n_bytes);
void made_png_end (GByteArray *png);

/* A whole RGB PNG of made_colour(). */
GByteArray *made_png (int width, int height, gboolean interlaced);

/* 24 bits; where `claim_only` the header alone. */
GByteArray *made_bmp (int width, int height, gboolean claim_only);

/* Without compression, the directory before the pixels. Zero is the default. */
typedef struct {
  int width, height;
  int bits;      /* 8 or 16; those have 140 added, more than half of what an 8-bit step is */
  int n_samples; /* 1: grey, 2: with alpha, 3: RGB, 4: with alpha                        */
  int extra;     /* of 2 and 4: what is said of the last sample, 0 … 2                   */
  gboolean big_endian, tiled, planar;
  int rows; /* of a strip; 0: all */
  int orientation;
  int compression; /* what it claims, for what is not true */
  const uint8_t *profile;
  gsize n_profile;
} MadeTiff;

GByteArray *made_tiff (const MadeTiff *spec);

/* The alpha of a made photo with alpha. */
uint8_t made_alpha (int x, int y);

#ifdef HAVE_WEBP
typedef struct {
  int width, height;
  gboolean lossy, with_alpha;
  gboolean denies_alpha; /* without loss, with alpha, and says that there is none */
  int orientation;       /* 0: nothing said */
  int canvas_width;      /* an animation of one frame at 2, 4; 0: a picture */
  int canvas_height;
  const uint8_t *profile;
  gsize n_profile;
} MadeWebp;

GByteArray *made_webp (const MadeWebp *spec);
#endif

#ifdef HAVE_HEIF
typedef enum {
  MADE_HEIF_TRUE,
  MADE_HEIF_ALPHA_CIRCLE, /* the picture is the alpha of its alpha             */
  MADE_HEIF_TILE_CIRCLE,  /* a grid is its own tile                            */
  MADE_HEIF_MANY_ITEMS,   /* 5,000                                             */
  MADE_HEIF_MANY_COPIES,  /* 2,000 notes, each of which is the whole file      */
  MADE_HEIF_LARGE_GRID,   /* a grid of 30,000 × 30,000, said in its item alone */
} MadeHeifLie;

/* Without loss but for the conversion to luma and chroma. Zero is the default. */
typedef struct {
  int width, height; /* even, 64 or more; of a tile where there are columns */
  gboolean av1;      /* or HEVC                                 */
  int bits;          /* 8, 10 or 12; those have three quarters of what an 8-bit step is added */
  gboolean grey, with_alpha, multiplied;
  int columns, rows;        /* of tiles; the last ones reach a little over the edge */
  int turns;                /* quarters, anticlockwise                              */
  int mirror;               /* after that; 1: top to bottom, 2: left to right       */
  int crop_left, crop_top;  /* taken away, before that                              */
  int orientation;          /* in an Exif item; 0: none                             */
  const char *brand, *type; /* NULL: what is true                                   */
  MadeHeifLie lie;
  int primaries, transfer; /* in a box nclx, as ITU-T H.273 numbers them; 0: none */
  const uint8_t *profile;
  gsize n_profile;
} MadeHeif;

/* Whether this system's libheif packs so. */
gboolean made_heif_can (const MadeHeif *spec);
GByteArray *made_heif (const MadeHeif *spec);
#endif

/* An ICC profile for RGB, of which there is a header and nothing else. */
#define MADE_PROFILE_BYTES 144
const uint8_t *made_profile (void);

/* A fresh folder, and files in it. */
char *made_folder (void);
void made_folder_remove (const char *folder);
char *made_file (const char *folder, const char *name, const void *bytes, gsize n_bytes);

#endif
