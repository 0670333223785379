/* SPDX-License-Identifier: MIT */
/* Plays a session in the real window and saves what it looks like:
 *   tests/gui/on_screen.sh build/tests/gui/shots OUTPUT_FOLDER [NAME]
 * With a name only the window at work, under that name, in the environment's theme and scale.
 */
#include "app/folder/folder_classes.h"
#include "tests/gui/sample_strokes.h"

#include <glib/gstdio.h>

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

static void
shoot_panel (Stage *stage, const char *folder, const char *name)
{
  stage_activate (stage, "side-panel");
  stage_frame (stage);
  save (stage, folder, name);
  stage_activate (stage, "side-panel");
  stage_frame (stage);
}

/* Before and after, divided where the pointer is. */
static void
shoot_split (Stage *stage, const char *folder)
{
  double x, y;
  stage_to_widget (stage, 700, 480, &x, &y);
  stage_move (stage, x, y);
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_CUTOUT);
  stage_activate (stage, "split");
  save (stage, folder, "split");
  stage_activate (stage, "split");
}

/* As on half of a laptop's screen. */
static void
shoot_narrow (Stage *stage, const char *folder)
{
  int width, height;
  gtk_window_get_size (GTK_WINDOW (stage->window), &width, &height);
  gtk_window_resize (GTK_WINDOW (stage->window), 683, 740);
  stage_frame (stage);
  stage_frame (stage);
  save (stage, folder, "narrow");
  shoot_panel (stage, folder, "narrow-settings");
  gtk_window_resize (GTK_WINDOW (stage->window), width, height);
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
  sample_strokes_play (stage);
  save_latencies (stage, folder);
  shoot_views (stage, folder);
  shoot_split (stage, folder);
  save_at_work (stage, folder, "strokes");
  shoot_panel (stage, folder, "settings");
  shoot_narrow (stage, folder);
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
  stage_wait_for_final (stage);
  save (stage, folder, "lasso");
}

static gboolean
are_separated (gpointer data)
{
  return fs_object_map_is_current (fs_canvas_get_object_map (data));
}

/* Bird and pot, each an object of its own. */
static void
shoot_objects (const char *folder, const char *sample)
{
  static const struct {
    int object; /* 0: background */
    double x0, y0, x1, y1;
  } strokes[] = {
    { 1, 560, 280, 630, 560 },   { 1, 740, 420, 1020, 610 },  { 1, 640, 640, 960, 690 },
    { 1, 1080, 660, 1270, 720 }, { 1, 800, 780, 790, 900 },   { 2, 1160, 430, 1520, 440 },
    { 2, 1200, 520, 1460, 640 }, { 0, 130, 90, 1000, 60 },    { 0, 120, 860, 500, 800 },
    { 0, 400, 1010, 1500, 950 }, { 0, 1180, 160, 1540, 330 }, { 0, 1080, 240, 1060, 560 },
    { 0, 200, 560, 520, 720 },   { 0, 1240, 800, 1560, 790 }, { 0, 930, 820, 1180, 800 },
    { 2, 1180, 735, 1430, 740 }, { 0, 1575, 640, 1590, 760 }, { 0, 555, 640, 575, 670 },
    { 0, 850, 830, 890, 850 },
  };
  g_autoptr (Stage) stage = stage_new ();
  FsTools *tools = fs_window_get_tools (stage->window);
  open_sample (stage, sample);
  for (gsize i = 0; i < G_N_ELEMENTS (strokes); i++) {
    guint button = strokes[i].object > 0 ? GDK_BUTTON_PRIMARY : GDK_BUTTON_SECONDARY;
    fs_tools_set_object (tools, MAX (strokes[i].object, 1));
    stage_stroke (stage, button, strokes[i].x0, strokes[i].y0, strokes[i].x1, strokes[i].y1, 12);
  }
  fs_tools_set_object (tools, 2);
  stage_wait_for_final (stage);
  stage_wait (are_separated, stage_canvas (stage));
  save_at_work (stage, folder, "objects");
}

