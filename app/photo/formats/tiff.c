/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/tiff.h"
#include "app/photo/input/colour_transform.h"
#include "app/photo/input/orient.h"
#include "app/photo/formats/tiff_samples.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

/* The number of pictures in a file among which a full one is searched for. */
#define MAX_PICTURES 64

/* Tiles of fewer pixels would cost more to look up than to read. */
#define MIN_TILE_PIXELS 64

typedef struct {
  FsPhotoInput *input;
  TIFF *tiff;
  guint64 at;     /* of the next byte to read                            */
  gboolean ended; /* something was wanted that lies beyond the file's end */
  GError *error;  /* why reading stopped: cancelled, or by the disk      */

  /* Fields of the picture; a block is a tile, or a strip. */
  guint32 width, height;
  guint32 block_width, block_height;
  guint16 bits, n_samples, photometric, extra; /* extra: what the first extra sample is */
  guint16 format;                              /* SAMPLEFORMAT_… */
  gboolean is_tiled;
  gboolean is_planar;               /* each sample is a plane with blocks of its own */
  gboolean is_plain;                /* converted here */
  int n_colours;                    /* of a plain one: 1 grey, 3 RGB or L*a*b*, 4 inks */
  FsColourTransform *ink_transform; /* or NULL: as if inks were ideal */

  gboolean is_packed;    /* a plain one, of which libtiff's bytes are spread first       */
  FsTiffPacking packing; /* how; `bits`, `n_samples` and so on are those after it        */
  guint8 *packed;        /* libtiff's bytes of one plane                                 */
  gsize n_packed, n_packed_row;

  guint8 *block; /* unpacked, or where it is not plain pixels of libtiff's, from below upwards */
  gsize n_block, n_plane; /* bytes of it, and of one plane */
  FsImage *image;
} FsTiffReader;

/* --- What libtiff asks for -------------------------------------------------------------------- */

static tmsize_t
read_tiff_bytes (thandle_t handle, void *buffer, tmsize_t n_bytes)
{
  FsTiffReader *reader = handle;
  gsize n_done = 0, n_wanted = (gsize)MAX (n_bytes, 0);
  while (n_done < n_wanted) {
    if (reader->error || !fs_photo_input_go_on (reader->input, &reader->error))
      return -1;
    if (reader->at >= reader->input->n_bytes)
      break;
    const ssize_t n =
        pread (reader->input->fd, (guint8 *)buffer + n_done, n_wanted - n_done, (off_t)reader->at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      fs_photo_input_refuse (reader->input, &reader->error, FS_PHOTO_ERROR_READ,
                             _ ("cannot be read: %s"), g_strerror (errno));
      return -1;
    }
    if (n == 0)
      break;
    n_done += (gsize)n;
    reader->at += (guint64)n;
  }
  reader->ended |= n_done < n_wanted;
  return (tmsize_t)n_done;
}

static tmsize_t
write_bytes (thandle_t handle, void *buffer, tmsize_t n_bytes)
{
  return -1;
}

static toff_t
seek_read (thandle_t handle, toff_t offset, int whence)
{
  FsTiffReader *reader = handle;
  const guint64 from = whence == SEEK_CUR   ? reader->at
                       : whence == SEEK_END ? reader->input->n_bytes
                                            : 0;
  if (!g_uint64_checked_add (&reader->at, from, offset) || reader->at > G_MAXINT64)
    reader->at = G_MAXINT64;
  return reader->at;
}

static int
close_nothing (thandle_t handle)
{
  return 0;
}

static toff_t
get_size (thandle_t handle)
{
  const FsTiffReader *reader = handle;
  return reader->input->n_bytes;
}

/* Says nothing, and keeps the library from saying it. */
static int
ignore_message (TIFF *tiff, void *user_data, const char *module, const char *format, va_list args)
{
  return 1;
}

static gboolean
open_reader (FsTiffReader *reader)
{
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc ();
  if (!options)
    return FALSE;
  TIFFOpenOptionsSetMaxSingleMemAlloc (options,
                                       (tmsize_t)MIN (reader->input->limits.max_memory_bytes,
                                                      G_MAXINT64));
  TIFFOpenOptionsSetErrorHandlerExtR (options, ignore_message, NULL);
  TIFFOpenOptionsSetWarningHandlerExtR (options, ignore_message, NULL);
  reader->tiff = TIFFClientOpenExt ("photo", "rm", reader, read_tiff_bytes, write_bytes, seek_read,
                                    close_nothing, get_size, NULL, NULL, options);
  TIFFOpenOptionsFree (options);
  return reader->tiff != NULL;
}

