/* SPDX-License-Identifier: MIT */
/* What one window leaves to the next, and a program whose schema is missing. */
#include "tests/gui/stage.h"
#include "ui/preferences.h"

static void
test_tools (void)
{
  g_autoptr (Stage) stage = stage_new ();
  FsTools *tools = fs_window_get_tools (stage->window);
  g_assert_cmpint (fs_tools_get_brush_size (tools), ==, FS_BRUSH_SIZE_DEFAULT);
  g_assert_cmpint (fs_tools_get_view (tools), ==, FS_VIEW_OVERLAY);
  fs_tools_set_brush_size (tools, 61);
  fs_tools_set_view (tools, FS_VIEW_MASK);

  FsWindow *next = fs_window_new (stage->application);
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
  FsWindow *next = fs_window_new (stage->application);
  int next_width, next_height;
  gtk_window_get_default_size (GTK_WINDOW (next), &next_width, &next_height);
  g_assert_cmpint (width, ==, 901);
  g_assert_cmpint (next_width, ==, width);
  g_assert_cmpint (next_height, ==, height);
  gtk_widget_destroy (GTK_WIDGET (next));
  stage_free (stage);
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
  g_autoptr (Stage) stage = stage_new ();
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
}

/* Every nick of an enumeration can be stored, and every stored one can be shown. */
static void
test_enumerations (void)
{
  g_autoptr (GSettingsSchema) schema = NULL;
  g_object_get (fs_preferences_get (), "settings-schema", &schema, NULL);
  g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, "view");
  g_autoptr (GVariant) range = g_settings_schema_key_get_range (key);
  g_autoptr (GVariant) values = NULL;
  g_variant_get (range, "(sv)", NULL, &values);
  g_autofree const char **nicks = g_variant_get_strv (values, NULL);
  g_autoptr (GEnumClass) views = g_type_class_ref (FS_TYPE_VIEW);
  g_assert_cmpuint (g_strv_length ((char **)nicks), ==, views->n_values);
  for (guint i = 0; i < views->n_values; i++)
    g_assert_true (g_strv_contains (nicks, views->values[i].value_nick));
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

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/preferences/no-schema", test_no_schema);
  g_test_add_func ("/preferences/tools", test_tools);
  g_test_add_func ("/preferences/window-size", test_window_size);
  g_test_add_func ("/preferences/dark", test_dark);
  g_test_add_func ("/preferences/high-contrast", test_high_contrast);
  g_test_add_func ("/preferences/enumerations", test_enumerations);
  return g_test_run ();
}
