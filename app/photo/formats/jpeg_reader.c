/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/jpeg_reader.h"

#include <glib/gi18n.h>
#include <jerror.h>
#include <string.h>

#define JFIF_BYTES  5
#define ADOBE_BYTES 12

/* Many scans over many pixels are a way to keep a decoder busy for minutes. */
#define MAX_SCANNED_PIXELS G_GUINT64_CONSTANT (2000000000)
#define MIN_MAX_SCANS      20

static FsJpegReader *
reader_of (j_decompress_ptr info)
{
  return info->client_data;
}

void
fs_jpeg_reader_leave (FsJpegReader *reader)
{
  longjmp (reader->escape, 1);
}

gboolean
fs_jpeg_reader_guard (FsJpegReader *reader, void (*step) (FsJpegReader *reader))
{
  if (setjmp (reader->escape))
    return FALSE;
  step (reader);
  return TRUE;
}

static void
explain_error (FsJpegReader *reader)
{
  FsPhotoInput *input = reader->input;
  GError **error = &reader->error;
  char text[JMSG_LENGTH_MAX];

  switch (reader->handlers.msg_code) {
  case JERR_OUT_OF_MEMORY:
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("there is not enough memory to decode it"));
    return;
  case JERR_NO_IMAGE:
  case JERR_INPUT_EMPTY:
  case JERR_INPUT_EOF:
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_DAMAGED,
                           _ ("ends before its picture begins"));
    return;
  case JERR_BAD_PRECISION:
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_FORMAT,
                           _ ("has %d bits a channel; of JPEG only 8 are opened"),
                           reader->info.data_precision);
    return;
  case JERR_SOF_UNSUPPORTED:
  case JERR_ARITH_NOTIMPL:
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_FORMAT,
                           _ ("uses a rare kind of JPEG compression that is not supported"));
    return;
  case JERR_EMPTY_IMAGE:
  case JERR_IMAGE_TOO_BIG: {
    const FsPhotoClaim claim = { .width = reader->info.image_width,
                                 .height = reader->info.image_height };
    if (!fs_photo_input_admit (input, &claim, error))
      return;
    break;
  }
  default:
    break;
  }
  reader->handlers.format_message ((j_common_ptr)&reader->info, text);
  fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_DAMAGED,
                         _ ("is damaged (the JPEG decoder says: %s)"), text);
}

static void
on_jpeg_error (j_common_ptr common)
{
  FsJpegReader *reader = reader_of ((j_decompress_ptr)common);
  if (!reader->error)
    explain_error (reader);
  fs_jpeg_reader_leave (reader);
}

static gboolean
is_harmless (int msg_code)
{
  return msg_code == JWRN_EXTRANEOUS_DATA || msg_code == JWRN_JFIF_MAJOR
         || msg_code == JWRN_ADOBE_XFORM || msg_code == JWRN_TOO_MUCH_DATA;
}

static void
on_message (j_common_ptr common, int level)
{
  FsJpegReader *reader = reader_of ((j_decompress_ptr)common);
  if (level >= 0 || is_harmless (reader->handlers.msg_code))
    return;
  if (++reader->n_warnings <= reader->max_warnings)
    return;
  fs_photo_input_refuse (reader->input, &reader->error, FS_PHOTO_ERROR_DAMAGED,
                         _ ("is damaged in more than %d places"), reader->max_warnings);
  fs_jpeg_reader_leave (reader);
}

static void
on_output (j_common_ptr common)
{
}

static int
max_scans (const FsJpegReader *reader)
{
  const guint64 n_pixels = (guint64)reader->info.image_width * reader->info.image_height;
  const guint64 n = MAX (MAX_SCANNED_PIXELS / MAX (n_pixels, 1), MIN_MAX_SCANS);
  return (int)MIN (n, (guint64)reader->input->limits.max_scans);
}

/* Called for every few rows of every scan while a file of several scans is collected. */
static void
on_jpeg_progress (j_common_ptr common)
{
  FsJpegReader *reader = reader_of ((j_decompress_ptr)common);
  /* A marker that ended a scan is taken already, but not yet dealt with. */
  const guint64 offset = reader->input->offset;
  const guint64 n_ahead = reader->source.bytes_in_buffer + (reader->info.unread_marker ? 2 : 0);
  reader->good_until = offset - MIN (offset, n_ahead);
  if (!fs_photo_input_go_on (reader->input, &reader->error))
    fs_jpeg_reader_leave (reader);
  if (reader->info.input_scan_number <= max_scans (reader))
    return;
  fs_photo_input_refuse (reader->input, &reader->error, FS_PHOTO_ERROR_LIMIT,
                         _ ("stores its picture in more than %d passes (JPEG scans)"),
                         max_scans (reader));
  fs_jpeg_reader_leave (reader);
}

static void
on_source (j_decompress_ptr info)
{
}

static boolean
fill_buffer (j_decompress_ptr info)
{
  FsJpegReader *reader = reader_of (info);
  FsPhotoInput *input = reader->input;
  const guint64 rest = reader->end_at > input->offset ? reader->end_at - input->offset : 0;
  gssize n = 0;

  if (rest && !reader->ended)
    n = fs_photo_input_read (input, reader->buffer, MIN (rest, sizeof reader->buffer),
                             &reader->error);
  if (n < 0)
    fs_jpeg_reader_leave (reader);
  if (n == 0) {
    /* The library goes on with an end-of-image marker and shows what it has. */
    reader->ended = TRUE;
    reader->buffer[0] = 0xff;
    reader->buffer[1] = JPEG_EOI;
    n = 2;
  }
  info->src->next_input_byte = reader->buffer;
  info->src->bytes_in_buffer = (size_t)n;
  return TRUE;
}

