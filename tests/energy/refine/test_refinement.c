/* SPDX-License-Identifier: MIT */
/* Border refinement's grid against its plain definition over the whole photo. */
#include "energy/refine/refine.h"
#include "energy/refine/refine_islands.h"

#include "energy/image/reduced_image.h"
#include "solver/certificate.h"
#include "tests/energy/recipe.h"

#include <math.h>
#include <string.h>

typedef struct {
  int w, h;
  FsImage *image;
  FsSeedMap *seeds;
  FsEnergy *energy;
  uint8_t *mask; /* the first cut */
} Case;

/* Two blots on a ground, none of a plain colour. Every value is the middle of its bin, so that the
 * bins lose nothing; and below FS_GEODESIC_CELLS pixels a photo is its own level. */
static FsImage *
blotted_image (GRand *rand, int w, int h)
{
  FsImage *image = fs_image_new (w, h);
  double x = g_rand_double_range (rand, 0.3, 0.7), y = g_rand_double_range (rand, 0.3, 0.7);
  for (int i = 0; i < w * h; i++) {
    double u = (double)(i % w) / w - x, v = (double)(i / w) / h - y;
    uint32_t base = hypot (u, v) < 0.2 ? 170 : hypot (u - 0.3, v) < 0.15 ? 140 : 60;
    uint32_t noise = (uint32_t)g_rand_int_range (rand, 0, 50);
    image->pixels[i] =
        (FS_PIXEL (255, base + noise, base, 220 - base + noise) & 0xfffcfcfc) | 0x020202;
  }
  return image;
}

static void
cut (FsGrid *grid, uint8_t *mask, FsSolution *solution)
{
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, NULL);
  g_assert_true (fs_solver_solve (solver, NULL, solution, NULL));
  FsCertificate certificate;
  g_assert_true (fs_solver_certify (solver, &certificate, NULL));
  g_assert_true (solution->exact && certificate.holds);
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
}

static void
case_init (Case *c, GRand *rand, int w, int h)
{
  *c = (Case){ .w = w, .h = h, .image = blotted_image (rand, w, h) };
  c->seeds = fs_seed_map_new (w, h);
  FsCapsule object = { 0.5 * w, 0.4 * h, 0.55 * w, 0.6 * h, 2 };
  FsCapsule background = { 2, 2, w - 3, g_rand_double_range (rand, 0, h), 2 };
  fs_seed_map_paint (c->seeds, &background, FS_SEED_BACKGROUND, NULL, NULL);
  fs_seed_map_paint (c->seeds, &object, FS_SEED_OBJECT, NULL, NULL);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.neighbours = g_rand_boolean (rand) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
  fs_energy_fit (c->energy, c->seeds);
  fs_energy_fill_grid (c->energy, c->seeds);
  c->mask = g_malloc ((gsize)w * (gsize)h);
  FsSolution solution;
  cut (fs_energy_get_grid (c->energy), c->mask, &solution);
}

static void
case_clear (Case *c)
{
  fs_energy_free (c->energy);
  fs_seed_map_free (c->seeds);
  fs_image_unref (c->image);
  g_free (c->mask);
}

/* From a pixel to the nearest of the other side, by trying them all. */
static double
distance_to_other_side (const Case *c, int p)
{
  double min = INFINITY;
  for (int q = 0; q < c->w * c->h; q++)
    if (c->mask[q] != c->mask[p])
      min = fmin (min, hypot (q % c->w - p % c->w, q / c->w - p / c->w));
  return min;
}

/* The grid's own t-links within the band, and everything else fixed, over the whole photo. */
static void
plain_tlinks (const Case *c, const FsGrid *grid, FsRect area, int32_t *tlinks)
{
  double band = hypot (c->w, c->h) / 20;
  for (int p = 0; p < c->w * c->h; p++) {
    int x = p % c->w - area.x0, y = p / c->w - area.y0;
    gboolean is_seed = c->seeds->label[p] != FS_SEED_NONE;
    tlinks[p] = c->mask[p] ? 1 << 20 : -(1 << 20);
    if (is_seed || distance_to_other_side (c, p) > band - 1e-2)
      continue;
    g_assert_true (x >= 0 && y >= 0 && x < grid->width && y < grid->height);
    tlinks[p] = grid->tlink[y * grid->width + x];
    g_assert_cmpint (ABS (tlinks[p]), <=, 11 * FS_NAT_SCALE);
  }
}

