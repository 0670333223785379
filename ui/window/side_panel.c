/* SPDX-License-Identifier: MIT */
#include "ui/window/side_panel.h"

struct _FsSidePanel {
  GtkRevealer parent;
  GtkWidget *space, *bars;
  gboolean floating; /* covers a part of the photo */
  guint arrange_id;
};

G_DEFINE_FINAL_TYPE (FsSidePanel, fs_side_panel, GTK_TYPE_REVEALER)

/* The bars' height; 0 while there are none. */
static int
measure_bars (FsSidePanel *self)
{
  int height;
  gtk_widget_get_preferred_height_for_width (self->bars,
                                             gtk_widget_get_allocated_width (self->bars), &height,
                                             NULL);
  return height;
}

/* The width that the panel has beside the photo, which does not depend on where it is. */
static int
measure_panel (FsSidePanel *self)
{
  int width;
  gtk_widget_get_preferred_width (gtk_bin_get_child (GTK_BIN (gtk_bin_get_child (GTK_BIN (self)))),
                                  NULL, &width);
  return width;
}

static void
arrange (FsSidePanel *self)
{
  gboolean open = gtk_revealer_get_reveal_child (GTK_REVEALER (self));
  GtkStyleContext *context = gtk_widget_get_style_context (gtk_bin_get_child (GTK_BIN (self)));
  gtk_widget_set_visible (self->space, open && !self->floating);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (
                                                       gtk_bin_get_child (GTK_BIN (self))),
                                                   !self->floating);
  int width;
  gtk_widget_get_preferred_width (gtk_bin_get_child (GTK_BIN (self)), NULL, &width);
  gtk_widget_set_margin_top (GTK_WIDGET (self), open && self->floating ? measure_bars (self) : 0);
  gtk_widget_set_margin_end (self->bars, open && !self->floating ? width : 0);
  if (self->floating)
    gtk_style_context_add_class (context, "fs-floating");
  else
    gtk_style_context_remove_class (context, "fs-floating");
}

static gboolean
on_arrange (gpointer user_data)
{
  FsSidePanel *self = user_data;
  self->arrange_id = 0;
  arrange (self);
  return G_SOURCE_REMOVE;
}

/* Sizes must not change during allocation. */
static void
arrange_later (FsSidePanel *self)
{
  if (self->arrange_id == 0)
    self->arrange_id = g_idle_add_full (GTK_PRIORITY_RESIZE - 1, on_arrange, self, NULL);
}

static void
on_overlay_allocated (FsSidePanel *self, const GdkRectangle *allocation)
{
  const gboolean floating =
      allocation->width < measure_panel (self) + FS_SIDE_PANEL_MIN_PHOTO_WIDTH;
  if (floating == self->floating)
    return;
  self->floating = floating;
  arrange_later (self);
}

static void
on_bars_allocated (FsSidePanel *self)
{
  if (self->floating && gtk_revealer_get_reveal_child (GTK_REVEALER (self))
      && measure_bars (self) != gtk_widget_get_margin_top (GTK_WIDGET (self)))
    arrange_later (self);
}

