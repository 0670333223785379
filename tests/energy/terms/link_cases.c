/* SPDX-License-Identifier: MIT */
#include "tests/energy/terms/link_cases.h"

#include "energy/implicit_links.h"
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/system/checked_memory.h"
#include "tests/energy/geodesic/geodesic_cases.h"

#include <string.h>

static FsSettings
random_settings (GRand *rand)
{
  static const double SMOOTHNESS[] = { 1, 0, 0.3, 4, FS_SMOOTHNESS_MAX };
  return (FsSettings){ .neighbours = g_rand_boolean (rand) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4,
                       .smoothness = SMOOTHNESS[g_rand_int_range (rand, 0, 5)],
                       .model = (FsModelKind)g_rand_int_range (rand, 0, FS_N_MODELS),
                       .star = g_rand_boolean (rand),
                       .stability = TRUE };
}

/* What the planes of the seeds are, as the models stand. */
static gboolean
fill (FsGrid *grid, gpointer data, GError **error)
{
  FsLinkCase *c = data;
  const FsGrid *from = fs_energy_get_grid (c->energy);
  if (!fs_energy_need_planes (c->energy, c->seeds, error))
    return FALSE;
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    grid->nlink[d] = from->nlink[d];
  memcpy (grid->tlink, from->tlink, fs_grid_n_pixels (grid) * sizeof *grid->tlink);
  c->n_fills++;
  return TRUE;
}

static void
make_solver (FsLinkCase *c)
{
  const FsGrid *grid = fs_energy_get_grid (c->energy);
  size_t n = fs_grid_n_pixels (grid);
  g_autoptr (GError) error = NULL;
  FsLinkSource source;
  fs_solver_free (c->solver);
  g_free (c->grid.tlink);
  g_free (c->grid.star);
  c->grid =
      (FsGrid){ .width = grid->width, .height = grid->height, .neighbours = grid->neighbours };
  c->grid.tlink = g_new (int32_t, n);
  memset (c->grid.tlink, 0x5a, n * sizeof *c->grid.tlink);
  c->grid.star = grid->star ? g_memdup2 (grid->star, n) : NULL;
  fs_energy_fill_link_source (c->energy, c->seeds, &source);
  c->solver = fs_solver_new_built (&fs_backend_cuda, &c->grid, &source,
                                   (FsPlaneOwner){ .fill = fill, .data = c }, &error);
  g_assert_no_error (error);
}

/* With what is kept already. */
static void
fill_both (FsLinkCase *c)
{
  fs_energy_fill_grid (c->energy, c->seeds);
  fs_energy_fill_grid (c->plain, c->seeds);
}

static void
fit (FsLinkCase *c)
{
  fs_energy_fit (c->energy, c->seeds);
  fs_energy_fit (c->plain, c->seeds);
  fs_energy_set_mask_prior (c->energy, NULL, NULL, 0, NULL);
  fs_energy_set_mask_prior (c->plain, NULL, NULL, 0, NULL);
  fill_both (c);
}

static FsGuess *
random_finished_mask (GRand *rand, int width, int height)
{
  g_autofree uint16_t *plane = g_new (uint16_t, (size_t)width * (size_t)height);
  int run = g_rand_int_range (rand, 1, width * height / 4 + 2);
  for (int i = 0; i < width * height; i++)
    plane[i] = i % run == 0 ? (g_rand_boolean (rand) ? UINT16_MAX : 0) : plane[i - 1];
  return fs_guess_new (plane, width, height, width, height);
}

/* A finished mask, blots, or noise; of any size up to somewhat more than the photo's. */
static FsGuess *
random_guess (GRand *rand, int width, int height)
{
  if (g_rand_int_range (rand, 0, 3) == 0)
    return random_finished_mask (rand, width, height);
  int w = g_rand_int_range (rand, 1, width + 10), h = g_rand_int_range (rand, 1, height + 10);
  g_autofree uint16_t *plane = g_new (uint16_t, (size_t)w * (size_t)h);
  int run = 1 + (g_rand_boolean (rand) ? w * h / 8 : 0);
  for (int i = 0; i < w * h; i++)
    plane[i] = i % run == 0 ? (uint16_t)g_rand_int_range (rand, 0, UINT16_MAX + 1) : plane[i - 1];
  return fs_guess_new (plane, w, h, width, height);
}

