/* SPDX-License-Identifier: MIT */
#include "solver/multilevel/band_cut.h"

#include "solver/cpu/search/tree_init.h"
#include "solver/range_checks.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* As many as fit into 2 MiB: a subproblem that stays in the L2 cache is cut faster. */
enum { MAX_SUBPROBLEM_PIXELS = 1 << 16 };

/* Neighbours of a band's first and last nodes are looked at where there are none. */
enum { GUARD = 16 };

#define ROOT (1u << FS_WORD_DISTANCE_SHIFT | FS_WORD_ROOT)

void
fs_band_cut_init (FsBandCut *cut)
{
  *cut = (FsBandCut){ .max_subproblem_pixels = MAX_SUBPROBLEM_PIXELS };
  fs_band_subproblems_init (&cut->subproblems);
}

void
fs_band_cut_clear (FsBandCut *cut)
{
  fs_band_subproblems_clear (&cut->subproblems);
  fs_cpu_layout_clear (&cut->layout);
  fs_cpu_search_clear (&cut->search);
  fs_memory_free (cut->rows);
  fs_band_cut_init (cut);
}

size_t
fs_band_cut_size_bytes (const FsBandCut *cut)
{
  return fs_band_subproblems_size_bytes (&cut->subproblems) + cut->layout.block_bytes
         + (cut->is_ready ? fs_cpu_search_bytes (&cut->search) : 0)
         + cut->rows_capacity * sizeof *cut->rows;
}

/* --- memory --- */

/* As in layout.c. */
static size_t
place_planes (FsCpuLayout *layout, size_t n, uint8_t *block)
{
  size_t at = 0;
  layout->word = (uint32_t *)(void *)(block + at) + GUARD;
  at += (n + 2 * GUARD) * sizeof *layout->word;
  layout->residual = (uint16_t *)(void *)(block + at);
  at += n * FS_N_ARCS * sizeof *layout->residual;
  layout->rows = (FsCpuRows *)(void *)(block + at);
  at += n * sizeof *layout->rows;
  layout->excess = (int32_t *)(void *)(block + at);
  at += n * sizeof *layout->excess;
  layout->arcs = (uint16_t *)(void *)(block + at);
  at += n * sizeof *layout->arcs;
  layout->touched = block + at;
  at += n / FS_CPU_TILE_PIXELS + 1;
  return at;
}

static gboolean
reserve_nodes (FsBandCut *cut, size_t n_nodes)
{
  FsCpuLayout *layout = &cut->layout;
  layout->n_nodes = n_nodes;
  if (n_nodes <= cut->capacity)
    return TRUE;
  /* Somewhat more than now, so that a band that grows a little from stroke to stroke seldom asks
   * again. Planes on whole cache lines. */
  size_t capacity = (n_nodes + n_nodes / 16 + 63) / 64 * 64;
  fs_cpu_layout_clear (layout);
  cut->capacity = 0;
  uint32_t origin[GUARD + 1];
  size_t bytes = place_planes (layout, capacity, (uint8_t *)origin);
  void *block = fs_memory_new_whole (bytes, 1);
  if (block == NULL)
    return FALSE;
  place_planes (layout, capacity, block);
  layout->block = block;
  layout->block_bytes = bytes;
  layout->n_directions = FS_N_ARCS;
  layout->n_nodes = n_nodes;
  cut->capacity = capacity;
  return TRUE;
}

static gboolean
reserve_columns (FsBandCut *cut, int width)
{
  size_t n_rows = 3 * ((size_t)width + 2);
  if (n_rows > cut->rows_capacity) {
    fs_memory_free (cut->rows);
    cut->rows = fs_memory_new (n_rows, sizeof *cut->rows);
    cut->rows_capacity = cut->rows != NULL ? n_rows : 0;
  }
  if (cut->rows == NULL)
    return FALSE;
  memset (cut->rows, 0xff, n_rows * sizeof *cut->rows);
  if (!cut->is_ready) {
    fs_cpu_search_clear (&cut->search);
    cut->is_ready = fs_cpu_search_init (&cut->search, &cut->layout);
  }
  return cut->is_ready;
}

/* --- the nodes of a subproblem --- */

