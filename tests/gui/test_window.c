/* SPDX-License-Identifier: MIT */
/* The window while one works in it: paint, look, undo, settings, names, a large photo. */
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/settings/settings_panel.h"

#include <gdk/gdkx.h>
#include <math.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED TRUE
#elif defined(__has_feature)
#define IS_SANITIZED (__has_feature (address_sanitizer) || __has_feature (thread_sanitizer))
#else
#define IS_SANITIZED FALSE
#endif

static gboolean
is_enabled (Stage *stage, const char *action)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), action);
}

static void
test_empty (void)
{
  static const char *const off[] = { "undo",     "redo",    "export",       "export-again",
                                     "zoom-fit", "zoom-in", "zoom-original" };
  g_autoptr (Stage) stage = stage_new ();
  g_assert_null (stage_document (stage));
  for (gsize i = 0; i < G_N_ELEMENTS (off); i++)
    g_assert_false (is_enabled (stage, off[i]));
  g_assert_true (fs_window_is_free (stage->window));
  /* Keys and clicks without a photo are harmless. */
  stage_type (stage, GDK_KEY_f, 0);
  stage_type (stage, GDK_KEY_x, 0);
  stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
}

static void
test_paint (void)
{
  g_autoptr (Stage) stage = stage_new ();
  g_autofree char *log = g_build_filename (stage->folder, "log.txt", NULL);
  g_setenv ("FRETSAW_LOG", log, TRUE);
  stage_open_scene (stage);
  g_unsetenv ("FRETSAW_LOG");
  g_assert_false (is_enabled (stage, "export"));
  g_assert_true (fs_window_is_free (stage->window));

  stage_stroke (stage, GDK_BUTTON_PRIMARY, 140, 90, 200, 140, 12);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 20, 300, 24, 12);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);
  stage_type (stage, GDK_KEY_e, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 140, 90, 160, 110, 12);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);
  g_assert_true (is_enabled (stage, "export"));
  g_assert_false (fs_window_is_free (stage->window));

  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (log, &text, NULL, NULL));
  g_assert_true (
      g_regex_match_simple ("^mask generation=\\d+ latency_us=\\d+ solve_us=\\d+ exact=true$", text,
                            G_REGEX_MULTILINE, 0));
  g_assert_true (g_regex_match_simple ("^(.*\n)*(stroke latency_us=\\d+ exact=true\n(.*\n)*){3}$",
                                       text, 0, 0));
}

/* The masks after each stroke come back bit for bit on the way down and on the way up. */
static void
test_undo_redo (void)
{
  enum { N = 6 };
  static const double strokes[N][5] = { { 1, 140, 90, 200, 140 },  { 3, 20, 20, 300, 24 },
                                        { 3, 150, 150, 190, 150 }, { 1, 110, 118, 120, 118 },
                                        { 3, 20, 30, 20, 210 },    { 1, 270, 60, 290, 118 } };
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  GBytes *masks[N + 1];
  stage_wait_for_final (stage);
  masks[0] = stage_mask (stage);
  for (int i = 0; i < N; i++) {
    const double *s = strokes[i];
    stage_stroke (stage, (guint)s[0], s[1], s[2], s[3], s[4], 9);
    stage_wait_for_final (stage);
    masks[i + 1] = stage_mask (stage);
  }
  g_assert_false (g_bytes_equal (masks[0], masks[1]));
  g_assert_false (g_bytes_equal (masks[2], masks[3]));
  g_assert_false (g_bytes_equal (masks[N - 1], masks[N]));

  for (int i = N - 1; i >= 0; i--) {
    stage_type (stage, GDK_KEY_z, GDK_CONTROL_MASK);
    stage_wait_for_final (stage);
    g_autoptr (GBytes) mask = stage_mask (stage);
    g_assert_true (g_bytes_equal (mask, masks[i]));
  }
  g_assert_false (is_enabled (stage, "undo"));
  for (int i = 1; i <= N; i++) {
    stage_activate (stage, "redo");
    stage_wait_for_final (stage);
    g_autoptr (GBytes) mask = stage_mask (stage);
    g_assert_true (g_bytes_equal (mask, masks[i]));
  }
  g_assert_false (is_enabled (stage, "redo"));
  for (int i = 0; i <= N; i++)
    g_bytes_unref (masks[i]);
}

