/* SPDX-License-Identifier: MIT */
#include "app/photo/heif/bitstream.h"

#include <string.h>

#define HEVC FS_FOURCC ('h', 'v', 'c', '1')

/* --- Bits ------------------------------------------------------------------------------------- */

typedef struct {
  const guint8 *data;
  gsize n_bits, at;
  gboolean is_short;
} Bits;

static guint32
take_bits (Bits *bits, guint n)
{
  guint32 value = 0;
  if (bits->n_bits - bits->at < n) {
    bits->is_short = TRUE;
    bits->at = bits->n_bits;
    return 0;
  }
  for (; n > 0; n--, bits->at++)
    value = value << 1 | (bits->data[bits->at / 8] >> (7 - bits->at % 8) & 1u);
  return value;
}

static void
skip_bits (Bits *bits, guint n)
{
  for (; n > 32; n -= 32)
    take_bits (bits, 32);
  take_bits (bits, n);
}

/* An Exp-Golomb number, H.265's ue(v) and AV1's uvlc(). */
static guint32
take_golomb (Bits *bits)
{
  guint n_zeros = 0;
  while (!bits->is_short && take_bits (bits, 1) == 0)
    n_zeros++;
  if (n_zeros >= 32) {
    bits->is_short = TRUE;
    return 0;
  }
  return (1u << n_zeros) - 1 + take_bits (bits, n_zeros);
}

static void
note_size (FsHeifStream *stream, guint64 width, guint64 height, guint bits)
{
  stream->max_width = MAX (stream->max_width, width);
  stream->max_height = MAX (stream->max_height, height);
  stream->n_pixels = MAX (stream->n_pixels, width * height);
  stream->bits = MAX (stream->bits, bits);
}

/* --- HEVC ------------------------------------------------------------------------------------- */

/* The bytes before the size of a picture are few, whatever is in them. */
enum { MAX_SPS_BYTES = 512 };

/* Without the bytes that keep start codes from appearing. */
static gsize
unescape (FsHeifSpan unit, guint8 *to)
{
  gsize n = 0;
  guint n_zeros = 0;
  for (gsize i = 0; i < unit.n_bytes && n < MAX_SPS_BYTES; i++) {
    if (n_zeros >= 2 && unit.data[i] == 3) {
      n_zeros = 0;
      continue;
    }
    n_zeros = unit.data[i] == 0 ? n_zeros + 1 : 0;
    to[n++] = unit.data[i];
  }
  return n;
}

static void
skip_profile (Bits *bits, guint n_sub_layers)
{
  gboolean has_profile[8] = { FALSE }, has_level[8] = { FALSE };
  skip_bits (bits, 96);
  for (guint i = 0; i < n_sub_layers; i++) {
    has_profile[i] = (gboolean)take_bits (bits, 1);
    has_level[i] = (gboolean)take_bits (bits, 1);
  }
  if (n_sub_layers > 0)
    skip_bits (bits, 2 * (8 - n_sub_layers));
  for (guint i = 0; i < n_sub_layers; i++)
    skip_bits (bits, (has_profile[i] ? 88 : 0) + (has_level[i] ? 8 : 0));
}

/* A sequence parameter set, after the unit's header. */
static gboolean
add_sps (FsHeifStream *stream, FsHeifSpan unit)
{
  guint8 bytes[MAX_SPS_BYTES];
  Bits bits = { bytes, 8 * unescape (unit, bytes), 0, FALSE };
  skip_bits (&bits, 4);
  const guint n_sub_layers = take_bits (&bits, 3);
  skip_bits (&bits, 1);
  skip_profile (&bits, n_sub_layers);
  take_golomb (&bits);
  const guint32 chroma_format = take_golomb (&bits);
  if (chroma_format == 3)
    skip_bits (&bits, 1);
  const guint64 width = take_golomb (&bits), height = take_golomb (&bits);
  guint64 edges[4] = { 0 }; /* left, right, top, bottom, in pixels of chroma */
  if (take_bits (&bits, 1))
    for (int i = 0; i < 4; i++)
      edges[i] = take_golomb (&bits);
  const guint64 horizontal = (edges[0] + edges[1]) * (chroma_format % 3 != 0 ? 2 : 1);
  const guint64 vertical = (edges[2] + edges[3]) * (chroma_format == 1 ? 2 : 1);
  const guint32 luma = take_golomb (&bits), chroma = take_golomb (&bits);
  /* Where less than nothing is left libheif asserts. */
  if (bits.is_short || luma > 8 || chroma > 8 || horizontal >= width || vertical >= height)
    return FALSE;
  stream->width = width - horizontal;
  stream->height = height - vertical;
  note_size (stream, width, height, 8 + MAX (luma, chroma));
  return TRUE;
}

