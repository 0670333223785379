/* SPDX-License-Identifier: MIT */
/* The band of a frame and its energy against slow twins: distances by brute force, the cut by a
 * graph of the whole window that is built link by link, and windows of other sizes. */
#include "energy/energy.h"
#include "energy/frames/frame_energy.h"
#include "energy/image/exact_math.h"
#include "energy/terms/lab_contrast.h"
#include "solver/graph/graph_solver.h"
#include "tests/app/frames/moving_object.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = FS_MOVING_WIDTH, HEIGHT = FS_MOVING_HEIGHT };

typedef struct {
  FsImage *before, *now;
  uint8_t *mask;
  FsFrameBand band;
  FsFrameColours *colours;
  FsFrameEnergy energy;
} Case;

static void
case_clear (Case *c)
{
  fs_image_unref (c->before);
  fs_image_unref (c->now);
  g_free (c->mask);
  fs_frame_band_clear (&c->band);
  fs_frame_colours_free (c->colours);
  fs_frame_energy_clear (&c->energy);
}

/* An object that is moved by (dx, dy), seen through a window. */
static void
case_init (Case *c, const MovingObject *object, int dx, int dy, FsRect window)
{
  MovingObject moved = *object;
  moved.x += dx;
  moved.y += dy;
  moved.noise++;
  *c = (Case){ .before = moving_object_frame (object),
               .now = moving_object_frame (&moved),
               .mask = moving_object_mask (object),
               .colours = fs_frame_colours_new () };
  FsMovedMask mask = { c->mask, WIDTH, HEIGHT, dx, dy };
  g_assert_true (fs_frame_band_make (&c->band, &mask, window, 5));
  fs_frame_colours_of_mask (&c->colours->previous, c->before, &c->band);
  fs_frame_colours_of_band (&c->colours->present, c->now, &c->band);
  fs_frame_colours_mix (c->colours, FALSE);
  fs_frame_colours_weigh (c->colours, c->now, &c->band);
  g_assert_true (fs_frame_energy_fill (&c->energy, c->now, &c->band, c->colours));
}

static const MovingObject middle = { .x = 90, .y = 60, .radius = 30, .noise = 1 },
                          side = { .x = 12, .y = 20, .radius = 34, .noise = 5 };
static const FsRect all = { -3, -5, WIDTH + 4, HEIGHT + 1 }, part = { 30, 10, 152, 112 },
                    corner = { -1, -1, 120, 90 };

/* --- distances -------------------------------------------------------------------------------- */

static int
slow_distance (const FsFrameBand *band, int x, int y)
{
  int best = G_MAXINT;
  uint8_t own = band->label[y * band->width + x];
  for (int v = 0; v < band->height; v++)
    for (int u = 0; u < band->width; u++)
      if (band->label[v * band->width + u] != own) {
        int a = abs (u - x), b = abs (v - y);
        best = MIN (best, 5 * abs (a - b) + 7 * MIN (a, b));
      }
  return best;
}

/* The last step, to the other side, counts half. */
static void
test_distances (void)
{
  Case c;
  case_init (&c, &middle, 4, -3, part);
  int n = 0;
  for (int y = 0; y < c.band.height; y++)
    for (int x = 0; x < c.band.width; x++) {
      if (c.band.state[y * c.band.width + x] != FS_FRAME_FREE)
        continue;
      int slow = slow_distance (&c.band, x, y), fast = c.band.distance[y * c.band.width + x];
      g_assert_cmpint (fast, >=, slow - 5);
      g_assert_cmpint (fast, <=, slow - 3);
      n++;
    }
  g_assert_cmpint (n, ==, c.band.n_free);
  g_assert_cmpint (n, >, 1000);
  case_clear (&c);
}

/* --- other windows ---------------------------------------------------------------------------- */

static size_t
place (const FsFrameBand *band, int x, int y)
{
  return (size_t)(y - band->window.y0) * (size_t)band->width + (size_t)(x - band->window.x0);
}

