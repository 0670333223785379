/* SPDX-License-Identifier: MIT */
#include "app/cut/cut_state.h"

#include "app/backend/backend_choice.h"
#include "cut/refine_cut.h"
#include "app/strokes/mask_runs.h"
#include "energy/implicit_links.h"
#include "solver/backend.h"

#include <string.h>

enum { PREVIEW_PIXELS = 1500000, CHANGES_A_PASS = 10 };

/* A device whose first cut of new models takes longer than this shows a preview before. */
enum { PREVIEW_WORTH_US = 100000 };

/* The number of pixels by which a star is extended at once: a third of a frame's time. */
enum { STAR_PIXELS = 60000 };

static void
fill_source (FsLinkSource *source, gpointer data)
{
  FsModelCut *cut = data;
  fs_energy_fill_link_source (cut->energy, cut->seeds, source);
}

static gboolean
need_planes (gpointer data, GError **error)
{
  FsModelCut *cut = data;
  return fs_energy_need_planes (cut->energy, cut->seeds, error);
}

static FsModelCut *
cut_for_energy (FsEnergy *energy, const FsBackend *backend)
{
  if (!energy)
    return NULL;
  FsModelCut *cut = g_new0 (FsModelCut, 1);
  cut->energy = energy;
  cut->backend = backend;
  cut->changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  cut->fixed = g_array_new (FALSE, FALSE, sizeof (FsFixedSpan));
  cut->star_changes = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  cut->pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  fs_cut_links_init (&cut->links, fs_energy_get_grid (energy),
                     (FsWantedLinks){ fill_source, need_planes, cut });
  return cut;
}

FsModelCut *
fs_model_cut_new (FsImage *image, const FsSettings *settings, const FsProgress *progress,
                  GError **error)
{
  const FsBackend *backend =
      fs_backend_choice_pick (FS_WORK_LIVE, (size_t)image->width * (size_t)image->height);
  gint64 start = g_get_monotonic_time ();
  FsEnergy *energy = backend->create_built
                         ? fs_energy_new_implicit (image, settings, progress, error)
                         : fs_energy_new (image, settings, progress, error);
  gint64 nlinks_us = g_get_monotonic_time () - start;
  FsModelCut *cut = cut_for_energy (energy, backend);
  if (cut)
    cut->nlinks_us = cut->energy_us = nlinks_us;
  return cut;
}

static void
replace_guess (FsGuess **place, FsGuess *guess)
{
  FsGuess *previous = *place;
  *place = guess ? fs_guess_ref (guess) : NULL;
  g_clear_pointer (&previous, fs_guess_unref);
}

void
fs_model_cut_set_guess (FsModelCut *cut, FsGuess *guess)
{
  replace_guess (&cut->guess, guess);
}

FsModelCut *
fs_model_cut_new_sibling (FsModelCut *cut, GError **error)
{
  FsEnergy *energy = fs_energy_new_sibling (cut->energy, error);
  FsModelCut *sibling = cut_for_energy (energy, cut->backend);
  if (!sibling)
    return NULL;
  sibling->nlinks_us = sibling->energy_us = cut->nlinks_us;
  fs_model_cut_set_guess (sibling, cut->fitted_guess);
  replace_guess (&sibling->fitted_guess, cut->fitted_guess);
  return sibling;
}

void
fs_model_cut_free (FsModelCut *cut)
{
  if (!cut)
    return;
  fs_preview_free (cut->preview);
  fs_solver_free (cut->solver);
  fs_cut_links_clear (&cut->links);
  g_clear_pointer (&cut->guess, fs_guess_unref);
  g_clear_pointer (&cut->fitted_guess, fs_guess_unref);
  fs_energy_free (cut->energy);
  g_array_unref (cut->changes);
  g_array_unref (cut->fixed);
  g_array_unref (cut->star_changes);
  g_array_unref (cut->pixels);
  g_free (cut->refined_mask);
  g_free (cut);
}

gboolean
fs_model_cut_update_solver (FsModelCut *cut, GError **error)
{
  if (cut->solver)
    return fs_cut_links_hand_over (&cut->links, cut->solver, error);
  cut->solver = fs_cut_links_make_solver (&cut->links, cut->backend, error);
  return cut->solver != NULL;
}

const FsBackend *
fs_model_cut_get_backend (FsModelCut *cut)
{
  return cut->solver ? fs_solver_get_backend (cut->solver) : cut->backend;
}

static gboolean
is_on_device (FsModelCut *cut)
{
  return cut->solver ? fs_solver_builds (cut->solver) : cut->backend->create_built != NULL;
}

size_t
fs_model_cut_count_waiting (FsModelCut *cut)
{
  return fs_cut_links_count_waiting (&cut->links);
}

