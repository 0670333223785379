/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/field.h"
#include "energy/geodesic/star.h"
#include "tests/energy/geodesic/geodesic_cases.h"
#include "tests/faults/faults.h"

#include <stdlib.h>
#include <string.h>

/* --- Parents by the definition ---------------------------------------------------------------- */

typedef struct {
  const FsCase *c;
  FsNeighbours neighbours;
  const int32_t *distance;
} View;

static gboolean
is_diagonal (int d)
{
  return fs_arc_dx (d) != 0 && fs_arc_dy (d) != 0;
}

static gboolean
may_go (const View *view, int d)
{
  return view->neighbours == FS_NEIGHBOURS_8 || !is_diagonal (d);
}

/* The direction of a cell's parent: least distance plus edge among nearer neighbours. */
static int
naive_cell_parent (const View *view, int x, int y)
{
  const FsGeodesicLevel *level = view->c->level;
  uint32_t p = fs_geodesic_cell (level, x, y);
  int parent = FS_STAR_NONE;
  int64_t best = G_MAXINT64;
  for (int d = 0; d < FS_N_ARCS; d++) {
    int qx = x + fs_arc_dx (d), qy = y + fs_arc_dy (d);
    if (!may_go (view, d) || qx < 0 || qy < 0 || qx >= level->width || qy >= level->height)
      continue;
    int64_t there = view->distance[fs_geodesic_cell (level, qx, qy)];
    int64_t offer = there + level->costs[FS_GEODESIC_MU_STAR][p].to[d];
    if (there < view->distance[p] && offer < best) {
      best = offer;
      parent = d;
    }
  }
  return parent;
}

static int
direction_of (int dx, int dy)
{
  int d = 0;
  while (fs_arc_dx (d) != dx || fs_arc_dy (d) != dy)
    d++;
  return d;
}

/* Along a diagonal, unless that leads into a cell that is neither the parent nor nearer. */
static int
naive_diagonal_step (const View *view, int x, int y, int d)
{
  const FsGeodesicLevel *level = view->c->level;
  int dx = fs_arc_dx (d), dy = fs_arc_dy (d), k = level->shift;
  gboolean leaves_x = (x + dx) >> k != x >> k, leaves_y = (y + dy) >> k != y >> k;
  int32_t own = view->distance[fs_geodesic_cell (level, x >> k, y >> k)];
  if (leaves_x != leaves_y) {
    uint32_t there = leaves_x ? fs_geodesic_cell (level, (x + dx) >> k, y >> k)
                              : fs_geodesic_cell (level, x >> k, (y + dy) >> k);
    if (view->distance[there] >= own)
      return leaves_x ? direction_of (0, dy) : direction_of (dx, 0);
  }
  return d;
}

/* Steps from (x, y) to the nearest object seed of its cell's block. */
static int
naive_steps (const View *view, int x, int y, int cell_x, int cell_y)
{
  const FsSeedMap *seeds = view->c->seeds;
  int k = view->c->level->shift, best = G_MAXINT;
  for (int v = cell_y << k; v < MIN ((cell_y + 1) << k, seeds->height); v++)
    for (int u = cell_x << k; u < MIN ((cell_x + 1) << k, seeds->width); u++) {
      int dx = abs (u - x), dy = abs (v - y);
      int steps = view->neighbours == FS_NEIGHBOURS_8 ? MAX (dx, dy) : dx + dy;
      if (seeds->label[v * seeds->width + u] > FS_SEED_BACKGROUND)
        best = MIN (best, steps);
    }
  return best;
}

static int
naive_step_to_seed (const View *view, int x, int y)
{
  const FsGeodesicLevel *level = view->c->level;
  int cell_x = x >> level->shift, cell_y = y >> level->shift;
  int own = naive_steps (view, x, y, cell_x, cell_y);
  for (int d = 0; d < FS_N_ARCS; d++) {
    int qx = x + fs_arc_dx (d), qy = y + fs_arc_dy (d);
    gboolean is_here = qx >= 0 && qy >= 0 && qx < level->photo_width && qy < level->photo_height
                       && qx >> level->shift == cell_x && qy >> level->shift == cell_y;
    if (may_go (view, d) && is_here && naive_steps (view, qx, qy, cell_x, cell_y) < own)
      return d;
  }
  g_assert_not_reached ();
}

static int
naive_parent (const View *view, int x, int y)
{
  const FsGeodesicLevel *level = view->c->level;
  int cell_x = x >> level->shift, cell_y = y >> level->shift;
  int32_t distance = view->distance[fs_geodesic_cell (level, cell_x, cell_y)];
  if (view->c->seeds->label[y * level->photo_width + x] != FS_SEED_NONE
      || distance == FS_GEODESIC_FAR)
    return FS_STAR_NONE;
  if (distance == 0)
    return naive_step_to_seed (view, x, y);
  int d = naive_cell_parent (view, cell_x, cell_y);
  return is_diagonal (d) ? naive_diagonal_step (view, x, y, d) : d;
}

