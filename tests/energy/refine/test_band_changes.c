/* SPDX-License-Identifier: MIT */
/* The marks of changes that run out of a band against their definition. */
#include "energy/refine/band_changes.h"

typedef struct {
  FsImage *image;
  FsGeodesicLevel *level;
  uint8_t *is_open, *before, *after;
  size_t n_cells, n_pixels;
} Case;

/* Rectangles, so that components have a size. */
static void
fill_randomly (GRand *rand, uint8_t *plane, int w, int h, int n_rects)
{
  for (int k = 0; k < n_rects; k++) {
    int x0 = g_rand_int_range (rand, 0, w), y0 = g_rand_int_range (rand, 0, h);
    uint8_t value = g_rand_boolean (rand);
    for (int y = y0; y < MIN (h, y0 + 9); y++)
      for (int x = x0; x < MIN (w, x0 + 9); x++)
        plane[y * w + x] = value;
  }
}

static size_t
cell_of (const Case *c, size_t pixel)
{
  size_t w = (size_t)c->level->photo_width;
  return (pixel / w >> c->level->shift) * (size_t)c->level->width + (pixel % w >> c->level->shift);
}

static void
case_init (Case *c, GRand *rand)
{
  int w = g_rand_int_range (rand, 20, 60), h = g_rand_int_range (rand, 20, 60);
  c->image = fs_image_new (w, h);
  c->n_pixels = (size_t)w * (size_t)h;
  for (size_t i = 0; i < c->n_pixels; i++)
    c->image->pixels[i] = 0xff000000u;
  c->level = fs_geodesic_level_new (c->image, g_rand_int_range (rand, 0, 3));
  c->n_cells = (size_t)c->level->width * (size_t)c->level->height;
  c->is_open = g_malloc0 (c->n_cells);
  c->before = g_malloc0 (c->n_pixels);
  fill_randomly (rand, c->is_open, c->level->width, c->level->height, 12);
  fill_randomly (rand, c->before, w, h, 20);
  c->after = g_memdup2 (c->before, c->n_pixels);
  fill_randomly (rand, c->after, w, h, 12);
  for (size_t i = 0; i < c->n_pixels; i++)
    if (!c->is_open[cell_of (c, i)])
      c->after[i] = c->before[i];
}

static void
case_clear (Case *c)
{
  fs_image_unref (c->image);
  fs_geodesic_level_unref (c->level);
  g_free (c->is_open);
  g_free (c->before);
  g_free (c->after);
}

static gboolean
touch (const Case *c, size_t a, size_t b)
{
  int w = c->level->width;
  return ABS ((int)a % w - (int)b % w) <= 1 && ABS ((int)a / w - (int)b / w) <= 1;
}

/* Of the pixels of a cell: whether one changed to a side, and whether one is not of it now. */
static void
look_at_cell (const Case *c, size_t cell, int side, gboolean *changed, gboolean *is_wholly)
{
  *changed = FALSE;
  *is_wholly = TRUE;
  for (size_t i = 0; i < c->n_pixels; i++)
    if (cell_of (c, i) == cell) {
      *changed |= c->after[i] == side && c->before[i] != side;
      *is_wholly &= c->after[i] == side;
    }
}

/* Grows by neighbours until nothing is added. */
static void
plain_marks (const Case *c, int side, uint8_t *marks)
{
  g_autofree gboolean *changed = g_new (gboolean, c->n_cells);
  g_autofree gboolean *is_wholly = g_new (gboolean, c->n_cells);
  for (size_t a = 0; a < c->n_cells; a++)
    look_at_cell (c, a, side, &changed[a], &is_wholly[a]);
  for (size_t a = 0; a < c->n_cells; a++)
    for (size_t b = 0; b < c->n_cells && changed[a]; b++)
      if (touch (c, a, b) && !c->is_open[b] && !is_wholly[b])
        marks[a] |= (uint8_t)(FS_BAND_ENDS_HERE | 1 << side);
  for (gboolean grows = TRUE; grows;) {
    grows = FALSE;
    for (size_t a = 0; a < c->n_cells; a++)
      for (size_t b = 0; b < c->n_cells; b++)
        if (marks[a] & 1 << side && touch (c, a, b) && changed[b] && !(marks[b] & 1 << side)) {
          marks[b] |= (uint8_t)(1 << side);
          grows = TRUE;
        }
  }
}

static void
test_definition (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  int n_running_out = 0, n_trials = 40;
  for (int trial = 0; trial < n_trials; trial++) {
    Case c;
    case_init (&c, rand);
    FsBandChanges changes = { c.level, c.is_open, c.before, c.after };
    g_autofree uint8_t *marks = g_malloc (c.n_cells), *expected = g_malloc0 (c.n_cells);
    gboolean any = fs_band_changes_mark (&changes, marks);
    for (int side = 0; side < 2; side++)
      plain_marks (&c, side, expected);
    g_assert_cmpmem (marks, c.n_cells, expected, c.n_cells);
    gboolean expects_any = FALSE;
    for (size_t i = 0; i < c.n_cells; i++)
      expects_any |= expected[i] != 0;
    g_assert_cmpint (any, ==, expects_any);
    n_running_out += any;
    case_clear (&c);
  }
  g_assert_cmpint (n_running_out, >, n_trials / 4);
}

/* Nothing can run out of a band that is the whole photo. */
static void
test_whole_photo (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  Case c;
  case_init (&c, rand);
  for (size_t i = 0; i < c.n_cells; i++)
    c.is_open[i] = 1;
  fill_randomly (rand, c.after, c.level->photo_width, c.level->photo_height, 20);
  FsBandChanges changes = { c.level, c.is_open, c.before, c.after };
  g_autofree uint8_t *marks = g_malloc (c.n_cells);
  g_assert_false (fs_band_changes_mark (&changes, marks));
  for (size_t i = 0; i < c.n_cells; i++)
    g_assert_cmpint (marks[i], ==, 0);
  case_clear (&c);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/band-changes/definition", test_definition);
  g_test_add_func ("/band-changes/whole-photo", test_whole_photo);
  return g_test_run ();
}
