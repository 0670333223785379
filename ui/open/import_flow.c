/* SPDX-License-Identifier: MIT */
#include "ui/open/import_flow.h"

#include "app/files/display_name.h"
#include "ui/open/file_filters.h"
#include "ui/open/import_job.h"
#include "ui/open/photo_preview.h"
#include <glib/gi18n.h>

#define WAIT_MS 20
/* The unknown value of a trimap: 128 ± 4 of 255. */
#define UNKNOWN_MAX (132 * 257)

struct _FsImportFlow {
  GObject parent_instance;
  GtkWindow *parent;      /* NULL once closed */
  FsMessageBar *messages; /* NULL once closed */
  FsCanvas *canvas;       /* NULL once closed */
  GtkFileChooserNative *chooser;
  GCancellable *cancellable;
  FsProject *project;   /* that gets the guess; NULL: no import is running */
  FsDocument *document; /* its */
  FsImportJob *reading; /* the worker's */
  FsImportJob *done;    /* read; its guess will be set when the running stroke has ended */
  char *name;           /* of the file, as one line */
  guint waiting;

  /* The message about the last import, which goes with its undo. NULL: there is none. */
  FsDocument *news_document;
  const FsGuess *news_guess; /* the document's; compared only */
  char *news;
};

G_DEFINE_FINAL_TYPE (FsImportFlow, fs_import_flow, G_TYPE_OBJECT)

static void
end_import (FsImportFlow *self)
{
  if (self->messages != NULL && self->cancellable != NULL)
    fs_message_bar_end_task (self->messages);
  g_clear_handle_id (&self->waiting, g_source_remove);
  g_clear_pointer (&self->done, fs_import_job_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_object (&self->chooser);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->document);
  g_clear_object (&self->project);
}

static void on_edited (FsImportFlow *self);

static void
forget_news (FsImportFlow *self)
{
  if (self->news_document != NULL)
    g_signal_handlers_disconnect_by_func (self->news_document, on_edited, self);
  g_clear_object (&self->news_document);
  g_clear_pointer (&self->news, g_free);
}

static void
on_edited (FsImportFlow *self)
{
  if (fs_document_get_guess (self->news_document) == self->news_guess)
    return;
  if (g_strcmp0 (fs_message_bar_get_text (self->messages), self->news) == 0)
    fs_message_bar_clear (self->messages);
  forget_news (self);
}

/* ---- Reading ---- */

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  if (fs_import_job_run (data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* ---- Showing ---- */

static gboolean
has_object (const FsGuess *guess)
{
  const uint16_t *probability = fs_guess_get_probability (guess);
  gsize n = (gsize)fs_guess_get_width (guess) * (gsize)fs_guess_get_height (guess);
  for (gsize i = 0; i < n; i++)
    if (probability[i] > UNKNOWN_MAX)
      return TRUE;
  return FALSE;
}

static const char *
choose_text (const FsImportFlow *self)
{
  if (self->done->is_stretched)
    return _ ("“%s” was stretched to the photo's proportions, and the cut follows it. Paint where "
              "it is wrong, or undo.");
  if (fs_guess_is_mask (self->done->guess))
    return _ ("“%s” is the mask now. Paint where it is wrong; the rest stays as it is.");
  return _ ("The cut follows “%s” and the photo's edges now. Paint where it is wrong, or undo.");
}

/* `format` has the file's name. g_free. */
static char *
insert_name (const FsImportFlow *self, const char *format)
{
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);
  return g_strjoinv (self->name, parts);
}

/* Shows the message about the guess that was set. */
static void
show_news (FsImportFlow *self, gboolean is_warning, const char *text)
{
  fs_message_bar_show (self->messages, is_warning ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO, text);
  forget_news (self);
  self->news_document = g_object_ref (self->document);
  self->news_guess = fs_document_get_guess (self->document);
  self->news = g_strdup (text);
  g_signal_connect_object (self->news_document, "edited", G_CALLBACK (on_edited), self,
                           G_CONNECT_SWAPPED);
}

static void
set_guess (FsImportFlow *self)
{
  fs_document_set_guess (self->document, self->done->guess, self->name);
  if (fs_canvas_get_document (self->canvas) == self->document)
    fs_canvas_show_guess (self->canvas, self->done->guess);
}

static void
show_mask (FsImportFlow *self)
{
  if (!has_object (self->done->guess)) {
    g_autofree char *none =
        insert_name (self, _ ("“%s” marks no object: it is black, or nearly black, all over."));
    fs_message_bar_show (self->messages, GTK_MESSAGE_WARNING, none);
    return;
  }
  set_guess (self);
  g_autofree char *text = insert_name (self, choose_text (self));
  show_news (self, self->done->is_stretched, text);
}

static void
show_labels (FsImportFlow *self)
{
  const FsImportJob *done = self->done;
  const guint lost = fs_label_counts_sum_lost (&done->counts);
  g_autofree char *counts = fs_label_counts_to_text (&done->counts);
  if (done->counts.n_read == 0) {
    g_autofree char *none =
        lost > 0 ? g_strdup_printf (_ ("“%s” has no object to show: %s."), self->name, counts)
                 : insert_name (self, _ ("“%s” has no object for this photo."));
    fs_message_bar_show (self->messages, GTK_MESSAGE_WARNING, none);
    return;
  }
  set_guess (self);
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++)
    if (done->numbers.names[number] && fs_guess_count_object (done->guess, (uint8_t)number) > 0)
      fs_project_set_name (self->project, (uint8_t)number, done->numbers.names[number]);
  g_autofree char *text =
      g_strdup_printf (_ ("From “%s”: %s. Paint where it is wrong; the rest stays as it is."),
                       self->name, counts);
  g_autofree char *guessed_names =
      g_strdup_printf ("%s\n%s", text,
                       _ ("The data set has no list of classes and no annotations: the names are "
                          "those of VOC's twenty classes."));
  show_news (self, lost > 0 || done->has_usual_names, done->has_usual_names ? guessed_names : text);
}

