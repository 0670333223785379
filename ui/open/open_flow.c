/* SPDX-License-Identifier: MIT */
#include "ui/open/open_flow.h"

#include "app/files/display_name.h"
#include "app/session/pasted.h"
#include "ui/open/file_filters.h"
#include "ui/open/photo_preview.h"
#include "ui/settings/settings_panel.h"
#include "ui/status/wait_reason.h"
#include <glib/gi18n.h>

#define LOOK_MS 100 /* between two polls of the worker's progress */

struct _FsOpenFlow {
  GObject parent_instance;
  GtkWindow *parent;         /* NULL once closed */
  FsMessageBar *messages;    /* NULL once closed */
  GCancellable *cancellable; /* NULL: nothing is being opened */
  GFile *file;               /* being opened */
  gboolean restoring;
};

enum { OPENED, ENDED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FsOpenFlow, fs_open_flow, G_TYPE_OBJECT)

/* One attempt to open a file; a newer one cancels it. */
typedef struct {
  FsOpenFlow *flow;
  GFile *file;
  char *photo; /* chosen by the user instead, or NULL */
  FsLostWork *lost;
  FsProject *project;
  GCancellable *cancellable;
  FsOpenStage stage; /* written by the worker until it has finished */
  guint look_id;     /* timer that polls `stage` */
} Opening;

static void
opening_free (Opening *opening)
{
  g_clear_handle_id (&opening->look_id, g_source_remove);
  g_object_unref (opening->flow);
  g_object_unref (opening->file);
  g_object_unref (opening->cancellable);
  g_clear_object (&opening->project);
  fs_lost_work_free (opening->lost);
  g_free (opening->photo);
  g_free (opening);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

static gboolean
is_current (const Opening *opening)
{
  return opening->flow->cancellable == opening->cancellable;
}

static void
end_task (FsOpenFlow *self)
{
  g_clear_object (&self->cancellable);
  g_clear_object (&self->file);
  self->restoring = FALSE;
  if (self->messages != NULL)
    fs_message_bar_end_task (self->messages);
}

void
fs_open_flow_cancel (FsOpenFlow *self)
{
  if (self->cancellable == NULL)
    return;
  gboolean restoring = self->restoring;
  g_cancellable_cancel (self->cancellable);
  end_task (self);
  if (restoring)
    g_signal_emit (self, signals[ENDED], 0, FALSE);
}

/* ---- A missing photo ---- */

static void begin_opening (Opening *opening);

static void
on_photo_chosen (GtkFileChooserNative *chooser, int response, Opening *taken)
{
  g_autoptr (Opening) opening = taken;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  if (response == GTK_RESPONSE_ACCEPT)
    path = fs_file_filters_get_path (chooser, &error);
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (chooser));
  g_object_unref (chooser);
  if (error != NULL && opening->flow->messages != NULL)
    fs_message_bar_show (opening->flow->messages, GTK_MESSAGE_ERROR, error->message);
  if (path == NULL || opening->flow->parent == NULL)
    return;
  g_free (opening->photo);
  opening->photo = g_steal_pointer (&path);
  begin_opening (g_steal_pointer (&opening));
}

static void
choose_photo (Opening *opening)
{
  GtkFileChooserNative *chooser =
      gtk_file_chooser_native_new (_ ("Choose the Photo"), opening->flow->parent,
                                   GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  fs_file_filters_add_photos (GTK_FILE_CHOOSER (chooser));
  fs_photo_preview_attach (chooser);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_photo_chosen), opening);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
on_photo_response (GtkDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (Opening) opening = user_data;
  g_signal_handlers_disconnect_by_data (dialog, user_data);
  gtk_widget_destroy (GTK_WIDGET (dialog));
  if (response == GTK_RESPONSE_ACCEPT && opening->flow->parent != NULL)
    choose_photo (g_steal_pointer (&opening));
}

/* Takes ownership of the opening. */
static void
ask_for_photo (Opening *opening, const char *reason)
{
  GtkWidget *dialog = gtk_message_dialog_new (opening->flow->parent,
                                              GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                              GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
                                              _ ("Where is the photo of these strokes?"));
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog),
                                            _ ("%s The strokes themselves are safe."), reason);
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL,
                          _ ("Choose _Photo…"), GTK_RESPONSE_ACCEPT, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  g_signal_connect (dialog, "response", G_CALLBACK (on_photo_response), opening);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- Strokes ---- */

