/* SPDX-License-Identifier: MIT */
#include "app/session/session_reader.h"

#include "app/files/display_name.h"

typedef FsSessionReader Reader;
typedef FsSessionPlace Place;

gboolean
fs_session_refuse (Reader *reader, FsSessionError code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *name = fs_display_name (reader->name);
  g_set_error (reader->error, FS_SESSION_ERROR, code, "%s: %s", name, reason);
  return FALSE;
}

gboolean
fs_session_check_keys (Reader *reader, json_t *object, const char *where, const char *const *keys)
{
  if (!json_is_object (object))
    return fs_session_invalid (reader, "%s is not an object", where);
  const char *key;
  json_t *value;
  json_object_foreach (object, key, value)
  {
    if (g_strv_contains (keys, key))
      continue;
    g_autofree char *shown = g_strndup (key, 40);
    g_autofree char *line = fs_display_name (shown);
    return fs_session_invalid (reader, "%s has a key that is not known: \"%s\"", where, line);
  }
  return TRUE;
}

gboolean
fs_session_read_whole (Reader *reader, json_t *value, const char *where, gint64 min, gint64 max,
                       gint64 *number)
{
  if (!json_is_integer (value))
    return fs_session_invalid (reader, "%s is not a whole number", where);
  *number = json_integer_value (value);
  if (*number >= min && *number <= max)
    return TRUE;
  return fs_session_invalid (reader, "%s is not in %" G_GINT64_FORMAT " … %" G_GINT64_FORMAT, where,
                             min, max);
}

gboolean
fs_session_read_radius (Reader *reader, json_t *value, const char *where, FsStroke *stroke)
{
  double radius_px = json_number_value (value);
  if (!json_is_number (value) || radius_px > FS_SESSION_MAX_RADIUS_PX || !((float)radius_px > 0))
    return fs_session_invalid (reader, "%s.radius_px is not a number above 0 and up to %.0f", where,
                               FS_SESSION_MAX_RADIUS_PX);
  stroke->radius_px = (float)radius_px;
  return TRUE;
}

typedef enum { SAMPLE_X, SAMPLE_Y, SAMPLE_PRESSURE, SAMPLE_TIME } SampleField;

static const struct {
  const char *name;
  double min, max;
} sample_fields[] = {
  [SAMPLE_X] = { "x", -FS_SESSION_MAX_PLACE_PX, FS_SESSION_MAX_PLACE_PX },
  [SAMPLE_Y] = { "y", -FS_SESSION_MAX_PLACE_PX, FS_SESSION_MAX_PLACE_PX },
  [SAMPLE_PRESSURE] = { "pressure", 0, 1 },
  [SAMPLE_TIME] = { "time_ms", 0, G_MAXUINT32 },
};

static gboolean
read_field (Reader *reader, json_t *sample, SampleField field, Place at, double *number)
{
  json_t *value = json_array_get (sample, field);
  const char *name = sample_fields[field].name;
  if (field == SAMPLE_TIME && !json_is_integer (value))
    return fs_session_invalid (reader, "%s[%u].samples[%u]: %s is not a whole number", at.list,
                               at.stroke, at.sample, name);
  if (!json_is_number (value))
    return fs_session_invalid (reader, "%s[%u].samples[%u]: %s is not a number", at.list, at.stroke,
                               at.sample, name);
  *number = json_number_value (value);
  if (*number >= sample_fields[field].min && *number <= sample_fields[field].max)
    return TRUE;
  return fs_session_invalid (reader, "%s[%u].samples[%u]: %s is not in %.0f … %.0f", at.list,
                             at.stroke, at.sample, name, sample_fields[field].min,
                             sample_fields[field].max);
}

static gboolean
read_sample (Reader *reader, json_t *value, Place at, FsStroke *stroke)
{
  if (!json_is_array (value) || json_array_size (value) != G_N_ELEMENTS (sample_fields))
    return fs_session_invalid (reader, "%s[%u].samples[%u] is not [x, y, pressure, time_ms]",
                               at.list, at.stroke, at.sample);
  double number[G_N_ELEMENTS (sample_fields)];
  for (guint i = 0; i < G_N_ELEMENTS (sample_fields); i++)
    if (!read_field (reader, value, (SampleField)i, at, &number[i]))
      return FALSE;
  FsSample sample = { (float)number[SAMPLE_X], (float)number[SAMPLE_Y],
                      (float)number[SAMPLE_PRESSURE], (uint32_t)number[SAMPLE_TIME] };
  g_array_append_val (stroke->samples, sample);
  return TRUE;
}

gboolean
fs_session_read_samples (Reader *reader, json_t *samples, Place at, FsStroke *stroke)
{
  if (!json_is_array (samples) || json_array_size (samples) == 0)
    return fs_session_invalid (reader, "%s[%u].samples is not an array of samples, or empty",
                               at.list, at.stroke);
  size_t n = json_array_size (samples);
  reader->n_samples += n;
  if (reader->n_samples > FS_SESSION_MAX_SAMPLES)
    return fs_session_refuse (reader, FS_SESSION_ERROR_LIMIT, "has more than %d samples",
                              FS_SESSION_MAX_SAMPLES);
  for (at.sample = 0; at.sample < n; at.sample++)
    if (!read_sample (reader, json_array_get (samples, at.sample), at, stroke))
      return FALSE;
  return TRUE;
}