static void
check_by_definition (const View *view, const uint8_t *parents)
{
  const FsGeodesicLevel *level = view->c->level;
  for (int y = 0; y < level->photo_height; y++)
    for (int x = 0; x < level->photo_width; x++)
      g_assert_cmpint (parents[y * level->photo_width + x], ==, naive_parent (view, x, y));
}

/* --- Properties ------------------------------------------------------------------------------- */

static int
follow (const FsSeedMap *seeds, const uint8_t *parents, int pixel)
{
  int d = parents[pixel];
  int x = pixel % seeds->width + fs_arc_dx (d), y = pixel / seeds->width + fs_arc_dy (d);
  g_assert_true (x >= 0 && y >= 0 && x < seeds->width && y < seeds->height);
  return y * seeds->width + x;
}

static gboolean
is_unreached (const View *view, int pixel)
{
  uint32_t cell = fs_geodesic_cell_of_pixel (view->c->level, (uint32_t)pixel);
  return view->distance[cell] == FS_GEODESIC_FAR;
}

/* Every path ends, and at a seed, where distances are known. */
static void
check_forest (const View *view, const uint8_t *parents)
{
  const FsSeedMap *seeds = view->c->seeds;
  int n = seeds->width * seeds->height;
  g_autofree uint8_t *ends = g_malloc0 ((gsize)n); /* 1: known to end well */
  for (int start = 0; start < n; start++) {
    int steps = 0, pixel = start;
    for (; parents[pixel] != FS_STAR_NONE && !ends[pixel]; pixel = follow (seeds, parents, pixel))
      g_assert_cmpint (steps++, <, n);
    g_assert_true (ends[pixel] || seeds->label[pixel] != FS_SEED_NONE
                   || is_unreached (view, pixel));
    for (pixel = start; parents[pixel] != FS_STAR_NONE && !ends[pixel];
         pixel = follow (seeds, parents, pixel))
      ends[pixel] = 1;
  }
}

/* Rows in random portions. */
static uint8_t *
fill (GRand *rand, const FsStar *star, const FsSeedMap *seeds)
{
  uint8_t *parents = g_malloc ((gsize)seeds->width * (gsize)seeds->height);
  for (int y = 0; y < seeds->height;) {
    int n_rows = g_rand_int_range (rand, 1, 40);
    int end = MIN (seeds->height, y + n_rows);
    fs_star_fill_rows (star, seeds, y, end, parents);
    y = end;
  }
  return parents;
}

/* The plane against the definition; two pixels never name each other, whatever the field. */
static void
check_fresh (GRand *rand, FsCase *c, FsNeighbours neighbours)
{
  g_autoptr (FsStar) star = fs_star_new (c->level, neighbours);
  View view = { c, neighbours, fs_star_get_distances (star) };
  for (int edit = 0; edit < 4; edit++) {
    g_autofree uint8_t *parents = fill (rand, star, c->seeds);
    check_by_definition (&view, parents);
    check_forest (&view, parents);
    fs_case_play (c, rand);
    fs_star_compute (star, c->sources);
  }
}

static void
test_fresh (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (41);
  for (int trial = 0; trial < 300; trial++) {
    FsCase c;
    fs_case_init (&c, rand, trial % 20 ? 40 : 150, 4);
    check_fresh (rand, &c, trial % 4 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4);
    fs_case_clear (&c);
  }
}

/* Blocks of 8 × 8, the usual size, are written a row at once. */
static void
test_blocks_of_eight (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (45);
  for (int trial = 0; trial < 150; trial++) {
    FsCase c;
    fs_case_init (&c, rand, 150, 4);
    if (c.level->shift == 3)
      check_fresh (rand, &c, FS_NEIGHBOURS_8);
    fs_case_clear (&c);
  }
}

/* k = 0: parents lie on shortest paths. */
static void
test_shortest_paths (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (42);
  for (int trial = 0; trial < 100; trial++) {
    FsCase c;
    fs_case_init (&c, rand, 40, 0);
    FsNeighbours neighbours = trial % 4 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
    g_autoptr (FsStar) star = fs_star_new (c.level, neighbours);
    fs_case_play (&c, rand);
    fs_star_compute (star, c.sources);
    g_autofree uint8_t *parents = fill (rand, star, c.seeds);
    const int32_t *distance = fs_star_get_distances (star);
    for (uint32_t i = 0; i < (uint32_t)(c.image->width * c.image->height); i++) {
      uint32_t p = fs_geodesic_cell_of_pixel (c.level, i);
      if (parents[i] == FS_STAR_NONE)
        continue;
      uint32_t q = p + (uint32_t)fs_geodesic_offset (c.level, parents[i]);
      g_assert_cmpint (distance[q] + c.level->costs[FS_GEODESIC_MU_STAR][p].to[parents[i]], ==,
                       distance[p]);
    }
    fs_case_clear (&c);
  }
}