static void
skip_bytes (j_decompress_ptr info, long n_bytes)
{
  FsJpegReader *reader = reader_of (info);
  while (n_bytes > (long)info->src->bytes_in_buffer && !reader->ended) {
    n_bytes -= (long)info->src->bytes_in_buffer;
    fill_buffer (info);
  }
  if (reader->ended || n_bytes <= 0)
    return;
  info->src->next_input_byte += n_bytes;
  info->src->bytes_in_buffer -= (size_t)n_bytes;
}

static uint8_t
next_byte (j_decompress_ptr info)
{
  if (info->src->bytes_in_buffer == 0)
    fill_buffer (info);
  info->src->bytes_in_buffer--;
  return *info->src->next_input_byte++;
}

/* The number of bytes that follow a marker's length field. */
static gsize
begin_marker (FsJpegReader *reader)
{
  j_decompress_ptr info = &reader->info;
  if (++reader->n_markers > reader->input->limits.max_markers) {
    fs_photo_input_refuse (reader->input, &reader->error, FS_PHOTO_ERROR_LIMIT,
                           _ ("has more than %d blocks of data about the photo (JPEG markers)"),
                           reader->input->limits.max_markers);
    fs_jpeg_reader_leave (reader);
  }
  const unsigned high = next_byte (info), low = next_byte (info);
  const unsigned length = high << 8 | low;
  /* A length counts its own two bytes. Too short a one skips nothing and costs no pixel: the
   * library looks for the next marker from here. */
  return length < 2 ? 0 : length - 2;
}

static boolean
skip_marker (j_decompress_ptr info)
{
  skip_bytes (info, (long)begin_marker (reader_of (info)));
  return TRUE;
}

/* Up to `n_wanted` bytes of a marker of which `*length` are left. */
static gsize
copy_input_bytes (j_decompress_ptr info, uint8_t *bytes, gsize n_wanted, gsize *length)
{
  const gsize n = MIN (n_wanted, *length);
  for (gsize i = 0; i < n; i++)
    bytes[i] = next_byte (info);
  *length -= n;
  return n;
}

static boolean
read_jfif (j_decompress_ptr info)
{
  gsize length = begin_marker (reader_of (info));
  uint8_t head[JFIF_BYTES];
  if (copy_input_bytes (info, head, sizeof head, &length) == sizeof head
      && memcmp (head, "JFIF", sizeof head) == 0)
    info->saw_JFIF_marker = TRUE;
  skip_bytes (info, (long)length);
  return TRUE;
}

static boolean
read_adobe (j_decompress_ptr info)
{
  gsize length = begin_marker (reader_of (info));
  uint8_t head[ADOBE_BYTES];
  if (copy_input_bytes (info, head, sizeof head, &length) == sizeof head
      && memcmp (head, "Adobe", 5) == 0) {
    info->saw_Adobe_marker = TRUE;
    info->Adobe_transform = head[ADOBE_BYTES - 1];
  }
  skip_bytes (info, (long)length);
  return TRUE;
}

static void
set_up_handlers (FsJpegReader *reader)
{
  jpeg_std_error (&reader->handlers);
  reader->handlers.error_exit = on_jpeg_error;
  reader->handlers.emit_message = on_message;
  reader->handlers.output_message = on_output;
  reader->info.err = &reader->handlers;
  reader->info.client_data = reader;
}

static void
set_up (FsJpegReader *reader)
{
  j_decompress_ptr info = &reader->info;
  jpeg_create_decompress (info);

  reader->source.init_source = on_source;
  reader->source.fill_input_buffer = fill_buffer;
  reader->source.skip_input_data = skip_bytes;
  reader->source.resync_to_restart = jpeg_resync_to_restart;
  reader->source.term_source = on_source;
  info->src = &reader->source;
  reader->progress.progress_monitor = on_jpeg_progress;
  info->progress = &reader->progress;

  for (int i = 0; i < 16; i++)
    jpeg_set_marker_processor (info, JPEG_APP0 + i, skip_marker);
  jpeg_set_marker_processor (info, JPEG_COM, skip_marker);
  jpeg_set_marker_processor (info, JPEG_APP0, read_jfif);
  jpeg_set_marker_processor (info, JPEG_APP0 + 1, skip_marker);
  jpeg_set_marker_processor (info, JPEG_APP0 + 14, read_adobe);
}

FsJpegReader *
fs_jpeg_reader_new (FsPhotoInput *input, GError **error)
{
  if (!fs_photo_input_rewind (input, error))
    return NULL;
  g_autoptr (FsJpegReader) reader = g_try_new0 (FsJpegReader, 1);
  if (!reader) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("there is not enough memory to decode it"));
    return NULL;
  }
  reader->input = input;
  reader->end_at = G_MAXUINT64;
  reader->max_warnings = input->limits.max_warnings;
  set_up_handlers (reader);
  if (!fs_jpeg_reader_guard (reader, set_up)) {
    g_propagate_error (error, g_steal_pointer (&reader->error));
    return NULL;
  }
  return g_steal_pointer (&reader);
}

void
fs_jpeg_reader_free (FsJpegReader *reader)
{
  if (!reader)
    return;
  jpeg_destroy_decompress (&reader->info);
  fs_image_unref (reader->image);
  g_clear_error (&reader->error);
  g_free (reader);
}
