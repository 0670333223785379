/* SPDX-License-Identifier: MIT */
/* What one window leaves to the next, how narrow one gets, and a program whose schema is missing.
 */
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/settings/preferences.h"

static void
test_tools (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsTools *tools = fs_window_get_tools (stage->window);
  g_assert_cmpint (fs_tools_get_brush_size (tools), ==, FS_BRUSH_SIZE_DEFAULT);
  g_assert_cmpint (fs_tools_get_view (tools), ==, FS_VIEW_OVERLAY);
  fs_tools_set_brush_size (tools, 61);
  fs_tools_set_view (tools, FS_VIEW_MASK);

  FsWindow *next = fs_window_new (GTK_APPLICATION (stage->application));
  g_assert_cmpint (fs_tools_get_brush_size (fs_window_get_tools (next)), ==, 61);
  g_assert_cmpint (fs_tools_get_view (fs_window_get_tools (next)), ==, FS_VIEW_MASK);
  fs_tools_set_brush_size (fs_window_get_tools (next), 17);
  g_assert_cmpint (fs_tools_get_brush_size (tools), ==, 61);
  gtk_widget_destroy (GTK_WIDGET (next));
}

static void
test_window_size (void)
{
  Stage *stage = stage_new ();
  gtk_window_resize (GTK_WINDOW (stage->window), 901, 702);
  stage_frame (stage);
  stage_frame (stage);
  int width, height;
  gtk_window_get_size (GTK_WINDOW (stage->window), &width, &height);
  gtk_widget_destroy (GTK_WIDGET (stage->window));
  FsWindow *next = fs_window_new (GTK_APPLICATION (stage->application));
  int next_width, next_height;
  gtk_window_get_default_size (GTK_WINDOW (next), &next_width, &next_height);
  g_assert_cmpint (width, ==, 901);
  g_assert_cmpint (next_width, ==, width);
  g_assert_cmpint (next_height, ==, height);
  gtk_widget_destroy (GTK_WIDGET (next));
  stage_free (stage);
}

/* A size that was remembered on a larger screen. */
static void
test_small_screen (void)
{
  GSettings *settings = fs_preferences_get ();
  GdkRectangle area;
  gdk_monitor_get_workarea (gdk_display_get_monitor (gdk_display_get_default (), 0), &area);
  g_autoptr (Stage) stage = stage_new ();
  g_settings_set_int (settings, "window-width", area.width + 900);
  g_settings_set_int (settings, "window-height", area.height + 700);
  FsWindow *next = fs_window_new (GTK_APPLICATION (stage->application));
  gtk_window_present (GTK_WINDOW (next));
  stage_frame (stage);
  int width = gtk_widget_get_allocated_width (GTK_WIDGET (next));
  int height = gtk_widget_get_allocated_height (GTK_WIDGET (next));
  g_assert_cmpint (width, <=, area.width);
  g_assert_cmpint (height, <=, area.height);
  g_assert_cmpint (width, >, area.width - 30);
  g_assert_cmpint (height, >, area.height - 30);
  gtk_widget_destroy (GTK_WIDGET (next));
  g_settings_reset (settings, "window-width");
  g_settings_reset (settings, "window-height");
}

static gboolean
is_dark (void)
{
  gboolean dark;
  g_object_get (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", &dark, NULL);
  return dark;
}

static void
test_dark (void)
{
  g_autoptr (Stage) stage = stage_new ();
  g_assert_true (is_dark ());
  g_action_group_activate_action (G_ACTION_GROUP (stage->application), "dark", NULL);
  stage_frame (stage);
  g_assert_false (is_dark ());
  g_assert_false (g_settings_get_boolean (fs_preferences_get (), "dark"));
  fs_preferences_reset ();
  stage_frame (stage);
  g_assert_true (is_dark ());
}

/* What is grey on purpose becomes plain when a theme of high contrast is chosen. */
static void
test_high_contrast (void)
{
  static const char *const themes[] = { "HighContrast", "HighContrastInverse", "Adwaita" };
  Stage *stage = stage_new ();
  GtkWidget *label = gtk_label_new ("dim");
  gtk_style_context_add_class (gtk_widget_get_style_context (label), GTK_STYLE_CLASS_DIM_LABEL);
  g_object_ref_sink (label);
  for (gsize i = 0; i < G_N_ELEMENTS (themes); i++) {
    double opacity;
    g_object_set (gtk_settings_get_default (), "gtk-theme-name", themes[i], NULL);
    GtkStyleContext *context = gtk_widget_get_style_context (label);
    gtk_style_context_get (context, gtk_style_context_get_state (context), "opacity", &opacity,
                           NULL);
    if (i < 2)
      g_assert_cmpfloat (opacity, ==, 1);
    else
      g_assert_cmpfloat (opacity, <, 1);
  }
  gtk_widget_destroy (label);
  g_object_unref (label);
  stage_free (stage);
}

static void
check_enumeration (GSettingsSchema *schema, const char *name, GType type)
{
  g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, name);
  g_autoptr (GVariant) range = g_settings_schema_key_get_range (key);
  g_autoptr (GVariant) values = NULL;
  g_variant_get (range, "(sv)", NULL, &values);
  g_autofree const char **nicks = g_variant_get_strv (values, NULL);
  g_autoptr (GEnumClass) known = g_type_class_ref (type);
  g_assert_cmpuint (g_strv_length ((char **)nicks), ==, known->n_values);
  for (guint i = 0; i < known->n_values; i++)
    g_assert_true (g_strv_contains (nicks, known->values[i].value_nick));
}

