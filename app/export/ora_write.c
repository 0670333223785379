/* SPDX-License-Identifier: MIT */
#include "app/export/ora_write.h"

#include "app/export/png_write.h"
#include "app/files/zip_file.h"

#include <glib/gi18n.h>
#include <string.h>

#define MIME_TYPE     "image/openraster"
#define THUMBNAIL_PX  256
#define STEPS_OF_FILE 1000 /* of progress */

typedef struct {
  const FsExport *what;
  const char *name;
  const FsExportSink *sink;
  FsZipFile zip;
  FsRect area;
  gsize n_pixels; /* of the photo */
  uint8_t *mask, *marks;
  FsImage *merged; /* the area as all layers show it, or NULL: as the photo is */
  GString *stack;  /* layers from the top */
  uint8_t *bytes;  /* of the PNG written last */
  gsize n_bytes, capacity;
  int n_done, n_files; /* PNGs */
  GError *error;
} OraWriter;

/* ---- PNGs ---- */

static gboolean
take_bytes (gpointer user_data, const void *bytes, gsize n_bytes, GError **error)
{
  OraWriter *writer = user_data;
  gsize end;
  if (!g_size_checked_add (&end, writer->n_bytes, n_bytes)) {
    fs_export_fail_for_memory (writer->name, error);
    return FALSE;
  }
  if (end > writer->capacity) {
    const gsize capacity = MAX (end, writer->capacity + writer->capacity / 2);
    uint8_t *more = g_try_realloc (writer->bytes, capacity);
    if (!more) {
      fs_export_fail_for_memory (writer->name, error);
      return FALSE;
    }
    writer->bytes = more;
    writer->capacity = capacity;
  }
  memcpy (writer->bytes + writer->n_bytes, bytes, n_bytes);
  writer->n_bytes = end;
  return TRUE;
}

static gboolean
on_rows_done (gpointer user_data, int n_rows, int n_all, GError **error)
{
  const OraWriter *writer = user_data;
  const int part = (int)((gint64)STEPS_OF_FILE * n_rows / n_all);
  return writer->sink->rows_done (writer->sink->user_data, writer->n_done * STEPS_OF_FILE + part,
                                  writer->n_files * STEPS_OF_FILE, error);
}

static gboolean
encode (OraWriter *writer, const FsExport *what)
{
  const FsExportSink sink = { .write = take_bytes, .rows_done = on_rows_done, .user_data = writer };
  writer->n_bytes = 0;
  if (!fs_png_write (what, writer->name, &sink, &writer->error))
    return FALSE;
  writer->n_done++;
  return TRUE;
}

static gboolean
add_png (OraWriter *writer, const char *path)
{
  return fs_zip_file_add (&writer->zip, path, writer->bytes, writer->n_bytes, &writer->error);
}

/* ---- Layers ---- */

static void
prepend_layer (OraWriter *writer, const char *title, const char *path, FsRect area)
{
  g_autoptr (GString) layer = g_string_new ("    <layer name=\"");
  fs_export_append_xml (layer, title);
  g_string_append_printf (layer,
                          "\" src=\"%s\" x=\"%d\" y=\"%d\" opacity=\"1.0\" visibility=\"visible\" "
                          "composite-op=\"svg:src-over\"/>\n",
                          path, area.x0 - writer->area.x0, area.y0 - writer->area.y0);
  g_string_prepend_len (writer->stack, layer->str, (gssize)layer->len);
}

/* The object's pixels in the area, and what a soft edge adds; empty where there are none. */
static FsRect
find_extent (const OraWriter *writer)
{
  const FsRect area = writer->area;
  const int soft_px = writer->what->soft_px;
  FsRect found = { area.x1, area.y1, area.x0, area.y0 };
  for (int y = area.y0; y < area.y1; y++) {
    const uint8_t *row = writer->mask + (gsize)y * (gsize)writer->what->image->width;
    const uint8_t *first = memchr (row + area.x0, 1, (gsize)(area.x1 - area.x0));
    if (!first)
      continue;
    int last = area.x1 - 1;
    while (!row[last])
      last--;
    found.x0 = MIN (found.x0, (int)(first - row));
    found.x1 = MAX (found.x1, last + 1);
    found.y0 = MIN (found.y0, y);
    found.y1 = y + 1;
  }
  if (fs_rect_is_empty (found))
    return found;
  if (writer->what->keep_hidden)
    return area;
  const FsRect soft = { found.x0 - soft_px, found.y0 - soft_px, found.x1 + soft_px,
                        found.y1 + soft_px };
  return fs_rect_intersect (soft, area);
}

/* Mask and strokes of one object alone; of the mask as it is without a label. */
static void
pick_object (OraWriter *writer, int label)
{
  const FsExport *what = writer->what;
  if (label != FS_SEED_NONE) {
    fs_export_pick_object (what->mask, writer->marks ? what->marks : NULL, writer->n_pixels,
                           (uint8_t)label, writer->mask, writer->marks);
    return;
  }
  for (gsize p = 0; p < writer->n_pixels; p++)
    writer->mask[p] = what->mask[p] != 0;
  if (writer->marks)
    memcpy (writer->marks, what->marks, writer->n_pixels);
}

