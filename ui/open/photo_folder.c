/* SPDX-License-Identifier: MIT */
#include "ui/open/photo_folder.h"

#include "app/export/export_format.h"
#include "app/files/same_file.h"
#include "app/photo/photo.h"
#include "app/session/pasted.h"
#include "app/session/session_photo.h"
#include "ui/settings/sample.h"
#include <glib/gi18n.h>
#include <string.h>

/* The name without its last suffix. g_free. */
static char *
stem_of (const char *name)
{
  const char *dot = strrchr (name, '.');
  return dot != NULL && dot != name ? g_strndup (name, (gsize)(dot - name)) : g_strdup (name);
}

/* ---- Exported files ---- */

/* Removes the "-2" that exporting appends to a name that exists. */
static void
drop_number (char *stem)
{
  char *dash = strrchr (stem, '-');
  if (dash == NULL || !g_ascii_isdigit (dash[1]))
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

/* ---- The folder ---- */

/* The names of the photos in the folder, unsorted; NULL on error. g_ptr_array_unref. */
static GPtrArray *
list_photos (const char *folder, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GFileEnumerator) files =
      g_file_enumerate_children (file,
                                 G_FILE_ATTRIBUTE_STANDARD_NAME
                                 "," G_FILE_ATTRIBUTE_STANDARD_TYPE
                                 "," G_FILE_ATTRIBUTE_STANDARD_IS_HIDDEN,
                                 G_FILE_QUERY_INFO_NONE, cancellable, error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GFileInfo *info = NULL;
  do {
    if (files == NULL || !g_file_enumerator_iterate (files, &info, NULL, cancellable, error))
      return NULL;
    if (info != NULL && g_file_info_get_file_type (info) == G_FILE_TYPE_REGULAR
        && !g_file_info_get_is_hidden (info) && fs_photo_has_name (g_file_info_get_name (info)))
      g_ptr_array_add (names, g_strdup (g_file_info_get_name (info)));
  } while (info != NULL);
  return g_steal_pointer (&names);
}

typedef struct {
  const char *name;
  char *key;
} Place;

static Place
place_of (const char *name)
{
  g_autofree char *shown = g_filename_display_name (name);
  return (Place){ name, g_utf8_collate_key_for_filename (shown, -1) };
}

static int
compare_names (const Place *a, const Place *b)
{
  int order = strcmp (a->key, b->key);
  return order != 0 ? order : strcmp (a->name, b->name);
}

char *
fs_photo_folder_find (const char *photo, int step, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (photo != NULL && (step == 1 || step == -1), NULL);

  g_autofree char *folder = g_path_get_dirname (photo);
  g_autofree char *base = g_path_get_basename (photo);
  g_autoptr (GPtrArray) names = list_photos (folder, cancellable, error);
  if (names == NULL)
    return NULL;
  g_autoptr (GHashTable) stems = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < names->len; i++)
    g_hash_table_add (stems, stem_of (names->pdata[i]));

  Place here = place_of (base), best = { 0 };
  for (guint i = 0; i < names->len; i++) {
    Place place = place_of (names->pdata[i]);
    if (compare_names (&place, &here) * step > 0 && !is_export (place.name, stems)
        && (best.name == NULL || compare_names (&place, &best) * step < 0)) {
      g_free (best.key);
      best = place;
    } else {
      g_free (place.key);
    }
  }
  g_free (here.key);
  g_free (best.key);
  return best.name != NULL ? g_build_filename (folder, best.name, NULL) : NULL;
}

/* Compares the path, or, where the session's own photo does not exist any more, the checksums. */
static gboolean
is_session_of (const char *path, const char *photo)
{
  g_autoptr (FsSession) session =
      g_file_test (path, G_FILE_TEST_IS_REGULAR) ? fs_session_read (path, NULL) : NULL;
  if (session == NULL)
    return FALSE;
  g_autofree char *painted = fs_session_photo_path (session, path);
  if (g_file_test (painted, G_FILE_TEST_EXISTS))
    return fs_same_file (painted, photo);
  g_autoptr (FsPhoto) loaded = fs_photo_load (photo, NULL, NULL, NULL);
  return loaded != NULL
         && fs_session_fit_photo (session, photo, loaded->image, NULL, NULL) >= FS_SESSION_FIT_SIZE;
}

char *
fs_photo_folder_find_session (const char *photo)
{
  g_return_val_if_fail (photo != NULL, NULL);

  g_autofree char *folder = g_path_get_dirname (photo);
  g_autofree char *base = g_path_get_basename (photo);
  g_autofree char *stem = stem_of (base);
  const char *dot = strrchr (base, '.');
  /* Names of sessions: cat.fretsaw, cat-jpg.fretsaw and cat.jpg.fretsaw. */
  const char *const joints[] = { NULL, "-", "." };
  for (gsize i = 0; i < G_N_ELEMENTS (joints); i++) {
    g_autofree char *name = joints[i] == NULL || dot == NULL
                                ? g_strconcat (stem, ".fretsaw", NULL)
                                : g_strconcat (stem, joints[i], dot + 1, ".fretsaw", NULL);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (is_session_of (path, photo))
      return g_steal_pointer (&path);
  }
  return NULL;
}

gboolean
fs_photo_folder_is_own (const char *photo)
{
  g_autoptr (GFile) sample = fs_sample_find ();
  return !fs_pasted_is (photo)
         && (sample == NULL || g_strcmp0 (photo, g_file_peek_path (sample)) != 0);
}
