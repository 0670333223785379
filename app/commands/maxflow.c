/* SPDX-License-Identifier: MIT */
#include "app/commands/command_line.h"

#include "app/backend/backend_choice.h"
#include "app/problems/maxflow_job.h"

#include <stdio.h>

typedef struct {
  char *cut, *report, *backend;
  gboolean verify, help;
  char **problems;
} Options;

static void
maxflow_options_clear (Options *o)
{
  g_free (o->cut);
  g_free (o->report);
  g_free (o->backend);
  g_strfreev (o->problems);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, maxflow_options_clear)

static gboolean
parse_maxflow_options (Options *o, int argc, char **argv, char **help, GError **error)
{
  const GOptionEntry entries[] = {
    { "cut", 0, 0, G_OPTION_ARG_FILENAME, &o->cut,
      "Write the cut: every node, 1 with the source or 0 with the sink", "C.txt" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &o->report, "Write what was done and how long it took",
      "R.json" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &o->backend, "Which solver: auto, cpu or cuda (auto)",
      "NAME" },
    { "verify", 0, 0, G_OPTION_ARG_NONE, &o->verify, "Check the whole certificate of the cut",
      NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->problems, NULL, NULL },
    { NULL },
  };
  return fs_command_parse (
      entries, "PROBLEM.max",
      "Finds the maximum flow and the minimum cut of any network, from a DIMACS file.", argc, argv,
      help, error);
}

static gboolean
make_maxflow_job (FsMaxflowJob *job, const Options *o, GError **error)
{
  if (!o->problems || g_strv_length (o->problems) != 1)
    return fs_command_usage (error, "maxflow takes one problem");
  if (!fs_backend_choice_want (o->backend))
    return fs_command_usage (error, "--backend takes auto, cpu or cuda");
  *job = (FsMaxflowJob){ .problem = o->problems[0],
                         .cut = o->cut,
                         .report = o->report,
                         .backend = o->backend,
                         .verify = o->verify };
  const char *files[] = { job->problem, job->cut, job->report };
  return fs_command_check_text (job->report, error) && fs_command_check_text (job->cut, error)
         && fs_command_check_files (files, G_N_ELEMENTS (files), 1, error);
}

static int
solve_problem (const FsMaxflowJob *job)
{
  g_autoptr (GError) error = NULL;
  FsMaxflowResult result;
  gboolean done = fs_maxflow_job_run (job, &result, &error);
  fs_command_print_notice ();
  if (!done)
    return fs_command_fail (FS_EXIT_FAILED, error->message);
  printf ("%u nodes, %u arcs, flow %" G_GINT64_FORMAT ", exact, %s, %.0f ms\n", result.n_nodes,
          result.n_arcs, result.flow, result.backend, (double)result.total_us / 1000);
  return FS_EXIT_DONE;
}

int
fs_command_maxflow (int argc, char **argv)
{
  g_set_prgname ("fretsaw maxflow");
  g_auto (Options) o = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *help = NULL;
  FsMaxflowJob job;
  gboolean parsed = parse_maxflow_options (&o, argc, argv, &help, &error);
  if (parsed && o.help) {
    fputs (help, stdout);
    return FS_EXIT_DONE;
  }
  if (!parsed || !make_maxflow_job (&job, &o, &error))
    return fs_command_fail_usage ("maxflow", error);
  return solve_problem (&job);
}
