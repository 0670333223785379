/* SPDX-License-Identifier: MIT */
#include "solver/band_graph.h"

#include "solver/checked_memory.h"

#include <string.h>

const int8_t fs_band_dx[FS_BAND_DIRECTIONS] = { -1, 0, 1, -1, 1, -1, 0, 1 };
const int8_t fs_band_dy[FS_BAND_DIRECTIONS] = { -1, -1, -1, 0, 0, 1, 1, 1 };

const uint8_t fs_band_rank[FS_BAND_DIRECTIONS][8] = {
  { 0, 0, 0, 0, 0, 0, 0, 0 }, { 0, 1, 0, 1, 0, 1, 0, 1 }, { 0, 1, 1, 2, 0, 1, 1, 2 },
  { 0, 0, 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 0, 0, 0 },
  { 0, 1, 0, 1, 0, 1, 0, 1 }, { 0, 1, 1, 2, 0, 1, 1, 2 },
};

/* One direction: where the capacities of its arcs lie, relative to the pixel that looks. */
typedef struct {
  const uint16_t *out; /* plane of c(p,q); NULL: the grid has no such links */
  const uint16_t *in;  /* plane of c(q,p) */
  ptrdiff_t at;        /* the pixel, p or q, that the planes are indexed by, less p */
  ptrdiff_t step;      /* q − p */
  int direction;       /* grid.h's, 0 … 7 */
} Arc;

typedef struct {
  FsBandGraph *graph;
  const FsGrid *grid;
  const FsBand *band;
  const uint8_t *mask;
  Arc arcs[FS_BAND_DIRECTIONS];
  int32_t *row[3]; /* indices in the rows y − 1, y, y + 1; [x + 1] for pixel x */
} Builder;

void
fs_band_graph_init (FsBandGraph *graph)
{
  *graph = (FsBandGraph){ 0 };
}

void
fs_band_graph_clear (FsBandGraph *graph)
{
  fs_memory_free (graph->nodes);
  fs_memory_free (graph->residuals);
  fs_memory_free (graph->rows);
  fs_band_graph_init (graph);
}

size_t
fs_band_graph_size_bytes (const FsBandGraph *graph)
{
  return graph->capacity * (sizeof *graph->nodes + sizeof *graph->residuals)
         + graph->rows_capacity * sizeof *graph->rows;
}

static void
find_arcs (Builder *builder)
{
  static const int backward[FS_N_DIRECTIONS] = { 3, 1, 0, 2 };
  const FsGrid *grid = builder->grid;
  for (int f = 0; f < fs_grid_n_directions (grid); f++) {
    const uint16_t *forth = grid->nlink[f];
    const uint16_t *back = grid->nlink_back[f] != NULL ? grid->nlink_back[f] : forth;
    ptrdiff_t step = fs_direction_dx (f) + (ptrdiff_t)fs_direction_dy (f) * (ptrdiff_t)grid->width;
    builder->arcs[7 - backward[f]] = (Arc){ forth, back, 0, step, f };
    builder->arcs[backward[f]] = (Arc){ back, forth, -step, -step, f ^ FS_DIRECTION_OPPOSITE };
  }
}

