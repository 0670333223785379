/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/webp.h"
#include "app/photo/input/orient.h"

#include <glib/gi18n.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

/* Between two looks at whether the user has given up. */
#define BYTES_AT_ONCE (32 * 1024)

/* libwebp's memory per pixel: without loss its own copy of the picture, else less. */
#define WORK_BYTES_PER_PIXEL 4

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define PIXEL_COLOUR_SPACE MODE_BGRA
#else
#define PIXEL_COLOUR_SPACE MODE_ARGB
#endif

typedef struct {
  FsPhotoInput *input;
  guint8 *bytes; /* the whole file */
  gsize n_bytes;
  WebPDemuxer *demuxer;
  WebPIterator frame; /* the first one */
  gboolean has_frame;
  FsImage *image;
} FsWebpReader;

static void
clear_reader (FsWebpReader *reader)
{
  if (reader->has_frame)
    WebPDemuxReleaseIterator (&reader->frame);
  if (reader->demuxer)
    WebPDemuxDelete (reader->demuxer);
  g_free (reader->bytes);
  fs_image_unref (reader->image);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsWebpReader, clear_reader)

static gboolean
refuse_webp (FsWebpReader *reader, FsPhotoError code, const char *reason, GError **error)
{
  fs_photo_input_refuse (reader->input, error, code, "%s", reason);
  return FALSE;
}

static gboolean
find_frame (FsWebpReader *reader)
{
  WebPDemuxState state;
  const WebPData data = { reader->bytes, reader->n_bytes };
  reader->demuxer = WebPDemuxPartial (&data, &state);
  reader->has_frame = reader->demuxer && state >= WEBP_DEMUX_PARSED_HEADER
                      && WebPDemuxGetFrame (reader->demuxer, 1, &reader->frame);
  return reader->has_frame;
}

static gboolean
admit_webp (FsWebpReader *reader, GError **error)
{
  FsPhotoClaim claim = { .width = WebPDemuxGetI (reader->demuxer, WEBP_FF_CANVAS_WIDTH),
                         .height = WebPDemuxGetI (reader->demuxer, WEBP_FF_CANVAS_HEIGHT) };
  /* Sides end at 2²⁴. */
  const guint64 n_pixels = claim.width * claim.height;
  claim.work_bytes = reader->n_bytes + n_pixels * WORK_BYTES_PER_PIXEL;
  if (fs_orientation_swaps (reader->input->metadata->orientation))
    claim.work_bytes += n_pixels * sizeof (uint32_t);
  if (!fs_photo_input_admit (reader->input, &claim, error))
    return FALSE;
  const WebPIterator *frame = &reader->frame;
  if (frame->width < 1 || frame->height < 1 || frame->x_offset < 0 || frame->y_offset < 0
      || (guint64)frame->x_offset + (guint64)frame->width > claim.width
      || (guint64)frame->y_offset + (guint64)frame->height > claim.height)
    return refuse_webp (reader, FS_PHOTO_ERROR_DAMAGED, _ ("is damaged before its picture begins"),
                        error);
  reader->image = fs_photo_input_new_image (reader->input, claim.width, claim.height, error);
  if (reader->image
      && ((guint64)frame->width < claim.width || (guint64)frame->height < claim.height))
    memset (reader->image->pixels, 0, (gsize)n_pixels * sizeof (uint32_t));
  return reader->image != NULL;
}

/* Feeds the decoder; returns what it said last. FALSE in `*going` where the user gave up. */
static VP8StatusCode
feed_decoder (FsWebpReader *reader, WebPIDecoder *decoder, gboolean *going, GError **error)
{
  const WebPData data = reader->frame.fragment;
  VP8StatusCode status = VP8_STATUS_SUSPENDED;
  for (gsize n = 0; n < data.size && status == VP8_STATUS_SUSPENDED;) {
    *going = fs_photo_input_go_on (reader->input, error);
    if (!*going)
      break;
    n = MIN (n + BYTES_AT_ONCE, data.size);
    status = WebPIUpdate (decoder, data.bytes, n);
  }
  *going = *going && fs_photo_input_go_on (reader->input, error);
  return status;
}

