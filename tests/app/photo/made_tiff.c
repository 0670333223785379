/* SPDX-License-Identifier: MIT */
#include "tests/app/photo/made_files.h"

/* Of tiles. */
enum { SIDE = 16, ENTRY_BYTES = 12 };

enum { SHORT = 3, LONG = 4, UNDEFINED = 7 };

typedef struct {
  const MadeTiff *spec;
  GByteArray *bytes;
  GArray *at, *length; /* of blocks: guint32 */
} Writer;

static void
append (Writer *writer, guint32 value, int n_bytes)
{
  for (int i = 0; i < n_bytes; i++) {
    const int shift = 8 * (writer->spec->big_endian ? n_bytes - 1 - i : i);
    const uint8_t byte = (uint8_t)(value >> shift);
    g_byte_array_append (writer->bytes, &byte, 1);
  }
}

static void
append_entry (Writer *writer, guint tag, guint type, guint32 n, guint32 value)
{
  append (writer, tag, 2);
  append (writer, type, 2);
  append (writer, n, 4);
  append (writer, value, type == SHORT && n == 1 ? 2 : 4);
  if (type == SHORT && n == 1)
    append (writer, 0, 2);
}

uint8_t
made_alpha (int x, int y)
{
  return (uint8_t)(x * 7 + y * 13);
}

static guint32
sample_of (const MadeTiff *spec, int x, int y, int i)
{
  const uint32_t colour = made_colour (x, y, spec->width, spec->height);
  const guint32 alpha = made_alpha (x, y);
  const gboolean with_alpha = spec->n_samples % 2 == 0;
  guint32 value = alpha;
  if (!with_alpha || i < spec->n_samples - 1) {
    value = spec->n_samples <= 2 ? colour >> 8 & 0xff : colour >> (16 - 8 * i) & 0xff;
    if (with_alpha && spec->extra == 1)
      value = (value * alpha + 127) / 255;
  }
  return spec->bits == 16 ? MIN (value * 257 + 140, 65535) : value;
}

/* One sample, or all where `plane` is −1. Beyond the picture there are zeros. */
static void
append_block (Writer *writer, int x0, int y0, int width, int height, int plane)
{
  const MadeTiff *spec = writer->spec;
  const guint32 start = writer->bytes->len;
  for (int y = y0; y < y0 + height; y++)
    for (int x = x0; x < x0 + width; x++)
      for (int i = MAX (plane, 0); i < (plane < 0 ? spec->n_samples : plane + 1); i++)
        append (writer, x < spec->width && y < spec->height ? sample_of (spec, x, y, i) : 0,
                spec->bits / 8);
  const guint32 length = writer->bytes->len - start;
  g_array_append_val (writer->at, start);
  g_array_append_val (writer->length, length);
}

static void
append_blocks (Writer *writer)
{
  const MadeTiff *spec = writer->spec;
  const int width = spec->tiled ? SIDE : spec->width;
  const int height = spec->tiled ? SIDE : spec->rows ? spec->rows : spec->height;
  for (int plane = spec->planar ? 0 : -1; plane < (spec->planar ? spec->n_samples : 0); plane++)
    for (int y = 0; y < spec->height; y += height)
      for (int x = 0; x < spec->width; x += width)
        append_block (writer, x, y, width, spec->tiled ? height : MIN (height, spec->height - y),
                      plane);
}

static guint32
append_list (Writer *writer, const GArray *list)
{
  const guint32 at = writer->bytes->len;
  for (guint i = 0; i < list->len; i++)
    append (writer, g_array_index (list, guint32, i), 4);
  return at;
}

/* Where things outside of the directory lie. */
typedef struct {
  guint32 bits, profile, offsets, lengths;
} Places;

