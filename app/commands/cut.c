/* SPDX-License-Identifier: MIT */
#include "app/commands/command_line.h"
#include "app/commands/cut_many.h"
#include "app/commands/edge_options.h"
#include "app/commands/progress_line.h"

#include "app/backend/backend_choice.h"
#include "app/cut/cut_job.h"
#include "energy/energy.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  char *seeds, *guess, *find_subject, *mask, *alpha, *edge_zones, *cutout, *labels, *outline,
      *outline_tolerance, *report, *backend, *model, *smoothness;
  FsEdgeOptions edge;
  FsCutManyOptions many;
  int neighbours, threads, iterations, levels, band, device;
  FsCommandBackground back;
  gboolean keep_hidden, keep_metadata, mask_page, skin, preview, verify, help;
  char **photos;
} Options;

static void
cut_options_clear (Options *o)
{
  g_free (o->seeds);
  g_free (o->guess);
  g_free (o->find_subject);
  g_free (o->mask);
  g_free (o->alpha);
  g_free (o->edge_zones);
  fs_edge_options_clear (&o->edge);
  fs_cut_many_options_clear (&o->many);
  g_free (o->cutout);
  g_free (o->back.background);
  g_free (o->labels);
  g_free (o->outline);
  g_free (o->outline_tolerance);
  g_free (o->report);
  g_free (o->backend);
  g_free (o->model);
  g_free (o->smoothness);
  g_strfreev (o->photos);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, cut_options_clear)

static gboolean
parse_cut_options (Options *o, int argc, char **argv, char **help, GError **error)
{
  const GOptionEntry entries[] = {
    { "seeds", 0, 0, G_OPTION_ARG_FILENAME, &o->seeds,
      "The strokes: 0 none, 1 background, 2 object, 3, 4, … further objects", "S.png" },
    { "guess", 0, 0, G_OPTION_ARG_FILENAME, &o->guess,
      "A first guess: how likely each pixel is object, grey or alpha, of any size", "P.png" },
    { "find-subject", 0, 0, G_OPTION_ARG_FILENAME, &o->find_subject,
      "Let a subject finder make the guess: rembg, another one known by name, a command with "
      "{photo} and {mask}, or, without a value, the configured one",
      "FINDER" },
    { "mask", 0, 0, G_OPTION_ARG_FILENAME, &o->mask, "Write the mask: 8-bit grey, 0 or 255",
      "M.png" },
    { "alpha", 0, 0, G_OPTION_ARG_FILENAME, &o->alpha,
      "Write the alpha of the edge: 8-bit grey, 0 to 255", "A.png" },
    { "cutout", 0, 0, G_OPTION_ARG_FILENAME, &o->cutout,
      "Write the cut-out: RGBA, straight alpha; as layers in .ora or .psd, on a background in .jpg",
      "C.png" },
    FS_CUT_MANY_OPTION_ENTRIES (&o->many),
    FS_EDGE_OPTION_ENTRIES (&o->edge),
    { "edge-zones", 0, 0, G_OPTION_ARG_FILENAME, &o->edge_zones,
      "Where the edge is to be hard (1) or has hair to be found (2); 0 elsewhere", "Z.png" },
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
      "Write the labels: indexed, the seeds' numbers", "L.png" },
    { "outline", 0, 0, G_OPTION_ARG_FILENAME, &o->outline,
      "Write the outline of each object: SVG, in pixels of the photo", "O.svg" },
    { "outline-tolerance", 0, 0, G_OPTION_ARG_STRING, &o->outline_tolerance,
      "Simplify outlines by less than so many pixels, 0 to 0.5; 0: the pixels' edges (0.5)", "PX" },
    { "report", 0, 0, G_OPTION_ARG_FILENAME, &o->report, "Write what was done and how long it took",
      "R.json" },
    { "backend", 0, 0, G_OPTION_ARG_STRING, &o->backend, "Which solver: auto, cpu or cuda (auto)",
      "NAME" },
    { "device", 0, 0, G_OPTION_ARG_INT, &o->device,
      "Use the device of this number, from 0, of those that are visible", "N" },
    { "threads", 0, 0, G_OPTION_ARG_INT, &o->threads,
      "Number of solver threads: 0 to 64 (0: one per processor)", "N" },
    { "neighbours", 0, 0, G_OPTION_ARG_INT, &o->neighbours, "Neighbours of a pixel: 4 or 8 (8)",
      "N" },
    { "smoothness", 0, 0, G_OPTION_ARG_STRING, &o->smoothness,
      "Smoothness of the border, 0 to 100 (1)", "X" },
    { "model", 0, 0, G_OPTION_ARG_STRING, &o->model,
      "Colour model: geodesic, kmeans or gmm (geodesic)", "NAME" },
    { "skin", 0, 0, G_OPTION_ARG_NONE, &o->skin, "Cut what has the colours of skin; needs no seeds",
      NULL },
    { "iterations", 0, 0, G_OPTION_ARG_INT, &o->iterations,
      "How often gmm learns from its own mask and cuts again: 0 to 50 (0)", "N" },
    { "preview", 0, 0, G_OPTION_ARG_NONE, &o->preview,
      "A quick mask by levels and bands instead of the exact one", NULL },
    { "levels", 0, 0, G_OPTION_ARG_INT, &o->levels, "Levels of the preview: 0 to 12 (3)", "N" },
    { "band", 0, 0, G_OPTION_ARG_INT, &o->band,
      "Half width of the preview's band in pixels: 0 or more (2)", "D" },
    { "verify", 0, 0, G_OPTION_ARG_NONE, &o->verify,
      "Check the whole certificate of the cut, of several objects those of all cuts", NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->photos, NULL, NULL },
    { NULL },
  };
  return fs_command_parse (
      entries, "PHOTO --seeds S.png | PHOTO|DIR|LIST… --out FOLDER",
      "Cuts the object out of a photo: the exact minimum cut between its strokes. With --out, out "
      "of many: photos, folders of them, and lists, text files with a path a line. Strokes of "
      "NAME.jpg are the session NAME.fretsaw beside it, or the seeds NAME-seeds.png, a guess "
      "NAME-guess.png, or both; --seeds and --guess name folders of NAME.png then, --labels one to "
      "write them into. What is there and made of the same stays.",
      argc, argv, help, error);
}