/* --- Histories -------------------------------------------------------------------------------- */

static FsStarEdit
edit_of (const FsCase *c)
{
  return (FsStarEdit){ c->seeds,
                       c->sources,
                       (const uint32_t *)(gpointer)c->pixels->data,
                       c->pixels->len,
                       (const uint32_t *)(gpointer)c->cells->data,
                       c->cells->len };
}

/* Takes the changes into the plane; each must be one, and name its pixel once. */
static void
apply (const GArray *changes, size_t n_pixels, uint8_t *parents)
{
  g_autofree uint8_t *seen = g_malloc0 (n_pixels);
  for (guint i = 0; i < changes->len; i++) {
    FsStarChange change = g_array_index (changes, FsStarChange, i);
    g_assert_cmpint (parents[change.pixel], !=, change.star);
    g_assert_cmpint (seen[change.pixel]++, ==, 0);
    parents[change.pixel] = change.star;
  }
}

static void
check_as_fresh (GRand *rand, const FsCase *c, FsNeighbours neighbours, const uint8_t *parents)
{
  g_autoptr (FsStar) fresh = fs_star_new (c->level, neighbours);
  fs_star_compute (fresh, c->sources);
  g_autofree uint8_t *expected = fill (rand, fresh, c->seeds);
  size_t n = (size_t)c->image->width * (size_t)c->image->height;
  g_assert_cmpmem (parents, n, expected, n);
}

/* One edit, limited or not, into the plane. */
static void
play (GRand *rand, FsCase *c, FsStar *star, gboolean is_limited, uint8_t *parents)
{
  size_t n = (size_t)c->image->width * (size_t)c->image->height;
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  fs_case_play (c, rand);
  FsStarEdit edit = edit_of (c);
  size_t max_cells = is_limited ? (size_t)g_rand_int_range (rand, 0, 200) : SIZE_MAX;
  gboolean is_finished = fs_star_update (star, &edit, max_cells, parents, changes);
  g_assert_true (is_finished || is_limited);
  apply (changes, n, parents);
}

static void
finish (FsCase *c, FsStar *star, uint8_t *parents)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  FsStarEdit nothing = { .seeds = c->seeds, .sources = c->sources };
  g_assert_true (fs_star_update (star, &nothing, SIZE_MAX, parents, changes));
  apply (changes, (size_t)c->image->width * (size_t)c->image->height, parents);
}

static void
check_history (GRand *rand, int side_px, gboolean is_limited)
{
  FsCase c;
  fs_case_init (&c, rand, side_px, 4);
  FsNeighbours neighbours = g_rand_int_range (rand, 0, 4) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
  g_autoptr (FsStar) star = fs_star_new (c.level, neighbours);
  fs_star_compute (star, c.sources);
  g_autofree uint8_t *parents = fill (rand, star, c.seeds);
  for (int edit = 0; edit < 12; edit++) {
    play (rand, &c, star, is_limited, parents);
    check_forest (&(View){ &c, neighbours, fs_star_get_distances (star) }, parents);
    if (is_limited && edit % 5 == 4)
      finish (&c, star, parents);
    if (!is_limited || edit % 5 == 4)
      check_as_fresh (rand, &c, neighbours, parents);
  }
  fs_case_clear (&c);
}

static void
test_histories (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (43);
  for (int trial = 0; trial < 800; trial++)
    check_history (rand, trial % 40 ? 48 : 200, FALSE);
}

static void
test_limited_histories (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (44);
  for (int trial = 0; trial < 800; trial++)
    check_history (rand, trial % 40 ? 48 : 200, TRUE);
}

/* Whichever allocation is refused, the answer is NULL, and nothing is lost (a leak checker looks).
 */
static void
test_short_of_memory (void)
{
  g_autoptr (FsImage) image = fs_image_new (20, 20);
  g_autoptr (FsGeodesicLevel) level = fs_geodesic_level_new (image, 1);
  for (int n = 0; n < 3; n++) {
    fault_memory_after (n, FALSE);
    g_assert_null (fs_geodesic_level_new (image, 1));
  }
  for (int n = 0; n < 4; n++) {
    fault_memory_after (n, FALSE);
    g_assert_null (fs_star_new (level, FS_NEIGHBOURS_8));
  }
  fault_memory_after (0, FALSE);
  g_assert_null (fs_geodesic_sources_new (level));
  g_autoptr (FsStar) star = fs_star_new (level, FS_NEIGHBOURS_8);
  g_assert_nonnull (star);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/star/fresh", test_fresh);
  g_test_add_func ("/star/blocks-of-eight", test_blocks_of_eight);
  g_test_add_func ("/star/shortest-paths", test_shortest_paths);
  g_test_add_func ("/star/histories", test_histories);
  g_test_add_func ("/star/limited-histories", test_limited_histories);
  g_test_add_func ("/star/short-of-memory", test_short_of_memory);
  return g_test_run ();
}
