/* SPDX-License-Identifier: MIT */
/* Labels of labelme: a JSON file a photo.   Layer: app.
 *
 * Source: https://github.com/wkentaro/labelme, the files that it writes.
 *
 * Read are "imagePath", "imageWidth", "imageHeight" and "shapes", of these "label", "points",
 * "group_id" and "shape_type": polygon, rectangle (two corners), circle (centre and a point on it),
 * and mask (two corners, and "mask", a PNG in base64). Shapes of one label and one group are one
 * object. Points and lines have no area.
 */
#include "app/labels/input/label_input.h"

#include "app/files/display_name.h"
#include "app/labels/parse/indexed_png.h"
#include "app/labels/parse/label_file.h"
#include "app/labels/parse/object_canvas.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

enum { MAX_FILES = 1000000, MAX_DETECTED = 8, CIRCLE_CORNERS = 720 };

typedef struct {
  json_t *root;     /* of one file; NULL: they are read when they are asked for */
  GPtrArray *paths; /* [entries] */
} Labelme;

static void
labelme_free (gpointer self)
{
  Labelme *labelme = self;
  json_decref (labelme->root);
  g_ptr_array_unref (labelme->paths);
  g_free (labelme);
}

static gboolean
is_labelme (const json_t *root)
{
  return json_is_array (json_object_get (root, "shapes"));
}

static gboolean
labelme_detect (const char *path, const json_t *root)
{
  if (root)
    return is_labelme (root);
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return FALSE;
  g_autoptr (GPtrArray) names = fs_label_file_list (path, ".json", MAX_FILES, NULL);
  gboolean found = FALSE;
  for (guint i = 0; names && i < MIN (names->len, MAX_DETECTED) && !found; i++) {
    g_autofree char *file = g_build_filename (path, names->pdata[i], NULL);
    g_autoptr (json_t) tree = fs_label_file_read_json (file, NULL);
    found = is_labelme (tree);
  }
  return found;
}

static int
read_side (const json_t *root, const char *key)
{
  const json_t *value = json_object_get (root, key);
  json_int_t side = json_is_integer (value) ? json_integer_value (value) : 0;
  return side >= 1 && side <= FS_LABEL_MAX_SIDE_PX ? (int)side : 0;
}

static void
add_entry (const json_t *root, const char *path, GArray *entries)
{
  const char *photo = root ? json_string_value (json_object_get (root, "imagePath")) : NULL;
  FsLabelEntry entry = { 0 };
  if (photo && *photo) {
    entry.name = g_strdup (photo);
  } else {
    g_autofree char *stem = fs_label_file_stem (path);
    entry.name = g_filename_display_name (stem);
  }
  entry.width = root ? read_side (root, "imageWidth") : 0;
  entry.height = root ? read_side (root, "imageHeight") : 0;
  g_array_append_val (entries, entry);
}

static gpointer
labelme_open (const char *path, json_t *root, GArray *entries, FsLabelCounts *counts,
              GError **error)
{
  Labelme *labelme = g_new0 (Labelme, 1);
  labelme->paths = g_ptr_array_new_with_free_func (g_free);
  if (root) {
    labelme->root = json_incref (root);
    g_ptr_array_add (labelme->paths, g_strdup (path));
    add_entry (root, path, entries);
    return labelme;
  }
  g_autoptr (GPtrArray) names = fs_label_file_list (path, ".json", MAX_FILES, error);
  for (guint i = 0; names && i < names->len; i++) {
    char *file = g_build_filename (path, names->pdata[i], NULL);
    g_autoptr (json_t) tree = fs_label_file_read_json (file, NULL);
    g_ptr_array_add (labelme->paths, file);
    add_entry (is_labelme (tree) ? tree : NULL, file, entries);
  }
  if (names)
    return labelme;
  labelme_free (labelme);
  return NULL;
}

/* --- shapes --- */

