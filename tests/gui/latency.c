/* SPDX-License-Identifier: MIT */
/* How long the eye waits, at three sizes of photo in a window of 1920×1080; `./dev shot --latency`
 * runs it:
 *   tests/gui/on_screen.sh build-release/tests/gui/latency OUTPUT.json [MEGAPIXELS…]
 * The sample is scaled to each size (2.5, 12 and 24 where none is given), the 20 strokes of its
 * session are played in their own time, then the photo is zoomed and moved about. What the window's
 * own probe (ui/canvas/latency_probe.h) says of each goes into the file.
 */
#include "app/session/session.h"
#include "tests/gui/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH    1920
#define HEIGHT   1080
#define PAUSE_MS 250  /* longest within a stroke: nothing is learnt from waiting */
#define REST_MS  2000 /* longest between two strokes: one sees where to paint next */
#define STEP_MS  8    /* between two events that zoom or move */

/* ---- Waiting ---- */

static void
pause_until (gint64 due_us)
{
  gint64 left_us = due_us - g_get_monotonic_time ();
  if (left_us > 0)
    stage_pause ((guint)((left_us + 500) / 1000));
}

static void
rest (Stage *stage)
{
  for (int ms = 0; ms < REST_MS && !fs_document_get_status (stage_document (stage)).is_final;
       ms += 20)
    stage_pause (20);
}

/* ---- The photo and its strokes ---- */

static char *
sample_file (const char *name)
{
  const char *source = g_getenv ("FRETSAW_SOURCE");
  return g_build_filename (source != NULL ? source : ".", "data", name, NULL);
}

/* A JPEG of about so many megapixels. Returns how much larger than the sample it is. */
static double
write_photo (const char *path, double megapixels)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *sample = sample_file ("sample/sample.jpg");
  g_autoptr (GdkPixbuf) small = gdk_pixbuf_new_from_file (sample, &error);
  g_assert_no_error (error);
  double width = gdk_pixbuf_get_width (small), height = gdk_pixbuf_get_height (small);
  double factor = sqrt (megapixels * 1e6 / (width * height));
  g_autoptr (GdkPixbuf) large =
      gdk_pixbuf_scale_simple (small, (int)lround (width * factor), (int)lround (height * factor),
                               GDK_INTERP_BILINEAR);
  gdk_pixbuf_save (large, path, "jpeg", &error, "quality", "92", NULL);
  g_assert_no_error (error);
  return factor;
}

static guint
button_for (uint8_t label)
{
  return label == FS_SEED_BACKGROUND ? GDK_BUTTON_SECONDARY : GDK_BUTTON_PRIMARY;
}

static void
play_stroke (Stage *stage, const FsStroke *stroke, double factor)
{
  const FsViewTransform *t = fs_canvas_get_transform (stage_canvas (stage));
  FsTools *tools = fs_window_get_tools (stage->window);
  gint64 due_us = g_get_monotonic_time ();
  double x = 0, y = 0;
  fs_tools_set_brush_size (tools, (int)lround (2 * stroke->radius_px * factor * t->zoom));
  fs_tools_set_tool (tools, stroke->label == FS_SEED_NONE ? FS_TOOL_ERASER : FS_TOOL_OBJECT);
  for (guint i = 0; i < stroke->samples->len; i++) {
    const FsSample *sample = &g_array_index (stroke->samples, FsSample, i);
    if (i > 0)
      due_us += 1000 * (gint64)MIN (sample->time_ms - sample[-1].time_ms, PAUSE_MS);
    pause_until (due_us);
    stage_to_widget (stage, sample->x * factor, sample->y * factor, &x, &y);
    if (i == 0)
      stage_press (stage, button_for (stroke->label), x, y);
    else
      stage_move (stage, x, y);
  }
  stage_release (stage, button_for (stroke->label), x, y);
  rest (stage);
}

/* Zooms in and out at the pointer and drags the photo in circles. */
static void
look_about (Stage *stage)
{
  for (int i = 0; i < 120; i++) {
    stage->state = GDK_CONTROL_MASK;
    stage_scroll (stage, i % 24 < 12 ? GDK_SCROLL_UP : GDK_SCROLL_DOWN, 600 + 5 * i, 500);
    stage->state = 0;
    stage_pause (2 * STEP_MS);
  }
  fs_canvas_zoom_original (stage_canvas (stage));
  stage_press (stage, GDK_BUTTON_MIDDLE, 900, 500);
  for (int i = 0; i < 300; i++) {
    stage_move (stage, 900 + 300 * sin (i * 0.06), 500 + 200 * cos (i * 0.05));
    stage_pause (STEP_MS);
  }
  stage_release (stage, GDK_BUTTON_MIDDLE, 900, 500);
}

/* ---- What came of it ---- */

static char *
take_quantiles (Stage *stage)
{
  FsLatencyProbe *probe = fs_canvas_get_probe (stage_canvas (stage));
  char *json = fs_latency_probe_to_json (probe);
  fs_latency_probe_reset (probe);
  return g_strchomp (json);
}

static char *
measure (const FsSession *session, double megapixels)
{
  g_autoptr (Stage) stage = stage_new ();
  g_autofree char *path = g_build_filename (stage->folder, "photo.jpg", NULL);
  double factor = write_photo (path, megapixels);
  gtk_window_resize (GTK_WINDOW (stage->window), WIDTH, HEIGHT);
  stage_frame (stage);
  stage_open (stage, path);
  stage_wait_for_final (stage);
  g_free (take_quantiles (stage));
  for (guint i = 0; i < session->strokes->len; i++)
    play_stroke (stage, g_ptr_array_index (session->strokes, i), factor);
  stage_wait_for_final (stage);
  g_autofree char *strokes = take_quantiles (stage);
  look_about (stage);
  stage_frame (stage);
  g_autofree char *views = take_quantiles (stage);
  g_print ("%g MP\nstrokes %s\nviews %s\n", megapixels, strokes, views);
  return g_strdup_printf ("{ \"megapixels\": %g,\n\"strokes\": %s,\n\"views\": %s }", megapixels,
                          strokes, views);
}

static char *
measure_all (char **sizes)
{
  static const char *const usual[] = { "2.5", "12", "24", NULL };
  const char *const *size = *sizes != NULL ? (const char *const *)sizes : usual;
  g_autoptr (GError) error = NULL;
  g_autofree char *file = sample_file ("sessions/sample.fretsaw");
  g_autoptr (FsSession) session = fs_session_read (file, &error);
  g_assert_no_error (error);
  GString *json = g_string_new ("");
  double load[3] = { 0 };
  for (; *size != NULL; size++) {
    g_autofree char *area = measure (session, g_ascii_strtod (*size, NULL));
    g_string_append_printf (json, "%s%s", json->len > 0 ? ",\n" : "", area);
  }
  if (getloadavg (load, 3) < 1)
    load[0] = -1;
  g_string_append_printf (json, "\n],\n\"load\": %.2f }\n", load[0]);
  g_string_prepend (json, "{ \"photos\": [\n");
  return g_string_free (json, FALSE);
}

int
main (int argc, char **argv)
{
  if (argc < 2) {
    g_printerr ("usage: latency OUTPUT.json [MEGAPIXELS…]\n");
    return 2;
  }
  gtk_init (NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *json = measure_all (argv + 2);
  if (!g_file_set_contents (argv[1], json, -1, &error)) {
    g_printerr ("latency: %s\n", error->message);
    return 1;
  }
  return 0;
}
