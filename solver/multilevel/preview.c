/* SPDX-License-Identifier: MIT */
#include "solver/multilevel/preview.h"

#include "solver/backend.h"
#include "solver/multilevel/band.h"
#include "solver/multilevel/band_cut.h"
#include "solver/system/checked_memory.h"

#include <string.h>

struct _FsPreview {
  const FsGrid *grid;
  int band_px;
  int n_unrefined;
  gint64 deadline_us;
  gint64 refine_us[FS_LEVELS_MAX]; /* what the band of each level took; less with each time that it
                                      was left out for that, so that it is tried again */
  gboolean is_hasty;
  FsLevels levels;
  gboolean is_stale; /* the pyramid's t-links must be made anew */
  FsGrid coarsest;   /* the last level's n-links, and t-links and star of its own: its solver's */
  FsSolver *solver;
  FsBand band;
  FsBandCut cut;
};

/* Shares of the time, roughly, for a progress bar. */
#define SHARE_LEVELS   0.1
#define SHARE_COARSEST 0.4

/* --- life --- */

int
fs_preview_count_levels (const FsGrid *grid, const FsPreviewOptions *options)
{
  int side = MAX (grid->width, grid->height);
  int n = 0;
  for (; n < options->n_levels && side > options->band_px && side > 1; n++)
    side = fs_half (side);
  return n;
}

static gboolean
make_coarsest (FsPreview *preview)
{
  preview->coarsest = *fs_levels_grid (&preview->levels, preview->levels.n_levels);
  size_t n = fs_grid_n_pixels (&preview->coarsest);
  gboolean has_star = preview->coarsest.star != NULL;
  preview->coarsest.tlink = fs_memory_new (n, sizeof *preview->coarsest.tlink);
  preview->coarsest.star = has_star ? fs_memory_new (n, 1) : NULL;
  return preview->coarsest.tlink != NULL && (preview->coarsest.star != NULL) == has_star;
}

FsPreview *
fs_preview_new (const FsGrid *grid, const FsPreviewOptions *options, const FsProgress *progress,
                GError **error)
{
  g_return_val_if_fail (grid != NULL && options != NULL, NULL);
  g_return_val_if_fail (options->n_levels >= 0 && options->n_levels <= FS_LEVELS_MAX, NULL);
  g_return_val_if_fail (options->band_px >= 0, NULL);
  g_return_val_if_fail (options->n_unrefined >= 0, NULL);
  if (!fs_grid_validate_shape (grid, error))
    return NULL;
  g_autoptr (FsPreview) preview = g_new0 (FsPreview, 1);
  preview->grid = grid;
  preview->band_px = options->band_px;
  preview->n_unrefined = options->n_unrefined;
  preview->is_stale = TRUE;
  fs_band_init (&preview->band);
  fs_band_cut_init (&preview->cut);
  if (!fs_levels_init (&preview->levels, grid, fs_preview_count_levels (grid, options),
                       options->soft_tlink, progress, error))
    return NULL;
  if (!make_coarsest (preview)) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for a preview of %d × %d pixels", grid->width, grid->height);
    return NULL;
  }
  return g_steal_pointer (&preview);
}

void
fs_preview_free (FsPreview *preview)
{
  if (preview == NULL)
    return;
  fs_solver_free (preview->solver);
  fs_memory_free (preview->coarsest.tlink);
  fs_memory_free (preview->coarsest.star);
  fs_levels_clear (&preview->levels);
  fs_band_clear (&preview->band);
  fs_band_cut_clear (&preview->cut);
  g_free (preview);
}

size_t
fs_preview_size_bytes (const FsPreview *preview)
{
  return sizeof *preview + preview->levels.n_bytes
         + fs_grid_n_pixels (&preview->coarsest)
               * (sizeof *preview->coarsest.tlink + (preview->coarsest.star != NULL))
         + (preview->solver != NULL ? fs_solver_size_bytes (preview->solver) : 0)
         + fs_band_size_bytes (&preview->band) + fs_band_cut_size_bytes (&preview->cut);
}

void
fs_preview_change (FsPreview *preview, const uint32_t *pixels, size_t n)
{
  g_return_if_fail (preview != NULL && (pixels != NULL || n == 0));
  if (!preview->is_stale)
    fs_levels_change (&preview->levels, pixels, n);
}

void
fs_preview_change_star (FsPreview *preview, const uint32_t *pixels, size_t n)
{
  g_return_if_fail (preview != NULL && (pixels != NULL || n == 0));
  if (!preview->is_stale)
    fs_levels_change_star (&preview->levels, pixels, n);
}

