/* SPDX-License-Identifier: MIT */
#include "app/labels/input/label_import.h"

#include "app/labels/parse/label_file.h"
#include "app/labels/input/object_numbers.h"
#include "app/photo/photo.h"
#include "app/session/session.h"
#include "app/session/session_photo.h"

#include <glib/gi18n.h>
#include <string.h>

enum { MAX_FILES = 1000000 };

/* --- photos by name --- */

struct _FsPhotoNames {
  char *folder;
  GHashTable *names; /* file names          */
  GHashTable *stems; /* without endings → a file name, or "" for several */
};

FsPhotoNames *
fs_photo_names_new (const char *folder, GError **error)
{
  g_return_val_if_fail (folder, NULL);

  g_autoptr (GPtrArray) files = fs_label_file_list (folder, "", MAX_FILES, error);
  if (!files)
    return NULL;
  FsPhotoNames *names = g_new0 (FsPhotoNames, 1);
  names->folder = g_strdup (folder);
  names->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  names->stems = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < files->len; i++) {
    const char *name = files->pdata[i];
    if (!fs_photo_has_name (name))
      continue;
    char *stem = fs_label_file_stem (name);
    gboolean is_there = g_hash_table_contains (names->stems, stem);
    g_hash_table_insert (names->stems, stem, g_strdup (is_there ? "" : name));
    g_hash_table_add (names->names, g_strdup (name));
  }
  return names;
}

void
fs_photo_names_free (FsPhotoNames *names)
{
  if (!names)
    return;
  g_hash_table_unref (names->names);
  g_hash_table_unref (names->stems);
  g_free (names->folder);
  g_free (names);
}

/* Without "..", and no path from the root. */
static gboolean
is_below (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  return *name != '/' && !g_strv_contains ((const char *const *)parts, "..");
}

static char *
find_photo (const FsPhotoNames *names, const char *name)
{
  g_autofree char *base = g_path_get_basename (name), *stem = NULL;
  if (strchr (name, '/') && is_below (name) && fs_photo_has_name (name)) {
    g_autofree char *path = g_build_filename (names->folder, name, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
      return g_steal_pointer (&path);
  }
  if (g_hash_table_contains (names->names, base))
    return g_build_filename (names->folder, base, NULL);
  stem = fs_photo_has_name (base) ? fs_label_file_stem (base) : g_strdup (base);
  const char *found = g_hash_table_lookup (names->stems, stem);
  return found && *found ? g_build_filename (names->folder, found, NULL) : NULL;
}

char *
fs_photo_names_find (const FsPhotoNames *names, const char *name)
{
  g_return_val_if_fail (names && name, NULL);

  char *found = find_photo (names, name);
  if (found || !strchr (name, '\\'))
    return found;
  g_autofree char *path = g_strdelimit (g_strdup (name), "\\", '/');
  return find_photo (names, path);
}

/* --- sessions --- */

static gboolean
name_photo (FsSession *session, const FsImage *image, const char *photo_path,
            const char *session_path, GError **error)
{
  g_autofree char *from = g_canonicalize_filename (session_path, NULL);
  g_autofree char *to = g_canonicalize_filename (photo_path, NULL);
  session->width = image->width;
  session->height = image->height;
  session->photo = fs_session_name_photo (from, to, error);
  g_autofree char *sum = session->photo ? fs_session_sum_photo (photo_path, NULL, error) : NULL;
  if (!sum)
    return FALSE;
  g_autofree char *pixels = fs_session_sum_pixels (image);
  g_strlcpy (session->sha256, sum, sizeof session->sha256);
  g_strlcpy (session->pixels, pixels, sizeof session->pixels);
  return TRUE;
}

static gboolean
add_objects (FsSession *session, FsLabelReading *reading, const char *name, GError **error)
{
  g_auto (FsObjectNumbers) numbers = { 0 };
  g_autoptr (FsGuess) guess = fs_object_numbers_make_guess (&numbers, reading);
  if (!guess)
    return fs_label_file_refuse (reading->photo->file_name, FS_LABEL_ERROR_LIMIT,
                                 _ ("there is not enough memory for its labels"), error);
  g_ptr_array_add (session->strokes, fs_stroke_new_guess (guess, name));
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++)
    if (numbers.names[number])
      fs_session_name_label (session, (uint8_t)number, numbers.names[number]);
  return TRUE;
}

static gboolean
write_session (FsSession *session, const char *path, gboolean replace, GError **error)
{
  if (replace || !g_file_test (path, G_FILE_TEST_EXISTS))
    return fs_session_write (session, path, error);
  gsize n_bytes = 0;
  g_autofree char *there = fs_label_file_read (path, FS_SESSION_MAX_BYTES, &n_bytes, NULL);
  g_autofree char *text = fs_session_to_text (session);
  if (there && n_bytes == strlen (text) && memcmp (there, text, n_bytes) == 0)
    return TRUE;
  return fs_label_file_refuse (path, FS_LABEL_ERROR_NAME,
                               _ ("is there with other contents; --replace writes over it"), error);
}

gboolean
fs_label_import_write (FsLabelReader *reader, guint entry, const char *photo_path,
                       const char *session_path, gboolean replace, FsLabelCounts *counts,
                       GError **error)
{
  g_return_val_if_fail (reader && photo_path && session_path && counts, FALSE);

  if (!fs_session_check_name (photo_path, error))
    return FALSE;
  g_autoptr (FsPhoto) photo = fs_photo_load (photo_path, NULL, NULL, error);
  if (!photo)
    return FALSE;
  g_autoptr (FsLabelReading) reading =
      fs_label_reader_read (reader, entry, photo->image->width, photo->image->height, error);
  if (!reading)
    return FALSE;
  g_autofree char *name = g_path_get_basename (fs_label_reader_get_path (reader));
  g_autoptr (FsSession) session = fs_session_new ();
  session->settings.stability = TRUE;
  fs_session_add_usual_labels (session);
  if (!name_photo (session, photo->image, photo_path, session_path, error)
      || !add_objects (session, reading, name, error))
    return FALSE;
  *counts = reading->counts;
  return counts->n_read == 0 || write_session (session, session_path, replace, error);
}
