/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/png_metadata.h"

#include "app/photo/input/exif.h"

#include <string.h>
#include <zlib.h>

/* Source: PNG (3rd edition), 5.3 and 11.3; "Raw profile type …" as ImageMagick writes it;
 * ExifTool's documentation for who writes what. All chunks are walked over, before and after the
 * picture, and their checksums are not looked at. */
enum { FIRST_AT = 8, HEAD_BYTES = 8, SUM_BYTES = 4, MAX_KEY_BYTES = 80 };

enum { MAX_TEXT_BYTES = 64 * 1024, UNPACK_AT_ONCE = 64 * 1024 };

#define RAW_KEY "Raw profile type "

typedef struct {
  FsMetadataFinds *finds;
  FsByteView chunk;
  char key[MAX_KEY_BYTES + 1];
  gboolean is_packed, is_utf8;
} Text;

static guint32
read_be32 (const guint8 *bytes)
{
  return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

/* --- Unpacking -------------------------------------------------------------------------------- */

/* Feeds the stream from the view; FALSE at its end. */
static gboolean
refill_stream (z_stream *stream, FsByteView view, guint64 *at, guint8 *from, gsize n_from)
{
  const gsize n = (gsize)MIN (n_from, view.n_bytes - *at);
  if (n == 0 || !fs_byte_view_read (view, *at, from, n))
    return FALSE;
  *at += n;
  stream->next_in = from;
  stream->avail_in = (uInt)n;
  return TRUE;
}

/* At most `max_bytes`, of what can be unpacked; more would not be looked at. */
static void
unpack_text (FsMetadataFinds *finds, FsByteView view, gsize max_bytes, GByteArray *to)
{
  guint8 from[4096];
  guint64 at = 0;
  int state = Z_OK;
  z_stream stream = { 0 };
  max_bytes = MIN (max_bytes, finds->unpacked_left);
  if (inflateInit (&stream) != Z_OK)
    return;
  while (state == Z_OK && to->len < max_bytes) {
    if (stream.avail_in == 0 && !refill_stream (&stream, view, &at, from, sizeof from))
      break;
    const guint n_before = to->len;
    const guint capacity = (guint)MIN (max_bytes - n_before, UNPACK_AT_ONCE);
    g_byte_array_set_size (to, n_before + capacity);
    stream.next_out = to->data + n_before;
    stream.avail_out = capacity;
    state = inflate (&stream, Z_NO_FLUSH);
    g_byte_array_set_size (to, n_before + capacity - stream.avail_out);
    if (state == Z_BUF_ERROR && stream.avail_in == 0)
      state = Z_OK;
  }
  inflateEnd (&stream);
  finds->unpacked_left -= to->len;
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* The bytes of a text's raw profile in hexadecimal: after the first line, which is its name, and
 * the second, its length. */
static void
read_digits (const GByteArray *text, GByteArray *to)
{
  guint i = 0;
  for (int line = 0; line < 2; line++) {
    while (i < text->len && g_ascii_isspace ((char)text->data[i]))
      i++;
    while (i < text->len && text->data[i] != '\n')
      i++;
  }
  int high = -1;
  for (; i < text->len; i++) {
    const int digit = g_ascii_xdigit_value ((char)text->data[i]);
    if (digit < 0)
      continue;
    const guint8 byte = (guint8)(MAX (high, 0) * 16 + digit);
    if (high >= 0)
      g_byte_array_append (to, &byte, 1);
    high = high < 0 ? digit : -1;
  }
}

static void
take_raw (FsMetadataFinds *finds, const GByteArray *text)
{
  static const char xmp_name[29] = "http://ns.adobe.com/xap/1.0/";
  FsByteSource source;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  read_digits (text, bytes);
  const FsByteView view = fs_byte_source_init_memory (&source, bytes->data, bytes->len);
  if (bytes->len > 40 && memcmp (bytes->data + 36, "acsp", 4) == 0)
    fs_finds_take_icc (finds, view);
  else if (bytes->len > sizeof xmp_name && memcmp (bytes->data, xmp_name, sizeof xmp_name) == 0)
    fs_finds_take_xmp (finds, fs_byte_view_slice (view, sizeof xmp_name, view.n_bytes));
  else if (bytes->len > 0 && (bytes->data[0] == '<' || bytes->data[0] == 0xef))
    fs_finds_take_xmp (finds, view);
  else
    fs_finds_take_exif (finds, view);
}

static char **
plain_text (FsMetadataFinds *finds, const char *key)
{
  if (strcmp (key, "Author") == 0)
    return &finds->own.artist;
  if (strcmp (key, "Copyright") == 0)
    return &finds->own.copyright;
  return strcmp (key, "Description") == 0 ? &finds->own.description : NULL;
}

static void
take_text (Text *text)
{
  FsMetadataFinds *finds = text->finds;
  char **plain = plain_text (finds, text->key);
  const gboolean is_raw = g_str_has_prefix (text->key, RAW_KEY);
  const gboolean is_xmp = strcmp (text->key, "XML:com.adobe.xmp") == 0;
  if (!is_raw && !is_xmp && (!plain || *plain))
    return;
  const gsize max_bytes = is_xmp   ? FS_METADATA_XMP_BYTES
                          : is_raw ? FS_METADATA_XMP_BYTES * 2
                                   : MAX_TEXT_BYTES;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  if (text->is_packed)
    unpack_text (finds, text->chunk, max_bytes, bytes);
  else if (!fs_byte_view_append_to (text->chunk, max_bytes, bytes))
    return;
  FsByteSource source;
  if (is_raw)
    take_raw (finds, bytes);
  else if (is_xmp)
    fs_finds_take_xmp (finds, fs_byte_source_init_memory (&source, bytes->data, bytes->len));
  else
    fs_photo_metadata_set_text (plain, (const char *)bytes->data, bytes->len);
}

/* Cuts the key off the chunk. */
static gboolean
take_key (Text *text)
{
  const FsByteView start = fs_byte_view_slice (text->chunk, 0, MAX_KEY_BYTES);
  memset (text->key, 0, sizeof text->key);
  if (!fs_byte_view_read (start, 0, text->key, (gsize)start.n_bytes))
    return FALSE;
  const gsize n = strlen (text->key);
  text->chunk = fs_byte_view_slice (text->chunk, n + 1, text->chunk.n_bytes);
  return n < start.n_bytes;
}

/* Up to the next 0, and over it. */
static void
skip_word (Text *text)
{
  guint8 byte;
  guint64 at = 0;
  while (at < MAX_TEXT_BYTES && fs_byte_view_read (text->chunk, at, &byte, 1) && byte != 0)
    at++;
  text->chunk = fs_byte_view_slice (text->chunk, at + 1, text->chunk.n_bytes);
}

static void
read_text (FsMetadataFinds *finds, const guint8 *type, FsByteView chunk)
{
  guint8 flags[2] = { 0 };
  Text text = { .finds = finds, .chunk = chunk };
  if (!take_key (&text))
    return;
  if (memcmp (type, "zTXt", 4) == 0) {
    text.is_packed = TRUE;
    text.chunk = fs_byte_view_slice (text.chunk, 1, text.chunk.n_bytes);
  } else if (memcmp (type, "iTXt", 4) == 0) {
    if (!fs_byte_view_read (text.chunk, 0, flags, 2))
      return;
    text.is_packed = flags[0] != 0;
    text.chunk = fs_byte_view_slice (text.chunk, 2, text.chunk.n_bytes);
    skip_word (&text);
    skip_word (&text);
  }
  take_text (&text);
}

/* --- Colours, resolution ---------------------------------------------------------------------- */

/* Unpacks no more than the profile says that it has. */
static void
read_profile (FsMetadataFinds *finds, FsByteView chunk)
{
  Text text = { .finds = finds, .chunk = chunk };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  if (finds->icc || !take_key (&text))
    return;
  const FsByteView packed = fs_byte_view_slice (text.chunk, 1, text.chunk.n_bytes);
  unpack_text (finds, packed, 4, bytes);
  if (bytes->len < 4)
    return;
  const guint32 n_bytes = read_be32 (bytes->data);
  g_byte_array_set_size (bytes, 0);
  unpack_text (finds, packed, MIN (n_bytes, FS_METADATA_ICC_BYTES), bytes);
  fs_finds_take_icc_bytes (finds, bytes->data, bytes->len);
}

static void
read_density (FsPhotoMetadata *own, FsByteView chunk)
{
  enum { METRE = 1 };
  guint8 bytes[9];
  if (own->dpi_x > 0 || !fs_byte_view_read (chunk, 0, bytes, sizeof bytes) || bytes[8] != METRE)
    return;
  const guint32 x = read_be32 (bytes), y = read_be32 (bytes + 4);
  if (x == 0 || y == 0)
    return;
  own->dpi_x = x * 0.0254;
  own->dpi_y = y * 0.0254;
}

static void
read_chromaticities (FsPngColour *png, FsByteView chunk)
{
  guint8 bytes[4 * G_N_ELEMENTS (png->chrm)];
  if (png->has_chrm || !fs_byte_view_read (chunk, 0, bytes, sizeof bytes))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (png->chrm); i++)
    png->chrm[i] = read_be32 (bytes + 4 * i);
  png->has_chrm = TRUE;
}

static void
read_colour (FsPhotoMetadata *own, const guint8 *type, FsByteView chunk)
{
  guint8 bytes[4];
  FsPngColour *png = &own->png;
  if (memcmp (type, "gAMA", 4) == 0 && !png->has_gama && fs_byte_view_read (chunk, 0, bytes, 4)) {
    png->has_gama = TRUE;
    png->gama = read_be32 (bytes);
  } else if (memcmp (type, "cHRM", 4) == 0) {
    read_chromaticities (png, chunk);
  } else if (memcmp (type, "sRGB", 4) == 0 && !png->has_srgb) {
    png->has_srgb = fs_byte_view_read (chunk, 0, &png->srgb, 1);
  } else if (memcmp (type, "cICP", 4) == 0 && !own->has_cicp) {
    own->has_cicp = fs_byte_view_read (chunk, 0, own->cicp, sizeof own->cicp);
  }
}

static void
read_chunk (FsMetadataFinds *finds, const guint8 *type, FsByteView chunk)
{
  if (memcmp (type, "iCCP", 4) == 0)
    read_profile (finds, chunk);
  else if (memcmp (type, "eXIf", 4) == 0)
    fs_finds_take_exif (finds, chunk);
  else if (memcmp (type, "pHYs", 4) == 0)
    read_density (&finds->own, chunk);
  else if (memcmp (type + 1, "TXt", 3) == 0 || memcmp (type, "tEXt", 4) == 0)
    read_text (finds, type, chunk);
  else
    read_colour (&finds->own, type, chunk);
}

void
fs_png_find_metadata (FsByteView file, FsMetadataFinds *finds)
{
  guint8 head[HEAD_BYTES];
  finds->own_dpi_first = TRUE;
  for (guint64 at = FIRST_AT; fs_byte_view_read (file, at, head, sizeof head);) {
    const guint64 n = read_be32 (head);
    if (memcmp (head + 4, "IEND", 4) == 0)
      return;
    if (memcmp (head + 4, "IDAT", 4) != 0)
      read_chunk (finds, head + 4, fs_byte_view_slice (file, at + HEAD_BYTES, n));
    at += HEAD_BYTES + n + SUM_BYTES;
  }
}