void
fs_preview_change_all (FsPreview *preview)
{
  g_return_if_fail (preview != NULL);
  preview->is_stale = TRUE;
}

void
fs_preview_set_deadline (FsPreview *preview, gint64 deadline_us)
{
  g_return_if_fail (preview != NULL);
  preview->deadline_us = deadline_us;
}

gboolean
fs_preview_is_hasty (const FsPreview *preview)
{
  return preview->is_hasty;
}

/* --- solving --- */

static gboolean
fail_cancelled (GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the preview was cancelled");
  return FALSE;
}

static gboolean
fail_memory (GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory to solve the band of a preview");
  return FALSE;
}

static void
report (const FsProgress *progress, double fraction)
{
  if (progress != NULL && progress->report != NULL)
    progress->report (fraction, progress->user_data);
}

static void
report_coarsest (double fraction, gpointer user_data)
{
  report (user_data, SHARE_LEVELS + (SHARE_COARSEST - SHARE_LEVELS) * fraction);
}

static gboolean
update_levels (FsPreview *preview, const FsProgress *progress, GError **error)
{
  if (!preview->is_stale)
    return TRUE;
  if (!fs_levels_update (&preview->levels, progress))
    return fail_cancelled (error);
  preview->is_stale = FALSE;
  return TRUE;
}

/* The masks of all levels end where the caller's plane ends, each inside the next finer one. */
static uint8_t *
mask_of_level (FsPreview *preview, int k, uint8_t *mask)
{
  return mask + fs_grid_n_pixels (preview->grid)
         - fs_grid_n_pixels (fs_levels_grid (&preview->levels, k));
}

/* Brings the coarsest level's solver up to date. */
static gboolean
update_solver (FsPreview *preview, const FsGrid *grid, GError **error)
{
  if (preview->solver != NULL)
    return (grid->star == NULL || fs_solver_replace_star (preview->solver, grid->star, error))
           && fs_solver_replace_tlinks (preview->solver, grid->tlink, error);
  size_t n = fs_grid_n_pixels (grid);
  memcpy (preview->coarsest.tlink, grid->tlink, n * sizeof *grid->tlink);
  if (grid->star != NULL)
    memcpy (preview->coarsest.star, grid->star, n);
  preview->solver = fs_solver_new (&fs_backend_cpu, &preview->coarsest, error);
  return preview->solver != NULL;
}

