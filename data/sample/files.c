/* SPDX-License-Identifier: MIT */
#include "files.h"
#include <stdio.h>
#include <jpeglib.h>
#include <png.h>

bool
write_jpeg (const char *path, const uint8_t *rgb, int width, int height, int quality)
{
  FILE *file = fopen (path, "wb");
  if (!file)
    return false;
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  jpeg.err = jpeg_std_error (&errors);
  jpeg_create_compress (&jpeg);
  jpeg_stdio_dest (&jpeg, file);
  jpeg.image_width = (JDIMENSION)width;
  jpeg.image_height = (JDIMENSION)height;
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_RGB;
  jpeg_set_defaults (&jpeg);
  jpeg_set_quality (&jpeg, quality, TRUE);
  jpeg.optimize_coding = TRUE;
  jpeg_start_compress (&jpeg, TRUE);
  while (jpeg.next_scanline < jpeg.image_height) {
    JSAMPROW row = (JSAMPROW)(rgb + 3 * (size_t)width * jpeg.next_scanline);
    jpeg_write_scanlines (&jpeg, &row, 1);
  }
  jpeg_finish_compress (&jpeg);
  jpeg_destroy_compress (&jpeg);
  return fclose (file) == 0;
}

static bool
write_png (const char *path, const uint8_t *pixels, int width, int height, const png_color *palette,
           int n_colours)
{
  FILE *file = fopen (path, "wb");
  if (!file)
    return false;
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct (png);
  png_init_io (png, file);
  png_set_compression_level (png, 9);
  png_set_IHDR (png, info, (png_uint_32)width, (png_uint_32)height, 8,
                palette ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (palette)
    png_set_PLTE (png, info, palette, n_colours);
  png_write_info (png, info);
  for (int y = 0; y < height; y++)
    png_write_row (png, pixels + (size_t)width * (size_t)y);
  png_write_end (png, info);
  png_destroy_write_struct (&png, &info);
  return fclose (file) == 0;
}

bool
write_grey_png (const char *path, const uint8_t *grey, int width, int height)
{
  return write_png (path, grey, width, height, NULL, 0);
}

bool
write_seeds_png (const char *path, const uint8_t *seeds, int width, int height)
{
  static const png_color palette[] = { { 0, 0, 0 }, { 255, 120, 0 }, { 53, 132, 228 } };
  return write_png (path, seeds, width, height, palette, 3);
}