/* Every nick of an enumeration can be stored, and every stored one can be shown. */
static void
test_enumerations (void)
{
  g_autoptr (GSettingsSchema) schema = NULL;
  g_object_get (fs_preferences_get (), "settings-schema", &schema, NULL);
  check_enumeration (schema, "view", FS_TYPE_VIEW);
  check_enumeration (schema, "right-button", FS_TYPE_RIGHT_BUTTON);
  check_enumeration (schema, "backdrop", FS_TYPE_BACKDROP);
}

/* What the schema begins with is what the tools begin with. */
static void
test_defaults (void)
{
  static const char *const keys[] = {
    "view",           "brush-size",      "right-button", "pressure",       "fixed-size",
    "overlay-colour", "overlay-opacity", "backdrop",     "backdrop-colour"
  };
  g_autoptr (FsTools) fresh = fs_tools_new ();
  g_autoptr (FsTools) bound = fs_tools_new ();
  fs_preferences_reset ();
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++) {
    fs_preferences_bind (keys[i], bound, keys[i]);
    GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (fresh), keys[i]);
    g_auto (GValue) a = G_VALUE_INIT, b = G_VALUE_INIT;
    g_object_get_property (G_OBJECT (fresh), keys[i], g_value_init (&a, spec->value_type));
    g_object_get_property (G_OBJECT (bound), keys[i], g_value_init (&b, spec->value_type));
    g_assert_cmpint (g_param_values_cmp (spec, &a, &b), ==, 0);
    g_assert_true (g_param_value_defaults (spec, &a));
  }
}

/* In a process of its own: the default source of schemas is looked up once. */
static void
test_no_schema (void)
{
  if (g_test_subprocess ()) {
    g_assert_null (fs_preferences_get ());
    g_assert_false (fs_preferences_has ("view"));
    g_autoptr (Stage) stage = stage_new ();
    FsTools *tools = fs_window_get_tools (stage->window);
    g_assert_cmpint (fs_tools_get_brush_size (tools), ==, FS_BRUSH_SIZE_DEFAULT);
    stage_open_scene (stage);
    stage_paint_both (stage);
    stage_assert_fresh (stage);
    return;
  }
  g_autofree char *folder = g_strdup (g_getenv ("GSETTINGS_SCHEMA_DIR"));
  g_unsetenv ("GSETTINGS_SCHEMA_DIR");
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_setenv ("GSETTINGS_SCHEMA_DIR", folder, TRUE);
  g_test_trap_assert_passed ();
}

static gboolean
is_shown (Stage *stage, const char *child)
{
  GObject *widget =
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, child);
  return gtk_widget_get_mapped (GTK_WIDGET (widget));
}

static void
resize (Stage *stage, int width)
{
  gtk_window_resize (GTK_WINDOW (stage->window), width, 700);
  stage_frame (stage);
  stage_frame (stage);
}

/* Half of a laptop's screen is wide enough; the views are in a menu then, which names the view. */
static void
test_narrow (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  GtkWidget *content = gtk_bin_get_child (GTK_BIN (stage->window));
  resize (stage, 1100);
  g_assert_true (is_shown (stage, "view_marks"));
  g_assert_false (is_shown (stage, "view_button"));
  resize (stage, 640);
  g_assert_cmpint (gtk_widget_get_allocated_width (content), <=, 640);
  g_assert_true (is_shown (stage, "view_button"));
  g_assert_false (is_shown (stage, "view_marks"));
  GObject *label =
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, "view_label");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, "Overlay");
  g_action_group_activate_action (G_ACTION_GROUP (stage->window), "view",
                                  g_variant_new_string ("mask"));
  g_assert_cmpint (fs_tools_get_view (fs_window_get_tools (stage->window)), ==, FS_VIEW_MASK);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, "Mask");
  resize (stage, 1100);
  g_assert_true (is_shown (stage, "view_marks"));
  g_assert_false (is_shown (stage, "view_button"));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/preferences/no-schema", test_no_schema);
  g_test_add_func ("/preferences/tools", test_tools);
  g_test_add_func ("/preferences/window-size", test_window_size);
  g_test_add_func ("/preferences/small-screen", test_small_screen);
  g_test_add_func ("/preferences/dark", test_dark);
  g_test_add_func ("/preferences/high-contrast", test_high_contrast);
  g_test_add_func ("/preferences/enumerations", test_enumerations);
  g_test_add_func ("/preferences/defaults", test_defaults);
  g_test_add_func ("/preferences/narrow-window", test_narrow);
  return g_test_run ();
}
