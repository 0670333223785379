/* SPDX-License-Identifier: MIT */
#include "ui/settings/brush_slider.h"

#include <math.h>

/* The slider's steps are ratios: half as large is as far as twice as large. */

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
