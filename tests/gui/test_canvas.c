/* SPDX-License-Identifier: MIT */
/* The canvas of the real window: events in, strokes and pixels out. */
#include "app/live/document_edge.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/view/contour.h"
#include "ui/view/edge_levels.h"
#include "ui/view/views.h"

#include <math.h>
#include <string.h>

static void
assert_same_bytes (GBytes *a, GBytes *b)
{
  g_assert_true (g_bytes_equal (a, b));
}

static gboolean
is_like (guint32 a, guint32 b)
{
  return ABS (FS_PIXEL_R (a) - FS_PIXEL_R (b)) <= 5 && ABS (FS_PIXEL_G (a) - FS_PIXEL_G (b)) <= 5
         && ABS (FS_PIXEL_B (a) - FS_PIXEL_B (b)) <= 5;
}

/* A screen pixel whose centre falls between two image pixels may be rounded to either, and a
 * filter's weights (1/128) either way. */
static gboolean
shows (cairo_surface_t *shown, cairo_surface_t *fresh, int x, int y)
{
  int width = cairo_image_surface_get_width (fresh),
      height = cairo_image_surface_get_height (fresh);
  guint32 pixel = stage_pixel (shown, x, y);
  return is_like (pixel, stage_pixel (fresh, x, y))
         || is_like (pixel, stage_pixel (fresh, MAX (x - 1, 0), y))
         || is_like (pixel, stage_pixel (fresh, MIN (x + 1, width - 1), y))
         || is_like (pixel, stage_pixel (fresh, x, MAX (y - 1, 0)))
         || is_like (pixel, stage_pixel (fresh, x, MIN (y + 1, height - 1)));
}

/* What is on the screen against a fresh painting of the whole view, so that every way of repainting
 * a part (damage, moved strips) is compared with painting all. */
static void
assert_screen_is_fresh (Stage *stage)
{
  FsCanvas *canvas = stage_canvas (stage);
  const FsViewTransform *t = fs_canvas_get_transform (canvas);
  int width = t->view_width * t->scale, height = t->view_height * t->scale;
  g_autoptr (FsPyramid) pyramid = fs_pyramid_new (fs_document_get_image (stage_document (stage)));
  FsRect all = { 0, 0, SCENE_WIDTH, SCENE_HEIGHT };
  gboolean has_mask = fs_document_get_status (stage_document (stage)).has_mask;
  fs_pyramid_update_marks (pyramid, fs_document_get_brushed (stage_document (stage)), &all);
  fs_pyramid_update_mask (pyramid, has_mask ? fs_document_get_mask (stage_document (stage)) : NULL,
                          &all);
  g_autoptr (FsEdgeLevels) edge = fs_edge_levels_new (fs_canvas_get_edge (canvas), pyramid);
  fs_edge_levels_update (edge, &all);
  fs_pyramid_set_edge (pyramid, edge);
  fs_pyramid_set_zones (pyramid, fs_document_get_zones (stage_document (stage)));

  cairo_surface_t *fresh = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (fresh);
  FsViewScratch scratch = { 0 };
  FsViewStyle style = fs_tools_get_style (fs_window_get_tools (stage->window));
  fs_view_paint (pyramid, &style, t, &(FsRect){ 0, 0, width, height }, &scratch, cr);
  fs_view_scratch_clear (&scratch);
  if (style.view == FS_VIEW_CONTOUR) {
    g_autoptr (FsContour) contour = fs_contour_new ();
    fs_contour_set_size (contour, width, height);
    fs_contour_draw (contour, cr, pyramid, t, 0);
  }
  cairo_destroy (cr);
  cairo_surface_flush (fresh);

  /* Without the circle of the brush. */
  FsTool tool = fs_tools_get_tool (fs_window_get_tools (stage->window));
  fs_tools_set_tool (fs_window_get_tools (stage->window), FS_TOOL_HAND);
  cairo_surface_t *shown = stage_shoot (GTK_WIDGET (canvas));
  fs_tools_set_tool (fs_window_get_tools (stage->window), tool);
  g_assert_cmpint (cairo_image_surface_get_width (shown), ==, width);
  int n_different = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      n_different += !shows (shown, fresh, x, y);
  g_assert_cmpint (n_different, ==, 0);
  cairo_surface_destroy (shown);
  cairo_surface_destroy (fresh);
}

