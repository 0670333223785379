/* SPDX-License-Identifier: MIT */
#include "app/export/tiff_write.h"

#include <glib/gi18n.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>

#define ROWS_PER_REPORT 32
#define MIN_CAPACITY    (64 * 1024)

/* Unpacked; a reader holds one at a time. */
#define STRIP_BYTES (256 * 1024)

/* zlib's level, as of PNG cut-outs (app/export/png_write.c). */
#define EFFORT 1

typedef struct {
  FsExportRows rows;
  const FsExportSink *sink;
  const char *name;
  TIFF *tiff;
  uint8_t *bytes; /* of the file so far */
  gsize n_bytes, capacity;
  gsize at; /* where the next byte goes */
  gboolean is_full;
  GError *error;
} TiffWriter;

/* --- What libtiff asks for -------------------------------------------------------------------- */

static tmsize_t
read_back (thandle_t handle, void *buffer, tmsize_t n_bytes)
{
  TiffWriter *writer = handle;
  if (n_bytes < 0 || writer->at > writer->n_bytes)
    return -1;
  const gsize n = MIN ((gsize)n_bytes, writer->n_bytes - writer->at);
  memcpy (buffer, writer->bytes + writer->at, n);
  writer->at += n;
  return (tmsize_t)n;
}

static gboolean
reserve_bytes (TiffWriter *writer, gsize end)
{
  if (end <= writer->capacity)
    return TRUE;
  const gsize capacity = MAX (MAX (end, MIN_CAPACITY), writer->capacity + writer->capacity / 2);
  uint8_t *bytes = g_try_realloc (writer->bytes, capacity);
  if (bytes == NULL)
    return FALSE;
  writer->bytes = bytes;
  writer->capacity = capacity;
  return TRUE;
}

static tmsize_t
write_bytes (thandle_t handle, void *buffer, tmsize_t n_bytes)
{
  TiffWriter *writer = handle;
  gsize end;
  if (n_bytes < 0 || !g_size_checked_add (&end, writer->at, (gsize)n_bytes)
      || !reserve_bytes (writer, end)) {
    writer->is_full = TRUE;
    return -1;
  }
  if (writer->at > writer->n_bytes)
    memset (writer->bytes + writer->n_bytes, 0, writer->at - writer->n_bytes);
  memcpy (writer->bytes + writer->at, buffer, (gsize)n_bytes);
  writer->at = end;
  writer->n_bytes = MAX (writer->n_bytes, end);
  return n_bytes;
}

static toff_t
seek_written (thandle_t handle, toff_t offset, int whence)
{
  TiffWriter *writer = handle;
  const gsize from = whence == SEEK_CUR ? writer->at : whence == SEEK_END ? writer->n_bytes : 0;
  gsize at;
  if (!g_size_checked_add (&at, from, offset))
    return (toff_t)-1;
  writer->at = at;
  return at;
}

static int
close_nothing (thandle_t handle)
{
  return 0;
}

static toff_t
get_size (thandle_t handle)
{
  const TiffWriter *writer = handle;
  return writer->n_bytes;
}

static int
ignore_message (TIFF *tiff, void *user_data, const char *module, const char *format, va_list args)
{
  return 1;
}

static int on_tiff_error (TIFF *tiff, void *user_data, const char *module, const char *format,
                          va_list args) G_GNUC_PRINTF (4, 0);

/* The first of several errors is reported; short memory has its own message. */
static int
on_tiff_error (TIFF *tiff, void *user_data, const char *module, const char *format, va_list args)
{
  TiffWriter *writer = user_data;
  g_autofree char *text = g_strdup_vprintf (format, args);
  if (writer->error == NULL && writer->is_full)
    fs_export_fail_for_memory (writer->name, &writer->error);
  else if (writer->error == NULL)
    g_set_error (&writer->error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("%s: cannot be written: %s"), writer->name, text);
  return 1;
}

static gboolean
open_writer (TiffWriter *writer)
{
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc ();
  if (options == NULL)
    return FALSE;
  TIFFOpenOptionsSetErrorHandlerExtR (options, on_tiff_error, writer);
  TIFFOpenOptionsSetWarningHandlerExtR (options, ignore_message, NULL);
  writer->tiff = TIFFClientOpenExt ("export", "w", writer, read_back, write_bytes, seek_written,
                                    close_nothing, get_size, NULL, NULL, options);
  TIFFOpenOptionsFree (options);
  return writer->tiff != NULL;
}

/* --- The picture ------------------------------------------------------------------------------ */

static void
set_palette (TIFF *tiff)
{
  uint8_t palette[256][3];
  guint16 channels[3][256];
  fs_export_fill_palette (palette);
  for (int i = 0; i < 256; i++)
    for (int c = 0; c < 3; c++)
      channels[c][i] = (guint16)(palette[i][c] * 257);
  TIFFSetField (tiff, TIFFTAG_COLORMAP, channels[0], channels[1], channels[2]);
}

