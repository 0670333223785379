/* SPDX-License-Identifier: MIT */
#include "app/export/webp_write.h"

#include "app/export/parts/exif_write.h"

#include <glib/gi18n.h>
#include <webp/encode.h>
#include <webp/mux.h>

/* The encoder's effort, from 0 to 9. */
#define EFFORT 1

typedef struct {
  FsExportRows rows;
  const FsExportSink *sink;
  const char *name;
  WebPPicture picture;
  WebPMemoryWriter packed;
  WebPData assembled;
  GError *error;
} WebpWriter;

static gboolean
set_writer_error (WebpWriter *writer, const char *reason)
{
  if (writer->error == NULL)
    g_set_error (&writer->error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("%s: cannot be written: %s"), writer->name, reason);
  return FALSE;
}

static gboolean
fail_for_memory (WebpWriter *writer)
{
  if (writer->error == NULL)
    fs_export_fail_for_memory (writer->name, &writer->error);
  return FALSE;
}

static int
on_webp_progress (int percent, const WebPPicture *picture)
{
  WebpWriter *writer = picture->user_data;
  const int n_all = writer->rows.height;
  return writer->error == NULL
         && writer->sink->rows_done (writer->sink->user_data, (int)((gint64)n_all * percent / 100),
                                     n_all, &writer->error);
}

static gboolean
fill_picture (WebpWriter *writer)
{
  WebPPicture *picture = &writer->picture;
  const gboolean is_grey = writer->rows.n_channels == 1, has_alpha = writer->rows.n_channels == 4;
  for (int y = 0; y < picture->height; y++) {
    const uint8_t *from = fs_export_rows_get (&writer->rows, y);
    uint32_t *to = picture->argb + (gsize)y * (gsize)picture->argb_stride;
    if (from == NULL)
      return fail_for_memory (writer);
    for (int x = 0; x < picture->width; x++, from += writer->rows.n_channels)
      to[x] = is_grey ? 0xff000000u | from[0] * 0x010101u
                      : FS_PIXEL (has_alpha ? from[3] : 255, from[0], from[1], from[2]);
  }
  return TRUE;
}

static gboolean
encode (WebpWriter *writer)
{
  WebPConfig config;
  WebPPicture *picture = &writer->picture;
  if (!WebPConfigInit (&config) || !WebPConfigLosslessPreset (&config, EFFORT))
    return set_writer_error (writer, _ ("libwebp has an incompatible version"));
  config.exact = 1;
  picture->use_argb = 1;
  picture->width = writer->rows.width;
  picture->height = writer->rows.height;
  picture->writer = WebPMemoryWrite;
  picture->custom_ptr = &writer->packed;
  picture->progress_hook = on_webp_progress;
  picture->user_data = writer;
  if (!WebPPictureAlloc (picture))
    return fail_for_memory (writer);
  if (!fill_picture (writer))
    return FALSE;
  if (WebPEncode (&config, picture))
    return writer->error == NULL;
  if (picture->error_code == VP8_ENC_ERROR_OUT_OF_MEMORY
      || picture->error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY
      || picture->error_code == VP8_ENC_ERROR_BAD_WRITE)
    return fail_for_memory (writer);
  return set_writer_error (writer, _ ("libwebp cannot encode it"));
}

static gboolean
add_chunk (WebPMux *mux, const char *name, const guint8 *bytes, gsize n_bytes)
{
  const WebPData data = { bytes, n_bytes };
  return bytes == NULL || WebPMuxSetChunk (mux, name, &data, 0) == WEBP_MUX_OK;
}

/* A file with a profile or with facts is a container around the packed picture. */
static gboolean
add_facts (WebpWriter *writer)
{
  gsize n_profile = 0;
  GBytes *profile = writer->rows.profile;
  const guint8 *icc = profile != NULL ? g_bytes_get_data (profile, &n_profile) : NULL;
  const FsPhotoMetadata *metadata = writer->rows.metadata;
  g_autoptr (GByteArray) exif = fs_export_rows_get_block (&writer->rows, writer->name) != NULL
                                    ? fs_exif_complete_block (metadata)
                                    : fs_exif_write (metadata);
  const WebPData packed = { writer->packed.mem, writer->packed.size };
  fs_export_rows_note_colour (&writer->rows, writer->name, "WebP");
  if (icc == NULL && exif == NULL)
    return TRUE;
  WebPMux *mux = WebPMuxNew ();
  const gboolean done = mux != NULL && WebPMuxSetImage (mux, &packed, 0) == WEBP_MUX_OK
                        && add_chunk (mux, "ICCP", icc, n_profile)
                        && (exif == NULL || add_chunk (mux, "EXIF", exif->data, exif->len))
                        && WebPMuxAssemble (mux, &writer->assembled) == WEBP_MUX_OK;
  WebPMuxDelete (mux);
  return done || fail_for_memory (writer);
}

static gboolean
write_webp (WebpWriter *writer)
{
  const FsExportSink *sink = writer->sink;
  if (writer->rows.what->kind == FS_EXPORT_LABELS)
    return set_writer_error (writer, _ ("WebP has no palette for labels; PNG and TIFF have"));
  if (MAX (writer->rows.width, writer->rows.height) > WEBP_MAX_DIMENSION)
    return set_writer_error (writer, _ ("WebP has at most 16383 pixels a side"));
  if (!encode (writer) || (writer->rows.metadata != NULL && !add_facts (writer)))
    return FALSE;
  const gboolean is_assembled = writer->assembled.bytes != NULL;
  return sink->write (sink->user_data, is_assembled ? writer->assembled.bytes : writer->packed.mem,
                      is_assembled ? writer->assembled.size : writer->packed.size, &writer->error);
}

gboolean
fs_webp_write (const FsExport *what, const char *name, const FsExportSink *sink, GError **error)
{
  WebpWriter writer = { .sink = sink, .name = name };
  gboolean written = FALSE;

  WebPMemoryWriterInit (&writer.packed);
  if (!WebPPictureInit (&writer.picture))
    set_writer_error (&writer, _ ("libwebp has an incompatible version"));
  else if (!fs_export_rows_init (&writer.rows, what, name, 8))
    fail_for_memory (&writer);
  else
    written = write_webp (&writer);

  WebPPictureFree (&writer.picture);
  WebPMemoryWriterClear (&writer.packed);
  WebPDataClear (&writer.assembled);
  fs_export_rows_clear (&writer.rows);
  if (!written)
    g_propagate_error (error, writer.error);
  return written;
}
