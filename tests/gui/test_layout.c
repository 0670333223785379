/* SPDX-License-Identifier: MIT */
/* Layout of the window in all sizes: messages, side panel and hints do not cover each other. */
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/status/hint.h"
#include "ui/window/side_panel.h"

static const char long_message[] =
    "A message of many words, as those are that say what has happened and what one can do about "
    "it now, so that it takes all of the width that there is for it and perhaps several lines.";

typedef struct {
  GType type;
  GtkWidget *found;
} Search;

static void
look_at (GtkWidget *widget, gpointer data)
{
  Search *search = data;
  const gboolean is_hidden =
      GTK_IS_INFO_BAR (widget) && !gtk_info_bar_get_revealed (GTK_INFO_BAR (widget));
  if (g_type_is_a (G_OBJECT_TYPE (widget), search->type) && gtk_widget_get_mapped (widget)
      && !is_hidden)
    search->found = widget;
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), look_at, search);
}

/* The last visible one of that type in there. */
static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  Search search = { .type = type };
  look_at (widget, &search);
  g_assert_nonnull (search.found);
  return search.found;
}

static GdkRectangle
place_of (Stage *stage, GtkWidget *widget)
{
  GdkRectangle place = { 0, 0, gtk_widget_get_allocated_width (widget),
                         gtk_widget_get_allocated_height (widget) };
  g_assert_true (gtk_widget_translate_coordinates (widget, GTK_WIDGET (stage->window), 0, 0,
                                                   &place.x, &place.y));
  return place;
}

static void
resize (Stage *stage, int width, int height)
{
  gtk_window_resize (GTK_WINDOW (stage->window), width, height);
  for (int i = 0; i < 4; i++)
    stage_frame (stage);
}

/* Until it has slid in. */
static gboolean
is_still (gpointer data)
{
  Stage *stage = data;
  GtkWidget *bars = GTK_WIDGET (fs_window_get_messages (stage->window));
  int height;
  gtk_widget_get_preferred_height (find_widget (bars, GTK_TYPE_INFO_BAR), &height, NULL);
  return gtk_widget_get_allocated_height (bars) >= height
         && gtk_revealer_get_child_revealed (
             GTK_REVEALER (fs_window_get_side_panel (stage->window)));
}

static void
assert_apart (Stage *stage, int width, int height)
{
  resize (stage, width, height);
  fs_message_bar_show (fs_window_get_messages (stage->window), GTK_MESSAGE_WARNING, long_message);
  stage_wait (is_still, stage);
  stage_pause (400);
  GtkWidget *bars = GTK_WIDGET (fs_window_get_messages (stage->window));
  GtkWidget *label = find_widget (bars, GTK_TYPE_LABEL);
  const GdkRectangle panel = place_of (stage, fs_window_get_side_panel (stage->window));
  const GdkRectangle bar = place_of (stage, bars);
  const GdkRectangle canvas = place_of (stage, GTK_WIDGET (stage_canvas (stage)));
  g_assert_false (gdk_rectangle_intersect (&panel, &bar, NULL));
  g_assert_cmpint (bar.x, >=, 0);
  g_assert_cmpint (bar.x + bar.width, <=,
                   gtk_widget_get_allocated_width (GTK_WIDGET (stage->window)));
  /* All lines of the message are seen. */
  int needed;
  gtk_widget_get_preferred_height_for_width (label, gtk_widget_get_allocated_width (label), &needed,
                                             NULL);
  g_assert_cmpint (gtk_widget_get_allocated_height (label), >=, needed);
  /* A good part of the photo, also where the panel is over it. */
  g_assert_cmpint (MIN (panel.x, canvas.x + canvas.width) - canvas.x, >=, 200);
  fs_message_bar_clear (fs_window_get_messages (stage->window));
  stage_pause (400);
  stage_frame (stage);
  g_assert_cmpint (place_of (stage, fs_window_get_side_panel (stage->window)).y, ==, canvas.y);
}

static void
test_bars_and_panel (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_type (stage, GDK_KEY_F9, 0);
  assert_apart (stage, 1400, 800);
  assert_apart (stage, 1, 1);
  assert_apart (stage, 860, 700);
  assert_apart (stage, 1100, 700);
}

static gboolean
has_no_message (gpointer messages)
{
  return fs_message_bar_get_text (messages) == NULL;
}

/* A key that does nothing is answered without the tick of a success, and the answer goes. */
static void
test_nothing_done (void)
{
  g_autoptr (Stage) stage = stage_new ();
  g_autofree char *path = scene_write (stage->folder, "1.png");
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  stage_open (stage, path);
  fs_message_bar_set_news_seconds (messages, 1);
  stage_activate (stage, "next-photo");
  while (fs_message_bar_get_text (messages) == NULL)
    g_main_context_iteration (NULL, TRUE);
  GtkWidget *bar = find_widget (GTK_WIDGET (messages), GTK_TYPE_INFO_BAR);
  g_assert_cmpint (gtk_info_bar_get_message_type (GTK_INFO_BAR (bar)), ==, GTK_MESSAGE_OTHER);
  stage_wait (has_no_message, messages);
}

static void
test_hint (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  GtkWidget *hint = find_widget (GTK_WIDGET (stage->window), FS_TYPE_HINT);
  const int widths[] = { 1300, 1, 700, 1300 };
  int height = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (widths); i++) {
    resize (stage, widths[i], 700);
    const GdkRectangle canvas = place_of (stage, GTK_WIDGET (stage_canvas (stage)));
    const GdkRectangle place = place_of (stage, hint);
    g_assert_cmpint (place.x, >=, canvas.x);
    g_assert_cmpint (place.x + place.width, <=, canvas.x + canvas.width);
    if (i == 0)
      height = place.height;
    if (i == 1)
      g_assert_cmpint (place.height, >, height);
    if (i == 3)
      g_assert_cmpint (place.height, ==, height);
  }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout/bars-and-panel", test_bars_and_panel);
  g_test_add_func ("/layout/nothing-done", test_nothing_done);
  g_test_add_func ("/layout/hint", test_hint);
  return g_test_run ();
}
