/* SPDX-License-Identifier: MIT */
#include "ui/save/save_flow.h"

#include "app/files/display_name.h"
#include "app/session/pasted.h"
#include "ui/open/file_filters.h"
#include "ui/open/recent.h"
#include <glib/gi18n.h>
#include <string.h>

#define MAX_NAMES 1000

struct _FsSaveFlow {
  GObject parent_instance;
  GtkWindow *parent;      /* NULL once closed */
  FsMessageBar *messages; /* NULL once closed */
  FsSessionFinder finder;
  GtkFileChooserNative *chooser;
  GCancellable *cancellable;

  /* The saving that is asked for or runs. */
  FsProject *project; /* NULL: none */
  char *path;
  char *changed;    /* that is opened once the work is saved, or NULL */
  gboolean replace; /* also what another program has written there */
  FsSaveDone done;
  gpointer user_data;
};

enum { LEAVES, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FsSaveFlow, fs_save_flow, G_TYPE_OBJECT)

static void
end_save (FsSaveFlow *self, gboolean saved)
{
  FsSaveDone done = self->done;
  self->done = NULL;
  g_clear_object (&self->chooser);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->project);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->changed, g_free);
  self->replace = FALSE;
  if (done != NULL && self->parent != NULL)
    done (saved, self->user_data);
}

static void
report_save_error (FsSaveFlow *self, const GError *error)
{
  g_autofree char *shown = fs_display_name (self->path);
  g_autofree char *name = g_path_get_basename (shown);
  g_autofree char *text = g_strdup_printf (_ ("Saved “%s”."), name);
  if (self->messages == NULL)
    return;
  fs_message_bar_end_task (self->messages);
  if (error == NULL)
    fs_message_bar_show (self->messages, GTK_MESSAGE_INFO, text);
  else
    fs_message_bar_show_about (self->messages, GTK_MESSAGE_ERROR, error->message, self->path);
}

/* ---- Names ---- */

/* The name of the file at `path`, without its ending. g_free. */
static char *
name_base (const char *path)
{
  g_autofree char *shown = fs_display_name (path);
  char *base = g_path_get_basename (shown);
  char *dot = strrchr (base, '.');
  if (dot != NULL && dot != base)
    *dot = '\0';
  return base;
}

/* BASE.fretsaw; for the first session of a photo, of which another object may have one already, a
 * name that is not taken. */
static char *
suggested_name (const char *folder, const char *base, gboolean first)
{
  char *name = g_strconcat (base, ".fretsaw", NULL);
  for (int i = 2; first && i < MAX_NAMES; i++) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (!g_file_test (path, G_FILE_TEST_EXISTS))
      break;
    g_free (name);
    name = g_strdup_printf ("%s-%d.fretsaw", base, i);
  }
  return name;
}

/* ---- A session that another program has changed ---- */

enum { RESPONSE_REPLACE = 1, RESPONSE_SAVE_AS, RESPONSE_OPEN };

static void start_saving (FsSaveFlow *self);
static void ask_where (FsSaveFlow *self);

/* A path beside the changed session that is free. g_free. */
static char *
name_own_copy (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *base = name_base (path);
  g_autofree char *name = suggested_name (folder, base, TRUE);
  return g_build_filename (folder, name, NULL);
}

static void
save_own_copy (FsSaveFlow *self)
{
  self->changed = g_steal_pointer (&self->path);
  self->path = name_own_copy (self->changed);
  start_saving (self);
}

static void
on_changed_response (GtkDialog *dialog, int response, gpointer user_data)
{
  FsSaveFlow *self = user_data;
  gtk_widget_destroy (GTK_WIDGET (dialog));
  if (self->parent == NULL || self->project == NULL)
    return;
  self->replace = response == RESPONSE_REPLACE;
  g_clear_pointer (&self->changed, g_free);
  if (response == RESPONSE_REPLACE) {
    start_saving (self);
  } else if (response == RESPONSE_OPEN) {
    save_own_copy (self);
  } else if (response == RESPONSE_SAVE_AS) {
    g_clear_pointer (&self->path, g_free);
    ask_where (self);
  } else {
    end_save (self, FALSE);
  }
}

static gboolean
can_be_opened (const char *path)
{
  g_autoptr (FsSession) session = fs_session_read (path, NULL);
  return session != NULL;
}

static void
ask_about_changed (FsSaveFlow *self)
{
  const gboolean offers_it = can_be_opened (self->path);
  g_autofree char *shown = fs_display_name (self->path);
  g_autofree char *name = g_path_get_basename (shown);
  g_autofree char *own_path = name_own_copy (self->path);
  g_autofree char *own = g_path_get_basename (own_path);
  GtkWidget *dialog =
      gtk_message_dialog_new (self->parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                              GTK_MESSAGE_WARNING, GTK_BUTTONS_NONE,
                              _ ("Another program has changed “%s”. Replace it?"), name);
  if (offers_it)
    gtk_message_dialog_format_secondary_text (
        GTK_MESSAGE_DIALOG (dialog),
        _ ("The file is not the one that you opened or saved here. If you replace it, what is in "
           "it now is lost. If you open it, your strokes are saved beside it, in “%s”."),
        own);
  else
    gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog),
                                              _ ("The file is not the one that you opened or saved "
                                                 "here. If you replace it, what is in it now is "
                                                 "lost."));
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _ ("_Replace"), RESPONSE_REPLACE, _ ("_Cancel"),
                          GTK_RESPONSE_CANCEL, _ ("Save _As…"), RESPONSE_SAVE_AS, NULL);
  if (offers_it)
    gtk_dialog_add_button (GTK_DIALOG (dialog), _ ("_Open It"), RESPONSE_OPEN);
  GtkWidget *replace = gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), RESPONSE_REPLACE);
  gtk_style_context_add_class (gtk_widget_get_style_context (replace),
                               GTK_STYLE_CLASS_DESTRUCTIVE_ACTION);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), RESPONSE_SAVE_AS);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_changed_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- Writing ---- */

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsSaveFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean saved = fs_project_save_finish (self->project, result, &error);
  if (g_error_matches (error, FS_SESSION_ERROR, FS_SESSION_ERROR_CHANGED) && self->parent != NULL) {
    fs_message_bar_end_task (self->messages);
    g_clear_object (&self->cancellable);
    ask_about_changed (self);
    return;
  }
  report_save_error (self, error);
  if (saved)
    fs_recent_add (self->path);
  g_autofree char *changed = saved ? g_steal_pointer (&self->changed) : NULL;
  g_autofree char *own = changed != NULL ? g_strdup (self->path) : NULL;
  end_save (self, saved && changed == NULL);
  if (changed != NULL && self->parent != NULL)
    g_signal_emit (self, signals[LEAVES], 0, changed, own);
}