/* One direction: where the capacities of its arcs lie, relative to the pixel that looks. */
typedef struct {
  const uint16_t *out; /* plane of c(p,q); NULL: the grid has no such links */
  const uint16_t *in;  /* plane of c(q,p) */
  int at;              /* column of the pixel, p or q, whose link it is, less that of p … */
  int above;           /* … and row of p, less its own                                    */
  ptrdiff_t step;      /* q − p */
  int dx, dy;
} Arc;

/* A subproblem's runs in one row of the photo. */
typedef struct {
  uint32_t begin, end; /* in FsBandSubproblems.order */
  int y;
} Row;

typedef struct {
  FsBandCut *cut;
  const FsGrid *grid;
  const FsBand *band;
  uint8_t *mask;
  int32_t tlink;     /* of the node that is built */
  gboolean is_plain; /* eight neighbours, and no links that differ both ways where there is a star
                        or are terms, of which there is one at most */
  Arc arcs[FS_N_ARCS];
  /* Where the links of its row's pixel 0 lie, or would, and of the one above: along a run. */
  ptrdiff_t links[2];
  uint32_t end;     /* of the subproblem, in FsBandSubproblems.order */
  uint32_t n_nodes; /* that have numbers */
} Builder;

static void
find_arcs (Builder *builder)
{
  const FsGrid *grid = builder->grid;
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    const uint16_t *forth = grid->nlink[d];
    const uint16_t *back = grid->nlink_back[d] != NULL ? grid->nlink_back[d] : forth;
    ptrdiff_t step = fs_grid_step (grid, d);
    int dx = fs_direction_dx (d), dy = fs_direction_dy (d);
    builder->arcs[d] = (Arc){ forth, back, 0, 0, step, dx, dy };
    builder->arcs[d + FS_DIRECTION_OPPOSITE] = (Arc){ back, forth, -dx, dy, -step, -dx, -dy };
  }
}

static void
find_links (Builder *builder, int x, int y)
{
  const FsBandSpans *spans = builder->cut->terms ? builder->cut->terms->spans : NULL;
  for (int above = 0; above < 2 && above <= y; above++)
    builder->links[above] =
        (ptrdiff_t)fs_band_spans_find (spans, builder->grid->width, x, y - above) - x;
}

/* In the arc's planes, for pixel x of the row. */
static inline ptrdiff_t
link_at (const Builder *builder, const Arc *arc, int x)
{
  return builder->links[arc->above] + x + arc->at;
}

static const FsBandRun *
run_at (const Builder *builder, uint32_t at)
{
  return &builder->band->runs[builder->cut->subproblems.order[at]];
}

static inline uint16_t
count_as (const Builder *builder, int d, uint16_t capacity)
{
  const FsBandTerms *terms = builder->cut->terms;
  if (terms == NULL)
    return capacity;
  return (d % FS_DIRECTION_OPPOSITE >= FS_DIRECTION_SE ? terms->diagonal
                                                       : terms->straight)[capacity];
}

/* The row that begins there, at or after row y. */
static Row
row_at (const Builder *builder, uint32_t at, int y)
{
  const uint32_t *order = builder->cut->subproblems.order;
  const uint32_t *row_start = builder->band->row_start;
  Row row = { at, at, y };
  while (at < builder->end && row_start[row.y + 1] <= order[at])
    row.y++;
  while (row.end < builder->end && order[row.end] < row_start[row.y + 1])
    row.end++;
  return row;
}

/* The indices of a row's pixels; [x + 1] for pixel x. */
static int32_t *
indices (const Builder *builder, int y)
{
  return builder->cut->rows + (size_t)((y + 3) % 3) * ((size_t)builder->grid->width + 2);
}

static gboolean
is_gap_of_one (const Builder *builder, const Row *row, uint32_t at)
{
  return at > row->begin && run_at (builder, at)->x0 == run_at (builder, at - 1)->x1 + 1;
}

static void
number_row (Builder *builder, const Row *row)
{
  int32_t *index = indices (builder, row->y);
  for (uint32_t at = row->begin; at < row->end; at++) {
    const FsBandRun *run = run_at (builder, at);
    builder->n_nodes += is_gap_of_one (builder, row, at);
    for (int x = run->x0; x < run->x1; x++)
      index[x + 1] = (int32_t)builder->n_nodes++;
  }
}

