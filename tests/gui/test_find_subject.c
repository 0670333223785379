/* SPDX-License-Identifier: MIT */
/* Find Subject by key, button and setting, with finders of every temper. */
#include "app/finder/finder_settings.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/canvas/guess_tint.h"
#include "ui/open/subject_button.h"
#include "ui/open/subject_flow.h"
#include "ui/settings/finder_panel.h"
#include "ui/settings/preferences.h"
#include "ui/status/hint.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

/* ---- Finders ---- */

static char *
path_in (Stage *stage, const char *name)
{
  return g_build_filename (stage->folder, name, NULL);
}

/* The disc of scene.h, moved by some pixels of the photo, at a fourth of its size; without radius
 * all of it is background. */
static void
write_guess (Stage *stage, int radius, int moved)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = path_in (stage, "guess.png");
  g_autoptr (GdkPixbuf) pixbuf =
      gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, SCENE_WIDTH / 4, SCENE_HEIGHT / 4);
  for (int y = 0; y < SCENE_HEIGHT / 4; y++)
    for (int x = 0; x < SCENE_WIDTH / 4; x++) {
      int dx = 4 * x + 2 - 170 - moved, dy = 4 * y + 2 - 118;
      memset (gdk_pixbuf_get_pixels (pixbuf) + y * gdk_pixbuf_get_rowstride (pixbuf) + 3 * x,
              dx * dx + dy * dy < radius * radius ? 250 : 5, 3);
    }
  gdk_pixbuf_save (pixbuf, path, "png", &error, NULL);
  g_assert_no_error (error);
}

/* Shell lines, run in the stage's folder with $1 the photo and $2 where the guess goes. */
static void
set_finder (Stage *stage, const char *name, const char *lines)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = path_in (stage, name);
  g_autofree char *script =
      g_strdup_printf ("#!/bin/sh\ncd '%s' || exit 1\n%s\n", stage->folder, lines);
  g_file_set_contents (path, script, -1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_chmod (path, 0700), ==, 0);
  g_autofree char *command = g_strdup_printf ("'%s' {photo} {mask}", path);
  FsFinderSettings settings = { .command = command, .time_limit_s = 60 };
  fs_finder_settings_save (&settings, &error);
  g_assert_no_error (error);
}

static void
set_none (void)
{
  g_autofree char *path = fs_finder_settings_path ();
  g_unlink (path);
}

#define WRITE_PID "echo $$ > pid.part; /bin/mv pid.part pid\n"
#define WAIT      "while [ ! -e go ]; do /bin/sleep 0.02; done\n"
#define ANSWER    "/bin/cp guess.png \"$2\"\n"

static void
let_go (Stage *stage)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = path_in (stage, "go");
  g_file_set_contents (path, "", 0, &error);
  g_assert_no_error (error);
}

static gboolean
has_pid (gpointer stage)
{
  g_autofree char *path = path_in (stage, "pid");
  g_usleep (1000);
  g_main_context_wakeup (NULL);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* The process that a finder of WRITE_PID is, once it runs. */
static pid_t
wait_for_child (Stage *stage)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = path_in (stage, "pid");
  g_autofree char *text = NULL;
  stage_wait (has_pid, stage);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return (pid_t)g_ascii_strtoll (text, NULL, 10);
}

static gboolean
is_gone (gpointer pid)
{
  g_usleep (1000);
  g_main_context_wakeup (NULL);
  return kill (*(pid_t *)pid, 0) < 0 && errno == ESRCH;
}

/* ---- The window ---- */

static gboolean
is_enabled (Stage *stage, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), action);
}

static gboolean
is_over (gpointer stage)
{
  return !fs_subject_flow_is_running (fs_window_get_subject_flow (((Stage *)stage)->window));
}

static gboolean
has_message (gpointer stage)
{
  return fs_message_bar_get_text (fs_window_get_messages (((Stage *)stage)->window)) != NULL;
}

static FsGuess *
guess_of (Stage *stage)
{
  return fs_document_get_guess (stage_document (stage));
}

static gboolean
has_mask (Stage *stage)
{
  return fs_document_get_status (stage_document (stage)).has_mask;
}

