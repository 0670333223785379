/* SPDX-License-Identifier: MIT */
#include "app/export/psd_write.h"

#include "app/export/layers.h"
#include "app/export/parts/exif_write.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_SIDE         30000
#define MAX_BYTES        G_MAXINT32
#define MIN_CAPACITY     (64 * 1024)
#define MAX_RUN          128 /* bytes, of one PackBits header */
#define ROWS_PER_REPORT  32
#define RESOURCE_DENSITY 1005
#define RESOURCE_PROFILE 1039
#define RESOURCE_EXIF    1058
#define ALPHA_CHANNEL    (-1)
#define MASK_CHANNEL     (-2)
#define MAX_TITLE_BYTES  255

/* Bytes in big-endian order. With is_full something is missing: memory was short. */
typedef struct {
  uint8_t *bytes;
  gsize n_bytes, capacity;
  gboolean is_full;
} Bytes;

/* A channel: the length of each row, then the rows, packed. */
typedef struct {
  int id;
  Bytes lengths, rows;
} Channel;

enum { N_CHANNELS = 5 }; /* at most: red, green, blue, alpha, mask */

typedef struct {
  Channel channels[N_CHANNELS];
  int n_channels;
  char *title;
  FsRect mask; /* in the area; empty: there is none */
} Layer;

typedef struct {
  FsExportLayers layers;
  FsExportRows facts; /* of the photo: profile and metadata */
  const FsExportSink *sink;
  const char *name;
  int width, height;
  GArray *written; /* of Layer, from the lowest */
  Bytes file;
  int n_rows, n_all_rows; /* done, and of all layers and the merged picture */
  GError *error;
} PsdWriter;

/* ---- Bytes ---- */

static void
append (Bytes *to, const void *bytes, gsize n_bytes)
{
  if (to->is_full || n_bytes == 0)
    return;
  if (to->n_bytes + n_bytes > to->capacity) {
    const gsize capacity =
        MAX (MAX (to->n_bytes + n_bytes, MIN_CAPACITY), to->capacity + to->capacity / 2);
    uint8_t *more = g_try_realloc (to->bytes, capacity);
    if (!more) {
      to->is_full = TRUE;
      return;
    }
    to->bytes = more;
    to->capacity = capacity;
  }
  memcpy (to->bytes + to->n_bytes, bytes, n_bytes);
  to->n_bytes += n_bytes;
}

static void
append_number (Bytes *to, gint64 value, int n_bytes)
{
  for (int i = n_bytes - 1; i >= 0; i--) {
    const uint8_t byte = (uint8_t)((guint64)value >> 8 * i);
    append (to, &byte, 1);
  }
}

static void
append_zeros (Bytes *to, gsize n_bytes)
{
  static const uint8_t zeros[16];
  g_assert (n_bytes <= sizeof zeros);
  append (to, zeros, n_bytes);
}

static void
append_bytes (Bytes *to, const Bytes *from)
{
  to->is_full |= from->is_full;
  append (to, from->bytes, from->n_bytes);
}

static void
append_rect (Bytes *to, FsRect rect)
{
  append_number (to, rect.y0, 4);
  append_number (to, rect.x0, 4);
  append_number (to, rect.y1, 4);
  append_number (to, rect.x1, 4);
}

/* Begins a section, whose length stands before it; returns its place. */
static gsize
begin_section (Bytes *to)
{
  append_number (to, 0, 4);
  return to->n_bytes;
}

/* Ends it at a multiple of `unit` bytes. */
static void
end_section (Bytes *to, gsize begin, gsize unit)
{
  append_zeros (to, (unit - (to->n_bytes - begin) % unit) % unit);
  for (gsize i = 0; i < 4 && !to->is_full; i++)
    to->bytes[begin - 4 + i] = (uint8_t)((to->n_bytes - begin) >> (24 - 8 * i));
}

/* ---- Channels ---- */

/* The number of equal bytes from `from` on. */
static int
count_same (const uint8_t *from, int n)
{
  int same = 1;
  while (same < n && same < MAX_RUN && from[same] == from[0])
    same++;
  return same;
}

/* TIFF 6.0, section 9. Two equal bytes within a literal stay in it. */
static void
append_packed_row (Channel *channel, const uint8_t *row, int n)
{
  Bytes *to = &channel->rows;
  const gsize before = to->n_bytes;
  for (int at = 0; at < n;) {
    int length = count_same (row + at, n - at);
    if (length > 1) {
      append_number (to, 1 - length, 1);
      append (to, row + at, 1);
    } else {
      while (at + length < n && length < MAX_RUN
             && count_same (row + at + length, n - at - length) < 3)
        length++;
      append_number (to, length - 1, 1);
      append (to, row + at, (gsize)length);
    }
    at += length;
  }
  append_number (&channel->lengths, (gint64)(to->n_bytes - before), 2);
}

