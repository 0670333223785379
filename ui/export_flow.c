/* SPDX-License-Identifier: MIT */
#include "ui/export_flow.h"

#include <glib/gi18n.h>
#include <string.h>

struct _FsExportFlow {
  GObject parent_instance;
  GtkWindow *parent;      /* NULL once closed */
  FsMessageBar *messages; /* NULL once closed */
  GtkFileChooserNative *chooser;
  GCancellable *cancellable;

  /* Of the export that is asked for or runs. */
  FsProject *project;
  FsDocument *document;
  FsExportKind kind;
  char *path;
  guint64 generation; /* of the mask that is written */
};

G_DEFINE_FINAL_TYPE (FsExportFlow, fs_export_flow, G_TYPE_OBJECT)

static void
forget_export (FsExportFlow *self)
{
  if (self->messages != NULL && self->cancellable != NULL)
    fs_message_bar_end_task (self->messages);
  g_clear_object (&self->chooser);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->document);
  g_clear_object (&self->project);
  g_clear_pointer (&self->path, g_free);
}

/* ---- Writing ---- */

static gboolean
was_cancelled (const GError *error)
{
  return g_error_matches (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_CANCELLED)
         || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
report (FsExportFlow *self, const GError *error)
{
  g_autofree char *name = g_filename_display_basename (self->path);
  g_autofree char *text = NULL;
  if (self->messages == NULL)
    return;
  if (error == NULL)
    text = g_strdup_printf (_ ("Saved “%s”."), name);
  else if (was_cancelled (error))
    text = g_strdup_printf (_ ("Stopped. “%s” was not written."), name);
  if (text != NULL)
    fs_message_bar_show (self->messages, GTK_MESSAGE_INFO, text);
  else
    fs_message_bar_show_about (self->messages, GTK_MESSAGE_ERROR, error->message, self->path);
}

static void
on_progress (double fraction, gpointer user_data)
{
  FsExportFlow *self = user_data;
  if (self->messages != NULL)
    fs_message_bar_set_fraction (self->messages, fraction);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsExportFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean written = fs_export_write_finish (result, &error);
  FsDocumentStatus status = fs_document_get_status (self->document);
  if (written && status.settled && status.generation == self->generation)
    fs_project_mark_exported (self->project);
  report (self, error);
  forget_export (self);
}

static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsExportFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  FsDocumentStatus status = fs_document_get_status (self->document);
  if (fs_document_settle_finish (self->document, result, &error) && !status.exact)
    g_set_error (&error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("The cut is only a preview so far; nothing was written."));
  if (error == NULL)
    g_cancellable_set_error_if_cancelled (self->cancellable, &error);
  if (error != NULL) {
    report (self, error);
    forget_export (self);
    return;
  }
  self->generation = status.generation;
  FsExport what = {
    .image = fs_document_get_image (self->document),
    .mask = fs_document_get_mask (self->document),
    .kind = self->kind,
  };
  fs_export_write_async (&what, self->path, self->cancellable, on_progress, on_written,
                         g_object_ref (self));
}

static void
start (FsExportFlow *self)
{
  g_autofree char *name = g_filename_display_basename (self->path);
  g_autofree char *text = g_strdup_printf (_ ("Saving “%s”…"), name);
  self->cancellable = g_cancellable_new ();
  fs_message_bar_clear (self->messages);
  fs_message_bar_begin_task (self->messages, text, self->cancellable);
  fs_document_settle_async (self->document, self->cancellable, on_settled, g_object_ref (self));
}

/* ---- Asking ---- */

static void
on_chosen (FsExportFlow *self, int response)
{
  if (response == GTK_RESPONSE_ACCEPT)
    self->path = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (self->chooser));
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (self->chooser));
  if (self->path == NULL) {
    forget_export (self);
    return;
  }
  g_clear_object (&self->chooser);
  start (self);
}

static char *
suggested_name (GFile *photo, FsExportKind kind)
{
  g_autofree char *name = g_file_get_basename (photo);
  g_autofree char *shown = g_filename_display_name (name);
  char *dot = strrchr (shown, '.');
  if (dot != NULL && dot != shown)
    *dot = '\0';
  /* Translators: added to the photo's name to make a file name */
  return g_strdup_printf ("%s-%s.png", shown,
                          kind == FS_EXPORT_MASK ? C_ ("file name", "mask")
                                                 : C_ ("file name", "cutout"));
}

void
fs_export_flow_ask (FsExportFlow *self, FsProject *project, FsExportKind kind)
{
  g_return_if_fail (self->parent != NULL);
  if (self->document != NULL)
    return;
  self->project = g_object_ref (project);
  self->document = g_object_ref (fs_project_get_document (project));
  self->kind = kind;
  self->chooser = gtk_file_chooser_native_new (kind == FS_EXPORT_MASK ? _ ("Export Mask")
                                                                      : _ ("Export Cut-Out"),
                                               self->parent, GTK_FILE_CHOOSER_ACTION_SAVE,
                                               _ ("_Export"), _ ("_Cancel"));
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (self->chooser);
  g_autoptr (GFile) photo = g_file_new_for_path (fs_project_get_photo_path (project));
  g_autofree char *name = suggested_name (photo, kind);
  g_autoptr (GFile) folder = g_file_get_parent (photo);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder_file (chooser, folder, NULL);
  gtk_file_chooser_set_current_name (chooser, name);
  gtk_file_chooser_set_do_overwrite_confirmation (chooser, TRUE);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_chosen), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

void
fs_export_flow_close (FsExportFlow *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  else
    forget_export (self);
  self->parent = NULL;
  self->messages = NULL;
}

FsExportFlow *
fs_export_flow_new (GtkWindow *parent, FsMessageBar *messages)
{
  FsExportFlow *self = g_object_new (FS_TYPE_EXPORT_FLOW, NULL);
  self->parent = parent;
  self->messages = messages;
  return self;
}

static void
fs_export_flow_dispose (GObject *object)
{
  FsExportFlow *self = FS_EXPORT_FLOW (object);
  self->messages = NULL;
  forget_export (self);
  G_OBJECT_CLASS (fs_export_flow_parent_class)->dispose (object);
}

static void
fs_export_flow_class_init (FsExportFlowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fs_export_flow_dispose;
}

static void
fs_export_flow_init (FsExportFlow *self)
{
}