/* The frame's destination. */
static uint32_t *
frame_origin (FsWebpReader *reader)
{
  const gsize row = (gsize)reader->frame.y_offset * (gsize)reader->image->width;
  return reader->image->pixels + row + reader->frame.x_offset;
}

/* Rows of the frame from `n_rows` on did not come. */
static void
fill_missing (FsWebpReader *reader, int n_rows)
{
  for (int y = n_rows; y < reader->frame.height; y++)
    for (int x = 0; x < reader->frame.width; x++)
      frame_origin (reader)[(gsize)y * (gsize)reader->image->width + (gsize)x] =
          FS_PIXEL (255, 128, 128, 128);
}

/* A picture without loss may hold alpha that it denies. */
static void
drop_alpha (FsWebpReader *reader)
{
  for (int y = 0; y < reader->frame.height; y++) {
    uint32_t *row = frame_origin (reader) + (gsize)y * (gsize)reader->image->width;
    for (int x = 0; x < reader->frame.width; x++)
      row[x] |= 0xff000000u;
  }
}

static gboolean
decode_frame (FsWebpReader *reader, FsDecoded *decoded, GError **error)
{
  const WebPIterator *frame = &reader->frame;
  WebPDecoderConfig config;
  int n_rows = 0;
  gboolean going = TRUE;
  if (!WebPInitDecoderConfig (&config)
      || WebPGetFeatures (frame->fragment.bytes, frame->fragment.size, &config.input)
             != VP8_STATUS_OK
      || config.input.width != frame->width || config.input.height != frame->height)
    return refuse_webp (reader, FS_PHOTO_ERROR_DAMAGED, _ ("is damaged before its picture begins"),
                        error);
  const gsize stride = (gsize)reader->image->width * sizeof (uint32_t);
  config.output.colorspace = PIXEL_COLOUR_SPACE;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = (guint8 *)frame_origin (reader);
  config.output.u.RGBA.stride = (int)stride;
  config.output.u.RGBA.size =
      (gsize)(frame->height - 1) * stride + (gsize)frame->width * sizeof (uint32_t);
  WebPIDecoder *decoder = WebPIDecode (NULL, 0, &config);
  if (!decoder)
    return refuse_webp (reader, FS_PHOTO_ERROR_LIMIT, _ ("there is not enough memory to open it"),
                        error);
  const VP8StatusCode status = feed_decoder (reader, decoder, &going, error);
  if (!WebPIDecGetRGB (decoder, &n_rows, NULL, NULL, NULL))
    n_rows = 0;
  WebPIDelete (decoder);
  if (!going)
    return FALSE;
  if (status == VP8_STATUS_OUT_OF_MEMORY)
    return refuse_webp (reader, FS_PHOTO_ERROR_LIMIT, _ ("there is not enough memory to open it"),
                        error);
  if (status != VP8_STATUS_OK && n_rows < 1)
    return refuse_webp (reader, FS_PHOTO_ERROR_DAMAGED,
                        _ ("is too damaged to show anything of the photo"), error);
  if (status != VP8_STATUS_OK) {
    fill_missing (reader, n_rows);
    decoded->damage = status == VP8_STATUS_SUSPENDED
                          ? _ ("the file ends early; what is missing is grey")
                          : _ ("the file is damaged; parts of the photo are missing or wrong");
  }
  if (!config.input.has_alpha)
    drop_alpha (reader);
  reader->image->has_alpha = config.input.has_alpha || frame->width < reader->image->width
                             || frame->height < reader->image->height;
  return TRUE;
}

gboolean
fs_webp_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error)
{
  g_auto (FsWebpReader) reader = { .input = input };
  reader.bytes = fs_photo_input_read_whole (input, &reader.n_bytes, error);
  if (!reader.bytes)
    return FALSE;
  if (!find_frame (&reader))
    return refuse_webp (&reader, FS_PHOTO_ERROR_DAMAGED, _ ("is damaged before its picture begins"),
                        error);
  if (!admit_webp (&reader, error) || !decode_frame (&reader, decoded, error))
    return FALSE;
  decoded->bits = 8;
  decoded->image = g_steal_pointer (&reader.image);
  return TRUE;
}
