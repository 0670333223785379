/* SPDX-License-Identifier: MIT */
#include "app/photo/heif/boxes.h"

#include <string.h>

/* As many as libheif follows. */
enum { MAX_EXTENTS = 32, MAX_PROPERTIES = 32767 };

enum { MAX_REFERENCES = 8192, MAX_SETTINGS = 4 };

/* --- Bytes ------------------------------------------------------------------------------------ */

typedef struct {
  const guint8 *at, *end;
  gboolean is_short; /* more was wanted than there is */
} Cursor;

typedef struct {
  guint32 type;
  const guint8 *start; /* of its header */
  FsHeifSpan content;
} Box;

static gsize
n_left (const Cursor *cursor)
{
  return (gsize)(cursor->end - cursor->at);
}

static Cursor
cursor_of (FsHeifSpan span)
{
  return (Cursor){ span.data, span.data + span.n_bytes, FALSE };
}

/* A big-endian number of 0 … 8 bytes. */
static guint64
take_bytes (Cursor *cursor, guint n_bytes)
{
  guint64 value = 0;
  if (n_left (cursor) < n_bytes) {
    cursor->is_short = TRUE;
    cursor->at = cursor->end;
    return 0;
  }
  for (guint i = 0; i < n_bytes; i++)
    value = value << 8 | *cursor->at++;
  return value;
}

/* The version of a full box; its flags in `*flags`. */
static guint
take_version (Cursor *cursor, guint32 *flags)
{
  const guint32 both = (guint32)take_bytes (cursor, 4);
  if (flags)
    *flags = both & 0xffffff;
  return both >> 24;
}

/* The next box, clipped to what is there; `*is_whole` says whether it had to be. FALSE: its header
 * makes no sense. A box of all the rest is taken at the top only. */
static gboolean
take_box (Cursor *cursor, gboolean at_top, Box *box, gboolean *is_whole)
{
  box->start = cursor->at;
  guint64 n_bytes = take_bytes (cursor, 4);
  box->type = (guint32)take_bytes (cursor, 4);
  if (n_bytes == 1)
    n_bytes = take_bytes (cursor, 8);
  else if (n_bytes == 0 && at_top)
    n_bytes = (guint64)(cursor->end - box->start);
  if (box->type == FS_FOURCC ('u', 'u', 'i', 'd')) {
    take_bytes (cursor, 8);
    take_bytes (cursor, 8);
  }
  const guint64 n_header = (guint64)(cursor->at - box->start);
  if (cursor->is_short || n_bytes < n_header)
    return FALSE;
  *is_whole = n_bytes - n_header <= n_left (cursor);
  box->content.data = cursor->at;
  box->content.n_bytes = *is_whole ? (gsize)(n_bytes - n_header) : n_left (cursor);
  cursor->at += box->content.n_bytes;
  return TRUE;
}

/* Within a box others must be whole. */
static gboolean
take_child (Cursor *cursor, Box *box)
{
  gboolean is_whole;
  return take_box (cursor, FALSE, box, &is_whole) && is_whole;
}

/* --- Items and references --------------------------------------------------------------------- */

static void
item_free (gpointer data)
{
  FsHeifItem *item = data;
  g_array_unref (item->settings);
  g_array_unref (item->extents);
  g_free (item);
}

static void
reference_clear (gpointer data)
{
  FsHeifReference *reference = data;
  g_array_unref (reference->to);
}

FsHeifItem *
fs_heif_boxes_find (const FsHeifBoxes *boxes, guint32 id)
{
  return g_hash_table_lookup (boxes->items, GUINT_TO_POINTER (id));
}

/* Parses the entry of a note: name, type, encoding. */
static gboolean
is_deflated (Cursor cursor)
{
  static const char packing[] = "deflate";
  for (int i = 0; i < 2; i++) {
    const guint8 *end = memchr (cursor.at, 0, n_left (&cursor));
    if (!end)
      return FALSE;
    cursor.at = end + 1;
  }
  return n_left (&cursor) >= strlen (packing) && memcmp (cursor.at, packing, strlen (packing)) == 0;
}

