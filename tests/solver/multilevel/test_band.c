/* SPDX-License-Identifier: MIT */
/* Bands: which pixels they hold, and that their cut is the exact one of the restricted problem. */
#include "solver/multilevel/band_cut.h"
#include "solver/multilevel/band_solve.h"
#include "solver/multilevel/pyramid.h"
#include "tests/faults/faults.h"
#include "tests/solver/problem.h"

#include <stdlib.h>
#include <string.h>

/* --- which pixels --- */

typedef struct {
  int width, height; /* fine */
  int coarse_width, coarse_height;
  uint8_t *mask;
  uint8_t *blocks;
} Coarse;

/* Blobs and noise, so that bands are long, short, and everywhere. */
static Coarse
random_coarse (GRand *rand, int width, int height)
{
  Coarse coarse = { width, height, fs_half (width), fs_half (height), NULL, NULL };
  size_t n = (size_t)coarse.coarse_width * coarse.coarse_height;
  coarse.mask = g_malloc0 (n);
  coarse.blocks = g_malloc0 (n);
  int kind = g_rand_int_range (rand, 0, 4);
  for (size_t p = 0; p < n; p++) {
    int x = (int)(p % coarse.coarse_width);
    int y = (int)(p / coarse.coarse_width);
    if (kind == 0)
      coarse.mask[p] = (uint8_t)g_rand_boolean (rand);
    else if (kind < 3)
      coarse.mask[p] = x * kind > y;
    if (g_rand_int_range (rand, 0, 30) == 0)
      coarse.blocks[p] = (uint8_t)g_rand_int_range (rand, 0, 16);
  }
  return coarse;
}

static void
coarse_clear (Coarse *coarse)
{
  g_free (coarse->mask);
  g_free (coarse->blocks);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Coarse, coarse_clear)

static gboolean
is_marked (const Coarse *coarse, int x, int y)
{
  size_t p = (size_t)y * coarse->coarse_width + x;
  uint8_t label = coarse->mask[p];
  if (coarse->blocks[p] & (label ? FS_BLOCK_BACKGROUND_SEED : FS_BLOCK_OBJECT_SEED))
    return TRUE;
  for (int j = MAX (y - 1, 0); j <= MIN (y + 1, coarse->coarse_height - 1); j++)
    for (int i = MAX (x - 1, 0); i <= MIN (x + 1, coarse->coarse_width - 1); i++)
      if (coarse->mask[(size_t)j * coarse->coarse_width + i] != label)
        return TRUE;
  return FALSE;
}

/* The slow twin of fs_band_project. */
static gboolean
belongs (const Coarse *coarse, int x, int y, int dilation)
{
  size_t own = (size_t)(y / 2) * coarse->coarse_width + x / 2;
  uint8_t sure = coarse->mask[own] ? FS_BLOCK_BACKGROUND_SURE : FS_BLOCK_OBJECT_SURE;
  if (coarse->blocks[own] & sure)
    return TRUE;
  for (int j = MAX (y - dilation, 0); j <= MIN (y + dilation, coarse->height - 1); j++)
    for (int i = MAX (x - dilation, 0); i <= MIN (x + dilation, coarse->width - 1); i++)
      if (is_marked (coarse, i / 2, j / 2))
        return TRUE;
  return FALSE;
}

static void
check_band (const FsBand *band, const Coarse *coarse, int dilation)
{
  size_t n_pixels = 0;
  for (int y = 0; y < coarse->height; y++) {
    uint32_t r = band->row_start[y];
    for (int x = 0; x < coarse->width; x++) {
      while (r < band->row_start[y + 1] && band->runs[r].x1 <= x)
        r++;
      gboolean inside = r < band->row_start[y + 1] && band->runs[r].x0 <= x;
      g_assert_cmpint (inside, ==, belongs (coarse, x, y, dilation));
      n_pixels += (size_t)inside;
    }
  }
  g_assert_cmpuint (band->n_pixels, ==, n_pixels);
  g_assert_cmpuint (band->n_runs, ==, band->row_start[coarse->height]);
}

static void
test_projection_as_slow_twin (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  FsBand band;
  fs_band_init (&band);
  for (int round = 0; round < scaled (300); round++) {
    g_auto (Coarse) coarse =
        random_coarse (rand, g_rand_int_range (rand, 1, 40), g_rand_int_range (rand, 1, 40));
    static const int dilations[] = { 0, 1, 2, 3, 7, 50 };
    int dilation = dilations[round % G_N_ELEMENTS (dilations)];
    g_assert_true (
        fs_band_project (&band, coarse.width, coarse.height, coarse.mask, coarse.blocks, dilation));
    check_band (&band, &coarse, dilation);
  }
  fs_band_clear (&band);
}

