/* SPDX-License-Identifier: MIT */
/* What somebody sees who starts the program for the first time: sample, hints, shortcuts. */
#include "tests/gui/dialogs.h"
#include "ui/settings/preferences.h"
#include "ui/status/hint.h"

#include <string.h>

typedef struct {
  const char *text;
  GtkWidget *found;
} Search;

static void
search (GtkWidget *widget, gpointer data)
{
  Search *wanted = data;
  if (GTK_IS_LABEL (widget) && gtk_widget_is_visible (widget)
      && strstr (gtk_label_get_text (GTK_LABEL (widget)), wanted->text) != NULL)
    wanted->found = widget;
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), search, wanted);
}

/* A visible label with that text, anywhere in the window. */
static GtkWidget *
find_label (Stage *stage, const char *text)
{
  Search wanted = { .text = text };
  search (GTK_WIDGET (stage->window), &wanted);
  return wanted.found;
}

static gboolean
hint_is_shown (Stage *stage)
{
  GtkWidget *hint = GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, "hint"));
  return gtk_revealer_get_reveal_child (GTK_REVEALER (hint));
}

static gboolean
has_photo (gpointer data)
{
  return stage_document (data) != NULL;
}

static void
test_sample (void)
{
  g_autoptr (Stage) stage = stage_new ();
  GtkWidget *label = find_label (stage, "Sample");
  g_assert_nonnull (label);
  gtk_button_clicked (GTK_BUTTON (gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON)));
  stage_wait (has_photo, stage);
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (stage->window)), ==, "sample.jpg");
}

