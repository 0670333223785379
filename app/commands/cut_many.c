/* SPDX-License-Identifier: MIT */
#include "app/commands/cut_many.h"

#include "app/batch/batch_job.h"
#include "app/commands/command_line.h"
#include "app/commands/number_options.h"
#include "app/commands/progress_line.h"

#include <math.h>
#include <stdio.h>

enum { MINUTE_S = 60, HOUR_S = 3600 };

void
fs_cut_many_options_clear (FsCutManyOptions *options)
{
  g_free (options->out);
  g_free (options->alphas);
  g_free (options->cutouts);
  g_free (options->outlines);
  g_free (options->sessions);
  g_free (options->shard);
  g_free (options->jobs.devices);
}

const char *
fs_cut_many_find_option (const FsCutManyOptions *o)
{
  const struct {
    gboolean is_given;
    const char *name;
  } options[] = {
    { o->alphas != NULL, "--alphas" },
    { o->cutouts != NULL, "--cutouts" },
    { o->outlines != NULL, "--outlines" },
    { o->sessions != NULL, "--sessions" },
    { o->jobs.n != 0, "--jobs" },
    { o->shard != NULL, "--shard" },
    { o->jobs.devices != NULL, "--devices" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    if (options[i].is_given)
      return options[i].name;
  return NULL;
}

gboolean
fs_cut_many_read (FsBatchJob *job, const FsCutManyOptions *o, char ***devices, GError **error)
{
  *devices = NULL;
  job->folders[FS_BATCH_MASKS] = o->out;
  job->folders[FS_BATCH_ALPHAS] = o->alphas;
  job->folders[FS_BATCH_CUTOUTS] = o->cutouts;
  job->folders[FS_BATCH_OUTLINES] = o->outlines;
  job->sessions = o->sessions;
  if (!fs_command_read_jobs (&o->jobs, job->cut.backend, &job->n_jobs, devices, error))
    return FALSE;
  job->devices = (const char *const *)*devices;
  return fs_shard_parse (o->shard, &job->shard)
         || fs_number_option_refuse ("shard", FS_SHARD_RANGE, o->shard, error);
}

/* --- progress --------------------------------------------------------------------------------- */

static void
append_time (GString *text, double seconds)
{
  if (seconds >= HOUR_S)
    g_string_append_printf (text, ", %.1f h left", seconds / HOUR_S);
  else if (seconds >= MINUTE_S)
    g_string_append_printf (text, ", %.0f min left", ceil (seconds / MINUTE_S));
  else if (seconds >= 0)
    g_string_append_printf (text, ", %.0f s left", ceil (seconds));
}

static void
show_progress (guint n_done, guint n_failed, guint n_all, double left_s, gpointer line)
{
  if (!fs_progress_line_is_due (line))
    return;
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text, "%u of %u", n_done, n_all);
  if (n_failed > 0)
    g_string_append_printf (text, ", %u failed", n_failed);
  append_time (text, left_s);
  fs_progress_line_show (line, text->str);
}

/* --- the run ---------------------------------------------------------------------------------- */

int
fs_cut_many_run (FsBatchJob *job)
{
  g_autoptr (GError) error = NULL;
  g_auto (FsBatchResult) r = { 0 };
  FsProgressLine line = fs_progress_line_begin ();
  job->on_message = fs_progress_line_print;
  job->progress = show_progress;
  job->user_data = &line;
  gboolean done = fs_batch_job_run (job, &r, &error);
  fs_progress_line_wipe (&line);
  for (guint i = 0; r.failures && i < r.failures->len; i++)
    fs_progress_line_print (r.failures->pdata[i], &line);
  if (!done)
    return fs_command_fail (FS_EXIT_FAILED, error->message);
  printf ("%u photos: %u cut, %u there already, %u failed", r.n_photos, r.n_cut, r.n_reused,
          r.n_failed);
  if (r.signal != 0)
    printf (", %u to do: the same command goes on with them",
            r.n_photos - r.n_cut - r.n_reused - r.n_failed);
  printf ("; %.0f ms\n", (double)r.total_us / 1000);
  if (r.signal != 0)
    return fs_command_end_by_signal (r.signal);
  if (r.n_failed == 0)
    return FS_EXIT_DONE;
  return r.n_failed < r.n_photos ? FS_EXIT_PARTIAL : FS_EXIT_FAILED;
}