static gboolean
check_files (const FsCutJob *job, GError **error)
{
  const char *files[] = { job->photo,
                          job->seeds,
                          job->guess,
                          job->edge_zones,
                          fs_command_background_file (job->background),
                          job->mask,
                          job->alpha,
                          job->cutout,
                          job->labels,
                          job->outline,
                          job->report };
  return fs_command_check_files (files, G_N_ELEMENTS (files), 5, error)
         && fs_command_check_text (job->report, error)
         && fs_command_check_pictures (job->mask, job->alpha, job->cutout, job->labels, error);
}

static gboolean
check_skin (FsCutJob *job, const Options *o, GError **error)
{
  if (!o->skin)
    return TRUE;
  if (o->model || o->preview || o->iterations != 0)
    return fs_command_usage (error,
                             "--skin cannot be combined with --model, --iterations or --preview");
  if (o->guess || o->find_subject)
    return fs_command_usage (error,
                             "--skin cannot be combined with --guess: skin colours take its place");
  job->settings.model = FS_MODEL_GMM;
  return TRUE;
}

static gboolean
check_names (FsCutJob *job, const Options *o, GError **error)
{
  if (o->model && !fs_model_from_name (o->model, &job->settings.model))
    return fs_command_usage (error, "--model takes geodesic, kmeans or gmm");
  if (!fs_backend_choice_want (o->backend))
    return fs_command_usage (error, "--backend takes auto, cpu or cuda");
  return TRUE;
}

static gboolean
check_iterations (FsCutJob *job, const Options *o, GError **error)
{
  job->n_iterations = o->iterations;
  return o->iterations == 0 || (job->settings.model == FS_MODEL_GMM && !o->preview)
         || fs_command_usage (
             error, "--iterations needs --model gmm, and cannot be combined with --preview");
}

enum { NOT_GIVEN = G_MININT };