static gboolean
merge_layer (OraWriter *writer, const FsExport *layer)
{
  if (!writer->merged)
    return TRUE;
  g_autoptr (FsImage) picture = NULL;
  if (layer->soft_px > 0 && !(picture = fs_export_render_soft (layer, layer->area)))
    return FALSE;
  const FsRect area = layer->area;
  const FsImage *image = writer->what->image;
  for (int y = area.y0; y < area.y1; y++)
    for (int x = area.x0; x < area.x1; x++) {
      const gsize from = (gsize)y * (gsize)image->width + (gsize)x;
      const uint32_t top =
          picture
              ? picture->pixels[(gsize)(y - area.y0) * (gsize)picture->width + (gsize)(x - area.x0)]
          : writer->mask[from] ? image->pixels[from]
                               : 0;
      uint32_t *to = writer->merged->pixels
                     + (gsize)(y - writer->area.y0) * (gsize)writer->merged->width
                     + (gsize)(x - writer->area.x0);
      *to = fs_pixel_over (top, *to);
    }
  return TRUE;
}

/* FS_SEED_NONE: the mask. Nothing where it has no pixel in the area. */
static gboolean
write_object (OraWriter *writer, int label)
{
  const FsExport *what = writer->what;
  const int named = label == FS_SEED_NONE ? FS_SEED_OBJECT : label;
  const int number = named - FS_SEED_BACKGROUND;
  pick_object (writer, label);
  FsExport layer = *what;
  layer.mask = writer->mask;
  layer.marks = writer->marks;
  layer.kind = FS_EXPORT_CUTOUT;
  layer.area = find_extent (writer);
  layer.notes = NULL;
  if (fs_rect_is_empty (layer.area))
    return TRUE;
  g_autofree char *path = g_strdup_printf ("data/object-%d.png", number);
  g_autofree char *usual = g_strdup_printf (_ ("Object %d"), number);
  const char *title = what->object_names ? what->object_names[named] : NULL;
  prepend_layer (writer, title && *title ? title : usual, path, layer.area);
  return encode (writer, &layer) && add_png (writer, path) && merge_layer (writer, &layer);
}

/* From the lowest: later ones are merged over earlier ones. */
static gboolean
write_objects (OraWriter *writer)
{
  if (writer->what->kind != FS_EXPORT_LABELS)
    return write_object (writer, FS_SEED_NONE);
  for (int label = FS_SEED_MAX; label >= FS_SEED_OBJECT; label--)
    if (memchr (writer->what->mask, label, writer->n_pixels) && !write_object (writer, label))
      return FALSE;
  return TRUE;
}

/* ---- The whole ---- */

/* The mean of each part of `from`, colours by their alpha. */
static FsImage *
scale_down (const FsImage *from, FsRect area)
{
  const int width = area.x1 - area.x0, height = area.y1 - area.y0;
  const int longest = MAX (width, height), side = MIN (longest, THUMBNAIL_PX);
  const int new_width = MAX (1, (int)((gint64)width * side / longest));
  const int new_height = MAX (1, (int)((gint64)height * side / longest));
  FsImage *to = fs_image_new (new_width, new_height);
  for (int y = 0; to && y < new_height; y++)
    for (int x = 0; x < new_width; x++) {
      const int x0 = (int)((gint64)x * width / new_width),
                y0 = (int)((gint64)y * height / new_height);
      const int x1 = (int)((gint64)(x + 1) * width / new_width);
      const int y1 = (int)((gint64)(y + 1) * height / new_height);
      guint64 sums[3] = { 0 }, alpha = 0, n = 0;
      for (int v = y0; v < y1; v++)
        for (int u = x0; u < x1; u++, n++) {
          const uint32_t pixel =
              from->pixels[(gsize)(area.y0 + v) * (gsize)from->width + (gsize)(area.x0 + u)];
          alpha += FS_PIXEL_A (pixel);
          for (int k = 0; k < 3; k++)
            sums[k] += (guint64)(pixel >> (8 * k) & 0xff) * FS_PIXEL_A (pixel);
        }
      uint32_t pixel = (uint32_t)((alpha + n / 2) / n) << 24;
      for (int k = 0; alpha > 0 && k < 3; k++)
        pixel |= (uint32_t)((sums[k] + alpha / 2) / alpha) << (8 * k);
      to->pixels[(gsize)y * (gsize)new_width + (gsize)x] = pixel;
    }
  if (to)
    to->has_alpha = from->has_alpha;
  return to;
}

