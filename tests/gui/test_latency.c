/* SPDX-License-Identifier: MIT */
/* The probe in the window, and a thousand motions a second: for 3 s, SCALE times as long. */
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/canvas/frame_pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED TRUE
#elif defined(__has_feature)
#define IS_SANITIZED (__has_feature (address_sanitizer) || __has_feature (thread_sanitizer))
#else
#define IS_SANITIZED FALSE
#endif

static FsLatencyProbe *
probe_of (Stage *stage)
{
  return fs_canvas_get_probe (stage_canvas (stage));
}

static FsLatencyQuantiles
sum_up (Stage *stage, FsLatencyKind kind)
{
  return fs_latency_probe_sum_up (probe_of (stage), kind);
}

static void
print_all (Stage *stage)
{
  g_autofree char *json = fs_latency_probe_to_json (probe_of (stage));
  g_auto (GStrv) lines = g_strsplit (json, "\n", -1);
  for (int i = 0; lines[i] != NULL; i++)
    if (strchr (lines[i], ':') != NULL)
      g_test_message ("%s", lines[i]);
}

/* What is painted, seen and moved counts, and nothing else does. */
static void
test_probe (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_wait_for_final (stage);
  fs_latency_probe_reset (probe_of (stage));
  stage_move (stage, 300, 200);
  stage_frame (stage);
  g_assert_cmpuint (sum_up (stage, FS_LATENCY_STROKE).n, ==, 0);
  g_assert_cmpuint (sum_up (stage, FS_LATENCY_VIEW).n, ==, 0);

  stage_paint_both (stage);
  FsLatencyQuantiles stroke = sum_up (stage, FS_LATENCY_STROKE);
  FsLatencyQuantiles mask = sum_up (stage, FS_LATENCY_MASK);
  g_assert_cmpuint (stroke.n, >=, 4);
  g_assert_cmpuint (mask.n, >=, 1);
  g_assert_cmpint (stroke.p50_us, >, 0);
  g_assert_cmpint (stroke.p50_us, <=, stroke.p95_us);
  g_assert_cmpint (stroke.p95_us, <=, stroke.p99_us);
  g_assert_cmpint (stroke.p99_us, <=, stroke.max_us);
  g_assert_cmpint (mask.max_us, <, 60 * G_USEC_PER_SEC);
  g_assert_cmpuint (sum_up (stage, FS_LATENCY_MAIN_LOOP).n, >, 10);
  g_assert_cmpuint (sum_up (stage, FS_LATENCY_VIEW).n, ==, 0);

  stage->state = GDK_CONTROL_MASK;
  stage_scroll (stage, GDK_SCROLL_UP, 500, 300);
  stage->state = 0;
  stage_frame (stage);
  g_assert_cmpuint (sum_up (stage, FS_LATENCY_VIEW).n, ==, 1);
  g_autofree char *json = fs_latency_probe_to_json (probe_of (stage));
  g_assert_true (
      g_regex_match_simple ("^{(\n  \"\\w+\": { \"n\": \\d+(, \"\\w+_us\": \\d+){4} },?){4}\n}\n$",
                            json, 0, 0));
}

static gboolean
block (gpointer data)
{
  g_usleep (40000);
  return G_SOURCE_REMOVE;
}

/* A source that takes its time is seen as such. */
static void
test_main_loop (void)
{
  g_autoptr (Stage) stage = stage_new ();
  fs_latency_probe_reset (probe_of (stage));
  g_idle_add (block, NULL);
  stage_frame (stage);
  stage_frame (stage);
  g_assert_cmpint (sum_up (stage, FS_LATENCY_MAIN_LOOP).max_us, >=, 40000);
}

static GdkRectangle
place_of (GtkWidget *widget)
{
  GdkRectangle place;
  gtk_widget_get_allocation (widget, &place);
  gtk_widget_translate_coordinates (widget, gtk_widget_get_toplevel (widget), 0, 0, &place.x,
                                    &place.y);
  return place;
}