static void
clear_reader (FsTiffReader *reader)
{
  if (reader->tiff)
    TIFFClose (reader->tiff);
  g_clear_error (&reader->error);
  g_free (reader->block);
  g_free (reader->packed);
  fs_image_unref (reader->image);
  fs_colour_transform_free (reader->ink_transform);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsTiffReader, clear_reader)

/* --- The picture ------------------------------------------------------------------------------ */

static gboolean
refuse_tiff (FsTiffReader *reader, FsPhotoError code, const char *reason, GError **error)
{
  if (reader->error)
    g_propagate_error (error, g_steal_pointer (&reader->error));
  else
    fs_photo_input_refuse (reader->input, error, code, "%s", reason);
  return FALSE;
}

/* The first that is a whole picture. */
static gboolean
choose_picture (FsTiffReader *reader)
{
  for (int i = 0; i < MAX_PICTURES; i++) {
    guint32 kind = 0;
    TIFFGetFieldDefaulted (reader->tiff, TIFFTAG_SUBFILETYPE, &kind);
    if (!(kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)))
      return TRUE;
    if (!TIFFReadDirectory (reader->tiff))
      return FALSE;
  }
  return FALSE;
}

static void
find_extra (FsTiffReader *reader)
{
  guint16 n_extra = 0, *extra = NULL;
  TIFFGetFieldDefaulted (reader->tiff, TIFFTAG_EXTRASAMPLES, &n_extra, &extra);
  reader->extra = n_extra > 0 && extra ? extra[0] : EXTRASAMPLE_UNSPECIFIED;
}

static void
find_blocks (FsTiffReader *reader)
{
  reader->is_tiled = TIFFIsTiled (reader->tiff) != 0;
  if (reader->is_tiled) {
    TIFFGetField (reader->tiff, TIFFTAG_TILEWIDTH, &reader->block_width);
    TIFFGetField (reader->tiff, TIFFTAG_TILELENGTH, &reader->block_height);
    return;
  }
  TIFFGetFieldDefaulted (reader->tiff, TIFFTAG_ROWSPERSTRIP, &reader->block_height);
  reader->block_width = reader->width;
  reader->block_height = MIN (reader->block_height, reader->height);
}

static gboolean
is_lab (const FsTiffReader *reader)
{
  return reader->photometric == PHOTOMETRIC_CIELAB || reader->photometric == PHOTOMETRIC_ICCLAB;
}

/* Samples per colour of formats that are converted here; 0: libtiff converts. */
static int
count_colours (FsTiffReader *reader)
{
  guint16 inks = INKSET_CMYK;
  TIFFGetFieldDefaulted (reader->tiff, TIFFTAG_INKSET, &inks);
  if (reader->photometric == PHOTOMETRIC_MINISBLACK)
    return 1;
  if (reader->photometric == PHOTOMETRIC_RGB || is_lab (reader))
    return 3;
  if (reader->photometric != PHOTOMETRIC_SEPARATED || inks != INKSET_CMYK)
    return 0;
  reader->ink_transform = fs_colour_transform_new_from_ink (reader->input->metadata->icc);
  const gboolean is_beyond_libtiff = reader->bits == 16 || (reader->is_planar && reader->is_tiled);
  return reader->ink_transform || is_beyond_libtiff ? 4 : 0;
}

/* Entries of a palette are of 16 bits, but some programs write bytes. */
static gboolean
find_map (FsTiffReader *reader, FsTiffPacking *packing)
{
  guint16 *map[3];
  if (reader->n_samples != 1 || reader->bits > 8
      || !TIFFGetField (reader->tiff, TIFFTAG_COLORMAP, &map[0], &map[1], &map[2]))
    return FALSE;
  packing->is_map_brief = TRUE;
  for (gsize k = 0; k < 3; k++) {
    packing->map[k] = map[k];
    for (guint i = 0; i < 1u << reader->bits; i++)
      packing->is_map_brief &= map[k][i] < 256;
  }
  return TRUE;
}

