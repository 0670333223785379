/* SPDX-License-Identifier: MIT */
#include "tests/app/photo/made_files.h"
#include "energy/image/image.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <zlib.h>

uint32_t
made_colour (int x, int y, int width, int height)
{
  const uint32_t r = (uint32_t)(30 + 200 * x / MAX (width - 1, 1));
  const uint32_t g = (uint32_t)(220 - 180 * y / MAX (height - 1, 1));
  const uint32_t b = (uint32_t)(20 + 100 * x / MAX (width - 1, 1) + 110 * y / MAX (height - 1, 1));
  return r << 16 | g << 8 | b;
}

int
made_distance (uint32_t pixel, uint32_t colour)
{
  const int r = ABS (FS_PIXEL_R (pixel) - (int)(colour >> 16 & 0xff));
  const int g = ABS (FS_PIXEL_G (pixel) - (int)(colour >> 8 & 0xff));
  const int b = ABS (FS_PIXEL_B (pixel) - (int)(colour & 0xff));
  return MAX (r, MAX (g, b));
}

static void
fill_jpeg_pixel (const MadeJpeg *spec, uint32_t colour, uint8_t *to)
{
  const uint8_t r = (uint8_t)(colour >> 16), g = (uint8_t)(colour >> 8), b = (uint8_t)colour;
  if (spec->kind == MADE_JPEG_GREY) {
    to[0] = g;
  } else if (spec->kind <= MADE_JPEG_RGB) {
    to[0] = r;
    to[1] = g;
    to[2] = b;
  } else {
    /* A little black everywhere, so that it takes part: ink = 255 − paper · 255 / black. */
    const unsigned paper = 240;
    to[0] = (uint8_t)MIN (255, r * 255 / paper);
    to[1] = (uint8_t)MIN (255, g * 255 / paper);
    to[2] = (uint8_t)MIN (255, b * 255 / paper);
    to[3] = (uint8_t)paper;
  }
}

GByteArray *
made_jpeg (const MadeJpeg *spec)
{
  static const int n_channels[] = { 1, 3, 3, 4, 4 };
  static const J_COLOR_SPACE given[] = { JCS_GRAYSCALE, JCS_RGB, JCS_RGB, JCS_CMYK, JCS_CMYK };
  static const J_COLOR_SPACE stored[] = { JCS_GRAYSCALE, JCS_YCbCr, JCS_RGB, JCS_CMYK, JCS_YCCK };
  struct jpeg_compress_struct info = { 0 };
  struct jpeg_error_mgr handlers;
  unsigned char *bytes = NULL;
  unsigned long n_bytes = 0;

  info.err = jpeg_std_error (&handlers);
  jpeg_create_compress (&info);
  jpeg_mem_dest (&info, &bytes, &n_bytes);
  info.image_width = (JDIMENSION)spec->width;
  info.image_height = (JDIMENSION)spec->height;
  info.input_components = n_channels[spec->kind];
  info.in_color_space = given[spec->kind];
  jpeg_set_defaults (&info);
  jpeg_set_colorspace (&info, stored[spec->kind]);
  jpeg_set_quality (&info, 98, TRUE);
  for (int i = 0; i < info.num_components; i++)
    info.comp_info[i].h_samp_factor = info.comp_info[i].v_samp_factor = 1;
  info.comp_info[0].h_samp_factor = MAX (spec->h_sampling, 1);
  info.comp_info[0].v_samp_factor = MAX (spec->v_sampling, 1);
  if (spec->no_adobe)
    info.write_Adobe_marker = FALSE;
  if (spec->progressive)
    jpeg_simple_progression (&info);

  jpeg_start_compress (&info, TRUE);
  if (spec->app1)
    jpeg_write_marker (&info, JPEG_APP0 + 1, spec->app1, (unsigned)spec->n_app1);
  if (spec->profile)
    jpeg_write_icc_profile (&info, spec->profile, (unsigned)spec->n_profile);
  g_autofree uint8_t *row = g_malloc ((gsize)spec->width * 4);
  for (int y = 0; y < spec->height; y++) {
    JSAMPROW rows[] = { row };
    for (int x = 0; x < spec->width; x++)
      fill_jpeg_pixel (spec, made_colour (x, y, spec->width, spec->height),
                       row + x * info.input_components);
    jpeg_write_scanlines (&info, rows, 1);
  }
  jpeg_finish_compress (&info);
  jpeg_destroy_compress (&info);

  GByteArray *jpeg = g_byte_array_new ();
  g_byte_array_append (jpeg, bytes, (guint)n_bytes);
  free (bytes);
  return jpeg;
}

