/* SPDX-License-Identifier: MIT */
#include "app/commands/command_line.h"
#include "app/commands/edge_options.h"
#include "app/commands/frames_many.h"
#include "app/commands/number_options.h"
#include "app/commands/progress_line.h"

#include "app/backend/backend_choice.h"
#include "app/files/display_name.h"
#include "app/frames/frames_job.h"
#include "energy/frames/frame_span.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  char *out, *cutouts, *overlays, *seeds, *session, *photo, *picture, *guess, *find_subject,
      *report, *backend, *lost;
  gint64 first, last;
  FsEdgeOptions edge;
  FsEdgeSettings edge_settings;
  int span, threads, device, n_jobs;
  FsCommandJobs jobs;
  FsCommandBackground back;
  gboolean keep_hidden, skin, help;
  FsFramesLost lost_way;
  char **corrections, **frames, **shared_devices;
  GArray *corrected; /* of FsFramesCorrection, with paths owned by `corrections` */
} Options;

static void
frames_options_clear (Options *o)
{
  fs_edge_options_clear (&o->edge);
  g_free (o->out);
  g_free (o->cutouts);
  g_free (o->overlays);
  g_free (o->back.background);
  g_free (o->seeds);
  g_free (o->session);
  g_free (o->photo);
  g_free (o->picture);
  g_free (o->guess);
  g_free (o->find_subject);
  g_free (o->report);
  g_free (o->backend);
  g_free (o->lost);
  g_strfreev (o->corrections);
  g_strfreev (o->frames);
  g_strfreev (o->shared_devices);
  g_free (o->jobs.devices);
  g_clear_pointer (&o->corrected, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, frames_options_clear)

static gboolean
parse_frames_options (Options *o, int argc, char **argv, char **help, GError **error)
{
  const GOptionEntry entries[] = {
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &o->out, "Write the masks into this folder", "FOLDER" },
    { "cutouts", 0, 0, G_OPTION_ARG_FILENAME, &o->cutouts,
      "Write cut-outs with alpha into this folder", "FOLDER" },
    FS_EDGE_OPTION_ENTRIES (&o->edge),
    { "keep-hidden", 0, 0, G_OPTION_ARG_NONE, &o->keep_hidden,
      "Keep the colours of transparent pixels in cut-outs", NULL },
    { "background", 0, 0, G_OPTION_ARG_FILENAME, &o->back.background,
      "Put cut-outs on a colour (#rrggbb, white, black, …) or on a picture that covers the frame",
      "COLOUR|FILE" },
    { "overlays", 0, 0, G_OPTION_ARG_FILENAME, &o->overlays,
      "Write pictures to check the masks by into this folder", "FOLDER" },
    { "seeds", 0, 0, G_OPTION_ARG_FILENAME, &o->seeds,
      "The first frame's strokes: 0 none, 1 background, 2 object", "S.png" },
    { "session", 0, 0, G_OPTION_ARG_FILENAME, &o->session,
      "The first frame's strokes, as saved by the window", "S.fretsaw" },
    { "photo", 0, 0, G_OPTION_ARG_FILENAME, &o->photo,
      "The photo that sessions were painted on, in place of their frames, or its folder", "P" },
    { "skin", 0, 0, G_OPTION_ARG_NONE, &o->skin,
      "Cut what has the colours of skin in each frame; needs no strokes", NULL },
    { "guess", 0, 0, G_OPTION_ARG_FILENAME, &o->guess,
      "First guesses of the frames: pictures of the same numbers, in a folder, of a pattern or of "
      "a "
      "video, grey or alpha, of any size; needs no strokes",
      "DIR" },
    { "find-subject", 0, 0, G_OPTION_ARG_FILENAME, &o->find_subject,
      "Let a subject finder make a guess of each frame, as cut does; needs no strokes", "FINDER" },
    { "correct", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->corrections,
      "Strokes that correct frame N, seeds or a session; may be repeated", "N=FILE" },
    { "span", 0, 0, G_OPTION_ARG_INT, &o->span,
      "Cut each frame together with those before it, N in all: 1 to 16 (1: by itself)", "N" },
    { "lost", 0, 0, G_OPTION_ARG_STRING, &o->lost,
      "Where the object is lost: skip (write no mask), empty (an empty mask), last (the previous "
      "mask) or stop (end there); default: skip",
      "WAY" },
    { "first", 0, 0, G_OPTION_ARG_INT64, &o->first, "Begin with frame N", "N" },
    { "last", 0, 0, G_OPTION_ARG_INT64, &o->last, "End with frame N", "N" },
    { "picture", 0, 0, G_OPTION_ARG_FILENAME, &o->picture,
      "Only write the first frame's picture, to paint strokes on", "P.png" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &o->threads,
      "Number of solver threads: 0 to 64 (0: one per processor)", "N" },
    { "device", 0, 0, G_OPTION_ARG_INT, &o->device,
      "Use the device of this number, from 0, of those that are visible", "N" },
    { "jobs", 0, 0, G_OPTION_ARG_INT, &o->jobs.n,
      "Cut so many sequences at the same time, each in a process: 1 to 64 (1, or one a device)",
      "N" },
    { "devices", 0, 0, G_OPTION_ARG_STRING, &o->jobs.devices,
      "Share these devices among the jobs, by their numbers: 0,1 (those that are visible)",
      "LIST" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &o->backend, "Which solver: auto, cpu or cuda (auto)",
      "NAME" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &o->report, "Write what was done and how long it took",
      "R.json" },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->frames, NULL, NULL },
    { NULL },
  };
  return fs_command_parse (entries, "DIR|shot-%04d.png|VIDEO --out FOLDER --seeds S.png",
                           "Cuts one object out of every frame of a sequence: the numbered images "
                           "of a folder, those that a pattern names, or a video. Of several "
                           "folders and videos, each by NAME.fretsaw or NAME-seeds.png beside it, "
                           "outputs are in FOLDER/NAME; S, DIR, P and R are folders then.",
                           argc, argv, help, error);
}

