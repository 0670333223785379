/* SPDX-License-Identifier: MIT */
#include "app/labels/input/label_reader.h"

#include "app/files/display_name.h"
#include "app/files/free_memory.h"
#include "app/labels/parse/indexed_png.h"
#include "app/labels/parse/label_file.h"
#include "app/photo/photo.h"

#include <glib/gi18n.h>
#include <string.h>

/* Planes of a photo that its labels take while they are read. */
enum { PLANES = 4 };

struct _FsLabelReader {
  const FsLabelInput *input;
  gpointer set;
  char *path;
  GArray *entries; /* of FsLabelEntry */
  FsLabelCounts losses;
};

/* The first one that detects a file or folder reads it. */
static const FsLabelInput *const inputs[] = { &fs_label_input_coco,  &fs_label_input_labelme,
                                              &fs_label_input_yolo,  &fs_label_input_voc,
                                              &fs_label_input_masks, &fs_label_input_indexed };

static void
entry_clear (gpointer data)
{
  g_free (((FsLabelEntry *)data)->name);
}

static FsLabelReader *
open_set (const char *path, json_t *root, GError **error)
{
  const FsLabelInput *input = NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (inputs) && !input; i++)
    if (inputs[i]->detect (path, root))
      input = inputs[i];
  if (!input) {
    const gboolean is_there = g_file_test (path, G_FILE_TEST_EXISTS);
    fs_label_file_refuse (path, is_there ? FS_LABEL_ERROR_FORMAT : FS_LABEL_ERROR_READ,
                          is_there ? _ ("is not of a known format of labels") : _ ("is not there"),
                          error);
    return NULL;
  }
  g_autoptr (FsLabelReader) reader = g_new0 (FsLabelReader, 1);
  reader->input = input;
  reader->path = g_strdup (path);
  reader->entries = g_array_new (FALSE, FALSE, sizeof (FsLabelEntry));
  g_array_set_clear_func (reader->entries, entry_clear);
  reader->set = input->open (path, root, reader->entries, &reader->losses, error);
  return reader->set ? g_steal_pointer (&reader) : NULL;
}

FsLabelReader *
fs_label_reader_open_json (const char *path, json_t *root, GError **error)
{
  g_return_val_if_fail (path && root, NULL);
  return open_set (path, root, error);
}

FsLabelReader *
fs_label_reader_open (const char *path, GError **error)
{
  g_return_val_if_fail (path, NULL);

  g_autoptr (json_t) root = NULL;
  if (fs_name_has_ending (path, ".json") && !g_file_test (path, G_FILE_TEST_IS_DIR)
      && !(root = fs_label_file_read_json (path, error)))
    return NULL;
  return open_set (path, root, error);
}

void
fs_label_reader_free (FsLabelReader *reader)
{
  if (!reader)
    return;
  if (reader->set)
    reader->input->free (reader->set);
  g_array_unref (reader->entries);
  g_free (reader->path);
  g_free (reader);
}

gboolean
fs_label_reader_has_name (const char *path)
{
  return fs_label_input_voc.detect (path, NULL) || fs_name_has_ending (path, ".json")
         || fs_name_has_ending (path, ".txt") || fs_name_has_ending (path, ".yaml")
         || fs_name_has_ending (path, ".yml") || fs_name_has_ending (path, ".xml");
}

gboolean
fs_label_reader_is_indexed (const char *path)
{
  g_autoptr (FsIndexedPng) png = fs_indexed_png_read (path, NULL);
  return png && fs_indexed_png_is_of_classes (png);
}

const char *
fs_label_reader_get_path (const FsLabelReader *reader)
{
  return reader->path;
}

const char *
fs_label_reader_get_title (const FsLabelReader *reader)
{
  return reader->input->title;
}

gboolean
fs_label_reader_has_usual_names (const FsLabelReader *reader)
{
  return reader->input->has_usual_names && reader->input->has_usual_names (reader->set);
}

guint
fs_label_reader_get_n (const FsLabelReader *reader)
{
  return reader->entries->len;
}