static gboolean
refuse_memory (FsModelCut *cut, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for the t-links of %zu pixels",
               fs_grid_n_pixels (fs_energy_get_grid (cut->energy)));
  return FALSE;
}

/* --- stability ------------------------------------------------------------------------------- */

static size_t
count_cut_pixels (FsModelCut *cut)
{
  return fs_grid_n_pixels (fs_energy_get_grid (cut->energy));
}

static gboolean
set_mask_prior (FsModelCut *cut, const FsPreviousMask *previous, GError **error)
{
  cut->locality = previous ? FS_LOCALITY_PENDING : FS_LOCALITY_NONE;
  if (!previous)
    return fs_energy_set_mask_prior (cut->energy, NULL, NULL, 0, error);
  g_autofree uint8_t *mask = g_try_malloc (count_cut_pixels (cut));
  if (!mask)
    return refuse_memory (cut, error);
  fs_mask_runs_unpack (previous->runs, mask, count_cut_pixels (cut));
  return fs_energy_set_mask_prior (cut->energy, mask,
                                   (const uint32_t *)(gpointer)previous->painted->data,
                                   previous->painted->len, error);
}

static uint8_t *
read_mask (FsModelCut *cut)
{
  const FsGrid *grid = fs_energy_get_grid (cut->energy);
  uint8_t *mask = g_try_malloc (fs_grid_n_pixels (grid));
  if (mask && cut->is_refined)
    memcpy (mask, cut->refined_mask, fs_grid_n_pixels (grid));
  else if (mask)
    fs_solver_read_mask (cut->solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
  return mask;
}

GBytes *
fs_model_cut_pack_mask (FsModelCut *cut)
{
  g_autofree uint8_t *mask = read_mask (cut);
  return mask ? fs_mask_runs_pack (mask, count_cut_pixels (cut)) : NULL;
}

/* --- fits ------------------------------------------------------------------------------------ */

static gboolean
take_guess (FsModelCut *cut, GError **error)
{
  if (cut->guess == cut->fitted_guess)
    return TRUE;
  replace_guess (&cut->fitted_guess, NULL);
  if (!fs_energy_set_guess (cut->energy, cut->guess, error))
    return FALSE;
  replace_guess (&cut->fitted_guess, cut->guess);
  return TRUE;
}

gboolean
fs_model_cut_fit (FsModelCut *cut, const FsSeedMap *seeds, GError **error)
{
  return fs_model_cut_fit_after (cut, seeds, NULL, error);
}

gboolean
fs_model_cut_fit_after (FsModelCut *cut, const FsSeedMap *seeds, const FsPreviousMask *previous,
                        GError **error)
{
  if (cut->preview)
    fs_preview_change_all (cut->preview);
  cut->is_refined = FALSE;
  cut->seeds = seeds;
  gint64 start = g_get_monotonic_time ();
  if (!take_guess (cut, error))
    return FALSE;
  fs_energy_fit (cut->energy, seeds);
  if (!set_mask_prior (cut, previous, error))
    return FALSE;
  gint64 fitted = g_get_monotonic_time ();
  fs_energy_fill_grid (cut->energy, seeds);
  cut->is_star_stale = FALSE;
  fs_cut_links_note_all (&cut->links);
  cut->cut_us = 0;
  cut->model_us = fitted - start;
  cut->energy_us = cut->nlinks_us + g_get_monotonic_time () - fitted;
  return TRUE;
}

static void
apply_star (FsModelCut *cut)
{
  FsGrid *grid = fs_energy_get_grid (cut->energy);
  for (guint i = 0; i < cut->star_changes->len; i++) {
    FsStarChange change = g_array_index (cut->star_changes, FsStarChange, i);
    grid->star[change.pixel] = change.star;
  }
}

static void
apply_changes (FsModelCut *cut)
{
  FsGrid *grid = fs_energy_get_grid (cut->energy);
  for (guint i = 0; i < cut->changes->len; i++) {
    FsTlinkChange change = g_array_index (cut->changes, FsTlinkChange, i);
    grid->tlink[change.pixel] = change.tlink;
  }
  apply_star (cut);
  fs_cut_links_note (&cut->links, cut->changes, cut->star_changes);
}

static const uint32_t *
list_changed (FsModelCut *cut)
{
  g_array_set_size (cut->pixels, cut->changes->len);
  uint32_t *pixels = (uint32_t *)(gpointer)cut->pixels->data;
  for (guint i = 0; i < cut->changes->len; i++)
    pixels[i] = g_array_index (cut->changes, FsTlinkChange, i).pixel;
  return pixels;
}

static const uint32_t *
list_star_changed (FsModelCut *cut)
{
  g_array_set_size (cut->pixels, cut->star_changes->len);
  uint32_t *pixels = (uint32_t *)(gpointer)cut->pixels->data;
  for (guint i = 0; i < cut->star_changes->len; i++)
    pixels[i] = g_array_index (cut->star_changes, FsStarChange, i).pixel;
  return pixels;
}

/* Parents of a star may change all over the photo; then one pass is quicker than a list. */
static void
update_preview (FsModelCut *cut)
{
  guint n_tlinks = cut->changes->len, n_star = cut->star_changes->len;
  if (n_tlinks + n_star > count_cut_pixels (cut) / CHANGES_A_PASS) {
    fs_preview_change_all (cut->preview);
    return;
  }
  fs_preview_change (cut->preview, list_changed (cut), n_tlinks);
  if (n_star > 0)
    fs_preview_change_star (cut->preview, list_star_changed (cut), n_star);
}

void
fs_model_cut_set_seeds (FsModelCut *cut, const FsSeedMap *seeds)
{
  cut->seeds = seeds;
}

/* A device computes the t-links of a stroke itself, if no preview on the host reads them. */
static gboolean
list_fixed (FsModelCut *cut, const FsPixelList *pixels, const FsSeedMap *seeds)
{
  return !cut->preview && fs_energy_lacks_tlinks (cut->energy)
         && fs_cut_links_take_spans (&cut->links, cut->solver)
         && fs_energy_list_fixed (seeds, (const uint32_t *)(gpointer)pixels->data, pixels->len,
                                  cut->fixed);
}

gboolean
fs_model_cut_change (FsModelCut *cut, const FsPixelList *pixels, const FsSeedMap *seeds)
{
  gboolean is_fixed = list_fixed (cut, pixels, seeds);
  cut->seeds = seeds;
  if (cut->locality == FS_LOCALITY_PENDING)
    cut->locality = FS_LOCALITY_NONE;
  cut->is_refined = FALSE;
  cut->is_star_stale =
      !fs_energy_extend_some (cut->energy, seeds, (const uint32_t *)(gpointer)pixels->data,
                              pixels->len, STAR_PIXELS, is_fixed ? NULL : cut->changes,
                              cut->star_changes);
  if (is_fixed) {
    apply_star (cut);
    fs_cut_links_note_fixed (&cut->links, cut->fixed, cut->star_changes);
    return !cut->is_star_stale;
  }
  apply_changes (cut);
  if (cut->preview)
    update_preview (cut);
  return !cut->is_star_stale;
}

/* --- solves ---------------------------------------------------------------------------------- */

/* Clamps the pixels that the locality filter rejects. The next solve has little to do. */
static gboolean
filter_changes (FsModelCut *cut, GError **error)
{
  g_autofree uint8_t *mask = read_mask (cut);
  if (!mask)
    return refuse_memory (cut, error);
  g_array_set_size (cut->star_changes, 0);
  if (!fs_energy_filter_changes (cut->energy, mask, cut->changes, error))
    return FALSE;
  apply_changes (cut);
  if (cut->preview)
    update_preview (cut);
  cut->locality = FS_LOCALITY_APPLIED;
  return TRUE;
}

/* The transfer to the solver cannot be cancelled, so it is not begun after a cancellation. */
static gboolean
solve_once (FsModelCut *cut, const FsProgress *progress, GError **error)
{
  if (fs_progress_is_cancelled (progress)) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED,
                         "the cut was cancelled");
    return FALSE;
  }
  return fs_model_cut_update_solver (cut, error)
         && fs_solver_solve (cut->solver, progress, &cut->solution, error);
}