/* ---- Looking ---- */

/* The mean of a square of 9 widget pixels around an image point. */
static guint32
mean_at (Stage *stage, cairo_surface_t *surface, double image_x, double image_y)
{
  double x, y;
  int sum[3] = { 0 }, n = 0;
  int scale = fs_canvas_get_transform (stage_canvas (stage))->scale;
  stage_to_widget (stage, image_x, image_y, &x, &y);
  for (int j = -4 * scale; j <= 4 * scale; j++)
    for (int i = -4 * scale; i <= 4 * scale; i++, n++) {
      guint32 p = stage_pixel (surface, (int)x * scale + i, (int)y * scale + j);
      sum[0] += FS_PIXEL_R (p);
      sum[1] += FS_PIXEL_G (p);
      sum[2] += FS_PIXEL_B (p);
    }
  return FS_PIXEL (0, sum[0] / n, sum[1] / n, sum[2] / n);
}

static void
assert_colour (guint32 colour, int r, int g, int b)
{
  g_assert_cmpint (ABS (FS_PIXEL_R (colour) - r), <=, 14);
  g_assert_cmpint (ABS (FS_PIXEL_G (colour) - g), <=, 14);
  g_assert_cmpint (ABS (FS_PIXEL_B (colour) - b), <=, 14);
}

static cairo_surface_t *
shoot_view (Stage *stage, const char *view)
{
  g_action_group_change_action_state (G_ACTION_GROUP (stage->window), "view",
                                      g_variant_new_string (view));
  stage_frame (stage);
  return stage_shoot (GTK_WIDGET (stage_canvas (stage)));
}

/* Inside of the disc, outside of it, in each view: scene.c's colours or what the view makes of
 * them. */
static void
test_views (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  cairo_surface_t *marks = shoot_view (stage, "marks");
  assert_colour (mean_at (stage, marks, 190, 80), 214, 160, 70);
  assert_colour (mean_at (stage, marks, 40, 200), 40, 70, 96);
  guint32 stroke = mean_at (stage, marks, 170, 115);
  g_assert_cmpint (FS_PIXEL_B (stroke), >, FS_PIXEL_R (stroke) + 50);
  cairo_surface_t *overlay = shoot_view (stage, "overlay");
  assert_colour (mean_at (stage, overlay, 190, 80), 214, 160, 70);
  guint32 dimmed = mean_at (stage, overlay, 40, 200);
  g_assert_cmpint (FS_PIXEL_G (dimmed), <, 60);
  cairo_surface_t *cutout = shoot_view (stage, "cutout");
  assert_colour (mean_at (stage, cutout, 190, 80), 214, 160, 70);
  assert_colour (mean_at (stage, cutout, 170, 115), 214, 160, 70);
  g_assert_cmpint (FS_PIXEL_R (mean_at (stage, cutout, 40, 200)), >, 160);
  cairo_surface_t *mask = shoot_view (stage, "mask");
  assert_colour (mean_at (stage, mask, 190, 80), 255, 255, 255);
  assert_colour (mean_at (stage, mask, 40, 200), 0, 0, 0);
  cairo_surface_destroy (marks);
  cairo_surface_destroy (overlay);
  cairo_surface_destroy (cutout);
  cairo_surface_destroy (mask);
}

static GObject *
area (gpointer widget, GType type, const char *name)
{
  GObject *object = gtk_widget_get_template_child (widget, type, name);
  g_assert_nonnull (object);
  return object;
}

static gboolean
button_is_active (Stage *stage, const char *name)
{
  return gtk_toggle_button_get_active (
      GTK_TOGGLE_BUTTON (area (stage->window, FS_TYPE_WINDOW, name)));
}

