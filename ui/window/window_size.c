/* SPDX-License-Identifier: MIT */
#include "ui/window/window_size.h"

#include "ui/settings/preferences.h"

/* The maximum width of the window's frame, both sides together. */
#define FRAME 12

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

/* The monitor for new windows: the pointer's if there are several, else the primary one. */
static GdkMonitor *
find_monitor (GdkDisplay *display)
{
  int x, y;
  GdkSeat *seat = gdk_display_get_default_seat (display);
  GdkDevice *pointer = seat != NULL ? gdk_seat_get_pointer (seat) : NULL;
  if (pointer != NULL && gdk_display_get_n_monitors (display) > 1) {
    gdk_device_get_position (pointer, NULL, &x, &y);
    return gdk_display_get_monitor_at_point (display, x, y);
  }
  GdkMonitor *primary = gdk_display_get_primary_monitor (display);
  return primary != NULL ? primary : gdk_display_get_monitor (display, 0);
}

/* Sets the size, without title bar and frame, limited to the monitor: the stored one may be from a
 * larger screen. */
static void
set_size (GtkWindow *window, int width, int height)
{
  GdkMonitor *monitor = find_monitor (gtk_widget_get_display (GTK_WIDGET (window)));
  GtkWidget *bar = gtk_window_get_titlebar (window);
  if (monitor != NULL) {
    GdkRectangle area;
    int bar_height = 0;
    gdk_monitor_get_workarea (monitor, &area);
    if (bar != NULL)
      gtk_widget_get_preferred_height (bar, NULL, &bar_height);
    width = MIN (width, area.width - FRAME);
    height = MIN (height, area.height - FRAME - bar_height);
  }
  gtk_window_set_default_size (window, width, height);
}

void
fs_window_size_remember (GtkWindow *window)
{
  int width, height;
  gtk_window_get_default_size (window, &width, &height);
  set_size (window, width, height);
  if (!fs_preferences_has ("window-width") || !fs_preferences_has ("window-height")
      || !fs_preferences_has ("window-maximized"))
    return;
  GSettings *settings = fs_preferences_get ();
  set_size (window, g_settings_get_int (settings, "window-width"),
            g_settings_get_int (settings, "window-height"));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (window);
  g_signal_connect (window, "unmap", G_CALLBACK (on_unmap), NULL);
}
