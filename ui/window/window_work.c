/* SPDX-License-Identifier: MIT */
#include "ui/window/window_work.h"

#include "app/files/display_name.h"
#include <glib/gi18n.h>

enum { RESPONSE_SAVE = 1, RESPONSE_DISCARD };

char *
fs_window_work_name (FsWindow *self)
{
  const char *session =
      self->hand_over == NULL ? fs_project_get_session_path (self->project) : NULL;
  g_autofree char *shown =
      fs_display_name (session != NULL ? session : fs_project_get_photo_path (self->project));
  return g_path_get_basename (shown);
}

/* Strokes that are being restored are in their file or their journal. Before a step through a
 * folder an exported photo needs no saving (docs/decisions/sessions-and-journals.md). */
gboolean
fs_window_work_is_unsaved (FsWindow *self, FsUnsavedBefore before)
{
  return fs_window_state_is_editable (self) && fs_project_is_unsaved (self->project)
         && !(before == FS_UNSAVED_NEXT_PHOTO && fs_project_is_exported (self->project)
              && !fs_autosave_is_on (self->autosave));
}

static void
on_saved_before_leaving (gboolean saved, gpointer user_data)
{
  FsWindow *self = user_data;
  if (saved && !fs_project_is_unsaved (self->project))
    self->go (self, self->go_data);
}

static void
on_unsaved_response (FsWindow *self, int response, GtkWidget *dialog)
{
  gtk_widget_destroy (dialog);
  if (response == RESPONSE_SAVE) {
    fs_save_flow_save (self->save_flow, self->project, FALSE, on_saved_before_leaving, self);
  } else if (response == RESPONSE_DISCARD) {
    fs_project_discard (self->project);
    self->go (self, self->go_data);
  }
}

static void
add_unsaved_buttons (GtkDialog *dialog, FsUnsavedBefore before, gboolean named)
{
  gtk_dialog_add_buttons (dialog,
                          before == FS_UNSAVED_CLOSING ? _ ("Close _Without Saving")
                                                       : _ ("Go On _Without Saving"),
                          RESPONSE_DISCARD, _ ("_Cancel"), GTK_RESPONSE_CANCEL,
                          named ? _ ("_Save") : _ ("_Save…"), RESPONSE_SAVE, NULL);
  GtkWidget *discard = gtk_dialog_get_widget_for_response (dialog, RESPONSE_DISCARD);
  GtkWidget *save = gtk_dialog_get_widget_for_response (dialog, RESPONSE_SAVE);
  gtk_style_context_add_class (gtk_widget_get_style_context (discard),
                               GTK_STYLE_CLASS_DESTRUCTIVE_ACTION);
  gtk_style_context_add_class (gtk_widget_get_style_context (save),
                               GTK_STYLE_CLASS_SUGGESTED_ACTION);
  gtk_dialog_set_default_response (dialog, RESPONSE_SAVE);
}

/* Asks; there is one answer, or none if the window is destroyed before. */
static void
ask_about_unsaved (FsWindow *self, FsUnsavedBefore before)
{
  g_autofree char *name = fs_window_work_name (self);
  GtkWidget *dialog =
      gtk_message_dialog_new (GTK_WINDOW (self), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                              GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
                              before == FS_UNSAVED_CLOSING
                                  ? _ ("Save your work on “%s” before closing?")
                                  : _ ("Save your work on “%s” before another photo is opened?"),
                              name);
  gtk_message_dialog_format_secondary_text (
      GTK_MESSAGE_DIALOG (dialog), "%s",
      fs_project_is_exported (self->project)
          ? _ ("The export holds the picture, not your strokes. They will be lost if you don’t "
               "save them.")
          : _ ("Your strokes since the last save will be lost if you don’t."));
  add_unsaved_buttons (GTK_DIALOG (dialog), before,
                       fs_project_get_session_path (self->project) != NULL);
  g_signal_connect_swapped (dialog, "response", G_CALLBACK (on_unsaved_response), self);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Asks about work that could not be saved by itself. */
static void
on_saved_by_itself (gboolean saved, gpointer user_data)
{
  FsWindow *self = user_data;
  if (saved)
    self->go (self, self->go_data);
  else if (self->project != NULL && fs_window_work_is_unsaved (self, self->before))
    ask_about_unsaved (self, self->before);
}

void
fs_window_work_leave (FsWindow *self, FsUnsavedBefore before,
                      void (*go) (FsWindow *self, gpointer user_data), gpointer user_data)
{
  self->go = go;
  self->go_data = user_data;
  self->before = before;
  if (fs_window_work_is_unsaved (self, before) && fs_autosave_is_on (self->autosave))
    fs_autosave_flush (self->autosave, on_saved_by_itself, self);
  else if (fs_window_work_is_unsaved (self, before))
    ask_about_unsaved (self, before);
  else
    go (self, user_data);
}