/* Whole numbers of any length become 8 or 16 bits, of greys, red, green and blue, and palettes. */
static void
find_packing (FsTiffReader *reader)
{
  FsTiffPacking packing = { .bits = reader->bits,
                            .to_bits = reader->bits <= 8 ? 8 : 16,
                            .n_samples = reader->is_planar ? 1 : reader->n_samples,
                            .is_inverted = reader->photometric == PHOTOMETRIC_MINISWHITE };
  const gboolean is_palette = reader->photometric == PHOTOMETRIC_PALETTE;
  if (!fs_tiff_packing_takes (reader->bits)
      || (!is_palette && !packing.is_inverted && reader->photometric != PHOTOMETRIC_MINISBLACK
          && reader->photometric != PHOTOMETRIC_RGB)
      || (is_palette && !find_map (reader, &packing)))
    return;
  reader->is_packed =
      is_palette || packing.is_inverted || (reader->bits != 8 && reader->bits != 16);
  if (!reader->is_packed)
    return;
  reader->packing = packing;
  reader->bits = (guint16)packing.to_bits;
  if (is_palette) {
    reader->photometric = PHOTOMETRIC_RGB;
    reader->n_samples = 3;
  } else if (packing.is_inverted) {
    reader->photometric = PHOTOMETRIC_MINISBLACK;
  }
}

static void
read_fields (FsTiffReader *reader)
{
  guint16 planes = 0, format = 0;
  TIFF *tiff = reader->tiff;
  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &reader->width);
  TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &reader->height);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_BITSPERSAMPLE, &reader->bits);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLESPERPIXEL, &reader->n_samples);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_PLANARCONFIG, &planes);
  TIFFGetFieldDefaulted (tiff, TIFFTAG_SAMPLEFORMAT, &format);
  if (!TIFFGetField (tiff, TIFFTAG_PHOTOMETRIC, &reader->photometric))
    reader->photometric = reader->n_samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
  find_extra (reader);
  find_blocks (reader);
  reader->is_planar = planes == PLANARCONFIG_SEPARATE && reader->n_samples > 1;
  reader->format = format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : format;
  if (reader->format == SAMPLEFORMAT_UINT)
    find_packing (reader);
  reader->n_colours = count_colours (reader);
  /* L*a*b* has signed samples, whether that is said or not. */
  reader->is_plain = (reader->format == SAMPLEFORMAT_UINT
                      || (reader->format == SAMPLEFORMAT_INT && is_lab (reader)))
                     && (reader->bits == 8 || reader->bits == 16) && reader->n_colours > 0
                     && reader->n_samples >= reader->n_colours;
}

/* No stored byte stands for more than so many. */
static guint64
packing_limit (FsTiffReader *reader)
{
  guint16 compression = COMPRESSION_NONE;
  TIFFGetFieldDefaulted (reader->tiff, TIFFTAG_COMPRESSION, &compression);
  switch (compression) {
  case COMPRESSION_NONE:
    return 1;
  case COMPRESSION_PACKBITS:
    return 128;
  case COMPRESSION_DEFLATE:
  case COMPRESSION_ADOBE_DEFLATE:
    return 1032;
  case COMPRESSION_LZW:
    return 4096;
  default:
    return G_MAXUINT64;
  }
}

/* FALSE where a row of libtiff's is shorter than its pixels, or all is beyond memory. */
static gboolean
find_packed_sizes (FsTiffReader *reader, guint64 n_block_pixels, guint64 n_unpacked)
{
  const FsTiffPacking *packing = &reader->packing;
  const guint64 n_row =
      reader->is_tiled ? TIFFTileRowSize64 (reader->tiff) : TIFFScanlineSize64 (reader->tiff);
  const guint64 n_min = ((guint64)reader->block_width * packing->n_samples * packing->bits + 7) / 8;
  const guint n_bytes = fs_tiff_packing_count (packing) * (packing->to_bits / 8);
  if (n_row < n_min || n_unpacked / n_row < reader->block_height
      || n_block_pixels > G_MAXUINT64 / (16 * (guint64)n_bytes * MAX (reader->n_samples, 1)))
    return FALSE;
  reader->n_packed = n_unpacked;
  reader->n_packed_row = n_row;
  reader->n_plane = n_block_pixels * n_bytes;
  return TRUE;
}

