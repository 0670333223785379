/* SPDX-License-Identifier: MIT */
/* Mask prior and locality filter against their plain definitions. */
#include "energy/energy.h"
#include "energy/energy_internal.h"
#include "energy/geodesic/upsample.h"
#include "energy/terms/mask_prior.h"
#include "solver/certificate.h"
#include "tests/energy/geodesic/geodesic_cases.h"

#include <math.h>
#include <string.h>

enum { N_CASES = 40, SIDE_PX = 60, WIDE_PX = 200, STRENGTH = 192 };

typedef struct {
  FsCase base;
  size_t n_pixels;
  uint8_t *previous;
  GArray *painted;
  uint8_t *is_painted;
  FsMaskPrior *prior;
} PriorCase;

/* Some are long, over several of the words that a row's bits lie in. */
static void
random_blobs (GRand *rand, uint8_t *mask, int width, int height)
{
  for (int i = g_rand_int_range (rand, 1, 12); i > 0; i--) {
    int x0 = g_rand_int_range (rand, 0, width), y0 = g_rand_int_range (rand, 0, height);
    int side = g_rand_int_range (rand, 1, 9);
    int length = g_rand_int_range (rand, 0, 3) ? side : g_rand_int_range (rand, 1, WIDE_PX);
    uint8_t value = (uint8_t)g_rand_int_range (rand, 0, 2);
    for (int y = y0; y < MIN (y0 + side, height); y++)
      for (int x = x0; x < MIN (x0 + length, width); x++)
        mask[y * width + x] = value;
  }
}

static void
prior_case_init (PriorCase *prior_case, GRand *rand, int side_px)
{
  fs_case_init (&prior_case->base, rand, side_px, 2);
  const FsImage *image = prior_case->base.image;
  prior_case->n_pixels = (size_t)image->width * (size_t)image->height;
  prior_case->previous = g_malloc0 (prior_case->n_pixels);
  prior_case->is_painted = g_malloc0 (prior_case->n_pixels);
  prior_case->painted = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  random_blobs (rand, prior_case->previous, image->width, image->height);
  for (int i = g_rand_int_range (rand, 0, 12); i > 0; i--) {
    uint32_t pixel = (uint32_t)g_rand_int_range (rand, 0, (int)prior_case->n_pixels);
    g_array_append_val (prior_case->painted, pixel);
    prior_case->is_painted[pixel] = 1;
  }
  prior_case->prior = fs_mask_prior_new (prior_case->base.level, prior_case->previous,
                                         (const uint32_t *)prior_case->painted->data,
                                         prior_case->painted->len, STRENGTH);
}

static void
prior_case_clear (PriorCase *prior_case)
{
  fs_mask_prior_free (prior_case->prior);
  g_free (prior_case->previous);
  g_free (prior_case->is_painted);
  g_array_unref (prior_case->painted);
  fs_case_clear (&prior_case->base);
}

/* Distances by relaxing every edge until nothing changes. */
static int32_t *
plain_distances (const PriorCase *prior_case)
{
  const FsGeodesicLevel *level = prior_case->base.level;
  int32_t *d = g_new (int32_t, level->n_plane);
  for (size_t i = 0; i < level->n_plane; i++)
    d[i] = FS_GEODESIC_FAR;
  for (guint i = 0; i < prior_case->painted->len; i++)
    d[fs_geodesic_cell_of_pixel (level, g_array_index (prior_case->painted, uint32_t, i))] = 0;
  for (gboolean changed = TRUE; changed;) {
    changed = FALSE;
    for (int y = 0; y < level->height; y++)
      for (int x = 0; x < level->width; x++)
        for (int arc = 0; arc < FS_N_ARCS; arc++) {
          int qx = x + fs_arc_dx (arc), qy = y + fs_arc_dy (arc);
          if (qx < 0 || qx >= level->width || qy < 0 || qy >= level->height)
            continue;
          uint32_t p = fs_geodesic_cell (level, x, y), q = fs_geodesic_cell (level, qx, qy);
          int64_t through = (int64_t)d[q] + level->costs[FS_GEODESIC_MU_DISTANCES][p].to[arc];
          if (through < d[p]) {
            d[p] = (int32_t)through;
            changed = TRUE;
          }
        }
  }
  return d;
}

