/* SPDX-License-Identifier: MIT */
#include "app/png_write.h"

#include "app/colour_profile.h"
#include "energy/soft_edge.h"

#include <glib/gi18n.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>
#include <zlib.h>

#define ROWS_PER_REPORT 32
#define ZLIB_BUFFER     (256 * 1024)
#define CUTOUT_ZLIB     1

typedef struct {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  const FsExport *what;
  const FsPngSink *sink;
  const char *name;
  FsRect part; /* that is written */
  uint8_t *row;
  FsSoftEdge *edge; /* or NULL */
  GBytes *profile;  /* or NULL */
  GError *error;
} PngWriter;

static void
leave (PngWriter *writer)
{
  longjmp (writer->escape, 1);
}

static void
on_error (png_structp png, png_const_charp text)
{
  PngWriter *writer = png_get_error_ptr (png);
  if (!writer->error)
    g_set_error (&writer->error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("%s: cannot be written: %s"), writer->name, text);
  leave (writer);
}

static void
on_warning (png_structp png, png_const_charp text)
{
}

static void
on_write (png_structp png, png_bytep bytes, size_t n_bytes)
{
  PngWriter *writer = png_get_io_ptr (png);
  if (!writer->sink->write (writer->sink->user_data, bytes, n_bytes, &writer->error))
    leave (writer);
}

static void
on_flush (png_structp png)
{
}

/* By measurement. A cut-out is a photo: more effort makes it a tenth smaller in four times the
 * time. Masks are runs, which nothing packs faster or smaller than looking for runs alone. */
