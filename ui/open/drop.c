/* SPDX-License-Identifier: MIT */
#include "ui/open/drop.h"

#include "ui/open/open_files.h"
#include <glib/gi18n.h>

static gboolean
host_is_here (const char *host)
{
  return host == NULL || *host == '\0' || g_ascii_strcasecmp (host, "localhost") == 0
         || g_ascii_strcasecmp (host, g_get_host_name ()) == 0;
}

GFile *
fs_drop_file_for_uri (const char *uri, GError **error)
{
  g_autofree char *host = NULL;
  g_autofree char *path = g_filename_from_uri (uri, &host, NULL);
  if (path != NULL && host_is_here (host))
    return g_file_new_for_path (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
               _ ("“%s” is not on this computer. Copy it to a folder here, then drop that copy."),
               uri);
  return NULL;
}

void
fs_drop_open (GtkWindow *window, FsMessageBar *messages, char **uris)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;
  for (int i = 0; uris != NULL && uris[i] != NULL; i++) {
    g_clear_error (&error);
    GFile *file = fs_drop_file_for_uri (uris[i], &error);
    if (file != NULL)
      g_ptr_array_add (files, file);
    else
      fs_message_bar_show (messages, GTK_MESSAGE_ERROR, error->message);
  }
  fs_open_files (window, (GFile **)files->pdata, files->len);
}
