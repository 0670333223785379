/* SPDX-License-Identifier: MIT */
/* Plays a session in the real window and saves what it looks like:
 *   tests/gui/on_screen.sh build/tests/gui/shots OUTPUT_FOLDER [NAME]
 * With a name only the window at work, under that name, in the environment's theme and scale.
 */
#include "tests/gui/stage.h"

#include <glib/gstdio.h>

#define MAX_POINTS 8

/* Points in image pixels of the sample; a brush in widget pixels. */
typedef struct {
  guint button;
  int brush;
  int n_points;
  double points[MAX_POINTS][2];
} Stroke;

static const Stroke strokes[] = {
  { 1, 14, 5, { { 548, 210 }, { 512, 330 }, { 560, 530 }, { 690, 650 }, { 880, 680 } } },
  { 1, 14, 5, { { 565, 192 }, { 640, 225 }, { 740, 350 }, { 890, 520 }, { 1020, 600 } } },
  { 3, 14, 5, { { 90, 120 }, { 300, 85 }, { 640, 100 }, { 760, 170 }, { 830, 230 } } },
  { 3, 14, 5, { { 830, 230 }, { 950, 235 }, { 1050, 340 }, { 1090, 420 }, { 1090, 560 } } },
  { 3, 14, 5, { { 80, 580 }, { 260, 560 }, { 420, 610 }, { 480, 690 }, { 560, 800 } } },
  { 3, 14, 4, { { 120, 900 }, { 480, 980 }, { 900, 960 }, { 1530, 910 } } },
  { 3, 12, 2, { { 1190, 990 }, { 1290, 975 } } },
  { 3, 14, 4, { { 1180, 420 }, { 1340, 415 }, { 1480, 530 }, { 1420, 640 } } },
  { 3, 10, 4, { { 1035, 695 }, { 1150, 760 }, { 1150, 830 }, { 870, 800 } } },
  { 1, 8, 2, { { 1035, 628 }, { 1270, 714 } } },
  { 1, 5, 3, { { 762, 700 }, { 778, 780 }, { 760, 880 } } },
  { 1, 5, 3, { { 812, 710 }, { 806, 780 }, { 792, 862 } } },
  { 1, 4, 2, { { 262, 400 }, { 368, 320 } } },
  { 1, 6, 2, { { 425, 303 }, { 480, 290 } } },
  { 1, 10, 4, { { 738, 325 }, { 853, 373 }, { 978, 476 }, { 1035, 572 } } },
  { 1, 10, 5, { { 590, 300 }, { 565, 370 }, { 600, 489 }, { 711, 604 }, { 850, 629 } } },
  { 1, 3, 3, { { 302, 262 }, { 316, 290 }, { 338, 318 } } },
  { 1, 3, 3, { { 340, 268 }, { 372, 272 }, { 400, 288 } } },
  { 1, 4, 2, { { 338, 365 }, { 400, 398 } } },
  { 1, 4, 2, { { 185, 446 }, { 250, 411 } } },
  { 3, 5, 2, { { 1040, 668 }, { 1078, 682 } } },
  { 3, 4, 2, { { 792, 790 }, { 786, 850 } } },
};

/* A smooth curve through the points (Catmull & Rom 1974). */
static double
curve (const Stroke *stroke, int axis, double at)
{
  int i = MIN ((int)at, stroke->n_points - 2);
  double t = at - i;
  double p[4];
  for (int k = 0; k < 4; k++)
    p[k] = stroke->points[CLAMP (i - 1 + k, 0, stroke->n_points - 1)][axis];
  return 0.5
         * (2 * p[1] + (p[2] - p[0]) * t + (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3]) * t * t
            + (3 * p[1] - p[0] - 3 * p[2] + p[3]) * t * t * t);
}

static gboolean
note_passed (gpointer passed)
{
  *(gboolean *)passed = TRUE;
  return G_SOURCE_REMOVE;
}

