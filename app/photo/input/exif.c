/* SPDX-License-Identifier: MIT */
#include "app/photo/input/exif.h"

#include <math.h>
#include <string.h>

enum {
  TAG_SUBFILE = 0x00fe,
  TAG_DESCRIPTION = 0x010e,
  TAG_ORIENTATION = 0x0112,
  TAG_X_RESOLUTION = 0x011a,
  TAG_Y_RESOLUTION = 0x011b,
  TAG_RESOLUTION_UNIT = 0x0128,
  TAG_ARTIST = 0x013b,
  TAG_XMP = 0x02bc,
  TAG_COPYRIGHT = 0x8298,
  TAG_ICC = 0x8773,
};

enum { UNIT_INCH = 2, UNIT_CENTIMETRE = 3 };

/* The directories of a TIFF that are read; as in tiff.c. */
enum { MAX_DIRECTORIES = 64 };
enum { REDUCED = 1, MASK = 4 }; /* of the subfile's type */

enum { MAX_ENTRIES = 65535, MAX_TEXT_BYTES = 64 * 1024 };

typedef struct {
  FsByteView view;
  gboolean big_endian, is_big; /* is_big: 64-bit offsets */
} Tiff;

typedef struct {
  guint tag, type;
  guint64 count;
  guint64 at; /* of its values */
} Entry;

/* State of a directory that is being read: the resolution, which is decided at its end, and which
 * large values have been read. Only the first of each is, so that many entries cannot point at one.
 */
typedef struct {
  double x, y;
  gint64 unit;
  gboolean seen_icc, seen_xmp, seen_description, seen_artist, seen_copyright;
} Directory;

static guint64
number_of (const Tiff *tiff, const guint8 *bytes, guint n_bytes)
{
  guint64 value = 0;
  for (guint i = 0; i < n_bytes; i++)
    value = value << 8 | bytes[tiff->big_endian ? i : n_bytes - 1 - i];
  return value;
}

static gboolean
read_tiff_number (const Tiff *tiff, guint64 at, guint n_bytes, guint64 *value)
{
  guint8 bytes[8];
  if (!fs_byte_view_read (tiff->view, at, bytes, n_bytes))
    return FALSE;
  *value = number_of (tiff, bytes, n_bytes);
  return TRUE;
}

/* Bytes of one value. */
static guint
type_bytes (guint type)
{
  static const guint8 n_bytes[] = { 0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8 };
  return type < G_N_ELEMENTS (n_bytes) ? n_bytes[type] : 0;
}

static gboolean
open_tiff (Tiff *tiff, FsByteView view, guint64 *directory)
{
  guint8 head[4];
  tiff->view = view;
  if (!fs_byte_view_read (view, 0, head, sizeof head)
      || (memcmp (head, "II", 2) != 0 && memcmp (head, "MM", 2) != 0))
    return FALSE;
  tiff->big_endian = head[0] == 'M';
  const guint64 version = number_of (tiff, head + 2, 2);
  tiff->is_big = version == 43;
  return (version == 42 || version == 43)
         && read_tiff_number (tiff, tiff->is_big ? 8 : 4, tiff->is_big ? 8 : 4, directory);
}

static gboolean
read_entry (const Tiff *tiff, guint64 at, Entry *entry)
{
  guint8 bytes[20];
  const guint n_word = tiff->is_big ? 8 : 4;
  if (!fs_byte_view_read (tiff->view, at, bytes, 4 + 2 * n_word))
    return FALSE;
  entry->tag = (guint)number_of (tiff, bytes, 2);
  entry->type = (guint)number_of (tiff, bytes + 2, 2);
  entry->count = number_of (tiff, bytes + 4, n_word);
  const guint n_bytes = type_bytes (entry->type);
  const gboolean is_here = n_bytes && entry->count <= n_word / n_bytes;
  entry->at = is_here ? at + 4 + n_word : number_of (tiff, bytes + 4 + n_word, n_word);
  return TRUE;
}

/* The first value as a whole number. FALSE where it is none. */
static gboolean
read_whole (const Tiff *tiff, const Entry *entry, gint64 *value)
{
  enum { BYTE = 1, SHORT = 3, LONG = 4, SBYTE = 6, UNDEFINED = 7, SSHORT = 8, SLONG = 9, IFD = 13 };
  enum { LONG8 = 16, SLONG8 = 17, IFD8 = 18 };
  guint64 bits;
  if (entry->count == 0 || !type_bytes (entry->type)
      || !read_tiff_number (tiff, entry->at, type_bytes (entry->type), &bits))
    return FALSE;
  switch (entry->type) {
  case BYTE:
  case UNDEFINED:
  case SHORT:
  case LONG:
  case IFD:
  case LONG8:
  case IFD8:
    *value = (gint64)MIN (bits, G_MAXINT64);
    return TRUE;
  case SBYTE:
    *value = (gint8)bits;
    return TRUE;
  case SSHORT:
    *value = (gint16)bits;
    return TRUE;
  case SLONG:
    *value = (gint32)bits;
    return TRUE;
  case SLONG8:
    *value = (gint64)bits;
    return TRUE;
  default:
    return FALSE;
  }
}

