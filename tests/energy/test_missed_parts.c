/* SPDX-License-Identifier: MIT */
/* Which pieces a look at the whole photo adds to a mask, and by what it is cut. */
#include "energy/missed_parts.h"

#include "solver/solver.h"
#include "tests/energy/recipe.h"

#include <math.h>
#include <string.h>

/* In units of the picture below, which is drawn `scale` times as large. */
enum { UNITS_W = 120, UNITS_H = 90 };

/* A body with an arm, an island of their colour, and strokes on body and ground. The first mask has
 * the body alone. */
typedef struct {
  int scale, w, h;
  FsRect body, arm, island;
  FsImage *image;
  FsSeedMap *seeds;
  FsEnergy *energy;
  uint8_t *first, *mask;
} Case;

static gboolean
is_in (const Case *c, FsRect rect, int p)
{
  int x = p % c->w / c->scale, y = p / c->w / c->scale;
  return x >= rect.x0 && x < rect.x1 && y >= rect.y0 && y < rect.y1;
}

static void
paint (Case *c, FsCapsule at, uint8_t label)
{
  FsCapsule scaled = { at.x0 * c->scale, at.y0 * c->scale, at.x1 * c->scale, at.y1 * c->scale,
                       at.radius_px * c->scale };
  fs_seed_map_paint (c->seeds, &scaled, label, NULL, NULL);
}

static void
case_init (Case *c, int scale, FsRect arm)
{
  *c = (Case){ .scale = scale,
               .w = UNITS_W * scale,
               .h = UNITS_H * scale,
               .body = { 15, 35, 55, 80 },
               .arm = arm,
               .island = { 80, 8, 100, 24 } };
  size_t n = (size_t)c->w * (size_t)c->h;
  c->image = fs_image_new (c->w, c->h);
  c->seeds = fs_seed_map_new (c->w, c->h);
  c->first = g_malloc (n);
  for (int p = 0; p < (int)n; p++) {
    gboolean object = is_in (c, c->body, p) || is_in (c, c->arm, p) || is_in (c, c->island, p);
    c->image->pixels[p] = object ? 0xffc28262u : 0xff324262u;
    c->first[p] = (uint8_t)is_in (c, c->body, p);
  }
  c->mask = g_memdup2 (c->first, n);
  paint (c, (FsCapsule){ 25, 45, 40, 70, 2 }, FS_SEED_OBJECT);
  paint (c, (FsCapsule){ 20, 10, 60, 10, 2 }, FS_SEED_BACKGROUND);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
  fs_energy_fit (c->energy, c->seeds);
}

static void
case_clear (Case *c)
{
  fs_energy_free (c->energy);
  fs_seed_map_free (c->seeds);
  fs_image_unref (c->image);
  g_free (c->first);
  g_free (c->mask);
}

/* One round; what it makes of arm and island is checked, and which of them it adds is told. */
static void
look (Case *c, gboolean *has_arm, gboolean *has_island)
{
  g_autoptr (FsSecondLook) look = fs_second_look_new_of_cells (c->energy, c->seeds, c->mask, NULL);
  FsGrid *grid = fs_second_look_get_grid (look);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, NULL);
  g_autofree uint8_t *cells = g_malloc (fs_grid_n_pixels (grid));
  FsSolution solution;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, cells, (size_t)grid->width);
  int shrink = c->w / grid->width;
  g_assert_cmpint (shrink * grid->width, ==, c->w);
  for (int i = 0; i < grid->width * grid->height; i++) {
    int p = i / grid->width * shrink * c->w + i % grid->width * shrink;
    g_assert_cmpint (cells[i], ==,
                     is_in (c, c->body, p) || is_in (c, c->arm, p) || is_in (c, c->island, p));
  }
  g_assert_true (fs_missed_parts_add (look, cells, c->mask, NULL));
  *has_arm = c->mask[(c->arm.y0 * c->w + c->arm.x1 - 1) * c->scale];
  *has_island = c->mask[(c->island.y0 * c->w + c->island.x0) * c->scale];
  for (int p = 0; p < c->w * c->h; p++)
    g_assert_cmpint (c->mask[p], ==,
                     is_in (c, c->body, p)
                         || (c->seeds->label[p] != FS_SEED_BACKGROUND
                             && ((is_in (c, c->arm, p) && *has_arm)
                                 || (is_in (c, c->island, p) && *has_island))));
}

static const FsRect broad = { 55, 50, 95, 66 };

static void
test_takes_what_leans_on_the_mask (void)
{
  static const struct {
    FsRect arm;
    gboolean is_taken;
  } cases[] = {
    { { 55, 50, 95, 66 }, TRUE },  { { 55, 50, 58, 61 }, TRUE }, /* 33 cells */
    { { 55, 50, 58, 60 }, FALSE },                               /* 30 */
    { { 55, 50, 95, 58 }, FALSE }, /* hangs on too little: 8 sides of 320 cells */
    { { 55, 35, 82, 80 }, FALSE }, /* 0.68 times the body */
    { { 55, 35, 78, 80 }, TRUE },  /* 0.57 */
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    Case c;
    gboolean has_arm, has_island;
    case_init (&c, 1, cases[i].arm);
    look (&c, &has_arm, &has_island);
    g_assert_cmpint (has_arm, ==, cases[i].is_taken);
    g_assert_false (has_island);
    case_clear (&c);
  }
}

