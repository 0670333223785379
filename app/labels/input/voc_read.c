/* SPDX-License-Identifier: MIT */
/* Data sets in the form of Pascal VOC's segmentations.   Layer: app.
 *
 * Source: Everingham et al. 2010, "The Pascal Visual Object Classes (VOC) challenge";
 * http://host.robots.ox.ac.uk/pascal/VOC/voc2012/.
 *
 *   SegmentationClass/PHOTO.png    a byte a pixel: the class, 255 void
 *   SegmentationObject/PHOTO.png   a byte a pixel: the object, in the order of the annotations
 *   Annotations/PHOTO.xml          the objects' names (voc_xml.h), and lists (value_names.h)
 *
 * Without pictures of objects each class is one. A name is that of the class in a list, else that
 * of the annotations, else that of VOC's twenty classes. Void pixels are unknown. A photo with a
 * damaged file is refused: with the others its objects would be joined, or named wrong.
 */
#include "app/labels/input/label_input.h"

#include "app/files/display_name.h"
#include "app/labels/parse/indexed_png.h"
#include "app/labels/parse/label_file.h"
#include "app/labels/parse/value_names.h"
#include "app/labels/input/value_objects.h"
#include "app/labels/parse/voc_xml.h"

#include <glib/gi18n.h>
#include <string.h>

enum { MAX_FILES = 1000000 };
#define MAX_XML_BYTES ((gsize)16 << 20)

typedef struct {
  char *root;
  GPtrArray *names; /* [value] of a list, or NULL */
  GPtrArray *files; /* [entries] of the pictures, in both folders */
} Voc;

static const char *const voc_classes[] = {
  "aeroplane", "bicycle",     "bird",  "boat",        "bottle", "bus",       "car",
  "cat",       "chair",       "cow",   "diningtable", "dog",    "horse",     "motorbike",
  "person",    "pottedplant", "sheep", "sofa",        "train",  "tvmonitor",
};

static void
voc_free (gpointer self)
{
  Voc *voc = self;
  g_free (voc->root);
  g_clear_pointer (&voc->names, g_ptr_array_unref);
  g_clear_pointer (&voc->files, g_ptr_array_unref);
  g_free (voc);
}

static const char *const folders[] = { "SegmentationClass", "SegmentationObject", "Annotations" };

/* A picture or an annotation in a folder that is called like one of a set's. */
static gboolean
is_in_set (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *name = g_path_get_basename (folder);
  if (fs_name_has_ending (path, ".xml"))
    return strcmp (name, folders[2]) == 0;
  return fs_name_has_ending (path, ".png")
         && (strcmp (name, folders[0]) == 0 || strcmp (name, folders[1]) == 0);
}

static gboolean
voc_detect (const char *path, const json_t *root)
{
  if (root)
    return FALSE;
  g_autofree char *classes = g_build_filename (path, folders[0], NULL);
  g_autofree char *objects = g_build_filename (path, folders[1], NULL);
  return g_file_test (classes, G_FILE_TEST_IS_DIR) || g_file_test (objects, G_FILE_TEST_IS_DIR)
         || is_in_set (path);
}

static void
add_picture (Voc *voc, const char *file, GArray *entries)
{
  g_autofree char *stem = fs_label_file_stem (file);
  FsLabelEntry entry = { .name = g_filename_display_name (stem) };
  g_array_append_val (entries, entry);
  g_ptr_array_add (voc->files, g_strconcat (stem, ".png", NULL));
}

static gpointer
voc_open (const char *path, json_t *root, GArray *entries, FsLabelCounts *counts, GError **error)
{
  Voc *voc = g_new0 (Voc, 1);
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autofree char *folder = g_path_get_dirname (path);
  voc->root = is_folder ? g_strdup (path) : g_path_get_dirname (folder);
  voc->names = fs_value_names_read (voc->root);
  voc->files = g_ptr_array_new_with_free_func (g_free);
  if (!is_folder) {
    add_picture (voc, path, entries);
    return voc;
  }
  for (int i = 0; i < 2 && voc->files->len == 0; i++) {
    g_autofree char *pictures = g_build_filename (path, folders[i], NULL);
    g_autoptr (GPtrArray) names = fs_label_file_list (pictures, ".png", MAX_FILES, NULL);
    for (guint k = 0; names && k < names->len; k++)
      add_picture (voc, names->pdata[k], entries);
  }
  return voc;
}

/* --- one photo --- */