static void
set_header (TiffWriter *writer)
{
  TIFF *tiff = writer->tiff;
  const FsExportRows *rows = &writer->rows;
  const gboolean is_cutout = rows->what->kind == FS_EXPORT_CUTOUT;
  const gboolean is_palette = rows->what->kind == FS_EXPORT_LABELS;
  const gsize n_row = (gsize)rows->width * (gsize)rows->n_channels * (gsize)(rows->bits / 8);
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, (guint32)rows->width);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, (guint32)rows->height);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, rows->bits);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, rows->n_channels);
  TIFFSetField (tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC,
                is_cutout    ? PHOTOMETRIC_RGB
                : is_palette ? PHOTOMETRIC_PALETTE
                             : PHOTOMETRIC_MINISBLACK);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
  TIFFSetField (tiff, TIFFTAG_ZIPQUALITY, EFFORT);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, (guint32)MAX (STRIP_BYTES / n_row, 1));
  if (rows->what->has_mask_page) {
    TIFFSetField (tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
    TIFFSetField (tiff, TIFFTAG_PAGENUMBER, is_cutout ? 0 : 1, 2);
  }
  if (is_palette)
    set_palette (tiff);
  if (rows->n_channels == 4) {
    const guint16 alpha = EXTRASAMPLE_UNASSALPHA;
    TIFFSetField (tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
  }
  if (is_cutout)
    TIFFSetField (tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
  if (rows->profile != NULL) {
    gsize n_profile;
    const void *profile = g_bytes_get_data (rows->profile, &n_profile);
    TIFFSetField (tiff, TIFFTAG_ICCPROFILE, (guint32)n_profile, profile);
  }
}

static void
set_facts (TiffWriter *writer)
{
  TIFF *tiff = writer->tiff;
  const FsPhotoMetadata *metadata = writer->rows.metadata;
  if (metadata->dpi_x > 0 && metadata->dpi_y > 0) {
    TIFFSetField (tiff, TIFFTAG_XRESOLUTION, metadata->dpi_x);
    TIFFSetField (tiff, TIFFTAG_YRESOLUTION, metadata->dpi_y);
    TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
  }
  if (metadata->description)
    TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, metadata->description);
  if (metadata->artist)
    TIFFSetField (tiff, TIFFTAG_ARTIST, metadata->artist);
  if (metadata->copyright)
    TIFFSetField (tiff, TIFFTAG_COPYRIGHT, metadata->copyright);
  fs_export_rows_note_colour (&writer->rows, writer->name, "TIFF");
  if (fs_export_rows_get_block (&writer->rows, writer->name) != NULL)
    fs_export_rows_note (
        &writer->rows,
        _ ("%s: TIFF cannot hold the photo’s Exif block; only resolution and texts are copied"),
        writer->name);
}

/* Writes a page, after `n_before` of the `n_all` rows that all pages have. */
static gboolean
write_rows (TiffWriter *writer, int n_before, int n_all)
{
  const FsExportSink *sink = writer->sink;
  for (int y = 0; y < writer->rows.height; y++) {
    if (y % ROWS_PER_REPORT == 0
        && !sink->rows_done (sink->user_data, n_before + y, n_all, &writer->error))
      return FALSE;
    uint8_t *row = fs_export_rows_get (&writer->rows, y);
    if (row == NULL || TIFFWriteScanline (writer->tiff, row, (guint32)y, 0) < 0)
      return FALSE;
  }
  return writer->error == NULL;
}

/* The mask of the cut-out that the page before has. */
static gboolean
write_mask_page (TiffWriter *writer, const FsExport *cutout)
{
  FsExport mask = *cutout;
  mask.kind = FS_EXPORT_MASK;
  const int height = writer->rows.height;
  fs_export_rows_clear (&writer->rows);
  if (!TIFFWriteDirectory (writer->tiff)
      || !fs_export_rows_init (&writer->rows, &mask, writer->name, 8))
    return FALSE;
  set_header (writer);
  return write_rows (writer, height, 2 * height);
}

static gboolean
write_tiff (TiffWriter *writer)
{
  const FsExport *what = writer->rows.what;
  const FsExportSink *sink = writer->sink;
  const gboolean has_mask_page = what->has_mask_page && what->kind == FS_EXPORT_CUTOUT;
  const int n_all = (has_mask_page ? 2 : 1) * writer->rows.height;
  if (!open_writer (writer))
    return FALSE;
  set_header (writer);
  if (writer->rows.metadata)
    set_facts (writer);
  return write_rows (writer, 0, n_all) && (!has_mask_page || write_mask_page (writer, what))
         && TIFFFlush (writer->tiff) && writer->error == NULL
         && sink->rows_done (sink->user_data, n_all, n_all, &writer->error)
         && sink->write (sink->user_data, writer->bytes, writer->n_bytes, &writer->error);
}

gboolean
fs_tiff_write (const FsExport *what, const char *name, const FsExportSink *sink, GError **error)
{
  TiffWriter writer = { .sink = sink, .name = name };
  const gboolean written =
      fs_export_rows_init (&writer.rows, what, name, 16) && write_tiff (&writer);
  GError *failure = g_steal_pointer (&writer.error);

  /* Closing what is not whole says more, of what is given up anyway. */
  if (writer.tiff != NULL)
    TIFFClose (writer.tiff);
  g_clear_error (&writer.error);
  g_free (writer.bytes);
  fs_export_rows_clear (&writer.rows);
  if (!written && failure == NULL)
    fs_export_fail_for_memory (name, &failure);
  if (!written)
    g_propagate_error (error, failure);
  return written;
}
