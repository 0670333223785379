/* SPDX-License-Identifier: MIT */
#include "ui/open/open_files.h"

void
fs_open_files (GtkWindow *from, GFile *const *files, guint n)
{
  GVariantBuilder uris;
  g_variant_builder_init (&uris, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < n; i++)
    g_variant_builder_add_value (&uris, g_variant_new_take_string (g_file_get_uri (files[i])));
  guint id = gtk_application_window_get_id (GTK_APPLICATION_WINDOW (from));
  g_action_group_activate_action (G_ACTION_GROUP (gtk_window_get_application (from)),
                                  FS_OPEN_FILES_NAME,
                                  g_variant_new (FS_OPEN_FILES_TYPE, id, &uris));
}
