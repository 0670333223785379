/* SPDX-License-Identifier: MIT */
/* Data sets in COCO's format: run lengths, packed ones, and polygons.   Layer: app.
 *
 * Source: Lin et al. 2014, "Microsoft COCO: common objects in context";
 * https://cocodataset.org/#format-data.
 *
 * Of "images" the keys "id", "file_name", "width" and "height" are read; of "categories" "id" and
 * "name"; of "annotations" "id", "image_id", "category_id" and "segmentation": a list of polygons
 * (x, y, x, y, …), or "size": [height, width] and "counts", a list or packed (coco_runs.h). The
 * lengths must be those of the photo. Crowds are objects like others.
 */
#include "app/labels/input/label_input.h"

#include "app/labels/parse/label_file.h"
#include "app/labels/parse/object_canvas.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Up to it a double holds every whole number. */
#define MAX_WHOLE 9007199254740992.0

typedef struct {
  json_t *root;
  GPtrArray *annotations; /* [entries] GPtrArray of json_t, borrowed */
  GHashTable *classes;    /* the key of a category's id → its name   */
} Coco;

static void
coco_free (gpointer self)
{
  Coco *coco = self;
  json_decref (coco->root);
  g_ptr_array_unref (coco->annotations);
  g_hash_table_unref (coco->classes);
  g_free (coco);
}

static gboolean
coco_detect (const char *path, const json_t *root)
{
  return json_is_array (json_object_get (root, "images"))
         && json_is_array (json_object_get (root, "annotations"));
}

/* Numbers and texts are ids. Tables write whole numbers as 7.0. g_free; NULL for others. */
static char *
make_key (const json_t *id)
{
  const double real = json_real_value (id);
  if (json_is_integer (id))
    return g_strdup_printf ("%" JSON_INTEGER_FORMAT, json_integer_value (id));
  if (json_is_real (id) && fabs (real) <= MAX_WHOLE && real == floor (real))
    return g_strdup_printf ("%" G_GINT64_FORMAT, (gint64)real);
  return json_is_string (id) ? g_strconcat ("\"", json_string_value (id), NULL) : NULL;
}

/* An annotation by its id: "annotation 17". NULL without one. g_free. */
static char *
name_annotation (const json_t *annotation)
{
  g_autofree char *key = make_key (json_object_get (annotation, "id"));
  return key ? g_strdup_printf (_ ("annotation %s"), *key == '"' ? key + 1 : key) : NULL;
}

/* A length in pixels; 0 where there is none. */
static int
read_side (const json_t *value)
{
  const double side = json_number_value (value);
  return side >= 1 && side <= FS_LABEL_MAX_SIDE_PX ? (int)side : 0;
}

/* `places` gets the key of each id → its entry, plus 1. */
static void
read_images (Coco *coco, GArray *entries, GHashTable *places, FsLabelCounts *counts)
{
  size_t i;
  json_t *image;
  json_array_foreach (json_object_get (coco->root, "images"), i, image)
  {
    const char *name = json_string_value (json_object_get (image, "file_name"));
    char *key = make_key (json_object_get (image, "id"));
    if (!name || !key || g_hash_table_contains (places, key)) {
      g_autofree char *place = g_strdup_printf ("images[%" G_GSIZE_FORMAT "]", i);
      fs_label_counts_lose (counts, name && key ? FS_LABEL_LOSS_TWICE : FS_LABEL_LOSS_BROKEN, 1,
                            place);
      g_free (key);
      continue;
    }
    FsLabelEntry entry = { g_strdup (name), read_side (json_object_get (image, "width")),
                           read_side (json_object_get (image, "height")) };
    g_array_append_val (entries, entry);
    g_ptr_array_add (coco->annotations, g_ptr_array_new ());
    g_hash_table_insert (places, key, GUINT_TO_POINTER (entries->len));
  }
}