gboolean
fs_model_cut_solve (FsModelCut *cut, const FsProgress *progress, GError **error)
{
  g_return_val_if_fail (!cut->is_star_stale, FALSE);
  gint64 start = g_get_monotonic_time ();
  gboolean is_cold = !cut->solver;
  if (!solve_once (cut, progress, error))
    return FALSE;
  if (is_cold)
    fs_backend_choice_note (FS_WORK_LIVE, cut->backend, count_cut_pixels (cut),
                            g_get_monotonic_time () - start);
  if (cut->locality == FS_LOCALITY_PENDING
      && (!filter_changes (cut, error) || !solve_once (cut, progress, error)))
    return FALSE;
  cut->solve_us = g_get_monotonic_time () - start;
  if (cut->cut_us == 0) /* the first since the last fit */
    cut->first_us = cut->solve_us;
  cut->cut_us += cut->solve_us;
  return TRUE;
}

gboolean
fs_model_cut_wants_refinement (FsModelCut *cut)
{
  return !cut->is_refined && fs_energy_wants_refinement (cut->energy);
}

gboolean
fs_model_cut_refine (FsModelCut *cut, const FsSeedMap *seeds, const FsProgress *progress,
                     GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autofree uint8_t *mask = read_mask (cut);
  if (!mask)
    return refuse_memory (cut, error);
  g_auto (FsRefineCut) refined = { 0 };
  if (!fs_refine_cut_run (&refined, cut->energy, seeds, cut->backend, mask, progress, error))
    return FALSE;
  if (refined.solver)
    cut->solution = refined.solution;
  g_free (cut->refined_mask);
  cut->refined_mask = g_steal_pointer (&mask);
  cut->is_refined = TRUE;
  cut->solve_us = g_get_monotonic_time () - start;
  cut->cut_us += cut->solve_us;
  return TRUE;
}

