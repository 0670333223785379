/* SPDX-License-Identifier: MIT */
#include "app/export/jpeg_write.h"

#include "app/export/parts/exif_write.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>
#include <setjmp.h>
#include <string.h>

#define ROWS_PER_REPORT  32
#define BUFFER_BYTES     (64 * 1024)
#define SHARP_QUALITY    90 /* the lowest whose colours are as sharp as brightness */
#define EXIF_MARKER      (JPEG_APP0 + 1)
#define MAX_MARKER_BYTES 65533
#define MAX_PROFILE      (255 * (MAX_MARKER_BYTES - 14))

static const char exif_head[6] = "Exif\0";

typedef struct {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr handlers;
  struct jpeg_destination_mgr destination;
  jmp_buf escape;
  FsExportRows rows;
  const FsExportSink *sink;
  const char *name;
  JOCTET buffer[BUFFER_BYTES];
  GByteArray *exif;
  GError *error;
} JpegWriter;

/* ---- The library's handlers ---- */

static void
leave_writer (JpegWriter *writer)
{
  longjmp (writer->escape, 1);
}

static void
on_jpeg_write_error (j_common_ptr info)
{
  JpegWriter *writer = info->client_data;
  char text[JMSG_LENGTH_MAX];
  writer->handlers.format_message (info, text);
  if (!writer->error && writer->handlers.msg_code == JERR_OUT_OF_MEMORY)
    fs_export_fail_for_memory (writer->name, &writer->error);
  else if (!writer->error)
    g_set_error (&writer->error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("%s: cannot be written: %s"), writer->name, text);
  leave_writer (writer);
}

static void
ignore_jpeg_message (j_common_ptr info)
{
}

static void
send_bytes (JpegWriter *writer, gsize n_bytes)
{
  if (!writer->sink->write (writer->sink->user_data, writer->buffer, n_bytes, &writer->error))
    leave_writer (writer);
}

static void
start_buffer (j_compress_ptr info)
{
  JpegWriter *writer = info->client_data;
  writer->destination.next_output_byte = writer->buffer;
  writer->destination.free_in_buffer = BUFFER_BYTES;
}

static boolean
send_full_buffer (j_compress_ptr info)
{
  send_bytes (info->client_data, BUFFER_BYTES);
  start_buffer (info);
  return TRUE;
}

static void
send_last_bytes (j_compress_ptr info)
{
  JpegWriter *writer = info->client_data;
  send_bytes (writer, BUFFER_BYTES - writer->destination.free_in_buffer);
}

/* ---- The file ---- */

static void
set_quality (JpegWriter *writer)
{
  j_compress_ptr info = &writer->info;
  const int wanted = writer->rows.what->quality;
  const int quality = wanted > 0 ? wanted : FS_EXPORT_JPEG_QUALITY;
  jpeg_set_quality (info, quality, TRUE);
  for (int i = 0; quality >= SHARP_QUALITY && i < info->num_components; i++)
    info->comp_info[i].h_samp_factor = info->comp_info[i].v_samp_factor = 1;
}

static void
set_resolution (JpegWriter *writer)
{
  const FsPhotoMetadata *metadata = writer->rows.metadata;
  if (!metadata || metadata->dpi_x <= 0 || metadata->dpi_y <= 0)
    return;
  writer->info.density_unit = 1; /* an inch */
  writer->info.X_density = (UINT16)CLAMP (metadata->dpi_x + 0.5, 1, G_MAXUINT16);
  writer->info.Y_density = (UINT16)CLAMP (metadata->dpi_y + 0.5, 1, G_MAXUINT16);
}

/* A block that is too long for a marker gives way to one of resolution and texts. */
static void
write_exif (JpegWriter *writer)
{
  const FsPhotoMetadata *metadata = writer->rows.metadata;
  GByteArray *exif = fs_export_rows_get_block (&writer->rows, writer->name)
                         ? fs_exif_complete_block (metadata)
                         : fs_exif_write (metadata);
  if (exif && exif->len > MAX_MARKER_BYTES - sizeof exif_head) {
    fs_export_rows_note (&writer->rows,
                         _ ("%s: JPEG cannot hold the photo’s Exif block; only resolution and "
                            "texts are copied"),
                         writer->name);
    g_clear_pointer (&exif, g_byte_array_unref);
    exif = fs_exif_write (metadata);
  }
  writer->exif = exif;
  if (!exif || exif->len > MAX_MARKER_BYTES - sizeof exif_head)
    return;
  g_byte_array_prepend (exif, (const guint8 *)exif_head, sizeof exif_head);
  jpeg_write_marker (&writer->info, EXIF_MARKER, exif->data, exif->len);
}