static void
append_u16 (GByteArray *to, guint value, gboolean big_endian)
{
  const uint8_t high = (uint8_t)(value >> 8), low = (uint8_t)value;
  const uint8_t bytes[] = { big_endian ? high : low, big_endian ? low : high };
  g_byte_array_append (to, bytes, 2);
}

static void
append_u32 (GByteArray *to, guint32 value, gboolean big_endian)
{
  append_u16 (to, big_endian ? value >> 16 : value & 0xffff, big_endian);
  append_u16 (to, big_endian ? value & 0xffff : value >> 16, big_endian);
}

GByteArray *
made_exif (int orientation, gboolean big_endian, gboolean with_app1_header)
{
  GByteArray *exif = g_byte_array_new ();
  if (with_app1_header)
    g_byte_array_append (exif, (const guint8 *)"Exif\0", 6);
  g_byte_array_append (exif, (const guint8 *)(big_endian ? "MM" : "II"), 2);
  append_u16 (exif, 42, big_endian);
  append_u32 (exif, 8, big_endian);

  append_u16 (exif, 2, big_endian);
  append_u16 (exif, 0x0100, big_endian);
  append_u16 (exif, 4, big_endian);
  append_u32 (exif, 1, big_endian);
  append_u32 (exif, 7, big_endian);
  append_u16 (exif, 0x0112, big_endian);
  append_u16 (exif, 3, big_endian);
  append_u32 (exif, 1, big_endian);
  append_u16 (exif, (guint)orientation, big_endian);
  append_u16 (exif, 0, big_endian);
  append_u32 (exif, 0, big_endian);
  return exif;
}

void
made_png_chunk (GByteArray *png, const char *type, const void *data, gsize n_bytes)
{
  append_u32 (png, (guint32)n_bytes, TRUE);
  const guint start = png->len;
  g_byte_array_append (png, (const guint8 *)type, 4);
  if (n_bytes)
    g_byte_array_append (png, data, (guint)n_bytes);
  append_u32 (png, (guint32)crc32 (0, png->data + start, (uInt)(n_bytes + 4)), TRUE);
}

GByteArray *
made_png_begin (guint32 width, guint32 height, int bits, int colour_type, gboolean interlaced)
{
  GByteArray *png = g_byte_array_new ();
  g_autoptr (GByteArray) header = g_byte_array_new ();
  const uint8_t rest[] = { (uint8_t)bits, (uint8_t)colour_type, 0, 0, interlaced ? 1 : 0 };
  append_u32 (header, width, TRUE);
  append_u32 (header, height, TRUE);
  g_byte_array_append (header, rest, sizeof rest);
  g_byte_array_append (png, (const guint8 *)"\x89PNG\r\n\x1a\n", 8);
  made_png_chunk (png, "IHDR", header->data, header->len);
  return png;
}

void
made_png_pixels (GByteArray *png, const void *rows, gsize n_bytes)
{
  uLongf n_packed = compressBound ((uLong)n_bytes);
  g_autofree uint8_t *packed = g_malloc (n_packed);
  g_assert_cmpint (compress2 (packed, &n_packed, rows, (uLong)n_bytes, 6), ==, Z_OK);
  made_png_chunk (png, "IDAT", packed, n_packed);
}