/* Pixels of the mask that are not those of the disc. */
static int
count_wrong (Stage *stage)
{
  const uint8_t *mask = fs_document_get_mask (stage_document (stage));
  int n_wrong = 0;
  for (int y = 0; y < SCENE_HEIGHT; y++)
    for (int x = 0; x < SCENE_WIDTH; x++) {
      int dx = x - 170, dy = y - 118;
      n_wrong += (dx * dx + dy * dy < 70 * 70) != mask[y * SCENE_WIDTH + x];
    }
  return n_wrong;
}

static GtkWidget *
child_of_window (Stage *stage, const char *name)
{
  return GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, name));
}

static GtkWidget *
child_of_line (Stage *stage, const char *name)
{
  return GTK_WIDGET (gtk_widget_get_template_child (child_of_window (stage, "status_line"),
                                                    FS_TYPE_STATUS_LINE, name));
}

static GtkWidget *
line_of_hint (Stage *stage, const char *name)
{
  return GTK_WIDGET (
      gtk_widget_get_template_child (child_of_window (stage, "hint"), FS_TYPE_HINT, name));
}

static void
look_for_panel (GtkWidget *widget, gpointer found)
{
  if (FS_IS_FINDER_PANEL (widget))
    *(GtkWidget **)found = widget;
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), look_for_panel, found);
}

static gpointer
child_of_panel (Stage *stage, const char *name)
{
  GtkWidget *panel = NULL;
  look_for_panel (GTK_WIDGET (stage->window), &panel);
  g_assert_nonnull (panel);
  return gtk_widget_get_template_child (panel, FS_TYPE_FINDER_PANEL, name);
}

/* What the canvas shows at a point of the photo. */
static guint32
shown_at (Stage *stage, double image_x, double image_y)
{
  double x, y;
  stage_to_widget (stage, image_x, image_y, &x, &y);
  cairo_surface_t *shot = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
  guint32 pixel = stage_pixel (shot, (int)x, (int)y);
  cairo_surface_destroy (shot);
  return pixel;
}

/* ---- Until the mask is there ---- */

static guint32
tinted_at (FsGuessTint *tint, FsView view, int x, int y)
{
  FsViewStyle style = { .view = view, .overlay_rgb = 0x0000ff, .overlay_percent = 100 };
  FsViewTransform transform;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 120, 60);
  cairo_t *cr = cairo_create (surface);
  fs_view_transform_init (&transform, 400, 400, 120, 60, 1);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  fs_guess_tint_draw (tint, cr, &transform, style);
  cairo_destroy (cr);
  guint32 pixel = stage_pixel (surface, x, y);
  cairo_surface_destroy (surface);
  return pixel;
}

/* The left half is object; the photo lies from 30 to 90, in the middle of the view. */
static void
test_tint (void)
{
  static uint16_t plane[2050 * 4];
  for (int i = 0; i < 2050 * 4; i++)
    plane[i] = i % 2050 < 1025 ? G_MAXUINT16 : 0;
  g_autoptr (FsGuess) guess = fs_guess_new (plane, 2050, 4, 4000, 4000);
  g_autoptr (FsGuessTint) tint = fs_guess_tint_new (guess);
  static const FsView views[] = { FS_VIEW_OVERLAY, FS_VIEW_CONTOUR };
  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    g_assert_cmphex (tinted_at (tint, views[i], 20, 30), ==, 0xffffff);
    g_assert_cmphex (tinted_at (tint, views[i], 45, 30), ==, 0xffffff);
    g_assert_cmphex (tinted_at (tint, views[i], 75, 30), ==, 0x6666ff);
    g_assert_cmphex (tinted_at (tint, views[i], 89, 59), ==, 0x6666ff);
    g_assert_cmphex (tinted_at (tint, views[i], 100, 30), ==, 0xffffff);
  }
  g_assert_cmphex (tinted_at (tint, FS_VIEW_CUTOUT, 75, 30), ==, 0xffffff);
  g_assert_cmphex (tinted_at (tint, FS_VIEW_ORIGINAL, 75, 30), ==, 0xffffff);
}