/* The grid's own n-links, and none beyond its rectangle. */
static void
plain_nlinks (const Case *c, const FsGrid *grid, FsRect area, int d, uint16_t *nlinks)
{
  memset (nlinks, 0, (size_t)c->w * (size_t)c->h * sizeof *nlinks);
  for (int y = 0; y < grid->height; y++)
    memcpy (nlinks + (y + area.y0) * c->w + area.x0, grid->nlink[d] + y * grid->width,
            (size_t)grid->width * sizeof *nlinks);
}

/* Cutting the rectangle gives mask, energy and bound of the same energy over the whole photo. */
static void
test_rectangle_stands_for_the_photo (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int trial = 0; trial < 12; trial++) {
    Case c;
    case_init (&c, rand, g_rand_int_range (rand, 50, 90), g_rand_int_range (rand, 50, 90));
    g_autoptr (FsRefinement) refinement = fs_refinement_new (c.energy, c.seeds, c.mask, NULL);
    FsGrid *grid = fs_refinement_get_grid (refinement);
    g_assert_nonnull (grid);
    g_assert_true (fs_grid_validate (grid, NULL));
    FsRect area = fs_refinement_get_area (refinement);
    size_t n = (size_t)c.w * (size_t)c.h;
    g_autofree int32_t *tlinks = g_new (int32_t, n);
    plain_tlinks (&c, grid, area, tlinks);
    FsGrid whole = *fs_energy_get_grid (c.energy);
    whole.tlink = tlinks;
    whole.star = NULL;
    g_autofree uint16_t *nlinks = g_new (uint16_t, n * FS_N_DIRECTIONS);
    for (int d = 0; d < fs_grid_n_directions (grid); d++) {
      plain_nlinks (&c, grid, area, d, nlinks + n * (size_t)d);
      whole.nlink[d] = nlinks + n * (size_t)d;
    }
    g_autofree uint8_t *expected = g_malloc (n);
    g_autofree uint8_t *part = g_malloc (fs_grid_n_pixels (grid));
    FsSolution by_photo, by_part;
    cut (&whole, expected, &by_photo);
    cut (grid, part, &by_part);
    fs_refinement_write (refinement, part, c.mask);
    g_assert_cmpmem (c.mask, n, expected, n);
    g_assert_cmpint (by_part.energy, ==, by_photo.energy);
    g_assert_cmpint (by_part.bound, ==, by_photo.bound);
    case_clear (&c);
  }
}

/* In nats, by how much of the photo strokes cover. */
static double
object_bias (const FsSeedMap *seeds)
{
  double percent = 0;
  for (int i = 0; i < seeds->width * seeds->height; i++)
    percent += 100.0 * (seeds->label[i] != FS_SEED_NONE) / (seeds->width * seeds->height);
  return percent <= 0.8 ? 0 : percent >= 1.2 ? 0.75 : 0.75 * (percent - 0.8) / 0.4;
}

/* What the colours of strokes and mask and the distance from the border say, in plain doubles. */
static void
test_formula (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  for (int trial = 0; trial < 12; trial++) {
    Case c;
    case_init (&c, rand, g_rand_int_range (rand, 40, 70), g_rand_int_range (rand, 40, 70));
    g_autoptr (FsRefinement) refinement = fs_refinement_new (c.energy, c.seeds, c.mask, NULL);
    const FsGrid *grid = fs_refinement_get_grid (refinement);
    FsRect area = fs_refinement_get_area (refinement);
    g_autofree RecipeTerm *strokes = recipe_terms (c.image, c.seeds, RECIPE_STROKES);
    g_autofree double *border = recipe_border_terms (c.image, c.mask);
    double mean = 0, bias = object_bias (c.seeds);
    int n_free = 0;
    for (int i = 0; i < grid->width * grid->height; i++) {
      int p = (i / grid->width + area.y0) * c.w + i % grid->width + area.x0;
      if (grid->tlink[i] == 0 || ABS (grid->tlink[i]) > 11 * FS_NAT_SCALE)
        continue;
      double off =
          fabs ((double)grid->tlink[i] / FS_NAT_SCALE - bias - border[p] - 0.6 * strokes[p].ratio);
      g_assert_cmpfloat (off, <=, 0.6);
      mean += off;
      n_free++;
    }
    g_assert_cmpint (n_free, >, 0);
    g_assert_cmpfloat (mean / n_free, <=, 0.06);
    case_clear (&c);
  }
}