static void
write_facts (JpegWriter *writer)
{
  gsize n_profile = 0;
  GBytes *profile = writer->rows.profile;
  const guint8 *icc = profile ? g_bytes_get_data (profile, &n_profile) : NULL;
  writer->rows.is_colour_lost |= n_profile > MAX_PROFILE;
  write_exif (writer);
  if (n_profile > 0 && n_profile <= MAX_PROFILE)
    jpeg_write_icc_profile (&writer->info, icc, (unsigned)n_profile);
  fs_export_rows_note_colour (&writer->rows, writer->name, "JPEG");
}

static void
start_jpeg (JpegWriter *writer)
{
  j_compress_ptr info = &writer->info;
  jpeg_create_compress (info);
  info->dest = &writer->destination;
  info->image_width = (JDIMENSION)writer->rows.width;
  info->image_height = (JDIMENSION)writer->rows.height;
  info->input_components = writer->rows.n_channels;
  info->in_color_space = JCS_RGB;
  jpeg_set_defaults (info);
  set_quality (writer);
  set_resolution (writer);
  jpeg_start_compress (info, TRUE);
  if (writer->rows.metadata)
    write_facts (writer);
}

static void
write_jpeg (JpegWriter *writer)
{
  const int height = writer->rows.height;
  const FsExportSink *sink = writer->sink;
  start_jpeg (writer);
  for (int y = 0; y < height; y++) {
    if (y % ROWS_PER_REPORT == 0 && !sink->rows_done (sink->user_data, y, height, &writer->error))
      leave_writer (writer);
    JSAMPROW row = fs_export_rows_get (&writer->rows, y);
    if (!row) {
      fs_export_fail_for_memory (writer->name, &writer->error);
      leave_writer (writer);
    }
    jpeg_write_scanlines (&writer->info, &row, 1);
  }
  jpeg_finish_compress (&writer->info);
  if (!sink->rows_done (sink->user_data, height, height, &writer->error))
    leave_writer (writer);
}

static gboolean
guarded_write (JpegWriter *writer)
{
  if (setjmp (writer->escape))
    return FALSE;
  write_jpeg (writer);
  return TRUE;
}

static gboolean
check_content (const FsExport *what, const char *name, GError **error)
{
  const char *reason = what->kind != FS_EXPORT_CUTOUT
                           ? _ ("JPEG changes pixels; masks and labels need PNG or TIFF")
                       : !what->background ? _ ("JPEG has no transparency; choose a background")
                                           : NULL;
  if (reason)
    g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, _ ("%s: cannot be written: %s"),
                 name, reason);
  return !reason;
}

gboolean
fs_jpeg_write (const FsExport *what, const char *name, const FsExportSink *sink, GError **error)
{
  if (!check_content (what, name, error))
    return FALSE;
  g_autofree JpegWriter *writer = g_new0 (JpegWriter, 1);
  writer->sink = sink;
  writer->name = name;
  writer->info.client_data = writer;
  writer->info.err = jpeg_std_error (&writer->handlers);
  writer->handlers.error_exit = on_jpeg_write_error;
  writer->handlers.output_message = ignore_jpeg_message;
  writer->destination.init_destination = start_buffer;
  writer->destination.empty_output_buffer = send_full_buffer;
  writer->destination.term_destination = send_last_bytes;
  const gboolean is_ready = fs_export_rows_init (&writer->rows, what, name, 8);
  const gboolean written = is_ready && guarded_write (writer);
  if (!is_ready)
    fs_export_fail_for_memory (name, &writer->error);
  jpeg_destroy_compress (&writer->info);
  fs_export_rows_clear (&writer->rows);
  g_clear_pointer (&writer->exif, g_byte_array_unref);
  if (!written)
    g_propagate_error (error, writer->error);
  return written;
}
