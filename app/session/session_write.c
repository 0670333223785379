/* SPDX-License-Identifier: MIT */
#include "app/session/session.h"

#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/files/json_text.h"

#include <glib/gi18n.h>
#include <string.h>

/* Nine digits distinguish all floats, and mostly far fewer do. Adding 0 takes the sign from a −0,
 * which as "-0" would be read as the whole number 0 and written differently the next time. */
static void
append_float (GString *text, float value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE], format[] = "%.0g";
  for (char precision = '6'; precision <= '9'; precision++) {
    format[2] = precision;
    g_ascii_formatd (digits, sizeof digits, format, (double)(value + 0.0f));
    if ((float)g_ascii_strtod (digits, NULL) == value)
      break;
  }
  g_string_append (text, digits);
}

static void
append_double (GString *text, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (digits, sizeof digits, "%.15g", value + 0.0);
  if (g_ascii_strtod (digits, NULL) != value)
    g_ascii_dtostr (digits, sizeof digits, value);
  g_string_append (text, digits);
}

static void
append_photo (GString *text, const FsSession *session)
{
  g_string_append (text, "  \"photo\": { \"name\": ");
  fs_json_append_quoted (text, session->photo ? session->photo : "");
  g_string_append_printf (text, ", \"sha256\": \"%s\"", session->sha256);
  if (session->pixels[0])
    g_string_append_printf (text, ", \"pixels\": \"%s\"", session->pixels);
  g_string_append_printf (text, ", \"width\": %d, \"height\": %d },\n", session->width,
                          session->height);
}

static void
append_settings (GString *text, const FsSettings *settings)
{
  g_string_append_printf (text, "  \"settings\": { \"neighbours\": %d, \"smoothness\": ",
                          (int)settings->neighbours);
  append_double (text, settings->smoothness);
  g_string_append_printf (text, ", \"model\": \"%s\"%s%s },\n", fs_model_name (settings->model),
                          settings->star ? "" : ", \"star\": false",
                          settings->stability ? ", \"stability\": true" : "");
}

static void
append_labels (GString *text, const GArray *labels)
{
  g_string_append (text, "  \"labels\": [");
  for (guint i = 0; i < labels->len; i++) {
    const FsSessionLabel *label = &g_array_index (labels, FsSessionLabel, i);
    g_string_append (text, i > 0 ? ",\n    { \"name\": " : "\n    { \"name\": ");
    fs_json_append_quoted (text, label->name);
    g_string_append_printf (text, ", \"colour\": \"#%06x\" }", label->colour);
  }
  g_string_append (text, "\n  ],\n");
}

static void
append_sample (GString *text, const FsSample *sample)
{
  g_string_append_c (text, '[');
  append_float (text, sample->x);
  g_string_append (text, ", ");
  append_float (text, sample->y);
  g_string_append (text, ", ");
  append_float (text, sample->pressure);
  g_string_append_printf (text, ", %" G_GUINT32_FORMAT "]", sample->time_ms);
}

static void
append_samples (GString *text, const GArray *samples)
{
  g_string_append (text, ", \"samples\": [");
  for (guint i = 0; i < samples->len; i++) {
    if (i > 0)
      g_string_append (text, ", ");
    append_sample (text, &g_array_index (samples, FsSample, i));
  }
  g_string_append (text, "] }");
}

static void
append_guess (GString *text, FsStroke *stroke)
{
  g_string_append (text, "    { \"shape\": \"guess\"");
  if (stroke->name) {
    g_string_append (text, ", \"name\": ");
    fs_json_append_quoted (text, stroke->name);
  }
  GBytes *png = fs_stroke_get_png (stroke);
  gsize n = 0;
  const guchar *bytes = png ? g_bytes_get_data (png, &n) : NULL;
  g_autofree char *digits = bytes ? g_base64_encode (bytes, n) : NULL;
  if (digits)
    g_string_append_printf (text, ", \"%s\": \"%s\"",
                            fs_guess_get_numbers (stroke->guess) ? "objects" : "png", digits);
  g_string_append (text, " }");
}

