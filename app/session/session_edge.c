/* SPDX-License-Identifier: MIT */
#include "app/session/session_reader.h"

static gboolean
read_edge_settings (FsSessionReader *reader, json_t *value, const char *where,
                    FsEdgeSettings *settings)
{
  const struct {
    const char *name;
    int min, max;
    int *field;
  } fields[] = {
    { "width_px", 0, FS_EDGE_MAX_WIDTH_PX, &settings->width_px },
    { "shift_tenths", -FS_EDGE_MAX_SHIFT_TENTHS, FS_EDGE_MAX_SHIFT_TENTHS,
      &settings->shift_tenths },
    { "contrast", 0, 100, &settings->contrast },
    { "smooth_px", 0, FS_EDGE_MAX_SMOOTH_PX, &settings->smooth_px },
    { "clean", 0, 100, &settings->clean },
    { "specks_px", 0, FS_EDGE_MAX_AREA_PX, &settings->specks_px },
    { "holes_px", 0, FS_EDGE_MAX_AREA_PX, &settings->holes_px },
  };
  static const char *const keys[] = { "width_px", "shift_tenths", "contrast", "smooth_px",
                                      "clean",    "specks_px",    "holes_px", NULL };
  if (!fs_session_check_keys (reader, value, where, keys))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    json_t *field = json_object_get (value, fields[i].name);
    g_autofree char *where_field = g_strdup_printf ("%s.%s", where, fields[i].name);
    gint64 number = FS_EDGE_WIDTH_AUTO;
    gboolean is_auto = i == 0 && g_strcmp0 (json_string_value (field), "auto") == 0;
    if (!is_auto
        && !fs_session_read_whole (reader, field, where_field, fields[i].min, fields[i].max,
                                   &number))
      return FALSE;
    *fields[i].field = (int)number;
  }
  return TRUE;
}

static gboolean
read_zone (FsSessionReader *reader, json_t *value, guint i, FsStroke *stroke)
{
  static const char *const names[] = { "erase", "hard", "refine" };
  g_autofree char *where = g_strdup_printf ("edge[%u]", i);
  const char *name = json_string_value (json_object_get (value, "zone"));
  guint zone = 0;
  while (zone < FS_EDGE_N_ZONES && g_strcmp0 (name, names[zone]) != 0)
    zone++;
  if (zone == FS_EDGE_N_ZONES)
    return fs_session_invalid (reader, "%s.zone is not \"refine\", \"hard\" or \"erase\"", where);
  stroke->label = (uint8_t)zone;
  json_t *shape = json_object_get (value, "shape");
  if (shape && g_strcmp0 (json_string_value (shape), "pen") != 0)
    return fs_session_invalid (reader, "%s.shape is not \"pen\"", where);
  stroke->shape = shape ? FS_STROKE_PEN : FS_STROKE_BRUSH;
  return fs_session_read_radius (reader, json_object_get (value, "radius_px"), where, stroke)
         && fs_session_read_samples (reader, json_object_get (value, "samples"),
                                     (FsSessionPlace){ "edge", i, 0 }, stroke);
}

static gboolean
read_edge_edit (FsSessionReader *reader, json_t *value, guint i, FsSession *session)
{
  static const char *const zone_keys[] = { "after", "zone", "shape", "radius_px", "samples", NULL };
  static const char *const settings_keys[] = { "after", "settings", NULL };
  g_autofree char *where = g_strdup_printf ("edge[%u]", i);
  g_autofree char *where_after = g_strdup_printf ("edge[%u].after", i);
  g_autofree char *where_settings = g_strdup_printf ("edge[%u].settings", i);
  json_t *settings = json_object_get (value, "settings");
  const FsEdgeEdit *before = i > 0 ? session->edge->pdata[i - 1] : NULL;
  gint64 after = 0;
  if (!fs_session_check_keys (reader, value, where, settings ? settings_keys : zone_keys)
      || !fs_session_read_whole (reader, json_object_get (value, "after"), where_after,
                                 before ? before->after_strokes : 0, session->strokes->len, &after))
    return FALSE;
  FsEdgeSettings read = { 0 };
  g_autoptr (FsStroke) zone = settings ? NULL : fs_stroke_new (FS_EDGE_ZONE_NONE, 1);
  if (settings ? !read_edge_settings (reader, settings, where_settings, &read)
               : !read_zone (reader, value, i, zone))
    return FALSE;
  g_ptr_array_add (session->edge, zone ? fs_edge_edit_new_zone (zone, (guint)after)
                                       : fs_edge_edit_new_settings (&read, (guint)after));
  return TRUE;
}

gboolean
fs_session_read_edge (FsSessionReader *reader, json_t *edge, FsSession *session)
{
  if (edge && !json_is_array (edge))
    return fs_session_invalid (reader, "edge is not an array");
  size_t n = json_array_size (edge);
  if (n > FS_SESSION_MAX_EDGE_EDITS)
    return fs_session_refuse (reader, FS_SESSION_ERROR_LIMIT, "has more than %d edits of the edge",
                              FS_SESSION_MAX_EDGE_EDITS);
  if (n > FS_SESSION_MAX_STROKES - session->strokes->len)
    return fs_session_refuse (reader, FS_SESSION_ERROR_LIMIT, "has more than %d strokes",
                              FS_SESSION_MAX_STROKES);
  for (guint i = 0; i < n; i++)
    if (!read_edge_edit (reader, json_array_get (edge, i), i, session))
      return FALSE;
  return TRUE;
}
