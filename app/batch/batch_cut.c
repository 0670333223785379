/* SPDX-License-Identifier: MIT */
#include "app/batch/batch_cut.h"

#include "app/backend/backend_choice.h"
#include "app/manifest/made_files.h"
#include "app/export/parts/background.h"
#include "app/files/process_limits.h"
#include "app/replay/replay.h"
#include "app/session/session.h"
#include "energy/image/threads.h"
#include "solver/solver.h"

#include <stdlib.h>

/* --- the cut ---------------------------------------------------------------------------------- */

static json_t *
text_to_json (const char *text)
{
  g_autofree char *utf8 = g_utf8_make_valid (text, -1);
  return json_string (utf8);
}

static void
add_message (json_t *messages, const char *text)
{
  if (text && *text)
    json_array_append_new (messages, text_to_json (text));
}

static void
add_notes (json_t *messages, const GString *notes)
{
  g_auto (GStrv) lines = g_strsplit (notes->str, "\n", -1);
  for (char **line = lines; *line; line++)
    add_message (messages, *line);
}

/* Takes `more`. */
static void
add_facts (json_t *line, json_t *more)
{
  json_object_update (line, more);
  json_decref (more);
}

static gboolean
cut_seeds (const FsBatchJob *job, const FsBatchPhoto *photo, char *const paths[], json_t *line,
           GString *notes, json_t *messages, GError **error)
{
  FsCutJob cut = job->cut;
  FsCutResult r;
  cut.photo = photo->path;
  cut.seeds = photo->seeds;
  cut.guess = photo->guess;
  if (photo->seeds || photo->guess)
    cut.find_subject = NULL;
  cut.mask = paths[FS_BATCH_MASKS];
  cut.alpha = paths[FS_BATCH_ALPHAS];
  cut.cutout = paths[FS_BATCH_CUTOUTS];
  cut.labels = paths[FS_BATCH_LABELS];
  cut.outline = paths[FS_BATCH_OUTLINES];
  cut.edge = job->edge;
  cut.notes = notes;
  fs_edge_settings_complete (&cut.edge, &FS_EDGE_SETTINGS_DEFAULT);
  gboolean done = fs_cut_job_run (&cut, &r, error);
  add_message (messages, r.warning);
  if (done)
    add_facts (line,
               json_pack ("{s:i, s:i, s:s?, s:{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}}", "width",
                          r.width, "height", r.height, "backend", r.backend, "us", "guess",
                          (json_int_t)r.guess_us, "decode", (json_int_t)r.decode_us, "model",
                          (json_int_t)r.model_us, "energy", (json_int_t)r.energy_us, "cut",
                          (json_int_t)(r.cut_us - r.refine_us), "refine", (json_int_t)r.refine_us,
                          "write", (json_int_t)r.write_us, "total", (json_int_t)r.total_us));
  fs_cut_result_clear (&r);
  return done;
}

/* Strokes are played with the help of threads, which GLib has to have before memory is short. */
static gboolean
start_players (GError **error)
{
  static gboolean is_started;
  return is_started || (is_started = fs_process_limits_start_workers (error));
}

static gboolean
play_session (const FsBatchJob *job, const FsBatchPhoto *photo, char *const paths[], json_t *line,
              GString *notes, json_t *messages, GError **error)
{
  FsReplayResult r;
  const FsCutJob *cut = &job->cut;
  FsReplayJob replay = { .session = photo->session,
                         .photo = photo->path,
                         .mask = paths[FS_BATCH_MASKS],
                         .alpha = paths[FS_BATCH_ALPHAS],
                         .cutout = paths[FS_BATCH_CUTOUTS],
                         .labels = paths[FS_BATCH_LABELS],
                         .outline = paths[FS_BATCH_OUTLINES],
                         .outline_tolerance_px = cut->outline_tolerance_px,
                         .edge = job->edge,
                         .keep_hidden = cut->keep_hidden,
                         .keep_metadata = cut->keep_metadata,
                         .background = cut->background,
                         .notes = notes,
                         .at_once = TRUE };
  fs_solver_set_threads (cut->n_threads);
  fs_energy_set_threads (cut->n_threads);
  if (!start_players (error))
    return FALSE;
  gboolean done = fs_replay_run (&replay, &r, error);
  add_message (messages, r.warning);
  add_message (messages, r.note);
  if (done)
    add_facts (line, json_pack ("{s:i, s:i, s:s?, s:{s:I, s:I, s:I, s:I, s:I}}", "width", r.width,
                                "height", r.height, "backend", r.status.backend, "us", "decode",
                                (json_int_t)r.decode_us, "play", (json_int_t)r.play_us, "map",
                                (json_int_t)r.map_us, "write", (json_int_t)r.write_us, "total",
                                (json_int_t)r.total_us));
  fs_replay_result_clear (&r);
  return done;
}

