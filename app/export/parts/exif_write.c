/* SPDX-License-Identifier: MIT */
#include "app/export/parts/exif_write.h"

#include "app/photo/input/exif.h"

#include <string.h>

enum { ASCII = 2, SHORT = 3, RATIONAL = 5 };
enum { HEAD_BYTES = 8, ENTRY_BYTES = 12, MAX_ENTRIES = 6 };

typedef struct {
  guint16 tag, type;
  const char *text; /* of ASCII */
  double number;    /* of the others */
} Entry;

/* The output, in byte order. */
typedef struct {
  GByteArray *bytes;
  gboolean big_endian;
} Writer;

static void
append_value (const Writer *writer, guint32 value, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++) {
    const guint8 byte = (guint8)(value >> 8 * (writer->big_endian ? n_bytes - 1 - i : i));
    g_byte_array_append (writer->bytes, &byte, 1);
  }
}

static guint
list_entries (const FsPhotoMetadata *metadata, Entry entries[MAX_ENTRIES])
{
  guint n = 0;
  if (metadata->description)
    entries[n++] = (Entry){ 0x010e, ASCII, metadata->description, 0 };
  if (metadata->dpi_x > 0 && metadata->dpi_y > 0) {
    entries[n++] = (Entry){ 0x011a, RATIONAL, NULL, metadata->dpi_x };
    entries[n++] = (Entry){ 0x011b, RATIONAL, NULL, metadata->dpi_y };
    entries[n++] = (Entry){ 0x0128, SHORT, NULL, 2 };
  }
  if (metadata->artist)
    entries[n++] = (Entry){ 0x013b, ASCII, metadata->artist, 0 };
  if (metadata->copyright)
    entries[n++] = (Entry){ 0x8298, ASCII, metadata->copyright, 0 };
  return n;
}

/* A value too long for an entry goes to `values`, which begins at `start`. */
static void
append_entry (const Writer *writer, const Entry *entry, const Writer *values, guint32 start)
{
  const guint32 n_text = entry->text ? (guint32)strlen (entry->text) + 1 : 0;
  append_value (writer, entry->tag, 2);
  append_value (writer, entry->type, 2);
  append_value (writer, entry->text ? n_text : 1, 4);
  if (entry->type == SHORT) {
    append_value (writer, (guint32)entry->number, 2);
    append_value (writer, 0, 2);
  } else if (entry->text && n_text <= 4) {
    char inside[4] = "";
    memcpy (inside, entry->text, n_text);
    g_byte_array_append (writer->bytes, (const guint8 *)inside, 4);
  } else {
    append_value (writer, start + values->bytes->len, 4);
    if (entry->text) {
      g_byte_array_append (values->bytes, (const guint8 *)entry->text, n_text);
    } else {
      append_value (values, (guint32)(MIN (entry->number, 1e6) * 1000 + 0.5), 4);
      append_value (values, 1000, 4);
    }
    if (values->bytes->len % 2)
      append_value (values, 0, 1);
  }
}

GByteArray *
fs_exif_write (const FsPhotoMetadata *metadata)
{
  Entry entries[MAX_ENTRIES];
  const guint n = list_entries (metadata, entries);
  if (n == 0)
    return NULL;
  g_autoptr (GByteArray) rest = g_byte_array_new ();
  const Writer writer = { g_byte_array_new (), FALSE }, values = { rest, FALSE };
  const guint32 start = HEAD_BYTES + 2 + n * ENTRY_BYTES + 4;
  g_byte_array_append (writer.bytes, (const guint8 *)"II*\0", 4);
  append_value (&writer, HEAD_BYTES, 4);
  append_value (&writer, n, 2);
  for (guint i = 0; i < n; i++)
    append_entry (&writer, &entries[i], &values, start);
  append_value (&writer, 0, 4);
  g_byte_array_append (writer.bytes, rest->data, rest->len);
  return writer.bytes;
}

/* --- A photo's block -------------------------------------------------------------------------- */

static guint32
number_at (const GByteArray *block, gboolean big_endian, guint at, guint n_bytes)
{
  guint32 value = 0;
  for (guint i = 0; i < n_bytes; i++)
    value = value << 8 | block->data[at + (big_endian ? i : n_bytes - 1 - i)];
  return value;
}

