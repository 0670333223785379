/* SPDX-License-Identifier: MIT */
#include "app/exif_write.h"

#include <string.h>

enum { ASCII = 2, SHORT = 3, RATIONAL = 5 };
enum { HEAD_BYTES = 8, ENTRY_BYTES = 12, MAX_ENTRIES = 6 };

typedef struct {
  guint16 tag, type;
  const char *text; /* of ASCII */
  double number;    /* of the others */
} Entry;

static void
append (GByteArray *bytes, guint32 value, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++) {
    const guint8 byte = (guint8)(value >> 8 * i);
    g_byte_array_append (bytes, &byte, 1);
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

/* What is too long for an entry goes to `values`, which begins at `start`. */
static void
append_entry (GByteArray *bytes, const Entry *entry, GByteArray *values, guint32 start)
{
  const guint32 n_text = entry->text ? (guint32)strlen (entry->text) + 1 : 0;
  append (bytes, entry->tag, 2);
  append (bytes, entry->type, 2);
  append (bytes, entry->text ? n_text : 1, 4);
  if (entry->type == SHORT) {
    append (bytes, (guint32)entry->number, 4);
  } else if (entry->text && n_text <= 4) {
    char inside[4] = "";
    memcpy (inside, entry->text, n_text);
    g_byte_array_append (bytes, (const guint8 *)inside, 4);
  } else {
    append (bytes, start + values->len, 4);
    if (entry->text) {
      g_byte_array_append (values, (const guint8 *)entry->text, n_text);
    } else {
      append (values, (guint32)(MIN (entry->number, 1e6) * 1000 + 0.5), 4);
      append (values, 1000, 4);
    }
    if (values->len % 2)
      append (values, 0, 1);
  }
}

GByteArray *
fs_exif_write (const FsPhotoMetadata *metadata)
{
  Entry entries[MAX_ENTRIES];
  const guint n = list_entries (metadata, entries);
  if (n == 0)
    return NULL;
  GByteArray *bytes = g_byte_array_new ();
  g_autoptr (GByteArray) values = g_byte_array_new ();
  const guint32 start = HEAD_BYTES + 2 + n * ENTRY_BYTES + 4;
  g_byte_array_append (bytes, (const guint8 *)"II*\0", 4);
  append (bytes, HEAD_BYTES, 4);
  append (bytes, n, 2);
  for (guint i = 0; i < n; i++)
    append_entry (bytes, &entries[i], values, start);
  append (bytes, 0, 4);
  g_byte_array_append (bytes, values->data, values->len);
  return bytes;
}