/* ---- Finding ---- */

/* One edit: the mask follows it, undo takes it back, and so does one key. */
static void
test_found (void)
{
  g_autoptr (Stage) stage = stage_new ();
  write_guess (stage, 66, 0);
  set_finder (stage, "finder", ANSWER);
  g_assert_false (is_enabled (stage, "find-subject"));
  stage_open_scene (stage);
  g_assert_true (is_enabled (stage, "find-subject"));
  g_assert_false (is_enabled (stage, "dismiss-guess"));

  guint32 bare = shown_at (stage, 20, 20);
  gtk_button_clicked (GTK_BUTTON (child_of_window (stage, "subject_button")));
  g_assert_false (is_enabled (stage, "find-subject"));
  g_assert_true (is_enabled (stage, "cancel-finding"));
  stage_wait (is_over, stage);
  stage_wait_for_final (stage);
  g_assert_nonnull (guess_of (stage));
  g_assert_cmpstr (fs_document_get_guess_name (stage_document (stage)), ==, "finder");
  g_assert_true (fs_document_get_status (stage_document (stage)).exact);
  g_assert_cmpint (count_wrong (stage), <, 300);
  g_assert_cmphex (shown_at (stage, 20, 20), !=, bare);
  g_autoptr (GBytes) mask = stage_mask (stage);

  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
  stage_wait_for_final (stage);
  g_assert_null (guess_of (stage));
  g_assert_false (has_mask (stage));
  g_assert_cmphex (shown_at (stage, 20, 20), ==, bare);
  stage_activate (stage, "redo");
  stage_wait_for_final (stage);
  g_autoptr (GBytes) again = stage_mask (stage);
  g_assert_true (g_bytes_equal (mask, again));

  g_assert_true (is_enabled (stage, "dismiss-guess"));
  stage_type (stage, GDK_KEY_d, 0);
  stage_wait_for_final (stage);
  g_assert_null (guess_of (stage));
  g_assert_false (has_mask (stage));
  g_assert_false (is_enabled (stage, "dismiss-guess"));
  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
  stage_wait_for_final (stage);
  g_assert_nonnull (guess_of (stage));
}

/* What is known is not looked for again. */
static void
test_found_again (void)
{
  g_autoptr (Stage) stage = stage_new ();
  write_guess (stage, 66, 0);
  set_finder (stage, "finder", "echo run >> runs\n" ANSWER);
  for (int i = 0; i < 2; i++) {
    stage_open_scene (stage);
    stage_type (stage, GDK_KEY_g, 0);
    stage_wait (is_over, stage);
    g_assert_nonnull (guess_of (stage));
    stage_wait_for_final (stage);
    fs_project_discard (fs_window_get_project (stage->window));
  }
  g_autofree char *path = path_in (stage, "runs");
  g_autofree char *runs = NULL;
  g_assert_true (g_file_get_contents (path, &runs, NULL, NULL));
  g_assert_cmpstr (runs, ==, "run\n");
}

/* Strokes of before, and one that is being painted when the guess comes, which waits for it. */
static void
test_strokes_meanwhile (void)
{
  g_autoptr (Stage) stage = stage_new ();
  double x, y;
  write_guess (stage, 66, 0);
  set_finder (stage, "finder", WAIT ANSWER);
  stage_open_scene (stage);
  stage_type (stage, GDK_KEY_g, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 190, 130, 8);
  g_assert_false (is_over (stage));
  g_assert_true (gtk_widget_is_visible (child_of_line (stage, "finding_box")));
  g_assert_false (gtk_widget_get_visible (line_of_hint (stage, "find")));

  stage_to_widget (stage, 20, 20, &x, &y);
  stage_press (stage, GDK_BUTTON_SECONDARY, x, y);
  stage_move (stage, x + 40, y);
  stage_frame (stage);
  let_go (stage);
  stage_pause (600);
  g_assert_null (guess_of (stage));
  g_assert_false (is_over (stage));
  stage_move (stage, x + 80, y);
  stage_frame (stage);
  stage_release (stage, GDK_BUTTON_SECONDARY, x + 80, y);
  stage_wait (is_over, stage);
  g_assert_nonnull (guess_of (stage));
  g_assert_false (gtk_widget_is_visible (child_of_line (stage, "finding_box")));
  stage_wait_for_final (stage);
  g_assert_cmpint (count_wrong (stage), <, 300);

  /* In turn: the guess, then the two strokes. */
  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_null (guess_of (stage));
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 2);
}