/* Buttons, menu states and keys are one thing. */
static void
test_choices_agree (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsTools *tools = fs_window_get_tools (stage->window);
  stage_open_scene (stage);
  g_assert_true (button_is_active (stage, "tool_object"));
  g_assert_true (button_is_active (stage, "view_overlay"));
  stage_type (stage, GDK_KEY_n, 0);
  g_assert_true (button_is_active (stage, "tool_background"));
  g_assert_false (button_is_active (stage, "tool_object"));
  gtk_button_clicked (GTK_BUTTON (area (stage->window, FS_TYPE_WINDOW, "tool_eraser")));
  g_assert_cmpint (fs_tools_get_tool (tools), ==, FS_TOOL_ERASER);
  gtk_button_clicked (GTK_BUTTON (area (stage->window, FS_TYPE_WINDOW, "view_mask")));
  g_assert_cmpint (fs_tools_get_view (tools), ==, FS_VIEW_MASK);
  stage_type (stage, GDK_KEY_f, 0);
  g_assert_cmpint (fs_tools_get_view (tools), ==, FS_VIEW_EDGE);
  stage_type (stage, GDK_KEY_f, 0);
  g_assert_true (button_is_active (stage, "view_marks"));
  g_assert_cmpint (fs_tools_get_view (tools), ==, FS_VIEW_MARKS);
}

static void
test_settings (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  GObject *panel = area (stage->window, FS_TYPE_WINDOW, "settings_panel");
  GObject *smoothness = area (panel, FS_TYPE_SETTINGS_PANEL, "smoothness");
  g_assert_cmpfloat (gtk_adjustment_get_value (GTK_ADJUSTMENT (smoothness)), ==, 0);

  gtk_adjustment_set_value (GTK_ADJUSTMENT (smoothness), -3);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (
                                    area (panel, FS_TYPE_SETTINGS_PANEL, "neighbours_4")),
                                TRUE);
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (area (panel, FS_TYPE_SETTINGS_PANEL, "model")),
                               "geodesic");
  GObject *stability = area (panel, FS_TYPE_SETTINGS_PANEL, "stability");
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (stability)));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (stability), FALSE);
  FsSettings settings = fs_document_get_settings (stage_document (stage));
  g_assert_cmpfloat_with_epsilon (settings.smoothness, 0.125, 1e-12);
  g_assert_cmpint (settings.neighbours, ==, FS_NEIGHBOURS_4);
  g_assert_cmpint (settings.model, ==, FS_MODEL_GEODESIC);
  g_assert_false (settings.stability);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);

  /* One by one, which leaves the others. */
  GObject *alone = area (panel, FS_TYPE_SETTINGS_PANEL, "reset_smoothness");
  g_assert_false (
      gtk_widget_get_sensitive (GTK_WIDGET (area (panel, FS_TYPE_SETTINGS_PANEL, "reset_model"))));
  gtk_button_clicked (GTK_BUTTON (alone));
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (alone)));
  settings = fs_document_get_settings (stage_document (stage));
  g_assert_cmpfloat (settings.smoothness, ==, 1);
  g_assert_cmpint (settings.neighbours, ==, FS_NEIGHBOURS_4);
  gtk_button_clicked (GTK_BUTTON (area (panel, FS_TYPE_SETTINGS_PANEL, "reset_neighbours")));
  settings = fs_document_get_settings (stage_document (stage));
  g_assert_cmpint (settings.neighbours, ==, FS_NEIGHBOURS_8);
  g_assert_false (settings.stability);
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (area (panel, FS_TYPE_SETTINGS_PANEL, "model")),
                               "gmm");
  gtk_button_clicked (GTK_BUTTON (area (panel, FS_TYPE_SETTINGS_PANEL, "reset_model")));
  settings = fs_document_get_settings (stage_document (stage));
  g_assert_cmpint (settings.model, ==, FS_MODEL_GEODESIC);

  gtk_button_clicked (GTK_BUTTON (area (panel, FS_TYPE_SETTINGS_PANEL, "reset")));
  settings = fs_document_get_settings (stage_document (stage));
  g_assert_cmpfloat (settings.smoothness, ==, 1);
  g_assert_cmpint (settings.neighbours, ==, FS_NEIGHBOURS_8);
  g_assert_cmpint (settings.model, ==, FS_SETTINGS_DEFAULT.model);
  g_assert_true (settings.stability);
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);
}

