/* SPDX-License-Identifier: MIT */
#include "ui/window/paste.h"

#include "app/session/pasted.h"
#include "ui/open/drop.h"
#include "ui/open/open_files.h"
#include <glib/gi18n.h>

/* The clipboard's owner may answer after the window is destroyed. */
static gboolean
is_alive (GtkWindow *window)
{
  return !gtk_widget_in_destruction (GTK_WIDGET (window))
         && gtk_window_get_application (window) != NULL;
}

static void
show_warning (GtkWindow *window, const char *text)
{
  fs_message_bar_show (((FsWindow *)window)->messages, GTK_MESSAGE_WARNING, text);
}

/* ---- An image ---- */

typedef struct {
  GBytes *png; /* `png` or `pixbuf` */
  GdkPixbuf *pixbuf;
} Image;

static void
image_free (gpointer data)
{
  Image *image = data;
  g_clear_pointer (&image->png, g_bytes_unref);
  g_clear_object (&image->pixbuf);
  g_free (image);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Image *image = data;
  GError *error = NULL;
  char *bytes = NULL, *path = NULL;
  gsize n_bytes = 0;
  if (image->png == NULL
      && gdk_pixbuf_save_to_buffer (image->pixbuf, &bytes, &n_bytes, "png", &error, "compression",
                                    "1", NULL))
    image->png = g_bytes_new_take (bytes, n_bytes);
  if (image->png != NULL)
    path = fs_pasted_save (image->png, &error);
  if (path != NULL)
    g_task_return_pointer (task, path, g_free);
  else
    g_task_return_error (task, error);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWindow) window = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_task_propagate_pointer (G_TASK (result), &error);
  if (!is_alive (window))
    return;
  if (path == NULL) {
    show_warning (window, error->message);
    return;
  }
  g_autoptr (GFile) file = g_file_new_for_path (path);
  fs_open_files (window, &file, 1);
}

static void
save_image (GtkWindow *window, Image *image)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_saved, g_object_ref (window));
  g_task_set_source_tag (task, save_image);
  g_task_set_task_data (task, image, image_free);
  g_task_run_in_thread (task, save_in_thread);
}

static void
on_png (GtkClipboard *clipboard, GtkSelectionData *data, gpointer user_data)
{
  g_autoptr (GtkWindow) window = user_data;
  int n_bytes = gtk_selection_data_get_length (data);
  if (!is_alive (window))
    return;
  if (n_bytes <= 0) {
    show_warning (window, _ ("The image on the clipboard is gone."));
    return;
  }
  Image *image = g_new0 (Image, 1);
  image->png = g_bytes_new (gtk_selection_data_get_data (data), (gsize)n_bytes);
  save_image (window, image);
}

static void
on_pixbuf (GtkClipboard *clipboard, GdkPixbuf *pixbuf, gpointer user_data)
{
  g_autoptr (GtkWindow) window = user_data;
  if (!is_alive (window))
    return;
  if (pixbuf == NULL) {
    show_warning (window, _ ("The image on the clipboard cannot be read."));
    return;
  }
  Image *image = g_new0 (Image, 1);
  image->pixbuf = g_object_ref (pixbuf);
  save_image (window, image);
}

/* ---- Files ---- */

static void
on_uris (GtkClipboard *clipboard, char **uris, gpointer user_data)
{
  g_autoptr (GtkWindow) window = user_data;
  for (int i = 0; is_alive (window) && uris != NULL && uris[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GFile) file = fs_drop_file_for_uri (uris[i], &error);
    if (file != NULL)
      fs_open_files (window, &file, 1);
    else
      show_warning (window, error->message);
  }
}

/* ---- The clipboard's content ---- */

static gboolean
offers (const GdkAtom *targets, int n, const char *name)
{
  GdkAtom atom = gdk_atom_intern (name, FALSE);
  for (int i = 0; i < n; i++)
    if (targets[i] == atom)
      return TRUE;
  return FALSE;
}

static void
on_targets (GtkClipboard *clipboard, GdkAtom *targets, int n, gpointer user_data)
{
  g_autoptr (GtkWindow) window = user_data;
  if (!is_alive (window))
    return;
  if (n > 0 && offers (targets, n, "text/uri-list"))
    gtk_clipboard_request_uris (clipboard, on_uris, g_object_ref (window));
  else if (n > 0 && offers (targets, n, "image/png"))
    gtk_clipboard_request_contents (clipboard, gdk_atom_intern_static_string ("image/png"), on_png,
                                    g_object_ref (window));
  else if (n > 0 && gtk_targets_include_image (targets, n, FALSE))
    gtk_clipboard_request_image (clipboard, on_pixbuf, g_object_ref (window));
  else
    show_warning (window,
                  _ ("There is no image on the clipboard. Copy one in another program first."));
}

void
fs_paste (FsWindow *window)
{
  gtk_clipboard_request_targets (gtk_clipboard_get (GDK_SELECTION_CLIPBOARD), on_targets,
                                 g_object_ref (window));
}
