/* SPDX-License-Identifier: MIT */
#include "app/photo/heif/heif.h"
#include "app/files/display_name.h"
#include "app/photo/heif/size_check.h"
#include "app/photo/heif/library.h"
#include "app/photo/input/exif.h"
#include "app/photo/input/metadata_finds.h"

#include <glib/gi18n.h>
#include <string.h>

/* Rows between two looks at whether the user has given up. */
enum { ROWS_AT_ONCE = 64 };

typedef struct {
  FsPhotoInput *input;
  const FsHeifLibrary *heif;
  guint8 *bytes; /* the whole file; libheif reads in it */
  gsize n_bytes;
  FsHeifCost cost;
  struct heif_context *context;
  struct heif_image_handle *handle; /* of the primary picture */
  struct heif_image *picture;       /* unpacked               */
  FsImage *image;
} FsHeifReader;

static void
clear_reader (FsHeifReader *reader)
{
  if (reader->picture)
    reader->heif->image_release (reader->picture);
  if (reader->handle)
    reader->heif->image_handle_release (reader->handle);
  if (reader->context)
    reader->heif->context_free (reader->context);
  g_free (reader->bytes);
  fs_image_unref (reader->image);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsHeifReader, clear_reader)

static gboolean
refuse_heif (FsHeifReader *reader, FsPhotoError code, const char *reason, GError **error)
{
  fs_photo_input_refuse (reader->input, error, code, "%s", reason);
  return FALSE;
}

/* --- libheif ---------------------------------------------------------------------------------- */

static gboolean
refuse_as (FsHeifReader *reader, struct heif_error why, GError **error)
{
  if (why.code == heif_error_Memory_allocation_error)
    return refuse_heif (reader, FS_PHOTO_ERROR_LIMIT, _ ("there is not enough memory to open it"),
                        error);
  if (why.code == heif_error_Unsupported_feature || why.code == heif_error_Unsupported_filetype)
    return refuse_heif (reader, FS_PHOTO_ERROR_FORMAT,
                        _ ("needs a feature of HEIF that is not supported"), error);
  /* In one line, and without its full stop. */
  g_autofree char *said = fs_display_name (why.message);
  for (gsize n = strlen (said); n > 0 && strchr (" .:", said[n - 1]); n--)
    said[n - 1] = 0;
  fs_photo_input_refuse (reader->input, error, FS_PHOTO_ERROR_DAMAGED,
                         _ ("is damaged (the HEIF decoder says: %s)"), said);
  return FALSE;
}

/* Where memory is short, libheif throws what nobody here can catch: whether it is there is asked
 * before. */
static gboolean
try_memory (FsHeifReader *reader, GError **error)
{
  void *memory = g_try_malloc (reader->cost.n_work_bytes);
  if (!memory)
    return refuse_heif (reader, FS_PHOTO_ERROR_LIMIT, _ ("there is not enough memory to open it"),
                        error);
  g_free (memory);
  return TRUE;
}

static gboolean
open_library (FsHeifReader *reader, GError **error)
{
  const char *reason;
  reader->heif = fs_heif_library_get (&reason);
  if (!reader->heif)
    fs_photo_input_refuse (reader->input, error, FS_PHOTO_ERROR_FORMAT,
                           _ ("needs libheif, which cannot be opened (%s)"), reason);
  return reader->heif != NULL;
}

static gboolean
open_reader (FsHeifReader *reader, gboolean with_pixels, GError **error)
{
  reader->bytes = fs_photo_input_read_whole (reader->input, &reader->n_bytes, error);
  if (!reader->bytes
      || !fs_heif_claim (reader->input, reader->bytes, reader->n_bytes, with_pixels, &reader->cost,
                         error)
      || !open_library (reader, error) || !try_memory (reader, error))
    return FALSE;
  reader->context = reader->heif->context_alloc ();
  /* A side of exactly the limit is too long for libheif's grids. */
  reader->heif->context_set_maximum_image_size_limit (
      reader->context, MIN (reader->input->limits.max_side_px, G_MAXINT - 1) + 1);
  if (reader->cost.has_odd_tiles && reader->heif->context_set_max_decoding_threads)
    reader->heif->context_set_max_decoding_threads (reader->context, 0);
  struct heif_error why =
      reader->heif->context_read_from_memory_without_copy (reader->context, reader->bytes,
                                                           reader->n_bytes, NULL);
  if (why.code == heif_error_Ok)
    why = reader->heif->context_get_primary_image_handle (reader->context, &reader->handle);
  return why.code == heif_error_Ok || refuse_as (reader, why, error);
}

