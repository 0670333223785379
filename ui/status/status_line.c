/* SPDX-License-Identifier: MIT */
#include "ui/status/status_line.h"

#include "ui/status/wait_reason.h"

#include <glib/gi18n.h>

/* During a stroke masks follow each other quickly; only longer waits are shown. */
#define SOLVING_DELAY_MS 250
/* Waits of more than a second are shown with a reason. */
#define REASON_DELAY_US 1000000
/* The edge's computation is shown after so many ticks. */
#define EDGE_TICK_MS 100
#define EDGE_TICKS   3

struct _FsStatusLine {
  GtkBox parent;
  GtkLabel *name;
  GtkLabel *size;
  GtkImage *state_icon;
  GtkLabel *state;
  GtkWidget *edge_state;
  GtkWidget *finding_box;
  GtkLabel *finding;
  GtkLabel *energy;
  GtkLabel *device;
  GtkLabel *time;
  GtkWidget *zoom_box;
  GtkLabel *zoom;
  FsDocument *document;
  gboolean detailed;
  guint solving_id;
  gint64 solving_us; /* start of the wait */
  FsLiveEdge *edge;  /* of the document */
  guint edge_id, edge_ticks;
};

enum { PROP_UPDATING_EDGE = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (FsStatusLine, fs_status_line, GTK_TYPE_BOX)

static void
show_text (GtkLabel *label, const char *text)
{
  if (text != NULL)
    gtk_label_set_text (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
}

static void
show_state (FsStatusLine *self, const char *icon, const char *text)
{
  if (icon != NULL)
    gtk_image_set_from_icon_name (self->state_icon, icon, GTK_ICON_SIZE_MENU);
  gtk_widget_set_visible (GTK_WIDGET (self->state_icon), icon != NULL);
  show_text (self->state, text);
}

static gboolean
show_solving (gpointer user_data)
{
  FsStatusLine *self = user_data;
  g_autofree char *reason = NULL;
  if (g_get_monotonic_time () - self->solving_us > REASON_DELAY_US)
    reason = fs_wait_reason_of (self->document);
  show_state (self, "content-loading-symbolic", reason != NULL ? reason : _ ("solving…"));
  return G_SOURCE_CONTINUE;
}

static void
show_energy (FsStatusLine *self, const FsDocumentStatus *status)
{
  if (!status->exact || !self->detailed) {
    show_text (self->energy, NULL);
    show_text (self->time, NULL);
    return;
  }
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, status->energy);
  /* Translators: the value of what the cut minimises, a large whole number */
  g_autofree char *energy = g_strdup_printf (_ ("energy %s"), value);
  g_autofree char *time = NULL;
  if (status->solve_us < 1000)
    time = g_strdup (_ ("< 1 ms"));
  else
    time = g_strdup_printf (_ ("%d ms"), (int)((status->solve_us + 500) / 1000));
  show_text (self->energy, energy);
  show_text (self->time, time);
}

static void
show_edge_state (FsStatusLine *self, gboolean is_shown)
{
  if (gtk_widget_get_visible (self->edge_state) == is_shown)
    return;
  gtk_widget_set_visible (self->edge_state, is_shown);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_UPDATING_EDGE]);
}

/* While a stroke grows the edge waits for it. */
static gboolean
on_edge_tick (gpointer user_data)
{
  FsStatusLine *self = user_data;
  self->edge_ticks = fs_document_is_drawing (self->document) ? 0 : self->edge_ticks + 1;
  show_edge_state (self, self->edge_ticks >= EDGE_TICKS);
  return G_SOURCE_CONTINUE;
}

static void
hide_edge_state (FsStatusLine *self)
{
  g_clear_handle_id (&self->edge_id, g_source_remove);
  show_edge_state (self, FALSE);
}

/* The edge is only computed of an exact mask. */
static void
update_edge_state (FsStatusLine *self)
{
  FsDocumentStatus status = fs_document_get_status (self->document);
  gboolean works =
      status.has_mask && status.is_final && status.exact && fs_live_edge_is_busy (self->edge);
  if (!works) {
    hide_edge_state (self);
  } else if (self->edge_id == 0) {
    self->edge_ticks = 0;
    self->edge_id = g_timeout_add (EDGE_TICK_MS, on_edge_tick, self);
  }
}

