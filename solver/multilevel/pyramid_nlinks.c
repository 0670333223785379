/* SPDX-License-Identifier: MIT */
/* The n-links of a coarser level. */
#include "solver/multilevel/pyramid_nlinks.h"

#include <string.h>

typedef uint16_t *Plane;

/* The planes of one sense. Backward planes are the forward ones where links are undirected. */
typedef struct {
  const uint16_t *forth[FS_N_DIRECTIONS];
  const uint16_t *back[FS_N_DIRECTIONS];
} Links;

static Links
links_of (const FsGrid *grid, gboolean backward)
{
  Links links = { 0 };
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    const uint16_t *back = grid->nlink_back[d] != NULL ? grid->nlink_back[d] : grid->nlink[d];
    links.forth[d] = backward ? back : grid->nlink[d];
    links.back[d] = backward ? grid->nlink[d] : back;
  }
  return links;
}

/* The weakest of the links on the way of at most n steps from (x, y) in direction d, as far as it
 * stays inside the grid. */
static uint32_t
weakest (const FsGrid *fine, const Links *links, int x, int y, FsDirection d, int n)
{
  uint32_t min = UINT32_MAX;
  for (int i = 0; i < n && x < fine->width && y < fine->height; i++) {
    if (!fs_grid_has_neighbour (fine, x, y, d))
      break;
    min = MIN (min, links->forth[d][(size_t)y * fine->width + x]);
    x += fs_direction_dx (d);
    y += fs_direction_dy (d);
  }
  return min != UINT32_MAX ? min : 0;
}

/* Where the two ways between blocks begin, relative to the block, and how many links they have. */
static const struct {
  int8_t x[2], y[2];
  int8_t n;
} ways[FS_N_DIRECTIONS] = {
  [FS_DIRECTION_E] = { { 0, 0 }, { 0, 1 }, 3 },
  [FS_DIRECTION_S] = { { 0, 1 }, { 0, 0 }, 3 },
  [FS_DIRECTION_SE] = { { 1, 0 }, { 0, 1 }, 2 },
  [FS_DIRECTION_SW] = { { 0, 1 }, { 0, 1 }, 2 },
};

static uint32_t
weakest_of_ways (const FsGrid *fine, const Links *links, int x, int y, FsDirection d)
{
  int block_x = x / 2 + fs_direction_dx (d);
  int block_y = y / 2 + fs_direction_dy (d);
  if (block_x < 0 || block_x >= fs_half (fine->width) || block_y >= fs_half (fine->height))
    return 0;
  uint32_t sum = 0;
  for (int i = 0; i < 2; i++)
    sum += weakest (fine, links, x + ways[d].x[i], y + ways[d].y[i], d, ways[d].n);
  return sum;
}

/* The inner parts of rows, away from all edges, in loops that compilers turn into vectors. Equal to
 * weakest_of_ways. */
static void
weakest_inner (const FsGrid *fine, const Links *links, int y, int from, int to, FsDirection d,
               uint32_t *restrict sum)
{
  ptrdiff_t step = fs_direction_dx (d) + (ptrdiff_t)fs_direction_dy (d) * fine->width;
  const uint16_t *at[2][3];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      at[i][j] = links->forth[d] + (size_t)(y + ways[d].y[i]) * fine->width + ways[d].x[i]
                 + MIN (j, ways[d].n - 1) * step;
  const uint16_t *a = at[0][0], *b = at[0][1], *c = at[0][2];
  const uint16_t *e = at[1][0], *f = at[1][1], *g = at[1][2];
  for (int i = from; i < to; i++) {
    uint16_t first = MIN (MIN (a[2 * i], b[2 * i]), c[2 * i]);
    uint16_t second = MIN (MIN (e[2 * i], f[2 * i]), g[2 * i]);
    sum[i] = (uint32_t)first + second;
  }
}

/* The sums of coarse row `row` in direction d. */
static void
sum_row (const FsGrid *fine, const Links *links, int row, int n, FsDirection d, uint32_t *sum)
{
  int y = 2 * row;
  int from = 1;
  int to = 1;
  if (y + 3 < fine->height && n > 3) {
    to = n - 2;
    weakest_inner (fine, links, y, from, to, d, sum);
  }
  for (int i = 0; i < from; i++)
    sum[i] = weakest_of_ways (fine, links, 2 * i, y, d);
  for (int i = to; i < n; i++)
    sum[i] = weakest_of_ways (fine, links, 2 * i, y, d);
}