const FsLabelEntry *
fs_label_reader_get (const FsLabelReader *reader, guint entry)
{
  g_return_val_if_fail (entry < reader->entries->len, NULL);
  return &g_array_index (reader->entries, FsLabelEntry, entry);
}

const FsLabelCounts *
fs_label_reader_get_losses (const FsLabelReader *reader)
{
  return &reader->losses;
}

/* --- photos by name --- */

typedef enum { BY_PATH, BY_NAME, BY_STEM, N_WAYS } Way;

static gboolean
is_named (const char *name_in_set, const char *photo_path, Way way)
{
  if (way == BY_PATH) {
    g_autofree char *tail = g_strconcat ("/", name_in_set, NULL);
    return g_str_has_suffix (photo_path, tail);
  }
  g_autofree char *name = g_path_get_basename (photo_path);
  g_autofree char *other = g_path_get_basename (name_in_set);
  if (way == BY_NAME)
    return strcmp (name, other) == 0;
  g_autofree char *stem = fs_label_file_stem (name);
  g_autofree char *other_stem =
      fs_photo_has_name (other) ? fs_label_file_stem (other) : g_strdup (other);
  return strcmp (stem, other_stem) == 0;
}

/* The number of entries that are the photo's, one of them in *entry. */
static guint
count_named (const FsLabelReader *reader, const char *photo_path, Way way, gboolean is_windows,
             guint *entry)
{
  guint n = 0;
  for (guint i = 0; i < reader->entries->len; i++) {
    const char *name = fs_label_reader_get (reader, i)->name;
    g_autofree char *path = is_windows ? g_strdelimit (g_strdup (name), "\\", '/') : NULL;
    if (!is_named (path ? path : name, photo_path, way))
      continue;
    *entry = i;
    n++;
  }
  return n;
}

gboolean
fs_label_reader_find (const FsLabelReader *reader, const char *photo_path, guint *entry)
{
  g_return_val_if_fail (reader && photo_path && entry, FALSE);

  for (int is_windows = FALSE; is_windows <= TRUE; is_windows++)
    for (int way = 0; way < N_WAYS; way++) {
      guint n = count_named (reader, photo_path, (Way)way, is_windows, entry);
      if (n > 0)
        return n == 1;
    }
  return FALSE;
}

/* --- class names --- */

guint
fs_label_input_find_class (FsLabelReading *reading, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  g_autoptr (GString) clean = g_string_new (NULL);
  for (const char *at = valid; *at; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    if (clean->len + (gsize)g_unichar_to_utf8 (c, NULL) > FS_LABEL_MAX_NAME_BYTES)
      break;
    g_string_append_unichar (clean, g_unichar_iscntrl (c) ? ' ' : c);
  }
  const char *name_of_class = g_strstrip (clean->str);
  return *name_of_class ? fs_label_classes_find (reading->classes, name_of_class)
                        : FS_LABEL_NO_CLASS;
}

/* --- sizes --- */

