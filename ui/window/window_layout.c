/* SPDX-License-Identifier: MIT */
#include "ui/window/window_layout.h"

#include "ui/canvas/tools.h"
#include "ui/open/recent.h"
#include "ui/settings/brush_size.h"
#include "ui/settings/choice.h"
#include "ui/settings/preferences.h"
#include "ui/status/adaptive_bin.h"
#include "ui/status/latency_readout.h"
#include <glib/gi18n.h>

/* ---- Buttons for tools and views ---- */

typedef void (*Visit) (const char *child, const char *property, int value, gpointer data);

/* Calls `visit` for each value of the enumeration. */
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
declare_choice (const char *child, const char *property, int value, gpointer widget_class)
{
  gtk_widget_class_bind_template_child_full (widget_class, child, FALSE, 0);
}

static void
bind_choice (const char *child, const char *property, int value, gpointer data)
{
  FsWindow *window = data;
  GObject *button =
      gtk_widget_get_template_child (GTK_WIDGET (window), G_OBJECT_TYPE (window), child);
  fs_choice_bind (GTK_TOGGLE_BUTTON (button), G_OBJECT (window->tools), property, value);
}

/* The accessible name of the button for a value, by its nick; an FsAccessibleNameFunc. */
static const char *
get_choice_name (const char *property, const char *nick, gpointer window)
{
  g_autofree char *child = g_strdup_printf ("%s_%s", property, nick);
  GObject *button = gtk_widget_get_template_child (window, G_OBJECT_TYPE (window), child);
  return atk_object_get_name (gtk_widget_get_accessible (GTK_WIDGET (button)));
}

/* In a narrow window one button with the view's name and a menu replaces the views' buttons. */
static void
on_view_changed (FsWindow *self)
{
  g_autoptr (GEnumClass) views = g_type_class_ref (FS_TYPE_VIEW);
  const GEnumValue *view = g_enum_get_value (views, (int)fs_tools_get_view (self->tools));
  gtk_label_set_text (self->view_label, get_choice_name ("view", view->value_nick, self));
}

/* ---- Status line and menus ---- */

static void
on_zoom_changed (FsWindow *self)
{
  double zoom;
  g_object_get (self->canvas, "zoom", &zoom, NULL);
  fs_status_line_set_zoom (self->status_line, zoom);
}

static void
on_latency_shown (FsWindow *self)
{
  fs_status_line_set_detailed (self->status_line, gtk_widget_get_visible (self->latency_label));
}

/* Files may have been created or deleted since. */
static void
on_menu_toggled (FsWindow *self)
{
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->menu_button)))
    fs_recent_fill (self->recent_menu);
}

static void
make_menus (FsWindow *self)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/fretsaw/Fretsaw/menu.ui");
  gtk_menu_button_set_menu_model (self->menu_button,
                                  G_MENU_MODEL (gtk_builder_get_object (builder, "primary_menu")));
  gtk_menu_button_set_menu_model (self->view_button,
                                  G_MENU_MODEL (gtk_builder_get_object (builder, "view_menu")));
  self->recent_menu = g_object_ref (G_MENU (gtk_builder_get_object (builder, "recent_menu")));
  fs_recent_fill (self->recent_menu);
}

/* ---- All widgets ---- */

void
fs_window_layout_set_has_photo (FsWindow *self, gboolean has_photo)
{
  gtk_stack_set_visible_child_name (self->content_stack, has_photo ? "photo" : "empty");
  gtk_stack_set_visible_child_name (self->title_stack, has_photo ? "views" : "title");
  gtk_widget_set_visible (self->history_buttons, has_photo);
  gtk_widget_set_visible (self->compare_button, has_photo);
  gtk_widget_set_visible (self->settings_button, has_photo);
  gtk_widget_set_visible (self->export_button, has_photo);
  gtk_widget_set_visible (GTK_WIDGET (self->status_line), has_photo);
}