/* TRUE, without a picture, where it is not there. */
static gboolean
read_picture (const Voc *voc, const char *folder, const char *file, FsIndexedPng **picture,
              GError **error)
{
  g_autofree char *path = g_build_filename (voc->root, folder, file, NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  *picture = fs_indexed_png_read (path, error);
  return *picture != NULL;
}

static gboolean
read_pictures (const Voc *voc, const char *file, FsIndexedPng **classes, FsIndexedPng **objects,
               GError **error)
{
  return read_picture (voc, folders[0], file, classes, error)
         && read_picture (voc, folders[1], file, objects, error)
         && (*classes || *objects
             || fs_label_file_refuse (file, FS_LABEL_ERROR_READ, _ ("is no file"), error));
}

/* The names of the objects in the annotations, where they are there. Without a list no others are
 * right, and a damaged file is an error. */
static gboolean
read_xml (const Voc *voc, const char *file, GPtrArray **names, GError **error)
{
  g_autofree char *stem = fs_label_file_stem (file);
  g_autofree char *name = g_strconcat (stem, ".xml", NULL);
  g_autofree char *path = g_build_filename (voc->root, folders[2], name, NULL);
  gsize n_bytes = 0;
  g_autofree char *text = fs_label_file_read (path, MAX_XML_BYTES, &n_bytes, NULL);
  *names = text ? fs_voc_xml_parse (text, n_bytes) : NULL;
  return *names || voc->names || !g_file_test (path, G_FILE_TEST_EXISTS)
         || fs_label_file_refuse (path, FS_LABEL_ERROR_FORMAT, _ ("is damaged"), error);
}

/* The class that most of an object's pixels have; 0: none. */
static int
find_class (const FsIndexedPng *objects, const FsIndexedPng *classes, uint8_t object)
{
  gsize n = (gsize)objects->width * (gsize)objects->height, n_of[256] = { 0 };
  int best = 0;
  for (gsize p = 0; p < n; p++)
    n_of[classes->values[p]] += objects->values[p] == object;
  for (int value = 1; value < FS_VALUE_VOID; value++)
    if (n_of[value] > 0 && (best == 0 || n_of[value] > n_of[best]))
      best = value;
  return best;
}

static const char *
name_object (const Voc *voc, const GPtrArray *xml, int class_value, int object)
{
  const char *name = class_value > 0 ? fs_value_names_get (voc->names, (guint)class_value) : NULL;
  if (!name && xml && object >= 1 && (guint)object <= xml->len)
    name = xml->pdata[object - 1];
  if ((!name || !*name) && !voc->names && class_value >= 1
      && class_value <= (int)G_N_ELEMENTS (voc_classes))
    name = voc_classes[class_value - 1];
  return name && *name ? name : NULL;
}

static gboolean
voc_read (gpointer self, guint entry, FsLabelReading *reading, GError **error)
{
  const Voc *voc = self;
  const char *file = voc->files->pdata[entry];
  g_autoptr (FsIndexedPng) classes = NULL;
  g_autoptr (FsIndexedPng) objects = NULL;
  g_autoptr (GPtrArray) xml = NULL;
  if (!read_pictures (voc, file, &classes, &objects, error) || !read_xml (voc, file, &xml, error))
    return FALSE;
  gboolean has_both =
      classes && objects && classes->width == objects->width && classes->height == objects->height;
  const FsIndexedPng *from = objects ? objects : classes;
  const char *names[256] = { NULL };
  gboolean is_there[256] = { FALSE };
  fs_value_objects_find (from, is_there);
  for (int value = 1; value < FS_VALUE_VOID; value++)
    if (is_there[value] && objects)
      names[value] =
          name_object (voc, xml, has_both ? find_class (objects, classes, (uint8_t)value) : 0,
                       value);
    else if (is_there[value])
      names[value] = name_object (voc, NULL, value, 0);
  return fs_value_objects_add (from, names, reading, error);
}

static gboolean
voc_has_usual_names (gpointer self)
{
  const Voc *voc = self;
  g_autofree char *annotations = g_build_filename (voc->root, folders[2], NULL);
  return !voc->names && !g_file_test (annotations, G_FILE_TEST_IS_DIR);
}

const FsLabelInput fs_label_input_voc = {
  .title = "VOC",
  .detect = voc_detect,
  .open = voc_open,
  .read = voc_read,
  .has_usual_names = voc_has_usual_names,
  .free = voc_free,
};