static gboolean
has_passed (gpointer passed)
{
  return *(gboolean *)passed;
}

/* As a mouse would: what is measured meanwhile is what a person would wait for. */
static void
pause_ms (guint ms)
{
  gboolean passed = FALSE;
  g_timeout_add_full (G_PRIORITY_HIGH, ms, note_passed, &passed, NULL);
  stage_wait (has_passed, &passed);
}

static void
play (Stage *stage, const Stroke *stroke)
{
  int n = 24 * (stroke->n_points - 1);
  double x, y;
  fs_tools_set_brush_size (fs_window_get_tools (stage->window), stroke->brush);
  for (int i = 0; i <= n; i++) {
    double at = (double)i * (stroke->n_points - 1) / n;
    stage_to_widget (stage, curve (stroke, 0, at), curve (stroke, 1, at), &x, &y);
    if (i == 0)
      stage_press (stage, stroke->button, x, y);
    else
      stage_move (stage, x, y);
    pause_ms (8);
  }
  stage_release (stage, stroke->button, x, y);
  stage_settle (stage);
}

/* The window without the frame that a screen without a compositor puts around it. */
static void
save (Stage *stage, const char *folder, const char *name)
{
  GtkWidget *window = GTK_WIDGET (stage->window);
  GtkAllocation title, content;
  stage_frame (stage);
  gtk_widget_get_allocation (gtk_window_get_titlebar (GTK_WINDOW (window)), &title);
  gtk_widget_get_allocation (gtk_bin_get_child (GTK_BIN (window)), &content);
  cairo_surface_t *shot = stage_shoot (window);
  cairo_surface_t *inner =
      cairo_surface_create_for_rectangle (shot, content.x, title.y, content.width,
                                          title.height + content.height);
  g_autofree char *file = g_strdup_printf ("%s.png", name);
  g_autofree char *path = g_build_filename (folder, file, NULL);
  if (cairo_surface_write_to_png (inner, path) != CAIRO_STATUS_SUCCESS)
    g_error ("%s cannot be written", path);
  g_print ("%s\n", path);
  cairo_surface_destroy (inner);
  cairo_surface_destroy (shot);
}

/* What the strokes took. */
static void
save_latencies (Stage *stage, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json = fs_latency_probe_to_json (fs_canvas_get_probe (stage_canvas (stage)));
  g_autofree char *path = g_build_filename (folder, "latency.json", NULL);
  g_file_set_contents (path, json, -1, &error);
  g_assert_no_error (error);
  g_print ("%s\n", path);
}

static void
shoot_views (Stage *stage, const char *folder)
{
  g_autoptr (GEnumClass) views = g_type_class_ref (FS_TYPE_VIEW);
  for (guint i = 0; i < views->n_values; i++) {
    fs_tools_set_view (fs_window_get_tools (stage->window), (FsView)views->values[i].value);
    save (stage, folder, views->values[i].value_nick);
  }
}

static void
open_sample (Stage *stage, const char *sample)
{
  gtk_window_resize (GTK_WINDOW (stage->window), 1180, 820);
  stage_open (stage, sample);
  g_assert_nonnull (stage_document (stage));
}

static void
play_all (Stage *stage)
{
  for (gsize i = 0; i < G_N_ELEMENTS (strokes); i++)
    play (stage, &strokes[i]);
}

/* With the brush where one would paint on. */
static void
save_at_work (Stage *stage, const char *folder, const char *name)
{
  double x, y;
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_OVERLAY);
  fs_tools_set_brush_size (fs_window_get_tools (stage->window), 28);
  stage_to_widget (stage, 900, 480, &x, &y);
  stage_move (stage, x, y);
  save (stage, folder, name);
}

static gboolean
is_panel_open (gpointer popover)
{
  return gtk_widget_get_mapped (popover);
}