static void
assert_all_of_photo_takes_strokes (Stage *stage)
{
  GtkWidget *canvas = GTK_WIDGET (stage_canvas (stage));
  int width = gtk_widget_get_allocated_width (canvas);
  int height = gtk_widget_get_allocated_height (canvas);
  for (int i = 0; i < 100; i++) {
    int x = 2 + (width - 5) * (i % 10) / 9, y = 2 + (height - 5) * (i / 10) / 9;
    g_assert_true (stage_widget_under_pointer (canvas, x, y) == canvas);
  }
}

/* What is closed, and what only says something, lies in nobody's way. */
static void
test_pointer_reaches_photo (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  gtk_window_resize (GTK_WINDOW (stage->window), 1100, 700);
  stage_frame (stage);
  assert_all_of_photo_takes_strokes (stage);
  for (int i = 0; i < 2; i++) {
    stage_type (stage, GDK_KEY_F9, 0);
    stage_frame (stage);
    assert_all_of_photo_takes_strokes (stage);
  }
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  fs_message_bar_show (messages, GTK_MESSAGE_INFO, "Saved.");
  stage_frame (stage);
  fs_message_bar_clear (messages);
  stage_frame (stage);
  assert_all_of_photo_takes_strokes (stage);
}

static void
scroll_down (GtkWidget *widget)
{
  g_autoptr (GdkEvent) event = gdk_event_new (GDK_SCROLL);
  event->scroll.window = g_object_ref (gtk_widget_get_window (widget));
  event->scroll.direction = GDK_SCROLL_DOWN;
  gdk_event_set_device (event, gdk_seat_get_pointer (
                                   gdk_display_get_default_seat (gtk_widget_get_display (widget))));
  gtk_propagate_event (widget, event);
}

/* Who scrolls through the settings wants to see them, not to change what lies under the wheel. */
static void
test_wheel_keeps_settings (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  gtk_window_resize (GTK_WINDOW (stage->window), 1100, 600);
  stage_type (stage, GDK_KEY_F9, 0);
  stage_frame (stage);
  GtkWidget *side = fs_window_get_side_panel (stage->window);
  GtkAdjustment *place = gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (gtk_bin_get_child (GTK_BIN (side))));
  GObject *panel = area (stage->window, FS_TYPE_WINDOW, "settings_panel");
  FsSettings before = fs_document_get_settings (stage_document (stage));
  static const char *const under[] = { "smoothness_scale", "model" };
  for (gsize i = 0; i < G_N_ELEMENTS (under); i++) {
    double at = gtk_adjustment_get_value (place);
    scroll_down (GTK_WIDGET (area (panel, FS_TYPE_SETTINGS_PANEL, under[i])));
    stage_frame (stage);
    FsSettings after = fs_document_get_settings (stage_document (stage));
    g_assert_true (fs_settings_equal (&before, &after));
    g_assert_cmpfloat (gtk_adjustment_get_value (place), >, at);
  }
}

/* Relative luminance and contrast as in WCAG 2. */
static double
linear (double channel)
{
  return channel <= 0.04045 ? channel / 12.92 : pow ((channel + 0.055) / 1.055, 2.4);
}

static double
luminance (const GdkRGBA *c)
{
  return 0.2126 * linear (c->red) + 0.7152 * linear (c->green) + 0.0722 * linear (c->blue);
}

static double
text_contrast (GtkWidget *label, GtkWidget *box)
{
  g_autoptr (GdkRGBA) ground = NULL;
  GdkRGBA text;
  GtkStyleContext *context = gtk_widget_get_style_context (box);
  gtk_style_context_get (context, gtk_style_context_get_state (context), "background-color",
                         &ground, NULL);
  context = gtk_widget_get_style_context (label);
  gtk_style_context_get_color (context, gtk_style_context_get_state (context), &text);
  double a = luminance (&text), b = luminance (ground);
  return (fmax (a, b) + 0.05) / (fmin (a, b) + 0.05);
}

