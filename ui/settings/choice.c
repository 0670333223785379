/* SPDX-License-Identifier: MIT */
#include "ui/settings/choice.h"

static gboolean
value_to_active (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  gboolean active = g_value_get_enum (from) == GPOINTER_TO_INT (user_data);
  /* Switching one button on switches off the others of its group; a radio button cannot be switched
   * off by itself. */
  if (!active)
    return FALSE;
  g_value_set_boolean (to, TRUE);
  return TRUE;
}

static gboolean
active_to_value (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  if (!g_value_get_boolean (from))
    return FALSE;
  g_value_set_enum (to, GPOINTER_TO_INT (user_data));
  return TRUE;
}

void
fs_choice_bind (GtkToggleButton *button, GObject *object, const char *property, int value)
{
  g_object_bind_property_full (object, property, button, "active",
                               G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE, value_to_active,
                               active_to_value, GINT_TO_POINTER (value), NULL);
}