/* --- options → job ---------------------------------------------------------------------------- */

static gboolean
are_several (const Options *o)
{
  return o->frames[1] != NULL;
}

static gboolean
read_correction (Options *o, const char *text, GError **error)
{
  char *end = NULL;
  FsFramesCorrection correction = { 0 };
  if (g_ascii_isdigit (text[0]))
    correction.number = g_ascii_strtoull (text, &end, 10);
  if (!end || *end != '=' || end - text > 18 || end[1] == '\0')
    return fs_number_option_refuse ("correct", "N=FILE, with the number of a frame", text, error);
  correction.path = end + 1;
  correction.is_session = g_str_has_suffix (correction.path, ".fretsaw");
  for (guint i = 0; i < o->corrected->len; i++)
    if (g_array_index (o->corrected, FsFramesCorrection, i).number == correction.number)
      return fs_command_usage (error, "--correct names a frame twice");
  g_array_append_val (o->corrected, correction);
  return TRUE;
}

static gboolean
read_corrections (Options *o, GError **error)
{
  o->corrected = g_array_new (FALSE, FALSE, sizeof (FsFramesCorrection));
  for (char **text = o->corrections; text && *text; text++)
    if (!read_correction (o, *text, error))
      return FALSE;
  return !(o->skin && o->corrected->len > 0)
         || fs_command_usage (error, "--correct cannot be combined with --skin");
}

static gboolean
check_report (const Options *o, GError **error)
{
  const char *files[] = { o->frames[0], o->seeds, o->session,
                          fs_command_background_file (o->back.background), o->report };
  if (are_several (o))
    return fs_command_check_files (files + 3, 2, 1, error);
  gboolean fine = fs_command_check_text (o->report, error)
                  && fs_command_check_files (files, G_N_ELEMENTS (files), 4, error);
  for (guint i = 0; fine && i < o->corrected->len; i++) {
    files[3] = g_array_index (o->corrected, FsFramesCorrection, i).path;
    fine = fs_command_check_files (files, G_N_ELEMENTS (files), 4, error);
  }
  return fine;
}

