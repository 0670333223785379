/* SPDX-License-Identifier: MIT */
#include "ui/save/unsaved_dialog.h"

#include <glib/gi18n.h>

enum { RESPONSE_SAVE = 1, RESPONSE_DISCARD };

typedef struct {
  FsUnsavedAnswered answered;
  gpointer user_data;
} Asking;

static void
on_response (GtkDialog *dialog, int response, gpointer user_data)
{
  Asking asking = *(const Asking *)user_data;
  gtk_widget_destroy (GTK_WIDGET (dialog));
  if (response == RESPONSE_SAVE)
    asking.answered (FS_UNSAVED_SAVE, asking.user_data);
  else if (response == RESPONSE_DISCARD)
    asking.answered (FS_UNSAVED_DISCARD, asking.user_data);
  else if (response != GTK_RESPONSE_NONE)
    asking.answered (FS_UNSAVED_CANCEL, asking.user_data);
}

static void
add_buttons (GtkDialog *dialog, FsUnsavedBefore before, gboolean named)
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

static const char *
describe_loss (FsProject *project)
{
  return fs_project_is_exported (project)
             ? _ ("The export holds the picture, not your strokes. They will be lost if you don’t "
                  "save them.")
             : _ ("Your strokes since the last save will be lost if you don’t.");
}

void
fs_unsaved_dialog_ask (GtkWindow *parent, FsUnsavedBefore before, FsProject *project,
                       const char *name, FsUnsavedAnswered answered, gpointer user_data)
{
  g_return_if_fail (parent != NULL && project != NULL && name != NULL && answered != NULL);

  GtkWidget *dialog =
      gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                              GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE,
                              before == FS_UNSAVED_CLOSING
                                  ? _ ("Save your work on “%s” before closing?")
                                  : _ ("Save your work on “%s” before another photo is opened?"),
                              name);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s",
                                            describe_loss (project));
  add_buttons (GTK_DIALOG (dialog), before, fs_project_get_session_path (project) != NULL);
  Asking *asking = g_new (Asking, 1);
  *asking = (Asking){ answered, user_data };
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), asking,
                         (GClosureNotify)(void (*) (void))g_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
