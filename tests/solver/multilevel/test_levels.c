/* SPDX-License-Identifier: MIT */
/* The pyramid: levels against slow twins, seeds, changes. */
#include "solver/multilevel/pyramid.h"
#include "tests/faults/faults.h"
#include "tests/solver/problem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void
levels_of (FsLevels *levels, const Problem *problem, int n, int32_t soft_tlink)
{
  g_autoptr (GError) error = NULL;
  fs_levels_init (levels, &problem->grid, n, soft_tlink, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (fs_levels_update (levels, NULL));
}

/* Which block the parents of a pixel lead to, by their coordinates; −1 when they stay in its own.
 */
static int
block_reached (const FsGrid *fine, int x, int y)
{
  static const int dx[] = { 1, 0, 1, -1, -1, 0, -1, 1 };
  static const int dy[] = { 0, 1, 1, 1, 0, -1, -1, -1 };
  int first = y / 2 * fs_half (fine->width) + x / 2;
  for (int i = 0; i < 5; i++) {
    int block = y / 2 * fs_half (fine->width) + x / 2;
    int star = fine->star[y * fine->width + x];
    if (block != first)
      return block;
    if (star == FS_STAR_NONE)
      return -1;
    x += dx[star];
    y += dy[star];
  }
  return -1;
}

/* A block is a root, or its parent is one that no other block is led to by more pixels. */
static void
check_star (const FsGrid *fine, const FsGrid *coarse)
{
  g_assert_cmpint (coarse->star != NULL, ==, fine->star != NULL);
  for (int p = 0; fine->star != NULL && p < coarse->width * coarse->height; p++) {
    int x = p % coarse->width, y = p / coarse->width;
    g_assert_true (fs_grid_star_is_legal (coarse, x, y, coarse->star[p]));
    int reached[4], n = 0, n_roots = 0;
    for (int i = 0; i < 4; i++) {
      int fx = 2 * x + i % 2, fy = 2 * y + i / 2;
      if (fx < fine->width && fy < fine->height)
        n_roots += (reached[n++] = block_reached (fine, fx, fy)) == -1;
    }
    g_assert_cmpint (coarse->star[p] == FS_STAR_NONE, ==, n_roots > 0);
    if (n_roots > 0)
      continue;
    int parent = p + (int)fs_grid_step (coarse, coarse->star[p]);
    int most = 0, votes = 0;
    for (int i = 0; i < n; i++) {
      int same = 0;
      for (int j = 0; j < n; j++)
        same += reached[i] == reached[j];
      most = MAX (most, same);
      votes += reached[i] == parent;
    }
    g_assert_cmpint (votes, ==, most);
  }
}

static void
test_every_level_is_a_grid (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int round = 0; round < scaled (100); round++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 40, 40);
    problem_fill (problem, rand, round % N_SHAPES);
    FsLevels levels;
    levels_of (&levels, problem, FS_LEVELS_MAX, round % 2 ? 0 : 100);
    for (int k = 1; k <= levels.n_levels; k++) {
      FsGrid grid = *fs_levels_grid (&levels, k);
      check_star (fs_levels_grid (&levels, k - 1), &grid);
      /* A coarse star may have cycles. */
      grid.star = NULL;
      g_assert_true (fs_grid_validate (&grid, NULL));
    }
    if (problem->grid.width > 1 || problem->grid.height > 1)
      g_assert_cmpint (fs_grid_n_pixels (fs_levels_grid (&levels, levels.n_levels)), ==, 1);
    else
      g_assert_cmpint (levels.n_levels, ==, 0);
    fs_levels_clear (&levels);
  }
}

/* --- slow twins: paths written out, pixel by pixel --- */

static int
link_at (const FsGrid *grid, int x, int y, FsDirection d, gboolean back)
{
  if (x < 0 || y < 0 || x >= grid->width || y >= grid->height
      || !fs_grid_has_neighbour (grid, x, y, d))
    return -1;
  const uint16_t *plane =
      back && grid->nlink_back[d] != NULL ? grid->nlink_back[d] : grid->nlink[d];
  return plane[(size_t)y * grid->width + x];
}

static int
min_on_path (const FsGrid *grid, int x, int y, FsDirection d, gboolean back, int n)
{
  int least = link_at (grid, x, y, d, back);
  for (int i = 1; i < n && least >= 0; i++) {
    int link = link_at (grid, x + i * fs_direction_dx (d), y + i * fs_direction_dy (d), d, back);
    if (link >= 0)
      least = MIN (least, link);
  }
  return MAX (least, 0);
}