/* A cell that seeds of both sides share is free in the cut by cells, but its seeds are not. */
static void
test_cells_of_several_pixels (void)
{
  Case c;
  gboolean has_arm, has_island;
  case_init (&c, 4, broad);
  int p = 58 * c.scale * c.w + 75 * c.scale;
  fs_seed_map_set_run (c.seeds, p / c.w, p % c.w, p % c.w + 1, FS_SEED_BACKGROUND);
  fs_seed_map_set_run (c.seeds, p / c.w, p % c.w + 1, p % c.w + 2, FS_SEED_OBJECT);
  look (&c, &has_arm, &has_island);
  g_assert_true (has_arm);
  g_assert_cmpint (c.mask[p], ==, 0);
  g_assert_cmpint (c.mask[p + 1], ==, 1);
  case_clear (&c);
}

/* What the stroke did not come near stays as it was. */
static void
test_keeps_the_former_mask (void)
{
  for (int near = 0; near < 2; near++) {
    Case c;
    gboolean has_arm, has_island;
    case_init (&c, 1, broad);
    uint32_t painted = near ? 49 * UNITS_W + 70 : 5 * UNITS_W + 5;
    g_assert_true (fs_energy_keep (c.energy, c.first, &painted, 1, NULL));
    look (&c, &has_arm, &has_island);
    g_assert_cmpint (has_arm, ==, near);
    case_clear (&c);
  }
}

/* What the colours of the mask's sides and of the strokes say, in plain doubles. */
static void
test_formula (void)
{
  Case c;
  case_init (&c, 1, broad);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int p = 0; p < c.w * c.h; p++)
    c.image->pixels[p] ^= ((uint32_t)g_rand_int_range (rand, 0, 64) << 8 & 0xfc00u);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  g_autoptr (FsEnergy) energy = fs_energy_new (c.image, &settings, NULL, NULL);
  fs_energy_fit (energy, c.seeds);
  g_autoptr (FsSecondLook) look = fs_second_look_new_of_cells (energy, c.seeds, c.mask, NULL);
  g_assert_cmpint (fs_second_look_get_rounds (look), ==, 5);
  const FsGrid *grid = fs_second_look_get_grid (look);
  g_autofree RecipeTerm *strokes = recipe_terms (c.image, c.seeds, RECIPE_STROKES);
  g_autofree double *whole = recipe_whole_terms (c.image, c.mask, 0.9, 3e-5);
  double mean = 0;
  int n = 0;
  for (int p = 0; p < c.w * c.h; p++) {
    if (c.seeds->label[p] != FS_SEED_NONE)
      continue;
    double off = fabs ((double)grid->tlink[p] / FS_NAT_SCALE - whole[p] - 0.6 * strokes[p].ratio);
    g_assert_cmpfloat (off, <=, 0.6);
    mean += off;
    n++;
  }
  g_assert_cmpfloat (mean / n, <=, 0.06);
  case_clear (&c);
}

static void
test_when_they_are_looked_for (void)
{
  g_autoptr (FsImage) image = fs_image_new (100, 100);
  static const struct {
    int n_object, n_background;
    gboolean star, is_looked_for;
  } cases[] = {
    { 40, 40, TRUE, TRUE }, { 40, 39, TRUE, FALSE },  { 80, 0, TRUE, FALSE },
    { 0, 80, TRUE, FALSE }, { 90, 90, FALSE, FALSE }, { 99, 1, TRUE, TRUE },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (100, 100);
    if (cases[i].n_object > 0)
      fs_seed_map_set_run (seeds, 20, 0, cases[i].n_object, FS_SEED_OBJECT);
    if (cases[i].n_background > 0)
      fs_seed_map_set_run (seeds, 70, 0, cases[i].n_background, FS_SEED_BACKGROUND);
    FsSettings settings = FS_SETTINGS_DEFAULT;
    settings.star = cases[i].star;
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    fs_energy_fit (energy, seeds);
    g_assert_cmpint (fs_missed_parts_are_looked_for (energy, seeds), ==, cases[i].is_looked_for);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/missed-parts/takes-what-leans-on-the-mask", test_takes_what_leans_on_the_mask);
  g_test_add_func ("/missed-parts/cells-of-several-pixels", test_cells_of_several_pixels);
  g_test_add_func ("/missed-parts/keeps-the-former-mask", test_keeps_the_former_mask);
  g_test_add_func ("/missed-parts/formula", test_formula);
  g_test_add_func ("/missed-parts/when-they-are-looked-for", test_when_they_are_looked_for);
  return g_test_run ();
}
