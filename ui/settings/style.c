/* SPDX-License-Identifier: MIT */
#include "ui/settings/style.h"

#include "ui/settings/preferences.h"
#include <gtk/gtk.h>

static GtkStyleProvider *
load_css (const char *name)
{
  g_autofree char *path = g_strdup_printf ("/io/github/fretsaw/Fretsaw/%s", name);
  GtkCssProvider *css = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (css, path);
  return GTK_STYLE_PROVIDER (css);
}

static void
follow_contrast (GtkSettings *settings, GParamSpec *spec, GtkStyleProvider *high_contrast)
{
  GdkScreen *screen = gdk_screen_get_default ();
  g_autofree char *theme = NULL;
  g_object_get (settings, "gtk-theme-name", &theme, NULL);
  gtk_style_context_remove_provider_for_screen (screen, high_contrast);
  if (theme != NULL && g_str_has_prefix (theme, "HighContrast"))
    gtk_style_context_add_provider_for_screen (screen, high_contrast,
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
}

void
fs_style_load (GActionMap *actions)
{
  GtkSettings *settings = gtk_settings_get_default ();
  g_autoptr (GtkStyleProvider) style = load_css ("style.css");
  gtk_style_context_add_provider_for_screen (gdk_screen_get_default (), style,
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_autoptr (GtkStyleProvider) high_contrast = load_css ("high-contrast.css");
  g_signal_connect_data (settings, "notify::gtk-theme-name", G_CALLBACK (follow_contrast),
                         g_object_ref (high_contrast),
                         (GClosureNotify)(void (*) (void))g_object_unref, 0);
  follow_contrast (settings, NULL, high_contrast);

  g_object_set (settings, "gtk-application-prefer-dark-theme", TRUE, NULL);
  if (!fs_preferences_has ("dark"))
    return;
  g_autoptr (GAction) dark = g_settings_create_action (fs_preferences_get (), "dark");
  g_action_map_add_action (actions, dark);
  g_settings_bind (fs_preferences_get (), "dark", settings, "gtk-application-prefer-dark-theme",
                   G_SETTINGS_BIND_GET);
}