static gint64
divide_up (gint64 a, gint64 b)
{
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

/* The first pixel of n whose middle is not left of pixel i of n_from. */
static int
scale_place (int i, int n_from, int n)
{
  return (int)CLAMP (divide_up (2 * (gint64)i * n - n_from, 2 * (gint64)n_from), 0, n);
}

/* Runs are in the order of rows: those of one row follow each other. */
static void
scale_object (const FsLabelObject *from, const FsLabelPhoto *photo, int width, int height,
              FsLabelObject *to)
{
  const GArray *runs = from->runs;
  for (guint first = 0, end; first < runs->len; first = end) {
    int row = g_array_index (runs, FsLabelRun, first).y;
    for (end = first + 1; end < runs->len; end++)
      if (g_array_index (runs, FsLabelRun, end).y != row)
        break;
    int y1 = scale_place (row + 1, photo->height, height);
    for (int y = scale_place (row, photo->height, height); y < y1; y++)
      for (guint i = first; i < end; i++) {
        const FsLabelRun *run = &g_array_index (runs, FsLabelRun, i);
        fs_label_object_add_run (to, y, scale_place (run->x0, photo->width, width),
                                 scale_place (run->x1, photo->width, width));
      }
  }
}

/* Proportions that rounding of both sides to pixels explains. */
static gboolean
have_proportions (int width, int height, int other_width, int other_height)
{
  gint64 difference = (gint64)width * other_height - (gint64)height * other_width;
  return ABS (difference) <= (gint64)MAX (width + height, other_width + other_height) / 2;
}

/* Objects of the photo's size; those without pixels are left out. */
static void
take_size (FsLabelReading *reading, int width, int height)
{
  FsLabelPhoto *from = reading->photo;
  FsLabelPhoto *to = fs_label_photo_new (from->file_name, width, height);
  for (guint i = 0; i < from->objects->len; i++) {
    FsLabelObject *object = from->objects->pdata[i];
    FsLabelObject *scaled = fs_label_photo_add (to, object->class_number);
    scaled->is_crowd = object->is_crowd;
    scaled->place = g_steal_pointer (&object->place);
    scale_object (object, from, width, height, scaled);
    if (scaled->n_pixels > 0)
      continue;
    fs_label_counts_lose (&reading->counts, FS_LABEL_LOSS_OUTSIDE, 1, scaled->place);
    g_ptr_array_set_size (to->objects, (int)to->objects->len - 1);
  }
  if (reading->unknown) {
    FsLabelPhoto *unknown = fs_label_photo_new (from->file_name, width, height);
    scale_object (reading->unknown->objects->pdata[0], from, width, height,
                  fs_label_photo_add (unknown, 0));
    fs_label_photo_free (reading->unknown);
    reading->unknown = unknown;
  }
  fs_label_photo_free (from);
  reading->photo = to;
}

/* Returns whether labels of this size may be those of the photo. */
static gboolean
check_size (const char *name, int width, int height, int photo_width, int photo_height,
            GError **error)
{
  if (!have_proportions (width, height, photo_width, photo_height)) {
    g_autofree char *shown = fs_display_name (name);
    g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_FORMAT,
                 _ ("%s: the labels are of %d × %d pixels, but the photo is %d × %d"), shown, width,
                 height, photo_width, photo_height);
    return FALSE;
  }
  guint64 n = MAX ((guint64)width * (guint64)height, (guint64)photo_width * (guint64)photo_height);
  return n * PLANES <= fs_free_memory_limit ()
         || fs_label_file_refuse (name, FS_LABEL_ERROR_LIMIT,
                                  _ ("there is not enough memory for its labels"), error);
}

gboolean
fs_label_input_set_size (FsLabelReading *reading, int width, int height, GError **error)
{
  FsLabelPhoto *before = reading->photo;
  g_return_val_if_fail (before->objects->len == 0, FALSE);
  if (!check_size (before->file_name, width, height, before->width, before->height, error))
    return FALSE;
  reading->photo = fs_label_photo_new (before->file_name, width, height);
  fs_label_photo_free (before);
  return TRUE;
}

FsLabelReading *
fs_label_reader_read (FsLabelReader *reader, guint entry, int width, int height, GError **error)
{
  g_return_val_if_fail (reader && entry < reader->entries->len && width > 0 && height > 0, NULL);

  const FsLabelEntry *of = fs_label_reader_get (reader, entry);
  gboolean has_size = of->width > 0 && of->height > 0;
  int of_width = has_size ? of->width : width, of_height = has_size ? of->height : height;
  if (!check_size (of->name, of_width, of_height, width, height, error))
    return NULL;
  g_autoptr (FsLabelReading) reading = g_new0 (FsLabelReading, 1);
  reading->classes = fs_label_classes_new ();
  reading->photo = fs_label_photo_new (of->name, of_width, of_height);
  if (!reader->input->read (reader->set, entry, reading, error))
    return NULL;
  take_size (reading, width, height);
  reading->counts.n_read = reading->photo->objects->len;
  return g_steal_pointer (&reading);
}

void
fs_label_reading_free (FsLabelReading *reading)
{
  if (!reading)
    return;
  fs_label_classes_free (reading->classes);
  fs_label_photo_free (reading->photo);
  fs_label_photo_free (reading->unknown);
  g_free (reading->place);
  g_free (reading);
}
