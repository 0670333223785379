/* SPDX-License-Identifier: MIT */
#include "ui/save/copy_flow.h"

#include "app/export/export.h"
#include "ui/save/export_choice.h"
#include <glib/gi18n.h>

struct _FsCopyFlow {
  GObject parent_instance;
  FsMessageBar *messages; /* NULL once closed */
  FsDocument *document;   /* NULL: nothing is copied */
  char *photo;            /* the document's file */
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (FsCopyFlow, fs_copy_flow, G_TYPE_OBJECT)

static void
end_copy (FsCopyFlow *self, const GError *error)
{
  gboolean cancelled = g_cancellable_is_cancelled (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->document);
  g_clear_pointer (&self->photo, g_free);
  if (self->messages == NULL)
    return;
  fs_message_bar_end_task (self->messages);
  if (error == NULL)
    fs_message_bar_show (self->messages, GTK_MESSAGE_INFO, _ ("The cut-out is on the clipboard."));
  else if (!cancelled)
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
}

static void
give_png_bytes (GtkClipboard *clipboard, GtkSelectionData *data, guint info, gpointer bytes)
{
  gtk_selection_data_set (data, gtk_selection_data_get_target (data), 8,
                          g_bytes_get_data (bytes, NULL), (int)g_bytes_get_size (bytes));
}

static void
forget_png (GtkClipboard *clipboard, gpointer bytes)
{
  g_bytes_unref (bytes);
}

static void
on_encoded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  static const GtkTargetEntry target = { (char *)"image/png", 0, 0 };
  g_autoptr (FsCopyFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  GBytes *bytes = fs_export_encode_finish (result, &error);
  GtkClipboard *clipboard = gtk_clipboard_get (GDK_SELECTION_CLIPBOARD);
  if (bytes != NULL
      && !gtk_clipboard_set_with_data (clipboard, &target, 1, give_png_bytes, forget_png, bytes)) {
    g_bytes_unref (bytes);
    g_set_error (&error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("Another program holds the clipboard. Try again."));
  } else if (bytes != NULL) {
    /* It outlives the window where the desktop keeps clipboards. */
    gtk_clipboard_set_can_store (clipboard, NULL, 0);
  }
  end_copy (self, error);
}

static void
on_copy_final (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsCopyFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  if (fs_document_wait_final_finish (self->document, result, &error)
      && !fs_document_get_status (self->document).exact)
    g_set_error (&error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("The cut is only a preview so far; nothing was copied."));
  if (error != NULL) {
    end_copy (self, error);
    return;
  }
  if (self->messages != NULL)
    fs_message_bar_set_reason (self->messages, _ ("writing the picture"));
  FsExport what =
      fs_export_choice_apply (fs_export_choice_get (), self->document, FS_EXPORT_CUTOUT);
  what.photo = self->photo;
  fs_export_encode_async (&what, self->cancellable, on_encoded, g_object_ref (self));
}

void
fs_copy_flow_start (FsCopyFlow *self, FsProject *project)
{
  g_return_if_fail (self->messages != NULL);
  if (self->document != NULL)
    return;
  self->document = g_object_ref (fs_project_get_document (project));
  self->photo = g_strdup (fs_project_get_photo_path (project));
  self->cancellable = g_cancellable_new ();
  fs_message_bar_clear (self->messages);
  fs_message_bar_begin_task (self->messages, _ ("Copying the cut-out…"), self->cancellable);
  fs_message_bar_follow (self->messages, self->document);
  fs_document_wait_final_async (self->document, self->cancellable, on_copy_final,
                                g_object_ref (self));
}

void
fs_copy_flow_close (FsCopyFlow *self)
{
  self->messages = NULL;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

FsCopyFlow *
fs_copy_flow_new (FsMessageBar *messages)
{
  FsCopyFlow *self = g_object_new (FS_TYPE_COPY_FLOW, NULL);
  self->messages = messages;
  return self;
}

static void
fs_copy_flow_class_init (FsCopyFlowClass *klass)
{
}

static void
fs_copy_flow_init (FsCopyFlow *self)
{
}