static gboolean
check_preview (FsCutJob *job, const Options *o, GError **error)
{
  job->preview = o->preview;
  job->preview_options = FS_PREVIEW_DEFAULT;
  if (!o->preview)
    return (o->levels == NOT_GIVEN && o->band == NOT_GIVEN)
           || fs_command_usage (error, "--levels and --band need --preview");
  if (o->verify)
    return fs_command_usage (error, "--verify needs the exact cut: leave out --preview");
  if (o->levels != NOT_GIVEN)
    job->preview_options.n_levels = o->levels;
  if (o->band != NOT_GIVEN)
    job->preview_options.band_px = o->band;
  return TRUE;
}

static gboolean
read_edge (FsCutJob *job, const Options *o, GError **error)
{
  const gboolean is_written = o->cutout || o->alpha;
  if (!fs_edge_options_read (&o->edge, is_written, &job->edge, error))
    return FALSE;
  fs_edge_settings_complete (&job->edge, &FS_EDGE_SETTINGS_DEFAULT);
  return !o->edge_zones || is_written
         || fs_command_usage (error, "--edge-zones applies to cut-outs and alpha only");
}

/* The options that many photos have in common with one. */
static gboolean
read_settings (FsCutJob *job, const Options *o, GError **error)
{
  *job = (FsCutJob){ .find_subject = o->find_subject,
                     .keep_hidden = o->keep_hidden,
                     .keep_metadata = o->keep_metadata,
                     .background = o->back.background,
                     .n_threads = o->threads,
                     .backend = o->backend,
                     .skin = o->skin,
                     .settings = FS_SETTINGS_DEFAULT,
                     .verify = o->verify };
  job->settings.neighbours = (FsNeighbours)o->neighbours;
  if (o->smoothness)
    job->settings.smoothness = g_ascii_strtod (o->smoothness, NULL);
  return check_skin (job, o, error) && check_names (job, o, error)
         && check_iterations (job, o, error) && check_preview (job, o, error)
         && fs_command_take_device (o->device, o->backend, error);
}

static gboolean
check_outputs (FsCutJob *job, const Options *o, const char *cutout, const char *outline,
               GError **error)
{
  return fs_command_check_keep_hidden (o->keep_hidden, cutout, error)
         && fs_command_check_keep_metadata (o->keep_metadata, cutout, error)
         && fs_command_check_mask_page (o->mask_page, cutout, error)
         && fs_command_check_background (&o->back, cutout, o->keep_hidden, error)
         && fs_command_check_outline (outline, o->outline_tolerance, &job->outline_tolerance_px,
                                      error);
}

static gboolean
make_cut_job (FsCutJob *job, const Options *o, GError **error)
{
  const char *many = fs_cut_many_find_option (&o->many);
  if (many) {
    g_autofree char *message = g_strconcat (many, " is for many photos, and needs --out", NULL);
    return fs_command_usage (error, message);
  }
  if (!o->photos || g_strv_length (o->photos) != 1)
    return fs_command_usage (error, "cut takes one photo, or several with --out FOLDER");
  if (!o->seeds && !o->guess && !o->find_subject && !o->skin)
    return fs_command_usage (error,
                             "cut needs --seeds S.png, --guess P.png, --find-subject, or --skin");
  if (o->guess && o->find_subject)
    return fs_command_usage (error,
                             "--guess cannot be combined with --find-subject, which makes a guess");
  if (!read_settings (job, o, error))
    return FALSE;
  job->photo = o->photos[0];
  job->seeds = o->seeds;
  job->guess = o->guess;
  job->mask = o->mask;
  job->cutout = o->cutout;
  job->alpha = o->alpha;
  job->edge_zones = o->edge_zones;
  job->has_mask_page = o->mask_page;
  job->quality = o->back.quality == FS_COMMAND_NO_QUALITY ? 0 : o->back.quality;
  job->labels = o->labels;
  job->outline = o->outline;
  job->report = o->report;
  return check_files (job, error) && read_edge (job, o, error)
         && check_outputs (job, o, o->cutout, o->outline, error);
}

