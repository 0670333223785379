/* SPDX-License-Identifier: MIT */
#include "app/commands/command_line.h"

#include "app/backend/backend_choice.h"
#include "app/problems/mrf_job.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  char *out, *report, *backend, *reuse;
  int threads, scale, cycles;
  gboolean verify, help;
  char **problems;
} Options;

static void
mrf_options_clear (Options *o)
{
  g_free (o->out);
  g_free (o->report);
  g_free (o->backend);
  g_free (o->reuse);
  g_strfreev (o->problems);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, mrf_options_clear)

static gboolean
parse_mrf_options (Options *o, int argc, char **argv, char **help, GError **error)
{
  const GOptionEntry entries[] = {
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &o->out, "Write the labels: 8-bit grey", "L.png" },
    { "scale", 0, 0, G_OPTION_ARG_INT, &o->scale,
      "What the labels are multiplied by in the picture: 1 to 255 (1)", "N" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &o->report, "Write what was done and how long it took",
      "R.json" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &o->backend, "Which solver: auto, cpu or cuda (auto)",
      "NAME" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &o->threads,
      "Number of solver threads: 0 to 64 (0: one per processor)", "N" },
    { "cycles", 0, 0, G_OPTION_ARG_INT, &o->cycles,
      "Stop after so many cycles over all labels: 0 to 1000 (0: until nothing changes)", "N" },
    { "reuse", 0, 0, G_OPTION_ARG_STRING, &o->reuse,
      "Flow to reuse, for the same labels in less time: none, cycle, label or both (cycle)",
      "KIND" },
    { "verify", 0, 0, G_OPTION_ARG_NONE, &o->verify, "Check the certificate of every cut", NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->problems, NULL, NULL },
    { NULL },
  };
  return fs_command_parse (
      entries, "PROBLEM.mrf",
      "Labels the pixels of a grid: minimises an energy of many labels by expansion moves.", argc,
      argv, help, error);
}

static gboolean
check_reuse (FsMrfJob *job, const Options *o, GError **error)
{
  const char *reuse = o->reuse ? o->reuse : "cycle";
  gboolean both = strcmp (reuse, "both") == 0;
  job->options.label_reuse = both || strcmp (reuse, "label") == 0;
  job->options.no_cycle_reuse = !both && strcmp (reuse, "cycle") != 0;
  return both || strcmp (reuse, "cycle") == 0 || strcmp (reuse, "label") == 0
         || strcmp (reuse, "none") == 0
         || fs_command_usage (error, "--reuse takes none, cycle, label or both");
}

static gboolean
make_mrf_job (FsMrfJob *job, const Options *o, GError **error)
{
  if (!o->problems || g_strv_length (o->problems) != 1)
    return fs_command_usage (error, "mrf takes one problem");
  if (!fs_backend_choice_want (o->backend))
    return fs_command_usage (error, "--backend takes auto, cpu or cuda");
  *job = (FsMrfJob){ .problem = o->problems[0],
                     .out = o->out,
                     .report = o->report,
                     .backend = o->backend,
                     .n_threads = o->threads,
                     .scale = o->scale,
                     .options = { .verify = o->verify, .max_cycles = o->cycles } };
  const char *files[] = { job->problem, job->out, job->report };
  return check_reuse (job, o, error) && fs_command_check_text (job->report, error)
         && fs_command_check_files (files, G_N_ELEMENTS (files), 1, error)
         && fs_command_check_pictures (job->out, NULL, NULL, NULL, error);
}

static void
print_summary (const FsMrfResult *r)
{
  const FsExpansionResult *e = &r->expansion;
  printf ("%d × %d pixels, %d labels, energy %" G_GINT64_FORMAT " (data %" G_GINT64_FORMAT
          ", smoothness %" G_GINT64_FORMAT "), %d cycles, %s, %s, %.0f ms\n",
          r->width, r->height, r->n_labels, e->energy.total, e->energy.data, e->energy.smoothness,
          e->n_cycles, e->converged ? "converged" : "not converged", r->backend,
          (double)r->total_us / 1000);
}

static int
label_grid (const FsMrfJob *job)
{
  g_autoptr (GError) error = NULL;
  g_auto (FsMrfResult) result = { 0 };
  gboolean done = fs_mrf_job_run (job, &result, &error);
  if (result.warning)
    fprintf (stderr, "fretsaw: %s\n", result.warning);
  fs_command_print_notice ();
  if (done)
    print_summary (&result);
  return done ? FS_EXIT_DONE : fs_command_fail (FS_EXIT_FAILED, error->message);
}

int
fs_command_mrf (int argc, char **argv)
{
  g_set_prgname ("fretsaw mrf");
  g_auto (Options) o = { .scale = 1 };
  g_autoptr (GError) error = NULL;
  g_autofree char *help = NULL;
  FsMrfJob job;
  gboolean parsed = parse_mrf_options (&o, argc, argv, &help, &error);
  if (parsed && o.help) {
    fputs (help, stdout);
    return FS_EXIT_DONE;
  }
  if (!parsed || !make_mrf_job (&job, &o, &error))
    return fs_command_fail_usage ("mrf", error);
  return label_grid (&job);
}
