/* SPDX-License-Identifier: MIT */
#include "energy/matting/colour_tree.h"

#include "solver/system/checked_memory.h"

#include <string.h>

enum { D = FS_COLOUR_TREE_DIMENSIONS, LEAF_POINTS = 8 };

FsColourPoint
fs_colour_point (const FsZone *zone, int x, int y, float place)
{
  const uint32_t colour = fs_zone_colour (zone, x, y);
  return (FsColourPoint){ { FS_PIXEL_R (colour), FS_PIXEL_G (colour), FS_PIXEL_B (colour),
                            place * (float)x, place * (float)y },
                          (uint32_t)fs_zone_pixel (zone, x, y) };
}

/* ---- Making ---- */

/* Nodes are numbered as in a heap, the root 1. Node i of a level has the i-th of 2^level equal
 * ranges of points, the first half of which has the smaller coordinates. */
typedef struct {
  uint32_t begin, end;
} Range;

static int
widest_dimension (const FsColourTree *tree, Range range)
{
  float min[D], max[D];
  memcpy (min, tree->point[range.begin].at, sizeof min);
  memcpy (max, min, sizeof max);
  for (uint32_t i = range.begin; i < range.end; i++)
    for (int d = 0; d < D; d++) {
      min[d] = MIN (min[d], tree->point[i].at[d]);
      max[d] = MAX (max[d], tree->point[i].at[d]);
    }
  int widest = 0;
  for (int d = 1; d < D; d++)
    if (max[d] - min[d] > max[widest] - min[widest])
      widest = d;
  return widest;
}

/* A total order, so that the tree is a function of the set of points. */
static inline gboolean
is_before (const FsColourPoint *a, const FsColourPoint *b, int d)
{
  return a->at[d] < b->at[d] || (a->at[d] == b->at[d] && a->pixel < b->pixel);
}

static inline void
swap (FsColourPoint *a, FsColourPoint *b)
{
  const FsColourPoint c = *a;
  *a = *b;
  *b = c;
}

/* The median of three goes to the middle, and is returned. */
static FsColourPoint
choose_pivot (FsColourPoint *point, Range range, int d)
{
  FsColourPoint *first = &point[range.begin], *last = &point[range.end - 1],
                *middle = &point[range.begin + (range.end - range.begin) / 2];
  if (is_before (middle, first, d))
    swap (middle, first);
  if (is_before (last, middle, d))
    swap (last, middle);
  if (is_before (middle, first, d))
    swap (middle, first);
  return *middle;
}

/* Quickselect: afterwards no point before the k-th comes after it, and none behind it before. */
static void
select_point (FsColourPoint *point, Range range, uint32_t k, int d)
{
  while (range.end - range.begin > 1) {
    const FsColourPoint pivot = choose_pivot (point, range, d);
    int64_t i = range.begin, j = (int64_t)range.end - 1;
    while (i <= j) {
      while (is_before (&point[i], &pivot, d))
        i++;
      while (is_before (&pivot, &point[j], d))
        j--;
      if (i <= j)
        swap (&point[i++], &point[j--]);
    }
    if ((int64_t)k <= j)
      range.end = (uint32_t)(j + 1);
    else if ((int64_t)k >= i)
      range.begin = (uint32_t)i;
    else
      return;
  }
}

static void
divide (FsColourTree *tree, Range range, uint32_t node, int level, const FsProgress *progress)
{
  if (level == tree->depth || fs_progress_is_cancelled (progress))
    return;
  const uint32_t middle = range.begin + (range.end - range.begin) / 2;
  const int d = widest_dimension (tree, range);
  select_point (tree->point, range, middle, d);
  tree->dimension[node] = (uint8_t)d;
  tree->value[node] = tree->point[middle].at[d];
  divide (tree, (Range){ range.begin, middle }, 2 * node, level + 1, progress);
  divide (tree, (Range){ middle, range.end }, 2 * node + 1, level + 1, progress);
}

static uint32_t
count (const FsZone *zone, const uint8_t *is_in, uint8_t value)
{
  const size_t n = (size_t)zone->width * (size_t)zone->height;
  uint32_t n_in = 0;
  for (size_t p = 0; p < n; p++)
    n_in += is_in[p] == value;
  return n_in;
}

