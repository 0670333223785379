/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/jpeg.h"
#include "app/photo/input/colour_transform.h"
#include "app/photo/formats/jpeg_reader.h"
#include "app/photo/input/orient.h"

#include <glib/gi18n.h>
#include <jerror.h>

#define ROWS_AT_ONCE 16

/* The decoder's rows of samples in flight, a generous bound. */
#define WORK_BYTES_PER_COLUMN 512

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define PIXEL_COLOUR_SPACE JCS_EXT_BGRA
#else
#define PIXEL_COLOUR_SPACE JCS_EXT_ARGB
#endif

/* The library's inverse transform makes 4, 2 or 1 sample a side of a block's 8. */
static void
choose_scale (FsJpegReader *reader)
{
  j_decompress_ptr info = &reader->info;
  const int enough_px = reader->input->limits.enough_px;
  const guint longer = MAX (info->image_width, info->image_height);
  info->scale_num = info->scale_denom = 1;
  while (enough_px > 0 && info->scale_denom < 8
         && longer / (2 * info->scale_denom) >= (guint)enough_px)
    info->scale_denom *= 2;
  jpeg_calc_output_dimensions (info);
}

static void
read_header (FsJpegReader *reader)
{
  j_decompress_ptr info = &reader->info;
  jpeg_read_header (info, TRUE);

  switch (info->jpeg_color_space) {
  case JCS_GRAYSCALE:
  case JCS_YCbCr:
  case JCS_RGB:
    info->out_color_space = PIXEL_COLOUR_SPACE;
    break;
  case JCS_CMYK:
  case JCS_YCCK:
    info->out_color_space = JCS_CMYK;
    break;
  default:
    fs_photo_input_refuse (reader->input, &reader->error, FS_PHOTO_ERROR_FORMAT,
                           _ ("has %d colour channels of an unknown meaning"),
                           info->num_components);
    fs_jpeg_reader_leave (reader);
  }
  choose_scale (reader);
}

/* Every block of 8 × 8 samples takes at least one bit of the first scan, whatever the picture. */
static FsPhotoClaim
claim_of (FsJpegReader *reader)
{
  const struct jpeg_decompress_struct *info = &reader->info;
  FsPhotoClaim claim = { .width = info->image_width, .height = info->image_height };
  guint64 n_blocks = 0;
  for (int i = 0; i < info->num_components; i++) {
    /* Sides end at 65,535 and sampling factors at 4, so that this fits easily. */
    const jpeg_component_info *component = &info->comp_info[i];
    n_blocks += ((guint64)component->width_in_blocks + (guint64)component->h_samp_factor)
                * ((guint64)component->height_in_blocks + (guint64)component->v_samp_factor);
    claim.min_file_bytes += (guint64)component->width_in_blocks * component->height_in_blocks / 8;
  }
  claim.work_bytes = claim.width * WORK_BYTES_PER_COLUMN;
  if (jpeg_has_multiple_scans (&reader->info))
    claim.work_bytes += n_blocks * sizeof (JBLOCK);
  if (fs_orientation_swaps (reader->input->metadata->orientation))
    claim.work_bytes += claim.width * claim.height * sizeof (uint32_t);
  return claim;
}

/* A file of several scans is read to its end here. */
static void
start_decoding (FsJpegReader *reader)
{
  jpeg_start_decompress (&reader->info);
}

static void
read_rows (FsJpegReader *reader)
{
  j_decompress_ptr info = &reader->info;
  while (info->output_scanline < info->output_height) {
    JSAMPROW rows[ROWS_AT_ONCE];
    const JDIMENSION n = MIN (ROWS_AT_ONCE, info->output_height - info->output_scanline);
    for (JDIMENSION i = 0; i < n; i++)
      rows[i] = (JSAMPROW)(reader->image->pixels
                           + (gsize)(info->output_scanline + i) * info->output_width);
    if (!fs_photo_input_go_on (reader->input, &reader->error))
      fs_jpeg_reader_leave (reader);
    jpeg_read_scanlines (info, rows, n);
    fs_photo_input_report (reader->input, info->output_scanline, info->output_height);
  }
}

/* In place: the decoder left four bytes a pixel, of what is left white between drops of ink. So
 * does whoever writes no Adobe marker mean them: every other reader takes them so. */
static void
convert_ink_plainly (uint32_t *pixels, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    const uint8_t *ink = (const uint8_t *)&pixels[i];
    const unsigned k = ink[3];
    pixels[i] = FS_PIXEL (255, (ink[0] * k + 127) / 255, (ink[1] * k + 127) / 255,
                          (ink[2] * k + 127) / 255);
  }
}