/* λ = 55 and the contrast's exponent 2 become 44 and 1.5. */
static void
test_nlinks (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  Case c;
  case_init (&c, rand, 90, 70);
  g_autoptr (FsRefinement) refinement = fs_refinement_new (c.energy, c.seeds, c.mask, NULL);
  const FsGrid *grid = fs_refinement_get_grid (refinement), *photo = fs_energy_get_grid (c.energy);
  FsRect area = fs_refinement_get_area (refinement);
  int n_links = 0;
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    for (int i = 0; i < grid->width * grid->height; i++) {
      int p = (i / grid->width + area.y0) * c.w + i % grid->width + area.x0;
      double max = 55 * FS_NAT_SCALE / (d >= FS_DIRECTION_SE ? sqrt (2) : 1);
      if (grid->nlink[d][i] == 0)
        continue;
      double expected = 0.8 * max * pow (photo->nlink[d][p] / max, 0.75);
      g_assert_cmpfloat (fabs (expected - grid->nlink[d][i]), <=, 0.51);
      n_links++;
    }
  g_assert_cmpint (n_links, >, 1000);
  case_clear (&c);
}

/* Without a word on the object everything is open, and the colours of the two sides decide. */
static void
test_background_alone (void)
{
  enum { W = 90, H = 70 };
  g_autoptr (FsImage) image = fs_image_new (W, H);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (W, H);
  g_autofree uint8_t *mask = g_malloc0 (W * H), *truth = g_malloc0 (W * H);
  for (int i = 0; i < W * H; i++) {
    truth[i] = hypot (i % W - 45, i / W - 35) < 18;
    mask[i] = i % W > 40 && i % W < 50 && i / W > 20 && i / W < 45;
    image->pixels[i] = truth[i] ? 0xffc08060u : 0xff304060u;
  }
  FsCapsule background = { 5, 5, 80, 5, 3 };
  fs_seed_map_paint (seeds, &background, FS_SEED_BACKGROUND, NULL, NULL);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.star = FALSE;
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
  g_assert_false (fs_energy_wants_refinement (energy));
  fs_energy_fit (energy, seeds);
  g_assert_true (fs_energy_wants_refinement (energy));
  g_autoptr (FsRefinement) refinement = fs_refinement_new (energy, seeds, mask, NULL);
  FsGrid *grid = fs_refinement_get_grid (refinement);
  g_assert_cmpuint (fs_grid_n_pixels (grid), ==, W * H);
  g_autofree uint8_t *part = g_malloc (W * H);
  FsSolution solution;
  cut (grid, part, &solution);
  g_assert_true (fs_refinement_write (refinement, part, mask));
  g_assert_cmpmem (mask, W * H, truth, W * H);
  g_assert_false (fs_refinement_wants_wider_band (refinement, mask));
}

/* … as the formula says, over the whole photo; a box has more rounds and weighs ground by distance.
 */
static void
test_formula_of_background_alone (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  for (int trial = 0; trial < 8; trial++) {
    int w = g_rand_int_range (rand, 40, 70), h = g_rand_int_range (rand, 40, 70);
    g_autoptr (FsImage) image = blotted_image (rand, w, h);
    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (w, h);
    FsCapsule background = { 2, 2, w - 3, 2, 2 };
    fs_seed_map_paint (seeds, &background, FS_SEED_BACKGROUND, NULL, NULL);
    g_autofree uint8_t *mask = g_malloc ((gsize)w * (gsize)h);
    for (int i = 0; i < w * h; i++)
      mask[i] = hypot (i % w - 0.5 * w, i / w - 0.5 * h) < 0.3 * h;
    FsSettings settings = FS_SETTINGS_DEFAULT;
    settings.star = trial % 2;
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    fs_energy_fit (energy, seeds);
    g_autoptr (FsRefinement) refinement = fs_refinement_new (energy, seeds, mask, NULL);
    g_assert_cmpint (fs_refinement_get_rounds (refinement), ==, settings.star ? 5 : 8);
    if (!settings.star)
      continue;
    const FsGrid *grid = fs_refinement_get_grid (refinement);
    g_autofree double *terms = recipe_whole_terms (image, mask, 0.5, 3e-6);
    for (int i = 0; i < w * h; i++) {
      double t = (double)grid->tlink[i] / FS_NAT_SCALE;
      g_assert_true (seeds->label[i] != FS_SEED_NONE || fabs (t - terms[i]) <= 0.1);
    }
  }
}

