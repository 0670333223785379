/* SPDX-License-Identifier: MIT */
#include "app/cut/cut_job.h"

#include "app/backend/backend_choice.h"
#include "app/export/export.h"
#include "app/export/export_edge.h"
#include "app/export/export_format.h"
#include "app/files/display_name.h"
#include "app/files/report_numbers.h"
#include "app/finder/guess_file.h"
#include "app/finder/subject_finder.h"
#include "app/photo/display_image.h"
#include "cut/multi_object_cut.h"
#include "cut/photo_cut.h"
#include "energy/colour/skin.h"
#include "energy/energy_extras.h"
#include "solver/backend.h"

typedef struct {
  FsPhoto *photo;
  FsBackground *background; /* of the cut-out, or NULL */
  FsSeedMap *seeds;
  uint8_t *zones;                 /* of the edge, or NULL */
  FsExportRefinement *refinement; /* where two files share it, or NULL */
  FsGuess *guess;                 /* or NULL */
  FsPhotoCut cut;                 /* of one object */
  uint8_t *mask;                  /* what held the labels, used again */
  uint8_t *numbers;               /* of the objects; NULL where nobody asks for one's */
} Work;

static void
cut_work_clear (Work *work)
{
  fs_photo_cut_clear (&work->cut);
  fs_seed_map_free (work->seeds);
  fs_export_refinement_free (work->refinement);
  g_free (work->zones);
  g_clear_pointer (&work->guess, fs_guess_unref);
  fs_photo_free (work->photo);
  fs_background_unref (work->background);
  g_free (work->mask);
  g_free (work->numbers);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, cut_work_clear)

static gboolean
fail (GError **error, const char *path, const char *reason)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID, "%s: %s", name, reason);
  return FALSE;
}

static gboolean
has_guess (const FsCutJob *job)
{
  return job->guess || job->find_subject;
}

static gboolean
check_seeds (const FsCutJob *job, const FsSeedMap *seeds, GError **error)
{
  int64_t n = (int64_t)seeds->width * seeds->height;
  if (job->seeds && !has_guess (job) && seeds->n_seeds[FS_SEED_NONE] == n)
    return fail (error, job->seeds, "no seeds: every pixel is 0");
  if (fs_cut_count_objects (seeds) > 1 && (job->preview || job->n_iterations > 0))
    return fail (error, job->seeds,
                 "seeds of several objects: previews and iterations cut one alone");
  return TRUE;
}

/* TRUE if the cut-out has a layer for each object. */
static gboolean
has_layers (const FsCutJob *job)
{
  return job->cutout && fs_export_format_has_layers (fs_export_format_of (job->cutout));
}

/* Skin and guesses need no seeds, and skin cuts one object. */
static uint8_t *
load_labels (const FsCutJob *job, const FsImage *image, GError **error)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  if (!job->seeds)
    return g_malloc0 (n);
  g_autofree uint8_t *labels = fs_seeds_load (job->seeds, image->width, image->height, NULL, error);
  if (labels && !fs_seeds_check_hard (job->seeds, labels, image->width, image->height, error))
    return NULL;
  for (size_t p = 0; labels && job->skin && p < n; p++)
    if (labels[p] > FS_SEED_OBJECT) {
      g_autofree char *reason = g_strdup_printf ("label %d: --skin cuts one object", labels[p]);
      fail (error, job->seeds, reason);
      return NULL;
    }
  return g_steal_pointer (&labels);
}

/* In colours as they are seen. */
static FsGuess *
find_guess (const Work *work, const FsCutJob *job, FsCutResult *result, GError **error)
{
  const char *wanted = *job->find_subject != '\0' ? job->find_subject : NULL;
  g_autoptr (FsSubjectFinder) finder = fs_subject_finder_new (wanted, error);
  if (!finder)
    return NULL;
  result->finder = g_strdup (fs_subject_finder_get_name (finder));
  g_autoptr (FsImage) seen = fs_display_image_new (work->photo, NULL);
  return fs_subject_finder_find_in_command (finder, seen, work->seeds->label, error);
}