static void
test_messages_can_be_read (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  GtkWidget *label = GTK_WIDGET (area (messages, FS_TYPE_MESSAGE_BAR, "message_label"));
  GtkWidget *bar = gtk_widget_get_ancestor (label, GTK_TYPE_INFO_BAR);
  static const GtkMessageType types[] = { GTK_MESSAGE_INFO, GTK_MESSAGE_WARNING,
                                          GTK_MESSAGE_ERROR };
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++) {
    fs_message_bar_show (messages, types[i], "What is said.");
    stage_frame (stage);
    /* The bar's box: infobar > revealer > box. */
    GtkWidget *box = label;
    while (gtk_widget_get_parent (gtk_widget_get_parent (box)) != bar)
      box = gtk_widget_get_parent (box);
    g_assert_cmpfloat (text_contrast (label, box), >=, 4.5);
  }
}

/* The settings lie beside the photo, as long as there is room for both. */
static void
test_side_panel (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  GtkWidget *panel = fs_window_get_side_panel (stage->window);
  GtkWidget *canvas = GTK_WIDGET (stage_canvas (stage));
  gtk_window_resize (GTK_WINDOW (stage->window), 1100, 700);
  stage_frame (stage);
  int wide = gtk_widget_get_allocated_width (canvas);
  g_assert_false (gtk_revealer_get_child_revealed (GTK_REVEALER (panel)));
  stage_type (stage, GDK_KEY_F9, 0);
  stage_frame (stage);
  g_assert_true (gtk_revealer_get_child_revealed (GTK_REVEALER (panel)));
  int width = gtk_widget_get_allocated_width (panel);
  g_assert_cmpint (width, >, 200);
  g_assert_cmpint (gtk_widget_get_allocated_width (canvas), ==, wide - width);

  gtk_window_resize (GTK_WINDOW (stage->window), 760, 700);
  stage_frame (stage);
  stage_frame (stage);
  g_assert_cmpint (gtk_widget_get_allocated_width (canvas), >, 760 - width);
  g_assert_true (gtk_revealer_get_child_revealed (GTK_REVEALER (panel)));

  /* Keys that paint go on working. */
  stage_type (stage, GDK_KEY_F9, 0);
  stage_frame (stage);
  g_assert_false (gtk_revealer_get_child_revealed (GTK_REVEALER (panel)));
  stage_type (stage, GDK_KEY_e, 0);
  g_assert_cmpint (fs_tools_get_tool (fs_window_get_tools (stage->window)), ==, FS_TOOL_ERASER);
}

/* Strokes keep the final mask before them, and the mask that they leave follows from that. */
static void
test_stability (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  FsDocument *document = stage_document (stage);
  stage_paint_both (stage);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 60, 180, 90, 190, 8);
  stage_wait_for_final (stage);
  g_assert_cmpuint (fs_document_get_n_strokes (document), ==, 3);
  g_assert_cmpuint (fs_document_get_stroke (document, 2)->after, ==, 2);
  stage_assert_fresh (stage);
}

/* ---- Through the X server ---- */

static gboolean
is_null (gpointer data)
{
  return *(gpointer *)data == NULL;
}

static void
on_tool_done (GObject *process, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_subprocess_wait_check_finish (G_SUBPROCESS (process), result, &error);
  g_assert_no_error (error);
  *(gpointer *)user_data = NULL;
}

static void
xdotool (const char *arguments)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char *line = g_strdup_printf ("xdotool %s", arguments);
  g_assert_true (g_shell_parse_argv (line, NULL, &words, NULL));
  g_autoptr (GSubprocess) process =
      g_subprocess_newv ((const char *const *)words, G_SUBPROCESS_FLAGS_NONE, &error);
  g_assert_no_error (error);
  gpointer running = process;
  g_subprocess_wait_check_async (process, NULL, on_tool_done, &running);
  stage_wait (is_null, &running);
}

static gboolean
can_undo (gpointer document)
{
  return fs_document_can_undo (document);
}