static void
layer_clear (gpointer data)
{
  Layer *layer = data;
  for (int c = 0; c < N_CHANNELS; c++) {
    g_free (layer->channels[c].lengths.bytes);
    g_free (layer->channels[c].rows.bytes);
  }
  g_free (layer->title);
}

/* The layer's rows of four channels, of which the mask gets the alpha. FALSE where memory is short,
 * or with an error. */
static gboolean
pack_rows (PsdWriter *writer, FsExportRows *rows, Layer *layer)
{
  g_autofree uint8_t *plane = g_try_malloc ((gsize)writer->width);
  const FsExportSink *sink = writer->sink;
  for (int y = 0; y < writer->height; y++, writer->n_rows++) {
    if (y % ROWS_PER_REPORT == 0
        && !sink->rows_done (sink->user_data, writer->n_rows, writer->n_all_rows, &writer->error))
      return FALSE;
    const uint8_t *row = plane ? fs_export_rows_get (rows, y) : NULL;
    if (!row)
      return FALSE;
    for (int c = 0; c < layer->n_channels; c++) {
      const gboolean is_mask = layer->channels[c].id == MASK_CHANNEL;
      if (is_mask && (y < layer->mask.y0 || y >= layer->mask.y1))
        continue;
      const int x0 = is_mask ? layer->mask.x0 : 0, x1 = is_mask ? layer->mask.x1 : writer->width;
      const gboolean is_opaque = layer->channels[c].id == ALPHA_CHANNEL && layer->n_channels > 4;
      for (int x = x0; x < x1; x++)
        plane[x - x0] = is_opaque ? 255 : row[4 * x + (is_mask ? 3 : c)];
      append_packed_row (&layer->channels[c], plane, x1 - x0);
    }
  }
  return TRUE;
}

/* Takes the title. `extent`: that of the mask, in the photo; empty: there is no mask, and alpha is
 * the layer's own. */
static gboolean
add_layer (PsdWriter *writer, const FsExport *content, FsRect extent, char *title)
{
  static const int ids[N_CHANNELS] = { 0, 1, 2, ALPHA_CHANNEL, MASK_CHANNEL };
  const FsRect area = writer->layers.area;
  const gboolean has_mask = !fs_rect_is_empty (extent);
  Layer layer = { .n_channels = has_mask ? 5 : 4, .title = title };
  for (int c = 0; c < N_CHANNELS; c++)
    layer.channels[c].id = ids[c];
  if (has_mask)
    layer.mask = (FsRect){ extent.x0 - area.x0, extent.y0 - area.y0, extent.x1 - area.x0,
                           extent.y1 - area.y0 };
  g_auto (FsExportRows) rows = { 0 };
  const gboolean done =
      fs_export_rows_init (&rows, content, writer->name, 8) && pack_rows (writer, &rows, &layer);
  g_array_append_val (writer->written, layer);
  return done;
}

static gboolean
add_object (PsdWriter *writer, int label)
{
  FsExport object;
  fs_export_layers_pick (&writer->layers, label, &object);
  const FsRect extent = object.area;
  if (fs_rect_is_empty (extent)) {
    writer->n_rows += writer->height;
    return TRUE;
  }
  if (!fs_export_layers_merge (&writer->layers, &object))
    return FALSE;
  object.area = writer->layers.area;
  object.keep_hidden = TRUE;
  object.photo = NULL;
  return add_layer (writer, &object, extent, fs_export_layers_get_title (&writer->layers, label));
}

static gboolean
add_layers (PsdWriter *writer)
{
  FsExport photo;
  fs_export_layers_pick_photo (&writer->layers, &photo);
  photo.photo = NULL;
  if (!add_layer (writer, &photo, (FsRect){ 0 }, g_strdup (_ ("Photo"))))
    return FALSE;
  for (int label = 0; (label = fs_export_layers_next (&writer->layers, label)) > 0;)
    if (!add_object (writer, label))
      return FALSE;
  return TRUE;
}

/* ---- Sections ---- */