static void
forget_row (Builder *builder, const Row *row)
{
  int32_t *index = indices (builder, row->y);
  for (uint32_t at = row->begin; at < row->end; at++) {
    const FsBandRun *run = run_at (builder, at);
    memset (index + run->x0 + 1, 0xff, (size_t)(run->x1 - run->x0) * sizeof *index);
  }
}

/* Where the left one of three neighbours in a row is, or would be; the node itself if there are
 * none. */
static uint32_t
first_of_three (const int32_t *index, int x, uint32_t self)
{
  for (int i = 0; i < 3; i++)
    if (index[x + i] >= 0)
      return (uint32_t)(index[x + i] - i);
  return self;
}

/* Returns whether all eight neighbours are in the subproblem. */
static gboolean
is_inner (const Builder *builder, int x, int y)
{
  const int32_t *above = indices (builder, y - 1) + x, *here = indices (builder, y) + x;
  const int32_t *below = indices (builder, y + 1) + x;
  return (above[0] | above[1] | above[2] | here[0] | here[2] | below[0] | below[1] | below[2]) >= 0;
}

/* Most nodes of a wide band: there is nothing to look for, and nothing to add. */
static void
build_inner (Builder *builder, int x, int y, uint32_t node)
{
  FsCpuLayout *layout = &builder->cut->layout;
  uint16_t *residual = layout->residual + (size_t)node * FS_N_ARCS;
  uint32_t arcs = 0;
  for (int d = 0; d < FS_N_ARCS; d++) {
    const Arc *arc = &builder->arcs[d];
    ptrdiff_t at = link_at (builder, arc, x);
    uint16_t out = arc->out[at], in = arc->in[at];
    g_assert (!FS_CHECKS_RANGES || out + in <= FS_NLINK_PAIR_MAX);
    residual[d] = out;
    arcs |= (uint32_t)(out > 0) << d | (uint32_t)(in > 0) << (d + 8);
  }
  layout->arcs[node] = (uint16_t)arcs;
  layout->excess[node] = builder->tlink;
  layout->rows[node] =
      (FsCpuRows){ (uint32_t)indices (builder, y - 1)[x], (uint32_t)indices (builder, y + 1)[x] };
}

/* The same where terms say what capacities, the same both ways, count as. */
static void
build_counted (Builder *builder, int x, int y, uint32_t node)
{
  FsCpuLayout *layout = &builder->cut->layout;
  const FsBandTerms *terms = builder->cut->terms;
  uint16_t *residual = layout->residual + (size_t)node * FS_N_ARCS;
  uint32_t arcs = 0;
  for (int d = 0; d < FS_N_ARCS; d++) {
    const Arc *arc = &builder->arcs[d];
    const uint16_t *counts =
        d % FS_DIRECTION_OPPOSITE >= FS_DIRECTION_SE ? terms->diagonal : terms->straight;
    residual[d] = counts[arc->out[link_at (builder, arc, x)]];
    arcs |= residual[d] > 0 ? 0x101u << d : 0;
  }
  layout->arcs[node] = (uint16_t)arcs;
  layout->excess[node] = builder->tlink;
  layout->rows[node] =
      (FsCpuRows){ (uint32_t)indices (builder, y - 1)[x], (uint32_t)indices (builder, y + 1)[x] };
}

/* Star links have a pair of capacities to themselves (fs_grid_is_star): that to the parent takes
 * what the plane leaves to it, and whoever is one has something left. */
static void
add_star (Builder *builder, int x, int y, uint32_t node)
{
  FsCpuLayout *layout = &builder->cut->layout;
  ptrdiff_t p = (ptrdiff_t)y * builder->grid->width + x;
  const uint8_t *star = builder->grid->star + p;
  uint16_t *residual = layout->residual + (size_t)node * FS_N_ARCS;
  uint32_t arcs = layout->arcs[node];
  for (int d = 0; d < FS_N_ARCS; d++) {
    gboolean is_parent = star[0] == d;
    gboolean is_child = star[builder->arcs[d].step] == (d ^ FS_DIRECTION_OPPOSITE);
    if (is_parent && !is_child) {
      residual[d] = (uint16_t)(FS_NLINK_PAIR_MAX - residual[d]);
      arcs |= 1u << d;
    } else if (is_child && !is_parent)
      arcs |= 1u << (d + 8);
  }
  layout->arcs[node] = (uint16_t)arcs;
}

