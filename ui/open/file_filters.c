/* SPDX-License-Identifier: MIT */
#include "ui/open/file_filters.h"

#include "app/files/display_name.h"
#include "app/photo/photo.h"
#include <glib/gi18n.h>
#include <string.h>

/* A pattern for names that end with `suffix`, in any case: "*.[jJ][pP][gG]". */
static void
add_suffix (GtkFileFilter *filter, const char *suffix)
{
  g_autoptr (GString) pattern = g_string_new ("*.");
  for (; *suffix != '\0'; suffix++)
    g_string_append_printf (pattern, "[%c%c]", *suffix, g_ascii_toupper (*suffix));
  gtk_file_filter_add_pattern (filter, pattern->str);
}

static void
add_filter (GtkFileChooser *chooser, const char *name, gboolean photos, const char *pattern)
{
  GtkFileFilter *filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, name);
  for (const char *const *suffix = fs_photo_get_suffixes (); photos && *suffix != NULL; suffix++)
    add_suffix (filter, *suffix);
  if (pattern != NULL)
    gtk_file_filter_add_pattern (filter, pattern);
  gtk_file_chooser_add_filter (chooser, filter);
}

void
fs_file_filters_add_photos (GtkFileChooser *chooser)
{
  add_filter (chooser, _ ("Photos"), TRUE, NULL);
  add_filter (chooser, _ ("All files"), FALSE, "*");
}

void
fs_file_filters_add_masks (GtkFileChooser *chooser)
{
  static const char *const patterns[] = { "*.json", "*.txt", "*.yaml", "*.yml", "*.xml" };
  GtkFileFilter *filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, _ ("Masks and labels"));
  for (const char *const *suffix = fs_photo_get_suffixes (); *suffix != NULL; suffix++)
    add_suffix (filter, *suffix);
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    gtk_file_filter_add_pattern (filter, patterns[i]);
  gtk_file_chooser_add_filter (chooser, filter);
  add_filter (chooser, _ ("All files"), FALSE, "*");
}

void
fs_file_filters_add_sessions (GtkFileChooser *chooser)
{
  add_filter (chooser, _ ("Fretsaw sessions"), FALSE, "*.fretsaw");
  add_filter (chooser, _ ("All files"), FALSE, "*");
}

void
fs_file_filters_add_openable (GtkFileChooser *chooser)
{
  add_filter (chooser, _ ("Photos and sessions"), TRUE, "*.fretsaw");
  add_filter (chooser, _ ("Photos"), TRUE, NULL);
  fs_file_filters_add_sessions (chooser);
}

/* The path with `suffix` once. Dialogs select a suggested name without its suffix, so that a name
 * typed with one has it twice. */
static char *
end_in (const char *path, const char *suffix)
{
  g_autofree char *twice = g_strconcat (suffix, suffix, NULL);
  if (!fs_name_has_ending (path, suffix))
    return g_strconcat (path, suffix, NULL);
  const gboolean has_twice =
      fs_name_has_ending (path, twice) && !g_file_test (path, G_FILE_TEST_EXISTS);
  return g_strndup (path, strlen (path) - (has_twice ? strlen (suffix) : 0));
}

void
fs_file_filters_ask (GtkFileChooserNative *chooser, GCallback on_response, gpointer object)
{
  gtk_file_chooser_set_do_overwrite_confirmation (GTK_FILE_CHOOSER (chooser), TRUE);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect_object (chooser, "response", on_response, object, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

char *
fs_file_filters_get_path (GtkFileChooserNative *native, GError **error)
{
  char *path = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (native));
  if (path == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 _ ("The chosen place is not on this computer. Choose a folder here."));
  return path;
}

gboolean
fs_file_filters_take_path (GtkFileChooserNative *native, const char *suffix, char **taken,
                           GError **error)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (native);
  g_autofree char *path = fs_file_filters_get_path (native, error);
  *taken = NULL;
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (native));
  if (path == NULL)
    return FALSE;
  g_autofree char *full = end_in (path, suffix);
  if (g_str_equal (full, path) || !g_file_test (full, G_FILE_TEST_EXISTS)) {
    *taken = g_steal_pointer (&full);
    return TRUE;
  }
  g_autofree char *shown = fs_display_name (full);
  g_autofree char *name = g_path_get_basename (shown);
  gtk_file_chooser_set_current_name (chooser, name);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
  return TRUE;
}