static gboolean
admit_tiff (FsTiffReader *reader, GError **error)
{
  FsPhotoClaim claim = { .width = reader->width, .height = reader->height };
  const guint64 n_pixels = claim.width * claim.height;
  const guint64 n_block_pixels = (guint64)reader->block_width * reader->block_height;
  const guint64 n_unpacked =
      reader->is_tiled ? TIFFTileSize64 (reader->tiff) : TIFFStripSize64 (reader->tiff);
  /* Both sides fit 32 bits, but nothing else does for certain. */
  if (n_block_pixels == 0 || n_unpacked == 0
      || n_unpacked > G_MAXUINT64 / (8 * (guint64)MAX (reader->n_samples, 1))
      || (reader->is_tiled && n_block_pixels < MIN_TILE_PIXELS))
    return refuse_tiff (reader, FS_PHOTO_ERROR_DAMAGED, _ ("is damaged before its picture begins"),
                        error);
  /* The planes of a block are unpacked side by side, and what is stored of one is held, too. */
  reader->n_plane = n_unpacked;
  if (reader->is_packed && !find_packed_sizes (reader, n_block_pixels, n_unpacked))
    return refuse_tiff (reader, FS_PHOTO_ERROR_DAMAGED, _ ("is damaged before its picture begins"),
                        error);
  reader->n_block = reader->n_plane * (reader->is_planar ? reader->n_samples : 1);
  claim.work_bytes = reader->n_block + reader->n_packed + MIN (n_unpacked, reader->input->n_bytes);
  if (!reader->is_plain
      && !g_uint64_checked_add (&claim.work_bytes, claim.work_bytes,
                                MIN (n_block_pixels, G_MAXUINT64 / 8) * sizeof (uint32_t)))
    claim.work_bytes = G_MAXUINT64;
  if (fs_orientation_swaps (reader->input->metadata->orientation)
      && !g_uint64_checked_add (&claim.work_bytes, claim.work_bytes,
                                MIN (n_pixels, G_MAXUINT64 / 8) * sizeof (uint32_t)))
    claim.work_bytes = G_MAXUINT64;
  const guint bits = reader->is_packed ? reader->packing.bits : reader->bits;
  claim.min_file_bytes = n_pixels / packing_limit (reader) * bits / 8;
  if (!fs_photo_input_admit (reader->input, &claim, error))
    return FALSE;
  if (!reader->is_plain)
    reader->n_block = n_block_pixels * sizeof (uint32_t);
  return TRUE;
}

/* --- Pixels ----------------------------------------------------------------------------------- */

static uint32_t
undo_alpha (uint32_t a, uint32_t sample)
{
  return a ? MIN ((sample * 255 + a / 2) / a, 255) : 0;
}

static uint32_t
pixel_of (const FsTiffReader *reader, uint32_t a, uint32_t r, uint32_t g, uint32_t b)
{
  if (reader->extra == EXTRASAMPLE_ASSOCALPHA)
    return FS_PIXEL (a, undo_alpha (a, r), undo_alpha (a, g), undo_alpha (a, b));
  return FS_PIXEL (reader->extra == EXTRASAMPLE_UNASSALPHA ? a : 255, r, g, b);
}

/* Sample i of a pixel of the block, in the machine's byte order. */
static guint16
raw_sample_of (const FsTiffReader *reader, gsize pixel, gsize i)
{
  const gsize n_bytes = reader->bits / 8;
  const guint8 *at = reader->is_planar ? reader->block + i * reader->n_plane + pixel * n_bytes
                                       : reader->block + (pixel * reader->n_samples + i) * n_bytes;
  if (n_bytes == 1)
    return *at;
  guint16 sample;
  memcpy (&sample, at, sizeof sample);
  return sample;
}

static uint32_t
to_byte (guint16 sample)
{
  return (sample * 255u + 32767u) / 65535u;
}

/* Sample i of a pixel of the block, rounded to 8 bits. */
static uint32_t
sample_of (const FsTiffReader *reader, gsize pixel, gsize i)
{
  const guint16 sample = raw_sample_of (reader, pixel, i);
  return reader->bits == 8 ? sample : to_byte (sample);
}

/* --- Colours that are not red, green and blue --- */

/* CIELAB counts a* and b* from 0, with a sign, ICCLAB from half its range, without one; 16 bits
 * are 8 with a fraction. */