static int
weakest_twin (const FsGrid *grid, int x, int y, FsDirection d, gboolean back)
{
  switch (d) {
  case FS_DIRECTION_E:
    return min_on_path (grid, x, y, d, back, 3) + min_on_path (grid, x, y + 1, d, back, 3);
  case FS_DIRECTION_S:
    return min_on_path (grid, x, y, d, back, 3) + min_on_path (grid, x + 1, y, d, back, 3);
  case FS_DIRECTION_SE:
    return min_on_path (grid, x + 1, y, d, back, 2) + min_on_path (grid, x, y + 1, d, back, 2);
  default:
    return min_on_path (grid, x, y, d, back, 2) + min_on_path (grid, x + 1, y + 1, d, back, 2);
  }
}

static void
check_links (const FsLevels *levels)
{
  const FsGrid *fine = levels->fine;
  const FsGrid *coarse = &levels->level[0].grid;
  int half = (1 << levels->level[0].shift) >> 1;
  for (int y = 0; y < coarse->height; y++)
    for (int x = 0; x < coarse->width; x++)
      for (int d = 0; d < fs_grid_n_directions (fine); d++)
        for (int back = 0; back < 2; back++) {
          int twin = weakest_twin (fine, 2 * x, 2 * y, d, back);
          if (!fs_grid_has_neighbour (coarse, x, y, d))
            twin = 0;
          g_assert_cmpint (MAX (link_at (coarse, x, y, d, back), 0), ==,
                           (twin + half) >> levels->level[0].shift);
        }
}

/* The least power of two, with a star 2 at least, that brings each pair of links into 16 bits. */
static void
check_shift (const FsLevels *levels)
{
  const FsGrid *fine = levels->fine;
  const FsGrid *coarse = &levels->level[0].grid;
  int most = 0, shift = levels->level[0].shift;
  for (int y = 0; y < coarse->height; y++)
    for (int x = 0; x < coarse->width; x++)
      for (int d = 0; d < fs_grid_n_directions (fine); d++)
        if (fs_grid_has_neighbour (coarse, x, y, d))
          most = MAX (most, weakest_twin (fine, 2 * x, 2 * y, d, FALSE)
                                + weakest_twin (fine, 2 * x, 2 * y, d, TRUE));
  g_assert_cmpint (shift, >=, fine->star != NULL);
  g_assert_cmpint (most >> shift, <=, FS_NLINK_PAIR_MAX);
  g_assert_true (shift == (fine->star != NULL) || (most >> (shift - 1)) + 2 > FS_NLINK_PAIR_MAX);
}

static void
check_tlinks (const FsLevels *levels)
{
  const FsGrid *fine = levels->fine;
  const FsGrid *coarse = &levels->level[0].grid;
  int64_t unit = 1 << levels->level[0].shift;
  for (int y = 0; y < coarse->height; y++)
    for (int x = 0; x < coarse->width; x++) {
      int64_t sum = 0;
      for (int i = 0; i < 4; i++)
        if (2 * x + i % 2 < fine->width && 2 * y + i / 2 < fine->height)
          sum += fine->tlink[(2 * y + i / 2) * fine->width + 2 * x + i % 2];
      int64_t size = MIN ((llabs (sum) + unit / 2) / unit, FS_TLINK_MAX);
      g_assert_cmpint (coarse->tlink[y * coarse->width + x], ==, sum < 0 ? -size : size);
    }
}

static void
test_links_as_slow_twins (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (int round = 0; round < scaled (150); round++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 30, 30);
    problem_fill (problem, rand, round % N_SHAPES);
    FsLevels levels;
    /* Nothing is a seed, so that all t-links are sums. */
    levels_of (&levels, problem, 1, FS_TLINK_MAX);
    if (levels.n_levels > 0) {
      check_links (&levels);
      check_shift (&levels);
      check_tlinks (&levels);
    }
    fs_levels_clear (&levels);
  }
}

/* --- changes --- */

static void
check_same (const FsLevels *levels, const FsLevels *fresh)
{
  for (int k = 0; k < levels->n_levels; k++) {
    size_t n = fs_grid_n_pixels (&levels->level[k].grid);
    g_assert_cmpmem (levels->level[k].grid.tlink, n * sizeof (int32_t), fresh->level[k].grid.tlink,
                     n * sizeof (int32_t));
    g_assert_cmpmem (levels->level[k].blocks, n, fresh->level[k].blocks, n);
    if (levels->fine->star != NULL)
      g_assert_cmpmem (levels->level[k].grid.star, n, fresh->level[k].grid.star, n);
  }
}

static void
change_star (FsLevels *levels, Problem *problem, GRand *rand)
{
  uint32_t pixels[20];
  size_t n = fs_grid_n_pixels (&problem->grid);
  if (problem->grid.star == NULL)
    return;
  g_autofree uint8_t *target = g_malloc (n);
  random_star (rand, &problem->grid, target);
  for (int i = 0; i < 20; i++) {
    pixels[i] = (uint32_t)g_rand_int_range (rand, 0, (int)n);
    problem->grid.star[pixels[i]] = target[pixels[i]];
  }
  fs_levels_change_star (levels, pixels, G_N_ELEMENTS (pixels));
}