static gboolean
largest_pair (const FsGrid *fine, const FsGrid *coarse, uint32_t *sum[2],
              const FsProgress *progress, uint32_t *max)
{
  Links forth = links_of (fine, FALSE);
  Links back = links_of (fine, TRUE);
  gboolean directed = fine->nlink_back[0] != NULL;
  *max = 0;
  for (int row = 0; row < coarse->height; row++) {
    if (fs_progress_is_cancelled (progress))
      return FALSE;
    for (int d = 0; d < fs_grid_n_directions (fine); d++) {
      sum_row (fine, &forth, row, coarse->width, d, sum[0]);
      if (directed)
        sum_row (fine, &back, row, coarse->width, d, sum[1]);
      const uint32_t *other = sum[directed];
      for (int i = 0; i < coarse->width; i++)
        *max = MAX (*max, sum[0][i] + other[i]);
    }
  }
  return TRUE;
}

/* One more than half the pair when both are rounded up: hence the 2. */
static int
min_shift (uint32_t pair)
{
  int shift = 0;
  while ((shift > 0 ? (pair >> shift) + 2 : pair) > FS_NLINK_PAIR_MAX)
    shift++;
  return shift;
}

static void
store_row (const uint32_t *restrict sum, int n, int shift, uint16_t *restrict plane)
{
  uint32_t half = (1u << shift) >> 1;
  for (int i = 0; i < n; i++)
    plane[i] = (uint16_t)((sum[i] + half) >> shift);
}

static gboolean
fill_planes (const FsGrid *fine, const FsGrid *coarse, int shift, uint32_t *sum,
             const FsProgress *progress)
{
  for (int sense = 0; sense < (fine->nlink_back[0] != NULL ? 2 : 1); sense++) {
    Links links = links_of (fine, sense);
    for (int row = 0; row < coarse->height; row++) {
      if (fs_progress_is_cancelled (progress))
        return FALSE;
      for (int d = 0; d < fs_grid_n_directions (fine); d++) {
        const uint16_t *plane = sense ? coarse->nlink_back[d] : coarse->nlink[d];
        sum_row (fine, &links, row, coarse->width, d, sum);
        store_row (sum, coarse->width, shift, (Plane)plane + (size_t)row * coarse->width);
      }
    }
  }
  return TRUE;
}

gboolean
fs_levels_make_nlinks (const FsGrid *fine, FsGrid *coarse, int *shift, const FsProgress *progress)
{
  g_autofree uint32_t *first = g_new (uint32_t, coarse->width);
  g_autofree uint32_t *second = g_new (uint32_t, coarse->width);
  uint32_t *sum[2] = { first, second }, max;
  if (!largest_pair (fine, coarse, sum, progress, &max))
    return FALSE;
  *shift = min_shift (max);
  if (fine->star != NULL)
    *shift = MAX (*shift, 1);
  return fill_planes (fine, coarse, *shift, first, progress);
}

/* The capacity of a star link beyond that of the planes; 0 for other arcs. */
static int64_t
trapped_star_excess (const FsGrid *grid, size_t p, int d)
{
  return fs_grid_capacity (grid, p, d) - fs_grid_plane_capacity (grid, p, d);
}

static int64_t
sum_star_links (const FsGrid *grid, int x, int y, gboolean in)
{
  size_t p = (size_t)y * grid->width + x;
  if (!in)
    return grid->star[p] != FS_STAR_NONE ? trapped_star_excess (grid, p, grid->star[p]) : 0;
  int64_t sum = 0;
  for (int d = 0; d < FS_N_ARCS; d++) {
    int back = d ^ FS_DIRECTION_OPPOSITE;
    if (fs_grid_has_arc (grid, x, y, d) && (grid->star + p)[fs_grid_step (grid, d)] == back)
      sum += trapped_star_excess (grid, p + (size_t)fs_grid_step (grid, d), back);
  }
  return sum;
}

/* Backward planes of undirected links are the forward ones, so both sums are written once. */
static int64_t
sum_plane_links (const FsGrid *grid, int x, int y, gboolean in)
{
  size_t p = (size_t)y * grid->width + x;
  Links links = links_of (grid, in);
  int64_t sum = 0;
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    int dx = fs_direction_dx (d);
    int dy = fs_direction_dy (d);
    if (fs_grid_has_neighbour (grid, x, y, d))
      sum += links.forth[d][p];
    if (x - dx >= 0 && x - dx < grid->width && y - dy >= 0)
      sum += links.back[d][p - dx - (size_t)dy * grid->width];
  }
  return sum;
}

static int64_t
sum_links (const FsGrid *grid, int x, int y, gboolean in)
{
  return sum_plane_links (grid, x, y, in)
         + (grid->star != NULL ? sum_star_links (grid, x, y, in) : 0);
}

int64_t
fs_grid_links_out (const FsGrid *grid, int x, int y)
{
  return sum_links (grid, x, y, FALSE);
}

