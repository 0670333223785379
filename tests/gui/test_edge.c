/* SPDX-License-Identifier: MIT */
/* The edge in the real window: its sliders, its brushes, and what the views show of it. */
#include "app/live/document_edge.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/save/export_choice.h"
#include "ui/settings/edge_panel.h"
#include "ui/status/status_line.h"
#include "ui/view/views.h"

#include <string.h>

static GObject *
panel_child (Stage *stage, const char *name)
{
  GObject *panel =
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, "edge_panel");
  GObject *child = gtk_widget_get_template_child (GTK_WIDGET (panel), FS_TYPE_EDGE_PANEL, name);
  g_assert_nonnull (child);
  return child;
}

static void
set_value (Stage *stage, const char *name, double value)
{
  gtk_adjustment_set_value (GTK_ADJUSTMENT (panel_child (stage, name)), value);
}

static void
click (Stage *stage, const char *name)
{
  gtk_button_clicked (GTK_BUTTON (panel_child (stage, name)));
}

static gboolean
can_click (Stage *stage, const char *name)
{
  return gtk_widget_get_sensitive (GTK_WIDGET (panel_child (stage, name)));
}

static guint
count_edits (Stage *stage)
{
  guint n;
  fs_document_get_edge_edits (stage_document (stage), &n);
  return n;
}

static gboolean
is_edge_shown (gpointer data)
{
  return !fs_live_edge_is_busy (fs_canvas_get_edge (stage_canvas (data)));
}

static void
test_sliders (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  guint64 generation = fs_document_get_status (document).generation;
  g_assert_false (can_click (stage, "reset"));
  g_assert_true (
      gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (panel_child (stage, "automatic"))));

  /* A drag is one edit. */
  for (int i = 1; i <= 8; i++)
    set_value (stage, "shift", i * 0.5);
  g_assert_cmpint (fs_document_get_edge_settings (document).shift_tenths, ==, 40);
  g_assert_cmpuint (count_edits (stage), ==, 1);
  set_value (stage, "contrast", 30);
  set_value (stage, "smooth", 2);
  set_value (stage, "clean", 60);
  set_value (stage, "specks", 50);
  set_value (stage, "holes", 70);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (panel_child (stage, "automatic")), FALSE);
  set_value (stage, "width", 7);
  const FsEdgeSettings expected = { 7, 40, 30, 2, 60, 50, 70 };
  FsEdgeSettings settings = fs_document_get_edge_settings (document);
  g_assert_true (fs_edge_settings_equal (&settings, &expected));

  stage_activate (stage, "undo");
  stage_activate (stage, "undo");
  g_assert_cmpint (fs_document_get_edge_settings (document).width_px, ==, FS_EDGE_WIDTH_AUTO);
  g_assert_true (
      gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (panel_child (stage, "automatic"))));
  g_assert_false (can_click (stage, "reset_width"));
  click (stage, "reset_shift");
  g_assert_cmpint (fs_document_get_edge_settings (document).shift_tenths, ==, 0);
  g_assert_false (can_click (stage, "reset_shift"));
  g_assert_true (can_click (stage, "reset_contrast"));
  click (stage, "reset");
  settings = fs_document_get_edge_settings (document);
  g_assert_true (fs_edge_settings_equal (&settings, &FS_EDGE_SETTINGS_DEFAULT));
  g_assert_false (can_click (stage, "reset"));
  g_assert_cmpfloat (gtk_adjustment_get_value (GTK_ADJUSTMENT (panel_child (stage, "holes"))), ==,
                     0);
  /* Nothing of it was an edit of the mask. */
  g_assert_cmpuint (fs_document_get_status (document).generation, ==, generation);
}

static guint
count_zone (Stage *stage, FsEdgeZone zone)
{
  const uint8_t *zones = fs_document_get_zones (stage_document (stage));
  guint n = 0;
  for (int i = 0; zones != NULL && i < SCENE_WIDTH * SCENE_HEIGHT; i++)
    n += zones[i] == zone;
  return n;
}

static void
test_brushes (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  g_autoptr (GBytes) mask = stage_mask (stage), marks = stage_marks (stage);
  stage_type (stage, GDK_KEY_w, 0);
  g_assert_cmpint (fs_tools_get_tool (fs_window_get_tools (stage->window)), ==, FS_TOOL_REFINE);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 40, 60, 200, 60, 10);
  stage_frame (stage);
  guint painted = count_zone (stage, FS_EDGE_ZONE_REFINE);
  g_assert_cmpuint (painted, >, 100);
  stage_type (stage, GDK_KEY_q, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 40, 120, 200, 120, 10);
  stage_frame (stage);
  g_assert_cmpuint (count_zone (stage, FS_EDGE_ZONE_HARD), >, 100);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 40, 60, 200, 60, 10);
  stage_frame (stage);
  g_assert_cmpuint (count_zone (stage, FS_EDGE_ZONE_REFINE), <, painted / 4);
  stage_activate (stage, "undo");
  g_assert_cmpuint (count_zone (stage, FS_EDGE_ZONE_REFINE), ==, painted);
  stage_activate (stage, "undo");
  g_assert_cmpuint (count_zone (stage, FS_EDGE_ZONE_HARD), ==, 0);
  g_autoptr (GBytes) mask_after = stage_mask (stage), marks_after = stage_marks (stage);
  g_assert_true (g_bytes_equal (mask, mask_after) && g_bytes_equal (marks, marks_after));
}

