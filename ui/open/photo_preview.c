/* SPDX-License-Identifier: MIT */
#include "ui/open/photo_preview.h"

#include "app/files/task_source.h"
#include "ui/open/open_job.h"
#include "ui/view/thumbnail.h"
#include <string.h>

#define SIDE_PX   240 /* of the widget */
#define MARGIN_PX 12
#define MAX_BYTES (64 << 20)

#define KEY "fretsaw-photo-preview"

typedef struct {
  GtkFileChooser *chooser;   /* which owns this */
  GtkImage *image;           /* a reference: the GtkFileChooser inside is destroyed first */
  GCancellable *cancellable; /* NULL: nothing is being read */
} Preview;

typedef struct {
  char *path;
  int side; /* device pixels */
} Job;

static void
preview_free (gpointer data)
{
  Preview *preview = data;
  g_cancellable_cancel (preview->cancellable);
  g_clear_object (&preview->cancellable);
  g_object_unref (preview->image);
  g_free (preview);
}

static void
preview_job_free (gpointer data)
{
  g_free (((Job *)data)->path);
  g_free (data);
}

/* ---- The worker ---- */

/* g_free. */
static char *
find_photo (const char *path, GError **error)
{
  if (!fs_open_job_is_session (path))
    return g_strdup (path);
  g_autoptr (FsSession) session = fs_session_read (path, error);
  return session != NULL ? fs_session_photo_path (session, path) : NULL;
}

static cairo_surface_t *
shrink (FsImage *image, int side)
{
  gsize n = (gsize)image->width * (gsize)image->height;
  g_autofree uint8_t *mask = g_try_malloc (n);
  if (mask == NULL)
    return NULL;
  memset (mask, 1, n);
  FsExport what = { .image = image, .mask = mask, .kind = FS_EXPORT_CUTOUT };
  return fs_thumbnail_render (&what, side);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Job *job = task_data;
  const FsPhotoLimits limits = { .max_file_bytes = MAX_BYTES, .enough_px = 2 * job->side };
  GError *error = NULL;
  g_autofree char *path = find_photo (job->path, &error);
  g_autoptr (FsPhoto) photo =
      path != NULL ? fs_photo_load (path, &limits, cancellable, &error) : NULL;
  if (photo != NULL)
    g_task_return_pointer (task, shrink (photo->image, job->side),
                           (GDestroyNotify)cairo_surface_destroy);
  else
    g_task_return_error (task, error);
}

/* ---- The dialog ---- */

static void
show_surface (Preview *preview, cairo_surface_t *surface)
{
  double scale = gtk_widget_get_scale_factor (GTK_WIDGET (preview->image));
  if (surface != NULL)
    cairo_surface_set_device_scale (surface, scale, scale);
  gtk_image_set_from_surface (preview->image, surface);
  gtk_file_chooser_set_preview_widget_active (preview->chooser, surface != NULL);
}

/* Meanwhile the dialog may have been closed, or show another file. */
static void
on_preview_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Preview *preview = g_object_get_data (source, KEY);
  cairo_surface_t *surface = g_task_propagate_pointer (G_TASK (result), NULL);
  if (preview->cancellable == g_task_get_cancellable (G_TASK (result))) {
    g_clear_object (&preview->cancellable);
    if (gtk_native_dialog_get_visible (GTK_NATIVE_DIALOG (source)))
      show_surface (preview, surface);
  }
  if (surface != NULL)
    cairo_surface_destroy (surface);
}

static void
on_selected (Preview *preview)
{
  char *path = gtk_file_chooser_get_preview_filename (preview->chooser);
  g_cancellable_cancel (preview->cancellable);
  g_clear_object (&preview->cancellable);
  if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    gtk_file_chooser_set_preview_widget_active (preview->chooser, FALSE);
    g_free (path);
    return;
  }
  preview->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task =
      g_task_new (preview->chooser, preview->cancellable, on_preview_read, NULL);
  g_task_set_source_tag (task, on_selected);
  Job *job = g_new (Job, 1);
  *job = (Job){ path, SIDE_PX * gtk_widget_get_scale_factor (GTK_WIDGET (preview->image)) };
  g_task_set_task_data (task, job, preview_job_free);
  fs_task_hold_source (task);
  g_task_run_in_thread (task, read_in_thread);
}

void
fs_photo_preview_attach (GtkFileChooserNative *native)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (native);
  Preview *preview = g_new0 (Preview, 1);
  GtkWidget *image = gtk_image_new ();
  preview->chooser = chooser;
  preview->image = g_object_ref_sink (GTK_IMAGE (image));
  gtk_widget_set_size_request (image, SIDE_PX, SIDE_PX);
  g_object_set (image, "margin", MARGIN_PX, "visible", TRUE, NULL);
  gtk_file_chooser_set_use_preview_label (chooser, FALSE);
  gtk_file_chooser_set_preview_widget_active (chooser, FALSE);
  gtk_file_chooser_set_preview_widget (chooser, image);
  g_object_set_data_full (G_OBJECT (chooser), KEY, preview, preview_free);
  g_signal_connect_swapped (chooser, "update-preview", G_CALLBACK (on_selected), preview);
}