static void
number_row (Builder *builder, int y, int32_t *row, int32_t first)
{
  const FsBand *band = builder->band;
  for (uint32_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
    for (int x = band->runs[r].x0; x < band->runs[r].x1; x++)
      row[x + 1] = first++;
}

static void
forget_row (Builder *builder, int y, int32_t *row)
{
  const FsBand *band = builder->band;
  for (uint32_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
    for (int x = band->runs[r].x0; x < band->runs[r].x1; x++)
      row[x + 1] = -1;
}

static void
link_inside (FsBandNode *node, FsBandResidual *residual, int d, uint32_t index, uint16_t out,
             uint16_t in)
{
  if (d < 3 && (node->slots & 7) == 0)
    node->up = index;
  if (d > 4 && (node->slots >> 5) == 0)
    node->down = index;
  node->slots |= (uint8_t)(1 << d);
  residual->to[d] = out;
  node->out |= (uint8_t)((out > 0) << d);
  node->in |= (uint8_t)((in > 0) << d);
}

static void
build_node (Builder *builder, int x, int y, uint32_t index)
{
  const FsGrid *grid = builder->grid;
  size_t p = (size_t)y * grid->width + x;
  FsBandNode node = { .excess = grid->tlink[p], .next = FS_BAND_NONE };
  FsBandResidual residual = { 0 };
  for (int d = 0; d < FS_BAND_DIRECTIONS; d++) {
    const Arc *arc = &builder->arcs[d];
    int qx = x + fs_band_dx[d];
    int qy = y + fs_band_dy[d];
    if (arc->out == NULL || qx < 0 || qx >= grid->width || qy < 0 || qy >= grid->height)
      continue;
    uint16_t out = arc->out[(ptrdiff_t)p + arc->at];
    uint16_t in = arc->in[(ptrdiff_t)p + arc->at];
    if (grid->star != NULL) {
      size_t q = (size_t)((ptrdiff_t)p + arc->step);
      out = fs_grid_capacity (grid, p, arc->direction);
      in = fs_grid_capacity (grid, q, arc->direction ^ FS_DIRECTION_OPPOSITE);
    }
    int32_t neighbour = builder->row[1 + fs_band_dy[d]][qx + 1];
    if (neighbour >= 0)
      link_inside (&node, &residual, d, (uint32_t)neighbour, out, in);
    else
      node.excess += builder->mask[(ptrdiff_t)p + arc->step] ? in : -(int32_t)out;
  }
  builder->graph->nodes[index] = node;
  builder->graph->residuals[index] = residual;
}

static gboolean
reserve (FsBandGraph *graph, size_t n_nodes, int width)
{
  if (n_nodes > INT32_MAX)
    return FALSE;
  if (n_nodes > graph->capacity) {
    /* Somewhat more than now, so that a band that grows a little from stroke to stroke seldom asks
     * again. */
    size_t capacity = n_nodes + n_nodes / 8;
    fs_memory_free (graph->nodes);
    fs_memory_free (graph->residuals);
    graph->nodes = fs_memory_new (capacity, sizeof *graph->nodes);
    graph->residuals = fs_memory_new (capacity, sizeof *graph->residuals);
    graph->capacity = graph->nodes != NULL && graph->residuals != NULL ? capacity : 0;
  }
  size_t n_rows = 3 * ((size_t)width + 2);
  if (n_rows > graph->rows_capacity) {
    fs_memory_free (graph->rows);
    graph->rows = fs_memory_new (n_rows, sizeof *graph->rows);
    graph->rows_capacity = graph->rows != NULL ? n_rows : 0;
  }
  return graph->capacity >= n_nodes && graph->rows != NULL;
}

gboolean
fs_band_graph_build (FsBandGraph *graph, const FsGrid *grid, const FsBand *band,
                     const uint8_t *mask)
{
  g_return_val_if_fail (graph != NULL && grid != NULL && band != NULL && mask != NULL, FALSE);
  g_return_val_if_fail (band->width == grid->width && band->height == grid->height, FALSE);
  if (!reserve (graph, band->n_pixels, grid->width))
    return FALSE;
  graph->n_nodes = (uint32_t)band->n_pixels;
  size_t pitch = (size_t)grid->width + 2;
  memset (graph->rows, 0xff, 3 * pitch * sizeof *graph->rows);
  Builder builder = { graph, grid, band, mask };
  for (int i = 0; i < 3; i++)
    builder.row[i] = graph->rows + (size_t)i * pitch;
  find_arcs (&builder);

  uint32_t index = 0;
  int32_t next = 0;
  number_row (&builder, 0, builder.row[1], 0);
  for (int y = 0; y < band->height; y++) {
    for (uint32_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
      next += band->runs[r].x1 - band->runs[r].x0;
    if (y + 1 < band->height)
      number_row (&builder, y + 1, builder.row[2], next);
    for (uint32_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
      for (int x = band->runs[r].x0; x < band->runs[r].x1; x++)
        build_node (&builder, x, y, index++);
    if (y > 0)
      forget_row (&builder, y - 1, builder.row[0]);
    int32_t *freed = builder.row[0];
    builder.row[0] = builder.row[1];
    builder.row[1] = builder.row[2];
    builder.row[2] = freed;
  }
  return TRUE;
}
