/* SPDX-License-Identifier: MIT */
/* Data sets of YOLO for segmentation.   Layer: app.
 *
 * Source: https://docs.ultralytics.com/datasets/segment/.
 *
 *   data.yaml            "names", the classes (yaml_names.h); else classes.txt, a name a line
 *   labels/…/PHOTO.txt   a line an object: CLASS x y x y …, as fractions of width and height
 *
 * A line of four numbers after the class is a box.
 */
#include "app/labels/input/label_input.h"

#include "app/files/display_name.h"
#include "app/labels/parse/label_file.h"
#include "app/labels/parse/object_canvas.h"
#include "app/labels/parse/yaml_names.h"

#include <glib/gi18n.h>
#include <string.h>

enum { MAX_FILES = 1000000, MAX_DEPTH = 4 };
#define MAX_FILE_BYTES ((gsize)256 << 20)

typedef struct {
  GPtrArray *names; /* [class] or NULL */
  GPtrArray *paths; /* [entries]       */
} Yolo;

static void
yolo_free (gpointer self)
{
  Yolo *yolo = self;
  g_ptr_array_unref (yolo->names);
  g_ptr_array_unref (yolo->paths);
  g_free (yolo);
}

static const char *const lists[] = { "data.yaml", "data.yml", "dataset.yaml", "classes.txt" };

/* The list of classes of a data set's folder; NULL: there is none. g_free. */
static char *
find_list (const char *folder)
{
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++) {
    char *path = g_build_filename (folder, lists[i], NULL);
    if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
      return path;
    g_free (path);
  }
  return NULL;
}

/* The folder of the data set that a file of labels is in: the nearest one above with a list. */
static char *
find_set (const char *path)
{
  char *folder = g_path_get_dirname (path);
  for (int i = 0; i < MAX_DEPTH; i++) {
    g_autofree char *list = find_list (folder);
    if (list)
      return folder;
    char *above = g_path_get_dirname (folder);
    g_free (folder);
    folder = above;
  }
  g_free (folder);
  return NULL;
}

static gboolean
is_yaml (const char *path)
{
  return fs_name_has_ending (path, ".yaml") || fs_name_has_ending (path, ".yml");
}

static gboolean
yolo_detect (const char *path, const json_t *root)
{
  if (root)
    return FALSE;
  g_autofree char *labels = g_build_filename (path, "labels", NULL);
  return g_file_test (labels, G_FILE_TEST_IS_DIR) || is_yaml (path)
         || (fs_name_has_ending (path, ".txt") && g_file_test (path, G_FILE_TEST_IS_REGULAR));
}

/* `name` is that of `path` below the folder of labels. */
static void
add_file (Yolo *yolo, const char *path, const char *name, GArray *entries)
{
  FsLabelEntry entry = { .name = g_filename_display_name (name) };
  entry.name[strlen (entry.name) - strlen (".txt")] = '\0';
  g_array_append_val (entries, entry);
  g_ptr_array_add (yolo->paths, g_strdup (path));
}

static void
add_folder (Yolo *yolo, const char *folder, const char *below, int depth, GArray *entries)
{
  g_autoptr (GPtrArray) names = fs_label_file_list (folder, "", MAX_FILES, NULL);
  for (guint i = 0; names && i < names->len && yolo->paths->len < MAX_FILES; i++) {
    const char *file = names->pdata[i];
    g_autofree char *path = g_build_filename (folder, file, NULL);
    g_autofree char *name = *below ? g_strconcat (below, "/", file, NULL) : g_strdup (file);
    if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
      if (depth < MAX_DEPTH && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        add_folder (yolo, path, name, depth + 1, entries);
    } else if (fs_name_has_ending (file, ".txt") && strcmp (file, "classes.txt") != 0)
      add_file (yolo, path, name, entries);
  }
}

static gboolean
read_names (Yolo *yolo, const char *list, GError **error)
{
  gsize n_bytes = 0;
  g_autofree char *text = fs_label_file_read (list, MAX_FILE_BYTES, &n_bytes, error);
  if (!text)
    return FALSE;
  if (is_yaml (list)) {
    g_ptr_array_unref (yolo->names);
    yolo->names = fs_yaml_names_parse (text, n_bytes);
    return yolo->names->len > 0
           || fs_label_file_refuse (list, FS_LABEL_ERROR_FORMAT, _ ("names no class"), error);
  }
  g_autoptr (FsLabelClasses) classes = fs_label_classes_parse (list, text, n_bytes, error);
  for (guint i = 0; classes && i < fs_label_classes_get_n (classes); i++)
    g_ptr_array_add (yolo->names, g_strdup (fs_label_classes_get_name (classes, i)));
  return classes != NULL;
}