/* In views of the result it would be seen anyway; marks alone show nothing of it. */
static void
test_view (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsTools *tools = fs_window_get_tools (stage->window);
  write_guess (stage, 66, 0);
  set_finder (stage, "finder", ANSWER);
  stage_open_scene (stage);
  fs_tools_set_view (tools, FS_VIEW_MARKS);
  stage_type (stage, GDK_KEY_g, 0);
  stage_wait (is_over, stage);
  g_assert_cmpint (fs_tools_get_view (tools), ==, FS_VIEW_OVERLAY);
  fs_tools_set_view (tools, FS_VIEW_CUTOUT);
  stage_activate (stage, "dismiss-guess");
  stage_type (stage, GDK_KEY_g, 0);
  stage_wait (is_over, stage);
  g_assert_cmpint (fs_tools_get_view (tools), ==, FS_VIEW_CUTOUT);
}

/* Before anything is there, how to begin without a stroke; then what to do with the guess. */
static void
test_hints (void)
{
  g_autoptr (Stage) stage = stage_new ();
  write_guess (stage, 66, 0);
  set_none ();
  stage_open_scene (stage);
  g_assert_false (gtk_widget_get_visible (line_of_hint (stage, "find")));
  set_finder (stage, "finder", ANSWER);
  stage_open_scene (stage);
  g_assert_true (gtk_widget_get_visible (line_of_hint (stage, "find")));
  g_assert_false (gtk_widget_get_visible (line_of_hint (stage, "dismiss")));
  stage_type (stage, GDK_KEY_g, 0);
  stage_wait (is_over, stage);
  g_assert_false (gtk_widget_get_visible (line_of_hint (stage, "find")));
  g_assert_true (gtk_widget_get_visible (line_of_hint (stage, "dismiss")));
  g_assert_true (gtk_widget_get_visible (line_of_hint (stage, "to_correct")));
  g_assert_false (gtk_widget_get_visible (line_of_hint (stage, "by_left")));
  stage_type (stage, GDK_KEY_d, 0);
  g_assert_true (gtk_widget_get_visible (line_of_hint (stage, "by_left")));
}

/* ---- Failing ---- */

static void
test_failure (void)
{
  g_autoptr (Stage) stage = stage_new ();
  set_finder (stage, "sulker", "echo loading >&2\necho 'the model is missing' >&2\nexit 3");
  stage_open_scene (stage);
  stage_type (stage, GDK_KEY_g, 0);
  stage_wait (is_over, stage);
  const char *text = fs_message_bar_get_text (fs_window_get_messages (stage->window));
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "sulker"));
  g_assert_nonnull (strstr (text, "3"));
  g_assert_nonnull (strstr (text, "the model is missing"));
  g_assert_null (guess_of (stage));
  g_assert_false (fs_document_can_undo (stage_document (stage)));
  g_assert_true (is_enabled (stage, "find-subject"));
  g_assert_false (is_enabled (stage, "cancel-finding"));
}

/* A guess of nothing would leave nothing of the photo. */
static void
test_nothing_found (void)
{
  g_autoptr (Stage) stage = stage_new ();
  write_guess (stage, 0, 0);
  set_finder (stage, "blind", ANSWER);
  stage_open_scene (stage);
  stage_type (stage, GDK_KEY_g, 0);
  stage_wait (is_over, stage);
  g_assert_true (has_message (stage));
  g_assert_null (guess_of (stage));
}

