/* SPDX-License-Identifier: MIT */
#include "ui/folder/export_all.h"

#include "app/files/display_name.h"
#include "app/replay/label_export.h"
#include "ui/open/file_filters.h"
#include <glib/gi18n.h>

#define LOOK_MS 200 /* between two looks at the worker's progress */

/* Forms of run lengths, in the ids of the list of formats. */
#define PACKED   "/packed"
#define POLYGONS "/polygons"

typedef struct {
  char *format; /* id in the list of formats */
  char *path;   /* of the file or folder */
  gboolean done_only;
} Choice;

struct _FsExportAll {
  GObject parent_instance;
  GtkWindow *parent; /* NULL once closed, as the others */
  FsMessageBar *messages;
  FsAutosave *autosave;

  /* The export that is asked for or runs. */
  FsFolderJob *job; /* NULL: none */
  GtkWidget *dialog;
  GtkComboBoxText *formats;
  GtkToggleButton *done_only;
  GtkFileChooserNative *chooser;
  GCancellable *cancellable; /* NULL: none runs */
  guint look_id;

  Choice choice; /* of that export, or of the last one */
  char *folder;  /* of the last one; NULL: there was none */
};

G_DEFINE_FINAL_TYPE (FsExportAll, fs_export_all, G_TYPE_OBJECT)

static void
forget (FsExportAll *self)
{
  if (self->messages != NULL && self->cancellable != NULL)
    fs_message_bar_end_task (self->messages);
  g_clear_handle_id (&self->look_id, g_source_remove);
  g_clear_pointer (&self->dialog, gtk_widget_destroy);
  g_clear_object (&self->chooser);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->job);
}

static const FsLabelFormat *
find_format (const Choice *choice)
{
  g_auto (GStrv) parts = g_strsplit (choice->format, "/", 2);
  return fs_label_format_find (parts[0]);
}

/* ---- The worker ---- */

typedef struct {
  char *folder;
  GPtrArray *class_names; /* NULL-terminated */
  Choice choice;
  gint n_done, n_all; /* read by the main thread, too */
  FsLabelExportResult result;
  char *reason; /* of the first photo that was left out, or NULL */
} Work;

static void
choice_clear (Choice *choice)
{
  g_clear_pointer (&choice->format, g_free);
  g_clear_pointer (&choice->path, g_free);
}

static void
work_free (gpointer data)
{
  Work *work = data;
  choice_clear (&work->choice);
  g_ptr_array_unref (work->class_names);
  g_free (work->folder);
  g_free (work->reason);
  g_free (work);
}

static void
note_step (const FsLabelExportStep *step, gpointer user_data)
{
  Work *work = user_data;
  g_atomic_int_set (&work->n_all, (int)step->n_all);
  g_atomic_int_set (&work->n_done, (int)step->n_done);
  if (step->error != NULL && work->reason == NULL)
    work->reason = g_strdup (step->error->message);
}

/* Sessions with objects, and of photos that are done. NULL-terminated. */
static GPtrArray *
list_sessions (const Work *work, GCancellable *cancellable, GError **error)
{
  g_autoptr (FsFolderList) list = fs_folder_list_read (work->folder, NULL, cancellable, error);
  if (list == NULL)
    return NULL;
  GPtrArray *sessions = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < list->photos->len; i++) {
    const FsFolderPhoto *photo = fs_folder_list_get (list, i);
    if (photo->session != NULL
        && (photo->state == FS_FOLDER_DONE
            || (photo->state == FS_FOLDER_BEGUN && !work->choice.done_only)))
      g_ptr_array_add (sessions, g_build_filename (list->folder, photo->session, NULL));
  }
  g_ptr_array_add (sessions, NULL);
  return sessions;
}

