/* SPDX-License-Identifier: MIT */
/* Data sets in COCO's format.   Layer: app.
 *
 * Source: Lin et al. 2014, "Microsoft COCO: common objects in context";
 * https://cocodataset.org/#format-data.
 *
 *   { "info": …, "licenses": [],
 *     "images":      [ { "id", "file_name", "width", "height" }, … ],
 *     "annotations": [ { "id", "image_id", "category_id", "area", "bbox", "iscrowd",
 *                        "segmentation" }, … ],
 *     "categories":  [ { "id", "name", "supercategory": "object" }, … ] }
 *
 * Lists are in the order of addition. Ids count from 1; those of photos and annotations of shard K
 * of N begin with K and go up by N, so that sets of several shards can be put together. A
 * segmentation is run lengths ("size": [height, width], "counts": [ … ]), packed ones ("counts":
 * "…"), or polygons: [ [x, y, x, y, …], … ], one for each part. Crowds always have run lengths.
 * "area" and "bbox" are those of the mask. Photos of the same name are one.
 */
#include "app/labels/output/label_format.h"

#include "app/export/export.h"
#include "app/files/atomic_file.h"
#include "app/files/json_text.h"
#include "app/labels/coco_runs.h"
#include "app/labels/polygons.h"

/* The lists grow as text: run lengths as a tree would take ten times as much memory. */
typedef struct {
  const FsLabelOut *out;
  GString *photos, *annotations;
  GHashTable *photo_ids; /* by name */
  guint n_annotations;
} Coco;

static gpointer
coco_begin (const FsLabelOut *out, GError **error)
{
  if (!fs_export_can_write (&out->options.path, 1, error))
    return NULL;
  Coco *coco = g_new0 (Coco, 1);
  coco->out = out;
  coco->photos = g_string_new (NULL);
  coco->annotations = g_string_new (NULL);
  coco->photo_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return coco;
}

static void
coco_free (gpointer self)
{
  Coco *coco = self;
  g_string_free (coco->photos, TRUE);
  g_string_free (coco->annotations, TRUE);
  g_hash_table_unref (coco->photo_ids);
  g_free (coco);
}

/* The id of the n-th entry of a list, from 0. */
static guint
make_id (const Coco *coco, guint n)
{
  const FsShard *shard = &coco->out->options.shard;
  return shard->n > 0 ? shard->k + n * shard->n : n + 1;
}

static void
begin_entry (GString *list)
{
  g_string_append (list, list->len > 0 ? ",\n    { " : "\n    { ");
}

static guint
find_photo (Coco *coco, const FsLabelPhoto *photo)
{
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (coco->photo_ids, photo->file_name));
  if (id != 0)
    return id;
  id = make_id (coco, g_hash_table_size (coco->photo_ids));
  g_hash_table_insert (coco->photo_ids, g_strdup (photo->file_name), GUINT_TO_POINTER (id));
  begin_entry (coco->photos);
  g_string_append_printf (coco->photos, "\"id\": %u, \"file_name\": ", id);
  fs_json_append_quoted (coco->photos, photo->file_name);
  g_string_append_printf (coco->photos, ", \"width\": %d, \"height\": %d }", photo->width,
                          photo->height);
  return id;
}

static gboolean
append_polygons (GString *text, const FsLabelPhoto *photo, const FsLabelObject *object,
                 double tolerance_px)
{
  g_autoptr (GPtrArray) polygons =
      fs_polygons_new (object, photo->width, photo->height, tolerance_px);
  if (!polygons)
    return FALSE;
  g_string_append_c (text, '[');
  for (guint i = 0; i < polygons->len; i++) {
    const GArray *polygon = polygons->pdata[i];
    g_string_append (text, i > 0 ? ",\n        [" : "[");
    for (guint k = 0; k < polygon->len; k++) {
      const FsContourPoint *point = &g_array_index (polygon, FsContourPoint, k);
      g_string_append (text, k > 0 ? ", " : "");
      fs_polygons_append_number (text, point->x2);
      g_string_append (text, ", ");
      fs_polygons_append_number (text, point->y2);
    }
    g_string_append_c (text, ']');
  }
  g_string_append_c (text, ']');
  return TRUE;
}