static void
check_windows (const MovingObject *object, int dx, int dy, FsRect window)
{
  Case large, small;
  case_init (&large, object, dx, dy, all);
  case_init (&small, object, dx, dy, window);
  g_assert_cmpuint (large.band.n_free, ==, small.band.n_free);
  g_assert_true (large.energy.mean == small.energy.mean);
  FsRect inside = fs_rect_intersect (window, (FsRect){ 0, 0, WIDTH, HEIGHT });
  for (int y = inside.y0; y < inside.y1; y++)
    for (int x = inside.x0; x < inside.x1; x++) {
      size_t p = place (&large.band, x, y), q = place (&small.band, x, y);
      g_assert_cmpint (large.band.state[p], ==, small.band.state[q]);
      g_assert_cmpint (large.energy.tlink[p], ==, small.energy.tlink[q]);
      for (int d = 0; d < FS_N_DIRECTIONS; d++)
        g_assert_cmpint (large.energy.nlink[d][p], ==, small.energy.nlink[d][q]);
    }
  case_clear (&large);
  case_clear (&small);
}

static void
test_windows (void)
{
  check_windows (&middle, 4, -3, (FsRect){ 30, 5, 160, 117 });
  check_windows (&side, 7, 5, corner);
}

/* --- the cut ---------------------------------------------------------------------------------- */

static int32_t
slow_weight (const Case *c, size_t p, size_t q, gboolean diagonal)
{
  FsLab of_p, of_q;
  int width = c->band.width, x0 = c->band.window.x0, y0 = c->band.window.y0;
  fs_lab_from_pixels (&c->now->pixels[((int)p / width + y0) * WIDTH + (int)p % width + x0], 1,
                      &of_p);
  fs_lab_from_pixels (&c->now->pixels[((int)q / width + y0) * WIDTH + (int)q % width + x0], 1,
                      &of_q);
  double size = WIDTH * HEIGHT / 200000.0;
  double d2 = fs_lab_contrast_middle ((int)fs_lab_contrast_entry (fs_lab_distance2 (of_p, of_q)));
  double w = FS_NAT_SCALE * 10 * fs_exact_exp (fs_exact_log (size) / 3)
             * fs_exact_exp (-1.5 * sqrt (d2 / c->energy.mean));
  return (int32_t)floor ((diagonal ? w / sqrt (2) : w) + 0.5);
}

static int64_t
slow_tlink (const Case *c, size_t p)
{
  enum { SURE = 1 << 28 };
  const FsFrameBand *band = &c->band;
  int x = (int)p % band->width + band->window.x0, y = (int)p / band->width + band->window.y0;
  if (band->state[p] != FS_FRAME_FREE)
    return band->state[p] == FS_FRAME_OBJECT       ? SURE
           : band->state[p] == FS_FRAME_BACKGROUND ? -SURE
                                                   : 0;
  int prior = 4 * FS_NAT_SCALE * MIN (band->distance[p], band->half_width) / band->half_width;
  return c->colours->by_colour[fs_colour_bin (c->now->pixels[y * WIDTH + x])]
         + (band->label[p] ? prior : -prior);
}

/* All links of the window, those between fixed pixels too. */
static FsGraph
slow_graph (const Case *c, FsGraphEdge *edges, int64_t *tlinks)
{
  const FsFrameBand *band = &c->band;
  FsGraph graph = { .n_nodes = (uint32_t)(band->width * band->height),
                    .tlink = tlinks,
                    .edges = edges };
  for (int y = 0; y < band->height; y++)
    for (int x = 0; x < band->width; x++) {
      size_t p = (size_t)(y * band->width + x);
      tlinks[p] = slow_tlink (c, p);
      for (int d = 0; d < FS_N_DIRECTIONS; d++) {
        int u = x + fs_direction_dx ((FsDirection)d), v = y + fs_direction_dy ((FsDirection)d);
        size_t q = (size_t)(v * band->width + u);
        if (u < 0 || u >= band->width || v >= band->height || band->state[p] == FS_FRAME_OUTSIDE
            || band->state[q] == FS_FRAME_OUTSIDE)
          continue;
        int32_t w = slow_weight (c, p, q, d >= FS_DIRECTION_SE);
        edges[graph.n_edges++] = (FsGraphEdge){ (uint32_t)p, (uint32_t)q, w, w };
      }
    }
  return graph;
}

static void
cut_planes (Case *c, uint8_t *mask, FsSolution *solution)
{
  FsGrid grid = { .width = c->energy.width,
                  .height = c->energy.height,
                  .neighbours = FS_NEIGHBOURS_8,
                  .tlink = c->energy.tlink };
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    grid.nlink[d] = c->energy.nlink[d];
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &grid, NULL);
  g_assert_true (fs_solver_solve (solver, NULL, solution, NULL));
  fs_solver_read_mask (solver, 0, 0, grid.width, grid.height, mask, (size_t)grid.width);
  g_assert_cmpint (fs_frame_energy_sum (&c->energy, mask), ==, solution->energy);
}

