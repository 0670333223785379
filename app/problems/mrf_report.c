/* SPDX-License-Identifier: MIT */
#include "app/problems/mrf_report.h"

#include <jansson.h>
#include <stdlib.h>

void
fs_mrf_result_clear (FsMrfResult *result)
{
  fs_expansion_result_clear (&result->expansion);
  g_clear_pointer (&result->warning, g_free);
}

static json_t *
cycles_to_json (const GArray *cycles)
{
  json_t *list = json_array ();
  for (guint i = 0; i < cycles->len; i++) {
    const FsExpansionCycle *cycle = &g_array_index (cycles, FsExpansionCycle, i);
    json_array_append_new (list, json_pack ("{s:I, s:I, s:I}", "energy", (json_int_t)cycle->energy,
                                            "changed", (json_int_t)cycle->n_changed, "processor_us",
                                            (json_int_t)cycle->time_us));
  }
  return list;
}

static json_t *
truncation_to_json (const FsMrfResult *result)
{
  const FsTruncation *truncation = &result->expansion.truncation;
  return json_pack ("{s:I, s:{s:i, s:i, s:i, s:i, s:i, s:i, s:i}}", "terms",
                    (json_int_t)truncation->n, "first", "x",
                    (int)(truncation->pixel % (size_t)result->width), "y",
                    (int)(truncation->pixel / (size_t)result->width), "dx",
                    fs_direction_dx (truncation->direction), "dy",
                    fs_direction_dy (truncation->direction), "a", (int)truncation->a, "b",
                    (int)truncation->b, "alpha", (int)truncation->alpha);
}

static json_t *
time_to_json (const FsMrfResult *r)
{
  return json_pack ("{s:I, s:I, s:I, s:I}", "read", (json_int_t)r->read_us, "solve",
                    (json_int_t)r->solve_us, "write", (json_int_t)r->write_us, "total",
                    (json_int_t)r->total_us);
}

char *
fs_mrf_result_to_json (const FsMrfResult *r)
{
  const FsExpansionResult *e = &r->expansion;
  json_t *report =
      json_pack ("{s:{s:i, s:i, s:i, s:i}, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:b, s:I, s:o, s:I, "
                 "s:I, s:I, s:o}",
                 "problem", "width", r->width, "height", r->height, "neighbours", r->neighbours,
                 "labels", r->n_labels, "kind", "expansion", "backend", r->backend, "device",
                 r->device, "energy", (json_int_t)e->energy.total, "data",
                 (json_int_t)e->energy.data, "smoothness", (json_int_t)e->energy.smoothness,
                 "bound", (json_int_t)r->bound, "converged", (int)e->converged, "start_us",
                 (json_int_t)r->start_us, "cycles", cycles_to_json (e->cycles), "moves",
                 (json_int_t)e->n_moves, "cuts", (json_int_t)e->n_solves, "bytes",
                 (json_int_t)r->n_bytes, "time_us", time_to_json (r));
  if (e->truncation.n > 0)
    json_object_set_new (report, "truncated", truncation_to_json (r));
  char *text = json_dumps (report, JSON_INDENT (2));
  json_decref (report);
  char *lines = g_strconcat (text, "\n", NULL);
  free (text);
  return lines;
}
