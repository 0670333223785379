/* SPDX-License-Identifier: MIT */
#include "app/export/png_write.h"

#include <glib/gi18n.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>
#include <zlib.h>

#define ROWS_PER_REPORT 32
#define ZLIB_BUFFER     (256 * 1024)
#define CUTOUT_ZLIB     1
#define MASK_ZLIB_MEM   5

typedef struct {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  FsExportRows rows;
  const FsExportSink *sink;
  const char *name;
  guint8 *packed; /* the profile */
  GError *error;
} PngWriter;

static void
leave_writer (PngWriter *writer)
{
  longjmp (writer->escape, 1);
}

static void
on_png_write_error (png_structp png, png_const_charp text)
{
  PngWriter *writer = png_get_error_ptr (png);
  if (!writer->error)
    g_set_error (&writer->error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("%s: cannot be written: %s"), writer->name, text);
  leave_writer (writer);
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
    leave_writer (writer);
}

static void
on_flush (png_structp png)
{
}

/* By measurement. A cut-out is a photo: more effort makes it a tenth smaller in four times the
 * time. Masks are runs, which nothing packs faster or smaller than looking for runs alone. That
 * needs no table of strings, but the library keeps one; where it is small a mask takes three
 * quarters of the time, and a hundredth more bytes. */
