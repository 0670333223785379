/* SPDX-License-Identifier: MIT */
#include "app/commands/frames_many.h"

#include "app/commands/progress_line.h"
#include "app/frames/many/sequences_job.h"

#include <stdio.h>

static void
show_progress (guint n_done, guint n_failed, guint n_all, gpointer line)
{
  if (!fs_progress_line_is_due (line))
    return;
  g_autofree char *failed =
      n_failed > 0 ? g_strdup_printf (", %u failed", n_failed) : g_strdup ("");
  g_autofree char *text = g_strdup_printf ("%u of %u sequences%s", n_done, n_all, failed);
  fs_progress_line_show (line, text);
}

static int
print_result (const FsSequencesResult *r)
{
  const guint n_ended = r->n_done + r->n_partial + r->n_failed;
  for (guint i = 0; i < r->summaries->len; i++)
    printf ("%s\n", (const char *)r->summaries->pdata[i]);
  printf ("%u sequences: %u done, %u with frames that failed, %u failed", r->n_sequences, r->n_done,
          r->n_partial, r->n_failed);
  if (r->signal != 0)
    printf (", %u to do: the same command goes on with them", r->n_sequences - n_ended);
  printf ("; %.0f ms\n", (double)r->total_us / 1000);
  if (r->signal != 0)
    return fs_command_end_by_signal (r->signal);
  if (r->n_done == r->n_sequences)
    return FS_EXIT_DONE;
  return r->n_failed < r->n_sequences ? FS_EXIT_PARTIAL : FS_EXIT_FAILED;
}

int
fs_frames_many_run (const char *const *sequences, const FsFramesJob *each, int n_jobs,
                    const char *const *devices)
{
  g_autoptr (GError) error = NULL;
  g_auto (FsSequencesResult) r = { 0 };
  FsProgressLine line = fs_progress_line_begin ();
  FsSequencesJob job = { .inputs = sequences,
                         .each = *each,
                         .n_jobs = n_jobs,
                         .devices = devices,
                         .progress = show_progress };
  job.each.on_message = fs_progress_line_print;
  job.each.user_data = &line;
  gboolean done = fs_sequences_job_run (&job, &r, &error);
  fs_progress_line_wipe (&line);
  for (guint i = 0; r.failures && i < r.failures->len; i++)
    fs_progress_line_print (r.failures->pdata[i], &line);
  return done ? print_result (&r) : fs_command_fail (FS_EXIT_FAILED, error->message);
}