static gboolean
write_thumbnail (OraWriter *writer, const FsImage *shown, FsRect area)
{
  g_autoptr (FsImage) small = scale_down (shown, area);
  if (!small)
    return FALSE;
  const FsExport what = { .image = small, .mask = writer->mask, .kind = FS_EXPORT_CUTOUT };
  return encode (writer, &what) && add_png (writer, "Thumbnails/thumbnail.png");
}

/* The photo as the lowest layer, then all layers in one picture. */
static gboolean
write_photo (OraWriter *writer)
{
  FsExport photo = *writer->what;
  memset (writer->mask, 1, writer->n_pixels);
  photo.mask = writer->mask;
  photo.kind = FS_EXPORT_CUTOUT;
  photo.area = writer->area;
  photo.soft_px = 0;
  photo.keep_hidden = TRUE;
  if (!encode (writer, &photo) || !add_png (writer, "data/photo.png"))
    return FALSE;
  if (writer->merged) {
    photo.image = writer->merged;
    photo.area = (FsRect){ 0, 0, writer->merged->width, writer->merged->height };
    photo.notes = NULL;
    if (!encode (writer, &photo))
      return FALSE;
  }
  return add_png (writer, "mergedimage.png") && write_thumbnail (writer, photo.image, photo.area);
}

static gboolean
write_stack (OraWriter *writer)
{
  g_autofree char *head =
      g_strdup_printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<image version=\"0.0.3\" w=\"%d\" h=\"%d\">\n  <stack>\n",
                       writer->area.x1 - writer->area.x0, writer->area.y1 - writer->area.y0);
  g_string_prepend (writer->stack, head);
  g_string_append (writer->stack, "  </stack>\n</image>\n");
  return fs_zip_file_add (&writer->zip, "stack.xml", writer->stack->str, writer->stack->len,
                          &writer->error)
         && fs_zip_file_finish (&writer->zip, &writer->error);
}

/* FALSE where memory is short. */
static gboolean
prepare_merged (OraWriter *writer)
{
  const FsImage *image = writer->what->image;
  const FsRect area = writer->area;
  if (writer->what->soft_px == 0 && !image->has_alpha)
    return TRUE;
  writer->merged = fs_image_new (area.x1 - area.x0, area.y1 - area.y0);
  if (!writer->merged)
    return FALSE;
  writer->merged->has_alpha = image->has_alpha;
  for (int y = area.y0; y < area.y1; y++)
    memcpy (writer->merged->pixels + (gsize)(y - area.y0) * (gsize)writer->merged->width,
            image->pixels + (gsize)y * (gsize)image->width + (gsize)area.x0,
            (gsize)writer->merged->width * sizeof *image->pixels);
  return TRUE;
}

static gboolean
write_ora (OraWriter *writer)
{
  const FsExport *what = writer->what;
  writer->mask = g_try_malloc (writer->n_pixels);
  writer->marks = what->marks && what->soft_px > 0 ? g_try_malloc (writer->n_pixels) : NULL;
  if (!writer->mask || (!writer->marks && what->marks && what->soft_px > 0)
      || !prepare_merged (writer))
    return FALSE;
  writer->n_files = writer->merged ? 3 : 2;
  for (int label = FS_SEED_OBJECT; label <= FS_SEED_MAX && what->kind == FS_EXPORT_LABELS; label++)
    writer->n_files += memchr (what->mask, label, writer->n_pixels) != NULL;
  if (what->kind != FS_EXPORT_LABELS)
    writer->n_files++;
  prepend_layer (writer, _ ("Photo"), "data/photo.png", writer->area);
  return fs_zip_file_add (&writer->zip, "mimetype", MIME_TYPE, strlen (MIME_TYPE), &writer->error)
         && write_objects (writer) && write_photo (writer) && write_stack (writer);
}

gboolean
fs_ora_write (const FsExport *what, const char *name, const FsExportSink *sink, GError **error)
{
  g_return_val_if_fail (what->kind == FS_EXPORT_CUTOUT || what->kind == FS_EXPORT_LABELS, FALSE);
  const FsRect all = { 0, 0, what->image->width, what->image->height };
  FsExport plain = *what;
  plain.background = NULL;
  OraWriter writer = { .what = &plain,
                       .name = name,
                       .sink = sink,
                       .zip = { .write = sink->write, .user_data = sink->user_data, .name = name },
                       .area = fs_rect_is_empty (what->area) ? all
                                                             : fs_rect_intersect (what->area, all),
                       .n_pixels = (gsize)what->image->width * (gsize)what->image->height,
                       .stack = g_string_new (NULL) };
  const gboolean done = write_ora (&writer);
  if (!done && !writer.error)
    fs_export_fail_for_memory (name, &writer.error);
  g_free (writer.mask);
  g_free (writer.marks);
  g_free (writer.bytes);
  if (writer.merged)
    fs_image_unref (writer.merged);
  fs_zip_file_clear (&writer.zip);
  g_string_free (writer.stack, TRUE);
  if (!done)
    g_propagate_error (error, writer.error);
  return done;
}