/* What is bright in the photo, and never certain: its border is where the photo has edges. */
static FsGuess *
guess_by_brightness (const FsImage *image)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  g_autofree uint16_t *plane = g_new (uint16_t, n);
  for (size_t i = 0; i < n; i++)
    plane[i] = (uint16_t)(20000 + 100 * FS_PIXEL_G (image->pixels[i]));
  return fs_guess_new (plane, image->width, image->height, image->width, image->height);
}

static void
guess_now_and_then (FsLinkCase *c, GRand *rand)
{
  g_autoptr (FsGuess) guess = g_rand_boolean (rand)
                                  ? guess_by_brightness (c->image)
                                  : random_guess (rand, c->image->width, c->image->height);
  if (g_rand_int_range (rand, 0, 3) == 0)
    g_clear_pointer (&guess, fs_guess_unref);
  g_assert_true (fs_energy_set_guess (c->energy, guess, NULL));
  g_assert_true (fs_energy_set_guess (c->plain, guess, NULL));
}

void
fs_link_case_init (FsLinkCase *c, GRand *rand, int width, int height)
{
  FsSettings settings = random_settings (rand);
  *c = (FsLinkCase){ .image = fs_case_image (rand, width, height),
                     .seeds = fs_seed_map_new (width, height) };
  c->pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  c->tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  c->star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  c->energy = g_rand_boolean (rand) ? fs_energy_new_implicit (c->image, &settings, NULL, NULL)
                                    : fs_energy_new (c->image, &settings, NULL, NULL);
  c->plain = fs_energy_new (c->image, &settings, NULL, NULL);
  guess_now_and_then (c, rand);
  for (int i = g_rand_int_range (rand, 0, 4); i > 0; i--)
    fs_case_edit (rand, c->seeds, c->pixels);
  fit (c);
  make_solver (c);
}

void
fs_link_case_clear (FsLinkCase *c)
{
  fs_solver_free (c->solver);
  fs_energy_free (c->energy);
  fs_energy_free (c->plain);
  fs_seed_map_free (c->seeds);
  fs_image_unref (c->image);
  g_free (c->grid.tlink);
  g_free (c->grid.star);
  g_array_unref (c->pixels);
  g_array_unref (c->tlinks);
  g_array_unref (c->star);
}

/* --- Edits --- */

static const void *
list_of (const GArray *array)
{
  return array->data;
}

/* Sets what was extended in an energy's own planes. */
static void
set_planes (FsEnergy *energy, const FsLinkCase *c)
{
  FsGrid *grid = fs_energy_get_grid (energy);
  const FsTlinkChange *tlinks = list_of (c->tlinks);
  const FsStarChange *star = list_of (c->star);
  for (guint i = 0; i < c->tlinks->len; i++)
    grid->tlink[tlinks[i].pixel] = tlinks[i].tlink;
  for (guint i = 0; i < c->star->len; i++)
    grid->star[star[i].pixel] = star[i].star;
}

/* Demands the same changes of the energy that has planes. */
static void
extend_plain (FsLinkCase *c)
{
  g_autoptr (GArray) tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  g_autoptr (GArray) star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  fs_energy_extend (c->plain, c->seeds, list_of (c->pixels), c->pixels->len, tlinks, star);
  g_assert_cmpuint (tlinks->len, ==, c->tlinks->len);
  g_assert_cmpuint (star->len, ==, c->star->len);
  for (guint i = 0; i < tlinks->len; i++) {
    FsTlinkChange a = g_array_index (tlinks, FsTlinkChange, i);
    FsTlinkChange b = g_array_index (c->tlinks, FsTlinkChange, i);
    g_assert_true (a.pixel == b.pixel && a.tlink == b.tlink);
  }
}

/* Seeds are passed as spans, or as t-links. */
static void
change_solver (FsLinkCase *c, GRand *rand)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (FsFixedSpan));
  gboolean all = fs_energy_list_fixed (c->seeds, list_of (c->pixels), c->pixels->len, spans);
  if (all && fs_solver_builds (c->solver) && g_rand_int_range (rand, 0, 4) > 0) {
    g_assert_true (fs_solver_fix_tlinks (c->solver, list_of (spans), spans->len, NULL));
    c->n_fixed++;
    return;
  }
  g_assert_true (fs_solver_change_tlinks (c->solver, list_of (c->tlinks), c->tlinks->len, NULL));
}