gboolean
fs_colour_tree_init (FsColourTree *tree, const FsZone *zone, const uint8_t *is_in, uint8_t value,
                     float place)
{
  *tree = (FsColourTree){ .n_points = count (zone, is_in, value) };
  while (tree->n_points >> tree->depth > LEAF_POINTS)
    tree->depth++;
  tree->point = fs_memory_new (tree->n_points + 1, sizeof *tree->point);
  tree->dimension = fs_memory_new ((size_t)1 << tree->depth, sizeof *tree->dimension);
  tree->value = fs_memory_new ((size_t)1 << tree->depth, sizeof *tree->value);
  if (tree->point == NULL || tree->dimension == NULL || tree->value == NULL)
    return FALSE;
  uint32_t n = 0;
  for (int y = 0; y < zone->height; y++)
    for (int x = 0; x < zone->width; x++)
      if (is_in[fs_zone_pixel (zone, x, y)] == value)
        tree->point[n++] = fs_colour_point (zone, x, y, place);
  if (n > 0)
    divide (tree, (Range){ 0, n }, 1, 0, zone->progress);
  return TRUE;
}

void
fs_colour_tree_clear (FsColourTree *tree)
{
  fs_memory_free (tree->point);
  fs_memory_free (tree->dimension);
  fs_memory_free (tree->value);
  *tree = (FsColourTree){ 0 };
}

/* ---- Searching ---- */

typedef struct {
  const FsColourTree *tree;
  const FsColourPoint *query;
  FsColourNeighbours *found;
  int k, n_leaves;
  float offset[D]; /* from the query to the node's box */
} Search;

static inline float
distance2_to (const Search *search, uint32_t point)
{
  const float *at = search->query->at, *to = search->tree->point[point].at;
  float distance2 = 0;
  for (int d = 0; d < D; d++)
    distance2 += (to[d] - at[d]) * (to[d] - at[d]);
  return distance2;
}

static gboolean
has_point (const FsColourNeighbours *found, uint32_t point)
{
  for (int i = 0; i < found->n; i++)
    if (found->point[i] == point)
      return TRUE;
  return FALSE;
}

static inline void
insert (const Search *search, uint32_t point)
{
  FsColourNeighbours *found = search->found;
  const float distance2 = distance2_to (search, point);
  if ((found->n == search->k && distance2 >= found->distance2[search->k - 1])
      || search->tree->point[point].pixel == search->query->pixel || has_point (found, point))
    return;
  int i = found->n < search->k ? found->n++ : search->k - 1;
  for (; i > 0 && found->distance2[i - 1] > distance2; i--) {
    found->distance2[i] = found->distance2[i - 1];
    found->point[i] = found->point[i - 1];
  }
  found->distance2[i] = distance2;
  found->point[i] = point;
}

static void
search_leaf (Search *search, Range range)
{
  for (uint32_t i = range.begin; i < range.end; i++)
    insert (search, i);
  search->n_leaves--;
}

/* `distance2` is that of the node's box. */
static void
search_node (Search *search, Range range, uint32_t node, int level, float distance2)
{
  if (level == search->tree->depth) {
    search_leaf (search, range);
    return;
  }
  const int d = search->tree->dimension[node];
  const float offset = search->query->at[d] - search->tree->value[node], old = search->offset[d],
              far2 = distance2 - old * old + offset * offset;
  const uint32_t middle = range.begin + (range.end - range.begin) / 2;
  const Range lower = { range.begin, middle }, upper = { middle, range.end };
  const gboolean is_lower = offset < 0;
  search_node (search, is_lower ? lower : upper, 2 * node + !is_lower, level + 1, distance2);
  if (search->n_leaves <= 0
      || (search->found->n == search->k && far2 >= search->found->distance2[search->k - 1]))
    return;
  search->offset[d] = offset;
  search_node (search, is_lower ? upper : lower, 2 * node + is_lower, level + 1, far2);
  search->offset[d] = old;
}

void
fs_colour_tree_search (const FsColourTree *tree, const FsColourPoint *query, int k, int n_leaves,
                       FsColourNeighbours *found)
{
  Search search = { .tree = tree, .query = query, .found = found, .k = k, .n_leaves = n_leaves };
  const FsColourNeighbours start = *found;
  found->n = 0;
  for (int i = 0; i < start.n; i++)
    insert (&search, start.point[i]);
  if (tree->n_points > 0)
    search_node (&search, (Range){ 0, tree->n_points }, 1, 0, 0);
}