static void
on_restored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Opening) opening = user_data;
  FsOpenFlow *self = opening->flow;
  gboolean done = fs_project_restore_finish (opening->project, result, NULL);
  if (!is_current (opening))
    return;
  end_task (self);
  g_signal_emit (self, signals[ENDED], 0, done);
}

static void
on_restore_progress (guint n_done, guint n_all, gpointer user_data)
{
  const Opening *opening = user_data;
  if (is_current (opening) && opening->flow->messages != NULL)
    fs_message_bar_set_fraction (opening->flow->messages, (double)n_done / n_all);
}

/* Takes ownership of the opening. */
static void
restore_opened (Opening *opening, const FsOpened *opened)
{
  FsOpenFlow *self = opening->flow;
  fs_message_bar_begin_task (self->messages, _ ("Restoring your strokes…"), opening->cancellable);
  fs_message_bar_follow (self->messages, fs_project_get_document (opening->project));
  if (opening->lost != NULL)
    fs_project_recover_async (opening->project, g_steal_pointer (&opening->lost),
                              opening->cancellable, on_restore_progress, on_restored, opening);
  else
    fs_project_open_async (opening->project, opened->session, opened->session_path,
                           opening->cancellable, on_restore_progress, on_restored, opening);
}

/* ---- The file ---- */

static FsProject *
make_project (const Opening *opening, const FsOpened *opened, GError **error)
{
  FsSettings settings = fs_settings_panel_get_defaults ();
  if (opened->session != NULL)
    settings = opened->session->settings;
  if (opening->lost != NULL)
    settings = opening->lost->content->session->settings;
  g_autoptr (FsDocument) document = fs_document_new (opened->photo->image, &settings, error);
  return document != NULL ? fs_project_new (document, opened->photo_path) : NULL;
}

static void
report_photo (FsOpenFlow *self, const FsOpened *opened)
{
  g_autofree char *name = fs_display_name (opened->photo_path);
  g_autofree char *base = g_path_get_basename (name);
  g_autofree char *text =
      g_strdup_printf (_ ("“%s” has changed since the strokes were painted. It still has the same "
                          "size, so they are where they were; check that they still fit."),
                       base);
  g_autoptr (GError) unnamed = NULL;
  if (opened->session != NULL && opened->fit < FS_SESSION_FIT_PIXELS)
    fs_message_bar_show (self->messages, GTK_MESSAGE_WARNING, text);
  else if (!fs_pasted_is (opened->photo_path)
           && !fs_session_check_name (opened->photo_path, &unnamed))
    fs_message_bar_show_about (self->messages, GTK_MESSAGE_WARNING, unnamed->message,
                               opened->photo_path);
  else if (opened->photo->warning != NULL)
    fs_message_bar_show_about (self->messages, GTK_MESSAGE_WARNING, opened->photo->warning,
                               opened->photo_path);
}

static void
fail_opening (Opening *taken, const GError *error)
{
  g_autoptr (Opening) opening = taken;
  FsOpenFlow *self = opening->flow;
  end_task (self);
  if (g_cancellable_is_cancelled (opening->cancellable))
    return;
  if (g_error_matches (error, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO)) {
    ask_for_photo (g_steal_pointer (&opening), error->message);
    return;
  }
  if (g_file_peek_path (opening->file) != NULL)
    fs_message_bar_show_about (self->messages, GTK_MESSAGE_ERROR, error->message,
                               g_file_peek_path (opening->file));
  else
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
  g_signal_emit (self, signals[FAILED], 0, opening->file);
}

static void
show_opened (Opening *taken, FsOpened *opened)
{
  g_autoptr (Opening) opening = taken;
  FsOpenFlow *self = opening->flow;
  gboolean strokes = opening->lost != NULL || opened->session != NULL;
  g_autoptr (GError) error = NULL;
  opening->project = make_project (opening, opened, &error);
  if (opening->project == NULL) {
    g_autofree char *shown = fs_display_name (opened->photo_path);
    g_prefix_error (&error, "%s: ", shown);
    fail_opening (g_steal_pointer (&opening), error);
    return;
  }
  self->restoring = strokes;
  if (strokes)
    fs_message_bar_end_task (self->messages);
  else
    end_task (self);
  report_photo (self, opened);
  g_signal_emit (self, signals[OPENED], 0, opening->project, opened);
  if (strokes)
    restore_opened (g_steal_pointer (&opening), opened);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Opening) opening = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FsOpened) opened = fs_open_job_finish (result, &error);
  g_clear_handle_id (&opening->look_id, g_source_remove);
  /* Another file was opened meanwhile, or the window closed. */
  if (!is_current (opening))
    return;
  if (opened != NULL)
    show_opened (g_steal_pointer (&opening), opened);
  else
    fail_opening (g_steal_pointer (&opening), error);
}

