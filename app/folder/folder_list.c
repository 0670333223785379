/* SPDX-License-Identifier: MIT */
#include "app/folder/folder_list.h"

#include "app/files/same_file.h"
#include "app/folder/folder_photos.h"
#include "app/folder/session_scan.h"

#include <string.h>

static void
photo_free (gpointer data)
{
  FsFolderPhoto *photo = data;
  g_free (photo->name);
  g_free (photo->session);
  g_free (photo);
}

static FsFolderList *
list_new (const char *folder)
{
  FsFolderList *list = g_new (FsFolderList, 1);
  list->folder = g_canonicalize_filename (folder, NULL);
  list->photos = g_ptr_array_new_with_free_func (photo_free);
  return list;
}

FsFolderList *
fs_folder_list_copy (const FsFolderList *from)
{
  g_return_val_if_fail (from, NULL);

  FsFolderList *list = list_new (from->folder);
  for (guint i = 0; i < from->photos->len; i++) {
    FsFolderPhoto *photo = g_memdup2 (from->photos->pdata[i], sizeof (FsFolderPhoto));
    photo->name = g_strdup (photo->name);
    photo->session = g_strdup (photo->session);
    g_ptr_array_add (list->photos, photo);
  }
  return list;
}

void
fs_folder_list_free (FsFolderList *list)
{
  if (!list)
    return;
  g_ptr_array_unref (list->photos);
  g_free (list->folder);
  g_free (list);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static gint64
changed_us (GFileInfo *info)
{
  return (gint64)g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED)
             * G_USEC_PER_SEC
         + g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
}

/* TRUE if the photo has that name, or the session's own photo is missing. */
static gboolean
is_of_photo (const FsFolderList *list, const FsSessionScan *scan, const char *photo)
{
  g_autofree char *name =
      scan->photo ? g_filename_from_utf8 (scan->photo, -1, NULL, NULL, NULL) : NULL;
  if (!name)
    return TRUE;
  if (strcmp (name, photo) == 0)
    return TRUE;
  g_autofree char *named = g_build_filename (list->folder, name, NULL);
  g_autofree char *path = g_build_filename (list->folder, photo, NULL);
  return !g_file_test (named, G_FILE_TEST_EXISTS) || fs_same_file (named, path);
}

/* FALSE where the session is that of another photo. */
static gboolean
take_session (const FsFolderList *list, FsFolderPhoto *photo, GFileInfo *info)
{
  const char *name = g_file_info_get_name (info);
  g_autofree char *path = g_build_filename (list->folder, name, NULL);
  g_auto (FsSessionScan) scan = { 0 };
  gboolean is_read = fs_session_scan_file (path, &scan);
  if (is_read && !is_of_photo (list, &scan, photo->name))
    return FALSE;
  photo->session = g_strdup (name);
  photo->n_bytes = g_file_info_get_size (info);
  photo->changed_us = changed_us (info);
  photo->state = is_read && scan.done           ? FS_FOLDER_DONE
                 : is_read && !scan.has_strokes ? FS_FOLDER_EMPTY
                                                : FS_FOLDER_BEGUN;
  return TRUE;
}

static gboolean
take_previous (FsFolderPhoto *photo, const FsFolderPhoto *previous, GHashTable *others)
{
  GFileInfo *info =
      previous && previous->session ? g_hash_table_lookup (others, previous->session) : NULL;
  if (!info || g_file_info_get_size (info) != previous->n_bytes
      || changed_us (info) != previous->changed_us)
    return FALSE;
  photo->session = g_strdup (previous->session);
  photo->state = previous->state;
  photo->n_bytes = previous->n_bytes;
  photo->changed_us = previous->changed_us;
  return TRUE;
}

static void
add_photo (FsFolderList *list, const char *name, const FsFolderPhoto *previous, GHashTable *others)
{
  FsFolderPhoto *photo = g_new0 (FsFolderPhoto, 1);
  photo->name = g_strdup (name);
  g_ptr_array_add (list->photos, photo);
  for (guint i = 0; i < FS_FOLDER_SESSION_NAMES; i++) {
    g_autofree char *session = fs_folder_photos_name_session (name, i);
    GFileInfo *info = g_hash_table_lookup (others, session);
    gboolean was_it = previous && g_strcmp0 (previous->session, session) == 0;
    if (info
        && ((was_it && take_previous (photo, previous, others))
            || take_session (list, photo, info)))
      return;
  }
}

FsFolderList *
fs_folder_list_read (const char *folder, const FsFolderList *previous, GCancellable *cancellable,
                     GError **error)
{
  g_return_val_if_fail (folder, NULL);

  g_autoptr (GPtrArray) infos = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) names = fs_folder_photos_read (folder, infos, cancellable, error);
  if (!names)
    return NULL;
  g_autoptr (GHashTable) others = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < infos->len; i++)
    g_hash_table_insert (others, (char *)g_file_info_get_name (infos->pdata[i]), infos->pdata[i]);
  for (guint i = 0; previous && i < previous->photos->len; i++)
    g_hash_table_insert (known, fs_folder_list_get (previous, i)->name, previous->photos->pdata[i]);

  FsFolderList *list = list_new (folder);
  for (guint i = 0; i < names->len && !g_cancellable_is_cancelled (cancellable); i++)
    add_photo (list, names->pdata[i], g_hash_table_lookup (known, names->pdata[i]), others);
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    return list;
  fs_folder_list_free (list);
  return NULL;
}

/* --- Looking up ------------------------------------------------------------------------------- */

FsFolderPhoto *
fs_folder_list_get (const FsFolderList *list, guint i)
{
  g_return_val_if_fail (list && i < list->photos->len, NULL);

  return list->photos->pdata[i];
}

int
fs_folder_list_find (const FsFolderList *list, const char *photo)
{
  g_return_val_if_fail (list && photo, -1);

  const char *slash = strrchr (photo, '/');
  for (guint i = 0; i < list->photos->len; i++)
    if (strcmp (fs_folder_list_get (list, i)->name, slash ? slash + 1 : photo) == 0)
      return (int)i;
  return -1;
}

guint
fs_folder_list_count (const FsFolderList *list, FsFolderState state)
{
  g_return_val_if_fail (list, 0);

  guint n = 0;
  for (guint i = 0; i < list->photos->len; i++)
    n += fs_folder_list_get (list, i)->state == state;
  return n;
}

int
fs_folder_list_next_unfinished (const FsFolderList *list, int from)
{
  g_return_val_if_fail (list && from >= -1, -1);

  const int n = (int)list->photos->len;
  for (int i = 1; i <= n; i++) {
    const int place = (from + i) % n;
    if (place != from && fs_folder_list_get (list, (guint)place)->state != FS_FOLDER_DONE)
      return place;
  }
  return -1;
}

char *
fs_folder_list_path (const FsFolderList *list, guint i)
{
  return g_build_filename (list->folder, fs_folder_list_get (list, i)->name, NULL);
}