static void
find_hint (GtkWidget *widget, gpointer data)
{
  if (g_strcmp0 (gtk_buildable_get_name (GTK_BUILDABLE (widget)), "hint") == 0)
    *(GtkWidget **)data = widget;
}

static gboolean
is_revealed (gpointer widget)
{
  return gtk_widget_get_allocated_height (widget) > 30;
}

/* With a message above and the hint of the first minutes below, in a small window. */
static void
test_readout_is_free (void)
{
  g_autoptr (Stage) stage = stage_new ();
  gtk_window_resize (GTK_WINDOW (stage->window), 800, 600);
  stage_open_scene (stage);
  GtkWidget *label = fs_window_get_latency_label (stage->window), *hint = NULL;
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  stage_type (stage, GDK_KEY_F12, 0);
  fs_message_bar_show (messages, GTK_MESSAGE_WARNING, "A message");
  stage_wait (is_revealed, messages);
  gtk_container_foreach (GTK_CONTAINER (gtk_widget_get_parent (label)), find_hint, &hint);
  g_assert_true (hint != NULL && gtk_widget_get_mapped (hint));
  const GdkRectangle place = place_of (label), below = place_of (hint),
                     above = place_of (GTK_WIDGET (messages));
  g_assert_false (gdk_rectangle_intersect (&place, &above, NULL));
  g_assert_false (gdk_rectangle_intersect (&place, &below, NULL));
}

static void
test_readout (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  GtkWidget *label = fs_window_get_latency_label (stage->window);
  g_assert_false (gtk_widget_get_visible (label));
  stage_paint_both (stage);
  stage_type (stage, GDK_KEY_F12, 0);
  g_assert_true (gtk_widget_get_visible (label));
  g_auto (GStrv) lines = g_strsplit (gtk_label_get_text (GTK_LABEL (label)), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, FS_N_LATENCIES);
  g_assert_nonnull (strstr (lines[0], "ms"));
  stage_type (stage, GDK_KEY_F12, 0);
  g_assert_false (gtk_widget_get_visible (label));
}

/* ---- The pace ---- */

static guint n_works, n_painted;
static gint64 last_work_us;

static void
note_work (GtkWidget *widget)
{
  last_work_us = g_get_monotonic_time ();
  n_works++;
}

static void
note_painted (GtkWidget *widget)
{
  n_painted++;
}

static gboolean
has_worked (gpointer n)
{
  return n_works >= *(guint *)n;
}

static gboolean
note_event (gpointer data)
{
  g_assert_cmpuint (n_works, ==, 0);
  return ++*(int *)data < 5;
}

/* Once for many requests, after the events that wait, and not again before its time. */
static void
test_pace (void)
{
  g_autoptr (Stage) stage = stage_new ();
  g_autoptr (FsFramePace) pace =
      fs_frame_pace_new (GTK_WIDGET (stage->window), note_work, note_painted);
  int n_events = 0;
  g_idle_add_full (GDK_PRIORITY_EVENTS, note_event, &n_events, NULL);
  for (int i = 0; i < 3; i++)
    fs_frame_pace_request (pace);
  guint once = 1, twice = 2;
  stage_wait (has_worked, &once);
  g_assert_cmpint (n_events, ==, 5);
  gint64 first_us = last_work_us;
  fs_frame_pace_request (pace);
  stage_wait (has_worked, &twice);
  g_assert_cmpint (last_work_us - first_us, >=, 3900);
  g_assert_cmpuint (n_works, ==, 2);
  gboolean at_once = !gdk_screen_is_composited (gdk_screen_get_default ());
  g_assert_cmpuint (n_painted, ==, at_once ? 2 : 0);
}

/* ---- A thousand motions a second ---- */

typedef struct {
  Stage *stage;
  GArray *points; /* of FsSample: every motion's place in the photo */
  GArray *ends;   /* of guint: how many of them there were when each stroke ended */
  gint64 start_us, end_us;
  gboolean done;
} Flood;