static void
convert_lab (const FsTiffReader *reader, gsize pixel, guint16 rgb[3])
{
  const gboolean is_icc = reader->photometric == PHOTOMETRIC_ICCLAB;
  const int unit = reader->bits == 8 ? 1 : 256;
  const double full = reader->bits == 8 ? 255 : is_icc ? 65280 : 65535;
  double lab[3] = { MIN (raw_sample_of (reader, pixel, 0) * 100 / full, 100) };
  for (gsize k = 1; k < 3; k++) {
    const int value = raw_sample_of (reader, pixel, k);
    const int below = is_icc || value >= 128 * unit ? (is_icc ? 128 : 256) * unit : 0;
    lab[k] = (value - below) / (double)unit;
  }
  fs_lab_to_srgb (lab, rgb);
}

static void
convert_ink (const FsTiffReader *reader, gsize pixel, guint16 rgb[3])
{
  guint16 ink[4];
  for (gsize k = 0; k < 4; k++)
    ink[k] = (guint16)(raw_sample_of (reader, pixel, k) * (reader->bits == 8 ? 257 : 1));
  if (reader->ink_transform) {
    fs_colour_transform_convert_ink (reader->ink_transform, ink, rgb, 1);
    return;
  }
  for (gsize k = 0; k < 3; k++)
    rgb[k] = (guint16)((65535u - ink[k]) * (guint64)(65535u - ink[3]) / 65535u);
}

/* All that the pixel of a plain block has, of 16 bits. */
static void
get_samples (const FsTiffReader *reader, gsize pixel, guint16 to[4])
{
  const gsize n_colours = (gsize)reader->n_colours;
  const guint a = reader->extra != EXTRASAMPLE_UNSPECIFIED && reader->n_samples > n_colours
                      ? raw_sample_of (reader, pixel, n_colours)
                      : 65535;
  if (n_colours == 4)
    convert_ink (reader, pixel, to);
  else if (is_lab (reader))
    convert_lab (reader, pixel, to);
  else
    for (gsize k = 0; k < 3; k++)
      to[k] = raw_sample_of (reader, pixel, n_colours == 1 ? 0 : k);
  for (gsize k = 0; reader->extra == EXTRASAMPLE_ASSOCALPHA && k < 3; k++)
    to[k] = a ? (guint16)MIN ((to[k] * (guint64)65535 + a / 2) / a, 65535) : 0;
  to[3] = (guint16)a;
}

/* The pixel x, y of the block. */
static uint32_t
get_pixel (const FsTiffReader *reader, guint32 x, guint32 y, guint32 n_rows)
{
  if (!reader->is_plain) {
    uint32_t pixel;
    const gsize i = (gsize)(n_rows - 1 - y) * reader->block_width + x;
    memcpy (&pixel, reader->block + i * sizeof pixel, sizeof pixel);
    return pixel_of (reader, TIFFGetA (pixel), TIFFGetR (pixel), TIFFGetG (pixel),
                     TIFFGetB (pixel));
  }
  const gsize i = (gsize)y * reader->block_width + x;
  const gsize n_colours = (gsize)reader->n_colours;
  const uint32_t a = reader->n_samples > n_colours ? sample_of (reader, i, n_colours) : 255;
  if (n_colours == 4 || is_lab (reader)) {
    guint16 rgb[3];
    (n_colours == 4 ? convert_ink : convert_lab) (reader, i, rgb);
    return pixel_of (reader, a, to_byte (rgb[0]), to_byte (rgb[1]), to_byte (rgb[2]));
  }
  const uint32_t r = sample_of (reader, i, 0);
  if (n_colours == 1)
    return pixel_of (reader, a, r, r, r);
  return pixel_of (reader, a, r, sample_of (reader, i, 1), sample_of (reader, i, 2));
}

/* libtiff's, of a block. */
static gboolean
read_bytes_of (FsTiffReader *reader, guint32 x0, guint32 y0, guint16 plane, guint8 *to, gsize n_to)
{
  TIFF *tiff = reader->tiff;
  const tmsize_t n_all = (tmsize_t)n_to;
  if (reader->is_tiled)
    return TIFFReadEncodedTile (tiff, TIFFComputeTile (tiff, x0, y0, 0, plane), to, n_all) == n_all;
  const tmsize_t n_rows = MIN (reader->block_height, reader->height - y0);
  const tmsize_t n_bytes = n_rows * TIFFScanlineSize (tiff);
  return n_bytes <= n_all
         && TIFFReadEncodedStrip (tiff, TIFFComputeStrip (tiff, y0, plane), to, n_bytes) == n_bytes;
}