static void
test_no_sample (void)
{
  if (g_test_subprocess ()) {
    g_setenv ("FRETSAW_DATA_DIR", "/nowhere", TRUE);
    g_autoptr (Stage) stage = stage_new ();
    g_assert_null (find_label (stage, "Sample"));
    g_assert_nonnull (find_label (stage, "Open a photo"));
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static void
test_hints (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  g_assert_true (hint_is_shown (stage));
  g_assert_nonnull (find_label (stage, "Left button"));
  g_assert_nonnull (find_label (stage, "Right button: paint"));

  stage_stroke (stage, GDK_BUTTON_PRIMARY, 140, 90, 200, 140, 12);
  g_assert_true (hint_is_shown (stage));
  g_assert_null (find_label (stage, "Left button"));
  g_assert_nonnull (find_label (stage, "Right button: paint"));
  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_nonnull (find_label (stage, "Left button"));

  stage_paint_both (stage);
  g_assert_false (hint_is_shown (stage));
  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_false (hint_is_shown (stage));
}

/* The right button can be told to do something else. */
static void
test_hint_of_button (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  g_assert_nonnull (find_label (stage, "Right button: paint"));
  g_object_set (fs_window_get_tools (stage->window), "right-button", FS_RIGHT_BUTTON_MOVE, NULL);
  g_assert_null (find_label (stage, "Right button: paint"));
  g_assert_nonnull (find_label (stage, "Background brush (N)"));
}

static void
draw_lasso (Stage *stage)
{
  static const double corners[][2] = { { 80, 20 }, { 260, 20 }, { 260, 215 }, { 80, 215 } };
  double x, y;
  fs_tools_set_tool (fs_window_get_tools (stage->window), FS_TOOL_LASSO);
  for (gsize i = 0; i < G_N_ELEMENTS (corners); i++) {
    stage_to_widget (stage, corners[i][0], corners[i][1], &x, &y);
    if (i == 0)
      stage_press (stage, GDK_BUTTON_PRIMARY, x, y);
    else
      stage_move (stage, x, y);
    stage_frame (stage);
  }
  stage_release (stage, GDK_BUTTON_PRIMARY, x, y);
  stage_wait_for_final (stage);
}

static gboolean
all_is_read (gpointer data)
{
  Stage *stage = data;
  return !hint_is_shown (stage)
         && fs_message_bar_get_text (fs_window_get_messages (stage->window)) == NULL;
}

/* The left button would draw another one. The last hint and good news leave by themselves, while
 * what went wrong stays. */
static void
test_hint_after_lasso (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  stage_open_scene (stage);
  draw_lasso (stage);
  g_assert_null (find_label (stage, "Left button"));
  g_assert_nonnull (find_label (stage, "Object brush (B)"));
  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
  g_assert_nonnull (find_label (stage, "Left button"));
  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  g_assert_nonnull (find_label (stage, "Object brush (B)"));

  fs_message_bar_set_news_seconds (messages, 1);
  fs_message_bar_show (messages, GTK_MESSAGE_INFO, "Saved");
  stage_wait (all_is_read, stage);
  fs_message_bar_show (messages, GTK_MESSAGE_INFO, "Saved");
  fs_message_bar_show (messages, GTK_MESSAGE_ERROR, "Not saved");
  stage_pause (2500);
  g_assert_cmpstr (fs_message_bar_get_text (messages), ==, "Not saved");
}

/* A message does not move what one is painting on. */
static void
test_message_moves_nothing (void)
{
  g_autoptr (Stage) stage = stage_new ();
  GtkAllocation before, after;
  stage_open_scene (stage);
  gtk_widget_get_allocation (GTK_WIDGET (stage_canvas (stage)), &before);
  fs_message_bar_show (fs_window_get_messages (stage->window), GTK_MESSAGE_ERROR, "Not saved");
  stage_frame (stage);
  g_assert_nonnull (find_label (stage, "Not saved"));
  gtk_widget_get_allocation (GTK_WIDGET (stage_canvas (stage)), &after);
  g_assert_true (gdk_rectangle_equal (&before, &after));
}

/* A photo is begun where its marks can be seen, whatever the last one was looked at in. */
static void
test_begin_in_overlay (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsTools *tools = fs_window_get_tools (stage->window);
  stage_open_scene (stage);
  fs_tools_set_view (tools, FS_VIEW_CUTOUT);
  stage_open_scene (stage);
  g_assert_cmpint (fs_tools_get_view (tools), ==, FS_VIEW_OVERLAY);
  fs_tools_set_view (tools, FS_VIEW_CONTOUR);
  stage_open_scene (stage);
  g_assert_cmpint (fs_tools_get_view (tools), ==, FS_VIEW_CONTOUR);
}

/* Energy and time are for those who measure. */
static void
test_figures_on_demand (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_assert_nonnull (find_label (stage, "exact"));
  g_assert_null (find_label (stage, "energy"));
  stage_activate (stage, "latency");
  g_assert_nonnull (find_label (stage, "energy"));
  stage_activate (stage, "latency");
  g_assert_null (find_label (stage, "energy"));
}

/* The next photo is looked for beside the last one. */
static void
test_open_begins_beside (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  const char *photo = fs_project_get_photo_path (fs_window_get_project (stage->window));
  g_autofree char *expected = g_path_get_dirname (photo);
  g_action_group_activate_action (G_ACTION_GROUP (stage->application), "open", NULL);
  GtkWidget *dialog = dialogs_wait ();
  g_autofree char *folder = gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (dialog));
  g_assert_cmpstr (folder, ==, expected);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
}

/* Whoever has painted a few photos knows. */
static void
test_hints_end (void)
{
  g_autoptr (Stage) stage = stage_new ();
  g_assert_true (fs_preferences_has ("hints-left"));
  for (int left = g_settings_get_int (fs_preferences_get (), "hints-left"); left > 0; left--) {
    stage_open_scene (stage);
    g_assert_true (hint_is_shown (stage));
    stage_paint_both (stage);
    g_assert_cmpint (g_settings_get_int (fs_preferences_get (), "hints-left"), ==, left - 1);
  }
  stage_open_scene (stage);
  g_assert_false (hint_is_shown (stage));
}

static char *
normal (const char *accelerator)
{
  guint key;
  GdkModifierType modifiers;
  gtk_accelerator_parse (accelerator, &key, &modifiers);
  return gtk_accelerator_name (key, modifiers);
}

/* "a", or "1...9": all of them. */
static void
list_keys (GHashTable *listed, const char *keys)
{
  if (strlen (keys) != strlen ("1...9") || strncmp (keys + 1, "...", 3) != 0) {
    g_hash_table_add (listed, normal (keys));
    return;
  }
  for (char key = keys[0]; key <= keys[4]; key++)
    g_hash_table_add (listed, normal ((const char[]){ key, '\0' }));
}

/* The accelerators that the window of shortcuts lists. */
static GHashTable *
listed_accelerators (void)
{
  GHashTable *listed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GBytes) page = g_resources_lookup_data ("/io/github/fretsaw/Fretsaw/shortcuts.ui",
                                                     G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autoptr (GRegex) regex = g_regex_new ("accelerator\">([^<]+)<", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_regex_match (regex, g_bytes_get_data (page, NULL), 0, &match);
  for (; g_match_info_matches (match); g_match_info_next (match, NULL)) {
    g_autofree char *text = g_match_info_fetch (match, 1);
    GString *plain = g_string_new (text);
    g_string_replace (plain, "&lt;", "<", 0);
    g_string_replace (plain, "&gt;", ">", 0);
    g_auto (GStrv) several = g_strsplit (plain->str, " ", -1);
    g_string_free (plain, TRUE);
    for (char **one = several; *one != NULL; one++)
      list_keys (listed, *one);
  }
  return listed;
}

/* Every key that does something in the window is told, with the first of its accelerators. */
static void
test_shortcuts (void)
{
  g_autoptr (Stage) stage = stage_new ();
  GtkApplication *application = GTK_APPLICATION (stage->application);
  g_autoptr (GHashTable) listed = listed_accelerators ();
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);
  g_assert_cmpuint (g_strv_length (actions), >, 10);
  guint n_missing = 0;
  for (char **action = actions; *action != NULL; action++) {
    g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, *action);
    g_autofree char *first = accels[0] != NULL ? normal (accels[0]) : NULL;
    if (first != NULL && !g_hash_table_contains (listed, first)) {
      n_missing++;
      g_test_message ("%s of %s is not listed", first, *action);
    }
  }
  g_assert_cmpuint (n_missing, ==, 0);
}