static gboolean
on_look (gpointer user_data)
{
  Opening *opening = user_data;
  FsMessageBar *messages = opening->flow->messages;
  double fraction = g_atomic_int_get (&opening->stage.permille) / 1e3;
  if (!is_current (opening) || messages == NULL)
    return G_SOURCE_CONTINUE;
  g_autofree char *reason = g_atomic_int_get (&opening->stage.is_decoded)
                                ? g_strdup (_ ("preparing the view"))
                                : fs_wait_reason_new (_ ("decoding the photo"), fraction);
  if (fraction > 0)
    fs_message_bar_set_fraction (messages, fraction);
  fs_message_bar_set_reason (messages, reason);
  return G_SOURCE_CONTINUE;
}

/* Takes ownership of the opening. */
static void
begin_opening (Opening *opening)
{
  FsOpenFlow *self = opening->flow;
  g_autofree char *name = g_file_get_basename (opening->file);
  g_autofree char *shown = fs_display_name (name);
  g_autofree char *text = g_strdup_printf (_ ("Opening “%s”…"), shown);
  fs_open_flow_cancel (self);
  g_clear_object (&opening->cancellable);
  opening->cancellable = g_cancellable_new ();
  self->cancellable = g_object_ref (opening->cancellable);
  self->file = g_object_ref (opening->file);
  fs_message_bar_clear (self->messages);
  fs_message_bar_begin_task (self->messages, text, self->cancellable);
  FsOpenRequest request = {
    .file = opening->file,
    .photo = opening->photo,
    .session = opening->lost != NULL ? opening->lost->content->session : NULL,
    .stage = &opening->stage,
  };
  opening->stage = (FsOpenStage){ 0 };
  opening->look_id = g_timeout_add (LOOK_MS, on_look, opening);
  fs_open_job_start (&request, self->cancellable, on_opened, opening);
}

static Opening *
opening_new (FsOpenFlow *self, GFile *file)
{
  Opening *opening = g_new0 (Opening, 1);
  opening->flow = g_object_ref (self);
  opening->file = g_object_ref (file);
  opening->cancellable = g_cancellable_new ();
  return opening;
}

void
fs_open_flow_open (FsOpenFlow *self, GFile *file)
{
  g_return_if_fail (self->parent != NULL);
  begin_opening (opening_new (self, file));
}

void
fs_open_flow_recover (FsOpenFlow *self, FsLostWork *lost)
{
  g_return_if_fail (self->parent != NULL);
  g_autoptr (GFile) photo = g_file_new_for_path (lost->content->photo);
  Opening *opening = opening_new (self, photo);
  opening->lost = lost;
  begin_opening (opening);
}

gboolean
fs_open_flow_is_busy (FsOpenFlow *self)
{
  return self->cancellable != NULL;
}

GFile *
fs_open_flow_get_file (FsOpenFlow *self)
{
  return self->file;
}

gboolean
fs_open_flow_is_restoring (FsOpenFlow *self)
{
  return self->restoring;
}

void
fs_open_flow_close (FsOpenFlow *self)
{
  self->parent = NULL;
  self->messages = NULL;
  fs_open_flow_cancel (self);
}

FsOpenFlow *
fs_open_flow_new (GtkWindow *parent, FsMessageBar *messages)
{
  FsOpenFlow *self = g_object_new (FS_TYPE_OPEN_FLOW, NULL);
  self->parent = parent;
  self->messages = messages;
  return self;
}

static void
fs_open_flow_class_init (FsOpenFlowClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);
  signals[OPENED] = g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 2, FS_TYPE_PROJECT, G_TYPE_POINTER);
  signals[ENDED] = g_signal_new ("ended", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, G_TYPE_BOOLEAN);
  signals[FAILED] = g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_FILE);
}

static void
fs_open_flow_init (FsOpenFlow *self)
{
}
