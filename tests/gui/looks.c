/* SPDX-License-Identifier: MIT */
/* The window in other clothes, as it stands on the screen: themes, dialogs, right to left.
 *   tests/gui/on_screen.sh build/tests/gui/looks OUTPUT_FOLDER [SUFFIX]
 *   tests/gui/on_screen.sh build/tests/gui/looks --dialogs OUTPUT_FOLDER
 * The second gives the pictures of the documentation that show more than the window alone.
 * LANGUAGE chooses the language; GDK_SCALE=2 gives them at twice the size; SUFFIX is added to every
 * name.
 */
#include "tests/gui/dialogs.h"
#include "tests/gui/sample_strokes.h"
#include "ui/window/recovery.h"

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

/* Where a window manager would put a window that is no dialog. */
static void
centre_other_windows (Stage *stage)
{
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();
  int width, height, inner_width, inner_height;
  gtk_window_get_size (GTK_WINDOW (stage->window), &width, &height);
  for (GList *l = toplevels; l != NULL; l = l->next) {
    if (l->data == stage->window || GTK_IS_DIALOG (l->data) || !gtk_widget_get_mapped (l->data))
      continue;
    gtk_window_get_size (l->data, &inner_width, &inner_height);
    gtk_window_move (l->data, (width - inner_width) / 2, (height - inner_height) / 2);
  }
}

static void
save_dialog (Stage *stage, const Album *album, gpointer group, const char *action)
{
  g_action_group_activate_action (group, action, NULL);
  stage_wait (has_other_window, stage);
  stage_frame (stage);
  stage_frame (stage);
  centre_other_windows (stage);
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
  stage_wait_for_final (stage);
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

/* ---- For the documentation ---- */

static gboolean
is_destroyed (gpointer window)
{
  return *(gpointer *)window == NULL;
}

/* As a crash leaves it. */
static void
drop_window (Stage *stage)
{
  gtk_widget_destroy (GTK_WIDGET (stage->window));
  stage_wait (is_destroyed, &stage->window);
}

static Stage *
show_window (int width, int height)
{
  Stage *stage = stage_new ();
  gtk_window_move (GTK_WINDOW (stage->window), 0, 0);
  gtk_window_resize (GTK_WINDOW (stage->window), width, height);
  stage_frame (stage);
  return stage;
}

static char *
copy_sample (Stage *stage, const char *sample)
{
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  g_autoptr (GError) error = NULL;
  char *photo = g_build_filename (stage->folder, "robin.jpg", NULL);
  g_file_get_contents (sample, &bytes, &n_bytes, &error);
  g_assert_no_error (error);
  g_file_set_contents (photo, bytes, (gssize)n_bytes, &error);
  g_assert_no_error (error);
  return photo;
}

/* Leaves work that is not saved, and whose photo is gone. */
static void
shoot_dialogs (const Album *album, const char *sample)
{
  g_autoptr (Stage) stage = show_window (1180, 820);
  g_autofree char *photo = copy_sample (stage, sample);
  stage_open (stage, photo);
  sample_strokes_play (stage);
  save_dialog (stage, album, stage->window, "export");
  save_dialog (stage, album, stage->application, "shortcuts");
  save_dialog (stage, album, stage->window, "close");
  g_action_group_activate_action (G_ACTION_GROUP (stage->window), "export", NULL);
  dialogs_press (dialogs_wait (), GTK_RESPONSE_ACCEPT);
  g_free (dialogs_save_as (stage, "robin-cutout.png", "robin-cutout.png"));
  dialogs_wait_for_task (stage);
  save (stage, album, "saved");
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 1400, 100, 1500, 120, 4);
  stage_wait_for_final (stage);
  drop_window (stage);
}

static void
shoot_recovery (const Album *album)
{
  g_autoptr (Stage) stage = show_window (1180, 820);
  g_object_set_data (G_OBJECT (stage->application), "fs-recovery", NULL);
  fs_recovery_offer (GTK_APPLICATION (stage->application), stage->window);
  save (stage, album, "recovery");
  GtkInfoBar *question = GTK_INFO_BAR (
      gtk_widget_get_template_child (GTK_WIDGET (fs_window_get_messages (stage->window)),
                                     FS_TYPE_MESSAGE_BAR, "question"));
  gtk_info_bar_response (question, GTK_RESPONSE_ACCEPT);
  GtkWidget *dialog = dialogs_wait ();
  save (stage, album, "missing-photo");
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
}

static void
shoot_right_to_left (const Album *album, const char *photo)
{
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  g_autoptr (Stage) stage = show_window (1180, 820);
  stage_open (stage, photo);
  sample_strokes_play (stage);
  stage_activate (stage, "side-panel");
  save (stage, album, "right-to-left");
  fs_project_discard (fs_window_get_project (stage->window));
}

static void
shoot_for_docs (const Album *album, const char *sample)
{
  g_object_set (gtk_settings_get_default (), "gtk-theme-name", "Adwaita",
                "gtk-application-prefer-dark-theme", TRUE, NULL);
  shoot_dialogs (album, sample);
  shoot_recovery (album);
  shoot_right_to_left (album, sample);
}

int
main (int argc, char **argv)
{
  gboolean docs = argc == 3 && g_str_equal (argv[1], "--dialogs");
  if (argc < 2) {
    g_printerr ("usage: looks OUTPUT_FOLDER [SUFFIX], or looks --dialogs OUTPUT_FOLDER\n");
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
  Album album = { .folder = docs ? argv[2] : argv[1], .suffix = argc > 2 && !docs ? argv[2] : "" };
  g_mkdir_with_parents (album.folder, 0755);
  if (docs) {
    shoot_for_docs (&album, sample);
    return 0;
  }
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