static void
build_plain (Builder *builder, int x, int y, uint32_t node)
{
  if (builder->cut->terms)
    build_counted (builder, x, y, node);
  else
    build_inner (builder, x, y, node);
  if (builder->grid->star)
    add_star (builder, x, y, node);
}

static void
build_node (Builder *builder, int x, int y, uint32_t node)
{
  if (builder->is_plain && is_inner (builder, x, y)) {
    build_plain (builder, x, y, node);
    return;
  }
  FsCpuLayout *layout = &builder->cut->layout;
  const FsGrid *grid = builder->grid;
  size_t p = (size_t)y * grid->width + x;
  uint16_t *residual = layout->residual + (size_t)node * FS_N_ARCS;
  int32_t to_object = MAX (builder->tlink, 0), to_background = MAX (-builder->tlink, 0);
  uint32_t arcs = 0;
  for (int d = 0; d < FS_N_ARCS; d++) {
    const Arc *arc = &builder->arcs[d];
    int qx = x + arc->dx, qy = y + arc->dy;
    residual[d] = 0;
    if (arc->out == NULL || qx < 0 || qx >= grid->width || qy < 0 || qy >= grid->height)
      continue;
    ptrdiff_t at = link_at (builder, arc, x);
    uint16_t out = count_as (builder, d, arc->out[at]);
    uint16_t in = count_as (builder, d, arc->in[at]);
    if (grid->star != NULL) {
      out = fs_grid_capacity (grid, p, d);
      in = fs_grid_capacity (grid, (size_t)((ptrdiff_t)p + arc->step), d ^ FS_DIRECTION_OPPOSITE);
    }
    if (indices (builder, qy)[qx + 1] < 0) {
      if (builder->mask[(ptrdiff_t)p + arc->step])
        to_object += in;
      else
        to_background += out;
      continue;
    }
    residual[d] = out;
    arcs |= (uint32_t)(out > 0) << d | (uint32_t)(in > 0) << (d + 8);
  }
  layout->arcs[node] = (uint16_t)arcs;
  layout->excess[node] = to_object - to_background;
  builder->cut->bound += MIN (to_object, to_background); /* what either label costs at least */
  layout->rows[node] = (FsCpuRows){ first_of_three (indices (builder, y - 1), x, node),
                                    first_of_three (indices (builder, y + 1), x, node) };
}

static const int32_t *
tlinks_of_run (const Builder *builder, uint32_t at, int y)
{
  const FsBandTerms *terms = builder->cut->terms;
  if (terms != NULL)
    return terms->tlinks + terms->first[builder->cut->subproblems.order[at]];
  return builder->grid->tlink + (size_t)y * builder->grid->width + run_at (builder, at)->x0;
}

static uint32_t
build_row (Builder *builder, const Row *row, uint32_t node)
{
  FsCpuLayout *layout = &builder->cut->layout;
  for (uint32_t at = row->begin; at < row->end; at++) {
    const FsBandRun *run = run_at (builder, at);
    if (is_gap_of_one (builder, row, at)) {
      layout->arcs[node] = 0;
      layout->excess[node++] = 0;
    }
    const int32_t *tlinks = tlinks_of_run (builder, at, row->y);
    g_assert (fs_tlinks_are_in_range (tlinks, (size_t)(run->x1 - run->x0)));
    find_links (builder, run->x0, row->y);
    for (int x = run->x0; x < run->x1; x++) {
      builder->tlink = tlinks[x - run->x0];
      build_node (builder, x, row->y, node++);
    }
  }
  return node;
}

/* Rows of indices are those of the row that is built and of both beside it, and −1 elsewhere. */
static void
build_subproblem (Builder *builder, uint32_t begin)
{
  Row before = { begin, begin, 0 };
  Row row = row_at (builder, begin, 0);
  uint32_t node = 0;
  builder->n_nodes = 0;
  number_row (builder, &row);
  while (row.begin < row.end) {
    Row after = row_at (builder, row.end, row.y + 1);
    gboolean is_next = after.y == row.y + 1;
    if (is_next)
      number_row (builder, &after);
    node = build_row (builder, &row, node);
    forget_row (builder, &before);
    before = row;
    if (!is_next) {
      forget_row (builder, &row);
      before.end = before.begin;
      number_row (builder, &after);
    }
    row = after;
  }
  forget_row (builder, &before);
}