void
fs_link_case_paint (FsLinkCase *c, GRand *rand)
{
  g_array_set_size (c->pixels, 0);
  fs_case_edit (rand, c->seeds, c->pixels);
  fs_energy_extend (c->energy, c->seeds, list_of (c->pixels), c->pixels->len, c->tlinks, c->star);
  extend_plain (c);
  set_planes (c->energy, c);
  set_planes (c->plain, c);
  change_solver (c, rand);
  if (c->star->len > 0)
    g_assert_true (fs_solver_change_star (c->solver, list_of (c->star), c->star->len, NULL));
}

static uint8_t *
random_mask (GRand *rand, size_t n)
{
  uint8_t *mask = g_malloc (n);
  for (size_t i = 0, run = 0; i < n; i++) {
    if (run-- == 0) {
      run = (size_t)g_rand_int_range (rand, 0, 40);
      mask[i] = (uint8_t)g_rand_int_range (rand, 0, 2);
    } else {
      mask[i] = mask[i - 1];
    }
  }
  return mask;
}

static void
keep (FsLinkCase *c, GRand *rand)
{
  size_t n = fs_grid_n_pixels (&c->grid);
  FsEnergy *energies[] = { c->energy, c->plain };
  g_autofree uint8_t *previous = random_mask (rand, n);
  g_autofree uint8_t *mask = g_rand_boolean (rand) ? random_mask (rand, n) : NULL;
  for (int i = 0; i < 2; i++) {
    fs_energy_set_mask_prior (energies[i], previous, list_of (c->pixels), c->pixels->len, NULL);
    if (mask)
      fs_energy_filter_changes (energies[i], mask, c->tlinks, NULL);
  }
}

void
fs_link_case_fit (FsLinkCase *c, GRand *rand)
{
  FsLinkSource source;
  guess_now_and_then (c, rand);
  fit (c);
  if (g_rand_boolean (rand))
    keep (c, rand);
  fill_both (c);
  fs_energy_fill_link_source (c->energy, c->seeds, &source);
  const FsGrid *grid = fs_energy_get_grid (c->plain);
  if (fs_solver_builds (c->solver))
    g_assert_true (fs_solver_rebuild_tlinks (c->solver, &source, NULL));
  else
    g_assert_true (fs_solver_replace_tlinks (c->solver, grid->tlink, NULL));
  if (grid->star)
    g_assert_true (fs_solver_replace_star (c->solver, grid->star, NULL));
}

/* --- Checks --- */

void
fs_link_case_check_state (FsLinkCase *c)
{
  const FsGrid *grid = fs_energy_get_grid (c->plain);
  size_t n = fs_grid_n_pixels (grid);
  g_autofree int32_t *excess = g_new (int32_t, n);
  g_autofree uint16_t *residuals = g_new (uint16_t, FS_N_DIRECTIONS * n);
  uint16_t *residual[FS_N_DIRECTIONS];
  for (size_t d = 0; d < FS_N_DIRECTIONS; d++)
    residual[d] = residuals + d * n;
  fs_solver_read_state (c->solver, 0, grid->height, excess, residual);
  g_assert_cmpmem (excess, n * sizeof *excess, grid->tlink, n * sizeof *grid->tlink);
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    for (size_t p = 0; p < n; p++)
      if (fs_grid_has_neighbour (grid, (int)(p % (size_t)grid->width),
                                 (int)(p / (size_t)grid->width), (FsDirection)d))
        g_assert_cmpint (residual[d][p], ==, fs_grid_capacity (grid, p, d));
      else
        g_assert_cmpint (residual[d][p], ==, 0);
  g_assert_cmpint (c->n_fills, ==, 0);
}

static uint8_t *
mask_of (FsSolver *solver)
{
  const FsGrid *grid = solver->grid;
  uint8_t *mask = g_malloc (fs_grid_n_pixels (grid));
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
  return mask;
}

void
fs_link_case_check_mask (FsLinkCase *c)
{
  FsGrid *grid = fs_energy_get_grid (c->plain);
  size_t n = fs_grid_n_pixels (grid);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSolver) cpu = fs_solver_new (&fs_backend_cpu, grid, NULL);
  FsSolution solution, expected;
  g_assert_true (fs_solver_solve (c->solver, NULL, &solution, &error));
  g_assert_no_error (error);
  g_assert_true (fs_solver_solve (cpu, NULL, &expected, NULL));
  g_assert_cmpint (solution.energy, ==, expected.energy);
  g_assert_true (solution.exact);
  g_autofree uint8_t *mask = mask_of (c->solver), *other = mask_of (cpu);
  g_assert_cmpmem (mask, n, other, n);
}