static gboolean
load_guess (Work *work, const FsCutJob *job, FsCutResult *result, GError **error)
{
  if (!has_guess (job))
    return TRUE;
  gint64 mark = g_get_monotonic_time ();
  work->guess = job->guess ? fs_guess_load_mask (job->guess, result->width, result->height, NULL,
                                                 NULL, NULL, error)
                           : find_guess (work, job, result, error);
  if (!work->guess)
    return FALSE;
  result->guess_width = fs_guess_get_width (work->guess);
  result->guess_height = fs_guess_get_height (work->guess);
  result->guess_us = fs_report_lap (&mark);
  return TRUE;
}

static gboolean
load_zones (Work *work, const FsCutJob *job, FsCutResult *result, GError **error)
{
  const gsize n = (gsize)result->width * (gsize)result->height;
  if (!job->edge_zones)
    return TRUE;
  work->zones = fs_seeds_load (job->edge_zones, result->width, result->height, NULL, error);
  for (gsize p = 0; work->zones && p < n; p++)
    if (work->zones[p] >= FS_EDGE_N_ZONES) {
      g_autofree char *reason =
          g_strdup_printf ("zone %d: 0 is none, 1 hard, 2 hair", work->zones[p]);
      return fail (error, job->edge_zones, reason);
    }
  return work->zones != NULL;
}

static gboolean
load (Work *work, const FsCutJob *job, FsCutResult *result, GError **error)
{
  work->photo = fs_photo_load (job->photo, NULL, NULL, error);
  if (!work->photo)
    return FALSE;
  if (job->background && !(work->background = fs_background_new (job->background, error)))
    return FALSE;
  FsImage *image = work->photo->image;
  result->warning = g_strdup (work->photo->warning);
  result->width = image->width;
  result->height = image->height;

  g_autofree uint8_t *labels = load_labels (job, image, error);
  if (!labels)
    return FALSE;
  work->seeds = fs_seed_map_new (image->width, image->height);
  if (!work->seeds)
    return fail (error, job->photo, "not enough memory");
  fs_seed_map_set (work->seeds, labels);
  work->mask = g_steal_pointer (&labels);
  result->n_objects = fs_cut_count_objects (work->seeds);
  gboolean wants_numbers = job->labels || job->outline || has_layers (job) || result->n_objects > 1;
  if (wants_numbers)
    work->numbers = g_try_malloc ((gsize)image->width * (gsize)image->height);
  if (wants_numbers && !work->numbers)
    return fail (error, job->photo, "not enough memory");
  return check_seeds (job, work->seeds, error) && load_zones (work, job, result, error)
         && load_guess (work, job, result, error);
}

static void
note_backend (FsCutResult *result, const FsBackend *backend)
{
  result->backend = fs_backend_get_name (backend);
  result->device = fs_backend_get_device (backend);
}

/* --- previews --- */

/* *done: whether the backend makes previews and has made this one. */
static gboolean
preview_on_device (Work *work, const FsCutJob *job, const FsPreviewOptions *options,
                   FsCutResult *result, gboolean *done, GError **error)
{
  *done = FALSE;
  if (!work->cut.backend->preview)
    return TRUE;
  if (!fs_photo_cut_make_solver (&work->cut, error)
      || !fs_solver_preview (work->cut.solver, options, NULL, work->mask, &result->preview, done,
                             error))
    return FALSE;
  note_backend (result, fs_solver_get_backend (work->cut.solver));
  return TRUE;
}

static gboolean
preview_on_cpu (Work *work, const FsPreviewOptions *options, FsCutResult *result, GError **error)
{
  if (!fs_energy_need_planes (work->cut.energy, work->seeds, error))
    return FALSE;
  g_autoptr (FsPreview) preview =
      fs_preview_new (fs_energy_get_grid (work->cut.energy), options, NULL, error);
  if (!preview || !fs_preview_solve (preview, NULL, work->mask, &result->preview, error))
    return FALSE;
  note_backend (result, &fs_backend_cpu);
  return TRUE;
}

/* A preview has no flow, hence no bound. */
static gboolean
preview (Work *work, const FsCutJob *job, FsCutResult *result, GError **error)
{
  FsPreviewOptions options = job->preview_options;
  gboolean done;
  options.soft_tlink = fs_energy_get_soft_tlink (work->cut.energy);
  if (!preview_on_device (work, job, &options, result, &done, error)
      || (!done && !preview_on_cpu (work, &options, result, error)))
    return FALSE;
  result->solution = (FsSolution){ .energy = result->preview.energy };
  return TRUE;
}