static void
test_changes_as_fresh (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  for (int round = 0; round < scaled (100); round++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 40, 40);
    Shape shape = round % N_SHAPES;
    problem_fill (problem, rand, shape);
    FsLevels levels, fresh;
    levels_of (&levels, problem, 5, round % 2 ? 0 : 60);
    uint32_t pixels[20];
    for (int i = 0; i < 20; i++) {
      pixels[i] = (uint32_t)g_rand_int_range (rand, 0, (int)fs_grid_n_pixels (&problem->grid));
      problem->grid.tlink[pixels[i]] = random_tlink (rand, shape) * (i % 3 == 0 ? 7 : 1);
      problem->grid.tlink[pixels[i]] =
          CLAMP (problem->grid.tlink[pixels[i]], -FS_TLINK_MAX, FS_TLINK_MAX);
    }
    fs_levels_change (&levels, pixels, G_N_ELEMENTS (pixels));
    change_star (&levels, problem, rand);
    levels_of (&fresh, problem, 5, round % 2 ? 0 : 60);
    check_same (&levels, &fresh);
    fs_levels_clear (&levels);
    fs_levels_clear (&fresh);
  }
}

/* --- seeds --- */

static Problem *
plain_problem (int side, int32_t tlink)
{
  Problem *problem = problem_new (side, side, FS_NEIGHBOURS_8, FALSE);
  for (int p = 0; p < side * side; p++) {
    problem->grid.tlink[p] = tlink;
    for (int d = 0; d < FS_N_DIRECTIONS; d++)
      problem->plane[d][p] =
          fs_grid_has_neighbour (&problem->grid, p % side, p / side, d) ? 1000 : 0;
  }
  return problem;
}

static void
test_a_seed_stands_at_every_level (void)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    g_autoptr (Problem) problem = plain_problem (100, -sign * 50);
    problem->grid.tlink[57 * 100 + 33] = sign * 8001;
    FsLevels levels;
    levels_of (&levels, problem, 6, 64);
    for (int k = 1; k <= 6; k++) {
      const FsGrid *grid = fs_levels_grid (&levels, k);
      int x = 33 >> k, y = 57 >> k;
      size_t p = (size_t)y * grid->width + x;
      g_assert_cmpint (levels.level[k - 1].blocks[p], ==,
                       sign > 0 ? FS_BLOCK_OBJECT_SEED : FS_BLOCK_BACKGROUND_SEED);
      g_assert_cmpint (sign * grid->tlink[p], >, fs_grid_links_out (grid, x, y));
      g_assert_cmpint (levels.level[k - 1].blocks[p ^ 1], ==, 0);
    }
    fs_levels_clear (&levels);
  }
}

static void
test_mixed_seeds_keep_the_sum (void)
{
  g_autoptr (Problem) problem = plain_problem (16, 0);
  problem->grid.tlink[4 * 16 + 4] = 8001;
  problem->grid.tlink[5 * 16 + 5] = -8101;
  problem->grid.tlink[5 * 16 + 4] = -10;
  FsLevels levels;
  levels_of (&levels, problem, 2, 64);
  g_assert_cmpint (levels.level[0].blocks[2 * 8 + 2], ==, FS_BLOCK_SEEDS);
  g_assert_cmpint (levels.level[0].grid.tlink[2 * 8 + 2], ==, -110);
  g_assert_cmpint (levels.level[1].blocks[4 + 1], ==, FS_BLOCK_SEEDS);
  fs_levels_clear (&levels);
}

/* What a block of level 1 says of its pixels, each asked by itself. */
static int
bits_of_block (const FsLevels *levels, int block_x, int block_y)
{
  const FsGrid *fine = levels->fine;
  int bits = 0;
  for (int y = 2 * block_y; y < MIN (2 * block_y + 2, fine->height); y++)
    for (int x = 2 * block_x; x < MIN (2 * block_x + 2, fine->width); x++) {
      int32_t t = fine->tlink[(size_t)y * fine->width + x];
      if (!fs_grid_is_sure (fine, x, y, t))
        continue;
      if (abs (t) > levels->soft_tlink)
        bits |= t > 0 ? FS_BLOCK_OBJECT_SEED : FS_BLOCK_BACKGROUND_SEED;
      else
        bits |= t > 0 ? FS_BLOCK_OBJECT_SURE : FS_BLOCK_BACKGROUND_SURE;
    }
  return bits;
}

