/* SPDX-License-Identifier: MIT */
#include "ui/settings/preferences.h"
#include "ui/settings/app_id.h"

static GSettings *preferences;

/* Searches the system's schemas, then those in the program's installation prefix. */
static GSettingsSchema *
find_schema (void)
{
  GSettingsSchemaSource *system = g_settings_schema_source_get_default ();
  GSettingsSchema *schema = NULL;
  if (system != NULL)
    schema = g_settings_schema_source_lookup (system, FS_APPLICATION_ID, TRUE);
  if (schema != NULL)
    return schema;
  g_autoptr (GSettingsSchemaSource) own =
      g_settings_schema_source_new_from_directory (SCHEMADIR, system, TRUE, NULL);
  return own != NULL ? g_settings_schema_source_lookup (own, FS_APPLICATION_ID, FALSE) : NULL;
}

GSettings *
fs_preferences_get (void)
{
  static gboolean looked_for;
  if (looked_for)
    return preferences;
  looked_for = TRUE;
  g_autoptr (GSettingsSchema) schema = find_schema ();
  if (schema == NULL) {
    g_info ("the schema " FS_APPLICATION_ID " is not installed: preferences are not remembered");
    return NULL;
  }
  preferences = g_settings_new_full (schema, NULL, NULL);
  return preferences;
}

gboolean
fs_preferences_has (const char *key)
{
  GSettings *settings = fs_preferences_get ();
  if (settings == NULL)
    return FALSE;
  g_autoptr (GSettingsSchema) schema = NULL;
  g_object_get (settings, "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key);
}

void
fs_preferences_bind (const char *key, gpointer object, const char *property)
{
  if (fs_preferences_has (key))
    g_settings_bind (fs_preferences_get (), key, object, property,
                     G_SETTINGS_BIND_DEFAULT | G_SETTINGS_BIND_GET_NO_CHANGES);
}

void
fs_preferences_reset (void)
{
  GSettings *settings = fs_preferences_get ();
  if (settings == NULL)
    return;
  g_autoptr (GSettingsSchema) schema = NULL;
  g_object_get (settings, "settings-schema", &schema, NULL);
  g_auto (GStrv) keys = g_settings_schema_list_keys (schema);
  for (char **key = keys; *key != NULL; key++)
    g_settings_reset (settings, *key);
}