static gboolean
read_item (FsHeifBoxes *boxes, FsHeifSpan span)
{
  Cursor cursor = cursor_of (span);
  const guint version = take_version (&cursor, NULL);
  const guint32 id = (guint32)take_bytes (&cursor, version >= 3 ? 4 : 2);
  take_bytes (&cursor, 2);
  const guint32 type = version >= 2 ? (guint32)take_bytes (&cursor, 4) : 0;
  if (cursor.is_short || fs_heif_boxes_find (boxes, id))
    return FALSE;
  FsHeifItem *item = g_new0 (FsHeifItem, 1);
  item->id = id;
  item->type = type;
  item->is_packed = type == FS_FOURCC ('m', 'i', 'm', 'e') && is_deflated (cursor);
  item->settings = g_array_new (FALSE, FALSE, sizeof (FsHeifSpan));
  item->extents = g_array_new (FALSE, FALSE, sizeof (FsHeifSpan));
  g_hash_table_insert (boxes->items, GUINT_TO_POINTER (id), item);
  return TRUE;
}

static FsHeifSoundness
read_items (FsHeifBoxes *boxes, FsHeifSpan span)
{
  Cursor cursor = cursor_of (span);
  Box box;
  take_bytes (&cursor, take_version (&cursor, NULL) > 0 ? 4 : 2);
  while (n_left (&cursor) > 0) {
    if (!take_child (&cursor, &box))
      return FS_HEIF_UNSOUND;
    if (box.type != FS_FOURCC ('i', 'n', 'f', 'e'))
      continue;
    if (g_hash_table_size (boxes->items) >= FS_HEIF_MAX_ITEMS)
      return FS_HEIF_TOO_MANY;
    if (!read_item (boxes, box.content))
      return FS_HEIF_UNSOUND;
  }
  return FS_HEIF_SOUND;
}

/* libheif takes the next reference to begin where the last one's items end, whatever size its box
 * claims. */
static gboolean
read_references (FsHeifBoxes *boxes, FsHeifSpan span)
{
  Cursor cursor = cursor_of (span);
  const guint n_id = take_version (&cursor, NULL) > 0 ? 4 : 2;
  Box box;
  while (n_left (&cursor) > 0) {
    if (boxes->references->len >= MAX_REFERENCES || !take_child (&cursor, &box))
      return FALSE;
    Cursor inner = cursor_of (box.content);
    FsHeifReference reference = { box.type, (guint32)take_bytes (&inner, n_id), NULL };
    const guint n_to = (guint)take_bytes (&inner, 2);
    if (inner.is_short || n_left (&inner) != (gsize)n_to * n_id)
      return FALSE;
    reference.to = g_array_new (FALSE, FALSE, sizeof (guint32));
    for (guint i = 0; i < n_to; i++) {
      const guint32 to = (guint32)take_bytes (&inner, n_id);
      g_array_append_val (reference.to, to);
    }
    g_array_append_val (boxes->references, reference);
  }
  return TRUE;
}

/* --- Where the items are ---------------------------------------------------------------------- */

typedef struct {
  guint n_offset, n_length, n_base, n_index; /* bytes of each number */
  FsHeifSpan file, idat;
} Places;

static gboolean
is_number_size (guint n_bytes)
{
  return n_bytes == 0 || n_bytes == 4 || n_bytes == 8;
}

/* `method`: 0: in the file, 1: in the box idat; libheif opens no other. */
static FsHeifSoundness
read_extents (FsHeifItem *item, Cursor *cursor, const Places *places, guint method)
{
  const FsHeifSpan within = method == 0 ? places->file : places->idat;
  const guint64 base = take_bytes (cursor, places->n_base);
  const guint n_extents = (guint)take_bytes (cursor, 2);
  if (n_extents > MAX_EXTENTS || method > 1)
    return FS_HEIF_UNSOUND;
  for (guint i = 0; i < n_extents; i++) {
    take_bytes (cursor, places->n_index);
    const guint64 offset = take_bytes (cursor, places->n_offset);
    const guint64 length = take_bytes (cursor, places->n_length);
    guint64 start, end;
    if (cursor->is_short)
      return FS_HEIF_UNSOUND;
    if (!g_uint64_checked_add (&start, base, offset) || !g_uint64_checked_add (&end, start, length)
        || end > within.n_bytes || !within.data)
      return FS_HEIF_ENDS;
    const FsHeifSpan span = { within.data + start, (gsize)length };
    if (item)
      g_array_append_val (item->extents, span);
  }
  return FS_HEIF_SOUND;
}