/* 200 motions between two frames all arrive: the stroke has all of them, in their order, with the
 * points that round it between, and the marks are those of a history with these. */
static void
test_every_sample_counts (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  const FsViewTransform *t = fs_canvas_get_transform (stage_canvas (stage));
  FsTools *tools = fs_window_get_tools (stage->window);
  fs_tools_set_brush_size (tools, 6);
  float radius = (float)fs_view_transform_length_to_image (t, 3);

  g_autoptr (GArray) expected = g_array_new (FALSE, FALSE, sizeof (FsSample));
  for (int i = 0; i < 202; i++) {
    double x = 60 + 3.1 * i, y = 200 + 90 * sin (i / 3.0), image_x, image_y;
    if (i == 0)
      stage_press (stage, GDK_BUTTON_PRIMARY, x, y);
    else if (i < 201)
      stage_move (stage, x, y);
    else
      stage_release (stage, GDK_BUTTON_PRIMARY, x, y);
    fs_view_transform_to_image (t, x, y, &image_x, &image_y);
    FsSample sample = { .x = (float)image_x, .y = (float)image_y, .pressure = 1 };
    g_array_append_val (expected, sample);
  }
  const FsStroke *stroke = fs_document_get_stroke (stage_document (stage), 0);
  const FsSample *next = (const FsSample *)(gpointer)expected->data, *last = next + expected->len;
  for (guint i = 0; i < stroke->samples->len && next < last; i++) {
    const FsSample *sample = &g_array_index (stroke->samples, FsSample, i);
    next += sample->x == next->x && sample->y == next->y;
  }
  g_assert_true (next == last);

  FsHistory *history = fs_history_new (SCENE_WIDTH, SCENE_HEIGHT, NULL);
  fs_history_begin (history, FS_SEED_OBJECT, radius);
  fs_history_extend (history, (const FsSample *)(gpointer)stroke->samples->data,
                     stroke->samples->len, NULL);
  fs_history_end (history);
  g_assert_cmpmem (fs_document_get_marks (stage_document (stage)), SCENE_WIDTH * SCENE_HEIGHT,
                   fs_history_get_seeds (history)->label, SCENE_WIDTH * SCENE_HEIGHT);
  fs_history_free (history);
  stage_wait_for_final (stage);
  assert_screen_is_fresh (stage);
}

static int
label_at (Stage *stage, int x, int y)
{
  return fs_document_get_marks (stage_document (stage))[y * SCENE_WIDTH + x];
}

static void
test_buttons_and_tools (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 190, 130, 8);
  g_assert_cmpint (label_at (stage, 170, 115), ==, FS_SEED_OBJECT);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 20, 60, 20, 8);
  g_assert_cmpint (label_at (stage, 40, 20), ==, FS_SEED_BACKGROUND);

  stage_type (stage, GDK_KEY_x, 0);
  g_assert_cmpint (fs_tools_get_tool (fs_window_get_tools (stage->window)), ==, FS_TOOL_BACKGROUND);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 220, 60, 220, 8);
  g_assert_cmpint (label_at (stage, 40, 220), ==, FS_SEED_BACKGROUND);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 170, 70, 170, 80, 4);
  g_assert_cmpint (label_at (stage, 170, 75), ==, FS_SEED_OBJECT);

  stage_type (stage, GDK_KEY_e, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 20, 60, 20, 8);
  g_assert_cmpint (label_at (stage, 40, 20), ==, FS_SEED_NONE);

  stage_type (stage, GDK_KEY_h, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 250, 200, 290, 200, 8);
  g_assert_cmpint (label_at (stage, 270, 200), ==, FS_SEED_NONE);
  stage_type (stage, GDK_KEY_b, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 130, 150, 130, 1);
  g_assert_cmpint (label_at (stage, 150, 130), ==, FS_SEED_OBJECT);
}

