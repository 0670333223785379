/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/star.h"

#include "energy/geodesic/field.h"
#include "solver/system/checked_memory.h"

#include <string.h>

#define SIDE_MAX (1 << FS_GEODESIC_SHIFT_MAX)

/* The word of a cell for its pixels: a direction, HAS_SEED or UNREACHED. */
enum {
  DIRECTION = 7,
  /* With a diagonal direction: pixels in the last column (row) on the way have parents along it. */
  KEEP_COLUMN = 8,
  KEEP_ROW = 16,
  HAS_SEED = 254,
  UNREACHED = 255
};

struct _FsStar {
  FsGeodesicLevel *level;
  FsNeighbours neighbours;
  FsGeodesicField *field;
  const int32_t *distance; /* the field's */
  int offset[FS_N_ARCS];   /* of neighbours in cell planes */
  uint8_t *words;          /* cell plane */
  uint8_t *marks;          /* cell plane, 0 between updates */
  /* Empty between updates. */
  FsCellList *moved;    /* another distance       */
  FsCellList *affected; /* maybe another word     */
  FsCellList *dirty;    /* maybe other parents    */
};

enum { AFFECTED = 1, DIRTY = 2 };

FsStar *
fs_star_new (FsGeodesicLevel *level, FsNeighbours neighbours)
{
  g_return_val_if_fail (level, NULL);

  g_autoptr (FsStar) star = g_new0 (FsStar, 1);
  star->level = fs_geodesic_level_ref (level);
  star->neighbours = neighbours;
  star->moved = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  star->affected = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  star->dirty = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  star->field = fs_geodesic_field_new (level, FS_GEODESIC_MU_STAR, neighbours, FS_CELL_OBJECT);
  star->words = fs_geodesic_plane_new (level, 1);
  star->marks = fs_geodesic_plane_new (level, 1);
  if (!star->field || !star->words || !star->marks)
    return NULL;
  star->distance = fs_geodesic_field_get_distances (star->field);
  for (int d = 0; d < FS_N_ARCS; d++)
    star->offset[d] = fs_geodesic_offset (level, d);
  memset (star->words, UNREACHED, level->n_plane);
  return g_steal_pointer (&star);
}

void
fs_star_free (FsStar *star)
{
  if (!star)
    return;
  g_array_unref (star->moved);
  g_array_unref (star->affected);
  g_array_unref (star->dirty);
  fs_geodesic_field_free (star->field);
  fs_memory_free (star->words);
  fs_memory_free (star->marks);
  fs_geodesic_level_unref (star->level);
  g_free (star);
}

const int32_t *
fs_star_get_distances (const FsStar *star)
{
  return star->distance;
}

/* --- Words ------------------------------------------------------------------------------------ */

static inline int
horizontal_part (int d)
{
  return fs_arc_dx (d) > 0 ? FS_DIRECTION_E : FS_DIRECTION_E ^ FS_DIRECTION_OPPOSITE;
}

static inline int
vertical_part (int d)
{
  return fs_arc_dy (d) > 0 ? FS_DIRECTION_S : FS_DIRECTION_S ^ FS_DIRECTION_OPPOSITE;
}

static inline gboolean
is_diagonal (int d)
{
  return d % FS_N_DIRECTIONS >= FS_DIRECTION_SE;
}

/* The direction of the neighbour with the shortest way. It is strictly nearer: a cell with a
 * distance always has a neighbour through which the way is no longer, in an unfinished field, too.
 */
static int
direction_of_cell (const FsStar *star, uint32_t p)
{
  const int32_t *own = star->distance + p;
  const FsGeodesicCosts *costs = &star->level->costs[FS_GEODESIC_MU_STAR][p];
  int direction = UNREACHED;
  int32_t best = G_MAXINT32;
  for (int d = 0; d < FS_N_ARCS; d++) {
    int32_t offer = own[star->offset[d]] + costs->to[d];
    gboolean is_edge =
        costs->to[d] > 0 && (star->neighbours == FS_NEIGHBOURS_8 || !is_diagonal (d));
    if (is_edge && offer < best) {
      best = offer;
      direction = d;
    }
  }
  return direction;
}

static gboolean
is_nearer (const FsStar *star, uint32_t p, int d)
{
  return (star->distance + p)[star->offset[d]] < star->distance[p];
}

static uint8_t
word_of_cell (const FsStar *star, uint32_t p)
{
  if (star->distance[p] == 0)
    return HAS_SEED;
  int d = star->distance[p] < FS_GEODESIC_FAR ? direction_of_cell (star, p) : UNREACHED;
  if (d == UNREACHED || !is_diagonal (d) || star->level->shift == 0)
    return (uint8_t)d;
  int keep = (is_nearer (star, p, horizontal_part (d)) ? 0 : KEEP_COLUMN)
             | (is_nearer (star, p, vertical_part (d)) ? 0 : KEEP_ROW);
  return (uint8_t)(d | keep);
}