static void
append_stroke (GString *text, const FsStroke *stroke)
{
  static const char *const shapes[] = {
    [FS_STROKE_BRUSH] = "",
    [FS_STROKE_PEN] = ", \"shape\": \"pen\"",
    [FS_STROKE_OUTLINE] = ", \"shape\": \"outline\"",
  };
  gboolean is_outline = stroke->shape == FS_STROKE_OUTLINE;
  g_string_append_printf (text, "    { \"label\": %d%s", stroke->label, shapes[stroke->shape]);
  if (!is_outline) {
    g_string_append (text, ", \"radius_px\": ");
    append_float (text, stroke->radius_px);
  }
  if (stroke->after > 0 && !is_outline)
    g_string_append_printf (text, ", \"after\": %u", stroke->after);
  append_samples (text, stroke->samples);
}

static void
append_edge_settings (GString *text, const FsEdgeSettings *settings)
{
  g_string_append (text, "\"settings\": { \"width_px\": ");
  if (settings->width_px == FS_EDGE_WIDTH_AUTO)
    g_string_append (text, "\"auto\"");
  else
    g_string_append_printf (text, "%d", settings->width_px);
  g_string_append_printf (text,
                          ", \"shift_tenths\": %d, \"contrast\": %d, \"smooth_px\": %d, "
                          "\"clean\": %d, \"specks_px\": %d, \"holes_px\": %d } }",
                          settings->shift_tenths, settings->contrast, settings->smooth_px,
                          settings->clean, settings->specks_px, settings->holes_px);
}

static void
append_edge (GString *text, const GPtrArray *edge)
{
  static const char *const zones[] = {
    [FS_EDGE_ZONE_NONE] = "erase",
    [FS_EDGE_ZONE_HARD] = "hard",
    [FS_EDGE_ZONE_REFINE] = "refine",
  };
  g_string_append (text, ",\n  \"edge\": [");
  for (guint i = 0; i < edge->len; i++) {
    const FsEdgeEdit *edit = edge->pdata[i];
    g_string_append_printf (text, "%s    { \"after\": %u, ", i > 0 ? ",\n" : "\n",
                            edit->after_strokes);
    if (!edit->zone) {
      append_edge_settings (text, &edit->settings);
      continue;
    }
    g_string_append_printf (text, "\"zone\": \"%s\"%s, \"radius_px\": ", zones[edit->zone->label],
                            edit->zone->shape == FS_STROKE_PEN ? ", \"shape\": \"pen\"" : "");
    append_float (text, edit->zone->radius_px);
    append_samples (text, edit->zone->samples);
  }
  g_string_append (text, "\n  ]");
}

char *
fs_session_to_text (const FsSession *session)
{
  g_return_val_if_fail (session, NULL);

  GString *text = g_string_new ("{\n  \"format\": \"" FS_SESSION_FORMAT "\",\n");
  append_photo (text, session);
  if (session->done)
    g_string_append (text, "  \"done\": true,\n");
  append_settings (text, &session->settings);
  append_labels (text, session->labels);
  g_string_append (text, "  \"strokes\": [");
  for (guint i = 0; i < session->strokes->len; i++) {
    g_string_append (text, i > 0 ? ",\n" : "\n");
    FsStroke *stroke = g_ptr_array_index (session->strokes, i);
    if (stroke->shape == FS_STROKE_GUESS)
      append_guess (text, stroke);
    else
      append_stroke (text, stroke);
  }
  g_string_append (text, session->strokes->len > 0 ? "\n  ]" : "]");
  if (session->edge->len > 0)
    append_edge (text, session->edge);
  g_string_append (text, "\n}\n");
  return g_string_free (text, FALSE);
}

/* One that is left out would be taken for none. */
static gboolean
check_guesses (const FsSession *session, const char *path, GError **error)
{
  for (guint i = 0; i < session->strokes->len; i++) {
    FsStroke *stroke = session->strokes->pdata[i];
    if (!stroke->guess || fs_stroke_get_png (stroke))
      continue;
    g_autofree char *name = fs_display_name (path);
    g_set_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_LIMIT,
                 _ ("%s: there is not enough memory for it"), name);
    return FALSE;
  }
  return TRUE;
}

gboolean
fs_session_write (FsSession *session, const char *path, GError **error)
{
  g_return_val_if_fail (session && path, FALSE);

  if (!check_guesses (session, path, error))
    return FALSE;
  g_autofree char *text = fs_session_to_text (session);
  /* A file that nobody could open again would lose the work as surely as no file. */
  g_autoptr (FsSession) readable = fs_session_parse (path, text, strlen (text), error);
  if (!readable || !fs_export_write_text (path, text, -1, error))
    return FALSE;
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_strlcpy (session->file_sha256, sum, sizeof session->file_sha256);
  return TRUE;
}
