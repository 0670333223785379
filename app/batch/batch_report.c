/* SPDX-License-Identifier: MIT */
#include "app/batch/batch_report.h"

#include "app/files/display_name.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  guint item;
  char *photo, *reason; /* for people, the reason without the photo's name */
} Failure;

struct FsBatchReport {
  json_t *photos; /* cut or reused, as they came */
  GArray *failures;
};

static void
failure_clear (gpointer data)
{
  Failure *failure = data;
  g_free (failure->photo);
  g_free (failure->reason);
}

FsBatchReport *
fs_batch_report_new (void)
{
  FsBatchReport *report = g_new0 (FsBatchReport, 1);
  report->photos = json_array ();
  report->failures = g_array_new (FALSE, FALSE, sizeof (Failure));
  g_array_set_clear_func (report->failures, failure_clear);
  return report;
}

void
fs_batch_report_free (FsBatchReport *report)
{
  json_decref (report->photos);
  g_array_unref (report->failures);
  g_free (report);
}

void
fs_batch_report_add_reused (FsBatchReport *report, const char *photo)
{
  g_autofree char *name = fs_display_name (photo);
  json_array_append_new (report->photos, json_pack ("{s:s, s:s}", "photo", name, "state", "there"));
}

void
fs_batch_report_add_cut (FsBatchReport *report, const char *photo, const json_t *line)
{
  static const char *const facts[] = { "width", "height", "backend", "us" };
  g_autofree char *name = fs_display_name (photo);
  json_t *entry = json_pack ("{s:s, s:s}", "photo", name, "state", "cut");
  for (gsize i = 0; i < G_N_ELEMENTS (facts); i++)
    json_object_set (entry, facts[i], json_object_get (line, facts[i]));
  json_array_append_new (report->photos, entry);
}

void
fs_batch_report_add_failure (FsBatchReport *report, guint item, const char *photo,
                             const char *reason)
{
  Failure failure = { .item = item, .photo = fs_display_name (photo) };
  const gsize n = strlen (failure.photo);
  const gboolean has_name =
      strncmp (reason, failure.photo, n) == 0 && strncmp (reason + n, ": ", 2) == 0;
  failure.reason = g_strdup (has_name ? reason + n + 2 : reason);
  g_array_append_val (report->failures, failure);
}

static gint
compare_failures (gconstpointer a, gconstpointer b)
{
  const Failure *first = a, *second = b;
  return first->item < second->item ? -1 : first->item > second->item;
}

GPtrArray *
fs_batch_report_list_failures (const FsBatchReport *report)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  g_array_sort (report->failures, compare_failures);
  for (guint i = 0; i < report->failures->len; i++) {
    const Failure *failure = &g_array_index (report->failures, Failure, i);
    g_ptr_array_add (list, g_strdup_printf ("%s: %s", failure->photo, failure->reason));
  }
  return list;
}

char *
fs_batch_report_to_json (const FsBatchReport *report, const FsBatchJob *job, const FsBatchResult *r)
{
  json_t *failures = json_array ();
  for (guint i = 0; i < report->failures->len; i++) {
    const Failure *failure = &g_array_index (report->failures, Failure, i);
    json_array_append_new (failures, json_pack ("{s:s, s:s}", "photo", failure->photo, "reason",
                                                failure->reason));
  }
  json_t *json =
      json_pack ("{s:i, s:i, s:i, s:i, s:b, s:i, s:o, s:O, s:I}", "photos", (int)r->n_photos, "cut",
                 (int)r->n_cut, "there", (int)r->n_reused, "failed", (int)r->n_failed, "complete",
                 r->signal == 0, "jobs", job->n_jobs, "failures", failures, "each", report->photos,
                 "total_us", (json_int_t)r->total_us);
  if (job->shard.n > 0)
    json_object_set_new (json, "shard", json_sprintf ("%u/%u", job->shard.k, job->shard.n));
  char *text = json_dumps (json, JSON_INDENT (2));
  char *lines = g_strconcat (text, "\n", NULL);
  json_decref (json);
  free (text);
  return lines;
}