static void
append_header (PsdWriter *writer)
{
  Bytes *file = &writer->file;
  append (file, "8BPS\0\1\0\0\0\0\0\0", 12);
  append_number (file, writer->layers.what.image->has_alpha ? 4 : 3, 2);
  append_number (file, writer->height, 4);
  append_number (file, writer->width, 4);
  append (file, "\0\x8\0\3\0\0\0\0", 8); /* 8 bits, RGB, no palette */
}

static void
append_resource (Bytes *file, int id, const void *bytes, gsize n_bytes)
{
  append (file, "8BIM", 4);
  append_number (file, id, 2);
  append_zeros (file, 2); /* no name */
  append_number (file, (gint64)n_bytes, 4);
  append (file, bytes, n_bytes);
  append_zeros (file, n_bytes % 2);
}

static void
append_density (Bytes *file, const FsPhotoMetadata *metadata)
{
  const double dpi[] = { metadata->dpi_x, metadata->dpi_y };
  Bytes density = { 0 };
  for (int i = 0; i < 2; i++) {
    append_number (&density, (gint64)(MIN (dpi[i], 32767) * 65536 + 0.5), 4);
    append_number (&density, 1, 2); /* pixels an inch */
    append_number (&density, 1, 2); /* shown in inches */
  }
  append_resource (file, RESOURCE_DENSITY, density.bytes, density.n_bytes);
  file->is_full |= density.is_full;
  g_free (density.bytes);
}

static void
append_resources (PsdWriter *writer)
{
  Bytes *file = &writer->file;
  FsExportRows *facts = &writer->facts;
  const FsPhotoMetadata *metadata = facts->metadata;
  const gsize begin = begin_section (file);
  if (metadata && metadata->dpi_x > 0 && metadata->dpi_y > 0)
    append_density (file, metadata);
  if (facts->profile)
    append_resource (file, RESOURCE_PROFILE, g_bytes_get_data (facts->profile, NULL),
                     g_bytes_get_size (facts->profile));
  fs_export_rows_note_colour (facts, writer->name, "PSD");
  g_autoptr (GByteArray) exif = !metadata ? NULL
                                : fs_export_rows_get_block (facts, writer->name)
                                    ? fs_exif_complete_block (metadata)
                                    : fs_exif_write (metadata);
  if (exif)
    append_resource (file, RESOURCE_EXIF, exif->data, exif->len);
  end_section (file, begin, 2);
}

/* In ASCII, and then whole. */
static void
append_title (Bytes *file, const char *title)
{
  g_autofree char *valid = g_utf8_make_valid (title, -1);
  g_autofree char *ascii = g_str_to_ascii (valid, "C");
  glong n_units = 0;
  g_autofree gunichar2 *units = g_utf8_to_utf16 (valid, -1, NULL, &n_units, NULL);
  const gsize n = MIN (strlen (ascii), MAX_TITLE_BYTES);
  append_number (file, (gint64)n, 1);
  append (file, ascii, n);
  append_zeros (file, (4 - (n + 1) % 4) % 4);
  append (file, "8BIMluni", 8);
  const gsize begin = begin_section (file);
  append_number (file, n_units, 4);
  for (glong i = 0; i < n_units; i++)
    append_number (file, units[i], 2);
  end_section (file, begin, 4);
}

static void
append_record (PsdWriter *writer, const Layer *layer)
{
  Bytes *file = &writer->file;
  append_rect (file, (FsRect){ 0, 0, writer->width, writer->height });
  append_number (file, layer->n_channels, 2);
  for (int c = 0; c < layer->n_channels; c++) {
    const Channel *channel = &layer->channels[c];
    append_number (file, channel->id, 2);
    append_number (file, (gint64)(2 + channel->lengths.n_bytes + channel->rows.n_bytes), 4);
  }
  append (file, "8BIMnorm\xff\0\0\0", 12); /* opaque, not clipped, visible */
  const gsize begin = begin_section (file);
  const gsize mask = begin_section (file);
  if (!fs_rect_is_empty (layer->mask)) {
    append_rect (file, layer->mask);
    append_zeros (file, 4); /* hides what is outside; enabled */
  }
  end_section (file, mask, 1);
  append_number (file, 0, 4); /* no blending ranges */
  append_title (file, layer->title);
  end_section (file, begin, 1);
}

