/* SPDX-License-Identifier: MIT */
#include "tests/energy/frames/frame_tables_cases.h"

#include <string.h>

/* --- a frame ---------------------------------------------------------------------------------- */

typedef struct {
  double x, y, radius_x, radius_y;
} Blot;

static gboolean
is_in (const Blot *blot, int x, int y)
{
  double u = (x - blot->x) / blot->radius_x, v = (y - blot->y) / blot->radius_y;
  return u * u + v * v <= 1;
}

static FsImage *
new_frame (GRand *rand, const Blot *blot, int width, int height)
{
  FsImage *image = fs_image_new (width, height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int grey = (is_in (blot, x, y) ? 150 : 90) + g_rand_int_range (rand, -60, 60);
      image->pixels[y * width + x] =
          FS_PIXEL (255, grey, g_rand_int_range (rand, 0, 256) / 4 + grey / 2, 255 - grey);
    }
  return image;
}

static void
find_mask (FsFrameTablesCase *c, const Blot *blot)
{
  int width = c->now->width, height = c->now->height;
  c->mask = g_malloc0 ((gsize)width * (gsize)height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      c->mask[y * width + x] = is_in (blot, x, y);
}

/* --- its band --------------------------------------------------------------------------------- */

/* Holds the moved object, which may go on where it lies on the previous frame's side, and somewhat
 * more all round. */
static FsRect
draw_window (GRand *rand, const FsFrameTablesCase *c, int dx, int dy)
{
  int width = c->now->width, height = c->now->height;
  gboolean is_whole = g_rand_boolean (rand);
  FsRect object = fs_frame_band_find_object (c->mask, width, height);
  FsRect window = { object.x0 + dx, object.y0 + dy, object.x1 + dx, object.y1 + dy };
  if (is_whole || object.x0 == 0)
    window.x0 = MIN (window.x0, 0);
  if (is_whole || object.y0 == 0)
    window.y0 = MIN (window.y0, 0);
  if (is_whole || object.x1 == width)
    window.x1 = MAX (window.x1, width);
  if (is_whole || object.y1 == height)
    window.y1 = MAX (window.y1, height);
  return (FsRect){ window.x0 - g_rand_int_range (rand, 2, 20),
                   window.y0 - g_rand_int_range (rand, 2, 20),
                   window.x1 + g_rand_int_range (rand, 2, 20),
                   window.y1 + g_rand_int_range (rand, 2, 20) };
}

static void
learn (FsFrameTablesCase *c)
{
  fs_frame_colours_of_mask (&c->colours->previous, c->before, &c->band);
  fs_frame_colours_of_band (&c->colours->present, c->now, &c->band);
  fs_frame_colours_mix (c->colours, FALSE);
  fs_frame_colours_weigh (c->colours, c->now, &c->band);
}

static void
cut_planes (FsFrameTablesCase *c)
{
  FsGrid grid = { .width = c->energy.width,
                  .height = c->energy.height,
                  .neighbours = FS_NEIGHBOURS_8,
                  .tlink = c->energy.tlink };
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    grid.nlink[d] = c->energy.nlink[d];
  c->expected = g_malloc (fs_grid_n_pixels (&grid));
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &grid, NULL);
  g_assert_true (fs_solver_solve (solver, NULL, &c->solution, NULL));
  fs_solver_read_mask (solver, 0, 0, grid.width, grid.height, c->expected, (size_t)grid.width);
}

void
fs_frame_tables_case_init (FsFrameTablesCase *c, GRand *rand, int width, int height)
{
  Blot blot = { .x = g_rand_double_range (rand, 0, width),
                .y = g_rand_double_range (rand, 0, height),
                .radius_x = g_rand_double_range (rand, 2, 0.5 * width),
                .radius_y = g_rand_double_range (rand, 2, 0.5 * height) };
  int dx = g_rand_int_range (rand, -5, 6), dy = g_rand_int_range (rand, -5, 6);
  Blot moved = { blot.x + dx, blot.y + dy, blot.radius_x, blot.radius_y };
  *c = (FsFrameTablesCase){ .before = new_frame (rand, &blot, width, height),
                            .now = new_frame (rand, &moved, width, height),
                            .colours = fs_frame_colours_new () };
  find_mask (c, &blot);
  fs_frame_tables_init (&c->tables);
  FsMovedMask mask = { c->mask, width, height, dx, dy };
  g_assert_true (fs_frame_band_make (&c->band, &mask, draw_window (rand, c, dx, dy),
                                     g_rand_int_range (rand, 1, 9)));
  learn (c);
  g_assert_true (fs_frame_energy_fill (&c->energy, c->now, &c->band, c->colours));
  g_assert_true (fs_frame_tables_make (&c->tables, c->now, &c->band));
  g_assert_true (c->tables.mean == c->energy.mean);
  cut_planes (c);
}

void
fs_frame_tables_case_clear (FsFrameTablesCase *c)
{
  fs_image_unref (c->before);
  fs_image_unref (c->now);
  g_free (c->mask);
  fs_frame_band_clear (&c->band);
  fs_frame_colours_free (c->colours);
  fs_frame_energy_clear (&c->energy);
  fs_frame_tables_clear (&c->tables);
  g_free (c->expected);
}

/* --- the device ------------------------------------------------------------------------------- */

/* Only pixels of tiles with free ones are written. */
static void
compare_labels (const FsFrameTablesCase *c, const uint32_t *words)
{
  size_t n = (size_t)c->band.width * (size_t)c->band.height;
  g_autofree uint8_t *labels = g_malloc (n);
  memset (labels, 77, n);
  fs_frame_tables_unpack (&c->tables, &c->band, words, labels);
  for (size_t p = 0; p < n; p++)
    if (c->band.state[p] == FS_FRAME_FREE)
      g_assert_cmpint (labels[p], ==, c->expected[p]);
    else
      g_assert_true (labels[p] == 77 || labels[p] <= 1);
}

gboolean
fs_frame_tables_case_check (const FsFrameTablesCase *c, FsCudaBand *device)
{
  FsBandTiles tiles;
  FsSolution solution;
  if (c->tables.n_tiles == 0)
    return TRUE;
  if (!fs_cuda_band_reserve (device, c->tables.n_tiles, c->tables.n_priors, &tiles))
    return FALSE;
  fs_frame_tables_pack (&c->tables, c->now, &c->band, c->colours, &tiles);
  const uint32_t *words = fs_cuda_band_cut (device, &solution);
  if (!words)
    return FALSE;
  g_assert_true (solution.exact);
  g_assert_cmpint (solution.energy, ==, c->solution.energy);
  g_assert_cmpint (solution.bound, ==, c->solution.bound);
  compare_labels (c, words);
  return TRUE;
}