static gboolean
show_when_possible (gpointer user_data)
{
  FsImportFlow *self = user_data;
  if (fs_document_is_drawing (self->document))
    return G_SOURCE_CONTINUE;
  self->waiting = 0;
  if (self->done->is_labels)
    show_labels (self);
  else
    show_mask (self);
  end_import (self);
  return G_SOURCE_REMOVE;
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsImportFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  gboolean cancelled = g_cancellable_is_cancelled (self->cancellable);
  FsImportJob *job = self->reading;
  self->reading = NULL;
  if (self->messages != NULL && !cancelled && done) {
    self->done = job;
    g_autofree char *base = g_path_get_basename (job->path);
    self->name = fs_display_name (base);
    self->waiting = g_timeout_add (WAIT_MS, show_when_possible, self);
    return;
  }
  if (self->messages != NULL && !cancelled)
    fs_message_bar_show_about (self->messages, GTK_MESSAGE_ERROR, error->message, job->path);
  fs_import_job_free (job);
  end_import (self);
}

static void
start_import (FsImportFlow *self, char *path)
{
  self->cancellable = g_cancellable_new ();
  fs_message_bar_clear (self->messages);
  fs_message_bar_begin_task (self->messages, _ ("Reading the mask…"), self->cancellable);
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_read, g_object_ref (self));
  g_task_set_source_tag (task, start_import);
  self->reading = fs_import_job_new (self->project, path);
  g_task_set_task_data (task, self->reading, NULL);
  g_task_run_in_thread (task, read_in_thread);
}

/* ---- Asking ---- */

static void
on_chosen (FsImportFlow *self, int response)
{
  char *path = NULL;
  g_autoptr (GError) error = NULL;
  if (response == GTK_RESPONSE_ACCEPT)
    path = fs_file_filters_get_path (self->chooser, &error);
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);
  if (error != NULL)
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
  if (path != NULL)
    start_import (self, path);
  else
    end_import (self);
}

void
fs_import_flow_ask (FsImportFlow *self, FsProject *project)
{
  g_return_if_fail (self->parent != NULL);
  if (self->project != NULL)
    return;
  self->project = g_object_ref (project);
  self->document = g_object_ref (fs_project_get_document (project));
  g_autofree char *folder = g_path_get_dirname (fs_project_get_photo_path (project));
  self->chooser =
      gtk_file_chooser_native_new (_ ("Import a Mask or Labels"), self->parent,
                                   GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Import"), _ ("_Cancel"));
  gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self->chooser), folder);
  fs_file_filters_add_masks (GTK_FILE_CHOOSER (self->chooser));
  fs_photo_preview_attach (self->chooser);
  fs_file_filters_ask (self->chooser, G_CALLBACK (on_chosen), self);
}

void
fs_import_flow_close (FsImportFlow *self)
{
  self->parent = NULL;
  self->messages = NULL;
  self->canvas = NULL;
  forget_news (self);
  if (self->cancellable != NULL && self->done == NULL)
    g_cancellable_cancel (self->cancellable);
  else
    end_import (self);
}

FsImportFlow *
fs_import_flow_new (GtkWindow *parent, FsMessageBar *messages, FsCanvas *canvas)
{
  FsImportFlow *self = g_object_new (FS_TYPE_IMPORT_FLOW, NULL);
  self->parent = parent;
  self->messages = messages;
  self->canvas = canvas;
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