static gboolean
add_unit (FsHeifStream *stream, FsHeifSpan unit)
{
  enum { LAST_PICTURE = 31, SPS = 33, HEADER_BYTES = 2 };
  if (unit.n_bytes < HEADER_BYTES)
    return TRUE;
  const guint type = unit.data[0] >> 1 & 63;
  const guint layer = (unit.data[0] & 1u) << 5 | unit.data[1] >> 3;
  const FsHeifSpan content = { unit.data + HEADER_BYTES, unit.n_bytes - HEADER_BYTES };
  /* Other layers are views from elsewhere, which are not decoded. */
  if (layer > 0)
    return TRUE;
  if (type == SPS)
    return add_sps (stream, content);
  stream->n_pictures += type <= LAST_PICTURE && content.n_bytes > 0 && content.data[0] & 0x80;
  return TRUE;
}

/* Takes the number of a unit's bytes and the unit. */
static gboolean
take_unit (FsHeifSpan *rest, guint n_length, FsHeifSpan *unit)
{
  gsize n = 0;
  if (rest->n_bytes < n_length)
    return FALSE;
  for (guint i = 0; i < n_length; i++)
    n = n << 8 | rest->data[i];
  if (rest->n_bytes - n_length < n)
    return FALSE;
  *unit = (FsHeifSpan){ rest->data + n_length, n };
  *rest = (FsHeifSpan){ rest->data + n_length + n, rest->n_bytes - n_length - n };
  return TRUE;
}

