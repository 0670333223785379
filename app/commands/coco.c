/* SPDX-License-Identifier: MIT */
#include "app/commands/command_line.h"

#include "app/backend/backend_choice.h"
#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/replay/replay.h"

#include <stdio.h>

typedef struct {
  char *photo, *out, *backend;
  gboolean help;
  char **sessions;
} Options;

static void
coco_options_clear (Options *o)
{
  g_free (o->photo);
  g_free (o->out);
  g_free (o->backend);
  g_strfreev (o->sessions);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, coco_options_clear)

static gboolean
parse_coco_options (Options *o, int argc, char **argv, char **help, GError **error)
{
  const GOptionEntry entries[] = {
    { "photo", 0, 0, G_OPTION_ARG_FILENAME, &o->photo,
      "A folder to look for the sessions' photos in, or the photo of the only session", "P" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &o->out, "Write the data set", "D.json" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &o->backend, "Which solver: auto, cpu or cuda (auto)",
      "NAME" },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->sessions, NULL, NULL },
    { NULL },
  };
  return fs_command_parse (
      entries, "SESSION…",
      "Writes the objects of sessions as one data set in COCO's format, each mask to the pixel.",
      argc, argv, help, error);
}

static gboolean
check_coco_options (const Options *o, GError **error)
{
  if (!o->sessions)
    return fs_command_usage (error, "coco takes sessions");
  if (!o->out)
    return fs_command_usage (error, "--out names the data set");
  if (!fs_backend_choice_want (o->backend))
    return fs_command_usage (error, "--backend takes auto, cpu or cuda");
  guint n = g_strv_length (o->sessions);
  if (o->photo && n > 1 && !g_file_test (o->photo, G_FILE_TEST_IS_DIR))
    return fs_command_usage (error, "--photo takes a folder where there are several sessions");
  g_autofree const char **files = g_new (const char *, n + 1);
  for (guint i = 0; i < n; i++)
    files[i] = o->sessions[i];
  files[n] = o->out;
  return fs_command_check_text (o->out, error) && fs_command_check_files (files, n + 1, n, error);
}

static gboolean
add_session (const Options *o, const char *session, FsCoco *coco)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = fs_display_name (session);
  FsReplayJob job = {
    .session = session, .photo = o->photo, .at_once = TRUE, .coco = coco, .coco_path = o->out
  };
  FsReplayResult result;
  gboolean done = fs_replay_run (&job, &result, &error);
  if (result.warning)
    fprintf (stderr, "fretsaw: %s\n", result.warning);
  if (result.note)
    fprintf (stderr, "fretsaw: %s\n", result.note);
  fs_command_print_notice ();
  if (done)
    printf ("%s: %u %s\n", name, result.n_objects, result.n_objects == 1 ? "object" : "objects");
  else
    fs_command_fail (FS_EXIT_PARTIAL, error->message);
  fs_replay_result_clear (&result);
  return done;
}

static int
write_data_set (const Options *o)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsCoco) coco = fs_coco_new ();
  const char *out = o->out;
  int code = FS_EXIT_DONE;
  if (!fs_export_can_write (&out, 1, &error))
    return fs_command_fail (FS_EXIT_FAILED, error->message);
  for (char **session = o->sessions; *session; session++)
    if (!add_session (o, *session, coco))
      code = FS_EXIT_PARTIAL;
  if (fs_coco_get_n_photos (coco) == 0)
    return FS_EXIT_FAILED;
  g_autofree char *json = fs_coco_to_json (coco);
  return fs_export_write_text (out, json, -1, &error)
             ? code
             : fs_command_fail (FS_EXIT_FAILED, error->message);
}

int
fs_command_coco (int argc, char **argv)
{
  g_set_prgname ("fretsaw coco");
  g_auto (Options) o = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *help = NULL;
  gboolean parsed = parse_coco_options (&o, argc, argv, &help, &error);
  if (parsed && o.help) {
    fputs (help, stdout);
    return FS_EXIT_DONE;
  }
  if (!parsed || !check_coco_options (&o, &error))
    return fs_command_fail_usage ("coco", error);
  return write_data_set (&o);
}