/* The coordinates, two a point. NULL where there is something else. g_array_unref. */
static GArray *
read_points (const json_t *points)
{
  g_autoptr (GArray) xy = g_array_new (FALSE, FALSE, sizeof (double));
  for (size_t i = 0; i < json_array_size (points); i++) {
    const json_t *point = json_array_get (points, i);
    for (size_t k = 0; k < 2; k++) {
      const json_t *value = json_array_get (point, k);
      double place = json_number_value (value);
      if (!json_is_number (value) || !(fabs (place) <= FS_CANVAS_MAX_PLACE_PX))
        return NULL;
      g_array_append_val (xy, place);
    }
  }
  return g_steal_pointer (&xy);
}

static const double *
values_of (const GArray *xy)
{
  return (const double *)(gconstpointer)xy->data;
}

static gboolean
draw_rectangle (FsObjectCanvas *canvas, const double *p)
{
  const double corners[] = { p[0], p[1], p[2], p[1], p[2], p[3], p[0], p[3] };
  return fs_object_canvas_add_polygon (canvas, FS_CANVAS_CENTRES, corners, 4);
}

static gboolean
draw_circle (FsObjectCanvas *canvas, const double *p)
{
  double corners[2 * CIRCLE_CORNERS], radius = hypot (p[2] - p[0], p[3] - p[1]);
  for (int i = 0; i < CIRCLE_CORNERS; i++) {
    corners[2 * i] = p[0] + radius * cos (2 * G_PI * i / CIRCLE_CORNERS);
    corners[2 * i + 1] = p[1] + radius * sin (2 * G_PI * i / CIRCLE_CORNERS);
  }
  return fs_object_canvas_add_polygon (canvas, FS_CANVAS_CENTRES, corners, CIRCLE_CORNERS);
}

/* Its upper left pixel is at the first point. */
static gboolean
draw_mask (FsObjectCanvas *canvas, const FsLabelPhoto *photo, const double *p, const json_t *mask)
{
  const char *text = json_string_value (mask);
  gsize n_bytes = 0;
  g_autofree guchar *bytes = text ? g_base64_decode (text, &n_bytes) : NULL;
  g_autoptr (FsIndexedPng) png =
      bytes ? fs_indexed_png_parse (photo->file_name, bytes, n_bytes, NULL) : NULL;
  if (!png)
    return FALSE;
  int left = (int)floor (MIN (p[0], p[2]) + 0.5), top = (int)floor (MIN (p[1], p[3]) + 0.5);
  for (int y = MAX (0, -top); y < png->height && top + y < photo->height; y++) {
    const uint8_t *row = png->values + (gsize)y * (gsize)png->width;
    for (int x = MAX (0, -left); x < png->width && left + x < photo->width; x++)
      if (row[x])
        fs_object_canvas_add_row (canvas, top + y, left + x, left + x + 1);
  }
  return TRUE;
}

typedef enum { DRAWN, BROKEN, WITHOUT_AREA } Drawing;

static Drawing
draw_shape (FsObjectCanvas *canvas, const FsLabelPhoto *photo, const json_t *shape)
{
  const char *type = json_string_value (json_object_get (shape, "shape_type"));
  g_autoptr (GArray) xy = read_points (json_object_get (shape, "points"));
  type = type ? type : "polygon";
  gboolean has_two = xy && xy->len == 4, done = FALSE;
  if (strcmp (type, "polygon") == 0)
    done =
        xy && fs_object_canvas_add_polygon (canvas, FS_CANVAS_CENTRES, values_of (xy), xy->len / 2);
  else if (strcmp (type, "rectangle") == 0)
    done = has_two && draw_rectangle (canvas, values_of (xy));
  else if (strcmp (type, "circle") == 0)
    done = has_two && draw_circle (canvas, values_of (xy));
  else if (strcmp (type, "mask") == 0)
    done = has_two && draw_mask (canvas, photo, values_of (xy), json_object_get (shape, "mask"));
  else if (strcmp (type, "point") == 0 || strcmp (type, "points") == 0 || strcmp (type, "line") == 0
           || strcmp (type, "linestrip") == 0)
    return WITHOUT_AREA;
  return done ? DRAWN : BROKEN;
}