static gboolean
append_runs (GString *text, const FsLabelPhoto *photo, const FsLabelObject *object,
             gboolean is_packed)
{
  g_autoptr (GArray) lengths = fs_coco_runs_new (object, photo->width, photo->height);
  if (!lengths)
    return FALSE;
  g_string_append_printf (text, "{ \"size\": [%d, %d], \"counts\": ", photo->height, photo->width);
  if (is_packed) {
    g_autoptr (GString) packed = g_string_new (NULL);
    fs_coco_runs_append_packed (packed, lengths);
    fs_json_append_quoted (text, packed->str);
  } else {
    g_string_append_c (text, '[');
    for (guint i = 0; i < lengths->len; i++)
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "",
                              g_array_index (lengths, gint64, i));
    g_string_append_c (text, ']');
  }
  g_string_append (text, " }");
  return TRUE;
}

static gboolean
append_annotation (Coco *coco, GString *text, const FsLabelPhoto *photo, guint photo_id,
                   const FsLabelObject *object, guint id)
{
  const FsLabelOptions *options = &coco->out->options;
  const FsRect *box = &object->box;
  begin_entry (text);
  g_string_append_printf (text,
                          "\"id\": %u, \"image_id\": %u, \"category_id\": %u, \"area\": "
                          "%" G_GINT64_FORMAT ", \"bbox\": [%d, %d, %d, %d], \"iscrowd\": %d,\n"
                          "      \"segmentation\": ",
                          id, photo_id, object->class_number + 1, object->n_pixels, box->x0,
                          box->y0, box->x1 - box->x0, box->y1 - box->y0, object->is_crowd ? 1 : 0);
  if (!(options->is_polygons && !object->is_crowd
            ? append_polygons (text, photo, object, options->tolerance_px)
            : append_runs (text, photo, object, options->is_packed)))
    return FALSE;
  g_string_append (text, " }");
  return TRUE;
}

static gboolean
coco_add (gpointer self, const FsLabelPhoto *photo, const char *stem, GError **error)
{
  Coco *coco = self;
  const gsize length = coco->annotations->len;
  const guint photo_id = find_photo (coco, photo);
  for (guint i = 0; i < photo->objects->len; i++)
    if (!append_annotation (coco, coco->annotations, photo, photo_id, photo->objects->pdata[i],
                            make_id (coco, coco->n_annotations + i))) {
      g_string_truncate (coco->annotations, length);
      return fs_label_fail_for_memory (photo->file_name, error);
    }
  coco->n_annotations += photo->objects->len;
  return TRUE;
}

static void
append_info (const Coco *coco, GString *text)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (coco->out->options.date_s);
  g_autofree char *day = date ? g_date_time_format (date, "%Y/%m/%d") : g_strdup ("");
  g_string_append_printf (text,
                          "  \"info\": { \"year\": %d, \"version\": \"1.0\", \"description\": "
                          "\"Fretsaw %s\", \"contributor\": \"\", \"url\": \"\", "
                          "\"date_created\": \"%s\" },\n  \"licenses\": []",
                          date ? g_date_time_get_year (date) : 1970, FS_VERSION, day);
}

static void
append_categories (const FsLabelClasses *classes, GString *text)
{
  g_string_append (text, ",\n  \"categories\": [");
  for (guint i = 0; i < fs_label_classes_get_n (classes); i++) {
    g_string_append_printf (text, "%s\n    { \"id\": %u, \"name\": ", i > 0 ? "," : "", i + 1);
    fs_json_append_quoted (text, fs_label_classes_get_name (classes, i));
    g_string_append (text, ", \"supercategory\": \"object\" }");
  }
  g_string_append (text, "\n  ]\n}\n");
}

static gboolean
coco_end (gpointer self, GError **error)
{
  const Coco *coco = self;
  g_autoptr (GString) head = g_string_new ("{\n"), tail = g_string_new ("\n  ]");
  g_autoptr (GString) middle = g_string_new ("\n  ],\n  \"annotations\": [");
  append_info (coco, head);
  g_string_append (head, ",\n  \"images\": [");
  append_categories (coco->out->classes, tail);
  /* Not put together in memory: annotations can be most of it. */
  const GString *const texts[] = { head, coco->photos, middle, coco->annotations, tail };
  g_autoptr (FsAtomicFile) file = fs_atomic_file_new (coco->out->options.path, error);
  if (!file)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!fs_atomic_file_write (file, texts[i]->str, texts[i]->len, error))
      return FALSE;
  return fs_atomic_file_commit (file, error);
}

const FsLabelFormat fs_label_coco = {
  .name = "coco",
  .title = "COCO",
  .has_numbers = TRUE,
  .names_paths = TRUE,
  .has_runs = TRUE,
  .has_polygons = TRUE,
  .begin = coco_begin,
  .add = coco_add,
  .end = coco_end,
  .free = coco_free,
};
