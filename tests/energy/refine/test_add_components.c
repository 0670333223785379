/* SPDX-License-Identifier: MIT */
/* Components that a refinement of the whole photo adds to a mask, and its energy. */
#include "energy/refine/add_components.h"

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
refine_cells (Case *c, gboolean *has_arm, gboolean *has_island)
{
  g_autoptr (FsRefinement) refinement =
      fs_refinement_new_of_cells (c->energy, c->seeds, c->mask, NULL);
  FsGrid *grid = fs_refinement_get_grid (refinement);
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
  g_assert_true (fs_refinement_add_components (refinement, cells, c->mask, NULL));
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
test_takes_what_borders_the_mask (void)
{
  static const struct {
    FsRect arm;
    gboolean is_taken;
  } cases[] = {
    { { 55, 50, 95, 66 }, TRUE },  { { 55, 50, 59, 58 }, TRUE }, /* 32 cells */
    { { 55, 45, 56, 76 }, FALSE },                               /* 31 */
    { { 55, 50, 95, 58 }, FALSE }, /* hangs on too little: 8 sides of 320 cells */
    { { 55, 35, 82, 80 }, FALSE }, /* 0.68 times the body */
    { { 55, 35, 78, 80 }, TRUE },  /* 0.57 */
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    Case c;
    gboolean has_arm, has_island;
    case_init (&c, 1, cases[i].arm);
    refine_cells (&c, &has_arm, &has_island);
    g_assert_cmpint (has_arm, ==, cases[i].is_taken);
    g_assert_false (has_island);
    case_clear (&c);
  }
}

/* An arm of a colour of its own, which a part of the body has too, or none. */
static void
colour_arm (Case *c, gboolean body_too)
{
  static const FsRect part = { 15, 35, 30, 80 };
  for (int p = 0; p < c->w * c->h; p++)
    if (is_in (c, c->arm, p) || (body_too && is_in (c, part, p)))
      c->image->pixels[p] = 0xfff2f202u;
  fs_energy_free (c->energy);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
  fs_energy_fit (c->energy, c->seeds);
}

/* The border gets no cheaper: between body and arm is an edge as clear as round the arm. But the
 * colour is the object's beyond doubt. */
static void
test_sure_colours_need_no_gain (void)
{
  Case c;
  gboolean has_arm, has_island;
  case_init (&c, 1, broad);
  colour_arm (&c, TRUE);
  refine_cells (&c, &has_arm, &has_island);
  g_assert_true (has_arm);
  case_clear (&c);
}

/* The ground alone has the arm's colour, whatever the rounds made of it. */
static void
test_refuses_colours_of_the_ground (void)
{
  Case c;
  case_init (&c, 1, broad);
  colour_arm (&c, FALSE);
  size_t n = (size_t)c.w * (size_t)c.h;
  g_autoptr (FsRefinement) refinement =
      fs_refinement_new_of_cells (c.energy, c.seeds, c.mask, NULL);
  g_autofree uint8_t *cells = g_memdup2 (c.first, n);
  for (size_t p = 0; p < n; p++)
    cells[p] |= (uint8_t)is_in (&c, c.arm, (int)p);
  g_assert_true (fs_refinement_add_components (refinement, cells, c.mask, NULL));
  g_assert_cmpmem (c.mask, n, c.first, n);
  case_clear (&c);
}

/* Whether a hole in the body becomes part of the mask, in a photo of one colour but for its right
 * part; on strokes of the ground there are both. */
static gboolean
fills (FsRect hole, FsRect other_hole, int x_other)
{
  Case c;
  case_init (&c, 1, broad);
  paint (&c, (FsCapsule){ 80, 10, 115, 10, 2 }, FS_SEED_BACKGROUND);
  size_t n = (size_t)c.w * (size_t)c.h;
  g_autofree uint8_t *cells = g_memdup2 (c.first, n);
  for (int p = 0; p < (int)n; p++) {
    c.image->pixels[p] = p % c.w < x_other ? 0xffc28262u : 0xff324262u;
    c.first[p] = c.first[p] && !is_in (&c, hole, p) && !is_in (&c, other_hole, p);
    cells[p] = c.first[p] || is_in (&c, hole, p);
  }
  memcpy (c.mask, c.first, n);
  fs_energy_free (c.energy);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  c.energy = fs_energy_new (c.image, &settings, NULL, NULL);
  fs_energy_fit (c.energy, c.seeds);
  g_autoptr (FsRefinement) refinement =
      fs_refinement_new_of_cells (c.energy, c.seeds, c.mask, NULL);
  g_assert_true (fs_refinement_add_components (refinement, cells, c.mask, NULL));
  gboolean is_filled = c.mask[hole.y0 * c.w + hole.x0];
  g_assert_cmpmem (c.mask, n, is_filled ? cells : c.first, n);
  case_clear (&c);
  return is_filled;
}

/* A hole in the right side: its border is dear, but a photo of one colour says nothing for it. */
static void
test_needs_colours (void)
{
  static const FsRect hole = { 40, 50, 55, 66 }, none = { 0, 0, 0, 0 };
  g_assert_false (fills (hole, none, UNITS_W));
  g_assert_true (fills (hole, none, 60));
}

/* A hole in the upper right corner has as much of the mask about it as of the rest; a lip of the
 * body over it, of some cells, makes the difference. */
static void
test_needs_gain (void)
{
  for (int lip = 0; lip < 4; lip++) {
    const FsRect hole = { 39, 36, 55, 52 }, above = { 39 + lip, 35, 55, 36 };
    g_assert_cmpint (fills (hole, above, 60), ==, lip > 1);
  }
}

/* A strip along the body's side, 3.6 times the root of its cells long, needs less of a lip. */
static void
test_a_long_side_needs_less_gain (void)
{
  for (int lip = 0; lip < 3; lip++) {
    const FsRect hole = { 51, 36, 55, 78 }, above = { 51 + lip, 35, 55, 36 };
    g_assert_cmpint (fills (hole, above, 60), ==, lip > 0);
  }
}

static double
distance_to_seed (const FsSeedMap *seeds, int x, int y, gboolean background)
{
  double min = INFINITY;
  for (int i = 0; i < seeds->width * seeds->height; i++)
    if (seeds->label[i] != FS_SEED_NONE && (seeds->label[i] == FS_SEED_BACKGROUND) == background)
      min = fmin (min, hypot (i % seeds->width - x, i / seeds->width - y));
  return min;
}

static void
test_guess (void)
{
  Case c;
  case_init (&c, 1, broad);
  g_autoptr (FsRefinement) refinement =
      fs_refinement_new_of_cells (c.energy, c.seeds, c.mask, NULL);
  g_autofree uint8_t *cells = g_malloc ((gsize)c.w * (gsize)c.h);
  fs_refinement_guess_cells (refinement, cells);
  for (int y = 0; y < c.h; y += 3)
    for (int x = 0; x < c.w; x += 3)
      g_assert_cmpint (cells[y * c.w + x], ==,
                       distance_to_seed (c.seeds, x, y, FALSE)
                           < distance_to_seed (c.seeds, x, y, TRUE));
  case_clear (&c);
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
  refine_cells (&c, &has_arm, &has_island);
  g_assert_true (has_arm);
  g_assert_cmpint (c.mask[p], ==, 0);
  g_assert_cmpint (c.mask[p + 1], ==, 1);
  case_clear (&c);
}

/* What the stroke did not come near stays as it was. */
static void
test_keeps_the_previous_mask (void)
{
  for (int near = 0; near < 2; near++) {
    Case c;
    gboolean has_arm, has_island;
    case_init (&c, 1, broad);
    uint32_t painted = near ? 49 * UNITS_W + 70 : 5 * UNITS_W + 5;
    g_assert_true (fs_energy_set_mask_prior (c.energy, c.first, &painted, 1, NULL));
    refine_cells (&c, &has_arm, &has_island);
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
  g_autoptr (FsRefinement) refinement = fs_refinement_new_of_cells (energy, c.seeds, c.mask, NULL);
  g_assert_cmpint (fs_refinement_get_rounds (refinement), ==, 5);
  const FsGrid *grid = fs_refinement_get_grid (refinement);
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
    g_assert_cmpint (fs_energy_may_add_components (energy, seeds), ==, cases[i].is_looked_for);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/add-components/takes-what-borders-the-mask", test_takes_what_borders_the_mask);
  g_test_add_func ("/add-components/sure-colours-need-no-gain", test_sure_colours_need_no_gain);
  g_test_add_func ("/add-components/refuses-colours-of-the-ground",
                   test_refuses_colours_of_the_ground);
  g_test_add_func ("/add-components/needs-colours", test_needs_colours);
  g_test_add_func ("/add-components/needs-gain", test_needs_gain);
  g_test_add_func ("/add-components/a-long-side-needs-less-gain", test_a_long_side_needs_less_gain);
  g_test_add_func ("/add-components/guess", test_guess);
  g_test_add_func ("/add-components/cells-of-several-pixels", test_cells_of_several_pixels);
  g_test_add_func ("/add-components/keeps-the-previous-mask", test_keeps_the_previous_mask);
  g_test_add_func ("/add-components/formula", test_formula);
  g_test_add_func ("/add-components/when-they-are-looked-for", test_when_they_are_looked_for);
  return g_test_run ();
}