/* A label and, where it has one, a group. */
static char *
make_key (const json_t *shape, const char *label)
{
  const json_t *group = json_object_get (shape, "group_id");
  if (!json_is_integer (group))
    return NULL;
  return g_strdup_printf ("%" JSON_INTEGER_FORMAT " %s", json_integer_value (group), label);
}

static void
set_place (FsLabelReading *reading, size_t shape)
{
  fs_label_input_set_place (reading, g_strdup_printf (_ ("shape %u"), (guint)shape + 1));
}

/* Draws a shape, and those after it that are the same object. */
static void
read_object (const json_t *shapes, size_t first, gboolean *is_read, FsObjectCanvas *canvas,
             FsLabelReading *reading)
{
  const json_t *shape = json_array_get (shapes, first);
  const char *label = json_string_value (json_object_get (shape, "label"));
  guint class_number = label ? fs_label_input_find_class (reading, label) : FS_LABEL_NO_CLASS;
  if (class_number == FS_LABEL_NO_CLASS) {
    fs_label_input_lose (reading, FS_LABEL_LOSS_CLASS);
    return;
  }
  g_autofree char *key = make_key (shape, label);
  gboolean any = FALSE;
  for (size_t i = first; i < (key ? json_array_size (shapes) : first + 1); i++) {
    const json_t *other = json_array_get (shapes, i);
    const char *its_label = json_string_value (json_object_get (other, "label"));
    g_autofree char *its_key = key && its_label ? make_key (other, its_label) : NULL;
    if (is_read[i] || (i > first && g_strcmp0 (key, its_key) != 0))
      continue;
    is_read[i] = TRUE;
    Drawing drawing = draw_shape (canvas, reading->photo, other);
    any |= drawing == DRAWN;
    if (drawing == DRAWN)
      continue;
    set_place (reading, i);
    fs_label_input_lose (reading, drawing == BROKEN ? FS_LABEL_LOSS_BROKEN : FS_LABEL_LOSS_LINE);
  }
  set_place (reading, first);
  if (any)
    fs_object_canvas_take (canvas, fs_label_input_add (reading, class_number));
}

static gboolean
labelme_read (gpointer self, guint entry, FsLabelReading *reading, GError **error)
{
  const Labelme *labelme = self;
  const char *path = labelme->paths->pdata[entry];
  g_autoptr (json_t) root =
      labelme->root ? json_incref (labelme->root) : fs_label_file_read_json (path, error);
  if (!root)
    return FALSE;
  if (!is_labelme (root))
    return fs_label_file_refuse (path, FS_LABEL_ERROR_FORMAT, _ ("has no shapes"), error);
  const json_t *shapes = json_object_get (root, "shapes");
  gsize n = MIN (json_array_size (shapes), FS_LABEL_INPUT_MAX_OBJECTS);
  set_place (reading, n);
  fs_label_counts_lose (&reading->counts, FS_LABEL_LOSS_MANY, (guint)(json_array_size (shapes) - n),
                        reading->place);
  g_autofree gboolean *is_read = g_new0 (gboolean, json_array_size (shapes) + 1);
  for (gsize i = n; i < json_array_size (shapes); i++)
    is_read[i] = TRUE;
  g_autoptr (FsObjectCanvas) canvas =
      fs_object_canvas_new (reading->photo->width, reading->photo->height);
  if (!canvas)
    return fs_label_file_refuse (path, FS_LABEL_ERROR_LIMIT,
                                 _ ("there is not enough memory for its labels"), error);
  for (size_t i = 0; i < n; i++) {
    set_place (reading, i);
    if (!is_read[i] && fs_object_canvas_is_spent (canvas))
      fs_label_input_lose (reading, FS_LABEL_LOSS_MANY);
    else if (!is_read[i])
      read_object (shapes, i, is_read, canvas, reading);
  }
  return TRUE;
}

const FsLabelInput fs_label_input_labelme = {
  .title = "labelme",
  .detect = labelme_detect,
  .open = labelme_open,
  .read = labelme_read,
  .free = labelme_free,
};
