/* SPDX-License-Identifier: MIT */
/* Lasso and box, pens, the keyboard's cursor, the right button, fingers: by events. */
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/canvas/stroke_input.h"
#include "ui/canvas/stroke_smoothing.h"

#include <math.h>

static FsTools *
tools_of (Stage *stage)
{
  return fs_window_get_tools (stage->window);
}

static int
label_at (Stage *stage, int x, int y)
{
  return fs_document_get_marks (stage_document (stage))[y * SCENE_WIDTH + x];
}

static const FsStroke *
last_stroke (Stage *stage)
{
  FsDocument *document = stage_document (stage);
  guint n = fs_document_get_n_strokes (document);
  g_assert_cmpuint (n, >, 0);
  return fs_document_get_stroke (document, n - 1);
}

/* ---- Lasso and box ---- */

/* Around the disc of the scene, whose middle is (170, 118) and whose radius is 70. */
static void
draw_lasso (Stage *stage, double radius)
{
  double x, y;
  for (int i = 0; i <= 40; i++) {
    double angle = 2 * G_PI * i / 41;
    stage_to_widget (stage, 170 + radius * cos (angle), 118 + radius * sin (angle), &x, &y);
    if (i == 0)
      stage_press (stage, GDK_BUTTON_PRIMARY, x, y);
    else
      stage_move (stage, x, y);
    if (i % 8 == 0)
      stage_frame (stage);
  }
  stage_release (stage, GDK_BUTTON_PRIMARY, x, y);
}

static void
assert_disc_is_cut (Stage *stage)
{
  const uint8_t *mask = fs_document_get_mask (stage_document (stage));
  int n_wrong = 0;
  for (int y = 0; y < SCENE_HEIGHT; y++)
    for (int x = 0; x < SCENE_WIDTH; x++) {
      int dx = x - 170, dy = y - 118;
      n_wrong += (dx * dx + dy * dy < 70 * 70) != mask[y * SCENE_WIDTH + x];
    }
  g_assert_cmpint (n_wrong, <, 300);
}

static void
test_lasso (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_wait_for_final (stage);
  stage_type (stage, GDK_KEY_l, 0);
  g_assert_cmpint (fs_tools_get_tool (tools_of (stage)), ==, FS_TOOL_LASSO);
  draw_lasso (stage, 95);
  g_assert_cmpint (label_at (stage, 5, 5), ==, FS_SEED_BACKGROUND);
  g_assert_cmpint (label_at (stage, 170, 118), ==, FS_SEED_NONE);
  g_assert_cmpint (last_stroke (stage)->shape, ==, FS_STROKE_OUTLINE);
  g_assert_cmpint (fs_document_get_brushed (stage_document (stage))[0], ==, FS_SEED_NONE);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);
  assert_disc_is_cut (stage);

  /* Another one takes its place; a stroke stays. */
  stage_type (stage, GDK_KEY_b, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 150, 100, 190, 130, 8);
  stage_type (stage, GDK_KEY_l, 0);
  draw_lasso (stage, 110);
  g_assert_cmpint (label_at (stage, 170, 118 - 105), ==, FS_SEED_NONE);
  g_assert_cmpint (label_at (stage, 170, 115), ==, FS_SEED_OBJECT);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);
  g_autoptr (GBytes) mask = stage_mask (stage);
  for (int i = 0; i < 3; i++) {
    stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
    stage_wait_for_final (stage);
    if (fs_document_get_n_strokes (stage_document (stage)) > 0)
      stage_assert_fresh (stage);
  }
  g_assert_cmpint (label_at (stage, 5, 5), ==, FS_SEED_NONE);
  for (int i = 0; i < 3; i++)
    stage_activate (stage, "redo");
  stage_wait_for_final (stage);
  g_autoptr (GBytes) again = stage_mask (stage);
  g_assert_true (g_bytes_equal (mask, again));
}