static void
test_prior_is_ramped_distance (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int i = 0; i < N_CASES; i++) {
    PriorCase prior_case;
    prior_case_init (&prior_case, rand, SIDE_PX);
    const FsGeodesicLevel *level = prior_case.base.level;
    g_autofree int32_t *plane = plain_distances (&prior_case);
    int64_t range = MAX (1, level->diagonal / 5);
    for (size_t c = 0; c < level->n_plane; c++)
      plane[c] = (int32_t)(16 * STRENGTH * MIN (plane[c], range) / range);
    int width = prior_case.base.image->width;
    g_autofree int32_t *row = g_new (int32_t, (gsize)width);
    for (uint32_t p = 0; p < prior_case.n_pixels; p++) {
      int x = (int)p % width;
      if (x == 0) {
        for (int k = 0; k < width; k++)
          row[k] = 1000 + k;
        fs_mask_prior_add_row (prior_case.prior, (int)p / width, row);
      }
      int32_t expected = (fs_geodesic_upsample (level, plane, p) + 8) >> 4;
      expected = prior_case.previous[p] ? expected : -(expected + expected / 4);
      g_assert_cmpint (fs_mask_prior_get (prior_case.prior, p), ==, expected);
      g_assert_cmpint (row[x], ==, 1000 + x + expected);
      g_assert_cmpint (fs_mask_prior_was_object (prior_case.prior, p), ==, prior_case.previous[p]);
      g_assert_false (fs_mask_prior_is_clamped (prior_case.prior, p));
    }
    prior_case_clear (&prior_case);
  }
}

/* --- how large an answer is --- */

/* 0 or 1 of a block of one side, 2 of a mixed one. */
static int
plain_side (const PriorCase *prior_case, int x, int y)
{
  const FsGeodesicLevel *level = prior_case->base.level;
  int w = level->photo_width, h = level->photo_height, side = 1 << level->shift, n = 0,
      n_object = 0;
  for (int py = y * side; py < MIN ((y + 1) * side, h); py++)
    for (int px = x * side; px < MIN ((x + 1) * side, w); px++) {
      n++;
      n_object += prior_case->previous[py * w + px];
    }
  return n_object == 0 ? 0 : n_object == n ? 1 : 2;
}

/* Cells, row by row: how far it is to the nearest that is not of that side alone. */
static double *
plain_depths (const PriorCase *prior_case, int *side)
{
  int w = prior_case->base.level->width, h = prior_case->base.level->height;
  double *depth = g_new0 (double, w *h);
  for (int i = 0; i < w * h; i++)
    side[i] = plain_side (prior_case, i % w, i / w);
  for (int i = 0; i < w * h; i++) {
    depth[i] = side[i] == 2 ? 0 : w + h;
    for (int j = 0; j < w * h; j++)
      if (side[j] != side[i] && side[i] != 2)
        depth[i] = MIN (depth[i], hypot (j % w - i % w, j / w - i / w));
  }
  return depth;
}

/* The depth of the deepest painted cell of the wrong side, or −1 where all seeds were right. */
static double
plain_correction (const PriorCase *prior_case, const int *side, const double *depth)
{
  const FsGeodesicLevel *level = prior_case->base.level;
  double max = -1;
  for (guint k = 0; k < prior_case->painted->len; k++) {
    uint32_t cell =
        fs_geodesic_cell_of_pixel (level, g_array_index (prior_case->painted, uint32_t, k));
    int i = fs_geodesic_cell_y (level, cell) * level->width + fs_geodesic_cell_x (level, cell);
    uint8_t bits = prior_case->base.sources->bits[cell];
    if ((side[i] == 0 && bits & FS_CELL_OBJECT) || (side[i] == 1 && bits & FS_CELL_BACKGROUND))
      max = fmax (max, depth[i]);
  }
  return max;
}