/* The mask with all but one quarter of the photo turned to background. */
static uint8_t *
quarter_of_mask (const Case *c)
{
  uint8_t *part = g_memdup2 (c->mask, (gsize)c->w * (gsize)c->h);
  for (int p = 0; p < c->w * c->h; p++)
    part[p] &= p % c->w < c->w / 2 && p / c->w < c->h / 2;
  return part;
}

/* What one round learns is what a refinement of its mask would begin with, whatever was learnt
 * before and whatever the thread count. */
static void
test_rounds_and_threads (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  Case c;
  case_init (&c, rand, 700, 500);
  g_autoptr (FsRefinement) refinement = fs_refinement_new (c.energy, c.seeds, c.mask, NULL);
  FsGrid *grid = fs_refinement_get_grid (refinement);
  size_t n = fs_grid_n_pixels (grid);
  g_autofree int32_t *again = g_new (int32_t, n);
  g_autofree uint8_t *part = quarter_of_mask (&c);
  fs_refinement_learn (refinement, part, again);
  g_assert_true (memcmp (again, grid->tlink, n * sizeof *again) != 0);
  fs_refinement_learn (refinement, c.mask, again);
  g_assert_cmpmem (again, n * sizeof *again, grid->tlink, n * sizeof *grid->tlink);
  for (int n_threads = 1; n_threads <= 4; n_threads++) {
    fs_energy_set_threads (n_threads);
    g_autoptr (FsRefinement) other = fs_refinement_new (c.energy, c.seeds, c.mask, NULL);
    const FsGrid *same = fs_refinement_get_grid (other);
    g_assert_cmpmem (same->tlink, n * sizeof *again, grid->tlink, n * sizeof *again);
    for (int d = 0; d < fs_grid_n_directions (grid); d++)
      g_assert_cmpmem (same->nlink[d], 2 * n, grid->nlink[d], 2 * n);
  }
  fs_energy_set_threads (0);
  case_clear (&c);
}

/* The round that draws adds what local colours say where they reach, and holds the rest of the band
 * where it is in the mask. */
static void
test_drawing (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  Case c;
  case_init (&c, rand, 700, 500);
  g_autoptr (FsRefinement) refinement = fs_refinement_new (c.energy, c.seeds, c.mask, NULL);
  g_assert_true (fs_refinement_draws (refinement));
  FsGrid *grid = fs_refinement_get_grid (refinement);
  FsRect area = fs_refinement_get_area (refinement);
  size_t n = fs_grid_n_pixels (grid);
  g_autofree int32_t *drawn = g_new (int32_t, n), *learnt = g_new (int32_t, n);
  fs_refinement_draw (refinement, c.mask, drawn);
  int n_more = 0, n_held = 0;
  for (size_t i = 0; i < n; i++) {
    size_t p = ((size_t)area.y0 + i / (size_t)grid->width) * 700 + (size_t)area.x0
               + i % (size_t)grid->width;
    gboolean is_clamped = ABS (drawn[i]) > FS_N_ARCS * FS_NLINK_MAX;
    gboolean was_free = grid->tlink[i] != 0 && ABS (grid->tlink[i]) <= FS_N_ARCS * FS_NLINK_MAX;
    g_assert_true (!is_clamped || (drawn[i] > 0) == c.mask[p]);
    g_assert_true (is_clamped || ABS (drawn[i] - grid->tlink[i]) <= 9 * FS_NAT_SCALE);
    n_held += is_clamped && was_free;
    n_more += !is_clamped && drawn[i] != grid->tlink[i];
  }
  g_assert_cmpint (n_more, >, 1000);
  g_assert_cmpint (n_held, >, 1000);
  fs_refinement_learn (refinement, c.mask, learnt);
  g_assert_cmpmem (learnt, n * sizeof *learnt, grid->tlink, n * sizeof *learnt);
  case_clear (&c);
}