/* Free pixels are the same, and the other ones what they are fixed to. */
static void
check_cut (const MovingObject *object, int dx, int dy, FsRect window)
{
  Case c;
  case_init (&c, object, dx, dy, window);
  size_t n = (size_t)c.band.width * (size_t)c.band.height, n_object = 0;
  g_autofree FsGraphEdge *edges = g_new (FsGraphEdge, n * FS_N_DIRECTIONS);
  g_autofree int64_t *tlinks = g_new (int64_t, n);
  g_autofree uint8_t *slow = g_malloc (n), *fast = g_malloc (n);
  FsGraph graph = slow_graph (&c, edges, tlinks);
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, &graph, NULL);
  FsSolution solution, of_planes;
  g_assert_true (fs_graph_solver_solve (solver, NULL, &solution, NULL));
  g_assert_true (solution.exact);
  fs_graph_solver_read_mask (solver, slow);
  cut_planes (&c, fast, &of_planes);
  g_assert_true (of_planes.exact);
  for (size_t p = 0; p < n; p++)
    if (c.band.state[p] == FS_FRAME_FREE) {
      g_assert_cmpint (slow[p], ==, fast[p]);
      n_object += fast[p];
    } else if (c.band.state[p] != FS_FRAME_OUTSIDE) {
      g_assert_cmpint (slow[p], ==, c.band.state[p] == FS_FRAME_OBJECT);
    }
  g_assert_cmpuint (n_object, >, 100);
  g_assert_cmpuint (n_object, <, c.band.n_free - 100);
  case_clear (&c);
}

static void
test_cut (void)
{
  check_cut (&middle, 4, -3, part);
  check_cut (&middle, -9, 2, all);
  check_cut (&side, 7, 5, corner);
}

/* --- strokes ---------------------------------------------------------------------------------- */

typedef struct {
  int x, y;
  uint8_t label;
} Dot;

/* What a pixel is by brute force: a stroke's, near a stroke of the side that it is not of, or what
 * it was. */
static FsFrameState
mended_state (const FsFrameBand *band, const uint8_t *before, int x, int y, const Dot *dots,
              int radius_px, gboolean *is_opened)
{
  size_t p = (size_t)y * (size_t)band->width + (size_t)x;
  int frame_x = x + band->window.x0, frame_y = y + band->window.y0, at = -1;
  gboolean is_side = x == 0 || y == 0 || x == band->width - 1 || y == band->height - 1;
  *is_opened = FALSE;
  for (int i = 0; i < 2; i++) {
    int dx = frame_x - dots[i].x, dy = frame_y - dots[i].y;
    *is_opened |= !is_side && before[p] != FS_FRAME_OUTSIDE
                  && dx * dx + dy * dy <= radius_px * radius_px
                  && band->label[p] != (dots[i].label == FS_SEED_OBJECT);
    at = dx == 0 && dy == 0 ? i : at;
  }
  if (at >= 0)
    return dots[at].label == FS_SEED_OBJECT ? FS_FRAME_OBJECT : FS_FRAME_BACKGROUND;
  return *is_opened ? FS_FRAME_FREE : (FsFrameState)before[p];
}

/* Strokes in the object and on the ground, each of the other side. */
static void
check_mended (const MovingObject *object, FsRect window, const Dot dots[2])
{
  enum { RADIUS_PX = 12 };
  Case c;
  case_init (&c, object, 4, -3, window);
  FsFrameBand *band = &c.band;
  size_t n = (size_t)band->width * (size_t)band->height, n_free = 0, n_opened = 0, n_before = 0;
  g_autofree uint8_t *before = g_memdup2 (band->state, n);
  g_autofree uint16_t *distance = g_memdup2 (band->distance, n * sizeof *distance);
  FsSeedMap *strokes = fs_seed_map_new (WIDTH, HEIGHT);
  for (int i = 0; i < 2; i++)
    fs_seed_map_set_run (strokes, dots[i].y, dots[i].x, dots[i].x + 1, dots[i].label);
  n_before = band->n_free;
  g_assert_true (fs_frame_band_mend (band, strokes, RADIUS_PX));
  for (size_t p = 0; p < n; p++) {
    gboolean is_opened;
    int x = (int)(p % (size_t)band->width), y = (int)(p / (size_t)band->width);
    g_assert_cmpint (band->state[p], ==,
                     mended_state (band, before, x, y, dots, RADIUS_PX, &is_opened));
    g_assert_cmpint (band->distance[p], ==, is_opened ? 0 : distance[p]);
    n_free += band->state[p] == FS_FRAME_FREE;
    n_opened += is_opened;
  }
  g_assert_cmpuint (band->n_free, ==, n_free);
  g_assert_cmpuint (n_opened, >, 300);
  g_assert_cmpuint (n_free, >, n_before);
  fs_seed_map_free (strokes);
  case_clear (&c);
}