/* Returns whether anything was corrected. */
static gboolean
check_answer (const PriorCase *prior_case)
{
  enum { BOUND = 100 };
  const FsGeodesicLevel *level = prior_case->base.level;
  g_autofree int *side = g_new (int, level->width * level->height);
  g_autofree double *depth = plain_depths (prior_case, side);
  double corrected = plain_correction (prior_case, side, depth);
  double span = corrected + MAX (1, level->diagonal / 128) / 256.0;
  g_autofree int32_t *before = g_new (int32_t, prior_case->n_pixels);
  for (uint32_t p = 0; p < prior_case->n_pixels; p++)
    before[p] = fs_mask_prior_get (prior_case->prior, p);
  g_assert_true (fs_mask_prior_bound_answer (prior_case->prior, prior_case->previous,
                                             (const uint32_t *)prior_case->painted->data,
                                             prior_case->painted->len,
                                             prior_case->base.sources->bits, BOUND));
  for (uint32_t p = 0; p < prior_case->n_pixels && level->shift == 0; p++) {
    double deeper = corrected < 0 ? 0 : CLAMP ((depth[p] - corrected) / span, 0, 1);
    int32_t towards = prior_case->previous[p] ? 1 : -1, min = (int32_t)(BOUND * deeper);
    int32_t prior = MAX (towards * before[p], min + (towards < 0 ? min / 4 : 0));
    g_assert_cmpint (ABS (towards * fs_mask_prior_get (prior_case->prior, p) - prior), <=, 2);
  }
  for (uint32_t p = 0; p < prior_case->n_pixels && corrected < 0; p++)
    g_assert_cmpint (fs_mask_prior_get (prior_case->prior, p), ==, before[p]);
  return corrected > 0;
}

static void
test_depth_bounds_answer (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  int n_bounded = 0;
  for (int i = 0; i < N_CASES; i++) {
    PriorCase prior_case;
    prior_case_init (&prior_case, rand, SIDE_PX / 2);
    uint8_t label = i % 2 ? FS_SEED_OBJECT : FS_SEED_BACKGROUND;
    for (guint k = 0; k < prior_case.painted->len; k++) {
      int p = (int)g_array_index (prior_case.painted, uint32_t, k),
          w = prior_case.base.image->width;
      fs_seed_map_set_run (prior_case.base.seeds, p / w, p % w, p % w + 1, label);
    }
    fs_geodesic_sources_set (prior_case.base.sources, prior_case.base.seeds);
    n_bounded += check_answer (&prior_case);
    prior_case_clear (&prior_case);
  }
  g_assert_cmpint (n_bounded, >, N_CASES / 4);
}

/* --- the locality filter --- */

static gboolean
is_near (const PriorCase *prior_case, int x, int y)
{
  int w = prior_case->base.image->width, h = prior_case->base.image->height;
  for (int qy = MAX (y - 2, 0); qy <= MIN (y + 2, h - 1); qy++)
    for (int qx = MAX (x - 2, 0); qx <= MIN (x + 2, w - 1); qx++)
      if (prior_case->is_painted[qy * w + qx] && (qx - x) * (qx - x) + (qy - y) * (qy - y) <= 4)
        return TRUE;
  return FALSE;
}

static gboolean
touches (const uint8_t *set, int w, int h, int x, int y)
{
  for (int qy = MAX (y - 1, 0); qy <= MIN (y + 1, h - 1); qy++)
    for (int qx = MAX (x - 1, 0); qx <= MIN (x + 1, w - 1); qx++)
      if (set[qy * w + qx])
        return TRUE;
  return FALSE;
}

/* The cells that are the answer's as a whole, others being 0, by their distance to those. */
static double *
plain_radii (const PriorCase *prior_case, const uint8_t *answer)
{
  const FsGeodesicLevel *level = prior_case->base.level;
  int w = level->width, h = level->height, shift = level->shift;
  g_autofree uint8_t *is_whole = g_malloc ((gsize)(w * h));
  memset (is_whole, 1, (gsize)(w * h));
  for (int p = 0; p < (int)prior_case->n_pixels; p++)
    if (!answer[p])
      is_whole[(p / level->photo_width >> shift) * w + (p % level->photo_width >> shift)] = 0;
  double *radius = g_new0 (double, w *h);
  for (int i = 0; i < w * h; i++) {
    if (!is_whole[i])
      continue;
    radius[i] = MIN (MIN (i % w + 1, w - i % w), MIN (i / w + 1, h - i / w));
    for (int j = 0; j < w * h; j++)
      if (!is_whole[j])
        radius[i] = fmin (radius[i], hypot (j % w - i % w, j / w - i / w));
  }
  return radius;
}

