/* SPDX-License-Identifier: MIT */
#include "ui/folder/classes_dialog.h"

#include <glib/gi18n.h>

#define ENTRY_CHARACTERS 36

typedef struct {
  GtkEntry *entry;
  FsClassesNamed done;
  gpointer user_data;
} Asking;

static void
end (Asking *asking, FsFolderClasses *classes)
{
  FsClassesNamed done = asking->done;
  asking->done = NULL;
  if (done != NULL)
    done (classes, asking->user_data);
  else
    fs_folder_classes_free (classes);
}

/* The dialog is gone, with an answer or without. */
static void
asking_free (gpointer data, GClosure *closure)
{
  end (data, NULL);
  g_free (data);
}

static FsFolderClasses *
read_names (const char *text)
{
  FsFolderClasses *classes = fs_folder_classes_new ();
  g_auto (GStrv) names = g_strsplit_set (text, ",;\n\t", -1);
  for (char **name = names; *name != NULL; name++)
    fs_folder_classes_add (classes, *name);
  return classes;
}

static void
on_response (GtkDialog *dialog, int response, gpointer user_data)
{
  Asking *asking = user_data;
  FsFolderClasses *classes =
      response == GTK_RESPONSE_ACCEPT ? read_names (gtk_entry_get_text (asking->entry)) : NULL;
  end (asking, classes);
  gtk_widget_destroy (GTK_WIDGET (dialog));
}

static char *
join_names (const FsFolderClasses *classes)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < classes->classes->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            fs_folder_classes_get (classes, i)->name);
  return g_string_free (text, FALSE);
}

void
fs_classes_dialog_ask (GtkWindow *parent, const FsFolderClasses *proposed, FsClassesNamed done,
                       gpointer user_data)
{
  g_return_if_fail (parent != NULL && proposed != NULL && done != NULL);

  GtkWidget *dialog =
      gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                              GTK_MESSAGE_OTHER, GTK_BUTTONS_NONE,
                              _ ("Which classes are there in this folder?"));
  gtk_message_dialog_format_secondary_text (
      GTK_MESSAGE_DIALOG (dialog),
      _ ("Names, separated by commas; they get the keys 1 to 9 in this order. From then on photos "
         "of this folder are saved by themselves, and Enter goes on to the next one."));
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL,
                          _ ("_Label This Folder"), GTK_RESPONSE_ACCEPT, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  GtkWidget *entry = gtk_entry_new ();
  g_autofree char *names = join_names (proposed);
  gtk_entry_set_text (GTK_ENTRY (entry), names);
  gtk_entry_set_width_chars (GTK_ENTRY (entry), ENTRY_CHARACTERS);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  /* Translators: an example of names of classes */
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("cat, dog"));
  atk_object_set_name (gtk_widget_get_accessible (entry), _ ("Classes"));
  gtk_widget_show (entry);
  gtk_container_add (GTK_CONTAINER (
                         gtk_message_dialog_get_message_area (GTK_MESSAGE_DIALOG (dialog))),
                     entry);
  Asking *asking = g_new (Asking, 1);
  *asking = (Asking){ GTK_ENTRY (entry), done, user_data };
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), asking, asking_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (entry);
}