static void
append_layers (PsdWriter *writer)
{
  Bytes *file = &writer->file;
  const gboolean has_alpha = writer->layers.what.image->has_alpha;
  const int n = (int)writer->written->len;
  const gsize begin = begin_section (file), layers = begin_section (file);
  append_number (file, has_alpha ? -n : n, 2);
  for (int i = 0; i < n; i++)
    append_record (writer, &g_array_index (writer->written, Layer, i));
  for (int i = 0; i < n; i++) {
    Layer *layer = &g_array_index (writer->written, Layer, i);
    for (int c = 0; c < layer->n_channels; c++) {
      append_number (file, 1, 2); /* packed */
      append_bytes (file, &layer->channels[c].lengths);
      append_bytes (file, &layer->channels[c].rows);
    }
    layer_clear (layer);
    memset (layer, 0, sizeof *layer);
  }
  end_section (file, layers, 4);
  append_number (file, 0, 4); /* no mask of all layers */
  end_section (file, begin, 2);
}

/* All layers in one picture. FALSE where memory is short, or with an error. */
static gboolean
append_merged (PsdWriter *writer)
{
  FsExport merged = writer->layers.what;
  merged.kind = FS_EXPORT_CUTOUT;
  merged.photo = NULL;
  merged.edge = FS_EDGE_SETTINGS_HARD;
  merged.zones = NULL;
  merged.keep_hidden = TRUE;
  merged.mask = memset (writer->layers.mask, 1, writer->layers.n_pixels);
  merged.area = writer->layers.area;
  if (writer->layers.merged) {
    merged.image = writer->layers.merged;
    merged.area = (FsRect){ 0, 0, writer->width, writer->height };
  }
  if (!add_layer (writer, &merged, (FsRect){ 0 }, NULL))
    return FALSE;
  const Layer *layer = &g_array_index (writer->written, Layer, writer->written->len - 1);
  const int n_channels = merged.image->has_alpha ? 4 : 3;
  append_number (&writer->file, 1, 2); /* packed */
  for (int c = 0; c < n_channels; c++)
    append_bytes (&writer->file, &layer->channels[c].lengths);
  for (int c = 0; c < n_channels; c++)
    append_bytes (&writer->file, &layer->channels[c].rows);
  return !writer->file.is_full;
}

static gboolean
write_psd (PsdWriter *writer)
{
  const FsExportSink *sink = writer->sink;
  FsExport facts = writer->layers.what;
  facts.kind = FS_EXPORT_CUTOUT;
  facts.edge = FS_EDGE_SETTINGS_HARD;
  facts.zones = NULL;
  facts.mask = writer->layers.mask;
  writer->n_all_rows = (writer->layers.n_objects + 2) * writer->height;
  if (!fs_export_rows_init (&writer->facts, &facts, writer->name, 8) || !add_layers (writer))
    return FALSE;
  append_header (writer);
  append_resources (writer);
  append_layers (writer);
  if (!append_merged (writer))
    return FALSE;
  if (writer->file.n_bytes > MAX_BYTES) {
    g_set_error (&writer->error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, _ ("%s: is too large"),
                 writer->name);
    return FALSE;
  }
  return sink->rows_done (sink->user_data, writer->n_all_rows, writer->n_all_rows, &writer->error)
         && sink->write (sink->user_data, writer->file.bytes, writer->file.n_bytes, &writer->error);
}

static gboolean
check_sides (const PsdWriter *writer, GError **error)
{
  if (MAX (writer->width, writer->height) <= MAX_SIDE)
    return TRUE;
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, _ ("%s: cannot be written: %s"),
               writer->name, _ ("PSD has at most 30000 pixels a side"));
  return FALSE;
}

gboolean
fs_psd_write (const FsExport *what, const char *name, const FsExportSink *sink, GError **error)
{
  g_return_val_if_fail (what->kind == FS_EXPORT_CUTOUT || what->kind == FS_EXPORT_LABELS, FALSE);
  PsdWriter writer = { .name = name, .sink = sink };
  gboolean done = fs_export_layers_init (&writer.layers, what);
  writer.width = writer.layers.area.x1 - writer.layers.area.x0;
  writer.height = writer.layers.area.y1 - writer.layers.area.y0;
  writer.written = g_array_new (FALSE, FALSE, sizeof (Layer));
  g_array_set_clear_func (writer.written, layer_clear);
  done = done && check_sides (&writer, &writer.error) && write_psd (&writer);
  if (!done && !writer.error)
    fs_export_fail_for_memory (name, &writer.error);
  g_array_unref (writer.written);
  fs_export_rows_clear (&writer.facts);
  fs_export_layers_clear (&writer.layers);
  g_free (writer.file.bytes);
  if (!done)
    g_propagate_error (error, writer.error);
  return done;
}