static void
test_box (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_type (stage, GDK_KEY_r, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 260, 205, 80, 35, 9);
  const FsStroke *box = last_stroke (stage);
  g_assert_cmpint (box->shape, ==, FS_STROKE_OUTLINE);
  g_assert_cmpuint (box->samples->len, ==, 4);
  g_assert_cmpint (label_at (stage, 78, 100), ==, FS_SEED_BACKGROUND);
  g_assert_cmpint (label_at (stage, 82, 100), ==, FS_SEED_NONE);
  g_assert_cmpint (label_at (stage, 170, 207), ==, FS_SEED_BACKGROUND);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);
  assert_disc_is_cut (stage);

  /* Drawn about by mistake: a click, the right button, Escape. */
  guint n = fs_document_get_n_strokes (stage_document (stage));
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 100, 100, 100, 100, 1);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 100, 100, 200, 200, 4);
  double x, y;
  stage_to_widget (stage, 100, 100, &x, &y);
  stage_press (stage, GDK_BUTTON_PRIMARY, x, y);
  stage_move (stage, x + 100, y + 80);
  stage_frame (stage);
  stage_type (stage, GDK_KEY_Escape, 0);
  stage_release (stage, GDK_BUTTON_PRIMARY, x + 100, y + 80);
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, n);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);
}

/* ---- Brushes ---- */

static void
test_right_button (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 20, 60, 20, 8);
  g_object_set (tools_of (stage), "right-button", FS_RIGHT_BUTTON_ERASE, NULL);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 40, 20, 60, 20, 8);
  g_assert_cmpint (label_at (stage, 20, 20), ==, FS_SEED_OBJECT);
  g_assert_cmpint (label_at (stage, 50, 20), ==, FS_SEED_NONE);

  g_object_set (tools_of (stage), "right-button", FS_RIGHT_BUTTON_MOVE, NULL);
  fs_canvas_zoom_step (stage_canvas (stage), TRUE);
  fs_canvas_zoom_step (stage_canvas (stage), TRUE);
  double before = fs_canvas_get_transform (stage_canvas (stage))->x;
  stage_press (stage, GDK_BUTTON_SECONDARY, 400, 300);
  stage_move (stage, 380, 300);
  stage_frame (stage);
  stage_release (stage, GDK_BUTTON_SECONDARY, 380, 300);
  g_assert_cmpfloat (fs_canvas_get_transform (stage_canvas (stage))->x, <, before);
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 2);
}

/* Digits choose the object that either button paints, and bring its brush; the next photo begins
 * with the first. */
static void
test_objects (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  FsTools *tools = tools_of (stage);
  fs_tools_set_tool (tools, FS_TOOL_ERASER);
  stage_type (stage, GDK_KEY_3, 0);
  g_assert_cmpint (fs_tools_get_object (tools), ==, 3);
  g_assert_cmpint (fs_tools_get_tool (tools), ==, FS_TOOL_OBJECT);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 20, 60, 20, 8);
  g_assert_cmpint (label_at (stage, 40, 20), ==, FS_SEED_OBJECT + 2);
  fs_tools_set_tool (tools, FS_TOOL_BACKGROUND);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 50, 60, 50, 8);
  g_assert_cmpint (label_at (stage, 40, 50), ==, FS_SEED_BACKGROUND);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 80, 60, 80, 8);
  g_assert_cmpint (label_at (stage, 40, 80), ==, FS_SEED_OBJECT + 2);
  g_action_group_activate_action (G_ACTION_GROUP (stage->window), "object",
                                  g_variant_new_int32 (9));
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 20, 110, 60, 110, 8);
  g_assert_cmpint (label_at (stage, 40, 110), ==, FS_SEED_OBJECT + 8);
  fs_tools_set_tool (tools, FS_TOOL_LASSO);
  fs_project_discard (fs_window_get_project (stage->window));
  stage_open_scene (stage);
  g_assert_cmpint (fs_tools_get_object (tools), ==, 1);
  g_assert_cmpint (fs_tools_get_tool (tools), ==, FS_TOOL_LASSO);
}

static void
test_fixed_size (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  g_object_set (tools_of (stage), "fixed-size", TRUE, NULL);
  fs_tools_set_brush_size (tools_of (stage), 20);
  for (int i = 0; i < 2; i++) {
    stage_stroke (stage, GDK_BUTTON_PRIMARY, 160, 120, 160, 120, 1);
    g_assert_cmpfloat (last_stroke (stage)->radius_px, ==, 10);
    fs_canvas_zoom_step (stage_canvas (stage), TRUE);
    fs_canvas_zoom_step (stage_canvas (stage), TRUE);
  }
  g_assert_cmpint (label_at (stage, 160, 111), ==, FS_SEED_OBJECT);
  g_assert_cmpint (label_at (stage, 160, 109), ==, FS_SEED_NONE);
}