/* Whether a cell of the list lies within `range` of cell i. */
static gboolean
any_within (const GArray *cells, int w, int i, double range)
{
  for (guint k = 0; k < cells->len; k++) {
    int j = g_array_index (cells, int, k);
    if (hypot (j % w - i % w, j / w - i / w) <= range)
      return TRUE;
  }
  return FALSE;
}

static int
plain_cell (const FsGeodesicLevel *level, int p)
{
  return (p / level->photo_width >> level->shift) * level->width
         + (p % level->photo_width >> level->shift);
}

/* Of the answer: what is in a disc wider than the stroke is deep, and not near the stroke. */
static uint8_t *
plain_wide (const PriorCase *prior_case, const uint8_t *answer)
{
  const FsGeodesicLevel *level = prior_case->base.level;
  int n_cells = level->width * level->height;
  uint8_t *wide = g_malloc0 (prior_case->n_pixels);
  g_autofree int *side = g_new (int, n_cells);
  g_autofree double *depth = plain_depths (prior_case, side),
                    *radius = plain_radii (prior_case, answer);
  g_autoptr (GArray) stroke = g_array_new (FALSE, FALSE, sizeof (int));
  g_autoptr (GArray) middles = g_array_new (FALSE, FALSE, sizeof (int));
  double max = fmax (1, plain_correction (prior_case, side, depth))
               + fmax (128, level->diagonal / 256) / 256.0;
  gboolean answers = FALSE;
  for (guint k = 0; k < prior_case->painted->len; k++) {
    int p = (int)g_array_index (prior_case->painted, uint32_t, k), cell = plain_cell (level, p);
    g_array_append_val (stroke, cell);
    answers |= answer[p];
  }
  for (int i = 0; i < n_cells && answers; i++)
    if (radius[i] > max)
      g_array_append_val (middles, i);
  for (int p = 0; p < (int)prior_case->n_pixels; p++)
    wide[p] = answer[p] && any_within (middles, level->width, plain_cell (level, p), max + 1.5)
              && !any_within (stroke, level->width, plain_cell (level, p), max);
  return wide;
}

/* Accepted: changed and near, or changed and beside what is accepted, and not too wide where that
 * is bounded. */
static uint8_t *
plain_rejected (const PriorCase *prior_case, gboolean is_bounded, const uint8_t *mask)
{
  int w = prior_case->base.image->width, h = prior_case->base.image->height;
  g_autofree uint8_t *accepted = g_malloc0 (prior_case->n_pixels);
  uint8_t *rejected = g_malloc0 (prior_case->n_pixels);
  for (gboolean grown = TRUE; grown;) {
    grown = FALSE;
    for (int p = 0; p < w * h; p++) {
      if (mask[p] == prior_case->previous[p] || accepted[p])
        continue;
      accepted[p] = is_near (prior_case, p % w, p / w) || touches (accepted, w, h, p % w, p / w);
      grown = grown || accepted[p];
    }
  }
  g_autofree uint8_t *wide = is_bounded ? plain_wide (prior_case, accepted) : NULL;
  for (int p = 0; p < w * h; p++)
    rejected[p] = mask[p] != prior_case->previous[p] && (!accepted[p] || (wide && wide[p]));
  return rejected;
}

static void
bound_answer (PriorCase *prior_case, uint8_t label)
{
  for (guint k = 0; k < prior_case->painted->len; k++) {
    int p = (int)g_array_index (prior_case->painted, uint32_t, k),
        w = prior_case->base.image->width;
    fs_seed_map_set_run (prior_case->base.seeds, p / w, p % w, p % w + 1, label);
  }
  fs_geodesic_sources_set (prior_case->base.sources, prior_case->base.seeds);
  g_assert_true (fs_mask_prior_bound_answer (prior_case->prior, prior_case->previous,
                                             (const uint32_t *)(gpointer)prior_case->painted->data,
                                             prior_case->painted->len,
                                             prior_case->base.sources->bits, 100));
}