/* As many as a subproblem has, or more. */
static size_t
count_nodes (const Builder *builder, uint32_t begin)
{
  size_t n = 0;
  for (uint32_t at = begin; at < builder->end; at++) {
    const FsBandRun *run = run_at (builder, at);
    n += (size_t)(run->x1 - run->x0);
    n += at > begin && run->x0 == run_at (builder, at - 1)->x1 + 1;
  }
  return n;
}

/* --- the trees to begin with --- */

static inline uint32_t
step_node (const FsCpuLayout *layout, uint32_t node, uint32_t d)
{
  return fs_cpu_rows_step (layout, node, d);
}

/* Pushes excess into adjacent deficits before the search: paths of one arc need no tree.
 */
static void
push_to_neighbours (FsCpuSearch *search, uint32_t node)
{
  FsCpuLayout *layout = search->layout;
  for (uint32_t lanes = layout->arcs[node] & 0xffu; lanes != 0 && layout->excess[node] > 0;
       lanes &= lanes - 1) {
    uint32_t d = (uint32_t)__builtin_ctz (lanes);
    uint32_t there = step_node (layout, node, d);
    if (layout->excess[there] < 0)
      search->flow += fs_cpu_tree_init_push_arc (layout, node, there, d);
  }
}

static uint32_t
first_word (int32_t excess)
{
  return excess > 0 ? FS_WORD_SOURCE | ROOT : excess < 0 ? FS_WORD_SINK | ROOT : FS_WORD_FREE;
}

/* Lists a root that has anywhere to grow. */
static void
list_root (FsCpuSearch *search, uint32_t node)
{
  const FsCpuLayout *layout = search->layout;
  uint32_t bits = layout->word[node] & FS_WORD_TREE;
  if (bits == FS_WORD_FREE)
    return;
  FsCpuTree tree = bits == FS_WORD_SOURCE ? FS_SOURCE : FS_SINK;
  uint32_t lanes = tree == FS_SOURCE ? layout->arcs[node] & 0xffu : layout->arcs[node] >> 8;
  for (; lanes != 0; lanes &= lanes - 1)
    if ((layout->word[step_node (layout, node, (uint32_t)__builtin_ctz (lanes))] & FS_WORD_TREE)
        != bits) {
      fs_cpu_search_enqueue (search, tree, node);
      return;
    }
}

/* FALSE when memory ends. */
static gboolean
init_trees (FsCpuSearch *search)
{
  FsCpuLayout *layout = search->layout;
  uint32_t n = (uint32_t)layout->n_nodes;
  fs_cpu_search_reset (search);
  memset (layout->word - GUARD, 0, GUARD * sizeof *layout->word);
  memset (layout->word + n, 0, GUARD * sizeof *layout->word);
  for (uint32_t node = 0; node < n; node++)
    push_to_neighbours (search, node);
  for (uint32_t node = 0; node < n; node++)
    layout->word[node] = first_word (layout->excess[node]);
  /* Backwards: what is listed last is scanned first. */
  for (uint32_t node = n; node-- > 0;)
    list_root (search, node);
  search->has_trees = !search->pool.failed;
  return search->has_trees;
}

/* --- the cut --- */

static void
write_subproblem (const Builder *builder, uint32_t begin)
{
  const uint32_t *word = builder->cut->layout.word;
  uint32_t node = 0;
  for (Row row = row_at (builder, begin, 0); row.begin < row.end;
       row = row_at (builder, row.end, row.y + 1))
    for (uint32_t at = row.begin; at < row.end; at++) {
      const FsBandRun *run = run_at (builder, at);
      uint8_t *mask = builder->mask + (size_t)row.y * builder->grid->width;
      node += is_gap_of_one (builder, &row, at);
      for (int x = run->x0; x < run->x1; x++)
        mask[x] = (word[node++] & FS_WORD_TREE) != FS_WORD_SINK;
    }
}

