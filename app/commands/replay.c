/* SPDX-License-Identifier: MIT */
#include "app/commands/command_line.h"
#include "app/commands/edge_options.h"
#include "app/commands/progress_line.h"

#include "app/backend/backend_choice.h"
#include "app/replay/replay.h"

#include <stdio.h>

typedef struct {
  char *photo, *guess, *mask, *alpha, *cutout, *labels, *outline, *outline_tolerance, *report,
      *backend;
  FsEdgeOptions edge;
  FsCommandBackground back;
  gboolean keep_hidden, keep_metadata, mask_page, at_once, help;
  char **sessions;
} Options;

static void
replay_options_clear (Options *o)
{
  g_free (o->photo);
  g_free (o->guess);
  g_free (o->mask);
  g_free (o->alpha);
  fs_edge_options_clear (&o->edge);
  g_free (o->cutout);
  g_free (o->back.background);
  g_free (o->labels);
  g_free (o->outline);
  g_free (o->outline_tolerance);
  g_free (o->report);
  g_free (o->backend);
  g_strfreev (o->sessions);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, replay_options_clear)

static gboolean
parse_replay_options (Options *o, int argc, char **argv, char **help, GError **error)
{
  const GOptionEntry entries[] = {
    { "photo", 0, 0, G_OPTION_ARG_FILENAME, &o->photo,
      "The photo, instead of the one that the session names, or a folder to look for it in", "P" },
    { "guess", 0, 0, G_OPTION_ARG_FILENAME, &o->guess,
      "A first guess, instead of those that the session carries", "P.png" },
    { "mask", 0, 0, G_OPTION_ARG_FILENAME, &o->mask, "Write the mask: 8-bit grey, 0 or 255",
      "M.png" },
    { "alpha", 0, 0, G_OPTION_ARG_FILENAME, &o->alpha,
      "Write the alpha of the edge: 8-bit grey, 0 to 255", "A.png" },
    { "cutout", 0, 0, G_OPTION_ARG_FILENAME, &o->cutout,
      "Write the cut-out: RGBA, straight alpha; .ora and .psd have layers", "C.png" },
    FS_EDGE_OPTION_ENTRIES (&o->edge),
    { "keep-hidden", 0, 0, G_OPTION_ARG_NONE, &o->keep_hidden,
      "Keep the colours of transparent pixels in the cut-out", NULL },
    { "keep-metadata", 0, 0, G_OPTION_ARG_NONE, &o->keep_metadata,
      "Keep the photo's whole Exif in the cut-out: GPS, camera data, thumbnail", NULL },
    { "mask-page", 0, 0, G_OPTION_ARG_NONE, &o->mask_page,
      "Add the mask to a cut-out in TIFF, as its second page", NULL },
    { "background", 0, 0, G_OPTION_ARG_FILENAME, &o->back.background,
      "Put the cut-out on a colour (#rrggbb, white, black, …) or on a picture that covers the "
      "photo",
      "COLOUR|FILE" },
    { "quality", 0, 0, G_OPTION_ARG_INT, &o->back.quality,
      "Quality of a cut-out in JPEG: 1 to 100 (92)", "N" },
    { "labels", 0, 0, G_OPTION_ARG_FILENAME, &o->labels,
      "Write which object each pixel is: indexed, the strokes' labels", "L.png" },
    { "outline", 0, 0, G_OPTION_ARG_FILENAME, &o->outline,
      "Write the outline of each object: SVG, in pixels of the photo", "O.svg" },
    { "outline-tolerance", 0, 0, G_OPTION_ARG_STRING, &o->outline_tolerance,
      "Simplify outlines by less than so many pixels, 0 to 0.5; 0: the pixels' edges (0.5)", "PX" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &o->report,
      "Write what was done and how long the masks took", "R.json" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &o->backend, "Which solver: auto, cpu or cuda (auto)",
      "NAME" },
    { "at-once", 0, 0, G_OPTION_ARG_NONE, &o->at_once,
      "Compute only the last mask, without the pauses between strokes", NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->sessions, NULL, NULL },
    { NULL },
  };
  return fs_command_parse (
      entries, "SESSION", "Plays back the strokes of a session in real time, as they were painted.",
      argc, argv, help, error);
}