static void
add_sums (json_t *line, char *const paths[])
{
  json_t *sums = json_object ();
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++) {
    g_autofree char *sum = paths[kind] ? fs_made_file_sum (paths[kind]) : NULL;
    if (sum)
      json_object_set_new (sums, fs_batch_kind_name ((FsBatchKind)kind), json_string (sum));
  }
  json_object_set_new (line, "sums", sums);
}

char *
fs_batch_cut_photo (const FsBatchJob *job, const FsBatchPhoto *photo,
                    char *const paths[FS_BATCH_N_KINDS])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) notes = g_string_new (NULL);
  json_t *line = json_object (), *messages = json_array ();
  gboolean done = (photo->session ? play_session : cut_seeds) (job, photo, paths, line, notes,
                                                               messages, &error);
  add_notes (messages, notes);
  json_object_set_new (line, "done", json_boolean (done));
  json_object_set_new (line, "messages", messages);
  const char *notice = fs_backend_choice_take_notice ();
  if (notice)
    json_object_set_new (line, "notice", text_to_json (notice));
  if (done)
    add_sums (line, paths);
  else
    json_object_set_new (line, "reason", text_to_json (error->message));
  char *text = json_dumps (line, JSON_COMPACT);
  json_decref (line);
  char *copy = g_strdup (text);
  free (text);
  return copy;
}

/* --- what it is made of ----------------------------------------------------------------------- */

static gboolean
append_file (GString *all, const char *what, const char *path, GError **error)
{
  if (!path)
    return TRUE;
  g_autofree char *sum = fs_session_sum_photo (path, NULL, error);
  if (sum)
    g_string_append_printf (all, "%s %s\n", what, sum);
  return sum != NULL;
}

/* Sessions have settings of their own, and none of these count. */
static void
append_settings (GString *all, const FsCutJob *cut)
{
  char smoothness[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr (smoothness, sizeof smoothness, cut->settings.smoothness);
  g_string_append_printf (all, "%d %s %d %d %d %d\n", (int)cut->settings.neighbours, smoothness,
                          (int)cut->settings.model, cut->n_iterations, cut->skin, cut->preview);
  if (cut->preview)
    g_string_append_printf (all, "preview %d %d %s\n", cut->preview_options.n_levels,
                            cut->preview_options.band_px, cut->backend ? cut->backend : "auto");
}

static gboolean
append_edge (GString *all, const FsBatchJob *job, GError **error)
{
  const FsEdgeSettings *e = &job->edge;
  g_string_append_printf (all, "edge %d %d %d %d %d %d %d\n", e->width_px, e->shift_tenths,
                          e->contrast, e->smooth_px, e->clean, e->specks_px, e->holes_px);
  return TRUE;
}

static gboolean
append_cutout (GString *all, const FsBatchJob *job, GError **error)
{
  const char *background = job->cut.background;
  uint32_t rgb;
  g_string_append_printf (all, "cutout %d %d\n", job->cut.keep_hidden, job->cut.keep_metadata);
  if (background && fs_background_parse_colour (background, &rgb))
    g_string_append_printf (all, "colour %06x\n", rgb);
  else
    return append_file (all, "background", background, error);
  return TRUE;
}

static gboolean
append_inputs (GString *all, const FsBatchJob *job, const FsBatchPhoto *photo,
               const char *finder_sum, GError **error)
{
  if (photo->session)
    return append_file (all, "session", photo->session, error);
  append_settings (all, &job->cut);
  if (!photo->seeds && !photo->guess && finder_sum)
    g_string_append_printf (all, "finder %s\n", finder_sum);
  return append_file (all, "seeds", photo->seeds, error)
         && append_file (all, "guess", photo->guess, error);
}

gboolean
fs_batch_sum_inputs (const FsBatchJob *job, const FsBatchPhoto *photo, const char *photo_sum,
                     const char *finder_sum, char *from[FS_BATCH_N_KINDS], GError **error)
{
  g_autoptr (GString) all = g_string_new ("fretsaw " FS_VERSION "\n");
  g_string_append_printf (all, "photo %s\n", photo_sum);
  if (!append_inputs (all, job, photo, finder_sum, error))
    return FALSE;
  const gsize n_shared = all->len;
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++) {
    char tolerance[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_truncate (all, n_shared);
    g_string_append_printf (all, "%s\n", fs_batch_kind_name ((FsBatchKind)kind));
    if (kind == FS_BATCH_OUTLINES)
      g_string_append (all,
                       g_ascii_dtostr (tolerance, sizeof tolerance, job->cut.outline_tolerance_px));
    if ((kind == FS_BATCH_ALPHAS || kind == FS_BATCH_CUTOUTS) && !append_edge (all, job, error))
      return FALSE;
    if (kind == FS_BATCH_CUTOUTS && !append_cutout (all, job, error))
      return FALSE;
    from[kind] = g_compute_checksum_for_string (G_CHECKSUM_SHA256, all->str, (gssize)all->len);
  }
  return TRUE;
}
