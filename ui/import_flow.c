/* SPDX-License-Identifier: MIT */
#include "ui/import_flow.h"

#include "app/mask_strokes.h"
#include "app/photo.h"
#include "ui/file_filters.h"
#include "ui/photo_preview.h"
#include <glib/gi18n.h>

#define WAIT_MS 20

struct _FsImportFlow {
  GObject parent_instance;
  GtkWindow *parent;      /* NULL once closed */
  FsMessageBar *messages; /* NULL once closed */
  GtkFileChooserNative *chooser;
  GCancellable *cancellable;
  FsDocument *document; /* NULL: nothing is imported */
  GPtrArray *strokes;   /* read, and waiting for the stroke that is being painted to end */
  guint n_missing;      /* parts of the mask that have none */
  guint waiting;
};

G_DEFINE_FINAL_TYPE (FsImportFlow, fs_import_flow, G_TYPE_OBJECT)

typedef struct {
  char *path;
  int width, height;
  guint n_missing; /* written by the thread that reads */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  g_free (job->path);
  g_free (job);
}

static void
end (FsImportFlow *self)
{
  if (self->messages != NULL && self->cancellable != NULL)
    fs_message_bar_end_task (self->messages);
  g_clear_handle_id (&self->waiting, g_source_remove);
  g_clear_pointer (&self->strokes, g_ptr_array_unref);
  g_clear_object (&self->chooser);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->document);
}

/* ---- Reading ---- */

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;
  g_autofree uint8_t *labels =
      fs_mask_strokes_load (job->path, job->width, job->height, cancellable, &error);
  GPtrArray *strokes =
      labels != NULL ? fs_mask_strokes_new (labels, job->width, job->height) : NULL;
  if (strokes != NULL)
    job->n_missing = fs_mask_strokes_count_missing (strokes, labels, job->width, job->height);
  if (strokes != NULL)
    g_task_return_pointer (task, strokes, (GDestroyNotify)g_ptr_array_unref);
  else if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_new_error (task, FS_PHOTO_ERROR, FS_PHOTO_ERROR_LIMIT,
                             _ ("There is not enough memory for the mask."));
}

static void
paint (FsDocument *document, const GPtrArray *strokes)
{
  for (guint i = 0; i < strokes->len; i++) {
    const FsStroke *stroke = strokes->pdata[i];
    if (!fs_document_begin_shape (document, stroke->shape, stroke->label, stroke->radius_px, 0))
      return;
    fs_document_extend_stroke (document, (const FsSample *)(gpointer)stroke->samples->data,
                               stroke->samples->len);
    fs_document_end_stroke (document);
  }
}

static void
show_missing (FsImportFlow *self)
{
  g_autofree char *text = g_strdup_printf (
      ngettext ("The mask is painted as strokes, but for %u part, which is one of very many small "
                "ones.",
                "The mask is painted as strokes, but for %u parts: there are very many small ones.",
                self->n_missing),
      self->n_missing);
  fs_message_bar_show (self->messages, GTK_MESSAGE_WARNING, text);
}

static void
show (FsImportFlow *self)
{
  paint (self->document, self->strokes);
  if (self->n_missing > 0 && self->strokes->len > 0)
    show_missing (self);
  else if (self->strokes->len == 0)
    fs_message_bar_show (self->messages, GTK_MESSAGE_WARNING,
                         _ ("Nothing in this mask is large enough to begin with."));
  else
    fs_message_bar_show (self->messages, GTK_MESSAGE_INFO,
                         _ ("The mask is painted as strokes, a little inside its outline; the cut "
                            "finds the edge. Paint on where it is wrong, or undo."));
}

static gboolean
show_when_possible (gpointer user_data)
{
  FsImportFlow *self = user_data;
  if (fs_document_is_drawing (self->document))
    return G_SOURCE_CONTINUE;
  self->waiting = 0;
  show (self);
  end (self);
  return G_SOURCE_REMOVE;
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsImportFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  const Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GPtrArray) strokes = g_task_propagate_pointer (G_TASK (result), &error);
  gboolean cancelled = g_cancellable_is_cancelled (self->cancellable);
  if (self->messages != NULL && !cancelled && strokes != NULL) {
    self->strokes = g_steal_pointer (&strokes);
    self->n_missing = job->n_missing;
    self->waiting = g_timeout_add (WAIT_MS, show_when_possible, self);
    return;
  }
  if (self->messages != NULL && !cancelled)
    fs_message_bar_show_about (self->messages, GTK_MESSAGE_ERROR, error->message, job->path);
  end (self);
}

static void
start (FsImportFlow *self, char *path)
{
  const FsImage *image = fs_document_get_image (self->document);
  self->cancellable = g_cancellable_new ();
  fs_message_bar_clear (self->messages);
  fs_message_bar_begin_task (self->messages, _ ("Reading the mask…"), self->cancellable);
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_read, g_object_ref (self));
  g_task_set_source_tag (task, start);
  Job *job = g_new (Job, 1);
  *job = (Job){ path, image->width, image->height, 0 };
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, read_in_thread);
}

/* ---- Asking ---- */

static void
on_chosen (FsImportFlow *self, int response)
{
  char *path = NULL;
  if (response == GTK_RESPONSE_ACCEPT)
    path = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (self->chooser));
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);
  if (path != NULL)
    start (self, path);
  else
    end (self);
}

void
fs_import_flow_ask (FsImportFlow *self, FsProject *project)
{
  g_return_if_fail (self->parent != NULL);
  if (self->document != NULL)
    return;
  self->document = g_object_ref (fs_project_get_document (project));
  g_autofree char *folder = g_path_get_dirname (fs_project_get_photo_path (project));
  self->chooser =
      gtk_file_chooser_native_new (_ ("Import a Mask"), self->parent, GTK_FILE_CHOOSER_ACTION_OPEN,
                                   _ ("_Import"), _ ("_Cancel"));
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self->chooser), folder);
  fs_file_filters_add_photos (GTK_FILE_CHOOSER (self->chooser));
  fs_photo_preview_attach (self->chooser);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_chosen), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

void
fs_import_flow_close (FsImportFlow *self)
{
  self->parent = NULL;
  self->messages = NULL;
  if (self->cancellable != NULL && self->strokes == NULL)
    g_cancellable_cancel (self->cancellable);
  else
    end (self);
}

FsImportFlow *
fs_import_flow_new (GtkWindow *parent, FsMessageBar *messages)
{
  FsImportFlow *self = g_object_new (FS_TYPE_IMPORT_FLOW, NULL);
  self->parent = parent;
  self->messages = messages;
  return self;
}

static void
fs_import_flow_class_init (FsImportFlowClass *klass)
{
}

static void
fs_import_flow_init (FsImportFlow *self)
{
}