static guint
list_missing (const FsPhotoMetadata *metadata, const GByteArray *block, Entry entries[MAX_ENTRIES])
{
  FsByteSource source;
  g_autoptr (FsPhotoMetadata) said = fs_photo_metadata_new ();
  fs_exif_read (fs_byte_source_init_memory (&source, block->data, block->len), said);
  const FsPhotoMetadata missing = { .dpi_x = said->dpi_x > 0 ? 0 : metadata->dpi_x,
                                    .dpi_y = metadata->dpi_y,
                                    .artist = said->artist ? NULL : metadata->artist,
                                    .copyright = said->copyright ? NULL : metadata->copyright,
                                    .description =
                                        said->description ? NULL : metadata->description };
  return list_entries (&missing, entries);
}

/* Sorted by tag where the block's entries are; those of the same tags, which say nothing, go. */
static guint
append_directory (const Writer *writer, const GByteArray *block, guint at, const Entry *missing,
                  guint n_missing, const Writer *values, guint32 start)
{
  guint n = 0, next = 0;
  const gboolean big_endian = writer->big_endian;
  const guint n_own = number_at (block, big_endian, at, 2);
  for (guint i = 0; i < n_own; i++) {
    const guint own_at = at + 2 + i * ENTRY_BYTES;
    const guint tag = number_at (block, big_endian, own_at, 2);
    gboolean is_replaced = FALSE;
    for (guint k = 0; k < n_missing; k++)
      is_replaced |= missing[k].tag == tag;
    for (; next < n_missing && missing[next].tag <= tag; next++, n++)
      append_entry (writer, &missing[next], values, start);
    if (is_replaced)
      continue;
    g_byte_array_append (writer->bytes, block->data + own_at, ENTRY_BYTES);
    n++;
  }
  for (; next < n_missing; next++, n++)
    append_entry (writer, &missing[next], values, start);
  return n;
}

/* A new first directory is put behind the block, so that no offset in it changes. */
GByteArray *
fs_exif_complete_block (const FsPhotoMetadata *metadata)
{
  gsize n_bytes;
  Entry missing[MAX_ENTRIES];
  const guint8 *bytes = g_bytes_get_data (metadata->block, &n_bytes);
  GByteArray *block = g_byte_array_new ();
  g_byte_array_append (block, bytes, (guint)n_bytes);
  const guint n_missing = list_missing (metadata, block, missing);
  const gboolean big_endian = bytes[0] == 'M';
  const guint at = number_at (block, big_endian, 4, 4);
  const guint n_own = number_at (block, big_endian, at, 2);
  if (n_missing == 0 || n_own + n_missing > G_MAXUINT16)
    return block;

  g_autoptr (GByteArray) rest = g_byte_array_new ();
  g_autoptr (GByteArray) entries = g_byte_array_new ();
  g_autoptr (GByteArray) numbers = g_byte_array_new ();
  const Writer values = { rest, big_endian }, directory = { entries, big_endian };
  const Writer end = { block, big_endian }, head = { numbers, big_endian };
  const guint next_at = at + 2 + n_own * ENTRY_BYTES;
  const guint32 next = next_at + 4 <= block->len ? number_at (block, big_endian, next_at, 4) : 0;
  if (block->len % 2)
    append_value (&end, 0, 1);
  append_value (&head, block->len, 4);
  memcpy (block->data + 4, numbers->data, 4);
  /* If entries go, a few bytes lie unused before the values. */
  const guint32 start = block->len + 2 + (n_own + n_missing) * ENTRY_BYTES + 4;
  append_value (&end, 0, 2);
  const guint n = append_directory (&directory, block, at, missing, n_missing, &values, start);
  g_byte_array_set_size (numbers, 0);
  append_value (&head, n, 2);
  memcpy (block->data + block->len - 2, numbers->data, 2);
  g_byte_array_append (block, entries->data, entries->len);
  append_value (&end, next, 4);
  while (block->len < start)
    append_value (&end, 0, 1);
  g_byte_array_append (block, rest->data, rest->len);
  return block;
}
