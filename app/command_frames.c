/* SPDX-License-Identifier: MIT */
#include "app/commands.h"

#include "app/frames_job.h"

#include <stdio.h>

typedef struct {
  char *out, *seeds, *report;
  int threads;
  gboolean skin, help;
  char **folders;
} Options;

static void
options_clear (Options *o)
{
  g_free (o->out);
  g_free (o->seeds);
  g_free (o->report);
  g_strfreev (o->folders);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
parse (Options *o, int argc, char **argv, char **help, GError **error)
{
  const GOptionEntry entries[] = {
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &o->out, "Write the masks into this folder", "FOLDER" },
    { "seeds", 0, 0, G_OPTION_ARG_FILENAME, &o->seeds,
      "The first frame's strokes: 0 none, 1 background, 2 object", "S.png" },
    { "skin", 0, 0, G_OPTION_ARG_NONE, &o->skin,
      "Cut what has the colours of skin in each frame; needs no seeds", NULL },
    { "threads", 0, 0, G_OPTION_ARG_INT, &o->threads,
      "How many threads may solve: 0 to 64 (0: one a processor)", "N" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &o->report, "Write what was done and how long it took",
      "R.json" },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->folders, NULL, NULL },
    { NULL },
  };
  return fs_command_parse (entries, "DIR --out FOLDER --seeds S.png",
                           "Cuts one object out of every numbered image of a folder.", argc, argv,
                           help, error);
}

static void
tell (const char *message, gpointer user_data)
{
  fprintf (stderr, "fretsaw: %s\n", message);
}

static gboolean
make_job (FsFramesJob *job, const Options *o, GError **error)
{
  if (!o->folders || g_strv_length (o->folders) != 1)
    return fs_command_usage (error, "frames takes one folder");
  if (!o->out)
    return fs_command_usage (error, "frames needs --out FOLDER");
  if (!o->seeds == !o->skin)
    return fs_command_usage (error, "frames needs either --seeds S.png or --skin");
  if (o->threads < 0 || o->threads > 64)
    return fs_command_usage (error, "--threads takes 0 to 64");
  *job = (FsFramesJob){ .folder = o->folders[0],
                        .out = o->out,
                        .seeds = o->seeds,
                        .report = o->report,
                        .skin = o->skin,
                        .n_threads = o->threads,
                        .tell = tell };
  const char *files[] = { job->seeds, job->report };
  return fs_command_check_files (files, G_N_ELEMENTS (files), 1, error);
}

static int
run (const FsFramesJob *job)
{
  g_autoptr (GError) error = NULL;
  FsFramesResult r;
  if (!fs_frames_job_run (job, &r, &error))
    return fs_command_fail (FS_EXIT_FAILED, error->message);
  printf ("%u frames: %u cut, %u there already, %u failed; %" G_GUINT64_FORMAT
          " numbers without a frame; %.0f ms\n",
          r.n_frames, r.n_cut, r.n_kept, r.n_failed, r.n_missing, (double)r.total_us / 1000);
  if (r.n_failed == 0)
    return FS_EXIT_DONE;
  return r.n_failed < r.n_frames ? FS_EXIT_PART : FS_EXIT_FAILED;
}

int
fs_command_frames (int argc, char **argv)
{
  g_set_prgname ("fretsaw frames");
  g_auto (Options) o = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *help = NULL;
  FsFramesJob job;
  gboolean parsed = parse (&o, argc, argv, &help, &error);
  if (parsed && o.help) {
    fputs (help, stdout);
    return FS_EXIT_DONE;
  }
  if (!parsed || !make_job (&job, &o, &error))
    return fs_command_fail_usage ("frames", error);
  return run (&job);
}
