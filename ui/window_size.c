/* SPDX-License-Identifier: MIT */
#include "ui/window_size.h"

#include "ui/preferences.h"

static void
on_unmap (GtkWidget *widget, gpointer user_data)
{
  GtkWindow *window = GTK_WINDOW (widget);
  GSettings *settings = fs_preferences_get ();
  gboolean maximized = gtk_window_is_maximized (window);
  g_settings_set_boolean (settings, "window-maximized", maximized);
  if (maximized)
    return;
  int width, height;
  gtk_window_get_size (window, &width, &height);
  g_settings_set_int (settings, "window-width", width);
  g_settings_set_int (settings, "window-height", height);
}

void
fs_window_size_remember (GtkWindow *window)
{
  if (!fs_preferences_has ("window-width") || !fs_preferences_has ("window-height")
      || !fs_preferences_has ("window-maximized"))
    return;
  GSettings *settings = fs_preferences_get ();
  gtk_window_set_default_size (window, g_settings_get_int (settings, "window-width"),
                               g_settings_get_int (settings, "window-height"));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (window);
  g_signal_connect (window, "unmap", G_CALLBACK (on_unmap), NULL);
}
