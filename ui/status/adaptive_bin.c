/* SPDX-License-Identifier: MIT */
#include "ui/status/adaptive_bin.h"

struct _FsAdaptiveBin {
  GtkBox parent;
};

G_DEFINE_FINAL_TYPE (FsAdaptiveBin, fs_adaptive_bin, GTK_TYPE_BOX)

static GtkSizeRequestMode
fs_adaptive_bin_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
fs_adaptive_bin_get_preferred_width (GtkWidget *widget, int *minimum, int *natural)
{
  g_autoptr (GList) children = gtk_container_get_children (GTK_CONTAINER (widget));
  *minimum = *natural = 0;
  for (GList *at = children; at != NULL; at = at->next) {
    int min, max;
    gtk_widget_get_preferred_width (at->data, &min, &max);
    *minimum = at == children ? min : MIN (*minimum, min);
    *natural = MAX (*natural, max);
  }
}

static void
fs_adaptive_bin_get_preferred_height (GtkWidget *widget, int *minimum, int *natural)
{
  g_autoptr (GList) children = gtk_container_get_children (GTK_CONTAINER (widget));
  *minimum = *natural = 0;
  for (GList *at = children; at != NULL; at = at->next) {
    int min, max;
    gtk_widget_get_preferred_height (at->data, &min, &max);
    *minimum = MAX (*minimum, min);
    *natural = MAX (*natural, max);
  }
}

static void
fs_adaptive_bin_size_allocate (GtkWidget *widget, GtkAllocation *allocation)
{
  g_autoptr (GList) children = gtk_container_get_children (GTK_CONTAINER (widget));
  gboolean found = FALSE;
  gtk_widget_set_allocation (widget, allocation);
  for (GList *at = children; at != NULL; at = at->next) {
    int min;
    gtk_widget_get_preferred_width (at->data, &min, NULL);
    gboolean fits = !found && (min <= allocation->width || at->next == NULL);
    gtk_widget_set_child_visible (at->data, fits);
    if (fits)
      gtk_widget_size_allocate (at->data, allocation);
    found |= fits;
  }
}

/* GtkBox's draw needs a size that only GtkBox's size_allocate sets. */
static gboolean
fs_adaptive_bin_draw (GtkWidget *widget, cairo_t *cr)
{
  g_autoptr (GList) children = gtk_container_get_children (GTK_CONTAINER (widget));
  for (GList *at = children; at != NULL; at = at->next)
    gtk_container_propagate_draw (GTK_CONTAINER (widget), at->data, cr);
  return GDK_EVENT_PROPAGATE;
}

static void
fs_adaptive_bin_class_init (FsAdaptiveBinClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  widget_class->get_request_mode = fs_adaptive_bin_get_request_mode;
  widget_class->get_preferred_width = fs_adaptive_bin_get_preferred_width;
  widget_class->get_preferred_height = fs_adaptive_bin_get_preferred_height;
  widget_class->size_allocate = fs_adaptive_bin_size_allocate;
  widget_class->draw = fs_adaptive_bin_draw;
}

static void
fs_adaptive_bin_init (FsAdaptiveBin *self)
{
}