static void
export_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Work *work = data;
  GError *error = NULL;
  g_autoptr (GPtrArray) sessions = list_sessions (work, cancellable, &error);
  /* Counted from the start: the first photo may take long. */
  if (sessions != NULL)
    g_atomic_int_set (&work->n_all, (int)sessions->len - 1);
  const FsLabelExportJob job = {
    .sessions = sessions != NULL ? (const char *const *)sessions->pdata : NULL,
    .format = find_format (&work->choice),
    .class_names = (const char *const *)work->class_names->pdata,
    .options = { .path = work->choice.path,
                 .is_packed = g_str_has_suffix (work->choice.format, PACKED),
                 .is_polygons = g_str_has_suffix (work->choice.format, POLYGONS),
                 .tolerance_px = FS_LABEL_TOLERANCE_PX,
                 .replace = TRUE }, /* agreed to in ask_about_files */
    .step = note_step,
    .user_data = work,
  };
  if (sessions != NULL && sessions->len == 1)
    g_set_error (&error, FS_LABEL_ERROR, FS_LABEL_ERROR_NAME,
                 work->choice.done_only ? _ ("No photo of the folder is done; nothing was written.")
                                        : _ ("There is no object; nothing was written."));
  if (error == NULL && fs_label_export_run (&job, cancellable, &work->result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* ---- Running ---- */

static char *
describe_result (const Work *work)
{
  const FsLabelExportResult *result = &work->result;
  g_autofree char *shown = fs_display_name (work->choice.path);
  g_autofree char *name = g_path_get_basename (shown);
  g_autofree char *objects =
      g_strdup_printf (ngettext ("%u object", "%u objects", result->n_objects), result->n_objects);
  g_autofree char *photos =
      g_strdup_printf (ngettext ("%u photo", "%u photos", result->n_photos), result->n_photos);
  /* Translators: for example "3 objects" on "2 photos", in a file or folder of that name */
  char *text = g_strdup_printf (_ ("Exported %s on %s to “%s”."), objects, photos, name);
  if (result->n_failed == 0)
    return text;
  g_autofree char *whole = text;
  g_autofree char *failed =
      g_strdup_printf (ngettext ("%u photo was left out: %s",
                                 "%u photos were left out; the first: %s", result->n_failed),
                       result->n_failed, work->reason);
  return g_strdup_printf ("%s\n%s", whole, failed);
}

static void
on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsExportAll) self = user_data;
  g_autoptr (GError) error = NULL;
  const Work *work = g_task_get_task_data (G_TASK (result));
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  FsMessageBar *messages = self->messages;
  forget (self);
  if (messages == NULL)
    return;
  g_autofree char *text = done ? describe_result (work) : NULL;
  if (done)
    fs_message_bar_show (messages,
                         work->result.n_failed > 0 ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO, text);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fs_message_bar_show (messages, GTK_MESSAGE_OTHER, _ ("Stopped; the set is not complete."));
  else
    fs_message_bar_show (messages, GTK_MESSAGE_ERROR, error->message);
}

static gboolean
on_look (gpointer user_data)
{
  GTask *task = user_data;
  FsExportAll *self = g_object_get_data (G_OBJECT (task), "fs-export-all");
  Work *work = g_task_get_task_data (task);
  const int n_all = g_atomic_int_get (&work->n_all), n_done = g_atomic_int_get (&work->n_done);
  if (n_all > 0 && self->messages != NULL) {
    /* Translators: after "Exporting the photos…", for example "3 of 11" */
    g_autofree char *count = g_strdup_printf (_ ("%d of %d"), n_done, n_all);
    fs_message_bar_set_fraction (self->messages, (double)n_done / n_all);
    fs_message_bar_set_reason (self->messages, count);
  }
  return G_SOURCE_CONTINUE;
}

static void
start (FsExportAll *self)
{
  const FsFolderClasses *classes = fs_folder_job_get_classes (self->job);
  Work *work = g_new0 (Work, 1);
  work->folder = g_strdup (fs_folder_job_get_folder (self->job));
  work->choice = (Choice){ g_strdup (self->choice.format), g_strdup (self->choice.path),
                           self->choice.done_only };
  work->class_names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < classes->classes->len; i++)
    g_ptr_array_add (work->class_names, g_strdup (fs_folder_classes_get (classes, i)->name));
  g_ptr_array_add (work->class_names, NULL);
  g_free (self->folder);
  self->folder = g_strdup (work->folder);
  self->cancellable = g_cancellable_new ();
  fs_message_bar_clear (self->messages);
  fs_message_bar_begin_task (self->messages, _ ("Exporting the photos…"), self->cancellable);
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_exported, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, work, work_free);
  g_object_set_data (G_OBJECT (task), "fs-export-all", self);
  self->look_id = g_timeout_add_full (G_PRIORITY_DEFAULT, LOOK_MS, on_look, g_object_ref (task),
                                      g_object_unref);
  g_task_run_in_thread (task, export_in_thread);
}