int64_t
fs_grid_links_in (const FsGrid *grid, int x, int y)
{
  return sum_links (grid, x, y, TRUE);
}

gboolean
fs_grid_is_sure (const FsGrid *grid, int x, int y, int32_t t)
{
  int64_t size = t < 0 ? -(int64_t)t : t;
  /* No links are as strong as these together: what strokes make in a star is known at once. */
  if (size > FS_N_ARCS * FS_NLINK_PAIR_MAX)
    return TRUE;
  int64_t left = size - sum_plane_links (grid, x, y, t < 0);
  return left > 0 && (grid->star == NULL || left > sum_star_links (grid, x, y, t < 0));
}

/* Sums of all the links of one sense, for a row of pixels; 0 stands in for what lies outside. */
static void
sum_pixel_row (const FsGrid *grid, const Links *links, int y, uint32_t *sum)
{
  int width = grid->width;
  size_t p = (size_t)y * width;
  for (int x = 0; x < width; x++)
    sum[x] = 0;
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    int dx = fs_direction_dx (d);
    const uint16_t *forth = links->forth[d] + p;
    for (int x = 0; x < width; x++)
      sum[x] += forth[x];
    if (fs_direction_dy (d) > y)
      continue;
    const uint16_t *back = links->back[d] + p - (size_t)fs_direction_dy (d) * width;
    for (int x = MAX (dx, 0); x < width + MIN (dx, 0); x++)
      sum[x] += back[x - dx];
  }
}

/* Star links only add, so what is least without them may stand for both. */
gboolean
fs_levels_make_min_links (const FsGrid *fine, uint8_t *min, const FsProgress *progress)
{
  int width = fs_half (fine->width);
  g_autofree uint32_t *sum = g_new (uint32_t, fine->width);
  for (int y = 0; y < fine->height; y++) {
    uint8_t *row = min + (size_t)(y / 4) * width;
    if (fs_progress_is_cancelled (progress))
      return FALSE;
    if (y % 4 == 0)
      memset (row, UINT8_MAX, width);
    for (int sense = 0; sense < (fine->nlink_back[0] != NULL ? 2 : 1); sense++) {
      Links links = links_of (fine, sense);
      sum_pixel_row (fine, &links, y, sum);
      for (int x = 0; x < fine->width; x++)
        row[x / 2] = (uint8_t)MIN (row[x / 2], sum[x] / FS_MIN_LINKS_UNIT);
    }
  }
  return TRUE;
}

/* Where a step leads from each of a block's four pixels (upper left, upper right, lower left, lower
 * right) in each direction 0 … 7: out, in this direction of blocks, or to INSIDE + another pixel.
 */
enum { INSIDE = 8 };
static const uint8_t steps[4][FS_N_ARCS] = {
  { INSIDE + 1, INSIDE + 2, INSIDE + 3, 4, 4, 5, 6, 5 },
  { 0, INSIDE + 3, 0, INSIDE + 2, INSIDE + 0, 5, 5, 7 },
  { INSIDE + 3, 1, 1, 3, 4, INSIDE + 0, 4, INSIDE + 1 },
  { 0, 1, 2, 1, INSIDE + 2, INSIDE + 1, INSIDE + 0, 0 },
};

/* Where the parents of a block's pixel lead: FS_STAR_NONE when they end in the block, or, as may be
 * in a coarse star, turn in circles there. */
static inline uint8_t
way_out (const uint8_t star[4], int pixel)
{
  for (int i = 0; i < 4 && star[pixel] != FS_STAR_NONE; i++) {
    uint8_t step = steps[pixel][star[pixel]];
    if (step < INSIDE)
      return step;
    pixel = step - INSIDE;
  }
  return FS_STAR_NONE;
}

uint8_t
fs_levels_block_star (const FsGrid *fine, int x, int y)
{
  gboolean right = 2 * x + 1 < fine->width;
  gboolean below = 2 * y + 1 < fine->height;
  const uint8_t *upper = fine->star + (size_t)2 * y * fine->width + (size_t)2 * x;
  const uint8_t *lower = below ? upper + fine->width : upper;
  uint8_t star[4] = { upper[0], upper[right], lower[0], lower[right] };
  uint8_t votes[FS_N_ARCS] = { 0 };
  uint8_t best = 0;
  for (int pixel = 0; pixel < 4; pixel++) {
    if ((pixel % 2 > right) || (pixel / 2 > below))
      continue;
    uint8_t d = way_out (star, pixel);
    if (d == FS_STAR_NONE)
      return FS_STAR_NONE;
    votes[d]++;
  }
  for (uint8_t d = 1; d < FS_N_ARCS; d++)
    best = votes[d] > votes[best] ? d : best;
  return best;
}