enum { STROKE_MOTIONS = 700 };

static void
note_point (Flood *flood, double x, double y)
{
  double image_x, image_y;
  fs_view_transform_to_image (fs_canvas_get_transform (stage_canvas (flood->stage)), x, y, &image_x,
                              &image_y);
  FsSample point = { .x = (float)image_x, .y = (float)image_y };
  g_array_append_val (flood->points, point);
}

/* Strokes on the disc and on the ground in turn, each a flower of many turns. */
static void
play_motion (Flood *flood)
{
  guint n = flood->points->len, within = n % STROKE_MOTIONS;
  gboolean object = n / STROKE_MOTIONS % 2 == 0;
  double angle = within * 0.031, radius = 18 + 12 * sin (angle * 3.7), x, y;
  stage_to_widget (flood->stage, (object ? 170 : 40) + radius * cos (angle),
                   (object ? 118 : 195) + radius * sin (angle), &x, &y);
  guint button = object ? GDK_BUTTON_PRIMARY : GDK_BUTTON_SECONDARY;
  note_point (flood, x, y);
  if (within == 0) {
    stage_press (flood->stage, button, x, y);
  } else if (within < STROKE_MOTIONS - 1) {
    stage_move (flood->stage, x, y);
  } else {
    stage_release (flood->stage, button, x, y);
    g_array_append_val (flood->ends, flood->points->len);
  }
}

static gboolean
on_millisecond (gpointer data)
{
  Flood *flood = data;
  gint64 now = g_get_monotonic_time ();
  guint due = (guint)((MIN (now, flood->end_us) - flood->start_us) / 1000);
  while (flood->points->len < due)
    play_motion (flood);
  if (now >= flood->end_us && flood->points->len % STROKE_MOTIONS == 0) {
    flood->done = TRUE;
    return G_SOURCE_REMOVE;
  }
  if (now >= flood->end_us)
    play_motion (flood);
  return G_SOURCE_CONTINUE;
}

static gboolean
is_done (gpointer data)
{
  return ((Flood *)data)->done;
}

/* Every motion is in its stroke, in its order. */
static void
assert_none_lost (Flood *flood)
{
  FsDocument *document = stage_document (flood->stage);
  g_assert_cmpuint (fs_document_get_n_strokes (document), ==, flood->ends->len);
  guint at = 0;
  for (guint i = 0; i < flood->ends->len; i++) {
    const FsStroke *stroke = fs_document_get_stroke (document, i);
    guint end = g_array_index (flood->ends, guint, i);
    for (guint k = 0; k < stroke->samples->len && at < end; k++) {
      const FsSample *sample = &g_array_index (stroke->samples, FsSample, k);
      const FsSample *point = &g_array_index (flood->points, FsSample, at);
      at += sample->x == point->x && sample->y == point->y;
    }
    g_assert_cmpuint (at, ==, end);
  }
}

static double
scale (void)
{
  const char *text = g_getenv ("SCALE");
  double value = text != NULL ? g_ascii_strtod (text, NULL) : 1;
  return value > 0 ? value : 1;
}

static void
test_flood (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_wait_for_final (stage);
  fs_tools_set_brush_size (fs_window_get_tools (stage->window), 8);
  fs_latency_probe_reset (probe_of (stage));
  Flood flood = { .stage = stage };
  flood.points = g_array_new (FALSE, FALSE, sizeof (FsSample));
  flood.ends = g_array_new (FALSE, FALSE, sizeof (guint));
  flood.start_us = g_get_monotonic_time ();
  flood.end_us = flood.start_us + (gint64)(3 * scale () * G_USEC_PER_SEC);
  g_timeout_add (1, on_millisecond, &flood);
  stage_wait (is_done, &flood);
  double seconds = (double)(g_get_monotonic_time () - flood.start_us) / 1e6;
  g_test_message ("%u motions in %.1f s", flood.points->len, seconds);
  print_all (stage);
  FsLatencyQuantiles loop = sum_up (stage, FS_LATENCY_MAIN_LOOP);
  stage_wait_for_final (stage);
  assert_none_lost (&flood);
  stage_assert_fresh (stage);
  /* That a handler falls behind would show as a main loop that does nothing else. */
  if (!IS_SANITIZED)
    g_assert_cmpint (loop.p99_us, <=, 33000);
  g_array_unref (flood.points);
  g_array_unref (flood.ends);
}

