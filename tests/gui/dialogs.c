/* SPDX-License-Identifier: MIT */
#include "tests/gui/dialogs.h"

/* GTK's file chooser reads its folder in the background, and complains if it is gone when that
 * ends: nobody answers one within its first moment. Other dialogs read nothing. */
enum { LOOK_MS = 700 };

static gboolean
wake_up (gpointer data)
{
  return G_SOURCE_REMOVE;
}

/* One that is shown again reads its folder again. */
static void
forget_look (GtkWidget *dialog)
{
  g_object_set_data (G_OBJECT (dialog), "fs-test-since", NULL);
}

static gboolean
was_looked_at (GtkWidget *dialog)
{
  gint64 now = g_get_monotonic_time ();
  gint64 *since = g_object_get_data (G_OBJECT (dialog), "fs-test-since");
  if (since == NULL) {
    since = g_memdup2 (&now, sizeof now);
    g_object_set_data_full (G_OBJECT (dialog), "fs-test-since", since, g_free);
    g_signal_handlers_disconnect_by_func (dialog, forget_look, NULL);
    g_signal_connect (dialog, "unmap", G_CALLBACK (forget_look), NULL);
    g_timeout_add (LOOK_MS + 1, wake_up, NULL);
  }
  return now - *since >= LOOK_MS * 1000;
}

static gboolean
find_dialog (gpointer data)
{
  GtkWidget **found = data;
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  *found = NULL;
  for (GList *l = windows; l != NULL; l = l->next)
    if (GTK_IS_DIALOG (l->data) && gtk_widget_get_visible (l->data))
      *found = l->data;
  return *found != NULL && (!GTK_IS_FILE_CHOOSER (*found) || was_looked_at (*found));
}

GtkWidget *
dialogs_wait (void)
{
  GtkWidget *dialog;
  stage_wait (find_dialog, &dialog);
  return dialog;
}

void
dialogs_press (GtkWidget *dialog, int response)
{
  GtkWidget *button = gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), response);
  g_assert_true (gtk_widget_is_sensitive (button));
  gtk_button_clicked (GTK_BUTTON (button));
}

void
dialogs_press_destructive (GtkWidget *dialog)
{
  for (int response = 1; response < 9; response++) {
    GtkWidget *button = gtk_dialog_get_widget_for_response (GTK_DIALOG (dialog), response);
    if (button != NULL
        && gtk_style_context_has_class (gtk_widget_get_style_context (button),
                                        GTK_STYLE_CLASS_DESTRUCTIVE_ACTION)) {
      gtk_button_clicked (GTK_BUTTON (button));
      return;
    }
  }
  g_error ("nothing here is destructive");
}

static gboolean
names_file (gpointer data)
{
  gpointer *pair = data;
  g_autofree char *name = gtk_file_chooser_get_filename (pair[0]);
  return g_strcmp0 (name, pair[1]) == 0;
}

char *
dialogs_save_as (Stage *stage, const char *expected, const char *name)
{
  GtkWidget *dialog = dialogs_wait ();
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  g_autofree char *suggested = gtk_file_chooser_get_current_name (chooser);
  g_assert_cmpstr (suggested, ==, expected);
  gtk_file_chooser_set_current_name (chooser, name);
  char *path = g_build_filename (stage->folder, name, NULL);
  gpointer pair[] = { dialog, path };
  stage_wait (names_file, pair);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  return path;
}

char *
dialogs_save_in (const char *folder, const char *expected)
{
  GtkWidget *dialog = dialogs_wait ();
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  g_autofree char *suggested = gtk_file_chooser_get_current_name (chooser);
  g_assert_cmpstr (suggested, ==, expected);
  gtk_file_chooser_set_current_folder (chooser, folder);
  char *path = g_build_filename (folder, expected, NULL);
  gpointer pair[] = { dialog, path };
  stage_wait (names_file, pair);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  return path;
}

void
dialogs_expect (const char *folder, const char *name)
{
  GtkWidget *dialog = dialogs_wait ();
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gpointer pair[] = { dialog, path };
  stage_wait (names_file, pair);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  GtkWidget *before = dialogs_wait ();
  g_assert_false (GTK_IS_FILE_CHOOSER (before));
  dialogs_press (before, GTK_RESPONSE_CANCEL);
}

static gboolean
has_uri (gpointer chooser)
{
  g_autofree char *uri = gtk_file_chooser_get_uri (chooser);
  return uri != NULL && g_str_has_prefix (uri, "resource:");
}

/* GIO's resources are a file system without paths that is there everywhere. As a dialog that saves,
 * GTK's own would refuse it, which one of the desktop need not. */
void
dialogs_save_nowhere (void)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialogs_wait ());
  gtk_file_chooser_set_local_only (chooser, FALSE);
  gtk_file_chooser_set_action (chooser, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);
  gtk_file_chooser_set_current_folder_uri (chooser, "resource:///io/github/fretsaw/Fretsaw");
  stage_wait (has_uri, chooser);
  gtk_dialog_response (GTK_DIALOG (chooser), GTK_RESPONSE_ACCEPT);
}

void
dialogs_choose (const char *path)
{
  GtkWidget *dialog = dialogs_wait ();
  gtk_file_chooser_set_filename (GTK_FILE_CHOOSER (dialog), path);
  gpointer pair[] = { dialog, (gpointer)path };
  stage_wait (names_file, pair);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
}

void
dialogs_wait_for_task (Stage *stage)
{
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  while (!fs_message_bar_has_task (messages))
    g_main_context_iteration (NULL, TRUE);
  while (fs_message_bar_has_task (messages))
    g_main_context_iteration (NULL, TRUE);
}
