/* SPDX-License-Identifier: MIT */
/* Sums and sides around some cells against plain loops over their squares. */
#include "energy/edge/edge_level.h"

#include <math.h>
#include <string.h>

enum { W = 83, H = 61 };

typedef struct {
  FsImage *image;
  FsEdgeInput input;
  FsEdgeWindow window;
} Case;

/* A window of the whole photo: noise, and a mask with a few blots. */
static void
case_init (Case *c)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  uint8_t *mask = g_malloc0 (W * H);
  c->image = fs_image_new (W, H);
  c->input = (FsEdgeInput){ .image = c->image, .mask = mask };
  for (int i = 0; i < W * H; i++)
    c->image->pixels[i] = g_rand_int (rand);
  for (int k = 0; k < 5; k++) {
    const int x0 = g_rand_int_range (rand, 0, W), y0 = g_rand_int_range (rand, 0, H);
    for (int y = y0; y < MIN (y0 + 4 * k, H); y++)
      memset (mask + y * W + x0, 1, (gsize)MIN (5 * k, W - x0));
  }
  const FsRect all = { 0, 0, W, H };
  c->window = (FsEdgeWindow){ .input = &c->input, .photo = all, .mask_area = all, .mask = mask };
  c->window.columns = g_new (FsSparseSum, 2 * W);
  c->window.column_rows = g_new (int, 2 * W);
}

static void
case_clear (Case *c)
{
  fs_image_unref (c->image);
  g_free (c->window.mask);
  g_free (c->window.columns);
  g_free (c->window.column_rows);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static FsRect
square (FsRect all, int x, int y, int radius)
{
  return fs_rect_intersect (all, fs_rect_widen ((FsRect){ x, y, x + 1, y + 1 }, radius));
}

/* --- sparse sums --- */

typedef struct {
  FsRect of, all;
  int radius;
  int numbers[W * H];
  int n_taken;
} Numbers;

static inline void
add_number (gpointer data, int x, int y, int sign, FsSparseSum *column)
{
  const Numbers *numbers = data;
  column->wide[1] += sign * numbers->numbers[y * W + x];
}

static inline void
move_numbers (FsSparseSum *sums, const FsSparseSum *column, int sign)
{
  sums->wide[1] += sign * column->wide[1];
}

static inline void
take_number (gpointer data, int x, int y, const FsSparseSum *sums, int n_cells)
{
  Numbers *numbers = data;
  const FsRect near = square (numbers->all, x, y, numbers->radius);
  int64_t sum = 0;
  for (int j = near.y0; j < near.y1; j++)
    for (int i = near.x0; i < near.x1; i++)
      sum += numbers->numbers[j * W + i];
  g_assert_cmpint (sums->wide[1], ==, sum);
  g_assert_cmpint (n_cells, ==, (near.x1 - near.x0) * (near.y1 - near.y0));
  numbers->n_taken++;
}

static void
check_sparse_sums (GRand *rand, int radius, double share)
{
  Numbers n = { .of = { 3, 5, W - 9, H }, .all = { 0, 2, W, H }, .radius = radius };
  const int width = n.of.x1 - n.of.x0, n_cells = width * (n.of.y1 - n.of.y0);
  g_autofree uint8_t *wanted = g_malloc ((gsize)n_cells);
  g_autofree FsSparseSum *columns = g_new (FsSparseSum, width + 2 * radius);
  g_autofree int *rows = g_new (int, width + 2 * radius);
  int n_wanted = 0;
  for (int i = 0; i < W * H; i++)
    n.numbers[i] = g_rand_int_range (rand, -1000, 1000);
  for (int i = 0; i < n_cells; i++)
    n_wanted += wanted[i] = g_rand_double (rand) < share;
  const FsSparseSums sums = { .of = n.of,
                              .all = n.all,
                              .radius = radius,
                              .wanted = wanted,
                              .value = 1,
                              .columns = columns,
                              .rows = rows };
  fs_sparse_sums (&sums, add_number, move_numbers, take_number, &n);
  g_assert_cmpint (n.n_taken, ==, n_wanted);
}

static void
sums_some_squares (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int radius = 0; radius < 20; radius += 3)
    for (int tenths = 0; tenths <= 10; tenths++)
      check_sparse_sums (rand, radius, tenths / 10.0);
}

