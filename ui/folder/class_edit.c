/* SPDX-License-Identifier: MIT */
#include "ui/folder/class_edit.h"

#include "app/folder/class_use.h"
#include "ui/canvas/tools.h"
#include "ui/folder/class_choice.h"
#include <glib/gi18n.h>

typedef struct {
  GtkWindow *parent; /* a weak pointer */
  GtkEntry *entry;
  FsFolderJob *job;
  FsProject *project;
  char *name, *other; /* the class, and its new name */
  /* For the worker. */
  FsFolderList *list;
  char *photo;
  guint n_photos;
} Edit;

static Edit *
edit_new (GtkWindow *parent, FsFolderJob *job, FsProject *project, const char *name)
{
  Edit *edit = g_new0 (Edit, 1);
  g_set_weak_pointer (&edit->parent, parent);
  edit->job = g_object_ref (job);
  edit->project = g_object_ref (project);
  edit->name = g_strdup (name);
  edit->photo = g_strdup (fs_project_get_photo_path (project));
  if (fs_folder_job_get_list (job) != NULL)
    edit->list = fs_folder_list_copy (fs_folder_job_get_list (job));
  return edit;
}

static void
edit_free (gpointer data)
{
  Edit *edit = data;
  g_clear_weak_pointer (&edit->parent);
  g_object_unref (edit->job);
  g_object_unref (edit->project);
  g_free (edit->name);
  g_free (edit->other);
  fs_folder_list_free (edit->list);
  g_free (edit->photo);
  g_free (edit);
}

static void
run_on_worker (Edit *edit, GTaskThreadFunc work, GAsyncReadyCallback done)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, done, edit);
  g_task_set_source_tag (task, run_on_worker);
  g_task_set_task_data (task, edit, NULL);
  g_task_run_in_thread (task, work);
}

void
fs_class_edit_refuse (FsFolderJob *job, const char *name)
{
  g_return_if_fail (job != NULL && name != NULL);

  g_autofree char *trimmed = g_strstrip (g_strdup (name));
  const gboolean is_taken =
      fs_folder_classes_find (fs_folder_job_get_classes (job), trimmed) != NULL;
  g_autofree char *text = g_strdup_printf (is_taken ? _ ("There is a class “%s” already.")
                                                    : _ ("A class cannot have the name “%s”."),
                                           trimmed);
  g_signal_emit_by_name (job, "failed", text);
}

/* ---- Renaming ---- */