static void
test_escape_takes_back (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 190, 130, 8);
  stage_wait_for_final (stage);
  g_autoptr (GBytes) marks = stage_marks (stage);
  g_autoptr (GBytes) mask = stage_mask (stage);

  double x, y;
  stage_to_widget (stage, 60, 60, &x, &y);
  stage_press (stage, GDK_BUTTON_PRIMARY, x, y);
  stage_move (stage, x + 90, y + 40);
  stage_frame (stage);
  g_assert_cmpint (label_at (stage, 60, 60), ==, FS_SEED_OBJECT);
  stage_type (stage, GDK_KEY_Escape, 0);
  g_assert_false (fs_document_is_drawing (stage_document (stage)));
  stage_move (stage, x + 120, y + 40);
  stage_release (stage, GDK_BUTTON_PRIMARY, x + 120, y + 40);
  stage_wait_for_final (stage);
  g_autoptr (GBytes) marks_after = stage_marks (stage);
  g_autoptr (GBytes) mask_after = stage_mask (stage);
  assert_same_bytes (marks, marks_after);
  assert_same_bytes (mask, mask_after);
  assert_screen_is_fresh (stage);
}

/* The stroke is on the screen one frame after its event, while the document still computes. */
static void
test_stroke_shows_at_once (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_wait_for_final (stage);
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_MARKS);
  stage_frame (stage);
  guint64 painted = fs_canvas_get_painted (stage_canvas (stage));

  double x, y;
  stage_to_widget (stage, 40, 200, &x, &y);
  stage_press (stage, GDK_BUTTON_PRIMARY, x, y);
  stage_move (stage, x + 30, y);
  stage_frame (stage);
  g_assert_cmpint (label_at (stage, 40, 200), ==, FS_SEED_OBJECT);
  cairo_surface_t *shown = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
  int scale = fs_canvas_get_transform (stage_canvas (stage))->scale;
  guint32 pixel = stage_pixel (shown, (int)x * scale, (int)y * scale);
  cairo_surface_destroy (shown);
  g_assert_cmpint (FS_PIXEL_B (pixel), >, FS_PIXEL_R (pixel) + 60);

  /* Only the stroke's surroundings were composed. */
  guint64 fresh = fs_canvas_get_painted (stage_canvas (stage)) - painted;
  g_assert_cmpuint (fresh, >, 0);
  g_assert_cmpuint (fresh, <, (guint64)(200 * 120 * scale * scale));
  stage_release (stage, GDK_BUTTON_PRIMARY, x + 30, y);
  stage_wait_for_final (stage);
}

/* Seen from afar, where the marks are those of a coarser level. */
static void
test_document_with_strokes (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_MARKS);
  FsDocument *document = stage_document (stage);
  fs_canvas_set_document (stage_canvas (stage), document,
                          fs_pyramid_new (fs_document_get_image (document)));
  for (int i = 0; i < 20; i++)
    fs_canvas_zoom_step (stage_canvas (stage), FALSE);
  stage_frame (stage);
  assert_screen_is_fresh (stage);
}

static void
image_point (Stage *stage, double x, double y, double *image_x, double *image_y)
{
  fs_view_transform_to_image (fs_canvas_get_transform (stage_canvas (stage)), x, y, image_x,
                              image_y);
}

static void
test_zoom_at_pointer (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  const FsViewTransform *t = fs_canvas_get_transform (stage_canvas (stage));
  stage->state = GDK_CONTROL_MASK;
  for (int i = 0; i < 6; i++) {
    double x = 500 + 7 * i, y = 330 + 5 * i, x0, y0, x1, y1;
    double zoom = t->zoom;
    image_point (stage, x, y, &x0, &y0);
    stage_scroll (stage, GDK_SCROLL_UP, x, y);
    image_point (stage, x, y, &x1, &y1);
    g_assert_cmpfloat_with_epsilon (t->zoom, zoom * FS_ZOOM_STEP, 1e-9);
    g_assert_cmpfloat_with_epsilon (x0, x1, 0.51 / t->zoom);
    g_assert_cmpfloat_with_epsilon (y0, y1, 0.51 / t->zoom);
  }
  stage->state = 0;
  stage_frame (stage);
  assert_screen_is_fresh (stage);
  stage_type (stage, GDK_KEY_1, GDK_CONTROL_MASK);
  g_assert_cmpfloat (t->zoom, ==, 1);
  stage_type (stage, GDK_KEY_0, GDK_CONTROL_MASK);
  g_assert_true (t->fits);
  stage_frame (stage);
  assert_screen_is_fresh (stage);
}

