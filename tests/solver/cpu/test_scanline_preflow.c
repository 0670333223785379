/* SPDX-License-Identifier: MIT */
/* Flow along rows and columns, against the plain definition: each deficit of a scanline, in order,
 * takes what it can from the nearest excess behind it, then from the next. */
#include "solver/cpu/search/tree_init.h"
#include "solver/cpu/state/scanline_preflow.h"
#include "tests/solver/problem.h"

#include <string.h>

enum { BLOCK_PIXELS = FS_PREFLOW_BLOCK_TILES * FS_CPU_TILE };

typedef struct {
  const FsCpuLayout *layout;
  int32_t *excess;
  int32_t *left[FS_N_ARCS];
} Plain;

static void
plain_init (Plain *plain, const FsCpuLayout *layout)
{
  const FsGrid *grid = layout->grid;
  size_t n = fs_grid_n_pixels (grid);
  *plain = (Plain){ .layout = layout, .excess = g_new (int32_t, n) };
  memcpy (plain->excess, grid->tlink, n * sizeof *grid->tlink);
  for (int d = 0; d < FS_N_ARCS; d++) {
    plain->left[d] = g_new0 (int32_t, n);
    for (int p = 0; p < (int)n; p++)
      if (fs_grid_has_arc (grid, p % grid->width, p / grid->width, d))
        plain->left[d][p] = fs_grid_capacity (grid, (size_t)p, d);
  }
}

static void
plain_clear (Plain *plain)
{
  g_free (plain->excess);
  for (int d = 0; d < FS_N_ARCS; d++)
    g_free (plain->left[d]);
}

static gboolean
is_built (const FsCpuLayout *layout, int x, int y)
{
  return fs_cpu_layout_is_built (layout, fs_cpu_layout_node (layout, x, y) / FS_CPU_TILE_PIXELS);
}

/* Whether a scanline goes on from a pixel in a direction. */
static gboolean
goes_on (const FsCpuLayout *layout, int x, int y, int dx, int dy)
{
  int x2 = x + dx, y2 = y + dy;
  return x2 >= 0 && y2 >= 0 && x2 < layout->width && y2 < layout->height
         && is_built (layout, x2, y2) && x / BLOCK_PIXELS == x2 / BLOCK_PIXELS
         && y / BLOCK_PIXELS == y2 / BLOCK_PIXELS;
}

/* Pixel (x, y) takes what it wants of what comes in direction d. */
static void
plain_take (Plain *plain, int x, int y, int d)
{
  const FsCpuLayout *layout = plain->layout;
  ptrdiff_t step = fs_grid_step (layout->grid, d);
  int sign = d < FS_DIRECTION_OPPOSITE ? 1 : -1;
  int dx = sign * fs_direction_dx (d % 4), dy = sign * fs_direction_dy (d % 4);
  ptrdiff_t here = (ptrdiff_t)y * layout->width + x, from = here;
  int32_t capacity = INT32_MAX;
  while (plain->excess[here] < 0 && capacity > 0 && goes_on (layout, x, y, -dx, -dy)) {
    x -= dx, y -= dy, from -= step;
    capacity = MIN (capacity, plain->left[d][from]);
    int32_t flow = MIN (capacity, MIN (MAX (plain->excess[from], 0), -plain->excess[here]));
    plain->excess[from] -= flow;
    plain->excess[here] += flow;
    capacity -= flow;
    for (ptrdiff_t p = from; p != here; p += step) {
      plain->left[d][p] -= flow;
      plain->left[d ^ FS_DIRECTION_OPPOSITE][p + step] += flow;
    }
  }
}

static void
plain_push (Plain *plain)
{
  const int ways[] = { FS_DIRECTION_E, FS_DIRECTION_E + FS_DIRECTION_OPPOSITE, FS_DIRECTION_S,
                       FS_DIRECTION_S + FS_DIRECTION_OPPOSITE };
  const FsCpuLayout *layout = plain->layout;
  int n = layout->width * layout->height;
  for (int way = 0; way < (int)G_N_ELEMENTS (ways); way++)
    for (int i = 0; i < n; i++) {
      int p = ways[way] < FS_DIRECTION_OPPOSITE ? i : n - 1 - i;
      if (is_built (layout, p % layout->width, p / layout->width))
        plain_take (plain, p % layout->width, p / layout->width, ways[way]);
    }
}