/* The pixels of the canvas that have the edge view's colour. */
static int
count_strong (Stage *stage)
{
  fs_tools_set_tool (fs_window_get_tools (stage->window), FS_TOOL_HAND);
  stage_frame (stage);
  cairo_surface_t *shot = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
  int n = 0;
  for (int y = 0; y < cairo_image_surface_get_height (shot); y++)
    for (int x = 0; x < cairo_image_surface_get_width (shot); x++) {
      guint32 p = stage_pixel (shot, x, y);
      n += FS_PIXEL_R (p) > 150 && FS_PIXEL_G (p) < 110 && FS_PIXEL_B (p) > 120;
    }
  cairo_surface_destroy (shot);
  return n;
}

static void
test_edge_view (void)
{
  g_autoptr (Stage) stage = stage_new ();
  const FsEdgeSettings hard = FS_EDGE_SETTINGS_HARD, soft = { .width_px = 8, .clean = 100 };
  stage_open_scene (stage);
  stage_paint_both (stage);
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_EDGE);
  fs_document_set_edge_settings (stage_document (stage), &hard, FALSE);
  stage_wait (is_edge_shown, stage);
  g_assert_cmpuint (fs_live_edge_count_tiles (fs_canvas_get_edge (stage_canvas (stage))), ==, 0);
  g_assert_cmpint (count_strong (stage), ==, 0);
  fs_document_set_edge_settings (stage_document (stage), &soft, FALSE);
  stage_wait (is_edge_shown, stage);
  g_assert_cmpint (count_strong (stage), >, 100);
  /* The smaller levels of the pyramid show it, too. */
  fs_canvas_zoom_step (stage_canvas (stage), FALSE);
  for (int i = 0; i < 12; i++)
    fs_canvas_zoom_step (stage_canvas (stage), FALSE);
  g_assert_cmpint (count_strong (stage), >, 10);
}

/* The pixels of the canvas that are neither black nor white. */
static int
count_grey (Stage *stage)
{
  stage_frame (stage);
  cairo_surface_t *shot = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
  int n = 0;
  for (int y = 0; y < cairo_image_surface_get_height (shot); y++)
    for (int x = 0; x < cairo_image_surface_get_width (shot); x++) {
      const guint32 p = stage_pixel (shot, x, y);
      n += FS_PIXEL_R (p) > 8 && FS_PIXEL_R (p) < 247 && FS_PIXEL_R (p) == FS_PIXEL_G (p)
           && FS_PIXEL_G (p) == FS_PIXEL_B (p);
    }
  cairo_surface_destroy (shot);
  return n;
}

/* The view of the mask shows the mask that is exported. */
static void
test_mask_view (void)
{
  g_autoptr (Stage) stage = stage_new ();
  const FsEdgeSettings soft = { .width_px = 8, .clean = 100 };
  stage_open_scene (stage);
  stage_paint_both (stage);
  fs_tools_set_tool (fs_window_get_tools (stage->window), FS_TOOL_HAND);
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_MASK);
  while (fs_canvas_get_transform (stage_canvas (stage))->zoom < 10)
    fs_canvas_zoom_step (stage_canvas (stage), TRUE);
  fs_document_set_edge_settings (stage_document (stage), &soft, FALSE);
  stage_wait (is_edge_shown, stage);
  const int n_hard = count_grey (stage);
  g_object_set (fs_export_choice_get (), "soft-mask", TRUE, NULL);
  g_assert_cmpint (count_grey (stage), >, n_hard + 1000);
  g_object_set (fs_export_choice_get (), "soft-mask", FALSE, NULL);
  g_assert_cmpint (count_grey (stage), ==, n_hard);
}

/* Points of the row that test_zones_shown paints, and one off it. */
enum { ZONE_ROW = 60, N_PROBES = 5 };
static const int probes[N_PROBES][2] = {
  { 50, ZONE_ROW }, { 100, ZONE_ROW }, { 150, ZONE_ROW }, { 190, ZONE_ROW }, { 20, 220 }
};

/* The canvas's pixels there while a tool is selected. */
static void
probe (Stage *stage, FsTool tool, guint32 *pixels)
{
  fs_tools_set_tool (fs_window_get_tools (stage->window), tool);
  stage_move (stage, 1, 1);
  stage_frame (stage);
  cairo_surface_t *shot = stage_shoot (GTK_WIDGET (stage_canvas (stage)));
  const int scale = fs_canvas_get_transform (stage_canvas (stage))->scale;
  for (int i = 0; i < N_PROBES; i++) {
    double x, y;
    stage_to_widget (stage, probes[i][0] + 0.5, probes[i][1] + 0.5, &x, &y);
    pixels[i] = stage_pixel (shot, (int)x * scale, (int)y * scale) & 0xffffff;
  }
  cairo_surface_destroy (shot);
}