static void
note_answer (FsAnswer answer, gpointer data)
{
}

static gboolean
is_revealed (gpointer messages)
{
  return gtk_widget_get_allocated_height (messages) > 30;
}

static void
find_bottom (GtkWidget *bar, gpointer bottom)
{
  GtkWidget *canvas = GTK_WIDGET (fs_window_get_canvas (FS_WINDOW (gtk_widget_get_toplevel (bar))));
  int y;
  gtk_widget_translate_coordinates (bar, canvas, 0, gtk_widget_get_allocated_height (bar), NULL,
                                    &y);
  *(int *)bottom = MAX (*(int *)bottom, y);
}

/* Its label wraps in a small window, and asks for more height than it takes. The hint is there,
 * too. */
static void
test_paint_below_a_question (void)
{
  g_autoptr (Stage) stage = stage_new ();
  gtk_window_resize (GTK_WINDOW (stage->window), 800, 600);
  stage_open_scene (stage);
  GtkWidget *canvas = GTK_WIDGET (stage_canvas (stage));
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  fs_message_bar_ask (messages, "Fretsaw ended before your work was saved: 2 strokes can be had.",
                      "_Recover", "_Discard", note_answer, NULL);
  stage_wait (is_revealed, messages);
  stage_frame (stage);
  int x = gtk_widget_get_allocated_width (canvas) / 2, bottom = 0;
  gtk_container_foreach (GTK_CONTAINER (messages), find_bottom, &bottom);
  g_assert_true (stage_widget_under_pointer (canvas, x, bottom - 12) != canvas);
  for (int y = bottom + 4; y < gtk_widget_get_allocated_height (canvas); y += 20)
    g_assert_true (stage_widget_under_pointer (canvas, x, y) == canvas);
}

static void
note_accepted (FsAnswer answer, gpointer accepted)
{
  *(gboolean *)accepted = answer == FS_ANSWER_ACCEPT;
}

static gboolean
has_full_height (gpointer bar)
{
  return gtk_widget_get_allocated_height (bar) > 30;
}

/* The offer to recover is there when the file that was to be opened at the start cannot be: its
 * buttons are in reach of the pointer under the other bar. */
static void
test_answer_below_an_error (void)
{
  gboolean accepted = FALSE; /* told to the end of the stage */
  for (int with_photo = 0; with_photo < 2; with_photo++) {
    g_autoptr (Stage) stage = stage_new ();
    FsMessageBar *messages = fs_window_get_messages (stage->window);
    if (with_photo)
      stage_open_scene (stage);
    fs_message_bar_ask (messages, "Fretsaw ended before your work was saved: 2 strokes can be had.",
                        "_Recover", "_Discard", note_accepted, &accepted);
    fs_message_bar_show (messages, GTK_MESSAGE_ERROR, "broken.jpg: is not a photo");
    GtkWidget *accept =
        GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (messages), FS_TYPE_MESSAGE_BAR,
                                                   "question_accept"));
    GtkWidget *error = GTK_WIDGET (
        gtk_widget_get_template_child (GTK_WIDGET (messages), FS_TYPE_MESSAGE_BAR, "message"));
    stage_wait (has_full_height, error);
    stage_wait (has_full_height, gtk_widget_get_ancestor (accept, GTK_TYPE_INFO_BAR));
    stage_pause (400);
    stage_frame (stage);
    GtkWidget *window = GTK_WIDGET (stage->window);
    int x, y;
    gtk_widget_translate_coordinates (accept, window, gtk_widget_get_allocated_width (accept) / 2,
                                      gtk_widget_get_allocated_height (accept) / 2, &x, &y);
    g_assert_true (stage_widget_under_pointer (window, x, y) == accept);
  }
  g_assert_false (accepted);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/first-minutes/sample", test_sample);
  g_test_add_func ("/first-minutes/no-sample", test_no_sample);
  g_test_add_func ("/first-minutes/hints", test_hints);
  g_test_add_func ("/first-minutes/hint-of-button", test_hint_of_button);
  g_test_add_func ("/first-minutes/hint-after-lasso", test_hint_after_lasso);
  g_test_add_func ("/first-minutes/answer-below-an-error", test_answer_below_an_error);
  g_test_add_func ("/first-minutes/message-moves-nothing", test_message_moves_nothing);
  g_test_add_func ("/first-minutes/begin-in-overlay", test_begin_in_overlay);
  g_test_add_func ("/first-minutes/figures-on-demand", test_figures_on_demand);
  g_test_add_func ("/first-minutes/open-begins-beside", test_open_begins_beside);
  g_test_add_func ("/first-minutes/hints-end", test_hints_end);
  g_test_add_func ("/first-minutes/shortcuts", test_shortcuts);
  g_test_add_func ("/first-minutes/paint-below-a-question", test_paint_below_a_question);
  return g_test_run ();
}