/* ---- Straight lines, and the size as a number ---- */

static void
click (Stage *stage, guint button, double image_x, double image_y, GdkModifierType state)
{
  double x, y;
  stage_to_widget (stage, image_x, image_y, &x, &y);
  stage->state = state;
  stage_press (stage, button, x, y);
  stage_release (stage, button, x, y);
  stage->state = 0;
  stage_frame (stage);
}

static guint
count_strokes (Stage *stage)
{
  return fs_document_get_n_strokes (stage_document (stage));
}

/* A click with Shift paints a line from where the last stroke ended; without one before it, or with
 * a lasso, it is an ordinary click. */
static void
test_straight_line (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  click (stage, GDK_BUTTON_PRIMARY, 100, 60, GDK_SHIFT_MASK);
  g_assert_cmpint (label_at (stage, 100, 60), ==, FS_SEED_OBJECT);
  click (stage, GDK_BUTTON_PRIMARY, 200, 160, GDK_SHIFT_MASK);
  g_assert_cmpuint (count_strokes (stage), ==, 2);
  for (int i = 0; i <= 100; i += 5)
    g_assert_cmpint (label_at (stage, 100 + i, 60 + i), ==, FS_SEED_OBJECT);
  g_assert_cmpint (label_at (stage, 190, 70), ==, FS_SEED_NONE);
  const FsSample *first = &g_array_index (last_stroke (stage)->samples, FsSample, 0);
  g_assert_cmpfloat (fabsf (first->x - 100), <, 1);
  g_assert_cmpfloat (fabsf (first->y - 60), <, 1);

  /* With the other button, from there; then an ordinary one, away from it. */
  click (stage, GDK_BUTTON_SECONDARY, 200, 30, GDK_SHIFT_MASK);
  g_assert_cmpint (label_at (stage, 200, 90), ==, FS_SEED_BACKGROUND);
  click (stage, GDK_BUTTON_PRIMARY, 30, 30, 0);
  g_assert_cmpint (label_at (stage, 110, 30), ==, FS_SEED_NONE);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);

  /* What is taken back leaves no point behind; another photo has none. */
  double x, y;
  stage_to_widget (stage, 300, 200, &x, &y);
  stage_press (stage, GDK_BUTTON_PRIMARY, x, y);
  stage_type (stage, GDK_KEY_Escape, 0);
  click (stage, GDK_BUTTON_PRIMARY, 30, 200, GDK_SHIFT_MASK);
  g_assert_cmpint (label_at (stage, 30, 120), ==, FS_SEED_OBJECT);
  stage_open_scene (stage);
  click (stage, GDK_BUTTON_PRIMARY, 200, 200, GDK_SHIFT_MASK);
  g_assert_cmpuint (last_stroke (stage)->samples->len, <=, 2);
  g_assert_cmpint (label_at (stage, 115, 200), ==, FS_SEED_NONE);
}

/* The device pixels of the canvas that differ from those of a former picture, which is freed. */
static int
count_changed (Stage *stage, cairo_surface_t *before)
{
  cairo_surface_t *now = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
  int n = 0;
  for (int y = 0; y < cairo_image_surface_get_height (now); y++)
    for (int x = 0; x < cairo_image_surface_get_width (now); x++)
      n += stage_pixel (now, x, y) != stage_pixel (before, x, y);
  cairo_surface_destroy (now);
  cairo_surface_destroy (before);
  return n;
}