static gboolean
read_plane (FsTiffReader *reader, guint32 x0, guint32 y0, guint16 plane)
{
  guint8 *to = reader->block + plane * reader->n_plane;
  if (!reader->is_packed)
    return read_bytes_of (reader, x0, y0, plane, to, reader->n_plane);
  if (!read_bytes_of (reader, x0, y0, plane, reader->packed, reader->n_packed))
    return FALSE;
  FsTiffPacking packing = reader->packing;
  packing.is_inverted = packing.is_inverted && plane == 0;
  const guint32 n_rows = MIN (reader->block_height, reader->height - y0);
  const gsize n_row =
      (gsize)reader->block_width * fs_tiff_packing_count (&packing) * (packing.to_bits / 8);
  for (gsize y = 0; y < n_rows; y++)
    fs_tiff_packing_spread (&packing, reader->packed + y * reader->n_packed_row,
                            reader->block_width, to + y * n_row);
  return TRUE;
}

static gboolean
read_block (FsTiffReader *reader, guint32 x0, guint32 y0)
{
  uint32_t *pixels = (uint32_t *)(gpointer)reader->block;
  if (!reader->is_plain)
    return reader->is_tiled ? TIFFReadRGBATileExt (reader->tiff, x0, y0, pixels, 1) != 0
                            : TIFFReadRGBAStripExt (reader->tiff, y0, pixels, 1) != 0;
  for (guint16 plane = 0; plane < (reader->is_planar ? reader->n_samples : 1); plane++)
    if (!read_plane (reader, x0, y0, plane))
      return FALSE;
  return TRUE;
}

/* The pixels of a row, where they are what most files have: three bytes each. */
static void
put_triples (const FsTiffReader *reader, guint32 y, uint32_t *row, guint32 width)
{
  const guint8 *from = reader->block + (gsize)y * reader->block_width * 3;
  for (guint32 x = 0; x < width; x++, from += 3)
    row[x] = FS_PIXEL (255, from[0], from[1], from[2]);
}

static void
put_block (FsTiffReader *reader, guint32 x0, guint32 y0, gboolean is_there)
{
  const guint32 width = MIN (reader->block_width, reader->width - x0);
  const guint32 height = MIN (reader->block_height, reader->height - y0);
  const guint32 n_rows = reader->is_tiled ? reader->block_height : height;
  const gboolean is_triples = reader->is_plain && !reader->is_planar && reader->bits == 8
                              && reader->photometric == PHOTOMETRIC_RGB && reader->n_samples == 3;
  for (guint32 y = 0; y < height; y++) {
    const gsize start = (gsize)(y0 + y) * reader->width + x0;
    uint32_t *row = reader->image->pixels + start;
    for (guint32 x = 0; reader->input->samples && is_there && x < width; x++)
      get_samples (reader, (gsize)y * reader->block_width + x,
                   reader->input->samples + 4 * (start + x));
    if (is_there && is_triples)
      put_triples (reader, y, row, width);
    else
      for (guint32 x = 0; x < width; x++)
        row[x] = is_there ? get_pixel (reader, x, y, n_rows) : FS_PIXEL (255, 128, 128, 128);
  }
}

/* Returns how many blocks were there; `*n_missing` were not. */
static guint
read_blocks (FsTiffReader *reader, guint *n_missing)
{
  guint n_there = 0;
  *n_missing = 0;
  /* In 64 bits: a block may be larger than any picture. */
  for (guint64 y = 0; y < reader->height; y += reader->block_height)
    for (guint64 x = 0; x < reader->width; x += reader->block_width) {
      if (reader->error || !fs_photo_input_go_on (reader->input, &reader->error))
        return 0;
      const gboolean is_there = read_block (reader, (guint32)x, (guint32)y);
      put_block (reader, (guint32)x, (guint32)y, is_there);
      n_there += is_there;
      *n_missing += !is_there;
      fs_photo_input_report (reader->input, y + reader->block_height, reader->height);
    }
  return n_there;
}