static void
test_cancel (void)
{
  g_autoptr (Stage) stage = stage_new ();
  write_guess (stage, 66, 0);
  set_finder (stage, "finder", WRITE_PID WAIT ANSWER);
  stage_open_scene (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 190, 130, 8);
  stage_type (stage, GDK_KEY_g, 0);
  pid_t child = wait_for_child (stage);
  g_assert_cmpint (kill (child, 0), ==, 0);
  stage_activate (stage, "cancel-finding");
  g_assert_true (is_over (stage));
  stage_wait (is_gone, &child);
  let_go (stage);
  stage_pause (200);
  g_assert_null (guess_of (stage));
  g_assert_false (has_message (stage));
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 1);
  g_assert_true (is_enabled (stage, "find-subject"));
}

/* What was found for one photo does not come to the next one. */
static void
test_other_photo (void)
{
  g_autoptr (Stage) stage = stage_new ();
  write_guess (stage, 66, 0);
  set_finder (stage, "finder", WRITE_PID WAIT ANSWER);
  stage_open_scene (stage);
  stage_type (stage, GDK_KEY_g, 0);
  pid_t child = wait_for_child (stage);
  g_autofree char *other = scene_write (stage->folder, "other.png");
  stage_open (stage, other);
  g_assert_true (is_over (stage));
  stage_wait (is_gone, &child);
  let_go (stage);
  stage_pause (200);
  g_assert_null (guess_of (stage));
  g_assert_true (is_enabled (stage, "find-subject"));
}

static void
test_closed_window (void)
{
  g_autoptr (Stage) stage = stage_new ();
  write_guess (stage, 66, 0);
  set_finder (stage, "finder", WRITE_PID WAIT ANSWER);
  stage_open_scene (stage);
  stage_type (stage, GDK_KEY_g, 0);
  pid_t child = wait_for_child (stage);
  gtk_widget_destroy (GTK_WIDGET (stage->window));
  stage->window = NULL;
  stage_wait (is_gone, &child);
}

/* ---- Setting up ---- */

static gboolean
has_focus (gpointer widget)
{
  return gtk_widget_has_focus (widget)
         || (GTK_IS_CONTAINER (widget) && gtk_container_get_focus_child (widget) != NULL);
}

static void
test_no_finder (void)
{
  g_autoptr (Stage) stage = stage_new ();
  set_none ();
  stage_open_scene (stage);
  FsSubjectButton *button = FS_SUBJECT_BUTTON (child_of_window (stage, "subject_button"));
  g_assert_null (fs_subject_button_get_explanation (button));
  stage_type (stage, GDK_KEY_g, 0);
  const char *text = fs_subject_button_get_explanation (button);
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "rembg"));
  g_assert_nonnull (strstr (text, "fretsaw/models"));
  g_assert_true (is_over (stage));
  g_assert_false (has_message (stage));
  GtkWidget *settings = gtk_window_get_focus (GTK_WINDOW (stage->window));
  g_assert_true (GTK_IS_BUTTON (settings));
  gtk_button_clicked (GTK_BUTTON (settings));
  g_assert_null (fs_subject_button_get_explanation (button));
  stage_wait (has_focus, child_of_panel (stage, "finder"));
  stage_activate (stage, "side-panel");
}