/* While Shift is down the line is seen, whatever other keys are pressed and released. */
static void
test_line_preview (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  click (stage, GDK_BUTTON_PRIMARY, 60, 60, 0);
  stage_wait_for_final (stage);
  double x, y;
  stage_to_widget (stage, 250, 180, &x, &y);
  stage_move (stage, x, y);
  stage_frame (stage);
  GtkWidget *canvas = GTK_WIDGET (stage_canvas (stage));
  cairo_surface_t *bare = stage_shoot (canvas);
  stage_key (stage, GDK_KEY_Shift_L, TRUE);
  stage_frame (stage);
  cairo_surface_t *with_line = stage_shoot (canvas);
  g_assert_cmpint (count_changed (stage, cairo_surface_reference (bare)), >, 100);
  stage_type (stage, GDK_KEY_Control_L, GDK_SHIFT_MASK);
  stage_frame (stage);
  g_assert_cmpint (count_changed (stage, with_line), ==, 0);
  stage_key (stage, GDK_KEY_Shift_L, FALSE);
  stage_frame (stage);
  g_assert_cmpint (count_changed (stage, bare), ==, 0);
}

static void
type_size (Stage *stage, const char *digits, guint key)
{
  GtkWidget *entry = GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, "brush_entry"));
  gtk_widget_grab_focus (entry);
  for (; *digits != '\0'; digits++)
    stage_type (stage, gdk_unicode_to_keyval ((guint32)*digits), 0);
  stage_type (stage, key, 0);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (stage->window))
                 == GTK_WIDGET (stage_canvas (stage)));
}

/* Digits choose objects elsewhere; here they are a size, within the range. */
static void
test_size_as_number (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  type_size (stage, "47", GDK_KEY_Return);
  g_assert_cmpint (fs_tools_get_brush_size (tools_of (stage)), ==, 47);
  g_assert_cmpint (fs_tools_get_object (tools_of (stage)), ==, 1);
  type_size (stage, "12", GDK_KEY_Escape);
  g_assert_cmpint (fs_tools_get_brush_size (tools_of (stage)), ==, 47);
  type_size (stage, "999", GDK_KEY_Return);
  g_assert_cmpint (fs_tools_get_brush_size (tools_of (stage)), ==, FS_BRUSH_SIZE_MAX);
  type_size (stage, "x", GDK_KEY_Return);
  g_assert_cmpint (fs_tools_get_brush_size (tools_of (stage)), ==, FS_BRUSH_SIZE_MAX);
  fs_tools_set_brush_size (tools_of (stage), 33);
  GtkEntry *entry = GTK_ENTRY (
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, "brush_entry"));
  g_assert_cmpstr (gtk_entry_get_text (entry), ==, "33");
  stage_type (stage, GDK_KEY_2, 0);
  g_assert_cmpint (fs_tools_get_object (tools_of (stage)), ==, 2);
}

/* A curve through few samples: all of them are kept, the points between are off the chords, on the
 * outer side, and a corner stays one. */
static void
test_smoothing (void)
{
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (FsSample));
  FsSample samples[12];
  for (int i = 0; i < 12; i++) {
    double angle = i * 0.5;
    samples[i] = (FsSample){ 100 + 80 * (float)cos (angle), 100 + 80 * (float)sin (angle), 1,
                             (uint32_t)i * 16 };
    fs_stroke_smoothing_append (chain, i >= 2 ? &samples[i - 2] : NULL, &samples[i], 0.25);
  }
  guint found = 0;
  double min = 80, max = 80;
  for (guint i = 0; i < chain->len; i++) {
    const FsSample *point = &g_array_index (chain, FsSample, i);
    if (found < 12 && point->x == samples[found].x && point->y == samples[found].y)
      found++;
    double distance = hypot (point->x - 100.0, point->y - 100.0);
    min = found > 1 ? fmin (min, distance) : min;
    max = fmax (max, distance);
  }
  g_assert_cmpuint (found, ==, 12);
  g_assert_cmpuint (chain->len, >, 30);
  /* The chords' middles are 2.5 nearer. */
  g_assert_cmpfloat (min, >, 79);
  g_assert_cmpfloat (max, <, 82);

  g_array_set_size (chain, 0);
  const FsSample corner[] = {
    { 0, 0, 1, 0 }, { 50, 0, 1, 8 }, { 50, 50, 1, 16 }, { 90, 50, 1, 24 }, { 130, 50, 1, 32 }
  };
  for (guint i = 0; i < G_N_ELEMENTS (corner); i++)
    fs_stroke_smoothing_append (chain, i >= 2 ? &corner[i - 2] : NULL, &corner[i], 0.25);
  g_assert_cmpuint (chain->len, ==, G_N_ELEMENTS (corner));
  g_assert_cmpmem (chain->data, sizeof corner, corner, sizeof corner);
}

