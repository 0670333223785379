/* SPDX-License-Identifier: MIT */
#include "energy/frames/frame_span.h"

#include "energy/terms/lab_contrast.h"
#include "solver/system/checked_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_TIES = 9, NO_NODE = G_MAXUINT32 };

/* Links of a layer: in its frame, or to the one before. */
typedef struct {
  FsGraphEdge *edge; /* nodes are numbered in their own layers */
  int32_t *flow;     /* from → to */
  size_t n;
} Links;

typedef struct {
  FsImage *image;
  uint8_t *mask;    /* of the frame */
  gboolean is_open; /* has no mask yet */
  FsRect window;
  uint32_t *node; /* [window] number or NO_NODE; NULL: there are none */
  uint32_t n_nodes;
  int32_t *tlink;       /* [n_nodes] */
  int32_t *fixed_tlink; /* [n_nodes] by ties to what is fixed in the frame before */
  Links links, ties;
} Layer;

struct _FsFrameSpan {
  int n_frames;
  Layer layer[FS_FRAME_SPAN_MAX]; /* the oldest first */
  int n;
  int first; /* of the graph */
  FsGraph graph;
  size_t nodes_capacity, edges_capacity;
  int64_t reused_flow, constant;
};

/* --- life ------------------------------------------------------------------------------------- */

static void
links_clear (Links *links)
{
  g_clear_pointer (&links->edge, fs_memory_free);
  g_clear_pointer (&links->flow, fs_memory_free);
  links->n = 0;
}

static gboolean
links_init (Links *links, size_t max)
{
  links->edge = fs_memory_new (MAX (max, 1), sizeof *links->edge);
  links->flow = fs_memory_new (MAX (max, 1), sizeof *links->flow);
  return links->edge && links->flow;
}

static void
layer_clear (Layer *layer)
{
  g_clear_pointer (&layer->image, fs_image_unref);
  g_clear_pointer (&layer->mask, fs_memory_free);
  g_clear_pointer (&layer->node, fs_memory_free);
  g_clear_pointer (&layer->tlink, fs_memory_free);
  g_clear_pointer (&layer->fixed_tlink, fs_memory_free);
  links_clear (&layer->links);
  links_clear (&layer->ties);
  *layer = (Layer){ 0 };
}

FsFrameSpan *
fs_frame_span_new (int n_frames)
{
  g_return_val_if_fail (n_frames >= 2 && n_frames <= FS_FRAME_SPAN_MAX, NULL);
  FsFrameSpan *span = g_new0 (FsFrameSpan, 1);
  span->n_frames = n_frames;
  return span;
}

static void
free_graph (FsFrameSpan *span)
{
  g_clear_pointer (&span->graph.tlink, fs_memory_free);
  g_clear_pointer (&span->graph.edges, fs_memory_free);
  span->nodes_capacity = span->edges_capacity = 0;
}

void
fs_frame_span_free (FsFrameSpan *span)
{
  if (!span)
    return;
  fs_frame_span_clear (span);
  free_graph (span);
  g_free (span);
}

void
fs_frame_span_clear (FsFrameSpan *span)
{
  for (int i = 0; i < span->n; i++)
    layer_clear (&span->layer[i]);
  span->n = 0;
}

static size_t
area (const FsImage *image)
{
  return (size_t)image->width * (size_t)image->height;
}

gboolean
fs_frame_span_begin (FsFrameSpan *span, FsImage *image, const uint8_t *mask)
{
  g_return_val_if_fail (span && image && mask, FALSE);
  fs_frame_span_clear (span);
  uint8_t *copy = fs_memory_new (area (image), 1);
  if (!copy)
    return FALSE;
  memcpy (copy, mask, area (image));
  span->layer[span->n++] = (Layer){ .image = fs_image_ref (image), .mask = copy };
  return TRUE;
}

/* --- a layer ---------------------------------------------------------------------------------- */