static void
rename_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Edit *edit = data;
  GError *error = NULL;
  if (edit->list == NULL
      || fs_class_use_rename (edit->list, edit->name, edit->other, edit->photo, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_renamed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Edit *edit = user_data;
  g_autoptr (GError) error = NULL;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    g_signal_emit_by_name (edit->job, "failed", error->message);
  fs_folder_job_refresh (edit->job);
  edit_free (edit);
}

static void
rename_objects (Edit *edit)
{
  for (int object = 1; object <= FS_TOOLS_LAST_OBJECT; object++) {
    const uint8_t label = fs_tools_object_label (object);
    if (g_strcmp0 (fs_project_get_name (edit->project, label), edit->name) == 0)
      fs_project_set_name (edit->project, label, edit->other);
  }
}

static void
on_rename_response (GtkDialog *dialog, int response, gpointer user_data)
{
  Edit *edit = user_data;
  edit->other = g_strstrip (g_strdup (gtk_entry_get_text (edit->entry)));
  gtk_widget_destroy (GTK_WIDGET (dialog));
  g_autoptr (FsFolderClasses) classes =
      fs_folder_classes_copy (fs_folder_job_get_classes (edit->job));
  const gboolean is_wanted =
      response == GTK_RESPONSE_ACCEPT && !g_str_equal (edit->other, edit->name);
  if (!is_wanted || !fs_folder_classes_rename (classes, edit->name, edit->other)) {
    if (is_wanted)
      fs_class_edit_refuse (edit->job, edit->other);
    edit_free (edit);
    return;
  }
  rename_objects (edit);
  fs_folder_job_take_classes (edit->job, g_steal_pointer (&classes));
  run_on_worker (edit, rename_in_thread, on_renamed);
}

void
fs_class_edit_rename (GtkWindow *parent, FsFolderJob *job, FsProject *project, const char *name)
{
  GtkWidget *dialog =
      gtk_message_dialog_new (parent, GTK_DIALOG_MODAL, GTK_MESSAGE_OTHER, GTK_BUTTONS_NONE,
                              _ ("What is the class “%s” called?"), name);
  gtk_message_dialog_format_secondary_text (
      GTK_MESSAGE_DIALOG (dialog), _ ("Its objects on all photos of the folder get the new name."));
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL, _ ("_Name"),
                          GTK_RESPONSE_ACCEPT, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  GtkWidget *entry = gtk_entry_new ();
  gtk_entry_set_text (GTK_ENTRY (entry), name);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  atk_object_set_name (gtk_widget_get_accessible (entry), _ ("Name"));
  gtk_widget_show (entry);
  gtk_container_add (GTK_CONTAINER (
                         gtk_message_dialog_get_message_area (GTK_MESSAGE_DIALOG (dialog))),
                     entry);
  Edit *edit = edit_new (parent, job, project, name);
  edit->entry = GTK_ENTRY (entry);
  g_signal_connect (dialog, "response", G_CALLBACK (on_rename_response), edit);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- Removing ---- */

static void
on_remove_response (GtkDialog *dialog, int response, gpointer user_data)
{
  Edit *edit = user_data;
  gtk_widget_destroy (GTK_WIDGET (dialog));
  if (response == GTK_RESPONSE_ACCEPT) {
    FsFolderClasses *classes = fs_folder_classes_copy (fs_folder_job_get_classes (edit->job));
    fs_folder_classes_remove (classes, edit->name);
    fs_folder_job_take_classes (edit->job, classes);
  }
  edit_free (edit);
}

static void
ask_to_remove (Edit *edit)
{
  GtkWidget *dialog =
      gtk_message_dialog_new (edit->parent, GTK_DIALOG_MODAL, GTK_MESSAGE_QUESTION,
                              GTK_BUTTONS_NONE, _ ("Remove the class “%s”?"), edit->name);
  if (edit->n_photos > 0)
    gtk_message_dialog_format_secondary_text (
        GTK_MESSAGE_DIALOG (dialog),
        ngettext ("%u photo has objects of it. They stay, and keep the name.",
                  "%u photos have objects of it. They stay, and keep the name.", edit->n_photos),
        edit->n_photos);
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL, _ ("_Remove"),
                          GTK_RESPONSE_ACCEPT, NULL);
  GtkWidget *removing =
      gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  gtk_style_context_add_class (gtk_widget_get_style_context (removing),
                               GTK_STYLE_CLASS_DESTRUCTIVE_ACTION);
  g_signal_connect (dialog, "response", G_CALLBACK (on_remove_response), edit);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
count_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Edit *edit = data;
  if (edit->list != NULL)
    edit->n_photos = fs_class_use_count (edit->list, edit->name, edit->photo);
  g_task_return_boolean (task, TRUE);
}

static gboolean
is_on_photo (const Edit *edit)
{
  for (int object = 1; object <= FS_TOOLS_LAST_OBJECT; object++)
    if (g_strcmp0 (fs_project_get_name (edit->project, fs_tools_object_label (object)), edit->name)
            == 0
        && fs_class_choice_is_used (edit->project, object))
      return TRUE;
  return FALSE;
}

static void
on_counted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Edit *edit = user_data;
  if (edit->parent == NULL) {
    edit_free (edit);
    return;
  }
  edit->n_photos += is_on_photo (edit);
  ask_to_remove (edit);
}

void
fs_class_edit_remove (GtkWindow *parent, FsFolderJob *job, FsProject *project, const char *name)
{
  run_on_worker (edit_new (parent, job, project, name), count_in_thread, on_counted);
}