static void
test_filter_is_by_components (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  size_t n_rejected = 0, n_accepted = 0;
  for (int i = 0; i < N_CASES; i++) {
    PriorCase prior_case;
    prior_case_init (&prior_case, rand, i % 2 ? SIDE_PX : WIDE_PX);
    gboolean is_bounded = i % 4 == 1;
    if (is_bounded)
      bound_answer (&prior_case, i % 8 == 1 ? FS_SEED_OBJECT : FS_SEED_BACKGROUND);
    for (int again = 0; again < 2; again++) {
      g_autofree uint8_t *mask = g_memdup2 (prior_case.previous, prior_case.n_pixels);
      random_blobs (rand, mask, prior_case.base.image->width, prior_case.base.image->height);
      g_autofree uint8_t *rejected = plain_rejected (&prior_case, is_bounded, mask);
      g_autofree uint8_t *restored = g_memdup2 (mask, prior_case.n_pixels);
      g_autoptr (GArray) clamped = g_array_new (FALSE, FALSE, sizeof (uint32_t));
      g_assert_true (fs_mask_prior_restore (prior_case.prior, restored));
      g_assert_true (fs_mask_prior_filter (prior_case.prior, mask, clamped));
      guint k = 0;
      for (uint32_t p = 0; p < prior_case.n_pixels; p++) {
        g_assert_cmpint (fs_mask_prior_is_clamped (prior_case.prior, p), ==, rejected[p]);
        g_assert_cmpint (restored[p], ==, rejected[p] ? prior_case.previous[p] : mask[p]);
        if (rejected[p])
          g_assert_cmpuint (g_array_index (clamped, uint32_t, k++), ==, p);
        n_rejected += rejected[p];
        n_accepted += mask[p] != prior_case.previous[p] && !rejected[p];
      }
      g_assert_cmpuint (k, ==, clamped->len);
    }
    prior_case_clear (&prior_case);
  }
  g_assert_cmpuint (n_rejected, >, 100);
  g_assert_cmpuint (n_accepted, >, 100);
}

/* Two rooms of 40 px, a passage of 6 between them, and a bar above the passage. */
enum { ROOMS_PX = 120, ROOM_PX = 40, MIDDLE = ROOMS_PX / 2, PASSAGE_PX = 6 };

static gboolean
is_in_bar (int x, int y)
{
  return x >= ROOM_PX && x < ROOMS_PX - ROOM_PX && y >= ROOM_PX && y < MIDDLE - PASSAGE_PX / 2;
}

static gboolean
is_in_rooms (int x, int y)
{
  gboolean is_between = y >= MIDDLE - PASSAGE_PX / 2 && y < MIDDLE + PASSAGE_PX / 2;
  return is_between
         || (ABS (y - MIDDLE) <= ROOM_PX / 2 && (x < ROOM_PX || x >= ROOMS_PX - ROOM_PX));
}

/* How much is held where the bar was there and a stroke of `label` at (x, MIDDLE) adds the rooms,
 * or takes them away. */