static void
read_categories (Coco *coco)
{
  size_t i;
  json_t *category;
  json_array_foreach (json_object_get (coco->root, "categories"), i, category)
  {
    const char *name = json_string_value (json_object_get (category, "name"));
    char *key = make_key (json_object_get (category, "id"));
    if (name && key && !g_hash_table_contains (coco->classes, key))
      g_hash_table_insert (coco->classes, key, g_strdup (name));
    else
      g_free (key);
  }
}

static void
sort_annotations (Coco *coco, GHashTable *places, FsLabelCounts *counts)
{
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  size_t i;
  json_t *annotation;
  json_array_foreach (json_object_get (coco->root, "annotations"), i, annotation)
  {
    g_autofree char *image = make_key (json_object_get (annotation, "image_id"));
    char *id = make_key (json_object_get (annotation, "id"));
    guint place = image ? GPOINTER_TO_UINT (g_hash_table_lookup (places, image)) : 0;
    gboolean is_twice = id && !g_hash_table_add (ids, id);
    if (!is_twice && place > 0) {
      g_ptr_array_add (coco->annotations->pdata[place - 1], annotation);
      continue;
    }
    g_autofree char *shown = name_annotation (annotation);
    fs_label_counts_lose (counts, is_twice ? FS_LABEL_LOSS_TWICE : FS_LABEL_LOSS_PHOTO, 1, shown);
  }
}

static gpointer
coco_open (const char *path, json_t *root, GArray *entries, FsLabelCounts *counts, GError **error)
{
  Coco *coco = g_new0 (Coco, 1);
  coco->root = json_incref (root);
  coco->annotations = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  coco->classes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  read_images (coco, entries, places, counts);
  read_categories (coco);
  sort_annotations (coco, places, counts);
  return coco;
}

/* --- masks --- */

/* Draws run after run, down one column after the other. */
typedef struct {
  FsObjectCanvas *canvas;
  int height;
  gint64 at, n_pixels;
  gboolean is_object;
} Runs;

/* FALSE beyond the photo. */
static gboolean
add_length (Runs *runs, gint64 length)
{
  if (length < 0 || length > runs->n_pixels - runs->at)
    return FALSE;
  gint64 end = runs->at + length;
  while (runs->at < end) {
    int x = (int)(runs->at / runs->height), y = (int)(runs->at % runs->height);
    int y1 = (int)MIN ((gint64)runs->height, y + (end - runs->at));
    if (runs->is_object)
      fs_object_canvas_add_column (runs->canvas, x, y, y1);
    runs->at += y1 - y;
  }
  runs->is_object = !runs->is_object;
  return TRUE;
}

static gboolean
draw_list (Runs *runs, const json_t *counts)
{
  for (size_t i = 0; i < json_array_size (counts); i++) {
    const json_t *length = json_array_get (counts, i);
    if (!json_is_integer (length) || !add_length (runs, json_integer_value (length)))
      return FALSE;
  }
  return runs->at == runs->n_pixels;
}

/* Groups of five bits, the lowest first; coco_runs.h has the form. */
static gboolean
read_packed (const char **text, gint64 *value)
{
  gint64 read = 0;
  int shift = 0, group;
  do {
    group = (guchar) * *text - 48;
    if (group < 0 || group > 63 || shift > 50)
      return FALSE;
    read |= (gint64)(group & 31) << shift;
    shift += 5;
    ++*text;
  } while (group & 32);
  *value = group & 16 ? read - ((gint64)1 << shift) : read;
  return TRUE;
}

static gboolean
draw_packed (Runs *runs, const char *text)
{
  gint64 lengths[2] = { 0 };
  for (gsize i = 0; *text; i++) {
    gint64 length;
    if (!read_packed (&text, &length))
      return FALSE;
    if (i > 2)
      length += lengths[i % 2];
    if (!add_length (runs, length))
      return FALSE;
    lengths[i % 2] = length;
  }
  return runs->at == runs->n_pixels;
}

