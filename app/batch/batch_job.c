/* SPDX-License-Identifier: MIT */
#include "app/batch/batch_job.h"

#include "app/backend/device_choice.h"
#include "app/batch/batch_cut.h"
#include "app/batch/batch_folder.h"
#include "app/batch/batch_report.h"
#include "app/batch/stop_signals.h"
#include "app/batch/workers.h"
#include "app/export/export.h"
#include "app/finder/subject_finder.h"
#include "app/session/session.h"

#include <string.h>

enum { WAIT_MS = 500 };

typedef struct {
  const FsBatchJob *job;
  FsBatchJob worker_job; /* with a worker's share of the processors */
  FsBatchResult *result;
  GPtrArray *photos; /* of FsBatchPhoto */
  FsBatchFolder *folder;
  FsWorkers *workers;
  FsBatchReport *report;
  GHashTable *notices; /* those that were printed */
  char *finder_sum;    /* or NULL */
  guint next;          /* photo */
  guint n_done;
  gint64 start_us;
} Run;

static void
run_clear (Run *run)
{
  g_clear_pointer (&run->workers, fs_workers_free);
  g_clear_pointer (&run->folder, fs_batch_folder_free);
  g_clear_pointer (&run->photos, g_ptr_array_unref);
  g_clear_pointer (&run->report, fs_batch_report_free);
  g_clear_pointer (&run->notices, g_hash_table_unref);
  g_free (run->finder_sum);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* --- in a worker ------------------------------------------------------------------------------ */

static void
begin_worker (int worker, gpointer data)
{
  Run *run = data;
  fs_batch_folder_leave (run->folder);
  fs_device_choice_assign (run->job->devices, worker);
}

static char *
do_photo (guint item, gpointer data)
{
  Run *run = data;
  const FsBatchPhoto *photo = run->photos->pdata[item];
  char *paths[FS_BATCH_N_KINDS];
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    paths[kind] = fs_batch_folder_path (run->folder, photo, (FsBatchKind)kind);
  char *line = fs_batch_cut_photo (&run->worker_job, photo, paths);
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    g_free (paths[kind]);
  return line;
}

/* --- results ---------------------------------------------------------------------------------- */

static void
show_progress (const Run *run)
{
  const FsBatchResult *r = run->result;
  const guint n_worked = run->n_done - r->n_reused, n_left = run->photos->len - run->n_done;
  const double seconds = (double)(g_get_monotonic_time () - run->start_us) / G_USEC_PER_SEC;
  const double left_s = n_worked > 0 ? seconds / n_worked * n_left : -1;
  run->job->progress (run->n_done, r->n_failed, run->photos->len, left_s, run->job->user_data);
}

static void
fail_photo (Run *run, guint item, const char *reason)
{
  const FsBatchPhoto *photo = run->photos->pdata[item];
  run->n_done++;
  run->result->n_failed++;
  fs_batch_report_add_failure (run->report, item, photo->path, reason);
  show_progress (run);
}

static void
report_once (Run *run, const char *notice)
{
  if (notice && g_hash_table_add (run->notices, g_strdup (notice)))
    run->job->on_message (notice, run->job->user_data);
}

static void
report_messages (const Run *run, const json_t *messages)
{
  size_t i;
  json_t *message;
  json_array_foreach (messages, i, message)
      run->job->on_message (json_string_value (message), run->job->user_data);
}

static gboolean
end_photo (Run *run, guint item, const json_t *line, GError **error)
{
  const FsBatchPhoto *photo = run->photos->pdata[item];
  const json_t *all = json_object_get (line, "sums");
  const char *sums[FS_BATCH_N_KINDS];
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    sums[kind] = json_string_value (json_object_get (all, fs_batch_kind_name ((FsBatchKind)kind)));
  if (!fs_batch_folder_end (run->folder, photo, sums, error))
    return FALSE;
  run->n_done++;
  run->result->n_cut++;
  fs_batch_report_add_cut (run->report, photo->path, line);
  show_progress (run);
  return TRUE;
}

/* The answer of a worker; `text` is NULL where it has ended. */
static gboolean
take_answer (Run *run, guint item, const char *text, const char *reason, GError **error)
{
  const FsBatchPhoto *photo = run->photos->pdata[item];
  json_t *line = text ? json_loads (text, 0, NULL) : NULL;
  gboolean fine = TRUE;
  if (line)
    report_messages (run, json_object_get (line, "messages"));
  report_once (run, json_string_value (json_object_get (line, "notice")));
  if (json_is_true (json_object_get (line, "done"))) {
    fine = end_photo (run, item, line, error);
  } else {
    const char *known = json_string_value (json_object_get (line, "reason"));
    fs_batch_folder_discard (run->folder, photo);
    fail_photo (run, item, known ? known : reason ? reason : "its worker did not answer");
  }
  json_decref (line);
  return fine;
}

/* --- photos ----------------------------------------------------------------------------------- */

static gboolean
has_evidence (const Run *run, const FsBatchPhoto *photo)
{
  return photo->session || photo->seeds || photo->guess || run->job->cut.find_subject
         || run->job->cut.skin;
}

typedef enum { PHOTO_FAILED, PHOTO_THERE, PHOTO_BEGUN } State;

/* Finds out whether a photo is to be cut, and records that it is begun. */
static State
begin_photo (Run *run, const FsBatchPhoto *photo, GError **error)
{
  char *from[FS_BATCH_N_KINDS] = { NULL };
  State state = PHOTO_FAILED;
  if (!has_evidence (run, photo) && g_file_test (photo->path, G_FILE_TEST_IS_REGULAR)) {
    fs_batch_fail (error, FS_BATCH_ERROR_PHOTOS, photo->path, "no strokes, guess or session");
    return PHOTO_FAILED;
  }
  g_autofree char *sum = fs_session_sum_photo (photo->path, NULL, error);
  if (sum && fs_batch_sum_inputs (run->job, photo, sum, run->finder_sum, from, error)) {
    if (fs_batch_folder_has (run->folder, photo, from))
      state = PHOTO_THERE;
    else if (fs_batch_folder_begin (run->folder, photo, sum, from, error))
      state = PHOTO_BEGUN;
  }
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    g_free (from[kind]);
  return state;
}

static gboolean
give_next (Run *run, GError **error)
{
  g_autoptr (GError) reason = NULL;
  const guint item = run->next++;
  const FsBatchPhoto *photo = run->photos->pdata[item];
  switch (begin_photo (run, photo, &reason)) {
  case PHOTO_BEGUN:
    return fs_workers_give (run->workers, item, error);
  case PHOTO_THERE:
    run->n_done++;
    run->result->n_reused++;
    fs_batch_report_add_reused (run->report, photo->path);
    show_progress (run);
    return TRUE;
  case PHOTO_FAILED:
  default:
    fail_photo (run, item, reason->message);
    return TRUE;
  }
}

static gboolean
cut_all (Run *run, GError **error)
{
  while (fs_stop_signals_get () == 0
         && (run->next < run->photos->len || fs_workers_have_busy (run->workers))) {
    guint item;
    g_autofree char *line = NULL, *reason = NULL;
    if (run->next < run->photos->len && fs_workers_have_idle (run->workers)) {
      if (!give_next (run, error))
        return FALSE;
    } else if (fs_workers_wait (run->workers, WAIT_MS, &item, &line, &reason)) {
      if (!fs_stop_signals_explain (line) && !take_answer (run, item, line, reason, error))
        return FALSE;
    } else {
      show_progress (run);
    }
  }
  return TRUE;
}

/* --- the run ---------------------------------------------------------------------------------- */

/* The sum of the finder, which fails now where there is none. */
static gboolean
find_finder (Run *run, GError **error)
{
  const char *wanted = run->job->cut.find_subject;
  if (!wanted)
    return TRUE;
  g_autoptr (FsSubjectFinder) finder =
      fs_subject_finder_new (*wanted != '\0' ? wanted : NULL, error);
  run->finder_sum = finder ? fs_subject_finder_sum (finder) : NULL;
  return finder != NULL;
}

static gboolean
open_all (Run *run, GError **error)
{
  const FsBatchJob *job = run->job;
  if (!fs_export_can_write (&job->report, 1, error))
    return FALSE;
  run->photos = fs_batch_photos_list (job, error);
  if (!run->photos || !find_finder (run, error))
    return FALSE;
  run->folder = fs_batch_folder_open (job, run->photos, error);
  if (!run->folder)
    return FALSE;
  const int n_jobs = CLAMP (job->n_jobs, 1, (int)MAX (run->photos->len, 1));
  run->worker_job = *job;
  if (run->worker_job.cut.n_threads == 0 && n_jobs > 1)
    run->worker_job.cut.n_threads = MAX ((int)g_get_num_processors () / n_jobs, 1);
  run->workers = fs_workers_new (n_jobs, &(FsWork){ begin_worker, do_photo, run });
  run->report = fs_batch_report_new ();
  run->notices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return TRUE;
}

static gboolean
write_report (Run *run, GError **error)
{
  if (!run->job->report)
    return TRUE;
  g_autofree char *text = fs_batch_report_to_json (run->report, run->job, run->result);
  return fs_export_write_text (run->job->report, text, -1, error);
}

gboolean
fs_batch_job_run (const FsBatchJob *job, FsBatchResult *result, GError **error)
{
  g_return_val_if_fail (job && job->inputs && job->on_message && job->progress && result, FALSE);
  g_auto (Run) run = { .job = job, .result = result, .start_us = g_get_monotonic_time () };
  *result = (FsBatchResult){ 0 };
  if (!open_all (&run, error))
    return FALSE;
  result->n_photos = run.photos->len;
  fs_stop_signals_watch ();
  gboolean done = cut_all (&run, error);
  result->signal = fs_stop_signals_get ();
  g_clear_pointer (&run.workers, fs_workers_free);
  fs_stop_signals_leave ();
  result->failures = fs_batch_report_list_failures (run.report);
  result->total_us = g_get_monotonic_time () - run.start_us;
  done = fs_batch_folder_close (run.folder, done ? error : NULL) && done;
  return done && write_report (&run, error);
}