/* Cuts the coarsest level. Its flow stays from call to call. */
static gboolean
solve_coarsest (FsPreview *preview, const FsProgress *progress, uint8_t *mask, GError **error)
{
  const FsGrid *grid = fs_levels_grid (&preview->levels, preview->levels.n_levels);
  if (!update_solver (preview, grid, error))
    return FALSE;
  FsProgress coarsest = { .cancel = progress != NULL ? progress->cancel : NULL,
                          .report = report_coarsest,
                          .user_data = (gpointer)progress };
  FsSolution solution;
  if (!fs_solver_solve (preview->solver, &coarsest, &solution, error))
    return FALSE;
  fs_solver_read_mask (preview->solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
  return TRUE;
}

/* Every coarse pixel becomes a block. The coarse mask is the end of the fine one: rows are read in
 * order, and the two that come of a row end before the next one to be read begins, because
 * (Y + 1)·(2W − W') ≤ W·H − W'·H' for all rows but the last. */
static void
expand_rows (uint8_t *mask, int width, int height, uint8_t *row)
{
  int coarse_width = fs_half (width);
  size_t n_coarse = (size_t)coarse_width * (size_t)fs_half (height);
  const uint8_t *from = mask + ((size_t)width * (size_t)height - n_coarse);
  for (int y = 0; y < height; y += 2, from += coarse_width) {
    uint8_t *restrict to = mask + (size_t)y * width;
    memcpy (row, from, coarse_width);
    for (int x = 0; x < width / 2; x++)
      to[2 * x] = to[2 * x + 1] = row[x];
    if (width % 2 == 1)
      to[width - 1] = row[width / 2];
    if (y + 1 < height)
      memcpy (to + width, to, width);
  }
}

static void
restore_block (const FsPreview *preview, int block_x, int block_y, uint8_t *mask)
{
  const FsGrid *grid = preview->grid;
  for (int y = 2 * block_y; y < MIN (2 * block_y + 2, grid->height); y++)
    for (int x = 2 * block_x; x < MIN (2 * block_x + 2, grid->width); x++) {
      size_t p = (size_t)y * grid->width + x;
      int32_t t = grid->tlink[p];
      if ((mask[p] ? t < 0 : t > 0) && fs_grid_is_sure (grid, x, y, t))
        mask[p] = !mask[p];
    }
}

/* Returns whether a block that has one label holds a pixel that is sure of the other. */
static inline gboolean
has_other (int bits, gboolean is_object)
{
  return bits
         & (is_object ? FS_BLOCK_BACKGROUND_SEED | FS_BLOCK_BACKGROUND_SURE
                      : FS_BLOCK_OBJECT_SEED | FS_BLOCK_OBJECT_SURE);
}

static void
restore_row (const FsPreview *preview, int y, uint8_t *mask)
{
  const FsLevel *level = &preview->levels.level[0];
  int n = level->grid.width;
  const uint8_t *bits = level->blocks + (size_t)y * (size_t)n;
  const uint8_t *row = mask + (size_t)2 * y * preview->grid->width;
  for (int x = 0; x < n; x++) {
    uint64_t eight = 1;
    if (x + 8 <= n)
      memcpy (&eight, bits + x, 8);
    if (eight == 0)
      x += 7;
    else if (has_other (bits[x], row[2 * x]))
      restore_block (preview, x, y, mask);
  }
}

/* Blocks know nothing of a seed, or another sure pixel, whose block has another label. Most hold
 * none. */
static void
restore_sure (const FsPreview *preview, uint8_t *mask)
{
  for (int y = 0; y < preview->levels.level[0].grid.height; y++)
    restore_row (preview, y, mask);
}

/* From the mask of level k + 1 to that of level k, block by block. */
static gboolean
fill_blocks (FsPreview *preview, int k, uint8_t *mask, GError **error)
{
  const FsGrid *grid = fs_levels_grid (&preview->levels, k);
  g_autofree uint8_t *row = g_try_malloc ((gsize)fs_half (grid->width));
  if (row == NULL)
    return fail_memory (error);
  expand_rows (mask, grid->width, grid->height, row);
  if (k == 0)
    restore_sure (preview, mask);
  return TRUE;
}

/* From the mask of level k + 1 to that of level k. */
static gboolean
refine_level (FsPreview *preview, int k, const FsProgress *progress, const uint8_t *coarse,
              uint8_t *mask, GError **error)
{
  const FsGrid *grid = fs_levels_grid (&preview->levels, k);
  if (!fs_band_project (&preview->band, grid->width, grid->height, coarse,
                        preview->levels.level[k].blocks, preview->band_px))
    return fail_memory (error);
  /* The band's rows of marks are done with. */
  expand_rows (mask, grid->width, grid->height, preview->band.scratch);
  FsSearchOutcome outcome = fs_band_cut_run (&preview->cut, grid, &preview->band, mask, progress);
  return outcome == FS_SEARCH_DONE || fs_search_outcome_fail (outcome, error);
}

static gboolean
has_time (FsPreview *preview, int k)
{
  if (preview->deadline_us == 0
      || g_get_monotonic_time () + preview->refine_us[k] <= preview->deadline_us)
    return TRUE;
  preview->refine_us[k] -= preview->refine_us[k] / 32;
  preview->is_hasty = TRUE;
  return FALSE;
}

/* From the mask of level k + 1 to that of level k, in either way. */
static gboolean
descend_to (FsPreview *preview, int k, const FsProgress *progress, uint8_t *mask, size_t *n_solved,
            GError **error)
{
  uint8_t *fine = mask_of_level (preview, k, mask);
  if (k < MIN (preview->n_unrefined, preview->levels.n_levels - 1) || !has_time (preview, k))
    return fill_blocks (preview, k, fine, error);
  gint64 start_us = g_get_monotonic_time ();
  if (!refine_level (preview, k, progress, mask_of_level (preview, k + 1, mask), fine, error))
    return FALSE;
  preview->refine_us[k] = g_get_monotonic_time () - start_us;
  *n_solved = preview->band.n_pixels;
  return TRUE;
}

/* --- the cost of the mask --- */

static int64_t
tlink_energy (const FsGrid *grid, const uint8_t *mask)
{
  int64_t sum = 0;
  for (int y = 0; y < grid->height; y++) {
    const int32_t *t = grid->tlink + (size_t)y * grid->width;
    const uint8_t *label = mask + (size_t)y * grid->width;
    for (int x = 0; x < grid->width; x++) {
      int32_t cost = label[x] ? -t[x] : t[x];
      sum += MAX (cost, 0);
    }
  }
  return sum;
}

enum { PIXELS_PER_PIECE = 64 };

/* The n-links between one row and the same or the next, moved sideways by dx. */
static int64_t
nlink_row_energy (const uint16_t *forth, const uint16_t *back, const uint8_t *from,
                  const uint8_t *to, int width, int dx)
{
  int64_t sum = 0;
  int last = width - MAX (dx, 0);
  for (int begin = MAX (-dx, 0); begin < last; begin += PIXELS_PER_PIECE) {
    int end = MIN (begin + PIXELS_PER_PIECE, last);
    /* Most links are not cut and need not be read. */
    if (memcmp (from + begin, to + begin + dx, (size_t)(end - begin)) == 0)
      continue;
    for (int x = begin; x < end; x++)
      sum += from[x] > to[x + dx] ? forth[x] : from[x] < to[x + dx] ? back[x] : 0;
  }
  return sum;
}

static int64_t
nlink_energy (const FsGrid *grid, const uint8_t *mask)
{
  int64_t sum = 0;
  size_t width = grid->width;
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    const uint16_t *back = grid->nlink_back[d] != NULL ? grid->nlink_back[d] : grid->nlink[d];
    int dy = fs_direction_dy (d);
    for (int y = 0; y + dy < grid->height; y++)
      sum += nlink_row_energy (grid->nlink[d] + y * width, back + y * width, mask + y * width,
                               mask + (size_t)(y + dy) * width, grid->width, fs_direction_dx (d));
  }
  return sum;
}