static gboolean
cut_exactly (Work *work, const FsCutJob *job, FsCutResult *result, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  if (!fs_photo_cut_solve (&work->cut, error))
    return FALSE;
  fs_backend_choice_note (FS_WORK_ONCE, work->cut.backend,
                          (size_t)result->width * (size_t)result->height,
                          g_get_monotonic_time () - start);
  gboolean changed = TRUE;
  for (; changed && result->n_iterations < job->n_iterations; result->n_iterations++)
    if (!fs_photo_cut_iterate (&work->cut, &changed, error))
      return FALSE;
  note_backend (result, fs_photo_cut_get_backend (&work->cut));
  gint64 mark = g_get_monotonic_time ();
  if (!fs_photo_cut_refine (&work->cut, error))
    return FALSE;
  result->refine_us = fs_report_lap (&mark);
  result->n_refinements = work->cut.n_refinements;
  result->solution = work->cut.solution;
  if (work->cut.refined.solver)
    note_backend (result, fs_photo_cut_get_backend (&work->cut));
  return TRUE;
}

/* The labelling is not proven to be optimal, but each cut in it is. */
static gboolean
cut_objects (Work *work, const FsCutJob *job, FsCutResult *result, GError **error)
{
  size_t n = (size_t)result->width * (size_t)result->height;
  FsObjectsCut cut = { .backend = fs_backend_choice_pick (FS_WORK_ONCE, n), .verify = job->verify };
  if (!fs_cut_objects (work->photo->image, &job->settings, work->seeds, work->guess, &cut,
                       work->numbers, error))
    return FALSE;
  for (size_t p = 0; p < n; p++)
    work->mask[p] = work->numbers[p] != FS_SEED_BACKGROUND;
  result->solution = (FsSolution){ cut.energy, cut.bound, cut.energy == cut.bound };
  result->n_cycles = cut.n_cycles;
  result->model_us = cut.model_us;
  result->cut_us = cut.cut_us;
  note_backend (result, cut.backend);
  return TRUE;
}

static gboolean
solve (Work *work, const FsCutJob *job, FsCutResult *result, GError **error)
{
  fs_solver_set_threads (job->n_threads);
  fs_energy_set_threads (job->n_threads);
  if (result->n_objects > 1)
    return cut_objects (work, job, result, error);
  gint64 mark = g_get_monotonic_time ();
  FsImage *image = work->photo->image;
  size_t n = (size_t)result->width * (size_t)result->height;
  work->cut = (FsPhotoCut){ .image = image,
                            .settings = &job->settings,
                            .seeds = work->seeds,
                            .guess = work->guess,
                            .backend = fs_backend_choice_pick (FS_WORK_ONCE, n),
                            .mask = work->mask,
                            .has_own_tlinks = job->skin,
                            .has_preview = job->preview,
                            .is_verified = job->verify };
  gint64 open_us = fs_report_lap (&mark);
  if (!fs_photo_cut_prepare (&work->cut, error))
    return FALSE;
  result->model_us = work->cut.model_us;
  if (job->skin)
    fs_skin_add_tlinks (image, work->seeds, fs_energy_get_grid (work->cut.energy)->tlink);
  result->energy_us = fs_report_lap (&mark) - result->model_us;

  if (job->preview ? !preview (work, job, result, error) : !cut_exactly (work, job, result, error))
    return FALSE;
  result->cut_us = open_us + fs_report_lap (&mark);
  uint8_t number = fs_photo_cut_get_number (work->seeds);
  for (size_t p = 0; work->numbers && p < n; p++)
    work->numbers[p] = work->mask[p] ? number : FS_SEED_BACKGROUND;
  return TRUE;
}

/* Errors of the solver are about the photo, whose name is put before them. */
static gboolean
cut (Work *work, const FsCutJob *job, FsCutResult *result, GError **error)
{
  if (solve (work, job, result, error))
    return TRUE;
  g_autofree char *name = fs_display_name (job->photo);
  g_prefix_error (error, "%s: ", name);
  return FALSE;
}