static void
start_saving (FsSaveFlow *self)
{
  g_autofree char *shown = fs_display_name (self->path);
  g_autofree char *name = g_path_get_basename (shown);
  g_autofree char *text = g_strdup_printf (_ ("Saving “%s”…"), name);
  self->cancellable = g_cancellable_new ();
  fs_message_bar_clear (self->messages);
  fs_message_bar_begin_task (self->messages, text, self->cancellable);
  fs_project_save_async (self->project, self->path, self->replace, self->cancellable, on_saved,
                         g_object_ref (self));
}

/* Two windows that save to one file would undo each other's work. */
static gboolean
is_of_another_window (FsSaveFlow *self)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->path);
  GtkWindow *has_it = self->finder (gtk_window_get_application (self->parent), file);
  if (has_it == NULL || has_it == self->parent)
    return FALSE;
  g_autofree char *shown = fs_display_name (self->path);
  g_autofree char *name = g_path_get_basename (shown);
  g_autofree char *text =
      g_strdup_printf (_ ("“%s” is open in another window. Choose another name."), name);
  fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, text);
  return TRUE;
}

static void
on_chosen (FsSaveFlow *self, int response)
{
  if (response != GTK_RESPONSE_ACCEPT) {
    end_save (self, FALSE);
    return;
  }
  /* Opening goes by the name. */
  g_autoptr (GError) error = NULL;
  if (fs_file_filters_take_path (self->chooser, ".fretsaw", &self->path, &error)
      && self->path == NULL)
    return;
  g_clear_object (&self->chooser);
  if (error != NULL) {
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
    end_save (self, FALSE);
    return;
  }
  /* The chooser has asked about a file that is there. */
  self->replace = TRUE;
  if (is_of_another_window (self))
    end_save (self, FALSE);
  else
    start_saving (self);
}

static void
suggest (FsSaveFlow *self, GtkFileChooser *chooser)
{
  const char *session = fs_project_get_session_path (self->project);
  const char *photo = fs_project_get_photo_path (self->project);
  const char *neighbour = session != NULL ? session : photo;
  g_autofree char *folder = g_path_get_dirname (neighbour), *base = name_base (neighbour);
  g_autofree char *name = suggested_name (folder, base, session == NULL);
  const char *pictures = g_get_user_special_dir (G_USER_DIRECTORY_PICTURES);
  if (!fs_pasted_is (neighbour))
    gtk_file_chooser_set_current_folder (chooser, folder);
  else if (pictures != NULL)
    gtk_file_chooser_set_current_folder (chooser, pictures);
  gtk_file_chooser_set_current_name (chooser, name);
}

static void
ask_where (FsSaveFlow *self)
{
  self->chooser =
      gtk_file_chooser_native_new (_ ("Save Session"), self->parent, GTK_FILE_CHOOSER_ACTION_SAVE,
                                   _ ("_Save"), _ ("_Cancel"));
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (self->chooser);
  suggest (self, chooser);
  fs_file_filters_add_sessions (chooser);
  fs_file_filters_ask (self->chooser, G_CALLBACK (on_chosen), self);
}

void
fs_save_flow_save_to (FsSaveFlow *self, FsProject *project, const char *path, FsSaveDone done,
                      gpointer user_data)
{
  g_return_if_fail (self->parent != NULL);

  if (self->project != NULL) {
    if (done != NULL)
      done (FALSE, user_data);
    return;
  }
  self->project = g_object_ref (project);
  self->done = done;
  self->user_data = user_data;
  self->path = g_strdup (path);
  if (self->path != NULL)
    start_saving (self);
  else
    ask_where (self);
}

void
fs_save_flow_save (FsSaveFlow *self, FsProject *project, gboolean ask, FsSaveDone done,
                   gpointer user_data)
{
  fs_save_flow_save_to (self, project, ask ? NULL : fs_project_get_session_path (project), done,
                        user_data);
}

void
fs_save_flow_close (FsSaveFlow *self)
{
  self->parent = NULL;
  self->messages = NULL;
  if (self->cancellable == NULL)
    end_save (self, FALSE);
}

FsSaveFlow *
fs_save_flow_new (GtkWindow *parent, FsMessageBar *messages, FsSessionFinder finder)
{
  FsSaveFlow *self = g_object_new (FS_TYPE_SAVE_FLOW, NULL);
  self->parent = parent;
  self->messages = messages;
  self->finder = finder;
  return self;
}

static void
fs_save_flow_class_init (FsSaveFlowClass *klass)
{
  signals[LEAVES] = g_signal_new ("leaves", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
fs_save_flow_init (FsSaveFlow *self)
{
}