/* A stripe that the first cut left on the wrong side, of the object's colour, beside the border. */
static void
test_moves_to_the_edge (void)
{
  enum { W = 120, H = 90 };
  g_autoptr (FsImage) image = fs_image_new (W, H);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (W, H);
  for (int i = 0; i < W * H; i++)
    image->pixels[i] =
        i % W < 60 ? 0xffc08060u + (uint32_t)(i % 5) : 0xff304060u + (uint32_t)(i % 3);
  FsCapsule object = { 20, 40, 25, 50, 3 }, background = { 100, 40, 95, 50, 3 };
  fs_seed_map_paint (seeds, &object, FS_SEED_OBJECT, NULL, NULL);
  fs_seed_map_paint (seeds, &background, FS_SEED_BACKGROUND, NULL, NULL);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
  fs_energy_fit (energy, seeds);
  g_assert_true (fs_energy_wants_refinement (energy));
  g_autofree uint8_t *mask = g_malloc (W * H);
  for (int i = 0; i < W * H; i++)
    mask[i] = i % W < 56;
  g_autoptr (FsRefinement) refinement = fs_refinement_new (energy, seeds, mask, NULL);
  FsGrid *grid = fs_refinement_get_grid (refinement);
  g_autofree uint8_t *part = g_malloc (fs_grid_n_pixels (grid));
  FsSolution solution;
  cut (grid, part, &solution);
  g_assert_true (fs_refinement_write (refinement, part, mask));
  for (int i = 0; i < W * H; i++)
    g_assert_cmpint (mask[i], ==, i % W < 60);
  g_assert_false (fs_refinement_write (refinement, part, mask));
}

/* Blots in the ground are given back unless they touch what was object, corners count. */
static void
test_refuses_islands (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  Case c;
  case_init (&c, rand, 60, 50);
  for (int p = 0; p < c.w * c.h; p++)
    c.mask[p] = p % c.w < 30;
  g_autofree uint8_t *first = g_memdup2 (c.mask, (gsize)c.w * (gsize)c.h);
  g_autoptr (FsRefinement) refinement = fs_refinement_new (c.energy, c.seeds, c.mask, NULL);
  const FsGrid *grid = fs_refinement_get_grid (refinement);
  FsRect area = fs_refinement_get_area (refinement);
  g_autoptr (GArray) clamped = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  g_assert_false (fs_refinement_refuse_islands (refinement, c.mask, clamped));
  static const struct {
    int x, y;
    gboolean stays;
  } blots[] = { { 30, 36, TRUE }, { 31, 37, TRUE }, { 31, 44, FALSE }, { 32, 45, FALSE } };
  for (gsize i = 0; i < G_N_ELEMENTS (blots); i++) {
    g_assert_cmpint (c.seeds->label[blots[i].y * c.w + blots[i].x], ==, FS_SEED_NONE);
    c.mask[blots[i].y * c.w + blots[i].x] = 1;
  }
  g_assert_true (fs_refinement_refuse_islands (refinement, c.mask, clamped));
  g_assert_cmpuint (clamped->len, ==, 2);
  for (gsize i = 0; i < G_N_ELEMENTS (blots); i++)
    g_assert_cmpint (c.mask[blots[i].y * c.w + blots[i].x], ==, blots[i].stays);
  for (guint k = 0; k < clamped->len; k++) {
    FsTlinkChange change = g_array_index (clamped, FsTlinkChange, k);
    int x = (int)change.pixel % grid->width + area.x0,
        y = (int)change.pixel / grid->width + area.y0;
    g_assert_cmpint (x, ==, blots[2 + k].x);
    g_assert_cmpint (y, ==, blots[2 + k].y);
    g_assert_cmpint (change.tlink, <, -FS_N_ARCS * FS_NLINK_MAX);
  }
  for (int p = 0; p < c.w * c.h; p++)
    g_assert_cmpint (first[p], <=, c.mask[p]);
  g_assert_false (fs_refinement_refuse_islands (refinement, c.mask, clamped));
  case_clear (&c);
}

