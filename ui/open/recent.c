/* SPDX-License-Identifier: MIT */
#include "ui/open/recent.h"

#include "app/files/display_name.h"
#include "app/session/pasted.h"
#include "ui/open/open_job.h"
#include <glib/gi18n.h>

#define N_SHOWN 10

void
fs_recent_add (const char *path)
{
  /* A pasted image is deleted with its window. */
  if (fs_pasted_is (path))
    return;
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *uri = g_filename_to_uri (absolute, NULL, NULL);
  g_autofree char *command = g_strconcat (g_get_prgname (), " %f", NULL);
  g_autofree char *guessed = g_content_type_guess (absolute, NULL, 0, NULL);
  g_autofree char *mime = g_content_type_get_mime_type (guessed);
  gboolean is_session = fs_open_job_is_session (absolute);
  GtkRecentData data = {
    .mime_type = is_session || mime == NULL ? (char *)"application/x-fretsaw" : mime,
    .app_name = (char *)g_get_application_name (),
    .app_exec = command,
    .is_private = FALSE,
  };
  if (uri != NULL && data.app_name != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static int
compare_newest_first (gconstpointer a, gconstpointer b)
{
  time_t time_a = gtk_recent_info_get_modified ((GtkRecentInfo *)a);
  time_t time_b = gtk_recent_info_get_modified ((GtkRecentInfo *)b);
  return time_a < time_b ? 1 : time_a > time_b ? -1 : 0;
}

static gboolean
is_shown (GtkRecentInfo *info)
{
  return gtk_recent_info_has_application (info, g_get_application_name ())
         && gtk_recent_info_is_local (info) && gtk_recent_info_exists (info);
}

static void
append_recent (GMenu *menu, GtkRecentInfo *info)
{
  g_autofree char *uri = g_strdup (gtk_recent_info_get_uri (info));
  g_autofree char *path = gtk_recent_info_get_uri_display (info);
  g_autofree char *shown = fs_display_name (path != NULL ? path : uri);
  g_autofree char *base = g_path_get_basename (shown);
  /* An underscore in a name is not a mnemonic. */
  g_auto (GStrv) parts = g_strsplit (base, "_", -1);
  g_autofree char *label = g_strjoinv ("__", parts);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target (item, "app.open-recent", "s", uri);
  g_menu_append_item (menu, item);
}

void
fs_recent_fill (GMenu *menu)
{
  GList *infos = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  int n = 0;
  g_menu_remove_all (menu);
  infos = g_list_sort (infos, compare_newest_first);
  for (GList *l = infos; l != NULL && n < N_SHOWN; l = l->next)
    if (is_shown (l->data)) {
      append_recent (menu, l->data);
      n++;
    }
  if (n == 0)
    g_menu_append (menu, _ ("No files yet"), "app.none");
  g_list_free_full (infos, (GDestroyNotify)gtk_recent_info_unref);
}