/* libheif's decoders are plug-ins, of which a system may have none. */
static gboolean
check_decoder (FsHeifReader *reader, GError **error)
{
  const char *missing = NULL;
  if (reader->cost.has_hevc && !reader->heif->have_decoder_for_format (heif_compression_HEVC))
    missing = "HEVC";
  else if (reader->cost.has_av1 && !reader->heif->have_decoder_for_format (heif_compression_AV1))
    missing = "AV1";
  if (!missing)
    return TRUE;
  fs_photo_input_refuse (
      reader->input, error, FS_PHOTO_ERROR_FORMAT,
      _ ("is encoded with %s, for which libheif has no decoder on this computer"), missing);
  return FALSE;
}

/* Into planes of red, green, blue and alpha, each with as many bits as it has. */
static gboolean
unpack_picture (FsHeifReader *reader, GError **error)
{
  const struct heif_error why =
      reader->heif->decode_image (reader->handle, &reader->picture, heif_colorspace_RGB,
                                  heif_chroma_444, NULL);
  if (!fs_photo_input_go_on (reader->input, error))
    return FALSE;
  return why.code == heif_error_Ok || refuse_as (reader, why, error);
}

/* --- Pixels ----------------------------------------------------------------------------------- */

typedef struct {
  const guint8 *bytes;
  gsize stride;
  guint max;       /* the greatest sample                 */
  guint8 *rounded; /* [max + 1]: what a sample is in 8 bits, or NULL: what it is */
} Plane;

enum { RED, GREEN, BLUE, ALPHA, N_PLANES };

typedef struct {
  Plane planes[N_PLANES];
  gboolean has_alpha, is_multiplied;
} Planes;

static void
planes_clear (Planes *planes)
{
  for (int i = 0; i < N_PLANES; i++)
    g_free (planes->planes[i].rounded);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Planes, planes_clear)

static const enum heif_channel channels[N_PLANES] = { heif_channel_R, heif_channel_G,
                                                      heif_channel_B, heif_channel_Alpha };

/* Alpha, too, must be as large as the picture, which libheif does not see to. */
static gboolean
get_plane (FsHeifReader *reader, int i, int width, int height, Plane *plane)
{
  int stride = 0;
  const int bits = reader->heif->image_get_bits_per_pixel_range (reader->picture, channels[i]);
  plane->bytes = reader->heif->image_get_plane_readonly (reader->picture, channels[i], &stride);
  if (!plane->bytes || stride <= 0 || bits < 1 || bits > 16
      || reader->heif->image_get_width (reader->picture, channels[i]) != width
      || reader->heif->image_get_height (reader->picture, channels[i]) != height)
    return FALSE;
  plane->stride = (gsize)stride;
  plane->max = (1u << bits) - 1;
  if (bits == 8)
    return TRUE;
  plane->rounded = g_malloc (plane->max + 1);
  for (guint value = 0; value <= plane->max; value++)
    plane->rounded[value] = (guint8)((value * 255 + plane->max / 2) / plane->max);
  return TRUE;
}

static guint
get_sample (const Plane *plane, int x, int y)
{
  const guint8 *row = plane->bytes + (gsize)y * plane->stride;
  if (plane->max <= 255)
    return MIN (row[x], plane->max);
  guint16 sample;
  memcpy (&sample, row + 2 * (gsize)x, sizeof sample);
  return MIN (sample, plane->max);
}

static guint
get_rounded (const Plane *plane, int x, int y)
{
  const guint sample = get_sample (plane, x, y);
  return plane->rounded ? plane->rounded[sample] : sample;
}

/* The colour before multiplication by alpha, from 0 to `max`. */
static guint
get_divided (const Planes *planes, int i, int x, int y, guint max)
{
  const guint64 alpha = get_sample (&planes->planes[ALPHA], x, y);
  const guint64 whole = alpha * planes->planes[i].max;
  const guint64 part =
      (guint64)get_sample (&planes->planes[i], x, y) * planes->planes[ALPHA].max * max;
  return whole ? (guint)MIN ((part + whole / 2) / whole, max) : 0;
}