void
made_png_end (GByteArray *png)
{
  made_png_chunk (png, "IEND", NULL, 0);
}

static void
append_png_row (GByteArray *rows, int y, int x0, int step, int width, int height)
{
  static const uint8_t no_filter = 0;
  if (x0 < width)
    g_byte_array_append (rows, &no_filter, 1);
  for (int x = x0; x < width; x += step) {
    const uint32_t colour = made_colour (x, y, width, height);
    const uint8_t rgb[] = { (uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour };
    g_byte_array_append (rows, rgb, 3);
  }
}

GByteArray *
made_png (int width, int height, gboolean interlaced)
{
  /* Adam7: first column and row, and steps, of the seven passes. */
  static const int passes[7][4] = { { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
                                    { 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 } };
  GByteArray *png = made_png_begin ((guint32)width, (guint32)height, 8, 2, interlaced);
  g_autoptr (GByteArray) rows = g_byte_array_new ();
  if (interlaced)
    for (int i = 0; i < 7; i++)
      for (int y = passes[i][1]; y < height; y += passes[i][3])
        append_png_row (rows, y, passes[i][0], passes[i][2], width, height);
  else
    for (int y = 0; y < height; y++)
      append_png_row (rows, y, 0, 1, width, height);
  made_png_pixels (png, rows->data, rows->len);
  made_png_end (png);
  return png;
}

GByteArray *
made_bmp (int width, int height, gboolean claim_only)
{
  GByteArray *bmp = g_byte_array_new ();
  const guint row_bytes = ((guint)width * 3 + 3) / 4 * 4;
  g_byte_array_append (bmp, (const guint8 *)"BM", 2);
  append_u32 (bmp, claim_only ? 54 : 54 + row_bytes * (guint)height, FALSE);
  append_u32 (bmp, 0, FALSE);
  append_u32 (bmp, 54, FALSE);
  append_u32 (bmp, 40, FALSE);
  append_u32 (bmp, (guint32)width, FALSE);
  append_u32 (bmp, (guint32)height, FALSE);
  append_u16 (bmp, 1, FALSE);
  append_u16 (bmp, 24, FALSE);
  for (int i = 0; i < 6; i++)
    append_u32 (bmp, 0, FALSE);
  for (int y = height - 1; !claim_only && y >= 0; y--) {
    const guint start = bmp->len;
    for (int x = 0; x < width; x++) {
      const uint32_t colour = made_colour (x, y, width, height);
      const uint8_t bgr[] = { (uint8_t)colour, (uint8_t)(colour >> 8), (uint8_t)(colour >> 16) };
      g_byte_array_append (bmp, bgr, 3);
    }
    while ((bmp->len - start) % 4)
      g_byte_array_append (bmp, (const guint8 *)"", 1);
  }
  return bmp;
}

char *
made_folder (void)
{
  GError *error = NULL;
  char *folder = g_dir_make_tmp ("fretsaw-test-XXXXXX", &error);
  g_assert_no_error (error);
  return folder;
}

void
made_folder_remove (const char *folder)
{
  const char *name;
  GDir *dir = g_dir_open (folder, 0, NULL);
  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_remove (path) < 0)
      made_folder_remove (path);
  }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (folder);
}

const uint8_t *
made_profile (void)
{
  static uint8_t profile[MADE_PROFILE_BYTES] = { 0, 0, 0, MADE_PROFILE_BYTES };
  memcpy (profile + 16, "RGB ", 4);
  memcpy (profile + 36, "acsp", 4);
  return profile;
}

char *
made_file (const char *folder, const char *name, const void *bytes, gsize n_bytes)
{
  char *path = g_build_filename (folder, name, NULL);
  FILE *file = g_fopen (path, "wbe");
  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (bytes, 1, n_bytes, file), ==, n_bytes);
  g_assert_cmpint (fclose (file), ==, 0);
  return path;
}
