/* SPDX-License-Identifier: MIT */
#include "ui/file_filters.h"

#include <glib/gi18n.h>

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