/* Calls for each run of the subproblem, with its first node and pixel. */
static void
for_each_run (Builder *builder, uint32_t begin,
              void (*call) (Builder *builder, uint32_t node, size_t pixel, size_t n))
{
  uint32_t node = 0;
  for (Row row = row_at (builder, begin, 0); row.begin < row.end;
       row = row_at (builder, row.end, row.y + 1))
    for (uint32_t at = row.begin; at < row.end; at++) {
      const FsBandRun *run = run_at (builder, at);
      size_t n = (size_t)(run->x1 - run->x0);
      node += is_gap_of_one (builder, &row, at);
      call (builder, node, (size_t)row.y * (size_t)builder->grid->width + (size_t)run->x0, n);
      node += (uint32_t)n;
    }
}

static void
send_flow (Builder *builder, uint32_t node, size_t pixel, size_t n)
{
  fs_band_flow_send (builder->cut->flow, &builder->cut->layout, node, pixel, n);
}

static void
take_flow (Builder *builder, uint32_t node, size_t pixel, size_t n)
{
  fs_band_flow_take (builder->cut->flow, &builder->cut->layout, node, pixel, n,
                     builder->grid->nlink);
}

/* The excess that has to leave each numbered node. */
static int64_t
sum_excess (const FsBandCut *cut)
{
  int64_t sum = 0;
  for (size_t node = 0; node < cut->layout.n_nodes; node++)
    sum += MAX (cut->layout.excess[node], 0);
  return sum;
}

static FsCpuRun
choose_run (void)
{
#ifdef FS_WITH_AVX2
  if (fs_cpu_search_uses_avx2 ())
    return fs_cpu_run_band_avx2;
#endif
  return fs_cpu_run_band;
}

static FsSearchOutcome
cut_subproblem (Builder *builder, uint32_t subproblem, const FsProgress *progress)
{
  FsBandCut *cut = builder->cut;
  uint32_t begin = cut->subproblems.start[subproblem];
  builder->end = cut->subproblems.start[subproblem + 1];
  if (!reserve_nodes (cut, count_nodes (builder, begin)))
    return FS_SEARCH_NO_MEMORY;
  build_subproblem (builder, begin);
  cut->layout.n_nodes = builder->n_nodes;
  int64_t trapped = sum_excess (cut);
  if (cut->flow != NULL)
    for_each_run (builder, begin, send_flow);
  int64_t left = sum_excess (cut);
  cut->search.flow = 0;
  if (!init_trees (&cut->search))
    return FS_SEARCH_NO_MEMORY;
  FsSearchOutcome outcome = choose_run () (&cut->search, progress);
  cut->bound += trapped - left + cut->search.flow;
  if (outcome != FS_SEARCH_DONE)
    return outcome;
  if (cut->flow != NULL)
    for_each_run (builder, begin, take_flow);
  write_subproblem (builder, begin);
  return outcome;
}

FsSearchOutcome
fs_band_cut_run (FsBandCut *cut, const FsGrid *grid, const FsBand *band, uint8_t *mask,
                 const FsProgress *progress)
{
  g_return_val_if_fail (cut != NULL && grid != NULL && band != NULL, FS_SEARCH_NO_MEMORY);
  g_return_val_if_fail (mask != NULL, FS_SEARCH_NO_MEMORY);
  g_return_val_if_fail (band->width == grid->width && band->height == grid->height,
                        FS_SEARCH_NO_MEMORY);
  if (!fs_band_subproblems_find (&cut->subproblems, band, cut->max_subproblem_pixels)
      || !reserve_columns (cut, grid->width))
    return FS_SEARCH_NO_MEMORY;
  cut->bound = 0;
  if (cut->flow != NULL)
    cut->flow->n_reused = 0;
  FsProgress cancel_only = { .cancel = progress != NULL ? progress->cancel : NULL };
  Builder builder = { .cut = cut, .grid = grid, .band = band, .mask = mask };
  gboolean is_undirected = grid->nlink_back[0] == NULL;
  builder.is_plain = grid->neighbours == FS_NEIGHBOURS_8 && (grid->star == NULL || !cut->terms)
                     && (is_undirected || (grid->star == NULL && !cut->terms));
  find_arcs (&builder);
  FsSearchOutcome outcome = FS_SEARCH_DONE;
  for (uint32_t subproblem = 0;
       subproblem < cut->subproblems.n_subproblems && outcome == FS_SEARCH_DONE; subproblem++)
    outcome = fs_progress_is_cancelled (&cancel_only)
                  ? FS_SEARCH_CANCELLED
                  : cut_subproblem (&builder, subproblem, &cancel_only);
  return outcome;
}