/* --- the area of the mask --- */

/* Cells are filled from pixels of the area alone, wherever it begins, and all of these are. */
static void
stays_in_area (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_auto (Case) c;
  case_init (&c);
  for (int i = 0; i < 300; i++) {
    const int shift = i % 3, side = 1 << shift;
    FsRect area = { g_rand_int_range (rand, 0, W - 12), g_rand_int_range (rand, 0, H - 12) };
    area.x1 = i % 7 == 0 ? W : g_rand_int_range (rand, area.x0 + 12, W + 1);
    area.y1 = i % 5 == 0 ? H : g_rand_int_range (rand, area.y0 + 12, H + 1);
    FsEdgeWindow window = c.window;
    FsEdgeCells cells;
    g_autofree uint8_t *mask = g_malloc0 ((gsize)(area.x1 - area.x0) * (gsize)(area.y1 - area.y0));
    window.mask_area = area;
    window.mask = mask;
    g_assert_true (fs_edge_cells_init (&cells, &c.input, shift, W + side));
    fs_edge_cells_fill (&cells, &window, area);
    const FsRect of = cells.cells;
    g_assert_cmpint (of.x0 * side, >=, area.x0);
    g_assert_cmpint (of.y0 * side, >=, area.y0);
    g_assert_cmpint (MIN (of.x1 * side, W), <=, area.x1);
    g_assert_cmpint (MIN (of.y1 * side, H), <=, area.y1);
    g_assert_cmpint (of.x0 * side - area.x0, <, side);
    g_assert_cmpint (area.y1 - of.y1 * side, <, side);
    fs_edge_cells_clear (&cells);
  }
}

/* --- sides --- */

static void
check_or (GRand *rand, FsRect from, FsRect to, int radius)
{
  const FsRect wide = fs_rect_widen (to, radius);
  g_autofree uint8_t *bytes = g_malloc0 (W * H);
  g_autofree uint8_t *result = g_malloc ((gsize)((wide.x1 - wide.x0) * (wide.y1 - wide.y0)));
  for (int i = 0; i < 40; i++)
    bytes[g_rand_int_range (rand, 0, W * H)] = (uint8_t)(1 << g_rand_int_range (rand, 0, 8));
  fs_edge_or_squares (bytes, from, to, radius, result);
  for (int y = to.y0; y < to.y1; y++)
    for (int x = to.x0; x < to.x1; x++) {
      const FsRect near = square (from, x, y, radius);
      uint8_t all = 0;
      for (int j = near.y0; j < near.y1; j++)
        for (int i = near.x0; i < near.x1; i++)
          all |= bytes[fs_rect_place (from, i, j)];
      g_assert_cmphex (result[fs_rect_place (to, x, y)], ==, all);
    }
}

static void
ors_squares (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (int radius = 0; radius < 18; radius++) {
    check_or (rand, (FsRect){ 0, 0, W, H }, (FsRect){ 0, 0, W, H }, radius);
    check_or (rand, (FsRect){ 2, 3, W - 7, H - 1 }, (FsRect){ 9, 0, W, H - 20 }, radius);
  }
}

/* --- lines --- */