static void
on_flushed (gboolean saved, gpointer user_data)
{
  g_autoptr (FsExportAll) self = user_data;
  if (saved && self->parent != NULL && self->job != NULL)
    start (self);
  else
    forget (self);
}

/* Exports what is seen: strokes that are not saved yet are, before. */
static void
save_and_start (FsExportAll *self)
{
  if (fs_autosave_is_on (self->autosave))
    fs_autosave_flush (self->autosave, on_flushed, g_object_ref (self));
  else
    start (self);
}

/* ---- Where ---- */

static void
on_files_response (FsExportAll *self, int response)
{
  g_clear_pointer (&self->dialog, gtk_widget_destroy);
  if (response == GTK_RESPONSE_ACCEPT && self->parent != NULL)
    save_and_start (self);
  else
    forget (self);
}

static void
ask_about_files (FsExportAll *self)
{
  g_autofree char *shown = fs_display_name (self->choice.path);
  g_autofree char *name = g_path_get_basename (shown);
  self->dialog =
      gtk_message_dialog_new (self->parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                              GTK_MESSAGE_WARNING, GTK_BUTTONS_NONE,
                              _ ("“%s” is not empty. Export into it?"), name);
  gtk_message_dialog_format_secondary_text (
      GTK_MESSAGE_DIALOG (self->dialog),
      _ ("Files in it that have the names of the set’s files are replaced. Others stay."));
  gtk_dialog_add_buttons (GTK_DIALOG (self->dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL,
                          _ ("_Replace"), GTK_RESPONSE_ACCEPT, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (self->dialog), GTK_RESPONSE_CANCEL);
  g_signal_connect_object (self->dialog, "response", G_CALLBACK (on_files_response), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

/* The file chooser asks about files, not about folders. */
static gboolean
is_filled_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  return dir != NULL && g_dir_read_name (dir) != NULL;
}

static void
on_chosen (FsExportAll *self, int response)
{
  const char *ending = find_format (&self->choice)->is_folder ? "" : ".json";
  const gboolean accepted = response == GTK_RESPONSE_ACCEPT;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  if (accepted && fs_file_filters_take_path (self->chooser, ending, &path, &error) && path == NULL)
    return;
  g_clear_object (&self->chooser);
  if (error != NULL && self->messages != NULL)
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
  if (path == NULL || self->parent == NULL) {
    forget (self);
    return;
  }
  g_free (self->choice.path);
  self->choice.path = g_steal_pointer (&path);
  if (is_filled_folder (self->choice.path))
    ask_about_files (self);
  else
    save_and_start (self);
}

/* A set of one file lies beside the photos, a folder of files beside their folder. */
static void
ask_where (FsExportAll *self)
{
  const FsLabelFormat *format = find_format (&self->choice);
  const char *folder = fs_folder_job_get_folder (self->job);
  g_autofree char *above = g_path_get_dirname (folder), *base = g_path_get_basename (folder);
  g_autofree char *shown = fs_display_name (base);
  g_autofree char *name = format->is_folder ? g_strdup_printf ("%s-%s", shown, format->name)
                                            : g_strdup_printf ("%s-%s.json", shown, format->name);
  self->chooser =
      gtk_file_chooser_native_new (_ ("Export All"), self->parent,
                                   format->is_folder ? GTK_FILE_CHOOSER_ACTION_CREATE_FOLDER
                                                     : GTK_FILE_CHOOSER_ACTION_SAVE,
                                   _ ("_Export"), _ ("_Cancel"));
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (self->chooser);
  gtk_file_chooser_set_current_folder (chooser, format->is_folder ? above : folder);
  gtk_file_chooser_set_current_name (chooser, name);
  fs_file_filters_ask (self->chooser, G_CALLBACK (on_chosen), self);
}

/* ---- What ---- */

static void
on_response (FsExportAll *self, int response)
{
  if (response == GTK_RESPONSE_ACCEPT) {
    g_free (self->choice.format);
    self->choice.format = g_strdup (gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->formats)));
    self->choice.done_only = gtk_toggle_button_get_active (self->done_only);
  }
  g_clear_pointer (&self->dialog, gtk_widget_destroy);
  if (response == GTK_RESPONSE_ACCEPT && self->parent != NULL)
    ask_where (self);
  else
    forget (self);
}

