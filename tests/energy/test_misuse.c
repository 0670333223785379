/* SPDX-License-Identifier: MIT */
/* The installed headers called as they should not be: refused, and nothing is read or written past
 * an end, which a build with AddressSanitizer sees. */
#include "energy/energy.h"
#include "solver/certificate.h"
#include "solver/graph/graph_solver.h"
#include "solver/solver.h"

#include <math.h>
#include <string.h>

enum { W = 13, H = 9, N = W * H };

/* The call is refused with a warning for the programmer. */
#define REFUSED(call)                                                                              \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_test_expect_message (NULL, G_LOG_LEVEL_CRITICAL, "*assertion*failed*");                      \
    call;                                                                                          \
    g_test_assert_expected_messages ();                                                            \
  }                                                                                                \
  G_STMT_END

/* --- settings and images --- */

static void
refuse_settings (FsImage *image, FsSettings settings)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_settings_are_valid (&settings));
  g_assert_null (fs_energy_new (image, &settings, NULL, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
}

static void
test_settings (void)
{
  g_autoptr (FsImage) image = fs_image_new (W, H);
  const double smoothnesses[] = { NAN, INFINITY, -INFINITY, -1e-9, 100.001, 1e300 };
  const int models[] = { FS_N_MODELS, -1, 4711, G_MAXINT }, neighbours[] = { 0, 1, 5, 16, -8 };
  FsModelKind kind;
  for (guint i = 0; i < G_N_ELEMENTS (smoothnesses); i++) {
    FsSettings settings = FS_SETTINGS_DEFAULT;
    settings.smoothness = smoothnesses[i];
    refuse_settings (image, settings);
  }
  for (guint i = 0; i < G_N_ELEMENTS (models); i++) {
    FsSettings settings = FS_SETTINGS_DEFAULT;
    settings.model = (FsModelKind)models[i];
    refuse_settings (image, settings);
    REFUSED (g_assert_null (fs_model_name ((FsModelKind)models[i])));
  }
  for (guint i = 0; i < G_N_ELEMENTS (neighbours); i++) {
    FsSettings settings = FS_SETTINGS_DEFAULT;
    settings.neighbours = (FsNeighbours)neighbours[i];
    refuse_settings (image, settings);
  }
  FsSettings usual = FS_SETTINGS_DEFAULT;
  g_assert_true (fs_settings_are_valid (&usual));
  g_assert_false (fs_model_from_name ("", &kind));
  REFUSED (g_assert_false (fs_model_from_name (NULL, &kind)));
  REFUSED (g_assert_false (fs_settings_equal (&usual, NULL)));
  REFUSED (g_assert_null (fs_energy_new (NULL, &usual, NULL, NULL)));
  REFUSED (g_assert_null (fs_energy_new (image, NULL, NULL, NULL)));
}

static void
test_images (void)
{
  REFUSED (g_assert_null (fs_image_new (0, H)));
  REFUSED (g_assert_null (fs_image_new (W, -1)));
  g_assert_null (fs_image_new (65536, 65536));
  g_assert_null (fs_image_new (G_MAXINT, G_MAXINT));
  REFUSED (g_assert_null (fs_image_ref (NULL)));
  fs_image_unref (NULL);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  g_autoptr (FsImage) image = fs_image_new (W, H);
  const FsImage whole = *image;
  g_autoptr (GError) error = NULL;
  image->width = 0;
  g_assert_null (fs_energy_new (image, &settings, NULL, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
  *image = whole;
}

/* --- seed maps --- */

static void
test_seed_maps (void)
{
  REFUSED (g_assert_null (fs_seed_map_new (0, 1)));
  REFUSED (g_assert_null (fs_seed_map_new (1, -1)));
  g_assert_null (fs_seed_map_new (G_MAXINT, G_MAXINT));
  fs_seed_map_free (NULL);
  g_autoptr (FsSeedMap) map = fs_seed_map_new (W, H);
  g_autoptr (FsSeedMap) other = fs_seed_map_new (W + 1, H);
  g_autoptr (GArray) bytes = g_array_new (FALSE, FALSE, 1);
  const FsCapsule dab = { 3, 3, 4, 4, 2 };
  REFUSED (fs_seed_map_set_run (map, -1, 0, 1, 1));
  REFUSED (fs_seed_map_set_run (map, H, 0, 1, 1));
  REFUSED (fs_seed_map_set_run (map, 0, -1, 1, 1));
  REFUSED (fs_seed_map_set_run (map, H - 1, 0, W + 1, 1));
  REFUSED (fs_seed_map_set_run (NULL, 0, 0, 1, 1));
  fs_seed_map_set_run (map, 0, 5, 2, 1); /* no pixels */
  REFUSED (fs_seed_map_set (map, NULL));
  REFUSED (fs_seed_map_copy (map, other));
  REFUSED (fs_seed_map_copy (map, NULL));
  REFUSED (fs_seed_map_paint (NULL, &dab, 1, NULL, NULL));
  REFUSED (fs_seed_map_paint (map, NULL, 1, NULL, NULL));
  REFUSED (fs_seed_map_paint (map, &dab, 1, NULL, bytes));
  g_assert_cmpint (map->n_seeds[FS_SEED_NONE], ==, N);
}

/* Wherever the numbers lie, no pixel outside is painted; where one is none, no pixel at all. */
static void
test_capsules (void)
{
  const double numbers[] = { 0, 3.5, -1e9, 1e9, 1e18, -1e300, 1e300, NAN, INFINITY, -INFINITY };
  enum { N_FINITE = 7, N_NUMBERS = G_N_ELEMENTS (numbers) };
  g_autoptr (FsSeedMap) map = fs_seed_map_new (W, H);
  const FsRect far = { -9, -9, 99, 99 };
  for (int i = 0; i < N_NUMBERS * N_NUMBERS * N_NUMBERS; i++) {
    int a = i % N_NUMBERS, b = i / N_NUMBERS % N_NUMBERS, c = i / N_NUMBERS / N_NUMBERS;
    FsCapsule capsule = { numbers[a], numbers[b], numbers[b], 2, fabs (numbers[c]) };
    int64_t before = map->n_seeds[FS_SEED_NONE];
    if (MAX (MAX (a, b), c) < N_FINITE) {
      fs_seed_map_paint (map, &capsule, (uint8_t)i, i % 2 ? &far : NULL, NULL);
      continue;
    }
    REFUSED (fs_seed_map_paint (map, &capsule, (uint8_t)i, NULL, NULL));
    g_assert_cmpint (map->n_seeds[FS_SEED_NONE], ==, before);
  }
  int64_t sum = 0;
  for (int label = 0; label <= FS_SEED_MAX; label++)
    sum += map->n_seeds[label];
  g_assert_cmpint (sum, ==, N);
}

/* --- energies --- */

typedef struct {
  FsImage *image;
  FsSeedMap *seeds, *small, *large;
  FsEnergy *energy;
  GArray *tlinks, *star, *bytes;
} Case;

static void
case_init (Case *c, FsModelKind model)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.model = model;
  c->image = fs_image_new (W, H);
  for (int i = 0; i < N; i++)
    c->image->pixels[i] = 0xff000000u + (uint32_t)i * 0x30517u;
  c->seeds = fs_seed_map_new (W, H);
  c->small = fs_seed_map_new (W - 3, H - 3);
  c->large = fs_seed_map_new (W + 40, H + 40);
  fs_seed_map_set_run (c->seeds, 2, 2, 4, FS_SEED_OBJECT);
  fs_seed_map_set_run (c->seeds, 7, 2, 9, FS_SEED_BACKGROUND);
  c->energy = fs_energy_new (c->image, &settings, NULL, NULL);
  c->tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  c->star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  c->bytes = g_array_new (FALSE, FALSE, 1);
}

static void
case_clear (Case *c)
{
  fs_energy_free (c->energy);
  fs_seed_map_free (c->seeds);
  fs_seed_map_free (c->small);
  fs_seed_map_free (c->large);
  fs_image_unref (c->image);
  g_array_unref (c->tlinks);
  g_array_unref (c->star);
  g_array_unref (c->bytes);
}

static void
check_seeds_of_another_size (const Case *c, const FsSeedMap *seeds)
{
  const uint32_t pixel = 3;
  g_autofree int32_t *tlinks = g_new0 (int32_t, N);
  g_autofree uint8_t *parents = g_malloc0 (N);
  REFUSED (fs_energy_fit (c->energy, seeds));
  REFUSED (fs_energy_fill_tlinks (c->energy, seeds, tlinks));
  REFUSED (fs_energy_fill_grid (c->energy, seeds));
  REFUSED (fs_energy_extend (c->energy, seeds, &pixel, 1, c->tlinks, c->star));
  if (fs_energy_has_star (c->energy))
    REFUSED (fs_energy_fill_star (c->energy, seeds, parents));
}

static void
check_pixels (const Case *c)
{
  const uint32_t beyond = N, far = UINT32_MAX;
  g_autofree uint8_t *previous = g_malloc0 (N);
  REFUSED (fs_energy_tlink (c->energy, beyond, FS_SEED_NONE));
  REFUSED (fs_energy_tlink (c->energy, far, FS_SEED_OBJECT));
  REFUSED (fs_energy_extend (c->energy, c->seeds, &beyond, 1, c->tlinks, c->star));
  REFUSED (fs_energy_extend (c->energy, c->seeds, &far, 1, c->tlinks, c->star));
  REFUSED (fs_energy_extend (c->energy, c->seeds, NULL, 1, c->tlinks, c->star));
  REFUSED (fs_energy_extend (c->energy, c->seeds, &beyond, 0, c->bytes, c->star));
  REFUSED (fs_energy_extend (c->energy, c->seeds, &beyond, 0, c->tlinks, NULL));
  REFUSED (g_assert_false (fs_energy_set_mask_prior (c->energy, previous, &beyond, 1, NULL)));
  REFUSED (g_assert_false (fs_energy_set_mask_prior (c->energy, previous, NULL, 1, NULL)));
  REFUSED (g_assert_false (fs_energy_filter_changes (c->energy, previous, c->tlinks, NULL)));
  fs_energy_restore (c->energy, previous); /* nothing is kept */
}

/* With stability on, as kept with this mask. g_free. */
static int32_t *
tlinks_kept (const Case *c, const uint8_t *mask)
{
  const uint32_t painted = 5;
  int32_t *tlinks = g_new0 (int32_t, N);
  g_assert_true (fs_energy_set_mask_prior (c->energy, mask, &painted, 1, NULL));
  fs_energy_fill_tlinks (c->energy, c->seeds, tlinks);
  g_assert_true (fs_energy_set_mask_prior (c->energy, NULL, NULL, 0, NULL));
  return tlinks;
}

static void
check_what_is_kept (const Case *c, const uint8_t *mask)
{
  g_autofree uint8_t *ones = g_malloc0 (N);
  for (int i = 0; i < N; i++)
    ones[i] = mask[i] != 0;
  g_autofree int32_t *kept = tlinks_kept (c, mask), *same = tlinks_kept (c, ones);
  g_assert_cmpmem (kept, N * sizeof *kept, same, N * sizeof *same);
}

/* Masks of 0 and 255, as most programs have them, are masks too. */
static void
check_masks (const Case *c)
{
  const uint32_t painted = 5;
  g_autofree uint8_t *mask = g_malloc0 (N);
  memset (mask, 255, N / 2);
  if (fs_energy_can_fit_mask (c->energy))
    fs_energy_fit_mask (c->energy, mask);
  else
    REFUSED (fs_energy_fit_mask (c->energy, mask));
  g_assert_true (fs_energy_set_mask_prior (c->energy, mask, &painted, 1, NULL));
  REFUSED (g_assert_false (fs_energy_filter_changes (c->energy, NULL, c->tlinks, NULL)));
  REFUSED (g_assert_false (fs_energy_filter_changes (c->energy, mask, c->bytes, NULL)));
  g_assert_true (fs_energy_filter_changes (c->energy, mask, c->tlinks, NULL));
  g_assert_true (fs_energy_set_mask_prior (c->energy, NULL, NULL, 0, NULL));
  check_what_is_kept (c, mask);
}

static void
check_guess_of_another_size (const Case *c)
{
  const uint16_t plane[4] = { 0, 65535, 0, 65535 };
  g_autoptr (FsGuess) wider = fs_guess_new (plane, 2, 2, W + 1, H);
  g_autoptr (FsGuess) fitting = fs_guess_new (plane, 2, 2, W, H);
  REFUSED (g_assert_false (fs_energy_set_guess (c->energy, wider, NULL)));
  REFUSED (g_assert_false (fs_energy_set_guess (NULL, fitting, NULL)));
  g_assert_true (fs_energy_set_guess (c->energy, fitting, NULL));
  g_assert_true (fs_energy_set_guess (c->energy, NULL, NULL));
}

static void
check_nothing (const Case *c)
{
  REFUSED (g_assert_null (fs_energy_new_sibling (NULL, NULL)));
  REFUSED (g_assert_null (fs_energy_get_grid (NULL)));
  REFUSED (fs_energy_fit (NULL, c->seeds));
  REFUSED (fs_energy_fit (c->energy, NULL));
  REFUSED (fs_energy_fill_grid (c->energy, NULL));
  REFUSED (fs_energy_fill_tlinks (c->energy, c->seeds, NULL));
  REFUSED (fs_energy_get_soft_tlink (NULL));
  REFUSED (fs_energy_knows (c->energy, FS_SEED_NONE));
  REFUSED (fs_energy_has_mask_prior (NULL));
  REFUSED (fs_energy_restore (c->energy, NULL));
  fs_energy_free (NULL);
}

/* Before anything was fitted, and again after. */
static void
test_energies (void)
{
  for (int model = 0; model < FS_N_MODELS; model++) {
    Case c;
    case_init (&c, (FsModelKind)model);
    for (int fitted = 0; fitted < 2; fitted++) {
      const uint32_t pixel = 3;
      check_seeds_of_another_size (&c, c.small);
      check_seeds_of_another_size (&c, c.large);
      check_pixels (&c);
      check_masks (&c);
      check_guess_of_another_size (&c);
      check_nothing (&c);
      fs_energy_fill_grid (c.energy, c.seeds);
      fs_energy_extend (c.energy, c.seeds, &pixel, 1, c.tlinks, c.star);
      g_assert_true (fs_grid_validate (fs_energy_get_grid (c.energy), NULL));
      fs_energy_fit (c.energy, c.seeds);
    }
    case_clear (&c);
  }
}

/* --- grids --- */

typedef struct {
  uint16_t nlink[FS_N_DIRECTIONS][N];
  int32_t tlink[N];
  uint8_t star[N];
  FsGrid grid;
} MadeGrid;

static MadeGrid *
made_grid_new (FsNeighbours neighbours)
{
  MadeGrid *made = g_new0 (MadeGrid, 1);
  made->grid = (FsGrid){ .width = W, .height = H, .neighbours = neighbours, .tlink = made->tlink };
  memset (made->star, FS_STAR_NONE, N);
  for (int d = 0; d < (neighbours == FS_NEIGHBOURS_8 ? 4 : 2); d++) {
    made->grid.nlink[d] = made->nlink[d];
    for (int p = 0; p < N; p++)
      if (fs_grid_has_neighbour (&made->grid, p % W, p / W, (FsDirection)d))
        made->nlink[d][p] = (uint16_t)(p + 1);
  }
  for (int p = 0; p < N; p++)
    made->tlink[p] = p % 7 - 3;
  return made;
}

static void
refuse_grid (FsGrid *grid)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_solver_new (&fs_backend_cpu, grid, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
}

/* Links that leave a grid at each of its sides. */
static void
test_grids (void)
{
  static const int outside[FS_N_DIRECTIONS][2] = {
    { W - 1, 4 }, { 5, H - 1 }, { W - 1, 0 }, { 0, 3 }
  };
  for (int neighbours = 4; neighbours <= 8; neighbours += 4) {
    g_autofree MadeGrid *made = made_grid_new ((FsNeighbours)neighbours);
    for (int d = 0; d < fs_grid_n_directions (&made->grid); d++) {
      uint16_t *link = &made->nlink[d][outside[d][1] * W + outside[d][0]];
      *link = 1;
      refuse_grid (&made->grid);
      *link = 0;
    }
    made->grid.star = made->star;
    const int wrong[][2] = { { 0, 4 },           { W - 1, 0 },
                             { N - 1, 1 },       { 2 * W + 3, 8 },
                             { 2 * W + 3, 254 }, { N / 2, neighbours == 4 ? 2 : 9 } };
    for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
      made->star[wrong[i][0]] = (uint8_t)wrong[i][1];
      refuse_grid (&made->grid);
      made->star[wrong[i][0]] = FS_STAR_NONE;
    }
    REFUSED (g_assert_null (fs_solver_new (NULL, &made->grid, NULL)));
    REFUSED (g_assert_null (fs_solver_new (&fs_backend_cpu, NULL, NULL)));
  }
}

static void
check_rectangles (FsSolver *solver)
{
  g_autofree uint8_t *mask = g_malloc0 (N);
  int32_t excess[W];
  uint16_t row[W], *rows[FS_N_DIRECTIONS] = { row, row, row, row };
  REFUSED (fs_solver_read_mask (solver, -1, 0, W, H, mask, W));
  REFUSED (fs_solver_read_mask (solver, 0, 0, W + 1, H, mask, W));
  REFUSED (fs_solver_read_mask (solver, 1, 0, G_MAXINT, H, mask, W));
  REFUSED (fs_solver_read_mask (solver, 0, 1, W, H, mask, W));
  REFUSED (fs_solver_read_mask (solver, 0, 0, W, H, mask, W - 1));
  REFUSED (fs_solver_read_mask (solver, 0, 0, W, H, NULL, W));
  REFUSED (fs_solver_read_state (solver, H, 1, excess, rows));
  REFUSED (fs_solver_read_state (solver, -1, 1, excess, rows));
  REFUSED (fs_solver_read_state (solver, 0, 1, NULL, rows));
  REFUSED (fs_solver_take_changed_tiles (solver, NULL));
}

static void
test_solvers (void)
{
  g_autofree MadeGrid *made = made_grid_new (FS_NEIGHBOURS_8);
  made->grid.star = made->star;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &made->grid, NULL);
  g_assert_nonnull (solver);
  FsSolution solution;
  FsCertificate certificate;
  const FsTlinkChange tlinks[] = { { N, 1 }, { 0, FS_TLINK_MAX + 1 }, { 1, INT32_MIN } };
  const FsStarChange star[] = { { N, FS_STAR_NONE }, { 0, 4 }, { 3, 8 } };
  const FsNlinkChange nlink = { 0, 1, 1, FS_DIRECTION_E };
  for (int i = 0; i < 3; i++) {
    REFUSED (g_assert_false (fs_solver_change_tlinks (solver, &tlinks[i], 1, NULL)));
    REFUSED (g_assert_false (fs_solver_change_star (solver, &star[i], 1, NULL)));
  }
  REFUSED (g_assert_false (fs_solver_change_tlinks (solver, NULL, 1, NULL)));
  REFUSED (g_assert_false (fs_solver_replace_tlinks (solver, NULL, NULL)));
  REFUSED (g_assert_false (fs_solver_change_nlinks (solver, &nlink, 1, NULL)));
  check_rectangles (solver);
  REFUSED (g_assert_false (fs_solver_solve (solver, NULL, NULL, NULL)));
  REFUSED (g_assert_false (fs_solver_certify (NULL, &certificate, NULL)));
  REFUSED (fs_solver_set_threads (-1));
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL) && solution.exact);
  g_assert_true (fs_solver_certify (solver, &certificate, NULL) && certificate.holds);
  REFUSED (fs_grid_energy (&made->grid, NULL));
  made->grid.nlink[FS_DIRECTION_S] = NULL;
  g_autofree uint8_t *mask = g_malloc0 (N);
  REFUSED (fs_grid_energy (&made->grid, mask));
  made->grid.nlink[FS_DIRECTION_S] = made->nlink[FS_DIRECTION_S];
}