/* Below half a megapixel even hard photos are cut in a few frames. A device has mostly finished
 * before a preview would be worth it. */
gboolean
fs_model_cut_wants_preview (FsModelCut *cut)
{
  return count_cut_pixels (cut) >= 500000
         && (!is_on_device (cut) || cut->first_us > PREVIEW_WORTH_US);
}

/* The finest levels of photos with more than PREVIEW_PIXELS are left in blocks: on a screen these
 * are too small, or shown too briefly, to matter. */
static int
unrefined_levels (const FsGrid *grid)
{
  int n = 0;
  while (fs_grid_n_pixels (grid) >> (2 * n) > PREVIEW_PIXELS)
    n++;
  return n;
}

static FsPreviewOptions
preview_options (FsModelCut *cut)
{
  FsPreviewOptions options = FS_PREVIEW_DEFAULT;
  options.soft_tlink = fs_energy_get_soft_tlink (cut->energy);
  options.n_unrefined = unrefined_levels (fs_energy_get_grid (cut->energy));
  return options;
}

static gboolean
make_preview (FsModelCut *cut, const FsProgress *progress, GError **error)
{
  if (cut->preview)
    return TRUE;
  FsPreviewOptions options = preview_options (cut);
  cut->preview = fs_preview_new (fs_energy_get_grid (cut->energy), &options, progress, error);
  return cut->preview != NULL;
}

/* A device computes a preview from the links that its solver has taken over. */
static gboolean
preview_on_device (FsModelCut *cut, const FsProgress *progress, uint8_t *mask, gboolean *done,
                   GError **error)
{
  *done = FALSE;
  if (!is_on_device (cut))
    return TRUE;
  FsPreviewOptions options = preview_options (cut);
  return fs_model_cut_update_solver (cut, error)
         && fs_solver_preview (cut->solver, &options, progress, mask, NULL, done, error);
}

static gboolean
preview_on_cpu (FsModelCut *cut, const FsProgress *progress, gint64 deadline_us, uint8_t *mask,
                gboolean *hasty, GError **error)
{
  if (!need_planes (cut, error) || !make_preview (cut, progress, error))
    return FALSE;
  fs_preview_set_deadline (cut->preview, deadline_us);
  gboolean done = fs_preview_solve (cut->preview, progress, mask, NULL, error);
  *hasty = fs_preview_is_hasty (cut->preview);
  return done;
}

static gboolean
restore_rejected (FsModelCut *cut, uint8_t *mask)
{
  if (cut->locality == FS_LOCALITY_PENDING)
    fs_energy_restore (cut->energy, mask);
  return TRUE;
}

gboolean
fs_model_cut_preview (FsModelCut *cut, const FsProgress *progress, gint64 deadline_us,
                      uint8_t *mask, gboolean *hasty, GError **error)
{
  gboolean done;
  *hasty = FALSE;
  return preview_on_device (cut, progress, mask, &done, error)
         && (done || preview_on_cpu (cut, progress, deadline_us, mask, hasty, error))
         && restore_rejected (cut, mask);
}

/* An error is dropped here: the next solve fails with it again. */
static gpointer
update_solver_thread (gpointer data)
{
  fs_model_cut_update_solver (data, NULL);
  return NULL;
}

/* The two threads only read the fitted links, as the solver has its own grid. The preview must not
 * touch cut->solver. */
gboolean
fs_model_cut_preview_before_solve (FsModelCut *cut, const FsProgress *progress, uint8_t *mask,
                                   GError **error)
{
  GThread *thread = NULL;
  gboolean hasty;
  if (!cut->backend->create_built && fs_energy_get_threads () > 1)
    thread = g_thread_try_new ("fretsaw-links", update_solver_thread, cut, NULL);
  if (!thread)
    return fs_model_cut_preview (cut, progress, 0, mask, &hasty, error);
  gboolean done =
      preview_on_cpu (cut, progress, 0, mask, &hasty, error) && restore_rejected (cut, mask);
  g_thread_join (thread);
  return done;
}