static gboolean
holds_background (gpointer tools)
{
  return fs_tools_get_tool (tools) == FS_TOOL_BACKGROUND;
}

static void
test_real_pointer (void)
{
  g_autofree char *program = g_find_program_in_path ("xdotool");
  if (program == NULL) {
    g_test_skip ("xdotool is not installed");
    return;
  }
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  GdkWindow *canvas = gtk_widget_get_window (GTK_WIDGET (stage_canvas (stage)));
  int scale = gdk_window_get_scale_factor (canvas);
  int origin_x, origin_y;
  double x, y;
  gdk_window_get_origin (canvas, &origin_x, &origin_y);
  stage_to_widget (stage, 170, 118, &x, &y);
  int from_x = (origin_x + (int)x) * scale, from_y = (origin_y + (int)y) * scale;
  g_autofree char *drag =
      g_strdup_printf ("mousemove %d %d mousedown 1 mousemove %d %d mousemove %d %d mouseup 1",
                       from_x, from_y, from_x + 30, from_y + 10, from_x + 60, from_y + 10);
  xdotool (drag);
  stage_wait (can_undo, stage_document (stage));
  const uint8_t *marks = fs_document_get_marks (stage_document (stage));
  g_assert_cmpint (marks[118 * SCENE_WIDTH + 170], ==, FS_SEED_OBJECT);

  GdkWindow *window = gtk_widget_get_window (GTK_WIDGET (stage->window));
  g_autofree char *key =
      g_strdup_printf ("windowfocus --sync %lu key x", gdk_x11_window_get_xid (window));
  xdotool (key);
  stage_wait (holds_background, fs_window_get_tools (stage->window));
  stage_wait_for_final (stage);
  stage_assert_fresh (stage);
}

/* ---- Names for the screen reader ---- */

static gboolean
needs_name (AtkRole role)
{
  return role == ATK_ROLE_PUSH_BUTTON || role == ATK_ROLE_TOGGLE_BUTTON
         || role == ATK_ROLE_RADIO_BUTTON || role == ATK_ROLE_SLIDER
         || role == ATK_ROLE_DRAWING_AREA || role == ATK_ROLE_PROGRESS_BAR;
}

static guint
check_name (AtkObject *object)
{
  GtkWidget *widget = gtk_accessible_get_widget (GTK_ACCESSIBLE (object));
  const char *name = atk_object_get_name (object);
  /* Parts of GTK's own that are never shown need none. */
  if (!gtk_widget_get_visible (widget))
    return 0;
  if (name == NULL || *name == '\0') {
    g_autofree char *path = gtk_widget_path_to_string (gtk_widget_get_path (widget));
    g_error ("no name: %s", path);
  }
  return 1;
}

static guint
check_names (AtkObject *object)
{
  guint n = needs_name (atk_object_get_role (object)) ? check_name (object) : 0;
  for (int i = 0; i < atk_object_get_n_accessible_children (object); i++) {
    g_autoptr (AtkObject) child = atk_object_ref_accessible_child (object, i);
    if (child != NULL)
      n += check_names (child);
  }
  return n;
}

static void
test_names (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  GObject *panel = area (stage->window, FS_TYPE_WINDOW, "settings_panel");
  g_assert_cmpuint (check_names (gtk_widget_get_accessible (GTK_WIDGET (panel))), >=, 4);
  g_assert_cmpuint (check_names (gtk_widget_get_accessible (GTK_WIDGET (stage->window))), >=, 16);
}

/* ---- A photo of 12 megapixels ---- */

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
  return (x > y) - (x < y);
}

static char *
shared_photo (void)
{
  const char *shared = g_getenv ("FRETSAW_SHARED");
  const char *source = g_getenv ("FRETSAW_SOURCE");
  if (shared != NULL)
    return g_build_filename (shared, "data", "photos", "large", "bus-12mp.jpg", NULL);
  return g_build_filename (source != NULL ? source : ".", "..", "shared", "data", "photos", "large",
                           "bus-12mp.jpg", NULL);
}