/* The window alone after a guess, in the theme and at the scale of the environment. */
static void
shoot_window (const char *folder, const char *sample, const char *name)
{
  g_autoptr (Stage) stage = stage_new ();
  open_sample (stage, sample);
  sample_guess_play (stage);
  save_at_work (stage, folder, name);
}

/* Photos made from the sample: parts of it, mirrored or not. */
static void
make_photos (const char *folder, const char *sample, int n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) whole = gdk_pixbuf_new_from_file (sample, &error);
  g_assert_no_error (error);
  const int width = gdk_pixbuf_get_width (whole), height = gdk_pixbuf_get_height (whole);
  for (int i = 0; i < n; i++) {
    const int x = width / 30 * (i % 4), y = height / 40 * (i % 3);
    g_autoptr (GdkPixbuf) part =
        gdk_pixbuf_new_subpixbuf (whole, x, y, width - width / 8, height - height / 12);
    g_autoptr (GdkPixbuf) photo = gdk_pixbuf_flip (part, i % 2 == 1);
    g_autofree char *name = g_strdup_printf ("robin-%02d.jpg", i + 1);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    gdk_pixbuf_save (i % 2 == 1 ? photo : part, path, "jpeg", &error, "quality", "90", NULL);
    g_assert_no_error (error);
  }
}

static gboolean
is_labelled (gpointer data)
{
  FsProject *project = fs_window_get_project (data);
  return project != NULL && fs_window_is_editable (data)
         && fs_project_get_name (project, FS_SEED_OBJECT) != NULL;
}

static gboolean
is_saved (gpointer data)
{
  return !fs_project_is_unsaved (fs_window_get_project (data));
}

/* A folder as one job: some photos done, one begun, the present one with two classes. */
static void
shoot_job (const char *folder, const char *sample)
{
  g_autoptr (Stage) stage = stage_new ();
  g_autoptr (FsFolderClasses) classes = fs_folder_classes_new (), saved = NULL;
  gtk_window_resize (GTK_WINDOW (stage->window), 1280, 860);
  make_photos (stage->folder, sample, 12);
  static const char *const names[] = { "robin", "table", "leaf" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    fs_folder_classes_add (classes, names[i]);
  saved = fs_folder_classes_save (stage->folder, NULL, classes, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (stage->folder);
  fs_window_open (stage->window, file);
  for (int i = 0; i < 4; i++) {
    FsProject *before = fs_window_get_project (stage->window);
    stage_wait (is_labelled, stage->window);
    while (fs_window_get_project (stage->window) == before)
      g_main_context_iteration (NULL, TRUE);
    stage_frame (stage);
    stage_wait (is_labelled, stage->window);
    if (i == 1)
      stage_stroke (stage, GDK_BUTTON_PRIMARY, 620, 420, 700, 520, 6);
    if (i < 3)
      stage_type (stage, i == 1 ? GDK_KEY_Page_Down : GDK_KEY_Return, 0);
  }
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 560, 420, 700, 560, 12);
  stage_type (stage, GDK_KEY_2, 0);
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 200, 760, 420, 740, 12);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 120, 120, 900, 140, 12);
  stage_wait_for_final (stage);
  stage_wait (are_separated, stage_canvas (stage));
  stage_wait (is_saved, stage->window);
  stage_activate (stage, "side-panel");
  stage_pause (2500);
  save_at_work (stage, folder, "job");
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
  if (argc == 3 && g_str_equal (argv[2], "job")) {
    shoot_job (argv[1], sample);
    return 0;
  }
  if (argc == 3) {
    shoot_window (argv[1], sample, argv[2]);
    return 0;
  }
  play_session (argv[1], sample);
  shoot_window (argv[1], sample, "window");
  shoot_lasso (argv[1], sample);
  shoot_objects (argv[1], sample);
  shoot_job (argv[1], sample);
  shoot_error (argv[1]);
  return 0;
}