/* No pen can be made here: what the canvas does for one, with a document alone. */
static void
test_pen (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  g_autoptr (FsStrokeInput) input = fs_stroke_input_new ();
  const FsStrokeStart start = {
    .trail = FS_TRAIL_PEN, .label = FS_SEED_OBJECT, .radius_px = 16, .tolerance_px = 0.25
  };
  g_assert_true (fs_stroke_input_begin (input, stage_document (stage), &start, 100));
  fs_stroke_input_append (input, 160, 120, 0.25, 100);
  fs_stroke_input_append (input, 180, 120, 1, 108);
  fs_stroke_input_end (input);
  g_assert_cmpint (last_stroke (stage)->shape, ==, FS_STROKE_PEN);
  g_assert_cmpint (label_at (stage, 155, 120), ==, FS_SEED_OBJECT);
  g_assert_cmpint (label_at (stage, 180, 134), ==, FS_SEED_OBJECT);
  fs_document_undo (stage_document (stage));
  g_assert_true (fs_stroke_input_begin (input, stage_document (stage), &start, 100));
  fs_stroke_input_append (input, 160, 120, 0.25, 100);
  fs_stroke_input_end (input);
  g_assert_cmpint (label_at (stage, 160, 123), ==, FS_SEED_OBJECT);
  g_assert_cmpint (label_at (stage, 160, 126), ==, FS_SEED_NONE);
}

/* ---- The keyboard alone ---- */

static void
focus_canvas (Stage *stage)
{
  gtk_widget_grab_focus (GTK_WIDGET (stage_canvas (stage)));
}

static void
test_keyboard_cursor (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  focus_canvas (stage);
  const FsViewTransform *t = fs_canvas_get_transform (stage_canvas (stage));
  double x, y;
  stage_move (stage, t->view_width / 2.0, t->view_height / 2.0);
  fs_view_transform_to_image (t, t->view_width / 2.0, t->view_height / 2.0, &x, &y);

  /* A dot in the middle, a line to the right, then the other label further up. */
  stage_key (stage, GDK_KEY_Return, TRUE);
  stage_key (stage, GDK_KEY_Return, TRUE);
  stage_key (stage, GDK_KEY_Return, FALSE);
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 1);
  g_assert_cmpint (label_at (stage, (int)x, (int)y), ==, FS_SEED_OBJECT);
  stage_key (stage, GDK_KEY_Return, TRUE);
  for (int i = 0; i < 10; i++)
    stage_type (stage, GDK_KEY_Right, 0);
  stage_key (stage, GDK_KEY_Return, FALSE);
  double reach = fs_view_transform_length_to_image (t, 100);
  g_assert_cmpint (label_at (stage, (int)(x + reach), (int)y), ==, FS_SEED_OBJECT);
  for (int i = 0; i < 200; i++)
    stage_type (stage, GDK_KEY_Up, 0);
  stage->state = GDK_SHIFT_MASK;
  stage_key (stage, GDK_KEY_Return, TRUE);
  stage_key (stage, GDK_KEY_Return, FALSE);
  stage->state = 0;
  g_assert_cmpint (last_stroke (stage)->label, ==, FS_SEED_BACKGROUND);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);

  /* Escape while Enter is down takes it back; without focus the stroke ends. */
  stage_key (stage, GDK_KEY_Return, TRUE);
  stage_type (stage, GDK_KEY_Escape, 0);
  stage_key (stage, GDK_KEY_Return, FALSE);
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 3);
}

/* A cursor that is led over the edge takes the photo along. */
static void
test_keyboard_scrolls (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  focus_canvas (stage);
  for (int i = 0; i < 6; i++)
    fs_canvas_zoom_step (stage_canvas (stage), TRUE);
  const FsViewTransform *t = fs_canvas_get_transform (stage_canvas (stage));
  double before = t->x;
  for (int i = 0; i < 120; i++)
    stage_type (stage, GDK_KEY_Right, 0);
  g_assert_cmpfloat (t->x, <, before);
  stage_frame (stage);
}

