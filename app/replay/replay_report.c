/* SPDX-License-Identifier: MIT */
#include "app/replay/replay_report.h"

#include <jansson.h>
#include <stdlib.h>

void
fs_replay_result_clear (FsReplayResult *result)
{
  g_clear_pointer (&result->warning, g_free);
  g_clear_pointer (&result->note, g_free);
  g_clear_pointer (&result->guess, g_free);
}

static json_t *
latency_to_json (const FsLatencySummary *summary)
{
  return json_pack ("{s:i, s:{s:I, s:I, s:I}}", "updates", (int)summary->n, "latency_us", "p50",
                    (json_int_t)summary->p50_us, "p95", (json_int_t)summary->p95_us, "max",
                    (json_int_t)summary->max_us);
}

static json_t *
time_to_json (const FsReplayResult *r)
{
  return json_pack ("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "decode", (json_int_t)r->decode_us,
                    "model", (json_int_t)r->status.model_us, "energy",
                    (json_int_t)r->status.energy_us, "cut", (json_int_t)r->status.cut_us, "play",
                    (json_int_t)r->play_us, "share", (json_int_t)r->map_us, "write",
                    (json_int_t)r->write_us, "total", (json_int_t)r->total_us);
}

char *
fs_replay_result_to_json (const FsReplayResult *r)
{
  json_t *report = json_pack ("{s:{s:i, s:i}, s:s, s:s}", "photo", "width", r->width, "height",
                              r->height, "backend", r->status.backend, "device", r->status.device);
  if (r->warning) {
    g_autofree char *warning = g_utf8_make_valid (r->warning, -1);
    json_object_set_new (report, "warning", json_string (warning));
  }
  if (r->guess)
    json_object_set_new (report, "guess", json_string (r->guess));
  json_t *rest =
      json_pack ("{s:s, s:i, s:f, s:I, s:I, s:b, s:I, s:i, s:o, s:o, s:o, s:o}", "model",
                 fs_model_name (r->settings.model), "neighbours", (int)r->settings.neighbours,
                 "smoothness", r->settings.smoothness, "energy", (json_int_t)r->status.energy,
                 "bound", (json_int_t)r->status.bound, "exact", (int)r->status.exact,
                 "object_pixels", (json_int_t)r->object_pixels, "strokes", (int)r->n_strokes,
                 "masks", latency_to_json (&r->masks), "previews", latency_to_json (&r->previews),
                 "exact_masks", latency_to_json (&r->exact), "settled_masks",
                 latency_to_json (&r->final));
  json_object_update (report, rest);
  json_decref (rest);
  json_object_set_new (report, "time_us", time_to_json (r));
  char *text = json_dumps (report, JSON_INDENT (2) | JSON_REAL_PRECISION (6));
  json_decref (report);
  char *lines = g_strconcat (text, "\n", NULL);
  free (text);
  return lines;
}
