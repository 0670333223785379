/* SPDX-License-Identifier: MIT */
/* Data sets in the format of Ultralytics YOLO for segmentation.   Layer: app.
 *
 * Source: https://docs.ultralytics.com/datasets/segment/.
 *
 *   labels/NAME.txt   a line an object: its class, from 0, and a polygon: x and y of each corner,
 *                     divided by width and height
 *   images.txt        a photo a line: ./images/FILE, where readers look for it
 *   data.yaml         the list as both train and val, and the names of classes
 *
 * A line holds one polygon, so parts are joined as holes are (polygons.h). Objects of a crowd are
 * objects like others.
 */
#include "app/labels/output/label_format.h"

#include "app/labels/output/label_text.h"
#include "app/labels/polygons.h"

typedef struct {
  const FsLabelOut *out;
  GString *images;
} Yolo;

static gpointer
yolo_begin (const FsLabelOut *out, GError **error)
{
  if (!fs_label_out_make_folder (out, "labels", error))
    return NULL;
  Yolo *yolo = g_new0 (Yolo, 1);
  yolo->out = out;
  yolo->images = g_string_new (NULL);
  return yolo;
}

static void
yolo_free (gpointer self)
{
  Yolo *yolo = self;
  g_string_free (yolo->images, TRUE);
  g_free (yolo);
}

/* Nine digits: to a ten thousandth of a pixel in the largest photo. No exponents, which not all
 * readers take. */
static void
append_fraction (GString *text, int half_pixels, int size)
{
  const gint64 unit = 1000000000;
  const gint64 fraction = ((gint64)half_pixels * unit + size) / (2 * (gint64)size);
  if (fraction >= unit) {
    g_string_append (text, " 1");
    return;
  }
  g_string_append_printf (text, " 0.%09" G_GINT64_FORMAT, fraction);
  gsize length = text->len;
  while (text->str[length - 1] == '0')
    length--;
  if (text->str[length - 1] == '.')
    length--;
  g_string_truncate (text, length);
}

static gboolean
append_object (GString *text, const FsLabelPhoto *photo, const FsLabelObject *object,
               double tolerance_px)
{
  g_autoptr (GPtrArray) polygons =
      fs_polygons_new (object, photo->width, photo->height, tolerance_px);
  if (!polygons)
    return FALSE;
  g_autoptr (GArray) polygon = fs_polygons_join (polygons);
  if (polygon->len == 0)
    return TRUE;
  g_string_append_printf (text, "%u", object->class_number);
  for (guint i = 0; i < polygon->len; i++) {
    const FsContourPoint *point = &g_array_index (polygon, FsContourPoint, i);
    append_fraction (text, point->x2, photo->width);
    append_fraction (text, point->y2, photo->height);
  }
  g_string_append_c (text, '\n');
  return TRUE;
}

static gboolean
yolo_add (gpointer self, const FsLabelPhoto *photo, const char *stem, GError **error)
{
  Yolo *yolo = self;
  g_autofree char *path = fs_label_out_path (yolo->out, "labels", stem, ".txt");
  g_autofree char *file = g_path_get_basename (photo->file_name);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < photo->objects->len; i++)
    if (!append_object (text, photo, photo->objects->pdata[i], yolo->out->options.tolerance_px))
      return fs_label_fail_for_memory (path, error);
  if (!fs_label_out_write_text (yolo->out, path, text->str, error))
    return FALSE;
  g_string_append_printf (yolo->images, "./images/%s\n", file);
  return TRUE;
}

static void
append_list (GString *text, const char *key, const FsShard *shard)
{
  if (shard->n == 0) {
    g_string_append_printf (text, "%s: images.txt\n", key);
    return;
  }
  g_string_append_printf (text, "%s:\n", key);
  for (guint k = 1; k <= shard->n; k++)
    g_string_append_printf (text, "  - images-%u-of-%u.txt\n", k, shard->n);
}

static gboolean
yolo_end (gpointer self, GError **error)
{
  const Yolo *yolo = self;
  const FsLabelClasses *classes = yolo->out->classes;
  g_autofree char *list = fs_label_out_list_path (yolo->out, NULL, "images");
  g_autofree char *path = fs_label_out_path (yolo->out, NULL, "data", ".yaml");
  g_autoptr (GString) text = g_string_new (NULL);
  append_list (text, "train", &yolo->out->options.shard);
  append_list (text, "val", &yolo->out->options.shard);
  g_string_append (text, "names:\n");
  for (guint i = 0; i < fs_label_classes_get_n (classes); i++) {
    g_string_append_printf (text, "  %u: ", i);
    fs_label_text_append_yaml (text, fs_label_classes_get_name (classes, i));
    g_string_append_c (text, '\n');
  }
  return fs_label_out_write_text (yolo->out, path, text->str, error)
         && fs_label_out_write_list (yolo->out, list, yolo->images->str, error);
}

const FsLabelFormat fs_label_yolo = {
  .name = "yolo",
  .title = "YOLO",
  .is_folder = TRUE,
  .has_numbers = TRUE,
  .has_polygons = TRUE,
  .begin = yolo_begin,
  .add = yolo_add,
  .end = yolo_end,
  .free = yolo_free,
};