static gboolean
prove (Work *work, const FsCutJob *job, FsCutResult *result, GError **error)
{
  if (result->n_objects > 1 && job->verify)
    result->certificate =
        (FsCertificate){ .feasible = TRUE, .conserved = TRUE, .canonical = TRUE, .holds = TRUE };
  if (job->preview || result->n_objects > 1)
    return TRUE;
  if (!result->solution.exact)
    return fail (error, job->photo, "the cut could not be proven minimal; nothing was written");
  if (!job->verify)
    return TRUE;
  FsCertificate *certificate = &result->certificate;
  if (!fs_photo_cut_certify (&work->cut, certificate, error))
    return FALSE;
  if (!result->certificate.holds)
    return fail (error, job->photo, "the certificate does not hold; nothing was written");
  return TRUE;
}

static FsExport
describe_file (const Work *work, const FsCutJob *job, FsExportKind kind)
{
  return (FsExport){ .image = work->photo->image,
                     .mask = kind == FS_EXPORT_LABELS ? work->numbers : work->mask,
                     .kind = kind,
                     .photo = job->photo,
                     .edge = job->edge,
                     .zones = work->zones,
                     .refinement = kind != FS_EXPORT_LABELS ? work->refinement : NULL,
                     .refining = job->refining,
                     .keep_hidden = job->keep_hidden,
                     .keep_metadata = job->keep_metadata,
                     .has_mask_page = job->has_mask_page,
                     .background = work->background,
                     .quality = job->quality,
                     .outline_tolerance_px = job->outline_tolerance_px,
                     .notes = job->notes,
                     .marks = work->seeds->label };
}

static gboolean
write_file (const Work *work, const FsCutJob *job, const char *path, FsExportKind kind,
            GError **error)
{
  const FsExport export = describe_file (work, job, kind);
  return !path || fs_export_write (&export, path, NULL, NULL, NULL, error);
}

/* The alpha of zones is computed once for both files that show it. */
static void
refine_once (Work *work, const FsCutJob *job)
{
  const FsExport cutout = describe_file (work, job, FS_EXPORT_CUTOUT);
  if (job->alpha && job->cutout && !has_layers (job) && fs_export_has_edge (&cutout))
    work->refinement = fs_export_refine (&cutout);
}

static gboolean
write_files (Work *work, const FsCutJob *job, GError **error)
{
  refine_once (work, job);
  return write_file (work, job, job->mask, FS_EXPORT_MASK, error)
         && write_file (work, job, job->alpha, FS_EXPORT_ALPHA, error)
         && write_file (work, job, job->cutout,
                        has_layers (job) ? FS_EXPORT_LABELS : FS_EXPORT_CUTOUT, error)
         && write_file (work, job, job->labels, FS_EXPORT_LABELS, error)
         && write_file (work, job, job->outline, FS_EXPORT_LABELS, error);
}

static gboolean
write_report (const FsCutJob *job, const FsCutResult *result, GError **error)
{
  if (!job->report)
    return TRUE;
  g_autofree char *json = fs_cut_result_to_json (job, result);
  return fs_export_write_text (job->report, json, -1, error);
}

gboolean
fs_cut_job_run (const FsCutJob *job, FsCutResult *result, GError **error)
{
  g_return_val_if_fail (job && job->photo && (job->seeds || job->skin || has_guess (job)) && result,
                        FALSE);

  *result = (FsCutResult){ 0 };
  if (!fs_backend_choice_want (job->backend))
    return fail (error, job->photo, "there is no such backend; nothing was written");
  const char *outputs[] = { job->mask,   job->alpha,   job->cutout,
                            job->labels, job->outline, job->report };
  if (!fs_export_can_write (outputs, G_N_ELEMENTS (outputs), error))
    return FALSE;
  g_auto (Work) work = { 0 };
  gint64 start = g_get_monotonic_time (), mark = start;
  if (!load (&work, job, result, error))
    return FALSE;
  result->decode_us = fs_report_lap (&mark) - result->guess_us;
  if (!cut (&work, job, result, error) || !prove (&work, job, result, error))
    return FALSE;
  result->object_pixels = fs_report_count_object (work.mask, result->width, result->height);
  fs_report_lap (&mark);
  if (!write_files (&work, job, error))
    return FALSE;
  result->write_us = fs_report_lap (&mark);
  result->total_us = g_get_monotonic_time () - start;
  return write_report (job, result, error);
}

void
fs_cut_result_clear (FsCutResult *result)
{
  g_clear_pointer (&result->warning, g_free);
  g_clear_pointer (&result->finder, g_free);
}

