/* SPDX-License-Identifier: MIT */
/* Labels as labelme's files: NAME.json for each photo.   Layer: app.
 *
 * Source: the files of labelme 5.1 (https://github.com/wkentaro/labelme).
 *
 * Shapes are polygons, one for each connected part (polygons.h): versions before 5.3 read no masks,
 * and all read polygons. The parts of an object have its number as "group_id", by which labelme
 * takes them for one. Photos are named, not contained ("imageData": null). No file is about all
 * photos.
 */
#include "app/labels/output/label_format.h"

#include "app/files/json_text.h"
#include "app/labels/polygons.h"

static gpointer
labelme_begin (const FsLabelOut *out, GError **error)
{
  return fs_label_out_make_folder (out, NULL, error) ? g_memdup2 (&out, sizeof out) : NULL;
}

static void
append_shape (GString *text, const char *label, guint group, const GArray *polygon)
{
  g_string_append (text, text->str[text->len - 1] == '[' ? "\n" : ",\n");
  g_string_append (text, "    { \"label\": ");
  fs_json_append_quoted (text, label);
  g_string_append (text, ", \"points\": [");
  for (guint i = 0; i < polygon->len; i++) {
    const FsContourPoint *point = &g_array_index (polygon, FsContourPoint, i);
    g_string_append (text, i > 0 ? ", [" : "[");
    fs_polygons_append_number (text, point->x2);
    g_string_append (text, ", ");
    fs_polygons_append_number (text, point->y2);
    g_string_append_c (text, ']');
  }
  g_string_append_printf (
      text, "],\n      \"group_id\": %u, \"shape_type\": \"polygon\", \"flags\": {} }", group);
}

static gboolean
append_shapes (GString *text, const FsLabelOut *out, const FsLabelPhoto *photo)
{
  for (guint i = 0; i < photo->objects->len; i++) {
    const FsLabelObject *object = photo->objects->pdata[i];
    g_autoptr (GPtrArray) polygons =
        fs_polygons_new (object, photo->width, photo->height, out->options.tolerance_px);
    if (!polygons)
      return FALSE;
    for (guint k = 0; k < polygons->len; k++)
      append_shape (text, fs_label_classes_get_name (out->classes, object->class_number), i + 1,
                    polygons->pdata[k]);
  }
  return TRUE;
}

static gboolean
labelme_add (gpointer self, const FsLabelPhoto *photo, const char *stem, GError **error)
{
  const FsLabelOut *out = *(const FsLabelOut **)self;
  g_autofree char *path = fs_label_out_path (out, NULL, stem, ".json");
  g_autoptr (GString) text =
      g_string_new ("{\n  \"version\": \"5.1.1\",\n  \"flags\": {},\n  \"shapes\": [");
  if (!append_shapes (text, out, photo))
    return fs_label_fail_for_memory (path, error);
  g_string_append (text, "\n  ],\n  \"imagePath\": ");
  fs_json_append_quoted (text, photo->file_name);
  g_string_append_printf (text,
                          ",\n  \"imageData\": null,\n  \"imageHeight\": %d,\n  \"imageWidth\": "
                          "%d\n}\n",
                          photo->height, photo->width);
  return fs_label_out_write_text (out, path, text->str, error);
}

static gboolean
labelme_end (gpointer self, GError **error)
{
  return TRUE;
}

const FsLabelFormat fs_label_labelme = {
  .name = "labelme",
  .title = "labelme",
  .is_folder = TRUE,
  .names_paths = TRUE,
  .has_polygons = TRUE,
  .begin = labelme_begin,
  .add = labelme_add,
  .end = labelme_end,
  .free = g_free,
};
