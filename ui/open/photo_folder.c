/* SPDX-License-Identifier: MIT */
#include "ui/open/photo_folder.h"

#include "app/files/same_file.h"
#include "app/folder/folder_photos.h"
#include "app/photo/photo.h"
#include "app/session/pasted.h"
#include "app/session/session_photo.h"
#include "ui/settings/sample.h"

char *
fs_photo_folder_find (const char *photo, int step, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (photo != NULL && (step == 1 || step == -1), NULL);

  g_autofree char *folder = g_path_get_dirname (photo);
  g_autofree char *base = g_path_get_basename (photo);
  g_autoptr (GPtrArray) names = fs_folder_photos_read (folder, NULL, cancellable, error);
  const char *best = NULL;
  for (guint i = 0; names != NULL && i < names->len; i++) {
    int order = fs_folder_photos_compare (names->pdata[i], base);
    if (step < 0 && order < 0)
      best = names->pdata[i];
    else if (step > 0 && order > 0 && best == NULL)
      best = names->pdata[i];
  }
  return best != NULL ? g_build_filename (folder, best, NULL) : NULL;
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
  for (guint i = 0; i < FS_FOLDER_SESSION_NAMES; i++) {
    g_autofree char *name = fs_folder_photos_name_session (photo, i);
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
