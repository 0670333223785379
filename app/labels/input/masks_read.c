/* SPDX-License-Identifier: MIT */
/* Masks as a grey PNG for each object: object where it is 128 or more.   Layer: app.
 *
 *   PHOTO/CLASS-N.png   the N-th object of the class; in CLASS, %XX stands for a byte
 */
#include "app/labels/input/label_input.h"

#include "app/files/display_name.h"
#include "app/labels/parse/indexed_png.h"
#include "app/labels/parse/label_file.h"
#include "app/labels/parse/object_canvas.h"

#include <glib/gi18n.h>
#include <string.h>

enum { MAX_FILES = 1000000, OBJECT_MIN = 128 };

typedef struct {
  GPtrArray *folders; /* [entries] */
} Masks;

static void
masks_free (gpointer self)
{
  Masks *masks = self;
  g_ptr_array_unref (masks->folders);
  g_free (masks);
}

/* The class in a file's name; NULL: it has none. g_free. */
static char *
read_class (const char *file)
{
  g_autofree char *stem = fs_label_file_stem (file);
  char *dash = strrchr (stem, '-');
  if (!dash || dash == stem || dash[1] == '\0'
      || strspn (dash + 1, "0123456789") != strlen (dash + 1))
    return NULL;
  *dash = '\0';
  char *name = g_uri_unescape_string (stem, NULL);
  return name ? name : g_steal_pointer (&stem);
}

static gboolean
has_masks (const char *folder)
{
  g_autoptr (GPtrArray) names = fs_label_file_list (folder, ".png", 1, NULL);
  g_autofree char *name = names && names->len > 0 ? read_class (names->pdata[0]) : NULL;
  return name != NULL;
}

/* The first folder that has PNGs at all decides. */
static gboolean
masks_detect (const char *path, const json_t *root)
{
  if (root || !g_file_test (path, G_FILE_TEST_IS_DIR))
    return FALSE;
  g_autoptr (GPtrArray) pictures = fs_label_file_list (path, ".png", 1, NULL);
  g_autoptr (GPtrArray) names = fs_label_file_list (path, "", MAX_FILES, NULL);
  for (guint i = 0; pictures && pictures->len == 0 && names && i < names->len; i++) {
    g_autofree char *folder = g_build_filename (path, names->pdata[i], NULL);
    if (g_file_test (folder, G_FILE_TEST_IS_DIR) && has_masks (folder))
      return TRUE;
  }
  return FALSE;
}

static gpointer
masks_open (const char *path, json_t *root, GArray *entries, FsLabelCounts *counts, GError **error)
{
  g_autoptr (GPtrArray) names = fs_label_file_list (path, "", MAX_FILES, error);
  if (!names)
    return NULL;
  Masks *masks = g_new0 (Masks, 1);
  masks->folders = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *folder = g_build_filename (path, names->pdata[i], NULL);
    if (!g_file_test (folder, G_FILE_TEST_IS_DIR) || !has_masks (folder))
      continue;
    FsLabelEntry entry = { .name = g_filename_display_name (names->pdata[i]) };
    g_array_append_val (entries, entry);
    g_ptr_array_add (masks->folders, g_steal_pointer (&folder));
  }
  return masks;
}

/* --- one photo --- */

static void
draw_object (FsObjectCanvas *canvas, const FsIndexedPng *png)
{
  for (int y = 0; y < png->height; y++) {
    const uint8_t *row = png->values + (gsize)y * (gsize)png->width;
    for (int x = 0, end; x < png->width; x = end) {
      gboolean is_object = row[x] >= OBJECT_MIN;
      for (end = x + 1; end < png->width && (row[end] >= OBJECT_MIN) == is_object; end++)
        continue;
      if (is_object)
        fs_object_canvas_add_row (canvas, y, x, end);
    }
  }
}

/* The first picture gives the size that all have. */
static gboolean
read_mask (const char *path, const char *name, FsObjectCanvas **canvas, FsLabelReading *reading,
           GError **error)
{
  g_autoptr (FsIndexedPng) png = fs_indexed_png_read (path, NULL);
  guint class_number = fs_label_input_find_class (reading, name);
  if (png && !*canvas
      && (!fs_label_input_set_size (reading, png->width, png->height, error)
          || !(*canvas = fs_object_canvas_new (png->width, png->height))))
    return FALSE;
  fs_label_input_set_place (reading, g_path_get_basename (path));
  if (class_number == FS_LABEL_NO_CLASS)
    fs_label_input_lose (reading, FS_LABEL_LOSS_CLASS);
  else if (!png || png->n_colours > 0 || png->width != reading->photo->width
           || png->height != reading->photo->height)
    fs_label_input_lose (reading, FS_LABEL_LOSS_BROKEN);
  else if (fs_object_canvas_is_spent (*canvas)
           || reading->photo->objects->len == FS_LABEL_INPUT_MAX_OBJECTS)
    fs_label_input_lose (reading, FS_LABEL_LOSS_MANY);
  else {
    draw_object (*canvas, png);
    fs_object_canvas_take (*canvas, fs_label_input_add (reading, class_number));
  }
  return TRUE;
}

static gboolean
masks_read (gpointer self, guint entry, FsLabelReading *reading, GError **error)
{
  const char *folder = ((const Masks *)self)->folders->pdata[entry];
  g_autoptr (GPtrArray) files = fs_label_file_list (folder, ".png", MAX_FILES, error);
  FsObjectCanvas *canvas = NULL;
  gboolean done = files != NULL;
  for (guint i = 0; done && i < files->len; i++) {
    g_autofree char *name = read_class (files->pdata[i]);
    g_autofree char *path = g_build_filename (folder, files->pdata[i], NULL);
    done = !name || read_mask (path, name, &canvas, reading, error);
  }
  fs_object_canvas_free (canvas);
  if (!done && error && !*error)
    fs_label_file_refuse (folder, FS_LABEL_ERROR_LIMIT,
                          _ ("there is not enough memory for its labels"), error);
  return done;
}

const FsLabelInput fs_label_input_masks = {
  .title = "PNG",
  .detect = masks_detect,
  .open = masks_open,
  .read = masks_read,
  .free = masks_free,
};
