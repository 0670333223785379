/* SPDX-License-Identifier: MIT */
#include "ui/file_filters.h"

#include "app/display_name.h"
#include <glib/gi18n.h>
#include <string.h>

static const char *const photos[] = { "*.[jJ][pP][gG]", "*.[jJ][pP][eE][gG]", "*.[pP][nN][gG]",
                                      "*.[bB][mM][pP]", NULL };
static const char *const sessions[] = { "*.fretsaw", NULL };
static const char *const all[] = { "*", NULL };

static void
add (GtkFileChooser *chooser, const char *name, const char *const *patterns,
     const char *const *more)
{
  GtkFileFilter *filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, name);
  for (; *patterns != NULL; patterns++)
    gtk_file_filter_add_pattern (filter, *patterns);
  for (; more != NULL && *more != NULL; more++)
    gtk_file_filter_add_pattern (filter, *more);
  gtk_file_chooser_add_filter (chooser, filter);
}

void
fs_file_filters_add_photos (GtkFileChooser *chooser)
{
  add (chooser, _ ("Photos"), photos, NULL);
  add (chooser, _ ("All files"), all, NULL);
}

void
fs_file_filters_add_sessions (GtkFileChooser *chooser)
{
  add (chooser, _ ("Fretsaw sessions"), sessions, NULL);
  add (chooser, _ ("All files"), all, NULL);
}

void
fs_file_filters_add_openable (GtkFileChooser *chooser)
{
  add (chooser, _ ("Photos and sessions"), photos, sessions);
  add (chooser, _ ("Photos"), photos, NULL);
  fs_file_filters_add_sessions (chooser);
}

static gboolean
has_suffix (const char *path, const char *suffix)
{
  gsize n = strlen (path), n_suffix = strlen (suffix);
  return n > n_suffix && g_ascii_strcasecmp (path + n - n_suffix, suffix) == 0;
}

char *
fs_file_filters_take_path (GtkFileChooserNative *native, const char *suffix)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (native);
  g_autofree char *path = gtk_file_chooser_get_filename (chooser);
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (native));
  if (path == NULL || has_suffix (path, suffix))
    return g_steal_pointer (&path);
  g_autofree char *full = g_strconcat (path, suffix, NULL);
  if (!g_file_test (full, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&full);
  g_autofree char *shown = fs_display_name (full);
  g_autofree char *name = g_path_get_basename (shown);
  gtk_file_chooser_set_current_name (chooser, name);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
  return NULL;
}
