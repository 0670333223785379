/* SPDX-License-Identifier: MIT */
#include "app/export/ora_write.h"

#include "app/export/layers.h"
#include "app/export/png_write.h"
#include "app/files/zip_file.h"

#include <glib/gi18n.h>
#include <string.h>

#define MIME_TYPE     "image/openraster"
#define THUMBNAIL_PX  256
#define STEPS_OF_FILE 1000 /* of progress */

typedef struct {
  FsExportLayers layers;
  const char *name;
  const FsExportSink *sink;
  FsZipFile zip;
  GString *stack; /* layers from the top */
  uint8_t *bytes; /* of the PNG written last */
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
                          path, area.x0 - writer->layers.area.x0, area.y0 - writer->layers.area.y0);
  g_string_prepend_len (writer->stack, layer->str, (gssize)layer->len);
}

/* Nothing where it has no pixel in the area. */
static gboolean
write_object (OraWriter *writer, int label)
{
  FsExport layer;
  fs_export_layers_pick (&writer->layers, label, &layer);
  if (fs_rect_is_empty (layer.area))
    return TRUE;
  if (layer.keep_hidden)
    layer.area = writer->layers.area;
  g_autofree char *path = g_strdup_printf ("data/object-%d.png", label - FS_SEED_BACKGROUND);
  g_autofree char *title = fs_export_layers_get_title (&writer->layers, label);
  prepend_layer (writer, title, path, layer.area);
  return encode (writer, &layer) && add_png (writer, path)
         && fs_export_layers_merge (&writer->layers, &layer);
}

/* From the lowest: later ones are merged over earlier ones. */
static gboolean
write_objects (OraWriter *writer)
{
  for (int label = 0; (label = fs_export_layers_next (&writer->layers, label)) > 0;)
    if (!write_object (writer, label))
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
  const FsExport what = { .image = small, .mask = writer->layers.mask, .kind = FS_EXPORT_CUTOUT };
  return encode (writer, &what) && add_png (writer, "Thumbnails/thumbnail.png");
}

/* The photo as the lowest layer, then all layers in one picture. */
static gboolean
write_photo (OraWriter *writer)
{
  FsExport photo;
  fs_export_layers_pick_photo (&writer->layers, &photo);
  if (!encode (writer, &photo) || !add_png (writer, "data/photo.png"))
    return FALSE;
  if (writer->layers.merged) {
    photo.image = writer->layers.merged;
    photo.area = (FsRect){ 0, 0, writer->layers.merged->width, writer->layers.merged->height };
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
                       writer->layers.area.x1 - writer->layers.area.x0,
                       writer->layers.area.y1 - writer->layers.area.y0);
  g_string_prepend (writer->stack, head);
  g_string_append (writer->stack, "  </stack>\n</image>\n");
  return fs_zip_file_add (&writer->zip, "stack.xml", writer->stack->str, writer->stack->len,
                          &writer->error)
         && fs_zip_file_finish (&writer->zip, &writer->error);
}

static gboolean
write_ora (OraWriter *writer)
{
  writer->n_files = writer->layers.n_objects + (writer->layers.merged ? 3 : 2);
  prepend_layer (writer, _ ("Photo"), "data/photo.png", writer->layers.area);
  return fs_zip_file_add (&writer->zip, "mimetype", MIME_TYPE, strlen (MIME_TYPE), &writer->error)
         && write_objects (writer) && write_photo (writer) && write_stack (writer);
}

gboolean
fs_ora_write (const FsExport *what, const char *name, const FsExportSink *sink, GError **error)
{
  g_return_val_if_fail (what->kind == FS_EXPORT_CUTOUT || what->kind == FS_EXPORT_LABELS, FALSE);
  OraWriter writer = { .name = name,
                       .sink = sink,
                       .zip = { .write = sink->write, .user_data = sink->user_data, .name = name },
                       .stack = g_string_new (NULL) };
  const gboolean done = fs_export_layers_init (&writer.layers, what) && write_ora (&writer);
  if (!done && !writer.error)
    fs_export_fail_for_memory (name, &writer.error);
  fs_export_layers_clear (&writer.layers);
  g_free (writer.bytes);
  fs_zip_file_clear (&writer.zip);
  g_string_free (writer.stack, TRUE);
  if (!done)
    g_propagate_error (error, writer.error);
  return done;
}