/* Numbers that are not brightness from 0 on; those of LogLuv are its codec's. */
static gboolean
check_format (FsTiffReader *reader, GError **error)
{
  const gboolean is_log =
      reader->photometric == PHOTOMETRIC_LOGL || reader->photometric == PHOTOMETRIC_LOGLUV;
  if (reader->format == SAMPLEFORMAT_UINT || is_log
      || (reader->format == SAMPLEFORMAT_INT && is_lab (reader)))
    return TRUE;
  return refuse_tiff (reader, FS_PHOTO_ERROR_FORMAT,
                      reader->format == SAMPLEFORMAT_INT
                          ? _ ("holds samples with a sign, which are not opened here")
                      : reader->format == SAMPLEFORMAT_IEEEFP
                          ? _ ("holds floating-point samples, which are not opened here")
                          : _ ("holds complex samples, which are not opened here"),
                      error);
}

static gboolean
check_kind (FsTiffReader *reader, GError **error)
{
  char reason[1024] = "";
  guint16 compression = COMPRESSION_NONE;
  TIFFGetFieldDefaulted (reader->tiff, TIFFTAG_COMPRESSION, &compression);
  if (!check_format (reader, error))
    return FALSE;
  /* Formats that libtiff's own conversion may not know. */
  if (reader->is_plain && (reader->n_colours == 4 || is_lab (reader) || reader->is_packed)
      && TIFFIsCODECConfigured (compression))
    return TRUE;
  if (TIFFRGBAImageOK (reader->tiff, reason))
    return TRUE;
  if (!reader->error)
    fs_photo_input_refuse (reader->input, error, FS_PHOTO_ERROR_FORMAT,
                           _ ("holds a kind of TIFF picture that is not opened here (%s)"), reason);
  else
    g_propagate_error (error, g_steal_pointer (&reader->error));
  return FALSE;
}

static gboolean
decode_picture (FsTiffReader *reader, FsDecoded *decoded, GError **error)
{
  guint n_missing;
  reader->image = fs_photo_input_new_image (reader->input, reader->width, reader->height, error);
  if (!reader->image || !fs_photo_input_new_samples (reader->input, reader->image, error))
    return FALSE;
  reader->block = g_try_malloc0 (reader->n_block);
  reader->packed = reader->is_packed ? g_try_malloc0 (reader->n_packed) : NULL;
  if (!reader->block || (reader->is_packed && !reader->packed))
    return refuse_tiff (reader, FS_PHOTO_ERROR_LIMIT, _ ("there is not enough memory to open it"),
                        error);
  if (read_blocks (reader, &n_missing) == 0)
    return refuse_tiff (reader, FS_PHOTO_ERROR_DAMAGED,
                        _ ("is too damaged to show anything of the photo"), error);
  if (reader->error)
    return refuse_tiff (reader, FS_PHOTO_ERROR_READ, "", error);
  reader->image->has_alpha =
      reader->extra == EXTRASAMPLE_ASSOCALPHA || reader->extra == EXTRASAMPLE_UNASSALPHA;
  if (n_missing > 0)
    decoded->damage = reader->ended
                          ? _ ("the file ends early; what is missing is grey")
                          : _ ("the file is damaged; parts of the photo are missing or wrong");
  decoded->bits = reader->bits;
  decoded->image = g_steal_pointer (&reader->image);
  return TRUE;
}

gboolean
fs_tiff_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error)
{
  g_auto (FsTiffReader) reader = { .input = input };
  if (!open_reader (&reader))
    return refuse_tiff (&reader, FS_PHOTO_ERROR_DAMAGED, _ ("is damaged before its picture begins"),
                        error);
  if (!choose_picture (&reader))
    return refuse_tiff (&reader, FS_PHOTO_ERROR_FORMAT,
                        _ ("holds no full picture; a camera’s raw photo has to be developed first"),
                        error);
  read_fields (&reader);
  decoded->bits = reader.is_plain ? reader.bits : MIN (reader.bits, 8);
  if (!fs_photo_input_wants_pixels (input, decoded->bits))
    return TRUE;
  /* Rows as they are stored; turning it upright is somebody else's. */
  TIFFSetField (reader.tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  return check_kind (&reader, error) && admit_tiff (&reader, error)
         && decode_picture (&reader, decoded, error);
}