/* Moves the focus out of the panel. */
static void
leave_panel (FsSidePanel *self)
{
  GtkWidget *window = gtk_widget_get_toplevel (GTK_WIDGET (self));
  GtkWidget *focus = GTK_IS_WINDOW (window) ? gtk_window_get_focus (GTK_WINDOW (window)) : NULL;
  if (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    gtk_widget_child_focus (window, GTK_DIR_TAB_BACKWARD);
}

static void
on_reveal_changed (FsSidePanel *self)
{
  if (self->space == NULL)
    return;
  if (!gtk_revealer_get_reveal_child (GTK_REVEALER (self)))
    leave_panel (self);
  arrange (self);
}

static gboolean
fs_side_panel_key_press (GtkWidget *widget, GdkEventKey *event)
{
  FsSidePanel *self = FS_SIDE_PANEL (widget);
  if (event->keyval == GDK_KEY_Escape && self->floating) {
    gtk_revealer_set_reveal_child (GTK_REVEALER (self), FALSE);
    return GDK_EVENT_STOP;
  }
  return GTK_WIDGET_CLASS (fs_side_panel_parent_class)->key_press_event (widget, event);
}

/* GTK does not mirror slide directions for right-to-left text. */
static void
fs_side_panel_direction_changed (GtkWidget *widget, GtkTextDirection previous)
{
  gboolean right_to_left = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  gtk_revealer_set_transition_type (GTK_REVEALER (widget),
                                    right_to_left ? GTK_REVEALER_TRANSITION_TYPE_SLIDE_RIGHT
                                                  : GTK_REVEALER_TRANSITION_TYPE_SLIDE_LEFT);
  GTK_WIDGET_CLASS (fs_side_panel_parent_class)->direction_changed (widget, previous);
}

/* The wheel scrolls the panel, and does not change the value of a widget under the pointer. */
static gboolean
on_scroll (FsSidePanel *self, GdkEvent *event)
{
  gtk_widget_event (gtk_bin_get_child (GTK_BIN (self)), event);
  return GDK_EVENT_STOP;
}

static void
ignore_wheel (GtkWidget *widget, gpointer self)
{
  if (GTK_IS_SCALE (widget) || GTK_IS_COMBO_BOX (widget) || GTK_IS_SPIN_BUTTON (widget))
    g_signal_connect_object (widget, "scroll-event", G_CALLBACK (on_scroll), self,
                             G_CONNECT_SWAPPED);
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), ignore_wheel, self);
}

void
fs_side_panel_set_space (FsSidePanel *self, GtkWidget *space, GtkWidget *bars)
{
  g_return_if_fail (self->space == NULL);
  g_autoptr (GtkSizeGroup) widths = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  gtk_size_group_add_widget (widths, gtk_bin_get_child (GTK_BIN (self)));
  gtk_size_group_add_widget (widths, space);
  self->space = g_object_ref (space);
  self->bars = g_object_ref (bars);
  g_signal_connect_object (bars, "size-allocate", G_CALLBACK (on_bars_allocated), self,
                           G_CONNECT_SWAPPED);
  ignore_wheel (gtk_bin_get_child (GTK_BIN (self)), self);
  g_signal_connect_object (gtk_widget_get_parent (GTK_WIDGET (self)), "size-allocate",
                           G_CALLBACK (on_overlay_allocated), self, G_CONNECT_SWAPPED);
  arrange (self);
}

/* Not in init(): GtkRevealer sets its own direction later. One that slides down keeps its width
 * while it is closed, and would take pointer events over the photo. */
static void
fs_side_panel_constructed (GObject *object)
{
  G_OBJECT_CLASS (fs_side_panel_parent_class)->constructed (object);
  fs_side_panel_direction_changed (GTK_WIDGET (object), GTK_TEXT_DIR_NONE);
}

static void
fs_side_panel_dispose (GObject *object)
{
  FsSidePanel *self = FS_SIDE_PANEL (object);
  g_clear_handle_id (&self->arrange_id, g_source_remove);
  g_clear_object (&self->space);
  g_clear_object (&self->bars);
  G_OBJECT_CLASS (fs_side_panel_parent_class)->dispose (object);
}

static void
fs_side_panel_class_init (FsSidePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->constructed = fs_side_panel_constructed;
  G_OBJECT_CLASS (klass)->dispose = fs_side_panel_dispose;
  widget_class->key_press_event = fs_side_panel_key_press;
  widget_class->direction_changed = fs_side_panel_direction_changed;
}

static void
fs_side_panel_init (FsSidePanel *self)
{
  g_signal_connect (self, "notify::reveal-child", G_CALLBACK (on_reveal_changed), NULL);
}
