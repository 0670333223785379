/* SPDX-License-Identifier: MIT */
#include "ui/window/shortcuts.h"

/* GTK 3.24.38 keeps the style contexts of a GtkShortcutsWindow that is destroyed, and uses them
 * when the theme changes. So this one is only ever hidden, and not GtkApplication's help overlay,
 * of which there is one a window. */
static GtkWidget *shortcuts;

static void
on_hide (GtkWidget *widget, gpointer user_data)
{
  gtk_window_set_transient_for (GTK_WINDOW (widget), NULL);
}

void
fs_shortcuts_show (GtkWindow *parent)
{
  if (shortcuts == NULL) {
    g_autoptr (GtkBuilder) builder =
        gtk_builder_new_from_resource ("/io/github/fretsaw/Fretsaw/shortcuts.ui");
    shortcuts = GTK_WIDGET (gtk_builder_get_object (builder, "shortcuts"));
    g_signal_connect (shortcuts, "delete-event", G_CALLBACK (gtk_widget_hide_on_delete), NULL);
    g_signal_connect (shortcuts, "hide", G_CALLBACK (on_hide), NULL);
  }
  gtk_window_set_transient_for (GTK_WINDOW (shortcuts), parent);
  gtk_window_present (GTK_WINDOW (shortcuts));
}