/* The layout, every word, arc and set of roots, against what ought to be left. */
static void
compare (const FsCpuLayout *layout, const Plain *plain)
{
  for (int p = 0; p < layout->width * layout->height; p++) {
    int x = p % layout->width, y = p / layout->width;
    size_t node = fs_cpu_layout_node (layout, x, y), tile = node / FS_CPU_TILE_PIXELS;
    if (!is_built (layout, x, y))
      continue;
    int32_t excess = plain->excess[p];
    g_assert_cmpint (layout->excess[node], ==, excess);
    uint32_t tree = excess > 0 ? FS_WORD_SOURCE : excess < 0 ? FS_WORD_SINK : FS_WORD_FREE;
    g_assert_cmphex (layout->word[node] & FS_WORD_TREE, ==, tree);
    g_assert_cmpint (layout->roots[FS_SOURCE][tile] >> node % 64 & 1, ==, excess > 0);
    g_assert_cmpint (layout->roots[FS_SINK][tile] >> node % 64 & 1, ==, excess < 0);
    for (int d = 0; d < layout->n_directions; d++) {
      int arc = fs_cpu_layout_arc (layout, d);
      int32_t left = plain->left[arc][p];
      g_assert_cmpint (layout->residual[node * (size_t)layout->n_directions + (size_t)d], ==, left);
      g_assert_cmpint (layout->arcs[node] >> d & 1, ==, left > 0);
      if (fs_grid_has_arc (layout->grid, x, y, arc)) {
        ptrdiff_t there = p + fs_grid_step (layout->grid, arc);
        g_assert_cmpint (layout->arcs[node] >> (d + 8) & 1, ==,
                         plain->left[arc ^ FS_DIRECTION_OPPOSITE][there] > 0);
      }
    }
  }
}

static int64_t
sum_deficits (const Plain *plain)
{
  int64_t sum = 0;
  for (int p = 0; p < plain->layout->width * plain->layout->height; p++)
    sum -= MIN (plain->excess[p], 0);
  return sum;
}

static int64_t
push_all (FsCpuLayout *layout)
{
  int64_t flow = 0;
  for (int block = 0; block < fs_cpu_preflow_n_blocks (layout); block++)
    flow += fs_cpu_preflow_push (layout, block);
  return flow;
}

/* Returns the flow. */
static int64_t
check (const FsGrid *grid)
{
  FsCpuLayout layout;
  Plain plain;
  g_assert_true (fs_cpu_layout_init (&layout, grid));
  fs_cpu_tree_init_signs (&layout, 0, layout.tile_rows);
  fs_cpu_tree_init_tiles (&layout, 0, layout.tile_rows);
  plain_init (&plain, &layout);
  int64_t before = sum_deficits (&plain);
  plain_push (&plain);
  int64_t flow = push_all (&layout);
  g_assert_cmpint (flow, ==, before - sum_deficits (&plain));
  compare (&layout, &plain);
  g_assert_cmpint (push_all (&layout), ==, 0);
  plain_clear (&plain);
  fs_cpu_layout_clear (&layout);
  return flow;
}

/* T-links of one sign but in a patch: most tiles are not built. */
static void
leave_a_patch (FsGrid *grid, GRand *rand)
{
  int x0 = g_rand_int_range (rand, 0, grid->width), y0 = g_rand_int_range (rand, 0, grid->height);
  int side = g_rand_int_range (rand, 1, 20);
  for (int p = 0; p < grid->width * grid->height; p++)
    if (p % grid->width < x0 || p % grid->width >= x0 + side || p / grid->width < y0
        || p / grid->width >= y0 + side)
      grid->tlink[p] = 1 + ABS (grid->tlink[p]);
}

static void
test_small (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  const Shape shapes[] = { SHAPE_UNIFORM, SHAPE_TIES, SHAPE_SPARSE };
  int64_t flow = 0;
  for (int i = 0; i < scaled (3000); i++) {
    int width = g_rand_int_range (rand, 1, 65), height = g_rand_int_range (rand, 1, 65);
    g_autoptr (Problem) problem =
        problem_new (width, height, i & 1 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, i & 2);
    problem_fill (problem, rand, shapes[i % 3]);
    if (i % 5 == 0)
      leave_a_patch (&problem->grid, rand);
    flow += check (&problem->grid);
  }
  g_assert_cmpint (flow, >, 0);
}

/* More than a block each way, deficits everywhere. */
static void
test_blocks (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  const int sizes[][2] = { { 256, 9 }, { 257, 16 }, { 530, 11 }, { 7, 300 }, { 270, 263 } };
  for (int i = 0; i < 2 * (int)G_N_ELEMENTS (sizes); i++) {
    g_autoptr (Problem) problem = problem_new (sizes[i / 2][0], sizes[i / 2][1],
                                               i & 1 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, TRUE);
    problem_fill (problem, rand, SHAPE_UNIFORM);
    g_assert_cmpint (check (&problem->grid), >, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scanline-preflow/small", test_small);
  g_test_add_func ("/scanline-preflow/blocks", test_blocks);
  return g_test_run ();
}