static void
test_no_border_no_band (void)
{
  uint8_t mask[25] = { 0 }, blocks[25] = { 0 };
  FsBand band;
  fs_band_init (&band);
  g_assert_true (fs_band_project (&band, 10, 9, mask, blocks, INT32_MAX));
  g_assert_cmpuint (band.n_pixels, ==, 0);
  blocks[24] = FS_BLOCK_OBJECT_SEED;
  g_assert_true (fs_band_project (&band, 10, 9, mask, blocks, INT32_MAX));
  g_assert_cmpuint (band.n_pixels, ==, 90);
  fs_band_clear (&band);
}

/* --- Subproblems --- */

static gboolean
touch (const FsBand *band, uint32_t a, uint32_t b)
{
  return band->runs[a].x0 <= band->runs[b].x1 && band->runs[b].x0 <= band->runs[a].x1;
}

/* Runs that touch are in one subproblem; no two subproblems could have been one, none is needlessly
 * large. */
static void
check_subproblems (const FsBandSubproblems *subproblems, const FsBand *band, const uint32_t *part,
                   size_t most)
{
  for (int y = 1; y < band->height; y++)
    for (uint32_t a = band->row_start[y - 1]; a < band->row_start[y]; a++)
      for (uint32_t b = band->row_start[y]; b < band->row_start[y + 1]; b++)
        if (touch (band, a, b))
          g_assert_cmpuint (part[a], ==, part[b]);
  size_t previous = most;
  for (uint32_t k = 0; k < subproblems->n_subproblems; k++) {
    size_t n_pixels = 0;
    for (uint32_t at = subproblems->start[k]; at < subproblems->start[k + 1]; at++)
      n_pixels +=
          (size_t)(band->runs[subproblems->order[at]].x1 - band->runs[subproblems->order[at]].x0);
    g_assert_cmpuint (n_pixels, >, 0);
    g_assert_cmpuint (previous + n_pixels, >, most);
    if (most == band->n_pixels)
      g_assert_cmpuint (n_pixels, ==, band->n_pixels);
    previous = n_pixels;
  }
}

static void
test_subproblems (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  FsBand band;
  FsBandSubproblems subproblems;
  fs_band_init (&band);
  fs_band_subproblems_init (&subproblems);
  for (int round = 0; round < scaled (300); round++) {
    g_auto (Coarse) coarse = random_coarse (rand, 60, 50);
    g_assert_true (fs_band_project (&band, 60, 50, coarse.mask, coarse.blocks, round % 3));
    size_t most = round % 5 == 0 ? MAX (band.n_pixels, 1) : (size_t)g_rand_int_range (rand, 1, 300);
    g_assert_true (fs_band_subproblems_find (&subproblems, &band, most));
    g_autofree uint32_t *part = g_new (uint32_t, band.n_runs);
    memset (part, 0xff, band.n_runs * sizeof *part);
    for (uint32_t k = 0; k < subproblems.n_subproblems; k++)
      for (uint32_t at = subproblems.start[k]; at < subproblems.start[k + 1]; at++) {
        g_assert_true (at == subproblems.start[k]
                       || subproblems.order[at - 1] < subproblems.order[at]);
        g_assert_cmpuint (part[subproblems.order[at]], ==, UINT32_MAX);
        part[subproblems.order[at]] = k;
      }
    g_assert_cmpuint (subproblems.n_subproblems > 0 ? subproblems.start[subproblems.n_subproblems]
                                                    : 0,
                      ==, band.n_runs);
    check_subproblems (&subproblems, &band, part, most);
  }
  fs_band_subproblems_clear (&subproblems);
  fs_band_clear (&band);
}

/* --- the cut --- */

