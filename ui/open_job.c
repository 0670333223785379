/* SPDX-License-Identifier: MIT */
#include "ui/open_job.h"

#include <glib/gi18n.h>

void
fs_opened_free (FsOpened *opened)
{
  if (opened == NULL)
    return;
  fs_pyramid_free (opened->pyramid);
  fs_photo_free (opened->photo);
  g_free (opened);
}

static FsOpened *
open_file (GFile *file, GCancellable *cancellable, GError **error)
{
  const char *path = g_file_peek_path (file);
  if (path == NULL) {
    g_autofree char *name = g_file_get_parse_name (file);
    g_set_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_READ,
                 _ ("“%s” is not on this computer. Copy it to a folder here, then open that copy."),
                 name);
    return NULL;
  }
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, cancellable, error);
  if (photo == NULL)
    return NULL;
  g_autoptr (FsOpened) opened = g_new0 (FsOpened, 1);
  opened->pyramid = fs_pyramid_new (photo->image);
  if (opened->pyramid == NULL) {
    g_autofree char *name = g_filename_display_basename (path);
    g_set_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_LIMIT,
                 _ ("%s: there is not enough memory to show it"), name);
    return NULL;
  }
  opened->photo = g_steal_pointer (&photo);
  return g_steal_pointer (&opened);
}

static void
open_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  FsOpened *opened = open_file (G_FILE (data), cancellable, &error);
  if (opened != NULL)
    g_task_return_pointer (task, opened, (GDestroyNotify)fs_opened_free);
  else
    g_task_return_error (task, error);
}

void
fs_open_job_start (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                   gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_open_job_start);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_run_in_thread (task, open_in_thread);
}

FsOpened *
fs_open_job_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
