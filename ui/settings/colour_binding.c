/* SPDX-License-Identifier: MIT */
#include "ui/settings/colour_binding.h"

static gboolean
text_to_colour (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  GdkRGBA rgba;
  if (!gdk_rgba_parse (&rgba, g_value_get_string (from)))
    return FALSE;
  g_value_set_boxed (to, &rgba);
  return TRUE;
}

static gboolean
colour_to_text (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  const GdkRGBA *rgba = g_value_get_boxed (from);
  g_value_take_string (to, g_strdup_printf ("#%02x%02x%02x", (guint)(rgba->red * 255 + 0.5),
                                            (guint)(rgba->green * 255 + 0.5),
                                            (guint)(rgba->blue * 255 + 0.5)));
  return TRUE;
}

void
fs_colour_bind (gpointer object, const char *property, GtkColorChooser *chooser)
{
  g_object_bind_property_full (object, property, chooser, "rgba",
                               G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE, text_to_colour,
                               colour_to_text, NULL, NULL);
}
