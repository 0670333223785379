/* SPDX-License-Identifier: MIT */
#include "app/folder/folder_photos.h"

#include "app/export/export_format.h"
#include "app/folder/session_scan.h"
#include "app/photo/photo.h"

#include <glib/gi18n.h>
#include <string.h>

static const char attributes[] = G_FILE_ATTRIBUTE_STANDARD_NAME
    "," G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_IS_HIDDEN
    "," G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_TIME_MODIFIED
    "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC;

/* The name without its last suffix. g_free. */
static char *
stem_of (const char *name)
{
  const char *dot = strrchr (name, '.');
  return dot && dot != name ? g_strndup (name, (gsize)(dot - name)) : g_strdup (name);
}

/* --- Exported files --------------------------------------------------------------------------- */

/* Removes the "-2" that exporting appends to a name that exists. */
static void
drop_number (char *stem)
{
  char *dash = strrchr (stem, '-');
  if (!dash || !g_ascii_isdigit (dash[1]))
    return;
  if (strspn (dash + 1, "0123456789") == strlen (dash + 1))
    *dash = '\0';
}

static gboolean
is_of_photo (const char *stem, const char *what, GHashTable *stems)
{
  g_autofree char *ending = g_strconcat ("-", what, NULL);
  if (!g_str_has_suffix (stem, ending))
    return FALSE;
  g_autofree char *photo = g_strndup (stem, strlen (stem) - strlen (ending));
  return g_hash_table_contains (stems, photo);
}

/* `stems`: names without suffix of all photos in the folder. */
static gboolean
is_export (const char *name, GHashTable *stems)
{
  const char *whats[] = { "cutout",
                          "mask",
                          "objects",
                          C_ ("file name", "cutout"),
                          C_ ("file name", "mask"),
                          C_ ("file name", "objects") };
  if (fs_export_format_count_ending (name) == 0)
    return FALSE;
  g_autofree char *stem = stem_of (name);
  drop_number (stem);
  for (gsize i = 0; i < G_N_ELEMENTS (whats); i++)
    if (is_of_photo (stem, whats[i], stems))
      return TRUE;
  return FALSE;
}

/* --- The folder ------------------------------------------------------------------------------- */

/* Unsorted. */
static GPtrArray *
list_photos (const char *folder, GPtrArray *others, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GFileEnumerator) files =
      g_file_enumerate_children (file, attributes, G_FILE_QUERY_INFO_NONE, cancellable, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GFileInfo *info = NULL;
  do {
    if (!files || !g_file_enumerator_iterate (files, &info, NULL, cancellable, error))
      return NULL;
    if (!info || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR
        || g_file_info_get_is_hidden (info))
      continue;
    if (fs_photo_has_name (g_file_info_get_name (info)))
      g_ptr_array_add (names, g_strdup (g_file_info_get_name (info)));
    else if (others)
      g_ptr_array_add (others, g_object_ref (info));
  } while (info);
  return g_steal_pointer (&names);
}

typedef struct {
  char *name, *key;
} Place;

static Place
place_of (char *name)
{
  g_autofree char *shown = g_filename_display_name (name);
  return (Place){ name, g_utf8_collate_key_for_filename (shown, -1) };
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *of_a = a, *of_b = b;
  int order = strcmp (of_a->key, of_b->key);
  return order != 0 ? order : strcmp (of_a->name, of_b->name);
}

int
fs_folder_photos_compare (const char *a, const char *b)
{
  Place of_a = place_of ((char *)a), of_b = place_of ((char *)b);
  int order = compare_places (&of_a, &of_b);
  g_free (of_a.key);
  g_free (of_b.key);
  return order;
}

/* A key for each name once: a folder may have thousands. */
static void
sort_names (GPtrArray *names)
{
  g_autoptr (GArray) places = g_array_sized_new (FALSE, FALSE, sizeof (Place), names->len);
  for (guint i = 0; i < names->len; i++) {
    Place place = place_of (names->pdata[i]);
    g_array_append_val (places, place);
  }
  g_array_sort (places, compare_places);
  for (guint i = 0; i < names->len; i++) {
    Place *place = &g_array_index (places, Place, i);
    names->pdata[i] = place->name;
    g_free (place->key);
  }
}

GPtrArray *
fs_folder_photos_read (const char *folder, GPtrArray *others, GCancellable *cancellable,
                       GError **error)
{
  g_return_val_if_fail (folder, NULL);

  g_autoptr (GPtrArray) names = list_photos (folder, others, cancellable, error);
  if (!names)
    return NULL;
  g_autoptr (GHashTable) stems = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < names->len; i++)
    g_hash_table_add (stems, stem_of (names->pdata[i]));
  for (guint i = names->len; i-- > 0;)
    if (is_export (names->pdata[i], stems))
      g_ptr_array_remove_index (names, i);
  sort_names (names);
  return g_steal_pointer (&names);
}

/* --- Names of sessions ------------------------------------------------------------------------ */

char *
fs_folder_photos_name_session (const char *photo, guint i)
{
  static const char *const joints[FS_FOLDER_SESSION_NAMES] = { NULL, "-", "." };
  g_return_val_if_fail (photo && i < FS_FOLDER_SESSION_NAMES, NULL);

  g_autofree char *base = g_path_get_basename (photo);
  g_autofree char *stem = stem_of (base);
  const char *dot = strrchr (base, '.');
  return !joints[i] || !dot || dot == base
             ? g_strconcat (stem, ".fretsaw", NULL)
             : g_strconcat (stem, joints[i], dot + 1, ".fretsaw", NULL);
}

static gboolean
is_of_other_photo (const char *path, const char *photo)
{
  g_auto (FsSessionScan) scan = { 0 };
  if (!fs_session_scan_file (path, &scan) || !scan.photo)
    return FALSE;
  g_autofree char *base = g_path_get_basename (photo);
  g_autofree char *name = g_filename_to_utf8 (base, -1, NULL, NULL, NULL);
  return g_strcmp0 (scan.photo, name) != 0;
}

char *
fs_folder_photos_new_session (const char *photo)
{
  g_return_val_if_fail (photo, NULL);

  g_autofree char *folder = g_path_get_dirname (photo);
  for (guint i = 0; i < FS_FOLDER_SESSION_NAMES; i++) {
    g_autofree char *name = fs_folder_photos_name_session (photo, i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (!is_of_other_photo (path, photo))
      return g_steal_pointer (&path);
  }
  return NULL;
}