/* t-links from weak ones to such as outvote a star link. */
static void
test_blocks_as_their_pixels (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  for (int round = 0; round < scaled (40); round++) {
    g_autoptr (Problem) problem =
        problem_new (round % 4 == 0 ? 601 : 1 + round, 1 + round % 23,
                     round % 3 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, round % 8 == 7);
    FsGrid *grid = &problem->grid;
    if (round % 5 != 4)
      problem_add_star (problem);
    problem_fill (problem, rand, round % N_SHAPES);
    for (size_t p = 0; p < fs_grid_n_pixels (grid); p++)
      if (g_rand_int_range (rand, 0, 2))
        grid->tlink[p] = (g_rand_boolean (rand) ? 1 : -1) * (1 << g_rand_int_range (rand, 0, 19));
    FsLevels levels;
    levels_of (&levels, problem, 2, 1 << 16);
    const FsGrid *coarse = &levels.level[0].grid;
    for (int i = 0; i < (int)fs_grid_n_pixels (coarse) && levels.n_levels > 0; i++)
      g_assert_cmpint (levels.level[0].blocks[i], ==,
                       bits_of_block (&levels, i % coarse->width, i / coarse->width));
    fs_levels_clear (&levels);
  }
}

/* A sure pixel that colours alone made is none of the seeds that are carried upwards. */
static void
test_sure_is_not_seed (void)
{
  g_autoptr (Problem) problem = plain_problem (8, -30);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    memset (problem->plane[d], 0, 8 * 8 * sizeof (uint16_t));
  problem->grid.tlink[0] = 64;
  FsLevels levels;
  levels_of (&levels, problem, 2, 64);
  g_assert_cmpint (levels.level[0].blocks[0], ==, FS_BLOCK_OBJECT_SURE | FS_BLOCK_BACKGROUND_SURE);
  g_assert_cmpint (levels.level[0].grid.tlink[0], ==, 64 - 90);
  g_assert_cmpint (levels.level[1].blocks[0], ==, 0);
  fs_levels_clear (&levels);
}

/* Who was cancelled looks at no link. */
static void
test_cancelled_at_once (void)
{
  enum { SIDE = 64 };
  const size_t n_bytes = SIDE * SIDE * sizeof (uint16_t);
  atomic_bool cancel = TRUE;
  FsProgress progress = { .cancel = &cancel };
  FsGrid fine = { .width = SIDE, .height = SIDE, .neighbours = FS_NEIGHBOURS_8 };
  FsGrid coarse = { .width = SIDE / 2, .height = SIDE / 2, .neighbours = FS_NEIGHBOURS_8 };
  void *forbidden = mmap (NULL, n_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  g_assert_true (forbidden != MAP_FAILED);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    fine.nlink[d] = coarse.nlink[d] = forbidden;
  int shift;
  g_assert_false (fs_levels_make_nlinks (&fine, &coarse, &shift, &progress));
  munmap (forbidden, n_bytes);
}

static void
test_refusals (void)
{
  g_autoptr (Problem) problem = plain_problem (50, 3);
  for (int i = 0;; i++) {
    FsLevels levels;
    g_autoptr (GError) error = NULL;
    fault_memory_after (i, FALSE);
    gboolean made = fs_levels_init (&levels, &problem->grid, 3, 0, NULL, &error);
    fault_memory_after (-1, FALSE);
    g_assert_cmpint (levels.n_levels, ==, made ? 3 : 0);
    if (made) {
      g_assert_cmpint (i, >, 5);
      fs_levels_clear (&levels);
      break;
    }
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
  }
  atomic_bool cancel = TRUE;
  FsProgress progress = { .cancel = &cancel };
  g_autoptr (GError) error = NULL;
  FsLevels levels;
  g_assert_false (fs_levels_init (&levels, &problem->grid, 3, 0, &progress, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
  fs_levels_init (&levels, &problem->grid, 3, 0, NULL, NULL);
  g_assert_false (fs_levels_update (&levels, &progress));
  fs_levels_clear (&levels);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/levels/every-level-is-a-grid", test_every_level_is_a_grid);
  g_test_add_func ("/solver/levels/links-as-slow-twins", test_links_as_slow_twins);
  g_test_add_func ("/solver/levels/changes-as-fresh", test_changes_as_fresh);
  g_test_add_func ("/solver/levels/a-seed-stands-at-every-level",
                   test_a_seed_stands_at_every_level);
  g_test_add_func ("/solver/levels/mixed-seeds-keep-the-sum", test_mixed_seeds_keep_the_sum);
  g_test_add_func ("/solver/levels/blocks-as-their-pixels", test_blocks_as_their_pixels);
  g_test_add_func ("/solver/levels/sure-is-not-seed", test_sure_is_not_seed);
  g_test_add_func ("/solver/levels/cancelled-at-once", test_cancelled_at_once);
  g_test_add_func ("/solver/levels/refusals", test_refusals);
  return g_test_run ();
}
