/* SPDX-License-Identifier: MIT */
#include "app/photo/heif/bitstream.h"
#include "app/photo/heif/size_check.h"

#include <glib/gi18n.h>

enum { HEVC = FS_FOURCC ('h', 'v', 'c', '1'), AV1 = FS_FOURCC ('a', 'v', '0', '1') };
enum { GRID = FS_FOURCC ('g', 'r', 'i', 'd'), SAME = FS_FOURCC ('i', 'd', 'e', 'n') };

/* The levels of items: a picture, its tile, the tile's alpha. */
enum { MAX_DEPTH = 3 };

/* The largest number of coded pictures in one item: a few layers. More would be a film. */
enum { MAX_PICTURES = 8 };

/* libheif's objects for a byte of boxes, and what deflate makes of a byte. */
enum { OBJECT_BYTES = 32, MAX_UNPACKED = 1032 };

/* libheif unpacks so many tiles at a time. */
enum { TILES_AT_ONCE = 4 };

/* libheif multiplies two of a picture's sides, in 31 bits, where it crops or scales. */
enum { MAX_SIDE = 46340 };

/* The limit of all pixels unpacked for one photo, as a multiple of the pixel limit of photos: tiles
 * extend beyond the edge, and there are alpha and depth planes. */
enum { MAX_PARALLEL = 8 };

typedef struct {
  guint depth; /* the greatest at which the item was visited */
  /* A coded picture: its pixels, and if its size is the one that the item states. */
  guint64 n_pixels;
  gboolean is_as_said;
} Visit;

typedef struct {
  FsPhotoInput *input;
  FsHeifBoxes boxes;
  GHashTable *visits; /* id → Visit */
  FsHeifCost cost;
  guint n_tiles; /* of the grid that has most */
  guint bits;    /* at most, of a sample      */
  /* The pixels of the largest coded picture, the bytes to unpack it, the pixels of the largest
   * grid. */
  guint64 n_packed_pixels, n_unpack_bytes, n_grid_pixels;
  guint64 n_all_pixels;          /* that are unpacked, one time or another */
  guint64 max_width, max_height; /* that anything has */
} FsHeifWalk;