/* Offset and slopes of the line of a window, which may have one side alone. */
static void
add_naive_line (FsEdgeCells *cells, FsRect window, double line[4])
{
  double sums[FS_N_SUMS] = { 0 };
  for (int y = window.y0; y < window.y1; y++)
    for (int x = window.x0; x < window.x1; x++)
      for (int k = 0; k < FS_N_SUMS; k++)
        sums[k] += fs_edge_cells_get_sums (cells, x, y)->narrow[k];
  static const int products[3][3] = { { FS_RR, FS_RG, FS_RB },
                                      { FS_RG, FS_GG, FS_GB },
                                      { FS_RB, FS_GB, FS_BB } };
  const double n = sums[FS_COUNT];
  double a[3][4], slopes[3];
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < 3; l++)
      a[k][l] =
          sums[products[k][l]] / n - sums[k] * sums[l] / n / n + (k == l ? 1e-4 * 255 * 255 : 0);
    a[k][3] = sums[FS_INSIDE_RED + k] / n - sums[k] * sums[FS_INSIDE] / n / n;
  }
  for (int i = 0; i < 3; i++)
    for (int j = i + 1; j < 3; j++) {
      const double by = a[j][i] / a[i][i];
      for (int k = i; k < 4; k++)
        a[j][k] -= by * a[i][k];
    }
  line[0] += sums[FS_INSIDE] / n;
  for (int i = 2; i >= 0; i--) {
    slopes[i] = a[i][3];
    for (int k = i + 1; k < 3; k++)
      slopes[i] -= a[i][k] * slopes[k];
    slopes[i] /= a[i][i];
    line[0] -= slopes[i] * sums[i] / n;
    line[1 + i] += slopes[i];
  }
}

static void
check_line (FsEdgeLevel *level, int x, int y)
{
  const FsEdgeLine *line = fs_edge_level_get_line (level, x, y);
  const FsRect all = level->cells->all, near = square (all, x, y, level->radius);
  const double n = (near.x1 - near.x0) * (near.y1 - near.y0);
  double sum[4] = { 0 };
  for (int j = near.y0; j < near.y1; j++)
    for (int i = near.x0; i < near.x1; i++)
      add_naive_line (level->cells, square (all, i, j, level->radius), sum);
  g_assert_cmpfloat (fabs (line->offset - sum[0] / n), <, 1e-7);
  for (int k = 0; k < 3; k++)
    g_assert_cmpfloat (fabs (line->slopes[k] - sum[1 + k] / n), <, 1e-7);
}

static gboolean
has_both_sides (const Case *c, FsRect cells, int shift)
{
  gboolean has[2] = { FALSE, FALSE };
  for (int y = cells.y0 << shift; y < MIN (cells.y1 << shift, H); y++)
    for (int x = cells.x0 << shift; x < MIN (cells.x1 << shift, W); x++)
      has[c->input.mask[y * W + x]] = TRUE;
  return has[0] && has[1];
}

/* Cells near a border, and the neighbours of these at levels that are interpolated, have a line. */
static void
check_level (int shift, int radius, FsRect area)
{
  g_auto (Case) c;
  FsEdgeCells cells;
  FsEdgeLevel level;
  int n_near = 0;
  case_init (&c);
  g_assert_true (fs_edge_cells_init (&cells, &c.input, shift, W));
  g_assert_true (fs_edge_level_init (&level, &cells, radius, W));
  fs_edge_cells_fill (&cells, &c.window, c.window.photo);
  fs_edge_level_fit (&level, &c.window, area);
  for (int y = level.lined.y0; y < level.lined.y1; y++)
    for (int x = level.lined.x0; x < level.lined.x1; x++) {
      const gboolean is_near = has_both_sides (&c, square (cells.all, x, y, radius), shift);
      g_assert_cmpint (fs_edge_level_is_near (&level, x, y), ==, is_near);
      if (has_both_sides (&c, square (cells.all, x, y, radius + 1), shift) && (is_near || shift > 0)
          && (x + y) % 3 == 0)
        check_line (&level, x, y);
      n_near += is_near;
    }
  g_assert_cmpint (n_near, >, 50);
  fs_edge_level_clear (&level);
  fs_edge_cells_clear (&cells);
}

static void
fits_lines (void)
{
  check_level (0, 2, (FsRect){ 0, 0, W, H });
  check_level (0, 3, (FsRect){ 20, 10, W - 5, H });
  check_level (1, 4, (FsRect){ 0, 0, W, H });
  check_level (1, 3, (FsRect){ 13, 7, W - 20, H - 9 });
  check_level (2, 2, (FsRect){ 0, 0, W, H });
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edge-cells/sums-some-squares", sums_some_squares);
  g_test_add_func ("/edge-cells/stays_in_area", stays_in_area);
  g_test_add_func ("/edge-cells/ors-squares", ors_squares);
  g_test_add_func ("/edge-cells/fits-lines", fits_lines);
  return g_test_run ();
}