/* --- many photos ------------------------------------------------------------------------------ */

static gboolean
make_batch_job (FsBatchJob *job, const Options *o, char ***devices, GError **error)
{
  const gboolean has_edges = o->many.alphas || o->many.cutouts;
  *job = (FsBatchJob){ .inputs = (const char *const *)o->photos,
                       .seeds = o->seeds,
                       .guesses = o->guess,
                       .report = o->report };
  job->folders[FS_BATCH_LABELS] = o->labels;
  *devices = NULL;
  if (!o->photos)
    return fs_command_usage (error, "cut takes photos, folders of them, or lists of them");
  if (o->mask || o->alpha || o->cutout || o->outline || o->edge_zones)
    return fs_command_usage (error, "--mask, --alpha, --cutout, --outline and --edge-zones are for "
                                    "one photo: --out, --alphas, --cutouts and --outlines name "
                                    "folders");
  return fs_command_check_text (o->report, error) && read_settings (&job->cut, o, error)
         && fs_edge_options_read (&o->edge, has_edges, &job->edge, error)
         && check_outputs (&job->cut, o, o->many.cutouts ? "cutouts.png" : NULL,
                           o->many.outlines ? "outlines.svg" : NULL, error)
         && fs_cut_many_read (job, &o->many, devices, error);
}

static const char *
proof_in_words (const FsCutResult *r)
{
  if (r->n_objects > 1)
    return "no label can expand";
  return r->solution.exact ? "exact" : "preview, not exact";
}

static void
print_summary (const FsCutResult *r)
{
  double percent = 100.0 * (double)r->object_pixels / ((double)r->width * r->height);
  /* With soft brushes dozens of grey values become dozens of objects by mistake. */
  g_autofree char *objects =
      r->n_objects > 1 ? g_strdup_printf ("%d objects", r->n_objects) : g_strdup ("object");
  printf ("%d × %d pixels, %s %.1f %%, energy %" G_GINT64_FORMAT ", %s, %s, %.0f ms\n", r->width,
          r->height, objects, percent, r->solution.energy, proof_in_words (r), r->backend,
          (double)r->total_us / 1000);
}

static int
cut_photo (FsCutJob *job)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) notes = g_string_new (NULL);
  FsCutResult result;
  FsProgressLine line = fs_progress_line_begin ();
  const FsProgress refining = { .report = fs_progress_line_show_refining, .user_data = &line };
  job->notes = notes;
  job->refining = &refining;
  gboolean done = fs_cut_job_run (job, &result, &error);
  fs_progress_line_wipe (&line);
  if (result.warning)
    fprintf (stderr, "fretsaw: %s\n", result.warning);
  fs_command_print_notes (notes->str);
  fs_command_print_notice ();
  if (done)
    print_summary (&result);
  fs_cut_result_clear (&result);
  return done ? FS_EXIT_DONE : fs_command_fail (FS_EXIT_FAILED, error->message);
}

int
fs_command_cut (int argc, char **argv)
{
  g_set_prgname ("fretsaw cut");
  g_auto (Options) o = { .edge = FS_EDGE_OPTIONS_NONE,
                         .neighbours = FS_NEIGHBOURS_8,
                         .levels = NOT_GIVEN,
                         .band = NOT_GIVEN,
                         .device = FS_COMMAND_NO_DEVICE,
                         .back.quality = FS_COMMAND_NO_QUALITY };
  g_autoptr (GError) error = NULL;
  g_autofree char *help = NULL;
  fs_command_allow_bare (argc, argv, "--find-subject");
  gboolean parsed = parse_cut_options (&o, argc, argv, &help, &error);
  if (parsed && o.help) {
    fputs (help, stdout);
    return FS_EXIT_DONE;
  }
  FsCutJob job;
  FsBatchJob batch;
  g_auto (GStrv) devices = NULL;
  if (!parsed
      || !(o.many.out ? make_batch_job (&batch, &o, &devices, &error)
                      : make_cut_job (&job, &o, &error)))
    return fs_command_fail_usage ("cut", error);
  return o.many.out ? fs_cut_many_run (&batch) : cut_photo (&job);
}
