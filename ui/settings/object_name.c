/* SPDX-License-Identifier: MIT */
#include "ui/settings/object_name.h"

#include "ui/canvas/tools.h"
#include <glib/gi18n.h>

/* The limit of session files is in bytes; a character has up to four. */
#define MAX_CHARACTERS (FS_SESSION_MAX_LABEL_BYTES / 4)

typedef struct {
  FsProject *project;
  GtkEntry *entry;
  int object;
} Asking;

static void
asking_free (gpointer data, GClosure *closure)
{
  Asking *asking = data;
  g_object_unref (asking->project);
  g_free (asking);
}

char *
fs_object_name_call (FsProject *project, int object)
{
  const char *name =
      project != NULL ? fs_project_get_name (project, fs_tools_object_label (object)) : NULL;
  /* Translators: objects are numbered, from 1 to 9 */
  return name != NULL ? g_strdup (name) : g_strdup_printf (_ ("Object %d"), object);
}

/* Pasted text may contain tabs and line breaks. */
static char *
as_one_line (const char *text)
{
  GString *line = g_string_new (NULL);
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    g_string_append_unichar (line, g_unichar_iscntrl (c) ? ' ' : c);
  }
  return g_string_free (line, FALSE);
}

static void
on_response (GtkDialog *dialog, int response, gpointer user_data)
{
  const Asking *asking = user_data;
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autofree char *name = as_one_line (gtk_entry_get_text (asking->entry));
    fs_project_set_name (asking->project, fs_tools_object_label (asking->object), name);
  }
  gtk_widget_destroy (GTK_WIDGET (dialog));
}

static GtkEntry *
add_entry (GtkMessageDialog *dialog, FsProject *project, int object)
{
  GtkWidget *entry = gtk_entry_new ();
  const char *name = fs_project_get_name (project, fs_tools_object_label (object));
  g_autofree char *unnamed = fs_object_name_call (NULL, object);
  int n_now = name != NULL ? (int)g_utf8_strlen (name, -1) : 0;
  gtk_entry_set_max_length (GTK_ENTRY (entry), MAX (MAX_CHARACTERS, n_now));
  gtk_entry_set_text (GTK_ENTRY (entry), name != NULL ? name : "");
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), unnamed);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  g_object_set (entry, "truncate-multiline", TRUE, NULL);
  atk_object_set_name (gtk_widget_get_accessible (entry), _ ("Name"));
  gtk_widget_show (entry);
  gtk_container_add (GTK_CONTAINER (gtk_message_dialog_get_message_area (dialog)), entry);
  return GTK_ENTRY (entry);
}

void
fs_object_name_ask (GtkWindow *parent, FsProject *project, int object)
{
  g_return_if_fail (parent != NULL && FS_IS_PROJECT (project) && object >= 1);

  GtkWidget *dialog =
      gtk_message_dialog_new (parent, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                              GTK_MESSAGE_OTHER, GTK_BUTTONS_NONE, _ ("What is object %d called?"),
                              object);
  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog),
                                            _ ("The name is saved with your strokes and goes into "
                                               "data sets, where objects of the same name belong "
                                               "together."));
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _ ("_Cancel"), GTK_RESPONSE_CANCEL, _ ("_Name"),
                          GTK_RESPONSE_ACCEPT, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  Asking *asking = g_new (Asking, 1);
  *asking = (Asking){ .project = g_object_ref (project),
                      .entry = add_entry (GTK_MESSAGE_DIALOG (dialog), project, object),
                      .object = object };
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), asking, asking_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (GTK_WIDGET (asking->entry));
}