static void
walk_clear (FsHeifWalk *walk)
{
  fs_heif_boxes_clear (&walk->boxes);
  g_clear_pointer (&walk->visits, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsHeifWalk, walk_clear)

static gboolean
refuse_heif_size (FsHeifWalk *walk, const char *reason, GError **error)
{
  fs_photo_input_refuse (walk->input, error, FS_PHOTO_ERROR_DAMAGED, "%s", reason);
  return FALSE;
}

static gboolean
refuse_damaged (FsHeifWalk *walk, GError **error)
{
  return refuse_heif_size (walk, _ ("is damaged before its picture begins"), error);
}

static gboolean
refuse_kind (FsHeifWalk *walk, guint32 type, GError **error)
{
  char name[] = { (char)(type >> 24), (char)(type >> 16), (char)(type >> 8), (char)type, 0 };
  for (int i = 0; i < 4; i++)
    if (!g_ascii_isalnum (name[i]))
      name[i] = '?';
  fs_photo_input_refuse (walk->input, error, FS_PHOTO_ERROR_FORMAT,
                         _ ("holds a kind of HEIF picture that is not opened here (%s)"), name);
  return FALSE;
}

static void
note_sides (FsHeifWalk *walk, guint64 width, guint64 height)
{
  walk->max_width = MAX (walk->max_width, width);
  walk->max_height = MAX (walk->max_height, height);
}

static gboolean
check_sides (const FsHeifWalk *walk, GError **error)
{
  const int max_side_px = MIN (walk->input->limits.max_side_px, MAX_SIDE);
  if (MAX (walk->max_width, walk->max_height) <= (guint64)max_side_px)
    return TRUE;
  fs_photo_input_refuse (walk->input, error, FS_PHOTO_ERROR_LIMIT,
                         _ ("claims %llu × %llu pixels; at most %d a side are opened"),
                         (unsigned long long)walk->max_width, (unsigned long long)walk->max_height,
                         max_side_px);
  return FALSE;
}

static gboolean visit_item (FsHeifWalk *walk, guint32 id, guint depth, GError **error);

static gboolean
visit_packed (FsHeifWalk *walk, const FsHeifItem *item, Visit *it, GError **error)
{
  FsHeifStream stream = { 0 };
  gboolean is_sound = item->extents->len > 0 && item->settings->len > 0;
  for (guint i = 0; is_sound && i < item->settings->len; i++)
    is_sound = fs_heif_stream_add_settings (&stream, item->type,
                                            g_array_index (item->settings, FsHeifSpan, i));
  /* Nobody splits a picture but into its layers, each of whole units. */
  for (guint i = 0; is_sound && i < item->extents->len; i++)
    is_sound =
        fs_heif_stream_add_data (&stream, item->type, g_array_index (item->extents, FsHeifSpan, i));
  if (!is_sound || stream.n_pictures > MAX_PICTURES || stream.n_pixels > G_MAXINT32)
    return refuse_damaged (walk, error);
  const guint64 n_sample = stream.bits > 8 ? 2 : 1;
  /* The decoder's pictures with what it keeps beside them, and libheif's copy. */
  const guint64 n_bytes =
      stream.n_pixels * ((3 * n_sample + 1) * MAX (stream.n_pictures, 1) + 3 * n_sample);
  walk->cost.has_hevc |= item->type == HEVC;
  walk->cost.has_av1 |= item->type == AV1;
  walk->bits = MAX (walk->bits, stream.bits);
  walk->n_unpack_bytes = MAX (walk->n_unpack_bytes, n_bytes);
  walk->n_packed_pixels = MAX (walk->n_packed_pixels, stream.n_pixels);
  note_sides (walk, stream.max_width, stream.max_height);
  it->n_pixels = stream.n_pixels;
  it->is_as_said = stream.width == item->width && stream.height == item->height && !item->is_turned;
  return TRUE;
}

/* The sources of a derived picture: the first such reference, as libheif takes it. */
static const GArray *
find_sources (const FsHeifWalk *walk, guint32 id)
{
  for (guint i = 0; i < walk->boxes.references->len; i++) {
    const FsHeifReference *it = &g_array_index (walk->boxes.references, FsHeifReference, i);
    if (it->from == id && it->type == FS_FOURCC ('d', 'i', 'm', 'g'))
      return it->to;
  }
  return NULL;
}

static guint64
read_big_endian (const guint8 *bytes, guint n_bytes)
{
  guint64 value = 0;
  for (guint i = 0; i < n_bytes; i++)
    value = value << 8 | bytes[i];
  return value;
}

/* Reads the few bytes of a grid item: the number of its tiles, and the size of the picture. */
static gboolean
read_grid (FsHeifWalk *walk, const FsHeifItem *item, guint *n_tiles)
{
  if (item->extents->len != 1)
    return FALSE;
  const FsHeifSpan span = g_array_index (item->extents, FsHeifSpan, 0);
  const guint n_side = span.n_bytes > 1 && span.data[1] & 1 ? 4 : 2;
  if (span.n_bytes < 4 + 2 * n_side)
    return FALSE;
  *n_tiles = (span.data[2] + 1u) * (span.data[3] + 1u);
  const guint64 width = read_big_endian (span.data + 4, n_side);
  const guint64 height = read_big_endian (span.data + 4 + n_side, n_side);
  note_sides (walk, width, height);
  walk->n_grid_pixels = MAX (walk->n_grid_pixels, width * height);
  return width <= G_MAXINT32 && height <= G_MAXINT32;
}

/* libheif puts tiles side by side as their items say and writes each one wholly, at the same time
 * as others: those that lie about their size, or differ in it, would be written over each other. */
static gboolean
is_even (const FsHeifWalk *walk, const GArray *tiles)
{
  const FsHeifItem *first = fs_heif_boxes_find (&walk->boxes, g_array_index (tiles, guint32, 0));
  for (guint i = 0; i < tiles->len; i++) {
    const guint32 id = g_array_index (tiles, guint32, i);
    const FsHeifItem *tile = fs_heif_boxes_find (&walk->boxes, id);
    const Visit *it = g_hash_table_lookup (walk->visits, GUINT_TO_POINTER (id));
    if (!it->is_as_said || tile->width != first->width || tile->height != first->height)
      return FALSE;
  }
  return TRUE;
}

static gboolean
visit_derived (FsHeifWalk *walk, const FsHeifItem *item, guint depth, GError **error)
{
  const GArray *sources = find_sources (walk, item->id);
  guint n_tiles = 1;
  if (!sources || (item->type == GRID && !read_grid (walk, item, &n_tiles))
      || sources->len != n_tiles)
    return refuse_damaged (walk, error);
  for (guint i = 0; i < n_tiles; i++) {
    const guint32 id = g_array_index (sources, guint32, i);
    const FsHeifItem *source = fs_heif_boxes_find (&walk->boxes, id);
    if (!source)
      return refuse_damaged (walk, error);
    if (source->type != HEVC && source->type != AV1)
      return refuse_kind (walk, source->type, error);
    if (!visit_item (walk, id, depth + 1, error))
      return FALSE;
  }
  walk->cost.has_odd_tiles |= !is_even (walk, sources);
  walk->n_tiles = MAX (walk->n_tiles, n_tiles);
  return TRUE;
}

/* Alpha, and what else belongs to a picture and is not distinguished from it here. */
static gboolean
visit_auxiliary (FsHeifWalk *walk, guint32 id, guint depth, GError **error)
{
  for (guint i = 0; i < walk->boxes.references->len; i++) {
    const FsHeifReference *it = &g_array_index (walk->boxes.references, FsHeifReference, i);
    if (it->type == FS_FOURCC ('a', 'u', 'x', 'l') && it->to->len == 1
        && g_array_index (it->to, guint32, 0) == id
        && !visit_item (walk, it->from, depth + 1, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
visit_item (FsHeifWalk *walk, guint32 id, guint depth, GError **error)
{
  const FsHeifItem *item = fs_heif_boxes_find (&walk->boxes, id);
  Visit *it = g_hash_table_lookup (walk->visits, GUINT_TO_POINTER (id));
  if (!item || depth > MAX_DEPTH)
    return refuse_damaged (walk, error);
  /* Circles end at the greatest depth; what was visited from deeper can be left. */
  if (it && it->depth >= depth) {
    walk->n_all_pixels += it->n_pixels;
    return TRUE;
  }
  if (!it) {
    it = g_new0 (Visit, 1);
    g_hash_table_insert (walk->visits, GUINT_TO_POINTER (id), it);
  }
  it->depth = depth;
  gboolean done;
  if (item->type == HEVC || item->type == AV1)
    done = visit_packed (walk, item, it, error);
  else if (item->type == GRID || item->type == SAME)
    done = visit_derived (walk, item, depth, error);
  else
    return refuse_kind (walk, item->type, error);
  walk->n_all_pixels += it->n_pixels;
  return done && visit_auxiliary (walk, id, depth, error);
}

/* Bytes that libheif copies of all items, needed or not. */
static guint64
count_copies (const FsHeifBoxes *boxes)
{
  guint64 n_bytes = 0;
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init (&iter, boxes->items);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    const FsHeifItem *item = value;
    for (guint i = 0; i < item->extents->len; i++)
      n_bytes += g_array_index (item->extents, FsHeifSpan, i).n_bytes
                 * (item->is_packed ? MAX_UNPACKED : 1);
  }
  return n_bytes;
}

static gboolean
read_boxes (FsHeifWalk *walk, const guint8 *bytes, gsize n_bytes, GError **error)
{
  switch (fs_heif_boxes_read (&walk->boxes, bytes, n_bytes)) {
  case FS_HEIF_SOUND:
    return TRUE;
  case FS_HEIF_NONE:
    return refuse_heif_size (walk, _ ("holds no still picture"), error);
  case FS_HEIF_ENDS:
    return refuse_heif_size (walk, _ ("ends before its picture does"), error);
  case FS_HEIF_TOO_MANY:
    fs_photo_input_refuse (walk->input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("has more than %d tiles and other parts"), FS_HEIF_MAX_ITEMS);
    return FALSE;
  case FS_HEIF_UNSOUND:
  default:
    return refuse_damaged (walk, error);
  }
}

/* The peak memory of decoding. */
static guint64
forecast_pixels (const FsHeifWalk *walk, guint64 n_claimed_pixels)
{
  const guint64 n_sample = walk->bits > 8 ? 2 : 1;
  const guint n_at_once = CLAMP (walk->n_tiles, 1, TILES_AT_ONCE);
  /* Red, green, blue and alpha, before and after they are turned. */
  guint64 n_pixels = MAX (MAX (n_claimed_pixels, walk->n_grid_pixels), walk->n_packed_pixels);
  guint64 n = 2 * 4 * n_sample * MIN (n_pixels, G_MAXUINT64 / 64);
  n += n_at_once * walk->n_unpack_bytes;
  if (walk->n_tiles > 0)
    n += n_at_once * 4 * n_sample * walk->n_packed_pixels;
  return n;
}

static gboolean
admit_lists (const FsHeifWalk *walk, guint64 n_bytes, GError **error)
{
  if (n_bytes <= walk->input->limits.max_memory_bytes)
    return TRUE;
  fs_photo_input_refuse (walk->input, error, FS_PHOTO_ERROR_LIMIT,
                         _ ("there is not enough memory to open it"));
  return FALSE;
}

gboolean
fs_heif_claim (FsPhotoInput *input, const guint8 *bytes, gsize n_bytes, gboolean with_pixels,
               FsHeifCost *cost, GError **error)
{
  g_auto (FsHeifWalk)
      walk = { .input = input, .visits = g_hash_table_new_full (NULL, NULL, NULL, g_free) };
  if (!read_boxes (&walk, bytes, n_bytes, error))
    return FALSE;
  const FsHeifItem *primary = fs_heif_boxes_find (&walk.boxes, walk.boxes.primary);
  if (!primary)
    return refuse_damaged (&walk, error);
  FsPhotoClaim claim = { .width = primary->width, .height = primary->height };
  /* Before the rest is looked at, because this says what it is that is too large. */
  if ((with_pixels && !fs_photo_input_admit (input, &claim, error))
      || !visit_item (&walk, primary->id, 0, error))
    return FALSE;
  note_sides (&walk, claim.width, claim.height);
  if (!check_sides (&walk, error))
    return FALSE;
  if (walk.n_all_pixels / MAX_PARALLEL > input->limits.max_pixels)
    return refuse_damaged (&walk, error);
  /* An item is copied for libheif's lists, and for the decoder. */
  claim.work_bytes =
      n_bytes + 2 * count_copies (&walk.boxes) + OBJECT_BYTES * walk.boxes.n_box_bytes;
  if (with_pixels)
    claim.work_bytes += forecast_pixels (&walk, claim.width * claim.height);
  *cost = walk.cost;
  cost->n_work_bytes = claim.work_bytes;
  return with_pixels ? fs_photo_input_admit (input, &claim, error)
                     : admit_lists (&walk, claim.work_bytes, error);
}