static void
set_compression (png_structp png, FsExportKind kind)
{
  png_set_compression_buffer_size (png, ZLIB_BUFFER);
  if (kind == FS_EXPORT_CUTOUT) {
    png_set_compression_level (png, CUTOUT_ZLIB);
    png_set_filter (png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  } else {
    png_set_compression_strategy (png, Z_RLE);
    png_set_filter (png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  }
}

/* None, background and the objects: neighbouring numbers far apart in hue. */
static void
set_palette (PngWriter *writer)
{
  static const png_color some[] = { { 0, 0, 0 },      { 70, 90, 200 },  { 230, 80, 60 },
                                    { 70, 170, 80 },  { 240, 190, 50 }, { 150, 80, 180 },
                                    { 60, 180, 190 }, { 240, 130, 180 } };
  png_color colours[PNG_MAX_PALETTE_LENGTH];
  for (int i = 0; i < PNG_MAX_PALETTE_LENGTH; i++)
    colours[i] = i < (int)G_N_ELEMENTS (some)
                     ? some[i]
                     : (png_color){ (png_byte)(i * 97), (png_byte)(i * 57), (png_byte)(i * 151) };
  png_set_PLTE (writer->png, writer->info, colours, PNG_MAX_PALETTE_LENGTH);
}

/* One that the library finds fault with is left out: the picture counts. */
static void
set_profile (PngWriter *writer)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (writer->profile, &n_bytes);
  png_set_benign_errors (writer->png, 1);
  png_set_iCCP (writer->png, writer->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, bytes,
                (png_uint_32)n_bytes);
}

static void
set_header (PngWriter *writer)
{
  static const int colour_types[] = { [FS_EXPORT_MASK] = PNG_COLOR_TYPE_GRAY,
                                      [FS_EXPORT_CUTOUT] = PNG_COLOR_TYPE_RGB_ALPHA,
                                      [FS_EXPORT_LABELS] = PNG_COLOR_TYPE_PALETTE,
                                      [FS_EXPORT_GREY] = PNG_COLOR_TYPE_GRAY };
  const FsExport *what = writer->what;
  png_structp png = writer->png;

  /* The library's own limit of a million a side is below what a photo may be asked to have. */
  png_set_user_limits (png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  const FsRect *part = &writer->part;
  png_set_IHDR (png, writer->info, (png_uint_32)(part->x1 - part->x0),
                (png_uint_32)(part->y1 - part->y0), 8, colour_types[what->kind], PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (what->kind == FS_EXPORT_LABELS)
    set_palette (writer);
  if (writer->profile)
    set_profile (writer);
  set_compression (png, what->kind);
  png_write_info (png, writer->info);
}

static void
fail_for_memory (PngWriter *writer)
{
  g_set_error (&writer->error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
               _ ("%s: cannot be written: there is not enough memory"), writer->name);
}

static void
fill_soft_row (PngWriter *writer, int y)
{
  const FsImage *image = writer->what->image;
  const uint32_t *pixels = image->pixels + (gsize)y * (gsize)image->width + (gsize)writer->part.x0;
  const uint32_t *soft = fs_soft_edge_get_row (writer->edge, y);
  uint8_t *row = writer->row;
  if (!soft) {
    fail_for_memory (writer);
    leave (writer);
  }
  for (int x = 0; x < writer->part.x1 - writer->part.x0; x++, row += 4) {
    const uint32_t pixel = fs_soft_edge_over (soft[x], pixels[x]);
    row[0] = FS_PIXEL_R (pixel);
    row[1] = FS_PIXEL_G (pixel);
    row[2] = FS_PIXEL_B (pixel);
    row[3] = FS_PIXEL_A (pixel);
  }
}

static void
fill_row (PngWriter *writer, int y)
{
  const FsExport *what = writer->what;
  const gsize width = (gsize)(writer->part.x1 - writer->part.x0);
  const gsize start = (gsize)y * (gsize)what->image->width + (gsize)writer->part.x0;
  const uint8_t *mask = what->mask + start;
  uint8_t *row = writer->row;

  switch (what->kind) {
  case FS_EXPORT_MASK:
    for (gsize x = 0; x < width; x++)
      row[x] = mask[x] ? 255 : 0;
    break;
  case FS_EXPORT_LABELS:
  case FS_EXPORT_GREY:
    memcpy (row, mask, width);
    break;
  case FS_EXPORT_CUTOUT: {
    const uint32_t *pixels = what->image->pixels + start;
    for (gsize x = 0; x < width; x++) {
      row[4 * x] = FS_PIXEL_R (pixels[x]);
      row[4 * x + 1] = FS_PIXEL_G (pixels[x]);
      row[4 * x + 2] = FS_PIXEL_B (pixels[x]);
      row[4 * x + 3] = mask[x] ? FS_PIXEL_A (pixels[x]) : 0;
    }
    break;
  }
  }
}

static void
write_all (PngWriter *writer)
{
  const int height = writer->part.y1 - writer->part.y0;
  png_set_write_fn (writer->png, writer, on_write, on_flush);
  set_header (writer);
  for (int y = 0; y < height; y++) {
    if (y % ROWS_PER_REPORT == 0
        && !writer->sink->rows_done (writer->sink->user_data, y, height, &writer->error))
      leave (writer);
    if (writer->edge)
      fill_soft_row (writer, writer->part.y0 + y);
    else
      fill_row (writer, writer->part.y0 + y);
    png_write_row (writer->png, writer->row);
  }
  png_write_end (writer->png, writer->info);
  if (!writer->sink->rows_done (writer->sink->user_data, height, height, &writer->error))
    leave (writer);
}

static gboolean
guarded_write (PngWriter *writer)
{
  if (setjmp (writer->escape))
    return FALSE;
  write_all (writer);
  return TRUE;
}

gboolean
fs_png_write (const FsExport *what, const char *name, const FsPngSink *sink, GError **error)
{
  PngWriter writer = { .what = what, .sink = sink, .name = name };
  gboolean written = FALSE;
  const FsRect all = { 0, 0, what->image->width, what->image->height };

  writer.part = fs_rect_is_empty (what->part) ? all : fs_rect_intersect (what->part, all);
  if (what->kind == FS_EXPORT_CUTOUT && what->photo)
    writer.profile = fs_colour_profile_read (what->photo);
  const gboolean is_soft = what->kind == FS_EXPORT_CUTOUT && what->soft_px > 0;
  if (is_soft)
    writer.edge =
        fs_soft_edge_new (what->image, what->mask, what->marks, writer.part, what->soft_px);
  writer.row = g_try_malloc_n ((gsize)what->image->width, 4);
  writer.png = png_create_write_struct (PNG_LIBPNG_VER_STRING, &writer, on_error, on_warning);
  writer.info = writer.png ? png_create_info_struct (writer.png) : NULL;
  if (writer.row && writer.info && (writer.edge || !is_soft))
    written = guarded_write (&writer);
  else
    fail_for_memory (&writer);

  png_destroy_write_struct (&writer.png, &writer.info);
  g_free (writer.row);
  fs_soft_edge_free (writer.edge);
  g_bytes_unref (writer.profile);
  if (!written)
    g_propagate_error (error, writer.error);
  return written;
}