static void
on_mask_updated (FsDocument *document, gpointer rects, guint n_rects, GArray *latencies)
{
  gint64 latency_us = fs_document_get_status (document).latency_us;
  if (latency_us > 0)
    g_array_append_val (latencies, latency_us);
}

static void
print_times (const char *what, GArray *times)
{
  if (times->len == 0)
    return;
  g_array_sort (times, compare_times);
  g_test_message ("12 MP: %s: median %.1f ms, worst %.1f ms (%u)", what,
                  g_array_index (times, gint64, times->len / 2) / 1e3,
                  g_array_index (times, gint64, times->len - 1) / 1e3, times->len);
}

/* Paints and waits for the final mask; returns how long that took after the button came up. */
static gint64
time_stroke (Stage *stage, const double *s)
{
  stage_stroke (stage, (guint)s[0], s[1], s[2], s[3], s[4], 16);
  gint64 released_us = g_get_monotonic_time ();
  while (!fs_document_get_status (stage_document (stage)).is_final)
    g_main_context_iteration (NULL, TRUE);
  return g_get_monotonic_time () - released_us;
}

/* How long masks take to follow is printed for people to read, not judged by a test. The first
 * stroke of each kind makes the colour models; those after them are what one works with. */
static void
test_large_photo (void)
{
  static const double strokes[][5] = {
    { 1, 300, 1600, 500, 1750 },   { 3, 500, 400, 3600, 500 },  { 3, 1000, 2700, 3500, 2750 },
    { 3, 1700, 1600, 2600, 1700 }, { 1, 150, 1700, 700, 1850 }, { 3, 3000, 1500, 3200, 1700 },
    { 1, 560, 1450, 690, 1460 },
  };
  const gint64 budget_us = 60 * G_USEC_PER_SEC;
  g_autofree char *path = shared_photo ();
  if (IS_SANITIZED) {
    g_test_skip ("times under a sanitizer say nothing");
    return;
  }
  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_test_skip ("the photo of 12 megapixels is not here");
    return;
  }
  g_autoptr (Stage) stage = stage_new ();
  g_autoptr (GArray) final_masks = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) masks = g_array_new (FALSE, FALSE, sizeof (gint64));
  stage_open (stage, path);
  stage_wait_for_final (stage);
  gint64 start_us = g_get_monotonic_time ();
  for (guint i = 0; i < G_N_ELEMENTS (strokes); i++) {
    if (i == 2)
      g_signal_connect (stage_document (stage), "mask-updated", G_CALLBACK (on_mask_updated),
                        masks);
    gint64 time_us = time_stroke (stage, strokes[i]);
    g_test_message ("12 MP: stroke %u: final mask %.1f ms after its end", i + 1, time_us / 1e3);
    if (i >= 2)
      g_array_append_val (final_masks, time_us);
    if (i >= 2 && g_get_monotonic_time () - start_us > budget_us)
      break;
  }
  g_signal_handlers_disconnect_by_data (stage_document (stage), masks);
  g_assert_true (fs_document_get_status (stage_document (stage)).exact);
  print_times ("further strokes, masks while the brush is down", masks);
  print_times ("further strokes, final mask after the end", final_masks);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/empty", test_empty);
  g_test_add_func ("/window/paint", test_paint);
  g_test_add_func ("/window/undo-redo", test_undo_redo);
  g_test_add_func ("/window/views", test_views);
  g_test_add_func ("/window/choices-agree", test_choices_agree);
  g_test_add_func ("/window/settings", test_settings);
  g_test_add_func ("/window/pointer-reaches-photo", test_pointer_reaches_photo);
  g_test_add_func ("/window/wheel-keeps-settings", test_wheel_keeps_settings);
  g_test_add_func ("/window/messages-can-be-read", test_messages_can_be_read);
  g_test_add_func ("/window/side-panel", test_side_panel);
  g_test_add_func ("/window/stability", test_stability);
  g_test_add_func ("/window/real-pointer", test_real_pointer);
  g_test_add_func ("/window/names", test_names);
  g_test_add_func ("/window/large-photo", test_large_photo);
  return g_test_run ();
}