/* `samples`: room for seven a pixel. */
static void
convert_ink_row (FsColourTransform *transform, uint32_t *pixels, guint width, guint16 *samples)
{
  guint16 *rgb = samples + 4 * (gsize)width;
  const uint8_t *white = (const uint8_t *)pixels;
  for (gsize i = 0; i < 4 * (gsize)width; i++)
    samples[i] = (guint16)((255 - white[i]) * 257);
  fs_colour_transform_convert_ink (transform, samples, rgb, width);
  for (guint x = 0; x < width; x++, rgb += 3)
    pixels[x] = FS_PIXEL (255, (rgb[0] * 255u + 32767) / 65535, (rgb[1] * 255u + 32767) / 65535,
                          (rgb[2] * 255u + 32767) / 65535);
}

/* By the photo's profile, or as if inks were ideal. FALSE where the user gave up. */
static gboolean
convert_ink (FsJpegReader *reader, int n_rows)
{
  FsImage *image = reader->image;
  const gsize width = (gsize)image->width;
  g_autoptr (FsColourTransform) transform =
      fs_colour_transform_new_from_ink (reader->input->metadata->icc);
  g_autofree guint16 *samples = transform ? g_try_malloc_n (7 * width, sizeof *samples) : NULL;
  for (int y = 0; y < n_rows; y++) {
    uint32_t *row = image->pixels + (gsize)y * width;
    if (y % ROWS_AT_ONCE == 0 && !fs_photo_input_go_on (reader->input, &reader->error))
      return FALSE;
    if (samples)
      convert_ink_row (transform, row, (guint)width, samples);
    else
      convert_ink_plainly (row, width);
  }
  return TRUE;
}

static const char *
damage_of (const FsJpegReader *reader)
{
  if (reader->ended)
    return _ ("the file ends early; what is missing is grey or coarse");
  if (reader->error || reader->n_warnings)
    return _ ("the file is damaged; parts of the photo are missing or wrong");
  return NULL;
}

static gboolean
decode_header (FsJpegReader *reader, GError **error)
{
  if (!fs_jpeg_reader_guard (reader, read_header)) {
    g_propagate_error (error, g_steal_pointer (&reader->error));
    return FALSE;
  }
  const FsPhotoClaim claim = claim_of (reader);
  if (!fs_photo_input_admit (reader->input, &claim, error))
    return FALSE;
  reader->image = fs_photo_input_new_image (reader->input, reader->info.output_width,
                                            reader->info.output_height, error);
  return reader->image != NULL;
}

/* `reader->image` exists; FALSE where not one row of it was decoded. */
static gboolean
decode_pixels (FsJpegReader *reader)
{
  gboolean done =
      fs_jpeg_reader_guard (reader, start_decoding) && fs_jpeg_reader_guard (reader, read_rows);
  const int n_rows = (int)reader->info.output_scanline;
  if (!done
      && (n_rows == 0 || !g_error_matches (reader->error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_DAMAGED)))
    return FALSE;

  if (reader->info.out_color_space == JCS_CMYK && !convert_ink (reader, n_rows))
    return FALSE;
  if (!done)
    fs_decoded_fill_missing (reader->image, n_rows);
  return TRUE;
}

/* Reads the file as if it ended at `end_at`. Where the pixels fail, `damaged_at` is where, and 0
 * where reading less of the file cannot help. */
static gboolean
attempt (FsPhotoInput *input, guint64 end_at, FsDecoded *decoded, guint64 *damaged_at,
         GError **error)
{
  *damaged_at = 0;
  g_autoptr (FsJpegReader) reader = fs_jpeg_reader_new (input, error);
  if (!reader)
    return FALSE;
  reader->end_at = end_at;
  if (end_at != G_MAXUINT64)
    reader->max_warnings = G_MAXINT; /* The first attempt has counted them. */
  if (!decode_header (reader, error))
    return FALSE;
  if (decode_pixels (reader)) {
    decoded->damage = damage_of (reader);
    decoded->image = g_steal_pointer (&reader->image);
    decoded->bits = reader->info.data_precision;
    return TRUE;
  }
  if (g_error_matches (reader->error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_DAMAGED)
      && jpeg_has_multiple_scans (&reader->info))
    *damaged_at = reader->good_until;
  g_propagate_error (error, g_steal_pointer (&reader->error));
  return FALSE;
}

gboolean
fs_jpeg_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error)
{
  guint64 damaged_at;
  g_autoptr (GError) reason = NULL;
  if (attempt (input, G_MAXUINT64, decoded, &damaged_at, &reason))
    return TRUE;

  /* Damage between scans stops the library before it has shown anything; read up to there, it
   * shows the scans before. */
  if (damaged_at) {
    g_clear_error (&reason);
    if (attempt (input, damaged_at, decoded, &damaged_at, &reason))
      return TRUE;
  }
  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}