/* Counts the points that look otherwise with a brush for zones than with the hand. */
static int
count_tinted (Stage *stage, FsTool brush)
{
  guint32 with[N_PROBES], without[N_PROBES];
  probe (stage, brush, with);
  probe (stage, FS_TOOL_HAND, without);
  g_assert_cmphex (with[N_PROBES - 1], ==, without[N_PROBES - 1]);
  int n = 0;
  for (int i = 0; i < N_PROBES - 1; i++)
    n += with[i] != without[i];
  return n;
}

/* While a brush for zones is selected every view but the original shows them. */
static void
test_zones_shown (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsTools *tools = fs_window_get_tools (stage->window);
  stage_open_scene (stage);
  stage_paint_both (stage);
  for (FsView view = FS_VIEW_MARKS; view < FS_N_VIEWS; view++) {
    const int n_expected = view == FS_VIEW_MARKS ? 0 : N_PROBES - 1; /* marks: with any tool */
    fs_tools_set_view (tools, view);
    fs_tools_set_tool (tools, FS_TOOL_REFINE);
    stage_stroke (stage, GDK_BUTTON_PRIMARY, 40, ZONE_ROW, 200, ZONE_ROW, 10);
    stage_wait (is_edge_shown, stage);
    g_test_message ("view %d", view);
    g_assert_cmpint (count_tinted (stage, FS_TOOL_REFINE), ==, n_expected);
    g_assert_cmpint (count_tinted (stage, FS_TOOL_HARD), ==, n_expected);
    g_assert_cmpint (count_tinted (stage, FS_TOOL_OBJECT), ==, 0);
    fs_tools_set_comparing (tools, TRUE);
    g_assert_cmpint (count_tinted (stage, FS_TOOL_REFINE), ==, 0);
    fs_tools_set_comparing (tools, FALSE);
    fs_tools_set_tool (tools, FS_TOOL_HARD);
    stage_stroke (stage, GDK_BUTTON_SECONDARY, 40, ZONE_ROW, 200, ZONE_ROW, 10);
    stage_wait (is_edge_shown, stage);
    g_assert_cmpint (count_tinted (stage, FS_TOOL_REFINE), ==, 0);
  }
}

static GtkWidget *
edge_state (Stage *stage)
{
  GObject *line =
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, "status_line");
  GObject *state =
      gtk_widget_get_template_child (GTK_WIDGET (line), FS_TYPE_STATUS_LINE, "edge_state");
  g_assert_nonnull (state);
  return GTK_WIDGET (state);
}

static gboolean
says_edge (gpointer data)
{
  return gtk_widget_is_visible (edge_state (data));
}

/* A slider that moves whenever the edge is done. */
static void
move_slider (Stage *stage)
{
  FsEdgeSettings settings = fs_document_get_edge_settings (stage_document (stage));
  settings.width_px = settings.width_px == 7 ? 8 : 7;
  fs_document_set_edge_settings (stage_document (stage), &settings, TRUE);
}

/* The status line says that the edge is computed, if that takes long, and while no stroke grows. */
static void
test_edge_state (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  stage_wait (is_edge_shown, stage);
  g_assert_false (says_edge (stage));

  FsLiveEdge *edge = fs_canvas_get_edge (stage_canvas (stage));
  const gulong id = g_signal_connect_swapped (edge, "updated", G_CALLBACK (move_slider), stage);
  const gint64 start_us = g_get_monotonic_time ();
  move_slider (stage);
  stage_wait (says_edge, stage);
  g_assert_cmpint (g_get_monotonic_time () - start_us, >=, 290000);
  g_assert_true (fs_live_edge_is_busy (edge));
  g_assert_true (fs_document_get_status (stage_document (stage)).exact);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (edge_state (stage))), ==, "updating the edge…");
  AtkObject *canvas = gtk_widget_get_accessible (GTK_WIDGET (stage_canvas (stage)));
  g_assert_nonnull (strstr (atk_object_get_description (canvas), "updating the edge…"));
  g_signal_handler_disconnect (edge, id);
  stage_wait (is_edge_shown, stage);
  g_assert_false (says_edge (stage));
  g_assert_nonnull (strstr (atk_object_get_description (canvas), "2 strokes, exact"));

  fs_tools_set_tool (fs_window_get_tools (stage->window), FS_TOOL_REFINE);
  double x, y;
  stage_to_widget (stage, 100, 60, &x, &y);
  stage_press (stage, GDK_BUTTON_PRIMARY, x, y);
  stage_frame (stage);
  stage_pause (500);
  g_assert_true (fs_live_edge_is_busy (edge));
  g_assert_false (says_edge (stage));
  stage_release (stage, GDK_BUTTON_PRIMARY, x, y);
  stage_wait (is_edge_shown, stage);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edge/sliders", test_sliders);
  g_test_add_func ("/edge/brushes", test_brushes);
  g_test_add_func ("/edge/view", test_edge_view);
  g_test_add_func ("/edge/mask-view", test_mask_view);
  g_test_add_func ("/edge/zones", test_zones_shown);
  g_test_add_func ("/edge/state", test_edge_state);
  return g_test_run ();
}