static void
drag (Stage *stage, guint button, double x, double y, double dx, double dy)
{
  stage_press (stage, button, x, y);
  for (int i = 1; i <= 5; i++) {
    stage_move (stage, x + dx * i / 5, y + dy * i / 5);
    stage_frame (stage);
  }
  stage_release (stage, button, x + dx, y + dy);
  stage_frame (stage);
}

static void
test_pan (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 190, 130, 8);
  stage_wait_for_final (stage);
  const FsViewTransform *t = fs_canvas_get_transform (stage_canvas (stage));
  stage->state = GDK_CONTROL_MASK;
  for (int i = 0; i < 3; i++)
    stage_scroll (stage, GDK_SCROLL_UP, 500, 330);
  stage->state = 0;
  stage_frame (stage);

  double x = t->x, y = t->y;
  drag (stage, GDK_BUTTON_MIDDLE, 500, 300, -37, 21);
  g_assert_cmpfloat_with_epsilon (t->x, x - 37 * t->scale, 0.51);
  g_assert_cmpfloat_with_epsilon (t->y, y + 21 * t->scale, 0.51);
  assert_screen_is_fresh (stage);

  x = t->x;
  gtk_widget_grab_focus (GTK_WIDGET (stage_canvas (stage)));
  stage_key (stage, GDK_KEY_space, TRUE);
  drag (stage, GDK_BUTTON_PRIMARY, 500, 300, 25, 0);
  stage_key (stage, GDK_KEY_space, FALSE);
  g_assert_cmpfloat_with_epsilon (t->x, x + 25 * t->scale, 0.51);
  g_assert_cmpint (label_at (stage, 100, 60), ==, FS_SEED_NONE);

  x = t->x;
  stage_type (stage, GDK_KEY_h, 0);
  drag (stage, GDK_BUTTON_PRIMARY, 500, 300, 10, 0);
  g_assert_cmpfloat_with_epsilon (t->x, x + 10 * t->scale, 0.51);
  stage_type (stage, GDK_KEY_b, 0);

  y = t->y;
  stage_scroll (stage, GDK_SCROLL_DOWN, 500, 300);
  g_assert_cmpfloat (t->y, <, y);
  stage_frame (stage);
  assert_screen_is_fresh (stage);
}

/* In every view, after strokes and after undo, the screen is what painting all would give. */
static void
test_views (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  FsTools *tools = fs_window_get_tools (stage->window);
  for (int i = 0; i < FS_N_VIEWS; i++) {
    FsView view = fs_tools_get_view (tools);
    stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 80 + 20 * i, 190, 80 + 20 * i, 8);
    stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 20 + 60 * i, 60, 20 + 60 * i, 8);
    stage_wait_for_final (stage);
    assert_screen_is_fresh (stage);
    fs_document_undo (stage_document (stage));
    stage_wait_for_final (stage);
    assert_screen_is_fresh (stage);
    stage_type (stage, GDK_KEY_f, 0);
    g_assert_cmpint (fs_tools_get_view (tools), ==, (view + 1) % FS_N_VIEWS);
  }
}

static guint
count_different (cairo_surface_t *a, cairo_surface_t *b)
{
  guint n = 0;
  for (int y = 0; y < cairo_image_surface_get_height (a); y++)
    for (int x = 0; x < cairo_image_surface_get_width (a); x++)
      n += stage_pixel (a, x, y) != stage_pixel (b, x, y);
  return n;
}

static guint
count_unlike_between (cairo_surface_t *a, cairo_surface_t *b, int x0, int x1)
{
  guint n = 0;
  for (int y = 0; y < cairo_image_surface_get_height (a); y++)
    for (int x = x0; x < x1; x++)
      n += !shows (a, b, x, y);
  return n;
}