static FsHeifSoundness
read_places (FsHeifBoxes *boxes, FsHeifSpan span, FsHeifSpan file, FsHeifSpan idat)
{
  Cursor cursor = cursor_of (span);
  const guint version = take_version (&cursor, NULL);
  const guint sizes = (guint)take_bytes (&cursor, 2);
  const Places places = {
    sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15, version > 1 ? sizes & 15 : 0, file, idat
  };
  const guint64 n_items = take_bytes (&cursor, version < 2 ? 2 : 4);
  if (cursor.is_short || !is_number_size (places.n_offset) || !is_number_size (places.n_length)
      || !is_number_size (places.n_base) || !is_number_size (places.n_index))
    return FS_HEIF_UNSOUND;
  if (n_items > FS_HEIF_MAX_ITEMS)
    return FS_HEIF_TOO_MANY;
  for (guint64 i = 0; i < n_items; i++) {
    FsHeifItem *item =
        fs_heif_boxes_find (boxes, (guint32)take_bytes (&cursor, version < 2 ? 2 : 4));
    const guint method = version >= 1 ? take_bytes (&cursor, 2) & 15 : 0;
    take_bytes (&cursor, 2);
    if (cursor.is_short || (item && item->extents->len > 0))
      return FS_HEIF_UNSOUND;
    const FsHeifSoundness soundness = read_extents (item, &cursor, &places, method);
    if (soundness != FS_HEIF_SOUND)
      return soundness;
  }
  return FS_HEIF_SOUND;
}

/* --- Properties ------------------------------------------------------------------------------- */

/* Fractions beyond these make libheif's own arithmetic overflow. */
static gboolean
is_sound_crop (FsHeifSpan span)
{
  Cursor cursor = cursor_of (span);
  for (int i = 0; i < 4; i++) {
    const gint32 numerator = (gint32)take_bytes (&cursor, 4);
    const gint32 denominator = (gint32)take_bytes (&cursor, 4);
    if (denominator < 1 || denominator > 255 || ABS ((gint64)numerator) > 1 << 24)
      return FALSE;
    if (i < 2 && numerator < denominator)
      return FALSE;
  }
  return !cursor.is_short;
}

static gboolean
give_property (FsHeifItem *item, const Box *box)
{
  Cursor cursor = cursor_of (box->content);
  switch (box->type) {
  case FS_FOURCC ('i', 's', 'p', 'e'):
    take_bytes (&cursor, 4);
    item->width = (guint32)take_bytes (&cursor, 4);
    item->height = (guint32)take_bytes (&cursor, 4);
    return !cursor.is_short;
  case FS_FOURCC ('i', 'r', 'o', 't'):
  case FS_FOURCC ('i', 'm', 'i', 'r'):
    item->is_turned = TRUE;
    return TRUE;
  case FS_FOURCC ('c', 'l', 'a', 'p'):
    item->is_turned = TRUE;
    return is_sound_crop (box->content);
  case FS_FOURCC ('h', 'v', 'c', 'C'):
  case FS_FOURCC ('a', 'v', '1', 'C'):
    g_array_append_val (item->settings, box->content);
    return item->settings->len <= MAX_SETTINGS;
  default:
    return TRUE;
  }
}

static gboolean
read_associations (FsHeifBoxes *boxes, FsHeifSpan span, const GArray *properties)
{
  Cursor cursor = cursor_of (span);
  guint32 flags;
  const guint n_id = take_version (&cursor, &flags) > 0 ? 4 : 2;
  const guint n_index = flags & 1 ? 2 : 1;
  const guint64 n_entries = take_bytes (&cursor, 4);
  for (guint64 i = 0; i < n_entries && !cursor.is_short; i++) {
    FsHeifItem *item = fs_heif_boxes_find (boxes, (guint32)take_bytes (&cursor, n_id));
    const guint n_given = (guint)take_bytes (&cursor, 1);
    for (guint k = 0; k < n_given; k++) {
      const guint index = (guint)take_bytes (&cursor, n_index) & (n_index == 2 ? 0x7fff : 0x7f);
      if (cursor.is_short || index > properties->len)
        return FALSE;
      if (item && index > 0 && !give_property (item, &g_array_index (properties, Box, index - 1)))
        return FALSE;
    }
  }
  return !cursor.is_short;
}

static gboolean
read_properties (FsHeifBoxes *boxes, FsHeifSpan span)
{
  Cursor cursor = cursor_of (span);
  Box ipco, box;
  g_autoptr (GArray) properties = g_array_new (FALSE, FALSE, sizeof (Box));
  if (!take_child (&cursor, &ipco) || ipco.type != FS_FOURCC ('i', 'p', 'c', 'o'))
    return FALSE;
  Cursor inner = cursor_of (ipco.content);
  while (n_left (&inner) > 0) {
    if (properties->len >= MAX_PROPERTIES || !take_child (&inner, &box))
      return FALSE;
    g_array_append_val (properties, box);
  }
  while (n_left (&cursor) > 0)
    if (!take_child (&cursor, &box) || box.type == FS_FOURCC ('i', 'p', 'c', 'o')
        || (box.type == FS_FOURCC ('i', 'p', 'm', 'a')
            && !read_associations (boxes, box.content, properties)))
      return FALSE;
  return TRUE;
}

