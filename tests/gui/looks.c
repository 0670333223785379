/* SPDX-License-Identifier: MIT */
/* The window in other clothes, as it stands on the screen: themes, dialogs, right to left.
 *   tests/gui/on_screen.sh build/tests/gui/looks OUTPUT_FOLDER [SUFFIX]
 * LANGUAGE chooses the language; GDK_SCALE=2 gives them at twice the size; SUFFIX is added to every
 * name.
 */
#include "tests/gui/stage.h"

#include <glib/gstdio.h>
#include <libintl.h>

typedef struct {
  const char *folder;
  const char *suffix;
} Album;

/* What is on the screen where the stage's window and the windows above it are. */
static void
save (Stage *stage, const Album *album, const char *name)
{
  stage_frame (stage);
  stage_frame (stage);
  GdkWindow *root = gdk_get_default_root_window ();
  GdkRectangle frame;
  gdk_window_get_frame_extents (gtk_widget_get_window (GTK_WIDGET (stage->window)), &frame);
  g_autoptr (GdkPixbuf) shot =
      gdk_pixbuf_get_from_window (root, frame.x, frame.y, frame.width, frame.height);
  g_autoptr (GError) error = NULL;
  g_autofree char *file = g_strdup_printf ("%s%s.png", name, album->suffix);
  g_autofree char *path = g_build_filename (album->folder, file, NULL);
  gdk_pixbuf_save (shot, path, "png", &error, NULL);
  g_assert_no_error (error);
  g_print ("%s\n", path);
}

static gboolean
has_other_window (gpointer data)
{
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();
  for (GList *l = toplevels; l != NULL; l = l->next)
    if (l->data != ((Stage *)data)->window && gtk_widget_get_mapped (l->data))
      return TRUE;
  return FALSE;
}

static void
close_other_windows (Stage *stage)
{
  GList *toplevels = gtk_window_list_toplevels ();
  g_list_foreach (toplevels, (GFunc)(void (*) (void))g_object_ref, NULL);
  for (GList *l = toplevels; l != NULL; l = l->next)
    if (l->data != stage->window && gtk_widget_get_mapped (l->data)) {
      if (GTK_IS_DIALOG (l->data))
        gtk_dialog_response (l->data, GTK_RESPONSE_CANCEL);
      else
        gtk_window_close (l->data);
    }
  g_list_free_full (toplevels, g_object_unref);
  stage_frame (stage);
}

static void
save_dialog (Stage *stage, const Album *album, gpointer group, const char *action)
{
  g_action_group_activate_action (group, action, NULL);
  stage_wait (has_other_window, stage);
  save (stage, album, action);
  close_other_windows (stage);
}

static void
save_popovers (GtkWidget *widget, gpointer data)
{
  gpointer *both = data;
  if (GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget)
      && gtk_widget_is_sensitive (widget)) {
    g_autofree char *name = g_strdup_printf ("popover-%d", ++*(int *)both[2]);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (widget), TRUE);
    save (both[0], both[1], name);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (widget), FALSE);
    stage_frame (both[0]);
  }
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), save_popovers, data);
}

static void
play (const Album *album, const char *sample, gboolean everything)
{
  g_autoptr (Stage) stage = stage_new ();
  gtk_window_move (GTK_WINDOW (stage->window), 0, 0);
  save (stage, album, "empty");
  stage_open (stage, sample);
  save (stage, album, "opened");
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 560, 300, 900, 620, 12);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 90, 120, 1300, 100, 12);
  stage_settle (stage);
  save (stage, album, "painted");
  if (!everything)
    return;
  int n = 0;
  gpointer both[] = { stage, (gpointer)album, &n };
  save_popovers (GTK_WIDGET (stage->window), both);
  save_dialog (stage, album, stage->application, "about");
  save_dialog (stage, album, stage->application, "shortcuts");
  save_dialog (stage, album, stage->window, "export");
  save_dialog (stage, album, stage->window, "close");
}

static void
play_theme (const char *folder, const char *sample, const char *theme, gboolean dark)
{
  g_autofree char *suffix = g_strdup_printf ("-%s%s", theme, dark ? "-dark" : "");
  Album album = { .folder = folder, .suffix = suffix };
  g_object_set (gtk_settings_get_default (), "gtk-theme-name", theme,
                "gtk-application-prefer-dark-theme", dark, NULL);
  play (&album, sample, FALSE);
}

int
main (int argc, char **argv)
{
  if (argc < 2) {
    g_printerr ("usage: looks OUTPUT_FOLDER [SUFFIX]\n");
    return 2;
  }
  g_unsetenv ("GTK_THEME");
  g_autofree char *catalogues = g_build_filename (g_getenv ("FRETSAW_BUILD"), "po", NULL);
  bindtextdomain ("fretsaw", catalogues);
  bind_textdomain_codeset ("fretsaw", "UTF-8");
  textdomain ("fretsaw");
  gtk_init (NULL, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", NULL);
  g_autofree char *sample =
      g_build_filename (g_getenv ("FRETSAW_SOURCE"), "data", "sample", "sample.jpg", NULL);
  g_mkdir_with_parents (argv[1], 0755);
  Album album = { .folder = argv[1], .suffix = argc > 2 ? argv[2] : "" };
  play (&album, sample, TRUE);
  if (argc > 2)
    return 0;
  play_theme (argv[1], sample, "Adwaita", FALSE);
  play_theme (argv[1], sample, "HighContrast", FALSE);
  play_theme (argv[1], sample, "HighContrastInverse", FALSE);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  album.suffix = "-rtl";
  play (&album, sample, FALSE);
  return 0;
}