static gboolean
layer_init (Layer *layer, FsImage *image, const FsFrameBand *band)
{
  size_t n_window = (size_t)band->width * (size_t)band->height, n = MAX (band->n_free, 1);
  *layer = (Layer){ .image = fs_image_ref (image), .is_open = TRUE, .window = band->window };
  layer->mask = fs_memory_new (area (image), 1);
  layer->node = fs_memory_new (n_window, sizeof *layer->node);
  layer->tlink = fs_memory_new (n, sizeof *layer->tlink);
  layer->fixed_tlink = fs_memory_new (n, sizeof *layer->fixed_tlink);
  return layer->mask && layer->node && layer->tlink && layer->fixed_tlink
         && links_init (&layer->links, n * FS_N_DIRECTIONS)
         && links_init (&layer->ties, n * N_TIES);
}

static void
add_link (Links *links, uint32_t from, uint32_t to, int32_t capacity)
{
  links->edge[links->n] = (FsGraphEdge){ from, to, capacity, capacity };
  links->flow[links->n++] = 0;
}

static void
number_nodes (Layer *layer, const FsFrameBand *band, const FsFrameEnergy *energy)
{
  memset (layer->node, 0xff, (size_t)band->width * (size_t)band->height * sizeof *layer->node);
  for (int y = 0; y < band->height; y++)
    for (size_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
      for (int x = band->runs[r].x0; x < band->runs[r].x1; x++) {
        size_t p = (size_t)y * (size_t)band->width + (size_t)x;
        layer->tlink[layer->n_nodes] = energy->tlink[p];
        layer->fixed_tlink[layer->n_nodes] = 0;
        layer->node[p] = layer->n_nodes++;
      }
}

static void
list_links (Layer *layer, const FsFrameBand *band, const FsFrameEnergy *energy)
{
  for (int y = 0; y < band->height; y++)
    for (size_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
      for (int x = band->runs[r].x0; x < band->runs[r].x1; x++) {
        size_t p = (size_t)y * (size_t)band->width + (size_t)x;
        for (int d = 0; d < FS_N_DIRECTIONS; d++) {
          ptrdiff_t step = fs_direction_dy ((FsDirection)d) * (ptrdiff_t)band->width
                           + fs_direction_dx ((FsDirection)d);
          if (energy->nlink[d][p] > 0)
            add_link (&layer->links, layer->node[p], layer->node[(ptrdiff_t)p + step],
                      energy->nlink[d][p]);
        }
      }
}

/* As the band has fixed it; the rest is background. */
static void
mask_fixed (Layer *layer, const FsFrameBand *band)
{
  FsRect frame = { 0, 0, layer->image->width, layer->image->height };
  FsRect inside = fs_rect_intersect (band->window, frame);
  memset (layer->mask, 0, area (layer->image));
  for (int y = inside.y0; y < inside.y1; y++) {
    const uint8_t *state = band->state + (ptrdiff_t)(y - band->window.y0) * band->width;
    uint8_t *row = layer->mask + (size_t)y * (size_t)layer->image->width;
    for (int x = inside.x0; x < inside.x1; x++)
      row[x] = state[x - band->window.x0] == FS_FRAME_OBJECT;
  }
}

/* --- ties ------------------------------------------------------------------------------------- */

typedef struct {
  Layer *layer;
  const Layer *before;
  const FsFrameBand *band;
  const FsFrameEnergy *energy;
  uint16_t weight[3][FS_LAB_CONTRAST_ENTRIES]; /* by the steps aside */
  FsLab *row;                                  /* [width + 2] of the frame before */
} Tying;

static void
weigh_ties (Tying *tying)
{
  g_autofree double *link = g_new (double, FS_LAB_CONTRAST_ENTRIES);
  fs_frame_energy_list_links (tying->layer->image, tying->energy->mean, link);
  for (int aside = 0; aside < 3; aside++)
    for (int i = 0; i < FS_LAB_CONTRAST_ENTRIES; i++)
      tying->weight[aside][i] = (uint16_t)floor (
          MIN (link[i] / FS_FRAME_SPAN_TIE_PARTS / sqrt (aside + 1), FS_NLINK_MAX) + 0.5);
}

static uint32_t
node_at (const Layer *layer, int x, int y)
{
  FsRect r = layer->window;
  if (!layer->node || x < r.x0 || y < r.y0 || x >= r.x1 || y >= r.y1)
    return NO_NODE;
  return layer->node[(size_t)(y - r.y0) * (size_t)(r.x1 - r.x0) + (size_t)(x - r.x0)];
}

/* Adds the tie of a node to pixel (x, y) of the frame before. */
static void
tie (const Tying *tying, uint32_t node, int x, int y, int32_t weight)
{
  uint32_t other = node_at (tying->before, x, y);
  if (weight == 0)
    return;
  if (other != NO_NODE)
    add_link (&tying->layer->ties, node, other, weight);
  else
    tying->layer->fixed_tlink[node] +=
        tying->before->mask[(size_t)y * (size_t)tying->before->image->width + (size_t)x] ? weight
                                                                                         : -weight;
}

/* Adds the ties of a run in row j of the window to the row of the frame before that is `aside` rows
 * from its place there. */
static void
tie_run (const Tying *tying, int j, const FsBandRun *run, int aside)
{
  const FsFrameBand *band = tying->band;
  const FsImage *before = tying->before->image;
  size_t line = (size_t)j * (size_t)band->width;
  int y = band->window.y0 + j - band->dy + aside, left = band->window.x0 - band->dx;
  int x0 = MAX (left + run->x0 - 1, 0), x1 = MIN (left + run->x1 + 1, before->width);
  if (y < 0 || y >= before->height || x0 >= x1)
    return;
  fs_lab_from_pixels (before->pixels + (size_t)y * (size_t)before->width + x0, (size_t)(x1 - x0),
                      tying->row);
  for (int i = run->x0; i < run->x1; i++)
    for (int x = MAX (left + i - 1, x0); x < MIN (left + i + 2, x1); x++) {
      int32_t d2 = fs_lab_distance2 (tying->energy->lab[line + (size_t)i], tying->row[x - x0]);
      int steps = abs (aside) + abs (x - left - i);
      tie (tying, tying->layer->node[line + (size_t)i], x, y,
           tying->weight[steps][fs_lab_contrast_entry (d2)]);
    }
}

static gboolean
tie_layer (Layer *layer, const Layer *before, const FsFrameBand *band, const FsFrameEnergy *energy)
{
  g_autofree Tying *tying = g_new (Tying, 1);
  tying->layer = layer;
  tying->before = before;
  tying->band = band;
  tying->energy = energy;
  tying->row = fs_memory_new ((size_t)band->width + 2, sizeof *tying->row);
  if (!tying->row)
    return FALSE;
  weigh_ties (tying);
  for (int j = 0; j < band->height; j++)
    for (size_t r = band->row_start[j]; r < band->row_start[j + 1]; r++)
      for (int aside = -1; aside <= 1; aside++)
        tie_run (tying, j, &band->runs[r], aside);
  fs_memory_free (tying->row);
  return TRUE;
}

/* --- frames ----------------------------------------------------------------------------------- */

void
fs_frame_span_drop (FsFrameSpan *span)
{
  if (span->n > 0 && span->layer[span->n - 1].is_open)
    layer_clear (&span->layer[--span->n]);
}

gboolean
fs_frame_span_add (FsFrameSpan *span, FsImage *image, const FsFrameBand *band,
                   const FsFrameEnergy *energy)
{
  g_return_val_if_fail (span && image && band && energy, FALSE);
  fs_frame_span_drop (span);
  Layer *layer = &span->layer[span->n];
  gboolean enough = layer_init (layer, image, band);
  if (enough) {
    number_nodes (layer, band, energy);
    list_links (layer, band, energy);
    mask_fixed (layer, band);
    enough = span->n == 0 || tie_layer (layer, layer - 1, band, energy);
  }
  if (!enough) {
    layer_clear (layer);
    return FALSE;
  }
  span->n++;
  return TRUE;
}

/* Copies the mask. FALSE if it contradicts the band's fixed pixels. */
static gboolean
take_mask (Layer *layer, const uint8_t *mask)
{
  size_t n_row = (size_t)layer->image->width;
  gboolean fits = TRUE;
  for (int y = 0; y < layer->image->height; y++)
    for (int x = 0; x < layer->image->width; x++) {
      size_t p = (size_t)y * n_row + (size_t)x;
      fits = fits && (layer->mask[p] == mask[p] || node_at (layer, x, y) != NO_NODE);
      layer->mask[p] = mask[p];
    }
  return fits;
}

void
fs_frame_span_set_mask (FsFrameSpan *span, const uint8_t *mask)
{
  g_return_if_fail (span && mask && span->n > 0 && span->layer[span->n - 1].is_open);
  Layer *layer = &span->layer[span->n - 1];
  layer->is_open = FALSE;
  if (!take_mask (layer, mask)) {
    fs_frame_span_clear (span);
    return;
  }
  if (span->n < span->n_frames)
    return;
  layer_clear (&span->layer[0]);
  span->n--;
  memmove (span->layer, span->layer + 1, (size_t)span->n * sizeof *span->layer);
  span->layer[span->n] = (Layer){ 0 };
}

/* --- the graph -------------------------------------------------------------------------------- */

/* The first layer of the graph: as many as there may be nodes of, the newest one at least. */
static int
find_first (const FsFrameSpan *span)
{
  int first = span->n - 1;
  size_t n_nodes = span->layer[first].n_nodes;
  while (first > 0 && n_nodes + span->layer[first - 1].n_nodes <= FS_FRAME_SPAN_MAX_NODES)
    n_nodes += span->layer[--first].n_nodes;
  return first;
}

static gboolean
reserve_graph (FsFrameSpan *span, size_t n_nodes, size_t n_edges)
{
  if (n_nodes <= span->nodes_capacity && n_edges <= span->edges_capacity)
    return TRUE;
  free_graph (span);
  n_nodes += n_nodes / 4 + 1;
  n_edges += n_edges / 4 + 1;
  span->graph.tlink = fs_memory_new (n_nodes, sizeof *span->graph.tlink);
  span->graph.edges = fs_memory_new (n_edges, sizeof *span->graph.edges);
  if (!span->graph.tlink || !span->graph.edges) {
    free_graph (span);
    return FALSE;
  }
  span->nodes_capacity = n_nodes;
  span->edges_capacity = n_edges;
  return TRUE;
}

/* The ties of a frame; none where the frame before is not in the graph. */
static const Links *
ties_of (const FsFrameSpan *span, int i)
{
  static const Links none = { 0 };
  return i > span->first ? &span->layer[i].ties : &none;
}

static int64_t
tlink_of (const FsFrameSpan *span, int i, uint32_t node)
{
  const Layer *layer = &span->layer[i];
  return (int64_t)layer->tlink[node] + (i > span->first ? layer->fixed_tlink[node] : 0);
}

/* Appends links less their flow, from nodes at an offset to those at another one. */
static void
append (FsFrameSpan *span, const Links *links, uint32_t from, uint32_t to)
{
  FsGraph *graph = &span->graph;
  for (size_t i = 0; i < links->n; i++) {
    const FsGraphEdge *edge = &links->edge[i];
    int32_t flow = links->flow[i];
    uint32_t u = from + edge->from, v = to + edge->to;
    graph->edges[graph->n_edges++] =
        (FsGraphEdge){ u, v, edge->capacity - flow, edge->back + flow };
    graph->tlink[u] -= flow;
    graph->tlink[v] += flow;
    span->reused_flow += abs (flow);
  }
}

static int64_t
sum_gains (const FsGraph *graph)
{
  int64_t sum = 0;
  for (uint32_t v = 0; v < graph->n_nodes; v++)
    sum += MAX (graph->tlink[v], 0);
  return sum;
}

FsGraph *
fs_frame_span_make_graph (FsFrameSpan *span)
{
  g_return_val_if_fail (span && span->n > 0 && span->layer[span->n - 1].is_open, NULL);
  FsGraph *graph = &span->graph;
  size_t n_nodes = 0, n_edges = 0;
  span->first = find_first (span);
  for (int i = span->first; i < span->n; i++) {
    n_nodes += span->layer[i].n_nodes;
    n_edges += span->layer[i].links.n + ties_of (span, i)->n;
  }
  if (!reserve_graph (span, n_nodes, n_edges))
    return NULL;
  graph->n_nodes = graph->n_edges = 0;
  for (int i = span->first; i < span->n; i++)
    for (uint32_t v = 0; v < span->layer[i].n_nodes; v++)
      graph->tlink[graph->n_nodes++] = tlink_of (span, i, v);
  span->constant = sum_gains (graph);
  span->reused_flow = 0;
  uint32_t before = 0, here = 0;
  for (int i = span->first; i < span->n; i++) {
    append (span, &span->layer[i].links, here, here);
    append (span, ties_of (span, i), here, before);
    before = here;
    here += span->layer[i].n_nodes;
  }
  span->constant -= sum_gains (graph);
  return graph;
}

int64_t
fs_frame_span_get_reused_flow (const FsFrameSpan *span)
{
  return span->reused_flow;
}

int64_t
fs_frame_span_get_constant (const FsFrameSpan *span)
{
  return span->constant;
}

static int64_t
sum_cut (const Links *links, const uint8_t *from, const uint8_t *to)
{
  int64_t sum = 0;
  for (size_t i = 0; i < links->n; i++)
    if (from[links->edge[i].from] != to[links->edge[i].to])
      sum += links->edge[i].capacity;
  return sum;
}

int64_t
fs_frame_span_sum (const FsFrameSpan *span, const uint8_t *labels)
{
  const uint8_t *before = NULL, *here = labels;
  int64_t sum = 0;
  for (int i = span->first; i < span->n; i++) {
    const Layer *layer = &span->layer[i];
    for (uint32_t v = 0; v < layer->n_nodes; v++) {
      int64_t t = tlink_of (span, i, v);
      sum += MAX (here[v] ? -t : t, 0);
    }
    sum += sum_cut (&layer->links, here, here) + sum_cut (ties_of (span, i), here, before);
    before = here;
    here += layer->n_nodes;
  }
  return sum;
}

static const uint32_t *
take_flow (Links *links, const uint32_t *residual)
{
  for (size_t i = 0; i < links->n; i++)
    links->flow[i] = links->edge[i].capacity - (int32_t)residual[i];
  return residual + links->n;
}

void
fs_frame_span_reuse_flow (FsFrameSpan *span, const uint32_t *residual)
{
  for (int i = span->first; i < span->n; i++) {
    residual = take_flow (&span->layer[i].links, residual);
    if (i > span->first)
      residual = take_flow (&span->layer[i].ties, residual);
  }
}

void
fs_frame_span_read (const FsFrameSpan *span, const uint8_t *labels, uint8_t *cut)
{
  const Layer *layer = &span->layer[span->n - 1];
  const uint8_t *own = labels + (span->graph.n_nodes - layer->n_nodes);
  FsRect r = layer->window;
  size_t n = (size_t)(r.x1 - r.x0) * (size_t)(r.y1 - r.y0);
  for (size_t p = 0; p < n; p++)
    if (layer->node[p] != NO_NODE)
      cut[p] = own[layer->node[p]];
}
