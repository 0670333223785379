/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/png_read.h"
#include "app/photo/input/orient.h"
#include "app/photo/formats/png_reader.h"

#include <glib/gi18n.h>

/* Deflate cannot do better than this (zlib's technical notes: 1032:1). */
#define MAX_DEFLATE_RATIO 1032

/* The library's own rows in flight, in bytes a pixel of a row, a generous bound. */
#define WORK_BYTES_PER_COLUMN 64

static guint64
packed_bytes (const FsPngReader *reader)
{
  const int n_channels = png_get_channels (reader->png, reader->info);
  /* Sides end at 2³¹, so that the bits of a row fit 64 bits; the product need not. */
  const guint64 row_bytes =
      ((guint64)reader->width * (guint64)n_channels * (guint64)reader->bits + 7) / 8;
  guint64 n_bytes;
  return g_uint64_checked_mul (&n_bytes, row_bytes, reader->height) ? n_bytes : G_MAXUINT64;
}

static void
set_transformations (FsPngReader *reader)
{
  png_structp png = reader->png;
  png_set_expand (png);
  png_set_gray_to_rgb (png);
  if (reader->input->samples) {
    png_set_add_alpha (png, 0xffff, PNG_FILLER_AFTER);
    if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
      png_set_swap (png);
    return;
  }
  png_set_scale_16 (png);
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  png_set_bgr (png);
  png_set_add_alpha (png, 0xff, PNG_FILLER_AFTER);
#else
  png_set_swap_alpha (png);
  png_set_add_alpha (png, 0xff, PNG_FILLER_BEFORE);
#endif
}

static void
prepare_rows (FsPngReader *reader)
{
  set_transformations (reader);
  const gsize n_pixel_bytes = reader->input->samples ? 4 * sizeof (guint16) : sizeof (uint32_t);
  const int n_passes = png_set_interlace_handling (reader->png);
  png_read_update_info (reader->png, reader->info);
  if (png_get_rowbytes (reader->png, reader->info) != (gsize)reader->width * n_pixel_bytes)
    png_error (reader->png, "unexpected row size");
  g_assert (n_passes == (reader->interlaced ? 7 : 1));
}

static png_bytep
get_row (FsPngReader *reader, guint32 y)
{
  const gsize start = (gsize)y * reader->width;
  return reader->input->samples ? (png_bytep)(reader->input->samples + 4 * start)
                                : (png_bytep)(reader->image->pixels + start);
}

/* As the library scales them. */
static guint
to_byte (guint16 sample)
{
  return (sample * 255u + 32895u) >> 16;
}

static void
round_samples (FsPngReader *reader)
{
  const guint16 *from = reader->input->samples;
  const gsize n = (gsize)reader->width * reader->height;
  for (gsize i = 0; i < n; i++, from += 4)
    reader->image->pixels[i] =
        FS_PIXEL (to_byte (from[3]), to_byte (from[0]), to_byte (from[1]), to_byte (from[2]));
}

static void
read_rows (FsPngReader *reader)
{
  prepare_rows (reader);
  const int n_passes = reader->interlaced ? 7 : 1;
  for (int pass = 0; pass < n_passes; pass++)
    for (guint32 y = 0; y < reader->height; y++) {
      png_bytep row = get_row (reader, y);
      /* Given as a display row, a pixel of an early pass stands for its whole block, so that a file
       * that ends early still shows a coarse photo. */
      if (reader->interlaced)
        png_read_row (reader->png, NULL, row);
      else
        png_read_row (reader->png, row, NULL);
      if (pass == 0)
        reader->n_rows = y + 1;
      if (!fs_photo_input_go_on (reader->input, &reader->error))
        fs_png_reader_leave (reader);
      fs_photo_input_report (reader->input, (guint64)pass * reader->height + y + 1,
                             (guint64)n_passes * reader->height);
    }
}

static gboolean
admit_png (FsPngReader *reader, GError **error)
{
  FsPhotoClaim claim = { .width = reader->width, .height = reader->height };
  claim.min_file_bytes = packed_bytes (reader) / MAX_DEFLATE_RATIO;
  claim.work_bytes = claim.width * WORK_BYTES_PER_COLUMN;
  if (fs_orientation_swaps (reader->input->metadata->orientation)
      && !g_uint64_checked_add (&claim.work_bytes, claim.work_bytes,
                                claim.width * claim.height * sizeof (uint32_t)))
    claim.work_bytes = G_MAXUINT64;
  return fs_photo_input_admit (reader->input, &claim, error);
}

/* FALSE where nothing of the picture was decoded or the user gave up. */
static gboolean
decode_pixels (FsPngReader *reader, FsDecoded *decoded, GError **error)
{
  if (fs_png_reader_guard (reader, read_rows)) {
    if (reader->n_warnings)
      decoded->damage = _ ("the file is damaged; parts of the photo are missing or wrong");
    return TRUE;
  }
  if (reader->n_rows == 0 || reader->input->samples
      || !g_error_matches (reader->error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_DAMAGED)) {
    g_propagate_error (error, g_steal_pointer (&reader->error));
    return FALSE;
  }
  g_clear_error (&reader->error);
  fs_decoded_fill_missing (reader->image, (int)reader->n_rows);
  decoded->damage = reader->ended
                        ? _ ("the file ends early; what is missing is grey or coarse")
                        : _ ("the file is damaged; parts of the photo are missing or wrong");
  return TRUE;
}

gboolean
fs_png_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error)
{
  g_autoptr (FsPngReader) reader = fs_png_reader_new (input, error);
  if (!reader || !fs_png_reader_read_header (reader, error))
    return FALSE;
  decoded->bits = reader->bits;
  if (!fs_photo_input_wants_pixels (input, decoded->bits))
    return TRUE;
  if (!admit_png (reader, error))
    return FALSE;
  reader->image = fs_photo_input_new_image (input, reader->width, reader->height, error);
  if (!reader->image || !fs_photo_input_new_samples (input, reader->image, error)
      || !decode_pixels (reader, decoded, error))
    return FALSE;
  if (input->samples)
    round_samples (reader);

  if (!fs_photo_input_go_on (input, error))
    return FALSE;
  reader->image->has_alpha = (reader->colour_type & PNG_COLOR_MASK_ALPHA)
                             || png_get_valid (reader->png, reader->info, PNG_INFO_tRNS);
  decoded->image = g_steal_pointer (&reader->image);
  return TRUE;
}