static gboolean
make_replay_job (FsReplayJob *job, const Options *o, GError **error)
{
  if (!o->sessions || g_strv_length (o->sessions) != 1)
    return fs_command_usage (error, "replay takes one session");
  if (!fs_backend_choice_want (o->backend))
    return fs_command_usage (error, "--backend takes auto, cpu or cuda");
  *job = (FsReplayJob){ .session = o->sessions[0],
                        .photo = o->photo,
                        .guess = o->guess,
                        .mask = o->mask,
                        .cutout = o->cutout,
                        .alpha = o->alpha,
                        .keep_hidden = o->keep_hidden,
                        .keep_metadata = o->keep_metadata,
                        .has_mask_page = o->mask_page,
                        .background = o->back.background,
                        .quality = o->back.quality == FS_COMMAND_NO_QUALITY ? 0 : o->back.quality,
                        .labels = o->labels,
                        .outline = o->outline,
                        .report = o->report,
                        .at_once = o->at_once };
  const char *files[] = { job->session, job->photo,
                          job->guess,   fs_command_background_file (job->background),
                          job->mask,    job->alpha,
                          job->cutout,  job->labels,
                          job->outline, job->report };
  return fs_command_check_files (files, G_N_ELEMENTS (files), 4, error)
         && fs_command_check_text (job->report, error)
         && fs_command_check_pictures (job->mask, job->alpha, job->cutout, job->labels, error)
         && fs_edge_options_read (&o->edge, o->cutout || o->alpha, &job->edge, error)
         && fs_command_check_keep_hidden (o->keep_hidden, o->cutout, error)
         && fs_command_check_keep_metadata (o->keep_metadata, o->cutout, error)
         && fs_command_check_mask_page (o->mask_page, o->cutout, error)
         && fs_command_check_background (&o->back, o->cutout, o->keep_hidden, error)
         && fs_command_check_outline (o->outline, o->outline_tolerance, &job->outline_tolerance_px,
                                      error);
}

static void
print_latencies (const char *what, const FsLatencySummary *s)
{
  if (s->n > 0)
    printf ("%-14s %5u, p50 %.1f ms, p95 %.1f ms, worst %.1f ms\n", what, s->n,
            (double)s->p50_us / 1000, (double)s->p95_us / 1000, (double)s->max_us / 1000);
}

static void
print_summary (const FsReplayResult *r)
{
  double percent = 100.0 * (double)r->object_pixels / ((double)r->width * r->height);
  printf ("%d × %d pixels, %u strokes, object %.1f %%, energy %" G_GINT64_FORMAT ", exact, %s\n",
          r->width, r->height, r->n_strokes, percent, r->status.energy, r->status.backend);
  print_latencies ("first masks", &r->masks);
  print_latencies ("previews", &r->previews);
  print_latencies ("exact masks", &r->exact);
  print_latencies ("final masks", &r->final);
}

static int
play_session (FsReplayJob *job)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) notes = g_string_new (NULL);
  FsReplayResult result;
  FsProgressLine line = fs_progress_line_begin ();
  const FsProgress refining = { .report = fs_progress_line_show_refining, .user_data = &line };
  job->notes = notes;
  job->refining = &refining;
  gboolean done = fs_replay_run (job, &result, &error);
  fs_progress_line_wipe (&line);
  if (result.warning)
    fprintf (stderr, "fretsaw: %s\n", result.warning);
  if (result.note)
    fprintf (stderr, "fretsaw: %s\n", result.note);
  fs_command_print_notes (notes->str);
  fs_command_print_notice ();
  if (done)
    print_summary (&result);
  fs_replay_result_clear (&result);
  return done ? FS_EXIT_DONE : fs_command_fail (FS_EXIT_FAILED, error->message);
}

int
fs_command_replay (int argc, char **argv)
{
  g_set_prgname ("fretsaw replay");
  g_auto (Options) o = { .edge = FS_EDGE_OPTIONS_NONE, .back.quality = FS_COMMAND_NO_QUALITY };
  g_autoptr (GError) error = NULL;
  g_autofree char *help = NULL;
  FsReplayJob job;
  gboolean parsed = parse_replay_options (&o, argc, argv, &help, &error);
  if (parsed && o.help) {
    fputs (help, stdout);
    return FS_EXIT_DONE;
  }
  if (!parsed || !make_replay_job (&job, &o, &error))
    return fs_command_fail_usage ("replay", error);
  return play_session (&job);
}
