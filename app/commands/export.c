/* SPDX-License-Identifier: MIT */
/* fretsaw export, and its short form for COCO, fretsaw coco. */
#include "app/commands/command_line.h"
#include "app/commands/number_options.h"

#include "app/backend/backend_choice.h"
#include "app/export/outline/contour.h"
#include "app/files/display_name.h"
#include "app/replay/label_export.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  char *photo, *out, *backend, *format, *classes, *tolerance, *shard;
  gboolean packed, polygons, replace, help;
  char **sessions;
  FsLabelExportJob job; /* from all of these */
} Options;

static void
export_options_clear (Options *o)
{
  char *texts[] = { o->photo, o->out, o->backend, o->format, o->classes, o->tolerance, o->shard };
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_strfreev (o->sessions);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, export_options_clear)

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
      "Writes the objects of sessions as one data set in COCO's format, each mask to the pixel.\n"
      "A short form of fretsaw export --format coco.",
      argc, argv, help, error);
}

static gboolean
parse_export_options (Options *o, int argc, char **argv, char **help, GError **error)
{
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &o->format, "One of the formats above", "NAME" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &o->out, "Write the data set: a folder, or COCO's file",
      "PATH" },
    { "classes", 0, 0, G_OPTION_ARG_FILENAME, &o->classes,
      "Number the classes as this file lists them, a name a line", "C.txt" },
    { "packed", 0, 0, G_OPTION_ARG_NONE, &o->packed, "COCO: packed run lengths", NULL },
    { "polygons", 0, 0, G_OPTION_ARG_NONE, &o->polygons, "COCO: polygons, not run lengths", NULL },
    { "tolerance", 0, 0, G_OPTION_ARG_STRING, &o->tolerance,
      "How far polygons may be from the pixels' edges: 0 to 0.5 (0.3)", "PX" },
    { "photo", 0, 0, G_OPTION_ARG_FILENAME, &o->photo,
      "A folder to look for the sessions' photos in, or the photo of the only session", "P" },
    { "shard", 0, 0, G_OPTION_ARG_STRING, &o->shard,
      "Take the K-th of every N sessions, sorted by name", "K/N" },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &o->replace,
      "Write over files of a folder that others have written, or changed", NULL },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &o->backend, "Which solver: auto, cpu or cuda (auto)",
      "NAME" },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->sessions, NULL, NULL },
    { NULL },
  };
  return fs_command_parse (entries, "SESSION|FOLDER…",
                           "Writes the objects of sessions as a data set of labels. A folder "
                           "stands for all sessions in it.\n\n"
                           "Formats:\n"
                           "  coco      one JSON file with run lengths or polygons\n"
                           "  yolo      Ultralytics YOLO: a text file for each photo, data.yaml\n"
                           "  voc       Pascal VOC: pictures of classes and objects, XML\n"
                           "  indexed   a PNG for each photo, its pixels the classes' numbers\n"
                           "  labelme   a JSON file for each photo, with polygons\n"
                           "  png       a black and white PNG for each object",
                           argc, argv, help, error);
}

static gboolean
check_tolerance (Options *o, GError **error)
{
  FsLabelOptions *options = &o->job.options;
  const FsLabelFormat *format = o->job.format;
  options->tolerance_px = FS_LABEL_TOLERANCE_PX;
  options->is_packed = o->packed;
  options->is_polygons = o->polygons;
  if ((o->packed || o->polygons) && !format->has_runs)
    return fs_command_usage (error, "--packed and --polygons apply to COCO only");
  if (o->packed && o->polygons)
    return fs_command_usage (error, "--packed and --polygons exclude each other");
  if (!o->tolerance)
    return TRUE;
  if (!format->has_polygons || (format->has_runs && !o->polygons))
    return fs_command_usage (error, "--tolerance applies to polygons only");
  options->tolerance_px = g_ascii_strtod (o->tolerance, NULL);
  return TRUE;
}

/* Refuses to write over an input, and folders in place of COCO's file or the other way round. */
static gboolean
check_out (const Options *o, GError **error)
{
  const guint n = g_strv_length (o->sessions);
  g_autofree const char **files = g_new0 (const char *, n + 2);
  memcpy (files, o->sessions, n * sizeof *files);
  files[n] = o->classes;
  files[n + 1] = o->out;
  if (o->job.format->is_folder) {
    files[n + 1] = NULL;
    if (*o->out == '\0')
      return fs_command_usage (error, "--out names a folder");
  }
  return (o->job.format->is_folder || fs_command_check_text (o->out, error))
         && fs_command_check_files (files, n + 2, n + 1, error);
}