/* The cost of cut star links beyond that of the planes. */
static int64_t
star_energy (const FsGrid *grid, const uint8_t *mask)
{
  int64_t sum = 0;
  size_t n = grid->star != NULL ? fs_grid_n_pixels (grid) : 0;
  for (size_t p = 0; p < n; p++) {
    uint8_t d = grid->star[p];
    if (mask[p] && d != FS_STAR_NONE && !mask[(ptrdiff_t)p + fs_grid_step (grid, d)])
      sum += fs_grid_capacity (grid, p, d) - fs_grid_plane_capacity (grid, p, d);
  }
  return sum;
}

static void
fill_stats (FsPreview *preview, const uint8_t *mask, FsPreviewStats *stats)
{
  stats->n_levels = preview->levels.n_levels;
  for (int k = 0; k <= stats->n_levels; k++)
    stats->n_pixels[k] = fs_grid_n_pixels (fs_levels_grid (&preview->levels, k));
  stats->n_solved[stats->n_levels] = stats->n_pixels[stats->n_levels];
  stats->energy = tlink_energy (preview->grid, mask) + nlink_energy (preview->grid, mask)
                  + star_energy (preview->grid, mask);
  stats->size_bytes = fs_preview_size_bytes (preview);
}

gboolean
fs_preview_solve (FsPreview *preview, const FsProgress *progress, uint8_t *mask,
                  FsPreviewStats *stats, GError **error)
{
  g_return_val_if_fail (preview != NULL && mask != NULL, FALSE);
  FsPreviewStats ours = { 0 };
  int n = preview->levels.n_levels;
  preview->is_hasty = FALSE;
  if (!update_levels (preview, progress, error))
    return FALSE;
  report (progress, SHARE_LEVELS);
  if (!solve_coarsest (preview, progress, mask_of_level (preview, n, mask), error))
    return FALSE;
  for (int k = n - 1; k >= 0; k--) {
    if (!descend_to (preview, k, progress, mask, &ours.n_solved[k], error))
      return FALSE;
    report (progress, 1 - (1 - SHARE_COARSEST) * k / n);
  }
  if (stats != NULL) {
    fill_stats (preview, mask, &ours);
    *stats = ours;
  }
  report (progress, 1);
  return TRUE;
}

/* --- on a device --- */

gboolean
fs_solver_preview (FsSolver *solver, const FsPreviewOptions *options, const FsProgress *progress,
                   uint8_t *mask, FsPreviewStats *stats, gboolean *done, GError **error)
{
  g_return_val_if_fail (solver != NULL && options != NULL && mask != NULL && done != NULL, FALSE);
  g_return_val_if_fail (options->n_levels >= 0 && options->n_levels <= FS_LEVELS_MAX, FALSE);
  g_return_val_if_fail (options->band_px >= 0 && options->n_unrefined >= 0, FALSE);
  static const FsProgress silent;
  FsPreviewStats unwanted;
  *done = FALSE;
  if (solver->backend->preview == NULL)
    return TRUE;
  return solver->backend->preview (solver, options, progress != NULL ? progress : &silent, mask,
                                   stats != NULL ? stats : &unwanted, done, error);
}