static gboolean
draw_lengths (FsObjectCanvas *canvas, const FsLabelPhoto *photo, const json_t *segmentation)
{
  const json_t *size = json_object_get (segmentation, "size");
  const json_t *counts = json_object_get (segmentation, "counts");
  if (json_array_size (size) != 2 || read_side (json_array_get (size, 0)) != photo->height
      || read_side (json_array_get (size, 1)) != photo->width)
    return FALSE;
  Runs runs = { canvas, photo->height, 0, (gint64)photo->width * photo->height, FALSE };
  if (json_is_array (counts))
    return draw_list (&runs, counts);
  return json_is_string (counts) && draw_packed (&runs, json_string_value (counts));
}

static gboolean
draw_polygon (FsObjectCanvas *canvas, const json_t *polygon)
{
  size_t n = json_array_size (polygon);
  if (n % 2 != 0 || n < 6)
    return FALSE;
  g_autofree double *xy = g_try_new (double, n);
  for (size_t i = 0; xy && i < n; i++) {
    const json_t *value = json_array_get (polygon, i);
    if (!json_is_number (value))
      return FALSE;
    xy[i] = json_number_value (value);
  }
  return xy && fs_object_canvas_add_polygon (canvas, FS_CANVAS_FIFTHS, xy, n / 2);
}

/* Polygons that make no sense cost the object. */
static gboolean
draw_segmentation (FsObjectCanvas *canvas, const FsLabelPhoto *photo, const json_t *segmentation)
{
  if (json_is_object (segmentation))
    return draw_lengths (canvas, photo, segmentation);
  for (size_t i = 0; i < json_array_size (segmentation); i++)
    if (!draw_polygon (canvas, json_array_get (segmentation, i)))
      return FALSE;
  return TRUE;
}

static void
read_annotation (const Coco *coco, const json_t *annotation, FsObjectCanvas *canvas,
                 FsLabelReading *reading)
{
  const json_t *segmentation = json_object_get (annotation, "segmentation");
  g_autofree char *key = make_key (json_object_get (annotation, "category_id"));
  const char *name = key ? g_hash_table_lookup (coco->classes, key) : NULL;
  guint class_number = name ? fs_label_input_find_class (reading, name) : FS_LABEL_NO_CLASS;
  gboolean has_mask = json_is_object (segmentation) || json_array_size (segmentation) > 0;
  fs_label_input_set_place (reading, name_annotation (annotation));
  if (class_number == FS_LABEL_NO_CLASS)
    fs_label_input_lose (reading, FS_LABEL_LOSS_CLASS);
  else if (!has_mask)
    fs_label_input_lose (reading, FS_LABEL_LOSS_BOX);
  else if (fs_object_canvas_is_spent (canvas)
           || reading->photo->objects->len == FS_LABEL_INPUT_MAX_OBJECTS)
    fs_label_input_lose (reading, FS_LABEL_LOSS_MANY);
  else if (!draw_segmentation (canvas, reading->photo, segmentation))
    fs_label_input_lose (reading, FS_LABEL_LOSS_BROKEN);
  else {
    FsLabelObject *object = fs_label_input_add (reading, class_number);
    const json_t *crowd = json_object_get (annotation, "iscrowd");
    object->is_crowd = json_is_integer (crowd) && json_integer_value (crowd) == 1;
    fs_object_canvas_take (canvas, object);
  }
  fs_object_canvas_clear (canvas);
}

static gboolean
coco_read (gpointer self, guint entry, FsLabelReading *reading, GError **error)
{
  const Coco *coco = self;
  const GPtrArray *annotations = coco->annotations->pdata[entry];
  g_autoptr (FsObjectCanvas) canvas =
      fs_object_canvas_new (reading->photo->width, reading->photo->height);
  if (!canvas)
    return fs_label_file_refuse (reading->photo->file_name, FS_LABEL_ERROR_LIMIT,
                                 _ ("there is not enough memory for its labels"), error);
  for (guint i = 0; i < annotations->len; i++)
    read_annotation (coco, annotations->pdata[i], canvas, reading);
  return TRUE;
}

const FsLabelInput fs_label_input_coco = {
  .title = "COCO",
  .detect = coco_detect,
  .open = coco_open,
  .read = coco_read,
  .free = coco_free,
};
