/* SPDX-License-Identifier: MIT */
#include "cut/photo_cut.h"

#include "energy/energy_extras.h"
#include "energy/implicit_links.h"
#include "solver/backend.h"
#include "solver/implicit_links.h"
#include "solver/system/checked_memory.h"

#include <string.h>

static size_t
count_pixels (const FsPhotoCut *cut)
{
  return (size_t)cut->image->width * (size_t)cut->image->height;
}

static gboolean
refuse_memory (const FsPhotoCut *cut, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for the t-links of %zu pixels", count_pixels (cut));
  return FALSE;
}

/* Link tables cannot express t-links of the caller's. */
static gboolean
makes_links (const FsPhotoCut *cut)
{
  return cut->backend->create_built && !cut->has_own_tlinks && !cut->is_live;
}

/* With implicit links, a cut whose certificate is not checked reads those of few tiles. */
static gboolean
reads_links (const FsPhotoCut *cut)
{
  return cut->backend->reads_links && !cut->has_own_tlinks && !cut->has_preview && !cut->is_verified
         && !cut->is_live;
}

static gint64
lap (gint64 *mark_us)
{
  gint64 now_us = g_get_monotonic_time (), passed_us = now_us - *mark_us;
  *mark_us = now_us;
  return passed_us;
}

gboolean
fs_photo_cut_prepare (FsPhotoCut *cut, GError **error)
{
  gint64 mark = g_get_monotonic_time ();
  gboolean reads = reads_links (cut);
  cut->energy = reads || makes_links (cut)
                    ? fs_energy_new_implicit (cut->image, cut->settings, cut->progress, error)
                    : fs_energy_new (cut->image, cut->settings, cut->progress, error);
  if (!cut->energy || !fs_energy_set_guess (cut->energy, cut->guess, error))
    return FALSE;
  cut->links_us = lap (&mark);
  if (!cut->has_own_tlinks)
    fs_energy_fit (cut->energy, cut->seeds);
  cut->model_us = lap (&mark);
  fs_energy_fill_grid (cut->energy, cut->seeds);
  if (reads)
    fs_energy_fill_tlinks (cut->energy, cut->seeds, fs_energy_get_grid (cut->energy)->tlink);
  cut->tlinks_us = lap (&mark);
  return TRUE;
}

/* The solver's grid is the energy's own. */
static gboolean
fill_planes (FsGrid *grid, gpointer data, GError **error)
{
  FsPhotoCut *cut = data;
  return fs_energy_need_planes (cut->energy, cut->seeds, error);
}

gboolean
fs_photo_cut_make_solver (FsPhotoCut *cut, GError **error)
{
  FsGrid *grid = fs_energy_get_grid (cut->energy);
  if (!makes_links (cut)) {
    cut->solver = fs_solver_new (cut->backend, grid, error);
    return cut->solver != NULL;
  }
  FsLinkSource source;
  fs_energy_fill_link_source (cut->energy, cut->seeds, &source);
  cut->solver =
      fs_solver_new_built (cut->backend, grid, &source, (FsPlaneOwner){ fill_planes, cut }, error);
  return cut->solver != NULL;
}

static gboolean
solve_and_read (FsPhotoCut *cut, GError **error)
{
  if (!fs_solver_solve (cut->solver, cut->progress, &cut->solution, error))
    return FALSE;
  fs_solver_read_mask (cut->solver, 0, 0, cut->image->width, cut->image->height, cut->mask,
                       (size_t)cut->image->width);
  return TRUE;
}

gboolean
fs_photo_cut_solve (FsPhotoCut *cut, GError **error)
{
  return (cut->solver || fs_photo_cut_make_solver (cut, error)) && solve_and_read (cut, error);
}

/* T-links of new models. */
static gboolean
replace_tlinks (FsPhotoCut *cut, GError **error)
{
  if (!fs_solver_builds (cut->solver)) {
    g_autofree int32_t *tlinks = g_try_new (int32_t, count_pixels (cut));
    if (!tlinks)
      return refuse_memory (cut, error);
    fs_energy_fill_tlinks (cut->energy, cut->seeds, tlinks);
    return fs_solver_replace_tlinks (cut->solver, tlinks, error);
  }
  FsLinkSource source;
  fs_energy_fill_grid (cut->energy, cut->seeds);
  fs_energy_fill_link_source (cut->energy, cut->seeds, &source);
  return fs_solver_rebuild_tlinks (cut->solver, &source, error);
}