/* The original left of the pointer and the view right of it, and both move with the photo. */
static void
test_split (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  GtkWidget *canvas = GTK_WIDGET (stage_canvas (stage));
  FsTools *tools = fs_window_get_tools (stage->window);
  fs_tools_set_tool (tools, FS_TOOL_HAND);
  fs_tools_set_view (tools, FS_VIEW_MASK);
  /* So far that no filter rounds, and that there is something to move. */
  while (fs_canvas_get_transform (stage_canvas (stage))->zoom < 10)
    fs_canvas_zoom_step (stage_canvas (stage), TRUE);
  stage_activate (stage, "compare");
  cairo_surface_t *original = stage_shoot (canvas);
  stage_activate (stage, "compare");
  cairo_surface_t *view = stage_shoot (canvas);
  stage_move (stage, 500, 300);
  stage_activate (stage, "split");
  cairo_surface_t *both = stage_shoot (canvas);
  int scale = gtk_widget_get_scale_factor (canvas);
  int width = cairo_image_surface_get_width (both), line = 500 * scale;
  g_assert_cmpuint (count_unlike_between (both, original, 0, line - scale), ==, 0);
  g_assert_cmpuint (count_unlike_between (both, view, line + scale, width), ==, 0);
  g_assert_cmpuint (count_unlike_between (both, view, 0, line - scale), >, 1000);

  stage_scroll (stage, GDK_SCROLL_LEFT, 500, 300);
  stage_frame (stage);
  cairo_surface_t *moved = stage_shoot (canvas);
  fs_tools_set_view (tools, FS_VIEW_CUTOUT);
  fs_tools_set_view (tools, FS_VIEW_MASK);
  cairo_surface_t *afresh = stage_shoot (canvas);
  g_assert_cmpuint (count_unlike_between (moved, afresh, 0, width), ==, 0);
  g_assert_cmpuint (count_different (moved, both), >, 1000);
  cairo_surface_t *all[] = { original, view, both, moved, afresh };
  for (gsize k = 0; k < G_N_ELEMENTS (all); k++)
    cairo_surface_destroy (all[k]);
}

static void
lose_focus (GtkWidget *widget)
{
  g_autoptr (GdkEvent) event = gdk_event_new (GDK_FOCUS_CHANGE);
  event->focus_change.window = g_object_ref (gtk_widget_get_window (widget));
  event->focus_change.send_event = TRUE;
  event->focus_change.in = FALSE;
  gtk_widget_send_focus_change (widget, event);
}

/* Shift shows the straight line that a click would paint; it goes with the focus, too: a dialog
 * that Ctrl+Shift+E opens gets the release of the key. */
static void
test_line_goes_with_focus (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  GtkWidget *canvas = GTK_WIDGET (stage_canvas (stage));
  stage_move (stage, 500, 300);
  stage_frame (stage);
  cairo_surface_t *before = stage_shoot (canvas);
  stage_key (stage, GDK_KEY_Shift_L, TRUE);
  stage_frame (stage);
  cairo_surface_t *held = stage_shoot (canvas);
  lose_focus (canvas);
  stage_frame (stage);
  cairo_surface_t *after = stage_shoot (canvas);
  g_assert_cmpuint (count_different (before, held), >, 50);
  g_assert_cmpuint (count_different (before, after), ==, 0);
  cairo_surface_t *all[] = { before, held, after };
  for (gsize k = 0; k < G_N_ELEMENTS (all); k++)
    cairo_surface_destroy (all[k]);
}

/* The line is as thin at a high zoom as at a low one, and moved with the photo it is where a fresh
 * one would be. */
static void
test_contour (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsTools *tools = fs_window_get_tools (stage->window);
  guint n[2];
  for (int i = 0; i < 2; i++) {
    fs_tools_set_tool (tools, FS_TOOL_HAND);
    fs_tools_set_view (tools, FS_VIEW_CONTOUR);
    fs_tools_set_comparing (tools, TRUE);
    cairo_surface_t *plain = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
    fs_tools_set_comparing (tools, FALSE);
    cairo_surface_t *line = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
    n[i] = count_different (plain, line);
    cairo_surface_destroy (plain);
    cairo_surface_destroy (line);
    fs_canvas_zoom_step (stage_canvas (stage), FALSE);
    fs_canvas_zoom_step (stage_canvas (stage), FALSE);
  }
  /* Its length goes with the zoom, its area not with the square of it. */
  g_assert_cmpuint (n[1], >, 100);
  g_assert_cmpfloat_with_epsilon ((double)n[0] / n[1], pow (FS_ZOOM_STEP, 2), 0.35);
  for (int i = 0; i < 8; i++)
    fs_canvas_zoom_step (stage_canvas (stage), TRUE);
  stage_frame (stage);
  stage_scroll (stage, GDK_SCROLL_DOWN, 500, 300);
  stage_frame (stage);
  assert_screen_is_fresh (stage);
}