/* ---- A photo of 12 megapixels ---- */

static char *
shared_photo (void)
{
  const char *shared = g_getenv ("FRETSAW_SHARED"), *source = g_getenv ("FRETSAW_SOURCE");
  if (shared != NULL)
    return g_build_filename (shared, "data", "photos", "large", "bus-12mp.jpg", NULL);
  return g_build_filename (source != NULL ? source : ".", "..", "shared", "data", "photos", "large",
                           "bus-12mp.jpg", NULL);
}

static void
print_and_reset (Stage *stage, const char *what)
{
  g_test_message ("12 MP: %s", what);
  print_all (stage);
  fs_latency_probe_reset (probe_of (stage));
}

static void
look_about (Stage *stage)
{
  for (int i = 0; i < 16; i++) {
    stage->state = i % 2 == 0 ? GDK_CONTROL_MASK : 0;
    stage_scroll (stage, i < 8 ? GDK_SCROLL_UP : GDK_SCROLL_DOWN, 400 + 10 * i, 300);
    stage_frame (stage);
  }
  stage->state = 0;
  stage_press (stage, GDK_BUTTON_MIDDLE, 500, 300);
  for (int i = 0; i < 30; i++) {
    stage_move (stage, 500 + 7 * i, 300 + 3 * i);
    stage_frame (stage);
  }
  stage_release (stage, GDK_BUTTON_MIDDLE, 710, 390);
}

static void
draw_around (Stage *stage)
{
  stage_type (stage, GDK_KEY_l, 0);
  for (int i = 0; i <= 60; i++) {
    double x, y, angle = 2 * G_PI * i / 61;
    stage_to_widget (stage, 2000 + 1500 * cos (angle), 1400 + 900 * sin (angle), &x, &y);
    if (i == 0)
      stage_press (stage, GDK_BUTTON_PRIMARY, x, y);
    else
      stage_move (stage, x, y);
    if (i % 4 == 0)
      stage_frame (stage);
    if (i == 60)
      stage_release (stage, GDK_BUTTON_PRIMARY, x, y);
  }
  stage_type (stage, GDK_KEY_b, 0);
}

/* For people to read: a machine that does other things, too, proves nothing. */
static void
test_large_photo (void)
{
  g_autofree char *path = shared_photo ();
  if (IS_SANITIZED || !g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_skip ("the photo of 12 megapixels is not here, or times would say nothing");
    return;
  }
  g_autoptr (Stage) stage = stage_new ();
  stage_open (stage, path);
  stage_wait_for_final (stage);
  print_and_reset (stage, "opened");
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 300, 1600, 500, 1750, 24);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 500, 400, 3600, 500, 24);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 1000, 2700, 3500, 2750, 24);
  stage_frame (stage);
  print_and_reset (stage, "strokes");
  look_about (stage);
  print_and_reset (stage, "zoomed and moved");
  fs_canvas_zoom_fit (stage_canvas (stage));
  draw_around (stage);
  stage_frame (stage);
  print_and_reset (stage, "lasso");
  fs_document_undo (stage_document (stage));
  stage_frame (stage);
  print_and_reset (stage, "undone");
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 3);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/latency/probe", test_probe);
  g_test_add_func ("/latency/main-loop", test_main_loop);
  g_test_add_func ("/latency/readout", test_readout);
  g_test_add_func ("/latency/readout-is-free", test_readout_is_free);
  g_test_add_func ("/latency/pace", test_pace);
  g_test_add_func ("/latency/flood", test_flood);
  g_test_add_func ("/latency/large-photo", test_large_photo);
  return g_test_run ();
}