static void
append_string (GString *json, const char *key, const char *value)
{
  g_autofree char *utf8 = g_utf8_make_valid (value, -1);
  g_string_append_printf (json, "  \"%s\": \"", key);
  for (const char *c = utf8; *c; c++) {
    if (*c == '"' || *c == '\\')
      g_string_append_printf (json, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      g_string_append_printf (json, "\\u%04x", (unsigned)*c);
    else
      g_string_append_c (json, *c);
  }
  g_string_append (json, "\",\n");
}

static const char *
json_boolean (gboolean value)
{
  return value ? "true" : "false";
}

static void
append_preview (GString *json, const FsCutJob *job, const FsPreviewStats *stats)
{
  g_string_append_printf (json,
                          "  \"preview\": { \"levels\": %d, \"band\": %d, \"solved_pixels\": [",
                          stats->n_levels, job->preview_options.band_px);
  for (int level = 0; level <= stats->n_levels; level++)
    g_string_append_printf (json, "%s%zu", level > 0 ? ", " : "", stats->n_solved[level]);
  g_string_append_printf (json, "], \"bytes\": %zu },\n", stats->size_bytes);
}

static void
append_guess (GString *json, const FsCutJob *job, const FsCutResult *r)
{
  g_autofree char *name = job->guess ? g_path_get_basename (job->guess) : g_strdup (r->finder);
  append_string (json, job->guess ? "guess" : "finder", name);
  g_string_append_printf (json,
                          "  \"guess_size\": { \"width\": %d, \"height\": %d },\n"
                          "  \"guess_us\": %" G_GINT64_FORMAT ",\n",
                          r->guess_width, r->guess_height, r->guess_us);
}

char *
fs_cut_result_to_json (const FsCutJob *job, const FsCutResult *r)
{
  GString *json = g_string_new ("{\n");
  g_string_append_printf (json, "  \"photo\": { \"width\": %d, \"height\": %d },\n", r->width,
                          r->height);
  append_string (json, "backend", r->backend);
  append_string (json, "device", r->device);
  if (r->warning)
    append_string (json, "warning", r->warning);
  if (has_guess (job))
    append_guess (json, job, r);
  char smoothness[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (smoothness, sizeof smoothness, "%.6g", job->settings.smoothness);
  g_string_append_printf (json,
                          "  \"model\": \"%s\",\n  \"neighbours\": %d,\n  \"smoothness\": %s,\n"
                          "  \"energy\": %" G_GINT64_FORMAT ",\n",
                          job->skin ? "skin" : fs_model_name (job->settings.model),
                          (int)job->settings.neighbours, smoothness, r->solution.energy);
  if (r->n_objects <= 1 || r->solution.exact)
    g_string_append_printf (json, "  \"bound\": %" G_GINT64_FORMAT ",\n  \"exact\": %s,\n",
                            r->solution.bound, json_boolean (r->solution.exact));
  if (r->n_objects > 1)
    g_string_append_printf (json, "  \"converged\": true,\n  \"objects\": %d,\n  \"cycles\": %d,\n",
                            r->n_objects, r->n_cycles);
  if (job->n_iterations > 0)
    g_string_append_printf (json, "  \"iterations\": %d,\n", r->n_iterations);
  if (r->n_refinements > 0)
    g_string_append_printf (json, "  \"second_looks\": %d,\n", r->n_refinements);
  if (job->preview)
    append_preview (json, job, &r->preview);
  if (job->verify)
    g_string_append_printf (
        json,
        "  \"certificate\": { \"feasible\": %s, \"conserved\": %s, \"canonical\": %s, "
        "\"holds\": %s },\n",
        json_boolean (r->certificate.feasible), json_boolean (r->certificate.conserved),
        json_boolean (r->certificate.canonical), json_boolean (r->certificate.holds));
  g_string_append_printf (json,
                          "  \"object_pixels\": %" G_GINT64_FORMAT ",\n"
                          "  \"time_us\": { \"decode\": %" G_GINT64_FORMAT
                          ", \"model\": %" G_GINT64_FORMAT ", \"energy\": %" G_GINT64_FORMAT
                          ", \"cut\": %" G_GINT64_FORMAT ", \"write\": %" G_GINT64_FORMAT
                          ", \"total\": %" G_GINT64_FORMAT " }\n}\n",
                          r->object_pixels, r->decode_us, r->model_us, r->energy_us, r->cut_us,
                          r->write_us, r->total_us);
  return g_string_free (json, FALSE);
}