static void
test_mended (void)
{
  static const Dot inside[] = { { 94, 57, FS_SEED_BACKGROUND }, { 45, 20, FS_SEED_OBJECT } };
  static const Dot beside[] = { { 16, 16, FS_SEED_BACKGROUND }, { 90, 70, FS_SEED_OBJECT } };
  check_mended (&middle, part, inside);
  check_mended (&middle, all, inside);
  check_mended (&side, corner, beside);
}

/* --- from a grid ------------------------------------------------------------------------------ */

static void
fill_grid (FsGrid *grid, uint16_t *nlinks, GRand *rand)
{
  size_t n = fs_grid_n_pixels (grid);
  for (size_t p = 0; p < n; p++)
    grid->tlink[p] = g_rand_int_range (rand, -400, 400);
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    grid->nlink[d] = nlinks + (size_t)d * n;
    for (int y = 0; y < grid->height; y++)
      for (int x = 0; x < grid->width; x++) {
        int u = x + fs_direction_dx ((FsDirection)d), v = y + fs_direction_dy ((FsDirection)d);
        gboolean is_inside = u >= 0 && u < grid->width && v < grid->height;
        nlinks[(size_t)d * n + (size_t)(y * grid->width + x)] =
            is_inside ? (uint16_t)g_rand_int_range (rand, 0, 300) : 0;
      }
  }
}

/* Any labels of the free pixels cost as much as in the whole grid, but for a constant. */
static void
check_taken (const MovingObject *object, GRand *rand)
{
  Case c;
  case_init (&c, object, 0, 0, (FsRect){ -1, -1, WIDTH + 1, HEIGHT + 1 });
  g_autofree int32_t *tlinks = g_new (int32_t, WIDTH * HEIGHT);
  g_autofree uint16_t *nlinks = g_new (uint16_t, FS_N_DIRECTIONS * WIDTH * HEIGHT);
  g_autofree uint8_t *labels = g_memdup2 (c.mask, WIDTH * HEIGHT);
  size_t n_window = (size_t)c.band.width * (size_t)c.band.height;
  g_autofree uint8_t *in_window = g_malloc0 (n_window);
  FsGrid grid = { WIDTH, HEIGHT, FS_NEIGHBOURS_8, .tlink = tlinks };
  int64_t difference = 0;
  fill_grid (&grid, nlinks, rand);
  g_assert_true (fs_frame_energy_take (&c.energy, c.now, &c.band, &grid));
  for (int round = 0; round < 20; round++) {
    for (size_t p = 0; p < n_window; p++)
      if (c.band.state[p] == FS_FRAME_FREE) {
        int x = (int)p % c.band.width - 1, y = (int)p / c.band.width - 1;
        in_window[p] = labels[y * WIDTH + x] = round == 0 ? 0 : g_rand_boolean (rand);
      }
    int64_t here = fs_grid_energy (&grid, labels) - fs_frame_energy_sum (&c.energy, in_window);
    difference = round == 0 ? here : difference;
    g_assert_cmpint (here, ==, difference);
  }
  g_assert_cmpuint (c.band.n_free, >, 500);
  case_clear (&c);
}

static void
test_taken (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  check_taken (&middle, rand);
  check_taken (&side, rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frame-energy/distances", test_distances);
  g_test_add_func ("/frame-energy/windows", test_windows);
  g_test_add_func ("/frame-energy/cut", test_cut);
  g_test_add_func ("/frame-energy/mended", test_mended);
  g_test_add_func ("/frame-energy/taken", test_taken);
  return g_test_run ();
}