static guint
append_directory (Writer *writer, const Places *places)
{
  const MadeTiff *spec = writer->spec;
  const guint start = writer->bytes->len;
  const guint32 n_blocks = writer->at->len, n = (guint32)spec->n_samples;
  append (writer, 0, 2);
  append_entry (writer, 256, SHORT, 1, (guint32)spec->width);
  append_entry (writer, 257, SHORT, 1, (guint32)spec->height);
  /* Two fit into the entry. */
  append_entry (writer, 258, SHORT, n,
                n == 1   ? (guint32)spec->bits
                : n == 2 ? (guint32)spec->bits * 0x10001
                         : places->bits);
  append_entry (writer, 259, SHORT, 1, spec->compression ? (guint32)spec->compression : 1);
  append_entry (writer, 262, SHORT, 1, n <= 2 ? 1 : 2);
  if (!spec->tiled)
    append_entry (writer, 273, LONG, n_blocks,
                  n_blocks == 1 ? g_array_index (writer->at, guint32, 0) : places->offsets);
  append_entry (writer, 274, SHORT, 1, spec->orientation ? (guint32)spec->orientation : 1);
  append_entry (writer, 277, SHORT, 1, n);
  if (!spec->tiled) {
    append_entry (writer, 278, LONG, 1, (guint32)(spec->rows ? spec->rows : spec->height));
    append_entry (writer, 279, LONG, n_blocks,
                  n_blocks == 1 ? g_array_index (writer->length, guint32, 0) : places->lengths);
  }
  append_entry (writer, 284, SHORT, 1, spec->planar ? 2 : 1);
  if (spec->tiled) {
    append_entry (writer, 322, SHORT, 1, SIDE);
    append_entry (writer, 323, SHORT, 1, SIDE);
    append_entry (writer, 324, LONG, n_blocks,
                  n_blocks == 1 ? g_array_index (writer->at, guint32, 0) : places->offsets);
    append_entry (writer, 325, LONG, n_blocks,
                  n_blocks == 1 ? g_array_index (writer->length, guint32, 0) : places->lengths);
  }
  if (n % 2 == 0)
    append_entry (writer, 338, SHORT, 1, (guint32)spec->extra);
  if (spec->profile)
    append_entry (writer, 34675, UNDEFINED, (guint32)spec->n_profile, places->profile);
  append (writer, 0, 4);
  return (writer->bytes->len - start - 6) / ENTRY_BYTES;
}

/* Everything, with the places and blocks that an earlier pass has found. */
static void
write_all (Writer *writer, Places *places)
{
  const MadeTiff *spec = writer->spec;
  g_byte_array_append (writer->bytes, (const guint8 *)(spec->big_endian ? "MM" : "II"), 2);
  append (writer, 42, 2);
  append (writer, 8, 4);
  const guint n_entries = append_directory (writer, places);
  writer->bytes->data[spec->big_endian ? 9 : 8] = (guint8)n_entries;
  places->bits = writer->bytes->len;
  for (int i = 0; i < spec->n_samples; i++)
    append (writer, (guint32)spec->bits, 2);
  places->profile = writer->bytes->len;
  if (spec->profile)
    g_byte_array_append (writer->bytes, spec->profile, (guint)spec->n_profile);
  places->offsets = append_list (writer, writer->at);
  places->lengths = append_list (writer, writer->length);
  g_array_set_size (writer->at, 0);
  g_array_set_size (writer->length, 0);
  append_blocks (writer);
}

GByteArray *
made_tiff (const MadeTiff *spec)
{
  Writer writer = { spec, NULL, g_array_new (FALSE, FALSE, sizeof (guint32)),
                    g_array_new (FALSE, FALSE, sizeof (guint32)) };
  Places places = { 0 };
  /* Once for how many blocks there are, once for where they are, once to say so. */
  for (int pass = 0; pass < 3; pass++) {
    if (writer.bytes)
      g_byte_array_unref (writer.bytes);
    writer.bytes = g_byte_array_new ();
    write_all (&writer, &places);
  }
  g_array_unref (writer.at);
  g_array_unref (writer.length);
  return writer.bytes;
}