static gboolean
in_band (const FsBand *band, int x, int y)
{
  for (uint32_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
    if (band->runs[r].x0 <= x && x < band->runs[r].x1)
      return TRUE;
  return FALSE;
}

/* The same problem with all of the grid, and labels outside fixed by t-links. */
static uint8_t *
cut_whole_grid (const Problem *problem, const FsBand *band, const uint8_t *labels)
{
  FsGrid grid = problem->grid;
  size_t n = fs_grid_n_pixels (&grid);
  g_autofree int32_t *tlinks = g_memdup2 (grid.tlink, n * sizeof (int32_t));
  grid.tlink = tlinks;
  for (size_t p = 0; p < n; p++)
    if (!in_band (band, (int)(p % grid.width), (int)(p / grid.width)))
      tlinks[p] = labels[p] ? FS_TLINK_MAX : -FS_TLINK_MAX;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &grid, NULL);
  FsSolution solution;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  g_assert_true (solution.exact);
  return read_whole_mask (solver);
}

/* Of the band, and that nothing else was written. */
static void
check_cut (const Problem *problem, const FsBand *band, const uint8_t *cut, const uint8_t *labels)
{
  g_autofree uint8_t *expected = cut_whole_grid (problem, band, labels);
  for (int y = 0; y < band->height; y++)
    for (int x = 0; x < band->width; x++) {
      size_t p = (size_t)y * band->width + x;
      g_assert_cmpint (cut[p], ==, in_band (band, x, y) ? expected[p] : labels[p]);
    }
}

typedef struct {
  FsBand band;
  FsBandCut cut;
} Workspace;

static void
workspace_init (Workspace *work)
{
  fs_band_init (&work->band);
  fs_band_cut_init (&work->cut);
}

static void
workspace_clear (Workspace *work)
{
  fs_band_clear (&work->band);
  fs_band_cut_clear (&work->cut);
}

static void
check_band_cut (Workspace *work, const Problem *problem, const uint8_t *labels)
{
  g_autofree uint8_t *cut = g_memdup2 (labels, fs_grid_n_pixels (&problem->grid));
  g_assert_cmpint (fs_band_cut_run (&work->cut, &problem->grid, &work->band, cut, NULL), ==,
                   FS_SEARCH_DONE);
  check_cut (problem, &work->band, cut, labels);
}

static void
check_random (Workspace *work, GRand *rand, const Problem *problem, int dilation)
{
  const FsGrid *grid = &problem->grid;
  g_auto (Coarse) coarse = random_coarse (rand, grid->width, grid->height);
  g_autofree uint8_t *labels = g_malloc (fs_grid_n_pixels (grid));
  for (size_t p = 0; p < fs_grid_n_pixels (grid); p++)
    labels[p] = (uint8_t)g_rand_boolean (rand);
  g_assert_true (fs_band_project (&work->band, grid->width, grid->height, coarse.mask,
                                  coarse.blocks, dilation));
  check_band_cut (work, problem, labels);
}

/* Labels outside need not be those of the projection: any will do. */
static void
test_cut_of_random_bands (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  Workspace work;
  workspace_init (&work);
  for (int round = 0; round < scaled (600); round++) {
    int side = round % 10 == 0 ? 90 : 14;
    g_autoptr (Problem) problem = problem_new_random (rand, side, side);
    problem_fill (problem, rand, round % N_SHAPES);
    work.cut.max_subproblem_pixels =
        (size_t)(round % 3 == 0 ? 1 << 16 : g_rand_int_range (rand, 1, 40));
    check_random (&work, rand, problem, round % 5);
  }
  workspace_clear (&work);
}

/* --- with the flow of another cut --- */