static gboolean
is_on (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

static void
assert_saved (const char *command, int time_limit_s)
{
  g_auto (FsFinderSettings) settings = { 0 };
  fs_finder_settings_load (&settings);
  g_assert_cmpstr (settings.command, ==, command);
  g_assert_cmpint (settings.time_limit_s, ==, time_limit_s);
}

/* A command of one's own, which is kept as soon as it can be one. */
static void
test_settings (void)
{
  g_autoptr (Stage) stage = stage_new ();
  set_none ();
  stage_open_scene (stage);
  stage_activate (stage, "side-panel");
  GtkComboBox *finder = child_of_panel (stage, "finder");
  GtkEntry *command = child_of_panel (stage, "command");
  GtkWidget *fault = child_of_panel (stage, "fault");
  stage_wait (is_on, finder);
  g_assert_cmpstr (gtk_combo_box_get_active_id (finder), ==, "automatic");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (command)));

  gtk_combo_box_set_active_id (finder, "own");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (command)));
  gtk_entry_set_text (command, "finder --of {photo}");
  g_assert_true (gtk_widget_get_visible (fault));
  g_signal_emit_by_name (command, "activate");
  assert_saved (NULL, FS_FINDER_TIME_LIMIT_S);
  gtk_entry_set_text (command, " finder --of {photo} --to {mask}");
  g_assert_false (gtk_widget_get_visible (fault));
  g_signal_emit_by_name (command, "activate");
  assert_saved ("finder --of {photo} --to {mask}", FS_FINDER_TIME_LIMIT_S);
  gtk_adjustment_set_value (child_of_panel (stage, "time_limit"), 7);
  assert_saved ("finder --of {photo} --to {mask}", 7);

  /* Letters and digits are keys of the window, but not while one types. */
  gtk_entry_set_text (command, "");
  gtk_widget_grab_focus (GTK_WIDGET (command));
  for (const char *c = "gdbfs12"; *c != 0; c++)
    stage_type (stage, (guint)*c, 0);
  g_assert_cmpstr (gtk_entry_get_text (command), ==, "gdbfs12");
  g_assert_true (is_over (stage));
  gtk_entry_set_text (command, "finder --of {photo} --to {mask}");
  stage_type (stage, GDK_KEY_Return, 0);
  g_assert_false (gtk_widget_has_focus (GTK_WIDGET (command)));

  /* There again when it is looked at again. */
  stage_activate (stage, "side-panel");
  gtk_entry_set_text (command, "");
  stage_activate (stage, "side-panel");
  stage_wait (is_on, finder);
  g_assert_cmpstr (gtk_entry_get_text (command), ==, "finder --of {photo} --to {mask}");
  gtk_combo_box_set_active_id (finder, "automatic");
  assert_saved (NULL, 7);
  set_none ();
}

static void
test_on_opening (void)
{
  g_autoptr (Stage) stage = stage_new ();
  write_guess (stage, 66, 0);
  set_finder (stage, "finder", ANSWER);
  g_assert_true (fs_preferences_has (FS_FIND_ON_OPENING_KEY));
  g_settings_set_boolean (fs_preferences_get (), FS_FIND_ON_OPENING_KEY, TRUE);
  stage_open_scene (stage);
  stage_wait (is_over, stage);
  g_assert_nonnull (guess_of (stage));
  stage_wait_for_final (stage);
  g_assert_cmpint (count_wrong (stage), <, 300);
  fs_project_discard (fs_window_get_project (stage->window));

  /* A finder that has gone is asked for. */
  set_none ();
  stage_open_scene (stage);
  g_assert_true (is_over (stage));
  g_assert_nonnull (fs_subject_button_get_explanation (
      FS_SUBJECT_BUTTON (child_of_window (stage, "subject_button"))));
  set_finder (stage, "finder", ANSWER);
  g_settings_reset (fs_preferences_get (), FS_FIND_ON_OPENING_KEY);
  stage_open_scene (stage);
  g_assert_true (is_over (stage));
  g_assert_null (guess_of (stage));
}

int
main (int argc, char **argv)
{
  /* No finder that happens to be installed. */
  g_setenv ("PATH", "/nowhere", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/find-subject/tint", test_tint);
  g_test_add_func ("/find-subject/found", test_found);
  g_test_add_func ("/find-subject/found-again", test_found_again);
  g_test_add_func ("/find-subject/strokes-meanwhile", test_strokes_meanwhile);
  g_test_add_func ("/find-subject/view", test_view);
  g_test_add_func ("/find-subject/hints", test_hints);
  g_test_add_func ("/find-subject/failure", test_failure);
  g_test_add_func ("/find-subject/nothing-found", test_nothing_found);
  g_test_add_func ("/find-subject/cancel", test_cancel);
  g_test_add_func ("/find-subject/other-photo", test_other_photo);
  g_test_add_func ("/find-subject/closed-window", test_closed_window);
  g_test_add_func ("/find-subject/no-finder", test_no_finder);
  g_test_add_func ("/find-subject/settings", test_settings);
  g_test_add_func ("/find-subject/on-opening", test_on_opening);
  return g_test_run ();
}
