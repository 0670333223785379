/* SPDX-License-Identifier: MIT */
#include "app/frames/frames_report.h"

#include <jansson.h>
#include <stdlib.h>

enum { GAPS_SHOWN = 3 };

void
fs_frames_result_clear (FsFramesResult *result)
{
  g_clear_pointer (&result->gaps, g_array_unref);
  g_clear_pointer (&result->guess, g_free);
}

static void
append_gaps (GString *text, const FsFramesResult *r)
{
  g_string_append_printf (text, "; %" G_GUINT64_FORMAT " numbers without a frame", r->n_missing);
  for (guint i = 0; i < r->gaps->len && i < GAPS_SHOWN; i++) {
    FsFrameGap gap = g_array_index (r->gaps, FsFrameGap, i);
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, i == 0 ? " (" : ", ", gap.first);
    if (gap.last > gap.first)
      g_string_append_printf (text, " to %" G_GUINT64_FORMAT, gap.last);
  }
  if (r->gaps->len > 0)
    g_string_append (text, r->gaps->len > GAPS_SHOWN ? ", …)" : ")");
}

char *
fs_frames_result_describe (const FsFramesResult *r)
{
  g_return_val_if_fail (r && r->gaps, NULL);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%u frames: %u cut, %u there already, %u failed", r->n_frames,
                          r->n_cut, r->n_reused, r->n_failed);
  if (r->n_lost > 0)
    g_string_append_printf (text, ", %u lost", r->n_lost);
  if (r->n_unguessed > 0)
    g_string_append_printf (text, ", %u without a guess", r->n_unguessed);
  append_gaps (text, r);
  g_string_append_printf (text, "; %.0f ms", (double)r->total_us / 1000);
  return g_string_free (text, FALSE);
}

static json_t *
list_messages (const GPtrArray *messages)
{
  json_t *list = json_array ();
  for (guint i = 0; i < messages->len; i++) {
    g_autofree char *message = g_utf8_make_valid (messages->pdata[i], -1);
    json_array_append_new (list, json_string (message));
  }
  return list;
}

static json_t *
list_gaps (const FsFramesResult *result)
{
  json_t *gaps = json_array ();
  for (guint i = 0; i < result->gaps->len; i++) {
    FsFrameGap gap = g_array_index (result->gaps, FsFrameGap, i);
    json_array_append_new (gaps, json_pack ("[I, I]", (json_int_t)gap.first, (json_int_t)gap.last));
  }
  return gaps;
}

char *
fs_frames_report_to_json (const FsFramesResult *r, const GPtrArray *failures,
                          const GPtrArray *warnings)
{
  g_return_val_if_fail (r && failures && warnings, NULL);
  json_t *report =
      json_pack ("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:s*, s:s*, s:{s:I, s:I}}",
                 "frames", (json_int_t)r->n_frames, "cut", (json_int_t)r->n_cut, "kept",
                 (json_int_t)r->n_reused, "lost", (json_int_t)r->n_lost, "failed",
                 (json_int_t)r->n_failed, "left", (json_int_t)r->n_left, "missing",
                 (json_int_t)r->n_missing, "gaps", list_gaps (r), "failures",
                 list_messages (failures), "warnings", list_messages (warnings), "backend",
                 r->backend, "device", r->device, "time_us", "cut", (json_int_t)r->cut_us, "total",
                 (json_int_t)r->total_us);
  if (r->guess) {
    g_autofree char *name = g_utf8_make_valid (r->guess, -1);
    json_object_set_new (report, "guess", json_string (name));
    json_object_set_new (report, "guessed", json_integer (r->n_guessed));
    json_object_set_new (report, "without_guess", json_integer (r->n_unguessed));
  }
  char *text = json_dumps (report, JSON_INDENT (2));
  json_decref (report);
  char *line = g_strconcat (text, "\n", NULL);
  free (text);
  return line;
}