static guint
count_held (gboolean has_bar, int x, uint8_t label)
{
  g_autoptr (FsImage) image = fs_image_new (ROOMS_PX, ROOMS_PX);
  g_autoptr (FsGeodesicLevel) level = fs_geodesic_level_new (image, 0);
  uint8_t previous[ROOMS_PX * ROOMS_PX], mask[ROOMS_PX * ROOMS_PX];
  uint8_t other = label == FS_SEED_BACKGROUND;
  for (int i = 0; i < ROOMS_PX * ROOMS_PX; i++) {
    int at_x = i % ROOMS_PX, at_y = i / ROOMS_PX;
    previous[i] = other ^ (has_bar && is_in_bar (at_x, at_y));
    mask[i] = other ^ (other ^ previous[i] || is_in_rooms (at_x, at_y));
  }
  g_autofree uint8_t *bits = g_malloc0 (level->n_plane);
  const uint32_t painted = (uint32_t)(MIDDLE * ROOMS_PX + x);
  bits[fs_geodesic_cell_of_pixel (level, painted)] = other ? FS_CELL_BACKGROUND : FS_CELL_OBJECT;
  g_autoptr (FsMaskPrior) prior = fs_mask_prior_new (level, previous, &painted, 1, STRENGTH);
  g_assert_true (fs_mask_prior_bound_answer (prior, previous, &painted, 1, bits, 0));
  g_autoptr (GArray) clamped = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_assert_true (fs_mask_prior_filter (prior, mask, clamped));
  for (guint i = 0; i < clamped->len; i++) {
    int at = (int)g_array_index (clamped, uint32_t, i) % ROOMS_PX;
    g_assert_true (at < MIDDLE - 10 || at > MIDDLE + 10); /* the passage is the answer */
  }
  return clamped->len;
}

static void
test_answer_is_as_wide_as_stroke_is_deep (void)
{
  const guint rooms = 2 * ROOM_PX * (ROOM_PX + 1);
  for (uint8_t label = FS_SEED_BACKGROUND; label <= FS_SEED_OBJECT; label++) {
    g_assert_cmpuint (count_held (TRUE, MIDDLE, label), >, rooms * 9 / 10);
    g_assert_cmpuint (count_held (TRUE, ROOM_PX / 2, label), ==, 0);
    g_assert_cmpuint (count_held (FALSE, MIDDLE, label), ==, 0); /* nothing was there before */
  }
}

/* --- in the energy --- */

static void
cut (FsGrid *grid, uint8_t *mask)
{
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, NULL);
  FsSolution solution;
  FsCertificate certificate;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  g_assert_true (solution.exact);
  g_assert_true (fs_solver_certify (solver, &certificate, NULL));
  g_assert_true (certificate.holds);
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
}

static void
check_planes (FsEnergy *energy, const FsSeedMap *seeds)
{
  size_t n = fs_grid_n_pixels (fs_energy_get_grid (energy));
  g_autofree int32_t *tlinks = g_new (int32_t, n);
  fs_energy_fill_tlinks (energy, seeds, tlinks);
  for (uint32_t p = 0; p < n; p++)
    g_assert_cmpint (tlinks[p], ==, fs_energy_tlink (energy, p, seeds->label[p]));
}

static uint8_t *
list_rejected (FsEnergy *energy, const uint8_t *mask, size_t n)
{
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_assert_true (fs_mask_prior_list_rejected (fs_energy_get_mask_prior (energy), mask, pixels));
  uint8_t *rejected = g_malloc0 (n);
  for (guint i = 0; i < pixels->len; i++)
    rejected[g_array_index (pixels, uint32_t, i)] = 1;
  return rejected;
}

/* Two cuts; the second one leaves what the filter clamps on its previous side where no star says
 * otherwise. */