/* Neither the band nor the capacities are those that the flow is of. */
static void
test_cut_with_flow (void)
{
  enum { SIDE = 40 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  FsBandFlow flow;
  Workspace work;
  int64_t n_reused = 0;
  workspace_init (&work);
  fs_band_flow_init (&flow);
  g_assert_true (fs_band_flow_reset (&flow, SIDE * SIDE));
  work.cut.flow = &flow;
  for (int round = 0; round < scaled (300); round++) {
    g_autoptr (Problem) problem = problem_new (SIDE, SIDE, FS_NEIGHBOURS_8, FALSE);
    problem_fill (problem, rand, round / 4 % N_SHAPES);
    work.cut.max_subproblem_pixels =
        (size_t)(round % 3 == 0 ? 1 << 16 : g_rand_int_range (rand, 1, 400));
    check_random (&work, rand, problem, round % 5);
    n_reused += flow.n_reused;
  }
  g_assert_cmpint (n_reused, >, 0);
  work.cut.flow = NULL;
  fs_band_flow_clear (&flow);
  workspace_clear (&work);
}

/* A second cut of the same has nothing left to do, and the same bound. */
static void
test_cut_twice (void)
{
  enum { SIDE = 60 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autoptr (Problem) problem = problem_new (SIDE, SIDE, FS_NEIGHBOURS_8, FALSE);
  g_autofree uint8_t *labels = g_malloc0 (SIDE * SIDE), *cut = g_malloc0 (SIDE * SIDE);
  g_auto (Coarse) coarse = random_coarse (rand, SIDE, SIDE);
  FsBandFlow flow;
  Workspace work;
  workspace_init (&work);
  fs_band_flow_init (&flow);
  g_assert_true (fs_band_flow_reset (&flow, SIDE * SIDE));
  problem_fill (problem, rand, 1);
  work.cut.flow = &flow;
  g_assert_true (fs_band_project (&work.band, SIDE, SIDE, coarse.mask, coarse.blocks, 3));
  fs_band_cut_run (&work.cut, &problem->grid, &work.band, labels, NULL);
  int64_t bound = work.cut.bound;
  g_assert_cmpint (work.cut.search.flow, >, 0);
  fs_band_cut_run (&work.cut, &problem->grid, &work.band, cut, NULL);
  g_assert_cmpint (work.cut.bound, ==, bound);
  g_assert_cmpint (work.cut.search.flow, ==, 0);
  g_assert_cmpmem (labels, SIDE * SIDE, cut, SIDE * SIDE);
  work.cut.flow = NULL;
  fs_band_flow_clear (&flow);
  workspace_clear (&work);
}

/* --- t-links of its own, and n-links that count as others --- */

static void
fill_counts (GRand *rand, uint16_t *counts)
{
  for (int w = 0; w <= FS_NLINK_MAX; w++)
    counts[w] = (uint16_t)g_rand_int_range (rand, 0, MIN (w + 2, FS_NLINK_MAX));
}

/* The same as a grid, with nothing that does not count: what lies outside the band is free of cost.
 */
static void
keep_what_counts (Problem *whole, const FsBandProblem *band_problem, const FsBand *band)
{
  FsGrid *grid = &whole->grid;
  const int32_t *tlinks = band_problem->tlinks;
  for (size_t p = 0; p < fs_grid_n_pixels (grid); p++) {
    int x = (int)(p % grid->width), y = (int)(p / grid->width);
    gboolean inside = in_band (band, x, y);
    grid->tlink[p] = inside ? *tlinks++ : 0;
    for (int d = 0; d < fs_grid_n_directions (grid); d++) {
      int qx = x + fs_direction_dx (d), qy = y + fs_direction_dy (d);
      gboolean other = fs_grid_has_arc (grid, x, y, d) && in_band (band, qx, qy);
      const uint16_t *counts =
          d >= FS_DIRECTION_SE ? band_problem->diagonal : band_problem->straight;
      gboolean stays = fs_grid_has_arc (grid, x, y, d);
      whole->plane[d][p] = stays && (inside || other) ? counts[band_problem->nlink[d][p]] : 0;
    }
  }
}

static void
check_solution (const FsBandProblem *band_problem, const FsBand *band, const uint8_t *labels,
                Problem *whole)
{
  size_t n = fs_grid_n_pixels (&whole->grid);
  g_autofree uint8_t *cut = g_memdup2 (labels, n);
  FsSolution solution;
  g_assert_true (fs_band_solve (band_problem, cut, NULL, &solution, NULL));
  keep_what_counts (whole, band_problem, band);
  check_cut (whole, band, cut, labels);
  g_assert_true (solution.exact);
  g_assert_cmpint (solution.bound, ==, solution.energy);
  g_assert_cmpint (solution.energy, ==, fs_grid_energy (&whole->grid, cut));
}

/* A problem's links one after another, of the pixels that its spans are to have alone. */
typedef struct {
  GArray *runs, *first;
  uint32_t *row_start;
  uint16_t *nlink[FS_N_DIRECTIONS];
  FsBandSpans spans;
} Spans;

static void
spans_clear (Spans *spans)
{
  g_array_unref (spans->runs);
  g_array_unref (spans->first);
  g_free (spans->row_start);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    g_free (spans->nlink[d]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Spans, spans_clear)

/* Whether the pixel, one beside it or one below these is in the band. */
static gboolean
in_spans (const FsBand *band, int x, int y)
{
  for (int qx = MAX (x - 1, 0); qx <= MIN (x + 1, band->width - 1); qx++)
    if (in_band (band, qx, y) || (y + 1 < band->height && in_band (band, qx, y + 1)))
      return TRUE;
  return FALSE;
}

static uint32_t
add_span (Spans *spans, FsBandRun run, uint32_t first)
{
  g_array_append_val (spans->runs, run);
  g_array_append_val (spans->first, first);
  return first + (uint32_t)(run.x1 - run.x0);
}

static void
copy_links (Spans *spans, const FsBandProblem *problem)
{
  for (int y = 0; y < problem->height; y++)
    for (uint32_t i = spans->row_start[y]; i < spans->row_start[y + 1]; i++) {
      FsBandRun run = g_array_index (spans->runs, FsBandRun, i);
      uint32_t first = g_array_index (spans->first, uint32_t, i);
      for (int d = 0; d < FS_N_DIRECTIONS && problem->nlink[d]; d++)
        memcpy (spans->nlink[d] + first, problem->nlink[d] + y * problem->width + run.x0,
                (size_t)(run.x1 - run.x0) * sizeof (uint16_t));
    }
}

/* `problem` has planes, and spans from then on. */
static void
spans_init (Spans *spans, FsBandProblem *problem, const FsBand *band)
{
  *spans = (Spans){ .runs = g_array_new (FALSE, FALSE, sizeof (FsBandRun)),
                    .first = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                    .row_start = g_new (uint32_t, problem->height + 1) };
  uint32_t n = 0;
  for (int y = 0; y < problem->height; y++) {
    spans->row_start[y] = spans->runs->len;
    int x0 = 0;
    for (int x = 0; x <= problem->width; x++)
      if (x == problem->width || !in_spans (band, x, y)) {
        n = x > x0 ? add_span (spans, (FsBandRun){ x0, x }, n) : n;
        x0 = x + 1;
      }
  }
  spans->row_start[problem->height] = spans->runs->len;
  for (int d = 0; d < FS_N_DIRECTIONS && problem->nlink[d]; d++)
    spans->nlink[d] = g_new (uint16_t, MAX (n, 1));
  copy_links (spans, problem);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    problem->nlink[d] = spans->nlink[d];
  spans->spans = (FsBandSpans){ (const FsBandRun *)(gpointer)spans->runs->data, spans->row_start,
                                (const uint32_t *)(gpointer)spans->first->data };
  problem->spans = &spans->spans;
}

static void
check_spans (FsBandProblem band_problem, const FsBand *band, const uint8_t *labels)
{
  size_t n = (size_t)band->width * (size_t)band->height;
  g_autofree uint8_t *cut = g_memdup2 (labels, n), *again = g_memdup2 (labels, n);
  FsSolution solution, other;
  g_assert_true (fs_band_solve (&band_problem, cut, NULL, &solution, NULL));
  g_auto (Spans) spans = { 0 };
  spans_init (&spans, &band_problem, band);
  g_assert_true (fs_band_solve (&band_problem, again, NULL, &other, NULL));
  g_assert_cmpmem (cut, n, again, n);
  g_assert_cmpint (other.energy, ==, solution.energy);
  g_assert_cmpint (other.bound, ==, solution.bound);
}

static void
test_solve (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autofree uint16_t *counts = g_new (uint16_t, 2 * (FS_NLINK_MAX + 1));
  FsBand band;
  fs_band_init (&band);
  for (int round = 0; round < scaled (200); round++) {
    int side = round % 10 == 0 ? 90 : 14;
    FsNeighbours neighbours = round % 4 == 0 ? FS_NEIGHBOURS_4 : FS_NEIGHBOURS_8;
    g_autoptr (Problem) problem = problem_new (side, side - 1, neighbours, FALSE);
    g_autoptr (Problem) whole = problem_new (side, side - 1, neighbours, FALSE);
    problem_fill (problem, rand, round % N_SHAPES);
    g_auto (Coarse) coarse = random_coarse (rand, side, side - 1);
    g_autofree uint8_t *labels = g_malloc (fs_grid_n_pixels (&problem->grid));
    for (size_t p = 0; p < fs_grid_n_pixels (&problem->grid); p++)
      labels[p] = (uint8_t)g_rand_boolean (rand);
    fill_counts (rand, counts);
    fill_counts (rand, counts + FS_NLINK_MAX + 1);
    g_assert_true (fs_band_project (&band, side, side - 1, coarse.mask, coarse.blocks, round % 3));
    FsBandProblem band_problem = { .width = side,
                                   .height = side - 1,
                                   .neighbours = neighbours,
                                   .n_pixels = band.n_pixels,
                                   .n_runs = band.n_runs,
                                   .runs = band.runs,
                                   .row_start = band.row_start,
                                   .tlinks = problem->grid.tlink,
                                   .straight = counts,
                                   .diagonal = counts + FS_NLINK_MAX + 1 };
    for (int d = 0; d < fs_grid_n_directions (&problem->grid); d++)
      band_problem.nlink[d] = problem->grid.nlink[d];
    check_solution (&band_problem, &band, labels, whole);
    check_spans (band_problem, &band, labels);
  }
  fs_band_clear (&band);
}

/* A band along a line whose distances exceed 16 bits. */
static void
test_long_band (void)
{
  enum { N = 80000 };
  g_autoptr (Problem) problem = problem_new (N, 1, FS_NEIGHBOURS_4, FALSE);
  for (int x = 0; x + 1 < N; x++)
    problem->plane[FS_DIRECTION_E][x] = x == 70001 ? 4 : 5 + x % 7;
  problem->grid.tlink[0] = 100;
  problem->grid.tlink[N - 1] = -100;
  g_autofree uint8_t *zeros = g_malloc0 (N);
  zeros[0] = 1;
  Workspace work;
  workspace_init (&work);
  g_assert_true (fs_band_project (&work.band, N, 1, zeros, zeros + N / 2, N));
  g_assert_cmpuint (work.band.n_pixels, ==, N);
  g_assert_cmpint (fs_band_cut_run (&work.cut, &problem->grid, &work.band, zeros, NULL), ==,
                   FS_SEARCH_DONE);
  for (uint32_t x = 0; x < N; x++)
    g_assert_cmpint (zeros[x], ==, x <= 70001);
  workspace_clear (&work);
}

static void
test_refusals (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (Problem) problem = problem_new (60, 60, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  g_auto (Coarse) coarse = random_coarse (rand, 60, 60);
  memset (coarse.blocks, 0, 30 * 30);
  for (int p = 0; p < 30 * 30; p++)
    coarse.mask[p] = p % 7 == 0;
  uint8_t labels[60 * 60] = { 0 }, cut[60 * 60] = { 0 };
  for (int i = 0;; i++) {
    Workspace work;
    workspace_init (&work);
    fault_memory_after (i, TRUE);
    gboolean done =
        fs_band_project (&work.band, 60, 60, coarse.mask, coarse.blocks, 1)
        && fs_band_cut_run (&work.cut, &problem->grid, &work.band, cut, NULL) == FS_SEARCH_DONE;
    fault_memory_after (-1, FALSE);
    if (!done) {
      /* What was refused does no harm to the next try. */
      g_assert_true (fs_band_project (&work.band, 60, 60, coarse.mask, coarse.blocks, 1));
      check_band_cut (&work, problem, labels);
    }
    workspace_clear (&work);
    if (done) {
      g_assert_cmpint (i, >, 5);
      break;
    }
  }
}

static void
test_cancel (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (Problem) problem = problem_new (40, 40, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  uint8_t mask[20 * 20] = { 1 }, blocks[20 * 20] = { 0 }, labels[40 * 40] = { 0 };
  Workspace work;
  workspace_init (&work);
  atomic_bool cancel = TRUE;
  FsProgress progress = { .cancel = &cancel };
  g_assert_true (fs_band_project (&work.band, 40, 40, mask, blocks, 40));
  g_assert_cmpint (fs_band_cut_run (&work.cut, &problem->grid, &work.band, labels, &progress), ==,
                   FS_SEARCH_CANCELLED);
  workspace_clear (&work);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/band/projection-as-slow-twin", test_projection_as_slow_twin);
  g_test_add_func ("/solver/band/no-border-no-band", test_no_border_no_band);
  g_test_add_func ("/solver/band/subproblems", test_subproblems);
  g_test_add_func ("/solver/band/cut-of-random-bands", test_cut_of_random_bands);
  g_test_add_func ("/solver/band/cut-with-flow", test_cut_with_flow);
  g_test_add_func ("/solver/band/cut-twice", test_cut_twice);
  g_test_add_func ("/solver/band/solve", test_solve);
  g_test_add_func ("/solver/band/long-band", test_long_band);
  g_test_add_func ("/solver/band/refusals", test_refusals);
  g_test_add_func ("/solver/band/cancel", test_cancel);
  return g_test_run ();
}