typedef struct {
  Stage *stage;
  cairo_surface_t *first;
} Dashes;

static gboolean
has_moved (gpointer data)
{
  Dashes *dashes = data;
  cairo_surface_t *now = stage_shoot (GTK_WIDGET (stage_canvas (dashes->stage)));
  gboolean moved = count_different (dashes->first, now) > 100;
  cairo_surface_destroy (now);
  return moved;
}

/* The dashes move by themselves, unless the desktop wants it calm. */
static void
test_contour_moves (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  fs_tools_set_tool (fs_window_get_tools (stage->window), FS_TOOL_HAND);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_CONTOUR);
  Dashes dashes = { stage, stage_shoot (GTK_WIDGET (stage_canvas (stage))) };
  stage_wait (has_moved, &dashes);
  cairo_surface_destroy (dashes.first);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

/* A photo wider than a Cairo surface may be: opened, painted at both ends, and seen there. */
static void
test_wide_photo (void)
{
  enum { WIDTH = 40000, HEIGHT = 24 };
  g_autoptr (Stage) stage = stage_new ();
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, WIDTH, HEIGHT);
  gdk_pixbuf_fill (pixbuf, 0x204060ff);
  g_autofree char *path = g_build_filename (stage->folder, "wide.png", NULL);
  g_assert_true (gdk_pixbuf_save (pixbuf, path, "png", NULL, NULL));
  stage_open (stage, path);
  g_assert_nonnull (stage_document (stage));
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_MARKS);
  fs_tools_set_brush_size (fs_window_get_tools (stage->window), 6);
  fs_canvas_zoom_original (stage_canvas (stage));
  const FsViewTransform *t = fs_canvas_get_transform (stage_canvas (stage));
  for (int end = 0; end < 2; end++) {
    for (int i = 0; i < 800; i++)
      stage_scroll (stage, end == 0 ? GDK_SCROLL_LEFT : GDK_SCROLL_RIGHT, 400, 300);
    double x = end == 0 ? 20 : WIDTH - 20;
    stage_stroke (stage, GDK_BUTTON_PRIMARY, x, 12, x, 12, 1);
    g_assert_cmpint (fs_document_get_marks (stage_document (stage))[12 * WIDTH + (int)x], ==,
                     FS_SEED_OBJECT);
    stage_frame (stage);
    fs_tools_set_tool (fs_window_get_tools (stage->window), FS_TOOL_HAND);
    cairo_surface_t *shown = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
    int device_x = (int)(x + t->x), device_y = (int)(12 + t->y);
    guint32 marked = stage_pixel (shown, device_x, device_y);
    g_assert_cmpint (FS_PIXEL_B (marked), >, 0x90);
    g_assert_cmphex (stage_pixel (shown, device_x + (end == 0 ? 12 : -12), device_y), ==, 0x204060);
    cairo_surface_destroy (shown);
    fs_tools_set_tool (fs_window_get_tools (stage->window), FS_TOOL_OBJECT);
  }
  stage_wait_for_final (stage);
}

static guint32
middle_pixel (Stage *stage, double image_x, double image_y)
{
  double x, y;
  int scale = fs_canvas_get_transform (stage_canvas (stage))->scale;
  stage_to_widget (stage, image_x, image_y, &x, &y);
  cairo_surface_t *shown = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
  guint32 pixel = stage_pixel (shown, (int)x * scale, (int)y * scale);
  cairo_surface_destroy (shown);
  return pixel;
}

