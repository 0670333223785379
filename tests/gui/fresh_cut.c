/* SPDX-License-Identifier: MIT */
#include "tests/gui/fresh_cut.h"

#include "cut/refine_cut.h"

#include <math.h>

static void
cut (FsEnergy *energy, uint8_t *mask)
{
  FsGrid *grid = fs_energy_get_grid (energy);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, &error);
  g_assert_no_error (error);
  FsSolution solution;
  fs_solver_solve (solver, NULL, &solution, &error);
  g_assert_no_error (error);
  g_assert_true (solution.exact);
  FsCertificate certificate;
  fs_solver_certify (solver, &certificate, &error);
  g_assert_no_error (error);
  g_assert_true (certificate.holds);
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
}

static void
filter_changes (FsEnergy *energy, const uint8_t *mask)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  g_assert_true (fs_energy_filter_changes (energy, mask, changes, NULL));
  for (guint i = 0; i < changes->len; i++) {
    FsTlinkChange change = g_array_index (changes, FsTlinkChange, i);
    fs_energy_get_grid (energy)->tlink[change.pixel] = change.tlink;
  }
}

static void
refine_border (FsEnergy *energy, const FsSeedMap *seeds, uint8_t *mask)
{
  g_auto (FsRefineCut) second = { 0 };
  g_autoptr (GError) error = NULL;
  fs_refine_cut_run (&second, energy, seeds, &fs_backend_cpu, mask, NULL, &error);
  g_assert_no_error (error);
  if (!second.solver)
    return;
  g_assert_true (second.solution.exact);
  FsCertificate certificate;
  fs_refine_cut_certify (&second, mask, &certificate, &error);
  g_assert_no_error (error);
  g_assert_true (certificate.holds);
}

/* Whether an outline turns around the middle of a pixel. */
static gboolean
is_inside (const GArray *outline, int x, int y)
{
  double cx = x + 0.5, cy = y + 0.5, turned = 0;
  for (guint i = 0; i < outline->len; i++) {
    const FsSample *a = &g_array_index (outline, FsSample, i);
    const FsSample *b = &g_array_index (outline, FsSample, (i + 1) % outline->len);
    double ax = a->x - cx, ay = a->y - cy, bx = b->x - cx, by = b->y - cy;
    turned += atan2 (ax * by - ay * bx, ax * bx + ay * by);
  }
  return fabs (turned) > 1;
}

static void
paint_outside (FsSeedMap *seeds, const FsStroke *outline)
{
  for (int y = 0; y < seeds->height; y++)
    for (int x = 0; x < seeds->width; x++)
      if (!is_inside (outline->samples, x, y))
        fs_seed_map_set_run (seeds, y, x, x + 1, FS_SEED_BACKGROUND);
}

static guint
count_outlined (const GPtrArray *strokes, guint n)
{
  while (n > 0 && ((const FsStroke *)strokes->pdata[n - 1])->shape != FS_STROKE_OUTLINE)
    n--;
  return n;
}

/* Strokes [first, last), with their labels or with one instead. */
static void
paint (FsSeedMap *seeds, const GPtrArray *strokes, guint first, guint last, int label)
{
  for (guint i = first; i < last; i++) {
    const FsStroke *stroke = strokes->pdata[i];
    if (stroke->shape == FS_STROKE_OUTLINE) {
      if (i + 1 == count_outlined (strokes, last))
        paint_outside (seeds, stroke);
      continue;
    }
    for (guint k = 0; k < stroke->samples->len; k++) {
      FsCapsule capsule = fs_stroke_capsule (stroke, k);
      fs_seed_map_paint (seeds, &capsule, label < 0 ? stroke->label : (uint8_t)label, NULL, NULL);
    }
  }
}

/* Of the newest, set or dismissed. */
static FsGuess *
find_guess (const GPtrArray *strokes, guint n)
{
  while (n > 0 && ((const FsStroke *)strokes->pdata[n - 1])->shape != FS_STROKE_GUESS)
    n--;
  return n > 0 ? ((const FsStroke *)strokes->pdata[n - 1])->guess : NULL;
}

static GArray *
painted_since (FsImage *image, const GPtrArray *strokes, guint after, guint n)
{
  g_autoptr (FsSeedMap) touched = fs_seed_map_new (image->width, image->height);
  paint (touched, strokes, after, n, FS_SEED_OBJECT);
  GArray *pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (uint32_t i = 0; i < (uint32_t)image->width * (uint32_t)image->height; i++)
    if (touched->label[i] != FS_SEED_NONE)
      g_array_append_val (pixels, i);
  return pixels;
}

static void
keep (FsEnergy *energy, FsImage *image, const FsSettings *settings, const GPtrArray *strokes,
      guint n)
{
  guint after = ((const FsStroke *)strokes->pdata[n - 1])->after;
  if (after == 0)
    return;
  g_autofree uint8_t *previous = fresh_cut (image, settings, strokes, after);
  g_autoptr (GArray) painted = painted_since (image, strokes, after, n);
  g_assert_true (fs_energy_set_mask_prior (energy, previous,
                                           (const uint32_t *)(gpointer)painted->data, painted->len,
                                           NULL));
}

uint8_t *
fresh_cut (FsImage *image, const FsSettings *settings, const GPtrArray *strokes, guint n)
{
  g_autoptr (GError) error = NULL;
  uint8_t *mask = g_malloc0 ((gsize)image->width * (gsize)image->height);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (image->width, image->height);
  paint (seeds, strokes, 0, n, -1);
  FsGuess *guess = find_guess (strokes, n);
  if (!guess && seeds->n_seeds[FS_SEED_NONE] == (int64_t)image->width * image->height)
    return mask;
  FsSettings refined = *settings;
  refined.star = settings->star && count_outlined (strokes, n) == 0;
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &refined, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (fs_energy_set_guess (energy, guess, NULL));
  fs_energy_fit (energy, seeds);
  keep (energy, image, settings, strokes, n);
  fs_energy_fill_grid (energy, seeds);
  cut (energy, mask);
  if (((const FsStroke *)strokes->pdata[n - 1])->after > 0) {
    filter_changes (energy, mask);
    cut (energy, mask);
  }
  if (fs_energy_wants_refinement (energy))
    refine_border (energy, seeds, mask);
  return mask;
}