void
fs_star_compute (FsStar *star, const FsGeodesicSources *sources)
{
  fs_geodesic_field_compute (star->field, sources->bits, NULL);
  for (int y = 0; y < star->level->height; y++) {
    uint32_t first = fs_geodesic_cell (star->level, 0, y);
    for (uint32_t p = first; p < first + (uint32_t)star->level->width; p++)
      star->words[p] = word_of_cell (star, p);
  }
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* The part of a cell's block that lies in the photo. */
static FsRect
block_of_cell (const FsGeodesicLevel *level, uint32_t cell)
{
  int side = 1 << level->shift;
  int x0 = fs_geodesic_cell_x (level, cell) * side, y0 = fs_geodesic_cell_y (level, cell) * side;
  return (FsRect){ x0, y0, MIN (x0 + side, level->photo_width),
                   MIN (y0 + side, level->photo_height) };
}

/* A row of a cell without object seeds. In its last row a path may have to run along the edge to
 * the corner before it leaves the cell diagonally. */
static void
make_row (uint8_t word, gboolean is_last, size_t n, uint8_t *row)
{
  int d = word & DIRECTION;
  if (word == UNREACHED || !is_diagonal (d)) {
    memset (row, word, n);
    return;
  }
  size_t last_column = fs_arc_dx (d) > 0 ? n - 1 : 0;
  memset (row, word & KEEP_ROW && is_last ? horizontal_part (d) : d, n);
  row[last_column] = (uint8_t)(word & KEEP_COLUMN && !is_last ? vertical_part (d) : d);
}

/* Rows [y0, y1) of such a cell. Blocks have eight columns as a rule: a word a row. */
static void
fill_by_word (uint8_t word, FsRect block, int y0, int y1, uint8_t *rows, size_t stride_bytes)
{
  size_t n = (size_t)(block.x1 - block.x0);
  int last_y = fs_arc_dy (word & DIRECTION) > 0 ? block.y1 - 1 : block.y0;
  uint8_t usual[SIDE_MAX], last[SIDE_MAX];
  make_row (word, FALSE, n, usual);
  make_row (word, TRUE, n, last);
  for (int y = y0; y < y1; y++, rows += stride_bytes)
    if (n == 8)
      memcpy (rows, y == last_y ? last : usual, 8);
    else
      memcpy (rows, y == last_y ? last : usual, n);
}

/* Distances of a block's pixels from its object seeds, by steps inside the block; with a margin of
 * one pixel, which is farther than any. */
typedef struct {
  uint8_t steps[SIDE_MAX + 2][SIDE_MAX + 2];
} BlockSteps;

#define NO_STEPS 255

static void
relax_steps (BlockSteps *block, int x, int y, const int *directions, int n)
{
  uint8_t *own = &block->steps[y][x];
  for (int i = 0; i < n; i++) {
    uint8_t there = block->steps[y + fs_arc_dy (directions[i])][x + fs_arc_dx (directions[i])];
    if (there < *own)
      *own = (uint8_t)(there + 1);
  }
}

/* Two sweeps are exact for these two metrics (Rosenfeld & Pfaltz 1966). */
static void
count_steps (BlockSteps *block, const FsSeedMap *seeds, FsRect r, FsNeighbours neighbours)
{
  static const int before[] = { 4, 5, 6, 7 }, after[] = { 0, 1, 2, 3 };
  int n = neighbours == FS_NEIGHBOURS_8 ? 4 : 2;
  int w = r.x1 - r.x0, h = r.y1 - r.y0;
  memset (block, NO_STEPS, sizeof *block);
  for (int y = 1; y <= h; y++) {
    const uint8_t *label =
        seeds->label + (size_t)(r.y0 + y - 1) * (size_t)seeds->width + (size_t)r.x0 - 1;
    for (int x = 1; x <= w; x++) {
      if (label[x] > FS_SEED_BACKGROUND)
        block->steps[y][x] = 0;
      relax_steps (block, x, y, before, n);
    }
  }
  for (int y = h; y >= 1; y--)
    for (int x = w; x >= 1; x--)
      relax_steps (block, x, y, after, n);
}

/* Row y of a cell with object seeds. */
static void
fill_by_steps (const BlockSteps *steps, FsRect block, FsNeighbours neighbours, int y, uint8_t *row)
{
  for (int x = block.x0; x < block.x1; x++) {
    const int at_x = x - block.x0 + 1, at_y = y - block.y0 + 1;
    const int own = steps->steps[at_y][at_x];
    int parent = FS_STAR_NONE;
    for (int d = FS_N_ARCS - 1; d >= 0; d--)
      if ((neighbours == FS_NEIGHBOURS_8 || !is_diagonal (d))
          && steps->steps[at_y + fs_arc_dy (d)][at_x + fs_arc_dx (d)] < own)
        parent = d;
    row[x - block.x0] = (uint8_t)parent;
  }
}

/* Rows [y0, y1) of a cell's block, seeds left aside; row y0 begins at `rows`. */
static void
fill_block (const FsStar *star, const FsSeedMap *seeds, uint32_t cell, int y0, int y1,
            uint8_t *rows, size_t stride_bytes)
{
  FsRect block = block_of_cell (star->level, cell);
  if (star->words[cell] != HAS_SEED) {
    fill_by_word (star->words[cell], block, y0, y1, rows, stride_bytes);
    return;
  }
  BlockSteps steps;
  count_steps (&steps, seeds, block, star->neighbours);
  for (int y = y0; y < y1; y++)
    fill_by_steps (&steps, block, star->neighbours, y, rows + (size_t)(y - y0) * stride_bytes);
}

/* Seeds have no parent. */
static void
clear_seeds (const uint8_t *labels, size_t n, uint8_t *row)
{
  for (size_t i = 0; i < n; i++)
    row[i] |= labels[i] == FS_SEED_NONE ? 0 : FS_STAR_NONE;
}

void
fs_star_fill_rows (const FsStar *star, const FsSeedMap *seeds, int y0, int y1, uint8_t *parents)
{
  const FsGeodesicLevel *level = star->level;
  g_return_if_fail (y0 >= 0 && y1 <= level->photo_height);

  size_t stride = (size_t)level->photo_width;
  for (int y = y0; y < y1;) {
    int cell_y = y >> level->shift;
    int end = MIN ((cell_y + 1) << level->shift, y1);
    for (int cell_x = 0; cell_x < level->width; cell_x++)
      fill_block (star, seeds, fs_geodesic_cell (level, cell_x, cell_y), y, end,
                  parents + (size_t)y * stride + ((size_t)cell_x << level->shift), stride);
    clear_seeds (seeds->label + (size_t)y * stride, (size_t)(end - y) * stride,
                 parents + (size_t)y * stride);
    y = end;
  }
}

/* --- Updates ---------------------------------------------------------------------------------- */

static void
mark (FsStar *star, uint32_t cell, uint8_t bit, FsCellList *list)
{
  if (star->marks[cell] & bit)
    return;
  star->marks[cell] |= bit;
  g_array_append_val (list, cell);
}

static void
mark_with_neighbours (FsStar *star, uint32_t cell)
{
  mark (star, cell, AFFECTED, star->affected);
  for (int d = 0; d < FS_N_ARCS; d++)
    mark (star, cell + (uint32_t)star->offset[d], AFFECTED, star->affected);
}

static gboolean
is_in_level (const FsStar *star, uint32_t cell)
{
  int x = fs_geodesic_cell_x (star->level, cell), y = fs_geodesic_cell_y (star->level, cell);
  return x < star->level->width && y >= 0 && y < star->level->height;
}

/* Renews the words of cells whose distance, or a neighbour's, has changed. */
static void
renew_words (FsStar *star)
{
  for (guint i = 0; i < star->moved->len; i++)
    mark_with_neighbours (star, g_array_index (star->moved, uint32_t, i));
  for (guint i = 0; i < star->affected->len; i++) {
    uint32_t cell = g_array_index (star->affected, uint32_t, i);
    star->marks[cell] &= (uint8_t)~AFFECTED;
    if (!is_in_level (star, cell))
      continue;
    uint8_t word = word_of_cell (star, cell);
    if (word != star->words[cell])
      mark (star, cell, DIRTY, star->dirty);
    star->words[cell] = word;
  }
  g_array_set_size (star->moved, 0);
  g_array_set_size (star->affected, 0);
}

static void
append_differences (const FsStar *star, const FsSeedMap *seeds, uint32_t cell,
                    const uint8_t *parents, GArray *changes)
{
  FsRect block = block_of_cell (star->level, cell);
  size_t n = (size_t)(block.x1 - block.x0);
  uint8_t now[SIDE_MAX * SIDE_MAX];
  fill_block (star, seeds, cell, block.y0, block.y1, now, n);
  for (int y = block.y0; y < block.y1; y++) {
    uint8_t *row = now + (size_t)(y - block.y0) * n;
    size_t first = (size_t)y * (size_t)star->level->photo_width + (size_t)block.x0;
    clear_seeds (seeds->label + first, n, row);
    for (size_t i = 0; i < n; i++)
      if (row[i] != parents[first + i]) {
        FsStarChange change = { (uint32_t)(first + i), row[i] };
        g_array_append_val (changes, change);
      }
  }
}

static void
report_parents (FsStar *star, const FsSeedMap *seeds, const uint8_t *parents, GArray *changes)
{
  for (guint i = 0; i < star->dirty->len; i++) {
    uint32_t cell = g_array_index (star->dirty, uint32_t, i);
    star->marks[cell] &= (uint8_t)~DIRTY;
    append_differences (star, seeds, cell, parents, changes);
  }
  g_array_set_size (star->dirty, 0);
}

gboolean
fs_star_update (FsStar *star, const FsStarEdit *edit, size_t max_cells, const uint8_t *parents,
                GArray *changes)
{
  gboolean is_finished =
      fs_geodesic_field_update_some (star->field, edit->sources->bits, edit->cells, edit->n_cells,
                                     max_cells, star->moved);
  renew_words (star);
  for (size_t i = 0; i < edit->n_pixels; i++)
    mark (star, fs_geodesic_cell_of_pixel (star->level, edit->pixels[i]), DIRTY, star->dirty);
  report_parents (star, edit->seeds, parents, changes);
  return is_finished;
}