static void
test_no_border (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  Case c;
  case_init (&c, rand, 60, 50);
  memset (c.mask, 0, 60 * 50);
  g_autoptr (FsRefinement) refinement = fs_refinement_new (c.energy, c.seeds, c.mask, NULL);
  g_assert_null (fs_refinement_get_grid (refinement));
  case_clear (&c);
}

/* Within a lasso, and with the other models, the first cut is the last. */
static void
test_which_energies_want_refinement (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (FsImage) image = blotted_image (rand, 20, 20);
  for (int i = 0; i < 2 * FS_N_MODELS; i++) {
    FsSettings settings = FS_SETTINGS_DEFAULT;
    settings.model = (FsModelKind)(i / 2);
    settings.star = i % 2;
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    g_assert_cmpint (fs_energy_wants_refinement (energy), ==,
                     settings.model == FS_MODEL_GEODESIC && settings.star);
  }
}

/* Whatever the second cut wants far from a stroke, the previous mask has it. */
static void
test_keeps_the_previous_mask (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  Case c;
  case_init (&c, rand, 120, 90);
  g_autofree uint8_t *previous = g_memdup2 (c.mask, 120 * 90);
  uint32_t painted = 0;
  g_assert_true (fs_energy_set_mask_prior (c.energy, previous, &painted, 1, NULL));
  g_assert_true (fs_energy_has_mask_prior (c.energy));
  g_autoptr (FsRefinement) refinement = fs_refinement_new (c.energy, c.seeds, c.mask, NULL);
  FsGrid *grid = fs_refinement_get_grid (refinement);
  FsRect area = fs_refinement_get_area (refinement);
  g_autofree uint8_t *part = g_malloc (fs_grid_n_pixels (grid));
  FsSolution solution;
  cut (grid, part, &solution);
  g_assert_true (fs_refinement_write (refinement, part, c.mask));
  g_autoptr (GArray) clamped = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  g_assert_true (fs_refinement_filter_changes (refinement, c.mask, clamped, NULL));
  g_assert_cmpuint (clamped->len, >, 0);
  for (guint i = 0; i < clamped->len; i++) {
    FsTlinkChange change = g_array_index (clamped, FsTlinkChange, i);
    int x = (int)change.pixel % grid->width + area.x0,
        y = (int)change.pixel / grid->width + area.y0;
    g_assert_cmpint (change.tlink > 0, ==, previous[y * 120 + x]);
    g_assert_cmpint (c.mask[y * 120 + x], !=, previous[y * 120 + x]);
    grid->tlink[change.pixel] = change.tlink;
  }
  cut (grid, part, &solution);
  fs_refinement_write (refinement, part, c.mask);
  for (guint i = 0; i < clamped->len; i++) {
    FsTlinkChange change = g_array_index (clamped, FsTlinkChange, i);
    g_assert_cmpint (part[change.pixel], ==, change.tlink > 0);
  }
  case_clear (&c);
}

/* --- a smaller photo --- */

static uint32_t
plain_mean (const FsImage *image, int x0, int y0, int size)
{
  uint32_t sum[3] = { 0 }, n = 0;
  for (int y = y0; y < MIN (y0 + size, image->height); y++)
    for (int x = x0; x < MIN (x0 + size, image->width); x++, n++) {
      uint32_t pixel = image->pixels[y * image->width + x];
      sum[0] += FS_PIXEL_R (pixel);
      sum[1] += FS_PIXEL_G (pixel);
      sum[2] += FS_PIXEL_B (pixel);
    }
  for (int k = 0; k < 3; k++)
    sum[k] = (2 * sum[k] + n) / (2 * n);
  return FS_PIXEL (255, sum[0], sum[1], sum[2]);
}