static guint16
get_stretched (const Plane *plane, int x, int y)
{
  return (guint16)((get_sample (plane, x, y) * (guint64)65535 + plane->max / 2) / plane->max);
}

static void
put_samples (const Planes *planes, int y, guint16 *to, int width)
{
  for (int x = 0; x < width; x++, to += 4) {
    for (int i = 0; i < ALPHA; i++)
      to[i] = planes->is_multiplied ? (guint16)get_divided (planes, i, x, y, 65535)
                                    : get_stretched (&planes->planes[i], x, y);
    to[3] = planes->has_alpha ? get_stretched (&planes->planes[ALPHA], x, y) : 65535;
  }
}

static void
put_row (const Planes *planes, int y, uint32_t *row, int width)
{
  const Plane *plane = planes->planes;
  for (int x = 0; x < width; x++) {
    const guint a = planes->has_alpha ? get_rounded (&plane[ALPHA], x, y) : 255;
    if (planes->is_multiplied)
      row[x] =
          FS_PIXEL (a, get_divided (planes, RED, x, y, 255), get_divided (planes, GREEN, x, y, 255),
                    get_divided (planes, BLUE, x, y, 255));
    else
      row[x] = FS_PIXEL (a, get_rounded (&plane[RED], x, y), get_rounded (&plane[GREEN], x, y),
                         get_rounded (&plane[BLUE], x, y));
  }
}

/* The picture is what came, of which the file's boxes may have claimed something else. */
static gboolean
convert_planes (FsHeifReader *reader, FsDecoded *decoded, GError **error)
{
  g_auto (Planes) planes = { 0 };
  const int width = reader->heif->image_get_width (reader->picture, heif_channel_R);
  const int height = reader->heif->image_get_height (reader->picture, heif_channel_R);
  planes.has_alpha = reader->heif->image_has_channel (reader->picture, heif_channel_Alpha);
  planes.is_multiplied =
      planes.has_alpha && reader->heif->image_is_premultiplied_alpha (reader->picture);
  for (int i = 0; i < (planes.has_alpha ? N_PLANES : ALPHA); i++)
    if (!get_plane (reader, i, width, height, &planes.planes[i]))
      return refuse_heif (reader, FS_PHOTO_ERROR_DAMAGED,
                          _ ("is too damaged to show anything of the photo"), error);
  const FsPhotoClaim claim = { .width = (guint64)MAX (width, 0),
                               .height = (guint64)MAX (height, 0) };
  if (!fs_photo_input_admit (reader->input, &claim, error))
    return FALSE;
  reader->image = fs_photo_input_new_image (reader->input, claim.width, claim.height, error);
  if (!reader->image || !fs_photo_input_new_samples (reader->input, reader->image, error))
    return FALSE;
  for (int y = 0; y < height; y++) {
    if (y % ROWS_AT_ONCE == 0 && !fs_photo_input_go_on (reader->input, error))
      return FALSE;
    put_row (&planes, y, reader->image->pixels + (gsize)y * (gsize)width, width);
    if (reader->input->samples)
      put_samples (&planes, y, reader->input->samples + 4 * (gsize)y * (gsize)width, width);
  }
  reader->image->has_alpha = planes.has_alpha;
  decoded->bits = reader->heif->image_get_bits_per_pixel_range (reader->picture, heif_channel_R);
  decoded->image = g_steal_pointer (&reader->image);
  return TRUE;
}

/* --- Facts about it --------------------------------------------------------------------------- */

static void
take_profile (FsHeifReader *reader, FsMetadataFinds *finds)
{
  const gsize n_bytes = reader->heif->image_handle_get_raw_color_profile_size (reader->handle);
  g_autofree guint8 *bytes =
      n_bytes > 0 && n_bytes <= FS_METADATA_ICC_BYTES ? g_try_malloc (n_bytes) : NULL;
  if (bytes
      && reader->heif->image_handle_get_raw_color_profile (reader->handle, bytes).code
             == heif_error_Ok)
    fs_finds_take_icc_bytes (finds, bytes, n_bytes);
}

