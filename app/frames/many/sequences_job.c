/* SPDX-License-Identifier: MIT */
#include "app/frames/many/sequences_job.h"

#include "app/backend/device_choice.h"
#include "app/batch/batch_report.h"
#include "app/batch/stop_signals.h"
#include "app/batch/workers.h"
#include "app/files/display_name.h"
#include "app/finder/subject_finder.h"
#include "app/frames/list/frames.h"
#include "app/frames/many/sequence_work.h"

#include <errno.h>
#include <glib/gstdio.h>

enum { WAIT_MS = 500 };

typedef struct {
  const FsSequencesJob *job;
  FsFramesJob each; /* with a worker's share of the processors */
  FsSequencesResult *result;
  GPtrArray *sequences; /* of FsSequenceFiles */
  FsWorkers *workers;
  FsBatchReport *failures;
  GHashTable *notices; /* those that were reported */
  char **summaries;    /* of each sequence; NULL: not yet, or it has failed */
  guint next;          /* sequence */
} Run;

static void
run_clear (Run *run)
{
  for (guint i = 0; run->summaries && i < run->sequences->len; i++)
    g_free (run->summaries[i]);
  g_free (run->summaries);
  g_clear_pointer (&run->workers, fs_workers_free);
  g_clear_pointer (&run->sequences, g_ptr_array_unref);
  g_clear_pointer (&run->failures, fs_batch_report_free);
  g_clear_pointer (&run->notices, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

void
fs_sequences_result_clear (FsSequencesResult *result)
{
  g_clear_pointer (&result->summaries, g_ptr_array_unref);
  g_clear_pointer (&result->failures, g_ptr_array_unref);
}

/* --- in a worker ------------------------------------------------------------------------------ */

static void
begin_worker (int worker, gpointer data)
{
  const Run *run = data;
  fs_device_choice_assign (run->job->devices, worker);
}

static char *
cut_sequence (guint item, gpointer data)
{
  const Run *run = data;
  return fs_sequence_work (&run->each, run->sequences->pdata[item]);
}

/* --- results ---------------------------------------------------------------------------------- */

static void
show_progress (const Run *run)
{
  const FsSequencesResult *r = run->result;
  run->job->progress (r->n_done + r->n_partial + r->n_failed, r->n_failed, run->sequences->len,
                      run->job->each.user_data);
}

static void
fail_sequence (Run *run, guint item, const char *reason)
{
  const FsSequenceFiles *files = run->sequences->pdata[item];
  run->result->n_failed++;
  fs_batch_report_add_failure (run->failures, item, files->path, reason);
}

static void
report_messages (const Run *run, const json_t *line)
{
  size_t i;
  json_t *message;
  const char *notice = json_string_value (json_object_get (line, "notice"));
  json_array_foreach (json_object_get (line, "messages"), i, message)
      run->job->each.on_message (json_string_value (message), run->job->each.user_data);
  if (notice && g_hash_table_add (run->notices, g_strdup (notice)))
    run->job->each.on_message (notice, run->job->each.user_data);
}

/* The answer of a worker; `text` is NULL where it has ended. */
static void
take_answer (Run *run, guint item, const char *text, const char *reason)
{
  const FsSequenceFiles *files = run->sequences->pdata[item];
  json_t *line = text ? json_loads (text, 0, NULL) : NULL;
  report_messages (run, line);
  if (json_is_true (json_object_get (line, "done"))) {
    const char *summary = json_string_value (json_object_get (line, "summary"));
    g_autofree char *name = fs_display_name (files->name);
    run->summaries[item] = g_strdup_printf ("%s: %s", name, summary);
    if (json_is_true (json_object_get (line, "whole")))
      run->result->n_done++;
    else
      run->result->n_partial++;
  } else {
    const char *known = json_string_value (json_object_get (line, "reason"));
    fail_sequence (run, item, known ? known : reason ? reason : "its worker did not answer");
  }
  json_decref (line);
  show_progress (run);
}

/* --- sequences -------------------------------------------------------------------------------- */

static gboolean
give_next (Run *run, GError **error)
{
  const guint item = run->next++;
  const FsSequenceFiles *files = run->sequences->pdata[item];
  const char *reason = NULL;
  if (!g_file_test (files->path, G_FILE_TEST_EXISTS))
    reason = "is not there";
  else if (!files->session && !files->seeds && !files->guess && !run->each.find_subject
           && !run->each.skin)
    reason = "no strokes or guesses";
  if (!reason)
    return fs_workers_give (run->workers, item, error);
  fail_sequence (run, item, reason);
  show_progress (run);
  return TRUE;
}

static gboolean
cut_all (Run *run, GError **error)
{
  while (fs_stop_signals_get () == 0
         && (run->next < run->sequences->len || fs_workers_have_busy (run->workers))) {
    guint item;
    g_autofree char *line = NULL, *reason = NULL;
    if (run->next < run->sequences->len && fs_workers_have_idle (run->workers)) {
      if (!give_next (run, error))
        return FALSE;
    } else if (!fs_workers_wait (run->workers, WAIT_MS, &item, &line, &reason)) {
      show_progress (run);
    } else if (!fs_stop_signals_explain (line)) {
      take_answer (run, item, line, reason);
    }
  }
  return TRUE;
}

/* --- the run ---------------------------------------------------------------------------------- */

/* A finder that is not there would cost every sequence a line. */
static gboolean
check_finder (const FsFramesJob *each, GError **error)
{
  const char *wanted = each->find_subject;
  g_autoptr (FsSubjectFinder) finder =
      wanted ? fs_subject_finder_new (*wanted != '\0' ? wanted : NULL, error) : NULL;
  return !wanted || finder;
}

static gboolean
make_folders (const FsFramesJob *each, GError **error)
{
  const char *folders[] = { each->out, each->cutouts, each->overlays, each->report };
  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    if (folders[i] && g_mkdir_with_parents (folders[i], 0777) != 0)
      return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, folders[i], "cannot be made: %s",
                             g_strerror (errno));
  return TRUE;
}

static gboolean
open_all (Run *run, GError **error)
{
  run->sequences = fs_sequence_list_make (run->job, error);
  if (!run->sequences || !check_finder (&run->job->each, error)
      || !make_folders (&run->job->each, error))
    return FALSE;
  const int n_jobs = CLAMP (run->job->n_jobs, 1, (int)MAX (run->sequences->len, 1));
  run->each = run->job->each;
  if (run->each.n_threads == 0 && n_jobs > 1)
    run->each.n_threads = MAX ((int)g_get_num_processors () / n_jobs, 1);
  run->summaries = g_new0 (char *, run->sequences->len);
  run->workers = fs_workers_new (n_jobs, &(FsWork){ begin_worker, cut_sequence, run });
  run->failures = fs_batch_report_new ();
  run->notices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return TRUE;
}

gboolean
fs_sequences_job_run (const FsSequencesJob *job, FsSequencesResult *result, GError **error)
{
  g_return_val_if_fail (job && job->each.on_message && job->progress && result, FALSE);
  const gint64 start = g_get_monotonic_time ();
  *result = (FsSequencesResult){ 0 };
  g_auto (Run) run = { .job = job, .result = result };
  if (!open_all (&run, error))
    return FALSE;
  result->n_sequences = run.sequences->len;
  fs_stop_signals_watch ();
  gboolean done = cut_all (&run, error);
  result->signal = fs_stop_signals_get ();
  g_clear_pointer (&run.workers, fs_workers_free);
  fs_stop_signals_leave ();
  result->failures = fs_batch_report_list_failures (run.failures);
  result->summaries = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < run.sequences->len; i++)
    if (run.summaries[i])
      g_ptr_array_add (result->summaries, g_steal_pointer (&run.summaries[i]));
  result->total_us = g_get_monotonic_time () - start;
  return done;
}