static void
set_compression (png_structp png, FsExportKind kind)
{
  png_set_compression_buffer_size (png, ZLIB_BUFFER);
  if (kind == FS_EXPORT_CUTOUT) {
    png_set_compression_level (png, CUTOUT_ZLIB);
    png_set_filter (png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  } else {
    png_set_compression_strategy (png, Z_RLE);
    png_set_compression_mem_level (png, MASK_ZLIB_MEM);
    png_set_filter (png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  }
}

static void
set_palette (PngWriter *writer)
{
  uint8_t palette[PNG_MAX_PALETTE_LENGTH][3];
  png_color colours[PNG_MAX_PALETTE_LENGTH];
  fs_export_fill_palette (palette);
  for (int i = 0; i < PNG_MAX_PALETTE_LENGTH; i++)
    colours[i] = (png_color){ palette[i][0], palette[i][1], palette[i][2] };
  png_set_PLTE (writer->png, writer->info, colours, PNG_MAX_PALETTE_LENGTH);
}

/* By hand: the library refuses profiles that every other reader takes, such as those whose size is
 * not divisible by four. One for which memory is short is left out: the picture counts. */
static void
write_profile (PngWriter *writer)
{
  static const char name[] = "ICC profile\0"; /* its 0, and that of the method */
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (writer->rows.profile, &n_bytes);
  uLongf n_packed = compressBound ((uLong)n_bytes);
  writer->packed = g_try_malloc (sizeof name + n_packed);
  if (!writer->packed
      || compress (writer->packed + sizeof name, &n_packed, bytes, (uLong)n_bytes) != Z_OK)
    return;
  memcpy (writer->packed, name, sizeof name);
  png_write_chunk (writer->png, (png_const_bytep) "iCCP", writer->packed, sizeof name + n_packed);
}

static void
put_be32 (guint8 *to, guint32 value)
{
  for (int i = 0; i < 4; i++)
    to[i] = (guint8)(value >> (24 - 8 * i));
}

/* As they are in the photo's own file. */
static void
write_own_colour (PngWriter *writer, const FsPngColour *colour)
{
  guint8 bytes[32];
  if (colour->has_gama) {
    put_be32 (bytes, colour->gama);
    png_write_chunk (writer->png, (png_const_bytep) "gAMA", bytes, 4);
  }
  for (int i = 0; i < 8; i++)
    put_be32 (bytes + 4 * i, colour->chrm[i]);
  if (colour->has_chrm)
    png_write_chunk (writer->png, (png_const_bytep) "cHRM", bytes, sizeof bytes);
  if (colour->has_srgb)
    png_write_chunk (writer->png, (png_const_bytep) "sRGB", &colour->srgb, 1);
}

/* The colour space. PNG has chunks for all of it. */
static void
write_colour (PngWriter *writer)
{
  const FsPhotoMetadata *metadata = writer->rows.metadata;
  /* The pixels are red, green and blue by now, whatever the matrix was. */
  const guint8 cicp[] = { metadata->cicp[0], metadata->cicp[1], 0, metadata->cicp[3] };
  if (metadata->has_cicp)
    png_write_chunk (writer->png, (png_const_bytep) "cICP", cicp, sizeof cicp);
  if (writer->rows.profile && (metadata->icc || metadata->has_cicp))
    write_profile (writer);
  else if (!metadata->icc)
    write_own_colour (writer, &metadata->png);
  if (!metadata->has_cicp && metadata->icc)
    fs_export_rows_note_colour (&writer->rows, writer->name, "PNG");
}

static void
write_block (PngWriter *writer)
{
  gsize n_bytes;
  GBytes *block = fs_export_rows_get_block (&writer->rows, writer->name);
  const guint8 *bytes = block ? g_bytes_get_data (block, &n_bytes) : NULL;
  if (bytes)
    png_write_chunk (writer->png, (png_const_bytep) "eXIf", bytes, n_bytes);
}

static void
add_text (PngWriter *writer, char *key, char *value)
{
  png_text text = { .compression = g_str_is_ascii (value) ? PNG_TEXT_COMPRESSION_NONE
                                                          : PNG_ITXT_COMPRESSION_NONE,
                    .key = key,
                    .text = value };
  png_set_text (writer->png, writer->info, &text, 1);
}

static void
set_facts (PngWriter *writer)
{
  static char author[] = "Author", copyright[] = "Copyright", description[] = "Description";
  const FsPhotoMetadata *metadata = writer->rows.metadata;
  if (metadata->dpi_x > 0 && metadata->dpi_y > 0)
    png_set_pHYs (writer->png, writer->info,
                  (png_uint_32)(MIN (metadata->dpi_x, 1e6) / 0.0254 + 0.5),
                  (png_uint_32)(MIN (metadata->dpi_y, 1e6) / 0.0254 + 0.5), PNG_RESOLUTION_METER);
  if (metadata->description)
    add_text (writer, description, metadata->description);
  if (metadata->artist)
    add_text (writer, author, metadata->artist);
  if (metadata->copyright)
    add_text (writer, copyright, metadata->copyright);
}

static void
set_header (PngWriter *writer)
{
  const FsExportKind kind = writer->rows.what->kind;
  const int colour_type = kind == FS_EXPORT_LABELS       ? PNG_COLOR_TYPE_PALETTE
                          : writer->rows.n_channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA
                          : writer->rows.n_channels == 3 ? PNG_COLOR_TYPE_RGB
                                                         : PNG_COLOR_TYPE_GRAY;
  png_structp png = writer->png;

  /* The library's own limit of a million a side is below what a photo may be asked to have. */
  png_set_user_limits (png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR (png, writer->info, (png_uint_32)writer->rows.width,
                (png_uint_32)writer->rows.height, writer->rows.bits, colour_type,
                PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (kind == FS_EXPORT_LABELS)
    set_palette (writer);
  set_compression (png, kind);
  png_write_info_before_PLTE (png, writer->info);
  if (writer->rows.metadata) {
    write_colour (writer);
    write_block (writer);
    set_facts (writer);
  }
  png_write_info (png, writer->info);
  if (writer->rows.bits == 16 && G_BYTE_ORDER == G_LITTLE_ENDIAN)
    png_set_swap (png);
}

static void
write_png (PngWriter *writer)
{
  const int height = writer->rows.height;
  png_set_write_fn (writer->png, writer, on_write, on_flush);
  set_header (writer);
  for (int y = 0; y < height; y++) {
    if (y % ROWS_PER_REPORT == 0
        && !writer->sink->rows_done (writer->sink->user_data, y, height, &writer->error))
      leave_writer (writer);
    uint8_t *row = fs_export_rows_get (&writer->rows, y);
    if (!row) {
      fs_export_fail_for_memory (writer->name, &writer->error);
      leave_writer (writer);
    }
    png_write_row (writer->png, row);
  }
  png_write_end (writer->png, writer->info);
  if (!writer->sink->rows_done (writer->sink->user_data, height, height, &writer->error))
    leave_writer (writer);
}

static gboolean
guarded_write (PngWriter *writer)
{
  if (setjmp (writer->escape))
    return FALSE;
  write_png (writer);
  return TRUE;
}

gboolean
fs_png_write (const FsExport *what, const char *name, const FsExportSink *sink, GError **error)
{
  PngWriter writer = { .sink = sink, .name = name };
  const gboolean is_ready = fs_export_rows_init (&writer.rows, what, name, 16);
  gboolean written = FALSE;

  writer.png =
      png_create_write_struct (PNG_LIBPNG_VER_STRING, &writer, on_png_write_error, on_warning);
  writer.info = writer.png ? png_create_info_struct (writer.png) : NULL;
  if (is_ready && writer.info)
    written = guarded_write (&writer);
  else
    fs_export_fail_for_memory (name, &writer.error);

  png_destroy_write_struct (&writer.png, &writer.info);
  fs_export_rows_clear (&writer.rows);
  g_free (writer.packed);
  if (!written)
    g_propagate_error (error, writer.error);
  return written;
}
