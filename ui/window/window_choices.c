/* SPDX-License-Identifier: MIT */
#include "ui/window/window_choices.h"

#include "ui/settings/choice.h"

typedef void (*Visit) (const char *child, const char *property, int value, gpointer data);

static void
visit_values (GType type, const char *property, Visit visit, gpointer data)
{
  g_autoptr (GEnumClass) enumeration = g_type_class_ref (type);
  for (guint i = 0; i < enumeration->n_values; i++) {
    g_autofree char *child = g_strdup_printf ("%s_%s", property, enumeration->values[i].value_nick);
    visit (child, property, enumeration->values[i].value, data);
  }
}

static void
for_each_choice (Visit visit, gpointer data)
{
  visit_values (FS_TYPE_TOOL, "tool", visit, data);
  visit_values (FS_TYPE_VIEW, "view", visit, data);
}

static void
declare (const char *child, const char *property, int value, gpointer widget_class)
{
  gtk_widget_class_bind_template_child_full (widget_class, child, FALSE, 0);
}

void
fs_window_choices_declare (GtkWidgetClass *widget_class)
{
  for_each_choice (declare, widget_class);
}

static void
bind (const char *child, const char *property, int value, gpointer data)
{
  FsWindow *window = data;
  GObject *button = gtk_widget_get_template_child (GTK_WIDGET (window), FS_TYPE_WINDOW, child);
  fs_choice_bind (GTK_TOGGLE_BUTTON (button), G_OBJECT (fs_window_get_tools (window)), property,
                  value);
}

void
fs_window_choices_bind (FsWindow *window)
{
  for_each_choice (bind, window);
}

const char *
fs_window_choices_call (const char *property, const char *nick, gpointer window)
{
  g_autofree char *child = g_strdup_printf ("%s_%s", property, nick);
  GObject *button = gtk_widget_get_template_child (window, FS_TYPE_WINDOW, child);
  return atk_object_get_name (gtk_widget_get_accessible (GTK_WIDGET (button)));
}