/* ---- Pens and fingers ---- */

static GdkDevice *
pointer (void)
{
  return gdk_seat_get_pointer (gdk_display_get_default_seat (gdk_display_get_default ()));
}

static void
touch (Stage *stage, GdkEventType type, int finger, double x, double y)
{
  GdkEvent *event = gdk_event_new (type);
  event->any.window = g_object_ref (gtk_widget_get_window (GTK_WIDGET (stage_canvas (stage))));
  event->any.send_event = TRUE;
  gdk_event_set_device (event, pointer ());
  event->touch.time = stage->time_ms += 8;
  event->touch.sequence = (GdkEventSequence *)GINT_TO_POINTER (finger);
  event->touch.x = x;
  event->touch.y = y;
  gtk_main_do_event (event);
  /* Freeing would look the made sequence up. */
  event->touch.sequence = NULL;
  gdk_event_free (event);
}

/* Two fingers apart and aside: larger, and moved with them; a stroke that was under way is gone. */
static void
test_pinch (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  const FsViewTransform *t = fs_canvas_get_transform (stage_canvas (stage));
  double zoom = t->zoom, image_x, image_y, x, y;
  focus_canvas (stage);
  stage_key (stage, GDK_KEY_Return, TRUE);
  touch (stage, GDK_TOUCH_BEGIN, 1, 400, 300);
  g_assert_true (fs_document_is_drawing (stage_document (stage)));
  touch (stage, GDK_TOUCH_BEGIN, 2, 500, 300);
  fs_view_transform_to_image (t, 450, 300, &image_x, &image_y);
  g_assert_false (fs_document_is_drawing (stage_document (stage)));
  for (int i = 1; i <= 10; i++) {
    touch (stage, GDK_TOUCH_UPDATE, 1, 400 - 6 * i, 300 + i);
    touch (stage, GDK_TOUCH_UPDATE, 2, 500 + 4 * i, 300 + i);
  }
  g_assert_cmpfloat_with_epsilon (t->zoom, 2 * zoom, 0.02);
  fs_view_transform_to_widget (t, image_x, image_y, &x, &y);
  g_assert_cmpfloat_with_epsilon (x, 440, 2);
  g_assert_cmpfloat_with_epsilon (y, 310, 2);
  touch (stage, GDK_TOUCH_END, 1, 340, 310);
  touch (stage, GDK_TOUCH_END, 2, 540, 310);
  stage_key (stage, GDK_KEY_Return, FALSE);
  g_assert_cmpuint (fs_document_get_n_strokes (stage_document (stage)), ==, 0);
}

/* Who has no mouse finds the menu where every program has it. */
static void
test_menu_key (void)
{
  g_autoptr (Stage) stage = stage_new ();
  GtkToggleButton *button = GTK_TOGGLE_BUTTON (fs_window_get_menu_button (stage->window));
  stage_type (stage, GDK_KEY_F10, 0);
  g_assert_true (gtk_toggle_button_get_active (button));
  stage_activate (stage, "menu");
  g_assert_false (gtk_toggle_button_get_active (button));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tools/menu-key", test_menu_key);
  g_test_add_func ("/tools/lasso", test_lasso);
  g_test_add_func ("/tools/box", test_box);
  g_test_add_func ("/tools/right-button", test_right_button);
  g_test_add_func ("/tools/objects", test_objects);
  g_test_add_func ("/tools/fixed-size", test_fixed_size);
  g_test_add_func ("/tools/straight-line", test_straight_line);
  g_test_add_func ("/tools/line-preview", test_line_preview);
  g_test_add_func ("/tools/size-as-number", test_size_as_number);
  g_test_add_func ("/tools/smoothing", test_smoothing);
  g_test_add_func ("/tools/pen", test_pen);
  g_test_add_func ("/tools/keyboard-cursor", test_keyboard_cursor);
  g_test_add_func ("/tools/keyboard-scrolls", test_keyboard_scrolls);
  g_test_add_func ("/tools/pinch", test_pinch);
  return g_test_run ();
}