static gboolean
check_picture (const Options *o, GError **error)
{
  if (o->out || o->cutouts || o->overlays || o->seeds || o->session || o->photo || o->skin
      || o->corrections || o->report || o->backend || o->span != 1
      || fs_edge_options_are_given (&o->edge) || o->keep_hidden || o->back.background || o->lost
      || o->guess || o->find_subject || o->device != FS_COMMAND_NO_DEVICE)
    return fs_command_usage (error, "--picture can only be combined with --first");
  const char *files[] = { o->frames[0], o->picture };
  return fs_command_check_files (files, G_N_ELEMENTS (files), 1, error)
         && fs_command_check_pictures (o->picture, NULL, NULL, NULL, error);
}

static gboolean
check_guess_kinds (const Options *o, GError **error)
{
  if (o->guess && o->find_subject)
    return fs_command_usage (error,
                             "--guess cannot be combined with --find-subject, which makes a guess");
  if ((o->guess || o->find_subject) && (o->skin || o->span != 1))
    return fs_command_usage (error,
                             "--guess and --find-subject cannot be combined with --skin or --span");
  return TRUE;
}

static gboolean
check_guess (const Options *o, GError **error)
{
  const int n_ways = !!o->seeds + !!o->session + !!o->skin;
  const gboolean has_guesses = o->guess || o->find_subject;
  if (are_several (o) && o->skin && n_ways > 1)
    return fs_command_usage (error, "--skin cannot be combined with --seeds or --session");
  if (are_several (o))
    return check_guess_kinds (o, error);
  if (n_ways > 1 || (n_ways == 0 && !has_guesses))
    return fs_command_usage (error,
                             "frames needs one of --seeds S.png, --session S.fretsaw and --skin, "
                             "or --guess DIR or --find-subject");
  return check_guess_kinds (o, error);
}

/* Options of one sequence alone, and of several alone. */
static gboolean
check_number (const Options *o, GError **error)
{
  if (!o->frames)
    return fs_command_usage (error, "frames takes a folder, pattern or video, or several of them");
  if (are_several (o) && (o->picture || o->corrections))
    return fs_command_usage (error, "--picture and --correct are for one sequence");
  if (!are_several (o) && (o->jobs.n != 0 || o->jobs.devices))
    return fs_command_usage (error, "--jobs and --devices are for several sequences");
  return TRUE;
}

static gboolean
check_options (Options *o, GError **error)
{
  if (!check_number (o, error))
    return FALSE;
  if (o->last < o->first)
    return fs_command_usage (error, "--first and --last take numbers of frames, in this order");
  if (o->picture)
    return check_picture (o, error);
  if (!o->out)
    return fs_command_usage (error, "frames needs --out FOLDER");
  if (!check_guess (o, error))
    return FALSE;
  if (o->photo && !o->session && !o->corrections && !are_several (o))
    return fs_command_usage (error, "--photo needs a session");
  if (!fs_backend_choice_want (o->backend))
    return fs_command_usage (error, "--backend takes auto, cpu or cuda");
  if (!fs_command_take_device (o->device, o->backend, error)
      || !fs_command_read_jobs (&o->jobs, o->backend, &o->n_jobs, &o->shared_devices, error))
    return FALSE;
  if (o->lost && !fs_frames_lost_from_name (o->lost, &o->lost_way))
    return fs_command_usage (error, "--lost takes skip, empty, last or stop");
  if (o->lost && o->skin)
    return fs_command_usage (error, "--lost cannot be combined with --skin");
  if (!fs_edge_options_read (&o->edge, o->cutouts != NULL, &o->edge_settings, error))
    return FALSE;
  return fs_command_check_keep_hidden (o->keep_hidden, o->cutouts, error)
         && fs_command_check_background (&o->back, o->cutouts ? "cutouts.png" : NULL,
                                         o->keep_hidden, error)
         && read_corrections (o, error) && check_report (o, error);
}

/* --- progress --------------------------------------------------------------------------------- */

