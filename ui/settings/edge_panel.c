/* SPDX-License-Identifier: MIT */
#include "ui/settings/edge_panel.h"

#include "app/live/document_edge.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Changes of one control that follow each other so closely are one edit. */
#define ONE_DRAG_US 1000000

/* Each setting has an adjustment and a reset button, of its name. */
static const struct {
  const char *name;
  gsize field;  /* of FsEdgeSettings, an int */
  double scale; /* the adjustment's value times this is the field's */
} controls[] = {
  { "width", offsetof (FsEdgeSettings, width_px), 1 },
  { "shift", offsetof (FsEdgeSettings, shift_tenths), 10 },
  { "contrast", offsetof (FsEdgeSettings, contrast), 1 },
  { "smooth", offsetof (FsEdgeSettings, smooth_px), 1 },
  { "clean", offsetof (FsEdgeSettings, clean), 1 },
  { "specks", offsetof (FsEdgeSettings, specks_px), 1 },
  { "holes", offsetof (FsEdgeSettings, holes_px), 1 },
};

enum { WIDTH, N_CONTROLS = G_N_ELEMENTS (controls) };

struct _FsEdgePanel {
  GtkBox parent;
  GtkAdjustment *value[N_CONTROLS];
  GtkWidget *reset_button[N_CONTROLS];
  GtkToggleButton *automatic;
  GtkWidget *width_scale;
  GtkWidget *reset;
  FsDocument *document;
  gboolean showing;  /* widgets are being set from the document */
  int changed;       /* the control that was changed last, or −1 */
  gint64 changed_us; /* when that was                            */
};

G_DEFINE_FINAL_TYPE (FsEdgePanel, fs_edge_panel, GTK_TYPE_BOX)

/* The width that is offered in place of the automatic one. */
#define WIDTH_OFFERED_PX 4

static int *
field_of (FsEdgeSettings *settings, int i)
{
  return (int *)(gpointer)((char *)settings + controls[i].field);
}

static void
show_settings (FsEdgePanel *self, FsEdgeSettings settings)
{
  FsEdgeSettings usual = FS_EDGE_SETTINGS_DEFAULT;
  gboolean is_automatic = settings.width_px == FS_EDGE_WIDTH_AUTO;
  self->showing = TRUE;
  for (int i = 0; i < N_CONTROLS; i++) {
    gtk_widget_set_sensitive (self->reset_button[i],
                              *field_of (&settings, i) != *field_of (&usual, i));
    if (i != WIDTH || !is_automatic)
      gtk_adjustment_set_value (self->value[i], *field_of (&settings, i) / controls[i].scale);
  }
  gtk_toggle_button_set_active (self->automatic, is_automatic);
  gtk_widget_set_sensitive (self->width_scale, !is_automatic);
  gtk_widget_set_sensitive (self->reset, !fs_edge_settings_equal (&settings, &usual));
  self->showing = FALSE;
}

static FsEdgeSettings
read_settings (FsEdgePanel *self)
{
  FsEdgeSettings settings = { 0 };
  for (int i = 0; i < N_CONTROLS; i++)
    *field_of (&settings, i) =
        (int)lround (gtk_adjustment_get_value (self->value[i]) * controls[i].scale);
  if (gtk_toggle_button_get_active (self->automatic))
    settings.width_px = FS_EDGE_WIDTH_AUTO;
  return settings;
}

/* The only control that differs; −1 where there are several, or a switch was turned. */
static int
find_changed (FsEdgeSettings a, FsEdgeSettings b)
{
  int changed = -1;
  for (int i = 0; i < N_CONTROLS; i++)
    if (*field_of (&a, i) != *field_of (&b, i)) {
      if (changed >= 0)
        return -1;
      changed = i;
    }
  gboolean switched = (a.width_px == FS_EDGE_WIDTH_AUTO) != (b.width_px == FS_EDGE_WIDTH_AUTO);
  return switched ? -1 : changed;
}

static void
on_changed (FsEdgePanel *self)
{
  if (self->showing || self->document == NULL)
    return;
  FsEdgeSettings before = fs_document_get_edge_settings (self->document);
  FsEdgeSettings settings = read_settings (self);
  int changed = find_changed (before, settings);
  gint64 now = g_get_monotonic_time ();
  gboolean continues =
      changed >= 0 && changed == self->changed && now - self->changed_us < ONE_DRAG_US;
  self->changed = changed;
  self->changed_us = now;
  fs_document_set_edge_settings (self->document, &settings, continues);
  show_settings (self, fs_document_get_edge_settings (self->document));
}

static void
on_reset (GtkWidget *button, FsEdgePanel *self)
{
  if (self->document == NULL)
    return;
  FsEdgeSettings usual = FS_EDGE_SETTINGS_DEFAULT;
  FsEdgeSettings settings = fs_document_get_edge_settings (self->document);
  for (int i = 0; i < N_CONTROLS; i++)
    if (button == self->reset || button == self->reset_button[i])
      *field_of (&settings, i) = *field_of (&usual, i);
  self->changed = -1;
  fs_document_set_edge_settings (self->document, &settings, FALSE);
}

static void
on_edge_changed (FsEdgePanel *self, const FsRect *rect)
{
  if (fs_rect_is_empty (*rect))
    show_settings (self, fs_document_get_edge_settings (self->document));
}

void
fs_edge_panel_set_document (FsEdgePanel *self, FsDocument *document)
{
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_set_object (&self->document, document);
  gtk_widget_set_sensitive (GTK_WIDGET (self), document != NULL);
  self->changed = -1;
  if (document == NULL)
    return;
  g_signal_connect_object (document, "edge-changed", G_CALLBACK (on_edge_changed), self,
                           G_CONNECT_SWAPPED);
  show_settings (self, fs_document_get_edge_settings (document));
}

static void
fs_edge_panel_dispose (GObject *object)
{
  fs_edge_panel_set_document (FS_EDGE_PANEL (object), NULL);
  G_OBJECT_CLASS (fs_edge_panel_parent_class)->dispose (object);
}

static void
fs_edge_panel_class_init (FsEdgePanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fs_edge_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/edge_panel.ui");
  for (int i = 0; i < N_CONTROLS; i++) {
    g_autofree char *reset = g_strdup_printf ("reset_%s", controls[i].name);
    gtk_widget_class_bind_template_child_full (widget_class, controls[i].name, FALSE, 0);
    gtk_widget_class_bind_template_child_full (widget_class, reset, FALSE, 0);
  }
  gtk_widget_class_bind_template_child (widget_class, FsEdgePanel, automatic);
  gtk_widget_class_bind_template_child (widget_class, FsEdgePanel, width_scale);
  gtk_widget_class_bind_template_child (widget_class, FsEdgePanel, reset);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_reset);
}

static void
fs_edge_panel_init (FsEdgePanel *self)
{
  self->showing = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  GtkWidget *widget = GTK_WIDGET (self);
  for (int i = 0; i < N_CONTROLS; i++) {
    g_autofree char *reset = g_strdup_printf ("reset_%s", controls[i].name);
    self->value[i] = GTK_ADJUSTMENT (
        gtk_widget_get_template_child (widget, FS_TYPE_EDGE_PANEL, controls[i].name));
    self->reset_button[i] =
        GTK_WIDGET (gtk_widget_get_template_child (widget, FS_TYPE_EDGE_PANEL, reset));
  }
  gtk_adjustment_set_value (self->value[WIDTH], WIDTH_OFFERED_PX);
  self->showing = FALSE;
  self->changed = -1;
}
