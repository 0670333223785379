/* SPDX-License-Identifier: MIT */
/* Plays a session as `fretsaw replay` does, and proves each exact mask against a fresh solve:
 *
 *   tests/app/replay_check [--photo P] [--mask M.png] [--report R.json] [--backend NAME] SESSION
 *
 * The report is that of the command, with the counts under "check". */
#include "app/backend/backend_choice.h"
#include "app/files/process_limits.h"
#include "app/replay/replay.h"
#include "tests/app/replay/replay_check.h"

#include <jansson.h>
#include <locale.h>
#include <stdio.h>

typedef struct {
  char *photo, *mask, *report, *backend;
  char **sessions;
} Options;

static int
fail (const char *reason)
{
  fprintf (stderr, "replay_check: %s\n", reason);
  return 1;
}

static gboolean
parse (Options *o, int argc, char **argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "photo", 0, 0, G_OPTION_ARG_FILENAME, &o->photo, "The photo, or its folder", "P" },
    { "mask", 0, 0, G_OPTION_ARG_FILENAME, &o->mask, "Write the last mask", "M.png" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &o->report, "Write what was done", "R.json" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &o->backend, "auto, cpu or cuda", "NAME" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->sessions, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("SESSION");
  g_option_context_add_main_entries (context, entries, NULL);
  return g_option_context_parse (context, &argc, &argv, error);
}

static gboolean
write_report (const FsReplayJob *job, const FsReplayResult *result, ReplayCheckCounts counts,
              const char *path)
{
  g_autofree char *text = fs_replay_result_to_json (result);
  json_t *report = json_loads (text, 0, NULL);
  json_object_set_new (report, "check",
                       json_pack ("{s:i, s:i, s:i}", "settled", (int)counts.n_final, "growing",
                                  (int)counts.n_growing, "previews", (int)counts.n_previews));
  gboolean done = json_dump_file (report, path, JSON_INDENT (2)) == 0;
  json_decref (report);
  return done;
}

static int
check_session (const Options *o)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ReplayCheck) check = NULL;
  FsPlayerWatch watch = replay_check_watch (&check);
  FsReplayJob job = {
    .session = o->sessions[0], .photo = o->photo, .mask = o->mask, .watch = &watch
  };
  FsReplayResult result;
  if (!fs_process_limits_start_workers (&error) || !fs_replay_run (&job, &result, &error))
    return fail (error->message);
  ReplayCheckCounts counts = replay_check_get_counts (check);
  gboolean written = !o->report || write_report (&job, &result, counts, o->report);
  printf ("%s: equal to a fresh solve: %u final and %u growing masks; previews with every seed: "
          "%u\n",
          result.status.backend, counts.n_final, counts.n_growing, counts.n_previews);
  fs_replay_result_clear (&result);
  return written ? 0 : fail ("the report cannot be written");
}

int
main (int argc, char **argv)
{
  Options o = { 0 };
  g_autoptr (GError) error = NULL;
  setlocale (LC_ALL, "");
  int status = 1;
  if (!parse (&o, argc, argv, &error))
    fail (error->message);
  else if (!o.sessions || o.sessions[1] || !fs_backend_choice_want (o.backend))
    fail ("takes one session, and cpu, cuda or auto as backend");
  else
    status = check_session (&o);
  g_free (o.photo);
  g_free (o.mask);
  g_free (o.report);
  g_free (o.backend);
  g_strfreev (o.sessions);
  return status;
}