static gboolean
add_hevc_settings (FsHeifStream *stream, FsHeifSpan box)
{
  enum { HEADER_BYTES = 22 };
  if (box.n_bytes <= HEADER_BYTES)
    return FALSE;
  const guint n_arrays = box.data[HEADER_BYTES];
  FsHeifSpan rest = { box.data + HEADER_BYTES + 1, box.n_bytes - HEADER_BYTES - 1 };
  for (guint i = 0; i < n_arrays; i++) {
    if (rest.n_bytes < 3)
      return FALSE;
    const guint n_units = (guint)rest.data[1] << 8 | rest.data[2];
    rest = (FsHeifSpan){ rest.data + 3, rest.n_bytes - 3 };
    for (guint k = 0; k < n_units; k++) {
      FsHeifSpan unit;
      if (!take_unit (&rest, 2, &unit) || !add_unit (stream, unit))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
add_hevc_data (FsHeifStream *stream, FsHeifSpan data)
{
  while (data.n_bytes > 0) {
    FsHeifSpan unit;
    if (!take_unit (&data, 4, &unit) || !add_unit (stream, unit))
      return FALSE;
  }
  return TRUE;
}

/* --- AV1 -------------------------------------------------------------------------------------- */

typedef struct {
  gboolean has_model;
  guint n_delay; /* bits of a delay */
} Model;

static void
skip_timing (Bits *bits, Model *model)
{
  if (!take_bits (bits, 1))
    return;
  skip_bits (bits, 64);
  if (take_bits (bits, 1))
    take_golomb (bits);
  model->has_model = (gboolean)take_bits (bits, 1);
  if (!model->has_model)
    return;
  model->n_delay = take_bits (bits, 5) + 1;
  skip_bits (bits, 32 + 5 + 5);
}

static void
skip_operating_points (Bits *bits)
{
  Model model = { FALSE, 0 };
  skip_timing (bits, &model);
  const gboolean has_delay = (gboolean)take_bits (bits, 1);
  const guint n_points = take_bits (bits, 5) + 1;
  for (guint i = 0; i < n_points; i++) {
    skip_bits (bits, 12);
    if (take_bits (bits, 5) > 7)
      skip_bits (bits, 1);
    if (model.has_model && take_bits (bits, 1))
      skip_bits (bits, 2 * model.n_delay + 1);
    if (has_delay && take_bits (bits, 1))
      skip_bits (bits, 4);
  }
}

static void
skip_tools (Bits *bits, gboolean is_reduced)
{
  enum { CHOSEN_LATER = 2 };
  skip_bits (bits, 3);
  if (!is_reduced) {
    skip_bits (bits, 4);
    const gboolean has_order = (gboolean)take_bits (bits, 1);
    if (has_order)
      skip_bits (bits, 2);
    const guint screen = take_bits (bits, 1) ? CHOSEN_LATER : take_bits (bits, 1);
    if (screen > 0 && !take_bits (bits, 1))
      skip_bits (bits, 1);
    if (has_order)
      skip_bits (bits, 3);
  }
  skip_bits (bits, 3);
}

/* A frame may say another size than the sequence's, of as many bits. */
static gboolean
add_sequence (FsHeifStream *stream, FsHeifSpan unit)
{
  Bits bits = { unit.data, 8 * unit.n_bytes, 0, FALSE };
  const guint profile = take_bits (&bits, 3);
  skip_bits (&bits, 1);
  const gboolean is_reduced = (gboolean)take_bits (&bits, 1);
  if (is_reduced)
    skip_bits (&bits, 5);
  else
    skip_operating_points (&bits);
  const guint n_width = take_bits (&bits, 4) + 1, n_height = take_bits (&bits, 4) + 1;
  const guint64 width = (guint64)take_bits (&bits, n_width) + 1;
  const guint64 height = (guint64)take_bits (&bits, n_height) + 1;
  if (!is_reduced && take_bits (&bits, 1))
    skip_bits (&bits, 4 + 3);
  skip_tools (&bits, is_reduced);
  const gboolean is_deep = (gboolean)take_bits (&bits, 1);
  if (bits.is_short)
    return FALSE;
  stream->width = width;
  stream->height = height;
  note_size (stream, is_reduced ? width : G_GUINT64_CONSTANT (1) << n_width,
             is_reduced ? height : G_GUINT64_CONSTANT (1) << n_height,
             is_deep ? (profile == 2 ? 12 : 10) : 8);
  return TRUE;
}

/* A number of up to eight bytes of seven bits. */
static gboolean
take_leb128 (FsHeifSpan *rest, guint64 *value)
{
  *value = 0;
  for (guint i = 0; i < 8 && rest->n_bytes > 0; i++) {
    const guint8 byte = *rest->data;
    *rest = (FsHeifSpan){ rest->data + 1, rest->n_bytes - 1 };
    *value |= (guint64)(byte & 0x7f) << 7 * i;
    if (!(byte & 0x80))
      return TRUE;
  }
  return FALSE;
}

static gboolean
add_av1_data (FsHeifStream *stream, FsHeifSpan data)
{
  enum { SEQUENCE = 1, FRAME_HEADER = 3, FRAME = 6, HAS_EXTENSION = 4, HAS_SIZE = 2 };
  while (data.n_bytes > 0) {
    const guint8 header = *data.data;
    const guint n_header = header & HAS_EXTENSION ? 2 : 1;
    if (data.n_bytes < n_header)
      return FALSE;
    data = (FsHeifSpan){ data.data + n_header, data.n_bytes - n_header };
    guint64 n = data.n_bytes;
    if ((header & HAS_SIZE && !take_leb128 (&data, &n)) || n > data.n_bytes)
      return FALSE;
    const guint type = header >> 3 & 15;
    if (type == SEQUENCE && !add_sequence (stream, (FsHeifSpan){ data.data, (gsize)n }))
      return FALSE;
    stream->n_pictures += type == FRAME_HEADER || type == FRAME;
    data = (FsHeifSpan){ data.data + n, data.n_bytes - (gsize)n };
  }
  return TRUE;
}

/* ---------------------------------------------------------------------------------------------- */

gboolean
fs_heif_stream_add_settings (FsHeifStream *stream, guint32 type, FsHeifSpan box)
{
  enum { AV1_HEADER_BYTES = 4 };
  if (type == HEVC)
    return add_hevc_settings (stream, box);
  return box.n_bytes >= AV1_HEADER_BYTES
         && add_av1_data (stream, (FsHeifSpan){ box.data + AV1_HEADER_BYTES,
                                                box.n_bytes - AV1_HEADER_BYTES });
}

gboolean
fs_heif_stream_add_data (FsHeifStream *stream, guint32 type, FsHeifSpan data)
{
  return type == HEVC ? add_hevc_data (stream, data) : add_av1_data (stream, data);
}