/* --- graphs --- */

static void
refuse_graph (FsGraph *graph)
{
  const uint8_t mask[3] = { 0 };
  const int64_t excess[3] = { 0 };
  const uint32_t residual[2] = { 0 };
  FsCertificate certificate;
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_graph_solver_new (&fs_graph_backend_cpu, graph, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (fs_graph_certify (graph, excess, residual, mask, &certificate, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
}

static void
test_graphs (void)
{
  int64_t tlink[3] = { 1, 0, -1 }, constant = 0;
  FsGraphEdge edges[2] = { { 0, 1, 2, 0 }, { 1, 2, 1, 1 } };
  const uint8_t mask[3] = { 0 };
  FsGraph graph = { .n_nodes = 3, .n_edges = 2, .tlink = tlink, .edges = edges };
  edges[1].to = 3;
  refuse_graph (&graph);
  REFUSED (fs_graph_energy (&graph, mask));
  edges[1].to = UINT32_MAX;
  refuse_graph (&graph);
  edges[1] = (FsGraphEdge){ 1, 2, -1, 0 };
  refuse_graph (&graph);
  edges[1].capacity = 1;
  tlink[0] = INT64_MIN;
  refuse_graph (&graph);
  tlink[0] = 1;
  graph.n_nodes = 0;
  refuse_graph (&graph);
  graph.n_nodes = 3;
  graph.edges = NULL;
  refuse_graph (&graph);
  graph.edges = edges;
  REFUSED (g_assert_false (fs_graph_fold_terminals (&graph, 0, 3, &constant, NULL)));
  REFUSED (g_assert_false (fs_graph_fold_terminals (&graph, 1, 1, &constant, NULL)));
  REFUSED (fs_graph_energy (&graph, NULL));
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, &graph, NULL);
  const FsGraphTlinkChange change = { 3, 0 };
  const FsGraphEdgeChange edge = { 2, 0, 0 };
  g_assert_false (fs_graph_solver_change_tlinks (solver, &change, 1, NULL));
  g_assert_false (fs_graph_solver_change_edges (solver, &edge, 1, NULL));
  REFUSED (fs_graph_solver_read_mask (solver, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/misuse/settings", test_settings);
  g_test_add_func ("/misuse/images", test_images);
  g_test_add_func ("/misuse/seed-maps", test_seed_maps);
  g_test_add_func ("/misuse/capsules", test_capsules);
  g_test_add_func ("/misuse/energies", test_energies);
  g_test_add_func ("/misuse/grids", test_grids);
  g_test_add_func ("/misuse/solvers", test_solvers);
  g_test_add_func ("/misuse/graphs", test_graphs);
  return g_test_run ();
}