/* Exif begins with how many bytes come before its byte-order mark. */
static void
take_note (FsMetadataFinds *finds, const char *type, FsByteView note)
{
  guint8 bytes[4];
  if (strcmp (type, "Exif") != 0) {
    fs_finds_take_xmp (finds, note);
    return;
  }
  if (!fs_byte_view_read (note, 0, bytes, sizeof bytes))
    return;
  const guint64 n_before =
      (guint64)bytes[0] << 24 | (guint64)bytes[1] << 16 | (guint64)bytes[2] << 8 | bytes[3];
  fs_finds_take_exif (finds, fs_byte_view_slice (note, 4 + n_before, note.n_bytes));
}

static void
take_notes (FsHeifReader *reader, FsMetadataFinds *finds)
{
  enum { MAX_NOTES = 16 };
  heif_item_id ids[MAX_NOTES];
  const FsHeifLibrary *heif = reader->heif;
  const int n =
      heif->image_handle_get_list_of_metadata_block_IDs (reader->handle, NULL, ids, MAX_NOTES);
  for (int i = 0; i < n; i++) {
    FsByteSource source;
    const char *type = heif->image_handle_get_metadata_type (reader->handle, ids[i]);
    const gsize n_bytes = heif->image_handle_get_metadata_size (reader->handle, ids[i]);
    if (!type || (strcmp (type, "Exif") != 0 && strcmp (type, "mime") != 0) || n_bytes == 0
        || n_bytes > FS_METADATA_XMP_BYTES)
      continue;
    g_autofree guint8 *bytes = g_try_malloc (n_bytes);
    if (bytes
        && heif->image_handle_get_metadata (reader->handle, ids[i], bytes).code == heif_error_Ok)
      take_note (finds, type, fs_byte_source_init_memory (&source, bytes, n_bytes));
  }
}

/* sRGB is what nothing said means. */
static void
take_nclx (FsHeifReader *reader, FsPhotoMetadata *metadata)
{
  struct heif_color_profile_nclx *nclx = NULL;
  if (metadata->icc
      || reader->heif->image_handle_get_nclx_color_profile (reader->handle, &nclx).code
             != heif_error_Ok
      || !nclx)
    return;
  const int primaries = (int)nclx->color_primaries, transfer = (int)nclx->transfer_characteristics;
  if ((primaries != heif_color_primaries_ITU_R_BT_709_5
       && primaries != heif_color_primaries_unspecified)
      || (transfer != heif_transfer_characteristic_IEC_61966_2_1
          && transfer != heif_transfer_characteristic_unspecified)) {
    metadata->has_cicp = TRUE;
    metadata->cicp[0] = (guint8)primaries;
    metadata->cicp[1] = (guint8)transfer;
    metadata->cicp[2] = 0;
    metadata->cicp[3] = 1; /* of what libheif decodes it to */
  }
  reader->heif->nclx_color_profile_free (nclx);
}

static void
take_metadata (FsHeifReader *reader, FsPhotoMetadata *metadata)
{
  FsMetadataFinds finds = { .exif.wants_block = metadata->wants_block };
  take_profile (reader, &finds);
  take_notes (reader, &finds);
  fs_photo_metadata_take_finds (metadata, &finds);
  metadata->orientation = 1;
  take_nclx (reader, metadata);
}

gboolean
fs_heif_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error)
{
  g_auto (FsHeifReader) reader = { .input = input };
  if (input->wish != FS_PHOTO_IMAGE) {
    if (!open_reader (&reader, TRUE, error))
      return FALSE;
    decoded->bits = reader.heif->image_handle_get_luma_bits_per_pixel (reader.handle);
    if (!fs_photo_input_wants_pixels (input, decoded->bits))
      return TRUE;
  }
  if ((!reader.handle && !open_reader (&reader, TRUE, error)) || !check_decoder (&reader, error)
      || !fs_photo_input_go_on (input, error) || !unpack_picture (&reader, error)
      || !convert_planes (&reader, decoded, error))
    return FALSE;
  take_metadata (&reader, input->metadata);
  return TRUE;
}

void
fs_heif_read_metadata (FsPhotoInput *input, FsPhotoMetadata *metadata)
{
  g_auto (FsHeifReader) reader = { .input = input };
  if (open_reader (&reader, FALSE, NULL))
    take_metadata (&reader, metadata);
}