static void
show_progress (guint at, guint n_all, gpointer user_data)
{
  FsProgressLine *line = user_data;
  if (!fs_progress_line_is_due (line))
    return;
  double seconds = (double)(g_get_monotonic_time () - line->start_us) / G_USEC_PER_SEC;
  g_autofree char *all = n_all > 0 ? g_strdup_printf (" of %u", n_all) : g_strdup ("");
  g_autofree char *speed = at > 1 && seconds > 0
                               ? g_strdup_printf (", %.1f a second", (at - 1) / seconds)
                               : g_strdup ("");
  g_autofree char *text = g_strdup_printf ("frame %u%s%s", at, all, speed);
  fs_progress_line_show (line, text);
}

/* --- the command ------------------------------------------------------------------------------ */

static int
write_picture (const Options *o)
{
  g_autoptr (GError) error = NULL;
  FsProgressLine progress = { 0 };
  return fs_frames_write_picture (o->frames[0], (guint64)o->first, o->picture,
                                  fs_progress_line_print, &progress, &error)
             ? FS_EXIT_DONE
             : fs_command_fail (FS_EXIT_FAILED, error->message);
}

static FsFramesJob
make_job (const Options *o)
{
  return (FsFramesJob){ .frames = o->frames[0],
                        .first = (guint64)o->first,
                        .last = (guint64)o->last,
                        .out = o->out,
                        .cutouts = o->cutouts,
                        .edge = o->edge_settings,
                        .keep_hidden = o->keep_hidden,
                        .background = o->back.background,
                        .overlays = o->overlays,
                        .seeds = o->seeds,
                        .session = o->session,
                        .photo = o->photo,
                        .corrections = (const FsFramesCorrection *)(void *)o->corrected->data,
                        .n_corrections = o->corrected->len,
                        .guess = o->guess,
                        .find_subject = o->find_subject,
                        .report = o->report,
                        .backend = o->backend,
                        .skin = o->skin,
                        .lost = o->lost_way,
                        .span = o->span,
                        .n_threads = o->threads };
}

static int
cut_several (const Options *o)
{
  const FsFramesJob each = make_job (o);
  return fs_frames_many_run ((const char *const *)o->frames, &each, o->n_jobs,
                             (const char *const *)o->shared_devices);
}

static int
cut_frames (const Options *o)
{
  g_autoptr (GError) error = NULL;
  g_auto (FsFramesResult) r = { 0 };
  FsProgressLine progress = fs_progress_line_begin ();
  FsFramesJob job = make_job (o);
  job.on_message = fs_progress_line_print;
  job.progress = show_progress;
  job.user_data = &progress;
  gboolean done = fs_frames_job_run (&job, &r, &error);
  fs_progress_line_wipe (&progress);
  fs_command_print_notice ();
  if (!done)
    return fs_command_fail (FS_EXIT_FAILED, error->message);
  g_autofree char *text = fs_frames_result_describe (&r);
  printf ("%s\n", text);
  if (r.n_failed == 0 && r.n_unused == 0)
    return FS_EXIT_DONE;
  return r.n_failed < r.n_frames ? FS_EXIT_PARTIAL : FS_EXIT_FAILED;
}

int
fs_command_frames (int argc, char **argv)
{
  g_set_prgname ("fretsaw frames");
  g_auto (Options) o = { .edge = FS_EDGE_OPTIONS_NONE,
                         .last = G_MAXINT64,
                         .span = 1,
                         .device = FS_COMMAND_NO_DEVICE,
                         .back.quality = FS_COMMAND_NO_QUALITY };
  g_autoptr (GError) error = NULL;
  g_autofree char *help = NULL;
  fs_command_allow_bare (argc, argv, "--find-subject");
  gboolean parsed = parse_frames_options (&o, argc, argv, &help, &error);
  if (parsed && o.help) {
    fputs (help, stdout);
    return FS_EXIT_DONE;
  }
  if (!parsed || !check_options (&o, &error))
    return fs_command_fail_usage ("frames", error);
  if (o.picture)
    return write_picture (&o);
  return are_several (&o) ? cut_several (&o) : cut_frames (&o);
}