static gpointer
yolo_open (const char *path, json_t *root, GArray *entries, FsLabelCounts *counts, GError **error)
{
  Yolo *yolo = g_new0 (Yolo, 1);
  const gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *set = is_folder        ? g_strdup (path)
                         : is_yaml (path) ? g_path_get_dirname (path)
                                          : find_set (path);
  g_autofree char *list = is_yaml (path) ? g_strdup (path) : set ? find_list (set) : NULL;
  yolo->names = g_ptr_array_new_with_free_func (g_free);
  yolo->paths = g_ptr_array_new_with_free_func (g_free);
  if (list
          ? !read_names (yolo, list, error)
          : !fs_label_file_refuse (path, FS_LABEL_ERROR_FORMAT,
                                   _ ("has no list of classes, data.yaml or classes.txt"), error)) {
    yolo_free (yolo);
    return NULL;
  }
  g_autofree char *labels = set ? g_build_filename (set, "labels", NULL) : NULL;
  if (!is_folder && !is_yaml (path)) {
    g_autofree char *name = g_path_get_basename (path);
    add_file (yolo, path, name, entries);
  } else if (labels)
    add_folder (yolo, labels, "", 0, entries);
  return yolo;
}

/* --- lines --- */

/* The numbers of a line; FALSE where there is anything else. */
static gboolean
read_numbers (const char *line, guint *class_number, GArray *values)
{
  char *end;
  guint64 number = g_ascii_strtoull (line, &end, 10);
  if (end == line || number > G_MAXUINT - 1 || !g_ascii_isdigit (*line))
    return FALSE;
  *class_number = (guint)number;
  for (const char *at = end + strspn (end, " \t"); *at; at = end + strspn (end, " \t")) {
    double value = g_ascii_strtod (at, &end);
    if (end == at)
      return FALSE;
    g_array_append_val (values, value);
  }
  return TRUE;
}

static void
read_line (const Yolo *yolo, const char *line, GArray *values, FsObjectCanvas *canvas,
           FsLabelReading *reading)
{
  guint number = 0;
  g_array_set_size (values, 0);
  gboolean is_numbers = read_numbers (line, &number, values);
  const char *name = is_numbers && number < yolo->names->len ? yolo->names->pdata[number] : NULL;
  guint class_number = name ? fs_label_input_find_class (reading, name) : FS_LABEL_NO_CLASS;
  double *xy = (double *)(gpointer)values->data;
  for (guint i = 0; i < values->len; i++)
    xy[i] *= i % 2 == 0 ? reading->photo->width : reading->photo->height;
  if (is_numbers && class_number == FS_LABEL_NO_CLASS)
    fs_label_input_lose (reading, FS_LABEL_LOSS_CLASS);
  else if (is_numbers && values->len == 4)
    fs_label_input_lose (reading, FS_LABEL_LOSS_BOX);
  else if (fs_object_canvas_is_spent (canvas)
           || reading->photo->objects->len == FS_LABEL_INPUT_MAX_OBJECTS)
    fs_label_input_lose (reading, FS_LABEL_LOSS_MANY);
  else if (!is_numbers || values->len % 2 != 0
           || !fs_object_canvas_add_polygon (canvas, FS_CANVAS_CENTRES, xy, values->len / 2))
    fs_label_input_lose (reading, FS_LABEL_LOSS_BROKEN);
  else
    fs_object_canvas_take (canvas, fs_label_input_add (reading, class_number));
}

static gboolean
yolo_read (gpointer self, guint entry, FsLabelReading *reading, GError **error)
{
  const Yolo *yolo = self;
  const char *path = yolo->paths->pdata[entry];
  gsize n_bytes = 0;
  g_autofree char *text = fs_label_file_read (path, MAX_FILE_BYTES, &n_bytes, error);
  if (!text)
    return FALSE;
  g_autoptr (FsObjectCanvas) canvas =
      fs_object_canvas_new (reading->photo->width, reading->photo->height);
  if (!canvas)
    return fs_label_file_refuse (path, FS_LABEL_ERROR_LIMIT,
                                 _ ("there is not enough memory for its labels"), error);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = 0;
  for (char *line = text, *next; line; line = next) {
    next = strchr (line, '\n');
    if (next)
      *next++ = '\0';
    g_strstrip (line);
    fs_label_input_set_place (reading, g_strdup_printf (_ ("line %u"), ++n));
    if (*line)
      read_line (yolo, line, values, canvas, reading);
  }
  return TRUE;
}

const FsLabelInput fs_label_input_yolo = {
  .title = "YOLO",
  .detect = yolo_detect,
  .open = yolo_open,
  .read = yolo_read,
  .free = yolo_free,
};