static void
fill_formats (GtkComboBoxText *formats)
{
  for (const FsLabelFormat *const *format = fs_label_formats; *format != NULL; format++) {
    gtk_combo_box_text_append (formats, (*format)->name, (*format)->title);
    if (!(*format)->has_runs)
      continue;
    g_autofree char *packed_id = g_strconcat ((*format)->name, PACKED, NULL);
    g_autofree char *polygons_id = g_strconcat ((*format)->name, POLYGONS, NULL);
    g_autofree char *packed = g_strdup_printf (_ ("%s, packed run lengths"), (*format)->title);
    g_autofree char *polygons = g_strdup_printf (_ ("%s, polygons"), (*format)->title);
    gtk_combo_box_text_append (formats, packed_id, packed);
    gtk_combo_box_text_append (formats, polygons_id, polygons);
  }
}

/* Photos that are not done are left out unless somebody wants them, or none is done yet. */
static gboolean
propose_done_only (FsExportAll *self)
{
  const FsFolderList *list = fs_folder_job_get_list (self->job);
  return self->folder != NULL ? self->choice.done_only
                              : list != NULL && fs_folder_list_count (list, FS_FOLDER_DONE) > 0;
}

static void
ask_what (FsExportAll *self)
{
  self->dialog =
      gtk_message_dialog_new (self->parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                              GTK_MESSAGE_OTHER, GTK_BUTTONS_NONE,
                              _ ("Export All Photos as Labels"));
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (self->dialog),
                                            _ ("Masks are exact, and classes numbered as in the "
                                               "folder’s list."));
  gtk_dialog_add_buttons (GTK_DIALOG (self->dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL,
                          _ ("_Choose Where…"), GTK_RESPONSE_ACCEPT, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (self->dialog), GTK_RESPONSE_ACCEPT);
  GtkWidget *area = gtk_message_dialog_get_message_area (GTK_MESSAGE_DIALOG (self->dialog));
  self->formats = GTK_COMBO_BOX_TEXT (gtk_combo_box_text_new ());
  fill_formats (self->formats);
  if (self->choice.format == NULL
      || !gtk_combo_box_set_active_id (GTK_COMBO_BOX (self->formats), self->choice.format))
    gtk_combo_box_set_active (GTK_COMBO_BOX (self->formats), 0);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->formats)), _ ("Format"));
  self->done_only =
      GTK_TOGGLE_BUTTON (gtk_check_button_new_with_mnemonic (_ ("Only photos that are _done")));
  gtk_toggle_button_set_active (self->done_only, propose_done_only (self));
  gtk_container_add (GTK_CONTAINER (area), GTK_WIDGET (self->formats));
  gtk_container_add (GTK_CONTAINER (area), GTK_WIDGET (self->done_only));
  gtk_widget_show_all (area);
  g_signal_connect_object (self->dialog, "response", G_CALLBACK (on_response), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

void
fs_export_all_ask (FsExportAll *self, FsFolderJob *job)
{
  g_return_if_fail (self->parent != NULL && FS_IS_FOLDER_JOB (job));

  if (self->job != NULL)
    return;
  self->job = g_object_ref (job);
  ask_what (self);
}

void
fs_export_all_repeat (FsExportAll *self, FsFolderJob *job)
{
  g_return_if_fail (self->parent != NULL && FS_IS_FOLDER_JOB (job));

  if (g_strcmp0 (self->folder, fs_folder_job_get_folder (job)) != 0) {
    fs_export_all_ask (self, job);
    return;
  }
  if (self->job != NULL)
    return;
  self->job = g_object_ref (job);
  save_and_start (self);
}

/* ---- The object ---- */

void
fs_export_all_close (FsExportAll *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  else
    forget (self);
  self->parent = NULL;
  self->messages = NULL;
  self->autosave = NULL;
}

FsExportAll *
fs_export_all_new (GtkWindow *parent, FsMessageBar *messages, FsAutosave *autosave)
{
  FsExportAll *self = g_object_new (FS_TYPE_EXPORT_ALL, NULL);
  self->parent = parent;
  self->messages = messages;
  self->autosave = autosave;
  return self;
}

static void
fs_export_all_finalize (GObject *object)
{
  FsExportAll *self = FS_EXPORT_ALL (object);
  self->messages = NULL;
  forget (self);
  choice_clear (&self->choice);
  g_free (self->folder);
  G_OBJECT_CLASS (fs_export_all_parent_class)->finalize (object);
}

static void
fs_export_all_class_init (FsExportAllClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fs_export_all_finalize;
}

static void
fs_export_all_init (FsExportAll *self)
{
}