/* The value of a rational or an integer; 0 where it is neither, or not positive. */
static double
read_ratio (const Tiff *tiff, const Entry *entry)
{
  enum { RATIONAL = 5, SRATIONAL = 10 };
  guint64 above, below;
  gint64 whole;
  if (entry->type != RATIONAL && entry->type != SRATIONAL)
    return read_whole (tiff, entry, &whole) && whole > 0 ? (double)whole : 0;
  if (entry->count == 0 || !read_tiff_number (tiff, entry->at, 4, &above)
      || !read_tiff_number (tiff, entry->at + 4, 4, &below) || below == 0)
    return 0;
  return (double)above / (double)below;
}

static void
read_text (const Tiff *tiff, const Entry *entry, gboolean *seen, char **text)
{
  enum { BYTE = 1, ASCII = 2, UNDEFINED = 7 };
  if (*seen || *text || (entry->type != ASCII && entry->type != BYTE && entry->type != UNDEFINED))
    return;
  *seen = TRUE;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  if (fs_byte_view_append_to (fs_byte_view_slice (tiff->view, entry->at, entry->count),
                              MAX_TEXT_BYTES, bytes))
    fs_photo_metadata_set_text (text, (const char *)bytes->data, bytes->len);
}

static void
take_entry (const Tiff *tiff, const Entry *entry, FsPhotoMetadata *metadata, Directory *facts)
{
  gint64 value;
  switch (entry->tag) {
  case TAG_ORIENTATION:
    if (!metadata->orientation && read_whole (tiff, entry, &value) && value >= 1 && value <= 8)
      metadata->orientation = (int)value;
    break;
  case TAG_X_RESOLUTION:
    facts->x = read_ratio (tiff, entry);
    break;
  case TAG_Y_RESOLUTION:
    facts->y = read_ratio (tiff, entry);
    break;
  case TAG_RESOLUTION_UNIT:
    read_whole (tiff, entry, &facts->unit);
    break;
  case TAG_DESCRIPTION:
    read_text (tiff, entry, &facts->seen_description, &metadata->description);
    break;
  case TAG_ARTIST:
    read_text (tiff, entry, &facts->seen_artist, &metadata->artist);
    break;
  case TAG_COPYRIGHT:
    read_text (tiff, entry, &facts->seen_copyright, &metadata->copyright);
    break;
  default:
    break;
  }
}

static void
take_resolution (const Directory *facts, FsPhotoMetadata *metadata)
{
  const double inch = facts->unit == UNIT_INCH ? 1 : facts->unit == UNIT_CENTIMETRE ? 2.54 : 0;
  const double x = facts->x * inch, y = facts->y * inch;
  if (metadata->dpi_x > 0 || !(x > 0) || !isfinite (x) || !isfinite (y))
    return;
  metadata->dpi_x = x;
  metadata->dpi_y = y > 0 ? y : x;
}

/* Start and number of a directory's entries; bounded by the view. */
static gboolean
begin_directory (const Tiff *tiff, guint64 directory, guint64 *first, guint64 *n_entries)
{
  const guint n_count = tiff->is_big ? 8 : 2;
  if (!read_tiff_number (tiff, directory, n_count, n_entries))
    return FALSE;
  *n_entries = MIN (*n_entries, MAX_ENTRIES);
  *first = directory + n_count;
  return TRUE;
}

static guint
entry_bytes (const Tiff *tiff)
{
  return tiff->is_big ? 20 : 12;
}

void
fs_exif_read (FsByteView view, FsPhotoMetadata *metadata)
{
  Tiff tiff;
  Entry entry;
  guint64 directory, first, n_entries;
  Directory facts = { .unit = UNIT_INCH };
  if (!open_tiff (&tiff, view, &directory)
      || !begin_directory (&tiff, directory, &first, &n_entries))
    return;
  for (guint64 i = 0; i < n_entries && read_entry (&tiff, first + i * entry_bytes (&tiff), &entry);
       i++)
    take_entry (&tiff, &entry, metadata, &facts);
  take_resolution (&facts, metadata);
}

/* Sets the value of an entry to one SHORT, 1; the tag stays. */
static void
put_upright (const Tiff *tiff, guint8 *entry)
{
  static const guint8 big[] = { 0, 3, 0, 0, 0, 1, 0, 1, 0, 0 };
  static const guint8 little[] = { 3, 0, 1, 0, 0, 0, 1, 0, 0, 0 };
  memcpy (entry + 2, tiff->big_endian ? big : little, sizeof big);
}

