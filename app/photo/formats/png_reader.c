/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/png_reader.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_CHUNKS      128
#define MAX_CHUNK_BYTES (4u << 20)

/* The library inflates this much at a time and drops it all where the file ends within. */
#define INFLATE_BYTES 512

void
fs_png_reader_leave (FsPngReader *reader)
{
  longjmp (reader->escape, 1);
}

gboolean
fs_png_reader_guard (FsPngReader *reader, void (*step) (FsPngReader *reader))
{
  if (setjmp (reader->escape))
    return FALSE;
  step (reader);
  return TRUE;
}

static void
on_png_read_error (png_structp png, png_const_charp text)
{
  FsPngReader *reader = png_get_error_ptr (png);
  if (!reader->error)
    fs_photo_input_refuse (reader->input, &reader->error, FS_PHOTO_ERROR_DAMAGED,
                           _ ("is damaged (the PNG decoder says: %s)"), text);
  fs_png_reader_leave (reader);
}

static void
on_warning (png_structp png, png_const_charp text)
{
  FsPngReader *reader = png_get_error_ptr (png);
  if (++reader->n_warnings <= reader->input->limits.max_warnings)
    return;
  fs_photo_input_refuse (reader->input, &reader->error, FS_PHOTO_ERROR_DAMAGED,
                         _ ("is damaged in more than %d places"),
                         reader->input->limits.max_warnings);
  fs_png_reader_leave (reader);
}

static void
refill (FsPngReader *reader)
{
  const gssize n =
      fs_photo_input_read (reader->input, reader->buffer, sizeof reader->buffer, &reader->error);
  if (n == 0) {
    reader->ended = TRUE;
    fs_photo_input_refuse (reader->input, &reader->error, FS_PHOTO_ERROR_DAMAGED,
                           _ ("ends before its picture begins"));
  }
  if (n <= 0)
    fs_png_reader_leave (reader);
  reader->n_buffered = (gsize)n;
  reader->n_taken = 0;
}

static void
on_png_read (png_structp png, png_bytep wanted, size_t n_bytes)
{
  FsPngReader *reader = png_get_io_ptr (png);
  while (n_bytes) {
    if (reader->n_taken == reader->n_buffered)
      refill (reader);
    const gsize n = MIN (n_bytes, reader->n_buffered - reader->n_taken);
    memcpy (wanted, reader->buffer + reader->n_taken, n);
    reader->n_taken += n;
    wanted += n;
    n_bytes -= n;
  }
}

/* A small first letter says that a decoder may do without the chunk. */
static gboolean
is_dispensable (const png_unknown_chunk *chunk)
{
  return g_ascii_islower ((char)chunk->name[0]);
}

/* Every chunk but header, palette, transparency and pixels comes here. The library's own reader of
 * eXIf allocates whatever length the file claims. */
static int
on_chunk (png_structp png, png_unknown_chunkp chunk)
{
  FsPngReader *reader = png_get_user_chunk_ptr (png);
  if (!is_dispensable (chunk)) {
    fs_photo_input_refuse (reader->input, &reader->error, FS_PHOTO_ERROR_FORMAT,
                           _ ("needs a feature of PNG that is not supported"));
    return -1;
  }
  return 1;
}

static void
set_limits (FsPngReader *reader)
{
  png_structp png = reader->png;
  /* Sides are checked after the header, with the figures in the message. */
  png_set_user_limits (png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_cache_max (png, MAX_CHUNKS);
  png_set_chunk_malloc_max (png, MAX_CHUNK_BYTES);
  png_set_compression_buffer_size (png, INFLATE_BYTES);
  png_set_benign_errors (png, 1);
  /* −1: the known but dispensable ones too, so that none of the library's code for them runs. */
  png_set_keep_unknown_chunks (png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_read_user_chunk_fn (png, reader, on_chunk);
  png_set_read_fn (png, reader, on_png_read);
}

FsPngReader *
fs_png_reader_new (FsPhotoInput *input, GError **error)
{
  if (!fs_photo_input_rewind (input, error))
    return NULL;
  g_autoptr (FsPngReader) reader = g_try_new0 (FsPngReader, 1);
  if (reader) {
    reader->input = input;
    reader->png =
        png_create_read_struct (PNG_LIBPNG_VER_STRING, reader, on_png_read_error, on_warning);
    reader->info = reader->png ? png_create_info_struct (reader->png) : NULL;
  }
  if (!reader || !reader->info) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("there is not enough memory to decode it"));
    return NULL;
  }
  if (!fs_png_reader_guard (reader, set_limits)) {
    g_propagate_error (error, g_steal_pointer (&reader->error));
    return NULL;
  }
  return g_steal_pointer (&reader);
}

void
fs_png_reader_free (FsPngReader *reader)
{
  if (!reader)
    return;
  png_destroy_read_struct (&reader->png, &reader->info, NULL);
  fs_image_unref (reader->image);
  g_free (reader->labels);
  g_clear_error (&reader->error);
  g_free (reader);
}

static void
read_header (FsPngReader *reader)
{
  png_read_info (reader->png, reader->info);
}

gboolean
fs_png_reader_read_header (FsPngReader *reader, GError **error)
{
  if (!fs_png_reader_guard (reader, read_header)) {
    g_propagate_error (error, g_steal_pointer (&reader->error));
    return FALSE;
  }
  reader->width = png_get_image_width (reader->png, reader->info);
  reader->height = png_get_image_height (reader->png, reader->info);
  reader->bits = png_get_bit_depth (reader->png, reader->info);
  reader->colour_type = png_get_color_type (reader->png, reader->info);
  reader->interlaced = png_get_interlace_type (reader->png, reader->info) != PNG_INTERLACE_NONE;

  /* Warnings so far were about metadata. From here on they are about pixels, and a wrong checksum
   * is reported as damage and not a reason to refuse the file. */
  reader->n_warnings = 0;
  png_set_crc_action (reader->png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
  return TRUE;
}