void
fs_window_layout_set_hand_over (FsWindow *self)
{
  gtk_widget_hide (self->open_buttons);
  gtk_button_set_label (GTK_BUTTON (self->export_button), _ ("_Apply"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->export_button), "win.apply");
  gtk_widget_set_tooltip_text (self->export_button,
                               _ ("Return the cut-out to the program that opened this window, and "
                                  "close (Ctrl+Return)"));
}

static void
bind_template_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, FsWindow, title_stack);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, content_stack);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, messages);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, canvas);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, photo_strip);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, object_list);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, status_line);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, settings_panel);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, edge_panel);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, tool_panel);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, object_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, subject_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, side_panel);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, finder_panel);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, panel_space);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, hint);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, history_buttons);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, latency_label);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, compare_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, settings_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, export_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, open_buttons);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, brush_size);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, brush_entry);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, view_button);
  gtk_widget_class_bind_template_child (widget_class, FsWindow, view_label);
  for_each_choice (declare_choice, widget_class);
  gtk_widget_class_bind_template_callback (widget_class, on_menu_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_zoom_changed);
}

void
fs_window_layout_class_init (GtkWidgetClass *widget_class)
{
  g_type_ensure (FS_TYPE_CANVAS);
  g_type_ensure (FS_TYPE_FINDER_PANEL);
  g_type_ensure (FS_TYPE_ADAPTIVE_BIN);
  g_type_ensure (FS_TYPE_HINT);
  g_type_ensure (FS_TYPE_MESSAGE_BAR);
  g_type_ensure (FS_TYPE_OBJECT_BUTTON);
  g_type_ensure (FS_TYPE_OBJECT_LIST);
  g_type_ensure (FS_TYPE_PHOTO_STRIP);
  g_type_ensure (FS_TYPE_SETTINGS_PANEL);
  g_type_ensure (FS_TYPE_EDGE_PANEL);
  g_type_ensure (FS_TYPE_SIDE_PANEL);
  g_type_ensure (FS_TYPE_SUBJECT_BUTTON);
  g_type_ensure (FS_TYPE_TOOL_PANEL);
  g_type_ensure (FS_TYPE_STATUS_LINE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/window.ui");
  bind_template_children (widget_class);
}

void
fs_window_layout_init (FsWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fs_canvas_set_tools (self->canvas, self->tools);
  fs_hint_follow (self->hint, self->tools);
  fs_tool_panel_set_tools (self->tool_panel, self->tools);
  fs_object_button_set_tools (self->object_button, self->tools);
  fs_object_list_set_tools (self->object_list, self->tools);
  fs_side_panel_set_space (self->side_panel, self->panel_space, GTK_WIDGET (self->messages));
  fs_preferences_bind ("side-panel", self->side_panel, "reveal-child");
  fs_preferences_bind ("photo-strip", self->photo_strip, "reveal-child");
  g_signal_connect_object (self->latency_label, "notify::visible", G_CALLBACK (on_latency_shown),
                           self, G_CONNECT_SWAPPED);
  fs_latency_readout_attach (GTK_LABEL (self->latency_label), fs_canvas_get_probe (self->canvas));
  self->announcer = fs_accessible_announcer_new (GTK_WIDGET (self->canvas), self->tools,
                                                 self->status_line, get_choice_name, self);
  for_each_choice (bind_choice, self);
  g_signal_connect_object (self->tools, "notify::view", G_CALLBACK (on_view_changed), self,
                           G_CONNECT_SWAPPED);
  on_view_changed (self);
  fs_brush_slider_bind (self->brush_size, self->tools);
  fs_brush_entry_bind (self->brush_entry, self->tools, GTK_WIDGET (self->canvas));
  make_menus (self);
  fs_status_line_set_document (self->status_line, NULL, NULL, NULL);
  fs_settings_panel_set_document (self->settings_panel, NULL);
  fs_edge_panel_set_document (self->edge_panel, NULL);
  on_zoom_changed (self);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Fretsaw"));
}