/* --- The file --------------------------------------------------------------------------------- */

typedef struct {
  FsHeifSpan pitm, iinf, iloc, iref, iprp, idat; /* data: NULL where there is none */
} Meta;

static FsHeifSpan *
slot_of (Meta *meta, guint32 type)
{
  switch (type) {
  case FS_FOURCC ('p', 'i', 't', 'm'):
    return &meta->pitm;
  case FS_FOURCC ('i', 'i', 'n', 'f'):
    return &meta->iinf;
  case FS_FOURCC ('i', 'l', 'o', 'c'):
    return &meta->iloc;
  case FS_FOURCC ('i', 'r', 'e', 'f'):
    return &meta->iref;
  case FS_FOURCC ('i', 'p', 'r', 'p'):
    return &meta->iprp;
  case FS_FOURCC ('i', 'd', 'a', 't'):
    return &meta->idat;
  default:
    return NULL;
  }
}

/* Each at most once. */
static gboolean
find_boxes (FsHeifSpan span, Meta *meta)
{
  Cursor cursor = cursor_of (span);
  take_version (&cursor, NULL);
  while (n_left (&cursor) > 0) {
    Box box;
    if (!take_child (&cursor, &box))
      return FALSE;
    FsHeifSpan *slot = slot_of (meta, box.type);
    if (slot && slot->data)
      return FALSE;
    if (slot)
      *slot = box.content;
  }
  return meta->pitm.data && meta->iinf.data && meta->iloc.data && meta->iprp.data;
}

static FsHeifSoundness
read_meta (FsHeifBoxes *boxes, FsHeifSpan span, FsHeifSpan file)
{
  Meta meta = { 0 };
  if (!find_boxes (span, &meta))
    return FS_HEIF_UNSOUND;
  Cursor cursor = cursor_of (meta.pitm);
  boxes->primary = (guint32)take_bytes (&cursor, take_version (&cursor, NULL) > 0 ? 4 : 2);
  FsHeifSoundness soundness = read_items (boxes, meta.iinf);
  if (soundness == FS_HEIF_SOUND
      && (cursor.is_short || (meta.iref.data && !read_references (boxes, meta.iref))
          || !read_properties (boxes, meta.iprp)))
    soundness = FS_HEIF_UNSOUND;
  return soundness == FS_HEIF_SOUND ? read_places (boxes, meta.iloc, file, meta.idat) : soundness;
}

FsHeifSoundness
fs_heif_boxes_read (FsHeifBoxes *boxes, const guint8 *bytes, gsize n_bytes)
{
  const FsHeifSpan file = { bytes, n_bytes };
  Cursor cursor = cursor_of (file);
  FsHeifSpan meta = { 0 };
  *boxes = (FsHeifBoxes){ 0 };
  boxes->items = g_hash_table_new_full (NULL, NULL, NULL, item_free);
  boxes->references = g_array_new (FALSE, FALSE, sizeof (FsHeifReference));
  g_array_set_clear_func (boxes->references, reference_clear);
  while (n_left (&cursor) > 0) {
    Box box;
    gboolean is_whole;
    if (!take_box (&cursor, TRUE, &box, &is_whole)) {
      /* Behind the picture some cameras put what is no box. */
      if (meta.data)
        break;
      return cursor.is_short ? FS_HEIF_ENDS : FS_HEIF_UNSOUND;
    }
    boxes->n_box_bytes += 16;
    if (box.type != FS_FOURCC ('m', 'e', 't', 'a'))
      continue;
    if (meta.data || !is_whole)
      return meta.data ? FS_HEIF_UNSOUND : FS_HEIF_ENDS;
    meta = box.content;
    boxes->n_box_bytes += meta.n_bytes;
  }
  return meta.data ? read_meta (boxes, meta, file) : FS_HEIF_NONE;
}

void
fs_heif_boxes_clear (FsHeifBoxes *boxes)
{
  g_clear_pointer (&boxes->items, g_hash_table_unref);
  g_clear_pointer (&boxes->references, g_array_unref);
}
