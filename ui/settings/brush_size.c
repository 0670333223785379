/* SPDX-License-Identifier: MIT */
#include "ui/settings/brush_size.h"

#include <math.h>

/* --- the slider, with a logarithmic scale --- */

static gboolean
size_to_slider (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_set_double (to, log2 (g_value_get_int (from)));
  return TRUE;
}

static gboolean
slider_to_size (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_set_int (to, (int)lround (exp2 (g_value_get_double (from))));
  return TRUE;
}

void
fs_brush_slider_bind (GtkAdjustment *slider, FsTools *tools)
{
  g_object_bind_property_full (tools, "brush-size", slider, "value",
                               G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE, size_to_slider,
                               slider_to_size, NULL, NULL);
}

/* --- the entry --- */

static void
show_size (GtkEntry *entry)
{
  FsTools *tools = g_object_get_data (G_OBJECT (entry), "fs-tools");
  g_autofree char *text = g_strdup_printf ("%d", fs_tools_get_brush_size (tools));
  gtk_entry_set_text (entry, text);
}

static void
leave_entry (GtkEntry *entry)
{
  gtk_widget_grab_focus (g_object_get_data (G_OBJECT (entry), "fs-canvas"));
}

static gboolean
on_key (GtkEntry *entry, GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  show_size (entry);
  leave_entry (entry);
  return GDK_EVENT_STOP;
}

/* Text that is not a number is ignored. */
static gboolean
on_focus_out (GtkEntry *entry)
{
  FsTools *tools = g_object_get_data (G_OBJECT (entry), "fs-tools");
  guint64 size;
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (entry)));
  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &size, NULL))
    fs_tools_set_brush_size (tools, (int)size);
  show_size (entry);
  return GDK_EVENT_PROPAGATE;
}

void
fs_brush_entry_bind (GtkEntry *entry, FsTools *tools, GtkWidget *canvas)
{
  g_object_set_data_full (G_OBJECT (entry), "fs-tools", g_object_ref (tools), g_object_unref);
  g_object_set_data (G_OBJECT (entry), "fs-canvas", canvas);
  g_signal_connect (entry, "activate", G_CALLBACK (leave_entry), NULL);
  g_signal_connect (entry, "key-press-event", G_CALLBACK (on_key), NULL);
  g_signal_connect (entry, "focus-out-event", G_CALLBACK (on_focus_out), NULL);
  g_signal_connect_object (tools, "notify::brush-size", G_CALLBACK (show_size), entry,
                           G_CONNECT_SWAPPED);
  show_size (entry);
}
