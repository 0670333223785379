/* SPDX-License-Identifier: MIT */
#include "app/folder/class_use.h"

#include "app/session/session.h"

#include <string.h>

/* Labels of this name get the other one; returns whether there is any. `other` NULL: none does. */
static gboolean
rename_labels (FsSession *session, const char *name, const char *other)
{
  gboolean found = FALSE;
  for (guint label = FS_SEED_OBJECT; label <= session->labels->len; label++) {
    const FsSessionLabel *one = &g_array_index (session->labels, FsSessionLabel, label - 1);
    if (strcmp (one->name, name) != 0)
      continue;
    found = TRUE;
    if (other)
      fs_session_name_label (session, (uint8_t)label, other);
  }
  return found;
}

static gboolean
has_object (const FsSession *session, const char *name)
{
  for (guint i = 0; i < session->strokes->len; i++) {
    const FsStroke *stroke = session->strokes->pdata[i];
    if (stroke->label >= FS_SEED_OBJECT && stroke->label <= session->labels->len
        && strcmp (g_array_index (session->labels, FsSessionLabel, stroke->label - 1).name, name)
               == 0)
      return TRUE;
  }
  return FALSE;
}

/* Reads the session of place i; NULL: there is none, or it is that of `except`. */
static FsSession *
read_session (const FsFolderList *list, guint i, const char *except, char **path)
{
  const FsFolderPhoto *photo = fs_folder_list_get (list, i);
  *path = photo->session ? g_build_filename (list->folder, photo->session, NULL) : NULL;
  if (!*path || (except && fs_folder_list_find (list, except) == (int)i))
    return NULL;
  return fs_session_read (*path, NULL);
}

guint
fs_class_use_count (const FsFolderList *list, const char *name, const char *except)
{
  g_return_val_if_fail (list && name, 0);

  guint n = 0;
  for (guint i = 0; i < list->photos->len; i++) {
    g_autofree char *path = NULL;
    g_autoptr (FsSession) session = read_session (list, i, except, &path);
    n += session && has_object (session, name);
  }
  return n;
}

gboolean
fs_class_use_rename (const FsFolderList *list, const char *name, const char *other,
                     const char *except, GError **error)
{
  g_return_val_if_fail (list && name && other, FALSE);

  gboolean done = TRUE;
  for (guint i = 0; i < list->photos->len; i++) {
    g_autofree char *path = NULL;
    g_autoptr (FsSession) session = read_session (list, i, except, &path);
    if (session && rename_labels (session, name, other)
        && (!fs_session_check_file (path, session->file_sha256, done ? error : NULL)
            || !fs_session_write (session, path, done ? error : NULL)))
      done = FALSE;
  }
  return done;
}
