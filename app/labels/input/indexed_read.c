/* SPDX-License-Identifier: MIT */
/* Indexed PNGs whose values are classes, each of them an object.   Layer: app.
 *
 * Their names are in a list beside them (value_names.h); without one they are "Class 1" and so on.
 */
#include "app/labels/input/label_input.h"

#include "app/files/display_name.h"
#include "app/labels/parse/indexed_png.h"
#include "app/labels/parse/label_file.h"
#include "app/labels/parse/value_names.h"
#include "app/labels/input/value_objects.h"

enum { MAX_FILES = 1000000 };

typedef struct {
  GPtrArray *names; /* [value], or NULL */
  GPtrArray *paths; /* [entries]        */
} Indexed;

static void
indexed_free (gpointer self)
{
  Indexed *indexed = self;
  g_clear_pointer (&indexed->names, g_ptr_array_unref);
  g_ptr_array_unref (indexed->paths);
  g_free (indexed);
}

static gboolean
indexed_detect (const char *path, const json_t *root)
{
  if (root)
    return FALSE;
  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return fs_name_has_ending (path, ".png");
  g_autoptr (GPtrArray) names = fs_label_file_list (path, ".png", 1, NULL);
  return names && names->len > 0;
}

static void
add_png (Indexed *indexed, char *path, GArray *entries)
{
  g_autofree char *stem = fs_label_file_stem (path);
  FsLabelEntry entry = { .name = g_filename_display_name (stem) };
  g_array_append_val (entries, entry);
  g_ptr_array_add (indexed->paths, path);
}

static gpointer
indexed_open (const char *path, json_t *root, GArray *entries, FsLabelCounts *counts,
              GError **error)
{
  Indexed *indexed = g_new0 (Indexed, 1);
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *folder = is_folder ? g_strdup (path) : g_path_get_dirname (path);
  indexed->names = fs_value_names_read (folder);
  indexed->paths = g_ptr_array_new_with_free_func (g_free);
  if (!is_folder) {
    add_png (indexed, g_strdup (path), entries);
    return indexed;
  }
  g_autoptr (GPtrArray) files = fs_label_file_list (path, ".png", MAX_FILES, error);
  for (guint i = 0; files && i < files->len; i++)
    add_png (indexed, g_build_filename (path, files->pdata[i], NULL), entries);
  if (files)
    return indexed;
  indexed_free (indexed);
  return NULL;
}

static gboolean
indexed_read (gpointer self, guint entry, FsLabelReading *reading, GError **error)
{
  const Indexed *indexed = self;
  g_autoptr (FsIndexedPng) png = fs_indexed_png_read (indexed->paths->pdata[entry], error);
  if (!png)
    return FALSE;
  char numbered[256][16];
  const char *names[256] = { NULL };
  for (guint value = 1; value < FS_VALUE_VOID; value++) {
    g_snprintf (numbered[value], sizeof numbered[value], "Class %u", value);
    names[value] = indexed->names ? fs_value_names_get (indexed->names, value) : numbered[value];
  }
  return fs_value_objects_add (png, names, reading, error);
}

const FsLabelInput fs_label_input_indexed = {
  .title = "PNG",
  .detect = indexed_detect,
  .open = indexed_open,
  .read = indexed_read,
  .free = indexed_free,
};