/* Makes the job of the options. */
static gboolean
check_options (Options *o, GError **error)
{
  FsLabelExportJob *job = &o->job;
  if (!o->sessions)
    return fs_command_usage (error, "takes sessions");
  if (!o->format)
    return fs_command_usage (error, "--format names the format");
  if (!(job->format = fs_label_format_find (o->format)))
    return fs_command_usage (error, "--format takes a format's name");
  if (!o->out)
    return fs_command_usage (error, "--out names the data set");
  if (!fs_backend_choice_want (o->backend))
    return fs_command_usage (error, "--backend takes auto, cpu or cuda");
  if (!fs_shard_parse (o->shard, &job->options.shard))
    return fs_number_option_refuse ("shard", FS_SHARD_RANGE, o->shard, error);
  if (o->shard && job->format->has_numbers && !o->classes)
    return fs_command_usage (error,
                             "--shard needs --classes, so that all shards number them alike");
  if (!check_tolerance (o, error) || !check_out (o, error))
    return FALSE;
  if (o->replace && !job->format->is_folder)
    return fs_command_usage (error, "--replace applies to folders; COCO's file is always written");
  job->options.path = o->out;
  job->options.replace = o->replace;
  job->photo = o->photo;
  job->classes = o->classes;
  return TRUE;
}

static void
print_step (const FsLabelExportStep *step, gpointer user_data)
{
  g_autofree char *name = fs_display_name (step->session);
  if (step->warning)
    fprintf (stderr, "fretsaw: %s\n", step->warning);
  if (step->note)
    fprintf (stderr, "fretsaw: %s\n", step->note);
  fs_command_print_notice ();
  if (step->error)
    fs_command_fail (FS_EXIT_PARTIAL, step->error->message);
  else
    printf ("%s: %u %s\n", name, step->n_objects, step->n_objects == 1 ? "object" : "objects");
}

static int
run_export (Options *o)
{
  g_autoptr (GError) error = NULL;
  FsLabelExportResult result;
  const FsShard *shard = &o->job.options.shard;
  g_auto (GStrv) sessions = fs_label_export_list ((const char *const *)o->sessions, shard, &error);
  if (!sessions)
    return fs_command_fail (FS_EXIT_FAILED, error->message);
  const FsShard whole = { 1, 1 };
  g_auto (GStrv) all =
      shard->n > 0 ? fs_label_export_list ((const char *const *)o->sessions, &whole, NULL) : NULL;
  o->job.all = (const char *const *)all;
  o->job.sessions = (const char *const *)sessions;
  o->job.step = print_step;
  if (sessions[0] == NULL)
    return FS_EXIT_DONE; /* more shards than sessions */
  if (!fs_label_export_run (&o->job, NULL, &result, &error))
    return fs_command_fail (FS_EXIT_FAILED, error->message);
  return result.n_photos == 0  ? FS_EXIT_FAILED
         : result.n_failed > 0 ? FS_EXIT_PARTIAL
                               : FS_EXIT_DONE;
}

/* --photo names one photo: that of the only session. */
static gboolean
check_photo (const Options *o, GError **error)
{
  const gboolean is_one =
      g_strv_length (o->sessions) == 1 && !g_file_test (o->sessions[0], G_FILE_TEST_IS_DIR);
  return !o->photo || is_one || g_file_test (o->photo, G_FILE_TEST_IS_DIR)
         || fs_command_usage (error, "--photo takes a folder where there are several sessions");
}

int
fs_command_export (int argc, char **argv)
{
  const gboolean is_coco = strcmp (argv[0], "coco") == 0;
  g_set_prgname (is_coco ? "fretsaw coco" : "fretsaw export");
  g_auto (Options) o = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *help = NULL;
  if (is_coco)
    o.format = g_strdup ("coco");
  gboolean parsed = is_coco ? parse_coco_options (&o, argc, argv, &help, &error)
                            : parse_export_options (&o, argc, argv, &help, &error);
  if (parsed && o.help) {
    fputs (help, stdout);
    return FS_EXIT_DONE;
  }
  if (!parsed || !check_options (&o, &error) || !check_photo (&o, &error))
    return fs_command_fail_usage (is_coco ? "coco" : "export", error);
  return run_export (&o);
}