/* What the looks are set to shows at once, and O shows the original while it is held. */
static void
test_looks (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsTools *tools = fs_window_get_tools (stage->window);
  g_object_set (tools, "overlay-colour", "#00ff00", "overlay-opacity", 100, NULL);
  stage_frame (stage);
  g_assert_cmphex (middle_pixel (stage, 40, 200), ==, 0x00ff00);
  g_object_set (tools, "overlay-colour", "green", NULL);
  g_assert_cmphex (fs_tools_get_style (tools).overlay_rgb, ==, 0x00ff00);

  fs_tools_set_view (tools, FS_VIEW_CUTOUT);
  g_object_set (tools, "backdrop", FS_BACKDROP_BLACK, NULL);
  g_assert_cmphex (middle_pixel (stage, 40, 200), ==, 0);
  g_object_set (tools, "backdrop", FS_BACKDROP_WHITE, NULL);
  g_assert_cmphex (middle_pixel (stage, 40, 200), ==, 0xffffff);
  g_object_set (tools, "backdrop", FS_BACKDROP_COLOUR, "backdrop-colour", "#123456", NULL);
  g_assert_cmphex (middle_pixel (stage, 40, 200), ==, 0x123456);
  assert_screen_is_fresh (stage);

  gtk_widget_grab_focus (GTK_WIDGET (stage_canvas (stage)));
  stage_key (stage, GDK_KEY_o, TRUE);
  g_assert_cmpint (fs_tools_get_style (tools).view, ==, FS_VIEW_ORIGINAL);
  guint32 original = middle_pixel (stage, 40, 200);
  g_assert_true (FS_PIXEL_R (original) < 80 && FS_PIXEL_B (original) > 60);
  stage_key (stage, GDK_KEY_o, FALSE);
  g_assert_cmphex (middle_pixel (stage, 40, 200), ==, 0x123456);
  stage_activate (stage, "compare");
  g_assert_cmphex (middle_pixel (stage, 40, 200), ==, original);
}

static void
test_brush_size (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  FsTools *tools = fs_window_get_tools (stage->window);
  int size = fs_tools_get_brush_size (tools);
  const guint larger[] = { GDK_KEY_bracketright, GDK_KEY_period };
  const guint smaller[] = { GDK_KEY_bracketleft, GDK_KEY_comma };
  for (int i = 0; i < 2; i++) {
    stage_type (stage, larger[i], 0);
    g_assert_cmpint (fs_tools_get_brush_size (tools), >, size);
    stage_type (stage, smaller[i], 0);
    g_assert_cmpint (fs_tools_get_brush_size (tools), <=, size);
  }

  /* Constant on the screen: the higher the zoom, the fewer pixels a dot covers. */
  int n[2] = { 0, 0 };
  for (int pass = 0; pass < 2; pass++) {
    stage_stroke (stage, GDK_BUTTON_PRIMARY, 160, 120, 160, 120, 1);
    g_autoptr (GBytes) marks = stage_marks (stage);
    const uint8_t *label = g_bytes_get_data (marks, NULL);
    for (int i = 0; i < SCENE_WIDTH * SCENE_HEIGHT; i++)
      n[pass] += label[i] != 0;
    fs_document_undo (stage_document (stage));
    fs_canvas_zoom_step (stage_canvas (stage), TRUE);
    fs_canvas_zoom_step (stage_canvas (stage), TRUE);
  }
  g_assert_cmpfloat_with_epsilon ((double)n[0] / n[1], pow (FS_ZOOM_STEP, 4), 0.6);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/canvas/every-sample-counts", test_every_sample_counts);
  g_test_add_func ("/canvas/buttons-and-tools", test_buttons_and_tools);
  g_test_add_func ("/canvas/escape-takes-back", test_escape_takes_back);
  g_test_add_func ("/canvas/stroke-shows-at-once", test_stroke_shows_at_once);
  g_test_add_func ("/canvas/document-with-strokes", test_document_with_strokes);
  g_test_add_func ("/canvas/zoom-at-pointer", test_zoom_at_pointer);
  g_test_add_func ("/canvas/pan", test_pan);
  g_test_add_func ("/canvas/views", test_views);
  g_test_add_func ("/canvas/split", test_split);
  g_test_add_func ("/canvas/line-goes-with-focus", test_line_goes_with_focus);
  g_test_add_func ("/canvas/contour", test_contour);
  g_test_add_func ("/canvas/contour-moves", test_contour_moves);
  g_test_add_func ("/canvas/looks", test_looks);
  g_test_add_func ("/canvas/wide-photo", test_wide_photo);
  g_test_add_func ("/canvas/brush-size", test_brush_size);
  return g_test_run ();
}