static void
update_line (FsStatusLine *self)
{
  update_edge_state (self);
  FsDocumentStatus status = fs_document_get_status (self->document);
  /* While a subject finder runs, its text takes the place of the device's name. */
  show_text (self->device, gtk_widget_get_visible (self->finding_box) ? NULL : status.device);
  if (status.is_final)
    g_clear_handle_id (&self->solving_id, g_source_remove);
  else if (self->solving_id == 0) {
    self->solving_us = g_get_monotonic_time ();
    self->solving_id = g_timeout_add (SOLVING_DELAY_MS, show_solving, self);
  }

  if (!status.has_mask) {
    show_text (self->energy, NULL);
    show_text (self->time, NULL);
    if (status.is_final)
      show_state (self, NULL, NULL);
    return;
  }
  show_energy (self, &status);
  if (!status.is_final)
    return;
  if (status.exact)
    show_state (self, "object-select-symbolic", _ ("exact"));
  else
    show_state (self, "view-reveal-symbolic", _ ("preview"));
}

static void
on_busy_changed (FsStatusLine *self)
{
  update_line (self);
}

static void
drop_document (FsStatusLine *self)
{
  g_clear_handle_id (&self->solving_id, g_source_remove);
  if (self->document == NULL)
    return;
  hide_edge_state (self);
  g_signal_handlers_disconnect_by_data (self->edge, self);
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->edge);
  g_clear_object (&self->document);
}

void
fs_status_line_set_document (FsStatusLine *self, FsDocument *document, FsLiveEdge *edge,
                             const char *name)
{
  drop_document (self);
  show_state (self, NULL, NULL);
  if (document == NULL) {
    GtkLabel *labels[] = { self->name, self->size, self->energy, self->device, self->time };
    for (gsize i = 0; i < G_N_ELEMENTS (labels); i++)
      show_text (labels[i], NULL);
    return;
  }
  self->document = g_object_ref (document);
  self->edge = g_object_ref (edge);
  g_signal_connect_object (edge, "notify::busy", G_CALLBACK (update_edge_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "status-changed", G_CALLBACK (update_line), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "notify::busy", G_CALLBACK (on_busy_changed), self,
                           G_CONNECT_SWAPPED);
  FsImage *image = fs_document_get_image (document);
  g_autofree char *size = g_strdup_printf (_ ("%d × %d px"), image->width, image->height);
  show_text (self->name, name);
  show_text (self->size, size);
  update_line (self);
}

void
fs_status_line_set_detailed (FsStatusLine *self, gboolean detailed)
{
  self->detailed = detailed;
  if (self->document != NULL)
    update_line (self);
}

void
fs_status_line_set_finding (FsStatusLine *self, const char *text, const char *finder)
{
  if (text != NULL) {
    gtk_label_set_text (self->finding, text);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->finding), finder);
  }
  gtk_widget_set_visible (self->finding_box, text != NULL);
  if (self->document != NULL)
    update_line (self);
}

void
fs_status_line_set_zoom (FsStatusLine *self, double zoom)
{
  gtk_widget_set_visible (self->zoom_box, zoom > 0);
  g_autofree char *text = g_strdup_printf (_ ("%.0f %%"), zoom * 100);
  gtk_label_set_text (self->zoom, text);
}

static void
fs_status_line_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_UPDATING_EDGE)
    g_value_set_boolean (value, gtk_widget_get_visible (FS_STATUS_LINE (object)->edge_state));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
fs_status_line_dispose (GObject *object)
{
  drop_document (FS_STATUS_LINE (object));
  G_OBJECT_CLASS (fs_status_line_parent_class)->dispose (object);
}

static void
fs_status_line_class_init (FsStatusLineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fs_status_line_dispose;
  G_OBJECT_CLASS (klass)->get_property = fs_status_line_get_property;
  properties[PROP_UPDATING_EDGE] =
      g_param_spec_boolean ("updating-edge", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/status_line.ui");
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, name);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, size);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, state_icon);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, state);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, edge_state);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, finding_box);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, finding);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, energy);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, device);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, time);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, zoom_box);
  gtk_widget_class_bind_template_child (widget_class, FsStatusLine, zoom);
}

static void
fs_status_line_init (FsStatusLine *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