static void
test_reduced_image (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  for (int trial = 0; trial < 40; trial++) {
    g_autoptr (FsImage) image =
        fs_image_new (g_rand_int_range (rand, 1, 90), g_rand_int_range (rand, 1, 90));
    for (int i = 0; i < image->width * image->height; i++)
      image->pixels[i] = trial % 4 ? g_rand_int (rand) : 0xffffffffu;
    int shift = trial % 9, size = 1 << shift;
    g_autoptr (FsImage) reduced = fs_image_reduce (image, shift);
    g_assert_cmpint (reduced->width, ==, (image->width + size - 1) / size);
    g_assert_cmpint (reduced->height, ==, (image->height + size - 1) / size);
    for (int i = 0; i < reduced->width * reduced->height; i++)
      g_assert_cmphex (reduced->pixels[i], ==,
                       plain_mean (image, i % reduced->width * size, i / reduced->width * size,
                                   size));
  }
}

/* A mask with a noisy border. */
static void
noisy_case_init (Case *c, GRand *rand, int w, int h)
{
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  *c = (Case){ .w = w, .h = h, .image = blotted_image (rand, w, h) };
  c->seeds = fs_seed_map_new (w, h);
  FsCapsule object = { 0.5 * w, 0.4 * h, 0.55 * w, 0.6 * h, 2 };
  FsCapsule background = { 2, 2, w - 3, 2, 2 };
  fs_seed_map_paint (c->seeds, &background, FS_SEED_BACKGROUND, NULL, NULL);
  fs_seed_map_paint (c->seeds, &object, FS_SEED_OBJECT, NULL, NULL);
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
  fs_energy_fit (c->energy, c->seeds);
  c->mask = g_malloc ((gsize)w * (gsize)h);
  for (int p = 0; p < w * h; p++) {
    double from_middle = hypot ((double)(p % w) / w - 0.6, (double)(p / w) / h - 0.5);
    c->mask[p] = from_middle < g_rand_double_range (rand, 0.3, 0.6);
  }
}

static gboolean
plain_majority (const Case *c, int x0, int y0, int size)
{
  int n = 0, n_object = 0;
  for (int y = y0; y < MIN (y0 + size, c->h); y++)
    for (int x = x0; x < MIN (x0 + size, c->w); x++, n++)
      n_object += c->mask[y * c->w + x];
  return 2 * n_object >= n;
}

static void
test_reduced_mask (void)
{
  const int sizes[][2] = { { 611, 303 }, { 901, 703 }, { 1204, 1101 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  for (int i = 0; i < (int)G_N_ELEMENTS (sizes); i++) {
    Case c;
    noisy_case_init (&c, rand, sizes[i][0], sizes[i][1]);
    g_autoptr (FsRefinement) refinement =
        fs_refinement_new_of_cells (c.energy, c.seeds, c.mask, NULL);
    int side = 2 << i, width = (c.w - 1) / side + 1, height = (c.h - 1) / side + 1;
    size_t n = 0;
    const uint8_t *reduced = fs_refinement_get_reduced (refinement, &n);
    g_assert_nonnull (reduced);
    g_assert_cmpuint (n, ==, (size_t)width * (size_t)height);
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        g_assert_cmpint (reduced[y * width + x], ==, plain_majority (&c, x * side, y * side, side));
    case_clear (&c);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/refinement/rectangle-stands-for-the-photo",
                   test_rectangle_stands_for_the_photo);
  g_test_add_func ("/refinement/formula", test_formula);
  g_test_add_func ("/refinement/nlinks", test_nlinks);
  g_test_add_func ("/refinement/background-alone", test_background_alone);
  g_test_add_func ("/refinement/formula-of-background-alone", test_formula_of_background_alone);
  g_test_add_func ("/refinement/rounds-and-threads", test_rounds_and_threads);
  g_test_add_func ("/refinement/drawing", test_drawing);
  g_test_add_func ("/refinement/moves-to-the-edge", test_moves_to_the_edge);
  g_test_add_func ("/refinement/refuses-islands", test_refuses_islands);
  g_test_add_func ("/refinement/no-border", test_no_border);
  g_test_add_func ("/refinement/which-energies-want-it", test_which_energies_want_refinement);
  g_test_add_func ("/refinement/keeps-the-previous-mask", test_keeps_the_previous_mask);
  g_test_add_func ("/refinement/reduced-image", test_reduced_image);
  g_test_add_func ("/refinement/reduced-mask", test_reduced_mask);
  return g_test_run ();
}