static void
check_two_cuts (PriorCase *prior_case, const FsSettings *settings)
{
  const FsSeedMap *seeds = prior_case->base.seeds;
  g_autoptr (FsEnergy) energy = fs_energy_new (prior_case->base.image, settings, NULL, NULL);
  FsGrid *grid = fs_energy_get_grid (energy);
  fs_energy_fit (energy, seeds);
  g_autofree int32_t *plain = g_new (int32_t, prior_case->n_pixels);
  fs_energy_fill_tlinks (energy, seeds, plain);
  int32_t soft = fs_energy_get_soft_tlink (energy);

  g_assert_true (fs_energy_set_mask_prior (energy, prior_case->previous,
                                           (const uint32_t *)prior_case->painted->data,
                                           prior_case->painted->len, NULL));
  fs_energy_fill_grid (energy, seeds);
  check_planes (energy, seeds);
  for (uint32_t p = 0; p < prior_case->n_pixels; p++) {
    int32_t prior = grid->tlink[p] - plain[p];
    if (seeds->label[p] != FS_SEED_NONE)
      g_assert_cmpint (prior, ==, 0);
    else {
      g_assert_true (prior_case->previous[p] ? prior >= 0 : prior <= 0);
      g_assert_cmpint (ABS (grid->tlink[p]), <=, soft);
    }
  }
  g_autofree uint8_t *mask = g_malloc (prior_case->n_pixels);
  cut (grid, mask);
  g_autofree uint8_t *rejected = list_rejected (energy, mask, prior_case->n_pixels);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  g_assert_true (fs_energy_filter_changes (energy, mask, changes, NULL));
  for (guint i = 0; i < changes->len; i++) {
    FsTlinkChange change = g_array_index (changes, FsTlinkChange, i);
    g_assert_true (rejected[change.pixel]);
    g_assert_cmpint (change.tlink > 0, ==, prior_case->previous[change.pixel]);
    grid->tlink[change.pixel] = change.tlink;
  }
  check_planes (energy, seeds);
  cut (grid, mask);
  for (uint32_t p = 0; p < prior_case->n_pixels; p++)
    if (rejected[p] && seeds->label[p] == FS_SEED_NONE && !fs_energy_has_star (energy))
      g_assert_cmpint (mask[p], ==, prior_case->previous[p]);
  g_assert_true (fs_energy_set_mask_prior (energy, NULL, NULL, 0, NULL));
  fs_energy_fill_tlinks (energy, seeds, grid->tlink);
  g_assert_cmpmem (grid->tlink, prior_case->n_pixels * sizeof *plain, plain,
                   prior_case->n_pixels * sizeof *plain);
}

/* On cells of several pixels few strokes have a prior in proportion to the cells that they cover.
 */
static void
test_few_strokes_have_less_prior (void)
{
  enum { WIDTH = 640, HEIGHT = 480, PAINTED = 240, ENOUGH = 117 * 2 * 2, NATS = 12 };
  g_autoptr (FsImage) image = fs_image_new (WIDTH, HEIGHT);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (WIDTH, HEIGHT);
  g_autoptr (GArray) painted = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (uint32_t p = 0; p < PAINTED; p++)
    g_array_append_val (painted, p);
  fs_seed_map_set_run (seeds, 0, 0, PAINTED, FS_SEED_OBJECT);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.stability = TRUE;
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
  fs_energy_fit (energy, seeds);
  const uint32_t last = WIDTH * HEIGHT - 1; /* where the prior is full */
  const int32_t plain = fs_energy_tlink (energy, last, FS_SEED_NONE);
  g_autofree uint8_t *previous = g_malloc (WIDTH * HEIGHT);
  memset (previous, 1, WIDTH * HEIGHT);
  g_assert_true (fs_energy_set_mask_prior (energy, previous, (const uint32_t *)painted->data,
                                           painted->len, NULL));
  g_assert_cmpint (fs_energy_tlink (energy, last, FS_SEED_NONE) - plain, ==,
                   NATS * FS_NAT_SCALE * PAINTED / ENOUGH);
}

static void
test_two_cuts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int i = 0; i < N_CASES; i++) {
    PriorCase prior_case;
    prior_case_init (&prior_case, rand, SIDE_PX);
    for (int k = 0; k < 3; k++)
      fs_case_play (&prior_case.base, rand);
    FsSettings settings = FS_SETTINGS_DEFAULT;
    settings.model = (FsModelKind)(i % FS_N_MODELS);
    settings.star = g_rand_boolean (rand);
    settings.stability = TRUE;
    check_two_cuts (&prior_case, &settings);
    prior_case_clear (&prior_case);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stability/prior-is-ramped-distance", test_prior_is_ramped_distance);
  g_test_add_func ("/stability/depth-bounds-answer", test_depth_bounds_answer);
  g_test_add_func ("/stability/filter-is-by-components", test_filter_is_by_components);
  g_test_add_func ("/stability/answer-is-as-wide-as-stroke-is-deep",
                   test_answer_is_as_wide_as_stroke_is_deep);
  g_test_add_func ("/stability/few-strokes-have-less-prior", test_few_strokes_have_less_prior);
  g_test_add_func ("/stability/two-cuts", test_two_cuts);
  return g_test_run ();
}