static void
shoot_panel (Stage *stage, const char *folder, const char *panel, const char *name)
{
  GObject *child =
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, panel);
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (child), GTK_TYPE_POPOVER);
  gtk_popover_popup (GTK_POPOVER (popover));
  stage_wait (is_panel_open, popover);
  save (stage, folder, name);
  gtk_popover_popdown (GTK_POPOVER (popover));
  stage_frame (stage);
}

static void
play_session (const char *folder, const char *sample)
{
  g_autoptr (Stage) stage = stage_new ();
  gtk_window_resize (GTK_WINDOW (stage->window), 1180, 820);
  save (stage, folder, "empty");
  open_sample (stage, sample);
  save (stage, folder, "opened");

  fs_latency_probe_reset (fs_canvas_get_probe (stage_canvas (stage)));
  play_all (stage);
  save_latencies (stage, folder);
  shoot_views (stage, folder);
  save_at_work (stage, folder, "window");
  shoot_panel (stage, folder, "settings_panel", "settings");
  shoot_panel (stage, folder, "tool_panel", "tools");
}

/* A lasso about the bird, and what it gives at once. */
static void
shoot_lasso (const char *folder, const char *sample)
{
  static const double outline[][2] = { { 230, 270 },  { 480, 130 },  { 720, 150 },  { 960, 310 },
                                       { 1130, 500 }, { 1330, 680 }, { 1300, 770 }, { 1000, 720 },
                                       { 880, 760 },  { 880, 960 },  { 640, 960 },  { 640, 830 },
                                       { 470, 620 },  { 330, 470 },  { 150, 480 },  { 190, 340 } };
  g_autoptr (Stage) stage = stage_new ();
  open_sample (stage, sample);
  fs_tools_set_tool (fs_window_get_tools (stage->window), FS_TOOL_LASSO);
  for (gsize i = 0; i < G_N_ELEMENTS (outline); i++) {
    double x, y;
    stage_to_widget (stage, outline[i][0], outline[i][1], &x, &y);
    if (i == 0)
      stage_press (stage, GDK_BUTTON_PRIMARY, x, y);
    else
      stage_move (stage, x, y);
    if (i + 1 == G_N_ELEMENTS (outline))
      stage_release (stage, GDK_BUTTON_PRIMARY, x, y);
  }
  stage_settle (stage);
  save (stage, folder, "lasso");
}

/* The window alone, in the theme and at the scale of the environment. */
static void
shoot_window (const char *folder, const char *sample, const char *name)
{
  g_autoptr (Stage) stage = stage_new ();
  open_sample (stage, sample);
  play_all (stage);
  save_at_work (stage, folder, name);
}

static void
shoot_error (const char *folder)
{
  g_autoptr (Stage) stage = stage_new ();
  gtk_window_resize (GTK_WINDOW (stage->window), 1180, 820);
  g_autofree char *broken = g_build_filename (stage->folder, "holiday.jpg", NULL);
  g_file_set_contents (broken, "no photo", -1, NULL);
  stage_open (stage, broken);
  save (stage, folder, "error");
}

int
main (int argc, char **argv)
{
  if (argc != 2 && argc != 3) {
    g_printerr ("usage: shots OUTPUT_FOLDER [NAME]\n");
    return 2;
  }
  if (argc == 2)
    g_setenv ("GTK_THEME", "Adwaita:dark", TRUE);
  gtk_init (NULL, NULL);
  g_object_set (gtk_settings_get_default (), "gtk-font-name", "Cantarell 11", NULL);
  const char *source = g_getenv ("FRETSAW_SOURCE");
  g_autofree char *sample =
      g_build_filename (source != NULL ? source : ".", "data", "sample", "sample.jpg", NULL);
  g_mkdir_with_parents (argv[1], 0755);
  if (argc == 3) {
    shoot_window (argv[1], sample, argv[2]);
    return 0;
  }
  play_session (argv[1], sample);
  shoot_lasso (argv[1], sample);
  shoot_error (argv[1]);
  return 0;
}