gboolean
fs_exif_make_upright (guint8 *bytes, gsize n_bytes)
{
  enum { HEAD_BYTES = 8 };
  Tiff tiff;
  Entry entry;
  FsByteSource source;
  guint64 directory, first, n_entries;
  const FsByteView view = fs_byte_source_init_memory (&source, bytes, n_bytes);
  if (!open_tiff (&tiff, view, &directory) || tiff.is_big || directory < HEAD_BYTES
      || !begin_directory (&tiff, directory, &first, &n_entries))
    return FALSE;
  for (guint64 i = 0; i < n_entries; i++) {
    const guint64 at = first + i * entry_bytes (&tiff);
    if (!read_entry (&tiff, at, &entry))
      return FALSE;
    if (entry.tag == TAG_ORIENTATION)
      put_upright (&tiff, bytes + at);
  }
  return TRUE;
}

/* --- A TIFF ----------------------------------------------------------------------------------- */

/* The kind of a directory's picture, and the place of the next directory; 0: none. */
static gint64
look_at_directory (const Tiff *tiff, guint64 first, guint64 n_entries, guint64 *next)
{
  Entry entry;
  gint64 kind = 0;
  for (guint64 i = 0; i < n_entries && read_entry (tiff, first + i * entry_bytes (tiff), &entry);
       i++)
    if (entry.tag == TAG_SUBFILE)
      read_whole (tiff, &entry, &kind);
  if (!read_tiff_number (tiff, first + n_entries * entry_bytes (tiff), tiff->is_big ? 8 : 4, next))
    *next = 0;
  return kind;
}

static void
take_directory (const Tiff *tiff, guint64 first, guint64 n_entries, FsMetadataFinds *finds)
{
  Entry entry;
  Directory facts = { .unit = UNIT_INCH };
  for (guint64 i = 0; i < n_entries && read_entry (tiff, first + i * entry_bytes (tiff), &entry);
       i++) {
    const FsByteView value =
        fs_byte_view_slice (tiff->view, entry.at,
                            MIN (entry.count, G_MAXUINT32) * MAX (type_bytes (entry.type), 1));
    if (entry.tag == TAG_ICC && !facts.seen_icc)
      fs_finds_take_icc (finds, value);
    else if (entry.tag == TAG_XMP && !facts.seen_xmp)
      fs_finds_take_xmp (finds, value);
    else
      take_entry (tiff, &entry, &finds->exif, &facts);
    facts.seen_icc |= entry.tag == TAG_ICC;
    facts.seen_xmp |= entry.tag == TAG_XMP;
  }
  take_resolution (&facts, &finds->exif);
}

void
fs_tiff_find_metadata (FsByteView file, FsMetadataFinds *finds)
{
  Tiff tiff;
  guint64 directory, first, n_entries, next;
  if (!open_tiff (&tiff, file, &directory))
    return;
  for (int i = 0; i < MAX_DIRECTORIES && directory; i++, directory = next) {
    if (!begin_directory (&tiff, directory, &first, &n_entries))
      return;
    if (look_at_directory (&tiff, first, n_entries, &next) & (REDUCED | MASK))
      continue;
    take_directory (&tiff, first, n_entries, finds);
    return;
  }
}

/* --- A block that is found ----------------------------------------------------------------------
 */

static void
copy_block (FsPhotoMetadata *exif, FsByteView view)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  if (!exif->wants_block || exif->block || view.n_bytes == 0)
    return;
  if (view.n_bytes <= FS_METADATA_EXIF_BYTES
      && fs_byte_view_append_to (view, FS_METADATA_EXIF_BYTES, bytes)
      && fs_exif_make_upright (bytes->data, bytes->len))
    exif->block = g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
  exif->is_block_damaged = !exif->block;
}

/* Some writers put a few bytes before the name, and others something else for its last 0. */
void
fs_finds_take_exif (FsMetadataFinds *finds, FsByteView view)
{
  enum { MAX_BEFORE = 4, NAME_BYTES = 6 };
  guint8 head[MAX_BEFORE + NAME_BYTES] = { 0 };
  const FsByteView start = fs_byte_view_slice (view, 0, sizeof head);
  if (!fs_byte_view_read (start, 0, head, (gsize)start.n_bytes))
    return;
  for (guint i = 0; i <= MAX_BEFORE; i++)
    if (g_ascii_strncasecmp ((const char *)head + i, "Exif", 4) == 0 && head[i + 4] == 0) {
      view = fs_byte_view_slice (view, i + NAME_BYTES, view.n_bytes);
      break;
    }
  fs_exif_read (view, &finds->exif);
  copy_block (&finds->exif, view);
}