gboolean
fs_photo_cut_iterate (FsPhotoCut *cut, gboolean *changed, GError **error)
{
  size_t n = count_pixels (cut);
  g_autofree uint8_t *previous = g_try_malloc (n);
  if (!previous)
    return refuse_memory (cut, error);
  memcpy (previous, cut->mask, n);
  fs_energy_fit_mask (cut->energy, cut->mask);
  if (!replace_tlinks (cut, error) || !solve_and_read (cut, error))
    return FALSE;
  *changed = memcmp (previous, cut->mask, n) != 0;
  return TRUE;
}

gboolean
fs_photo_cut_refine (FsPhotoCut *cut, GError **error)
{
  if (!fs_energy_wants_refinement (cut->energy))
    return TRUE;
  if (!cut->is_verified && !cut->is_live) /* a mask without a border is verified by the first cut */
    g_clear_pointer (&cut->solver, fs_solver_free);
  fs_refine_cut_clear (&cut->refined);
  if (!fs_refine_cut_run (&cut->refined, cut->energy, cut->seeds, cut->backend, cut->mask,
                          cut->progress, error))
    return FALSE;
  cut->n_refinements = cut->refined.n_rounds;
  if (cut->refined.solver)
    cut->solution = cut->refined.solution;
  return TRUE;
}

/* --- live --- */

static gboolean
replace_star (FsPhotoCut *cut, GError **error)
{
  if (!fs_energy_has_star (cut->energy))
    return TRUE;
  g_autofree uint8_t *star = g_try_malloc (count_pixels (cut));
  if (!star)
    return refuse_memory (cut, error);
  fs_energy_fill_star (cut->energy, cut->seeds, star);
  return fs_solver_replace_star (cut->solver, star, error);
}

gboolean
fs_photo_cut_refit (FsPhotoCut *cut, GError **error)
{
  fs_refine_cut_clear (&cut->refined);
  if (!fs_energy_set_guess (cut->energy, cut->guess, error))
    return FALSE;
  fs_energy_fit (cut->energy, cut->seeds);
  if (cut->solver)
    return replace_tlinks (cut, error) && replace_star (cut, error);
  fs_energy_fill_grid (cut->energy, cut->seeds);
  return TRUE;
}

/* Without a solver the planes are the grid's alone. */
static void
write_links (FsGrid *grid, const GArray *tlinks, const GArray *star)
{
  for (guint i = 0; i < tlinks->len; i++) {
    FsTlinkChange change = g_array_index (tlinks, FsTlinkChange, i);
    grid->tlink[change.pixel] = change.tlink;
  }
  for (guint i = 0; i < star->len; i++) {
    FsStarChange change = g_array_index (star, FsStarChange, i);
    grid->star[change.pixel] = change.star;
  }
}

gboolean
fs_photo_cut_extend (FsPhotoCut *cut, const uint32_t *pixels, size_t n, GError **error)
{
  g_autoptr (GArray) tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  g_autoptr (GArray) star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  fs_refine_cut_clear (&cut->refined);
  fs_energy_extend (cut->energy, cut->seeds, pixels, n, tlinks, star);
  if (!cut->solver) {
    write_links (fs_energy_get_grid (cut->energy), tlinks, star);
    return TRUE;
  }
  return fs_solver_change_tlinks (cut->solver, (const FsTlinkChange *)(gpointer)tlinks->data,
                                  tlinks->len, error)
         && (star->len == 0
             || fs_solver_change_star (cut->solver, (const FsStarChange *)(gpointer)star->data,
                                       star->len, error));
}

gboolean
fs_photo_cut_certify (const FsPhotoCut *cut, FsCertificate *certificate, GError **error)
{
  return cut->refined.solver ? fs_refine_cut_certify (&cut->refined, cut->mask, certificate, error)
                             : fs_solver_certify (cut->solver, certificate, error);
}

const FsBackend *
fs_photo_cut_get_backend (const FsPhotoCut *cut)
{
  FsSolver *solver = cut->refined.solver ? cut->refined.solver : cut->solver;
  return solver ? fs_solver_get_backend (solver) : cut->backend;
}

void
fs_photo_cut_clear (FsPhotoCut *cut)
{
  fs_refine_cut_clear (&cut->refined);
  g_clear_pointer (&cut->solver, fs_solver_free);
  g_clear_pointer (&cut->energy, fs_energy_free);
}

uint8_t
fs_photo_cut_get_number (const FsSeedMap *seeds)
{
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++)
    if (seeds->n_seeds[number] > 0)
      return (uint8_t)number;
  return FS_SEED_OBJECT;
}
