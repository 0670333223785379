/* SPDX-License-Identifier: MIT */
#include "solver/expansion/move/local_maxflow.h"

#include "solver/progress.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* Shares of all pixels: so many roots and a solver is cheaper; … */
enum { PIXELS_PER_ROOT = 20 };
/* … or so many looks, a number of looks for each pixel. */
enum { LOOKS_PER_PIXEL = 1 };
/* The length of a line. */
enum { MAX_LINE = 64 };

/* Values of a pixel's arc other than the direction (0 … 7) of its parent. */
enum {
  ARC_ROOT = 8,
  ARC_ORPHAN = 9,
  ARC_NONE = 10,
  ARC_KIND = 15,
  ARC_QUEUED = 16,
  ARC_SEEN = 32,
  ARC_FLAGS = ARC_QUEUED | ARC_SEEN
};

gboolean
fs_local_maxflow_init (FsLocalMaxflow *maxflow, size_t n_pixels, GError **error)
{
  *maxflow = (FsLocalMaxflow){ .node = fs_memory_new (n_pixels, sizeof *maxflow->node),
                               .arc = fs_memory_new (n_pixels, sizeof *maxflow->arc),
                               .queue = fs_memory_new (n_pixels, sizeof *maxflow->queue) };
  if (maxflow->node != NULL && maxflow->arc != NULL && maxflow->queue != NULL) {
    memset (maxflow->arc, ARC_NONE, n_pixels);
    return TRUE;
  }
  fs_local_maxflow_clear (maxflow);
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory to label %" G_GSIZE_FORMAT " pixels", n_pixels);
  return FALSE;
}

void
fs_local_maxflow_clear (FsLocalMaxflow *maxflow)
{
  g_clear_pointer (&maxflow->node, fs_memory_free);
  g_clear_pointer (&maxflow->arc, fs_memory_free);
  g_clear_pointer (&maxflow->queue, fs_memory_free);
  g_free (maxflow->seen.at);
  g_free (maxflow->orphans.at);
  maxflow->seen = maxflow->orphans = (FsLocalMaxflowList){ 0 };
}

size_t
fs_local_maxflow_pixel_bytes (void)
{
  return sizeof (FsLocalMaxflowNode) + sizeof (uint8_t) + sizeof (uint32_t);
}

/* --- Arcs --- */

/* The kinds of problem that functions are specialised for: always inlined, with constants. */
typedef struct {
  int n_directions;
  gboolean is_wide; /* whole arcs count, not those of 16 bits */
} Kind;

#define INLINE static inline __attribute__ ((always_inline))

typedef struct {
  FsLocalMaxflow *maxflow;
  int32_t *excess;
  size_t n, n_open; /* pixels; roots that pull at something yet */
  ptrdiff_t step[FS_N_ARCS];
  /* The residual of an arc is stored at the pixel that its pair begins with, at this offset from
   * its own. */
  ptrdiff_t shift[FS_N_ARCS];
  uint16_t *shown[FS_N_ARCS];
  int32_t *whole[FS_N_ARCS];
} Run;

/* The i-th way out of a pixel. */
INLINE int
arc_of (Kind kind, int i)
{
  return i < kind.n_directions ? i : i - kind.n_directions + FS_DIRECTION_OPPOSITE;
}

/* The pixel that an arc leads to. One that would leave the grid sideways leads to a pixel of
 * another row, but can carry nothing. */
INLINE size_t
neighbour (const Run *run, size_t p, int arc)
{
  return (size_t)((ptrdiff_t)p + run->step[arc]);
}

/* The residual of the arc from p in direction `arc`. */
INLINE int32_t
left_of (const Run *run, Kind kind, size_t p, int arc)
{
  size_t at = (size_t)((ptrdiff_t)p + run->shift[arc]);
  return kind.is_wide ? run->whole[arc][at] : run->shown[arc][at];
}

/* Returns what is left of it then. */
INLINE int32_t
add (const Run *run, Kind kind, size_t p, int arc, int32_t flow)
{
  size_t at = (size_t)((ptrdiff_t)p + run->shift[arc]);
  if (!kind.is_wide)
    return run->shown[arc][at] = (uint16_t)(run->shown[arc][at] + flow);
  int32_t left = run->whole[arc][at] += flow;
  run->shown[arc][at] = (uint16_t)MIN (left, FS_NLINK_MAX);
  return left;
}

/* --- The forest --- */

static __attribute__ ((noinline)) void
grow_list (FsLocalMaxflowList *list)
{
  list->capacity = MAX (2 * list->capacity, 1024);
  list->at = g_renew (uint32_t, list->at, list->capacity);
}

INLINE void
append (FsLocalMaxflowList *list, size_t p)
{
  if (G_UNLIKELY (list->n == list->capacity))
    grow_list (list);
  list->at[list->n++] = (uint32_t)p;
}

INLINE int
way_of (const Run *run, size_t p)
{
  return run->maxflow->arc[p] & ARC_KIND;
}

INLINE void
set_way (const Run *run, size_t p, int way)
{
  uint8_t *arc = &run->maxflow->arc[p];
  *arc = (uint8_t)((*arc & ARC_FLAGS) | way);
}

INLINE void
enqueue (const Run *run, size_t p)
{
  FsLocalMaxflow *maxflow = run->maxflow;
  if (maxflow->arc[p] & ARC_QUEUED)
    return;
  maxflow->arc[p] |= ARC_QUEUED;
  maxflow->queue[maxflow->tail] = (uint32_t)p;
  maxflow->tail = maxflow->tail + 1 == run->n ? 0 : maxflow->tail + 1;
  maxflow->n_queued++;
}

/* Takes a pixel in that is in no tree. */
INLINE void
join (const Run *run, size_t p, int arc, FsLocalMaxflowNode node)
{
  FsLocalMaxflow *maxflow = run->maxflow;
  if (!(maxflow->arc[p] & ARC_SEEN)) {
    maxflow->arc[p] |= ARC_SEEN;
    append (&maxflow->seen, p);
  }
  set_way (run, p, arc);
  maxflow->node[p] = node;
  enqueue (run, p);
}

/* The pixel loses its parent, and is listed as an orphan. */
INLINE void
make_orphan (const Run *run, size_t p)
{
  set_way (run, p, ARC_ORPHAN);
  append (&run->maxflow->orphans, p);
}

/* The distance of a pixel of a tree from its root; 0: its path ends in an orphan. The result is
 * noted along the way, for the time until the next path (Boykov & Kolmogorov 2004, section 3.2.3).
 */
INLINE uint32_t
depth_of (const Run *run, size_t p)
{
  FsLocalMaxflowNode *node = run->maxflow->node;
  uint32_t time = run->maxflow->time, steps = 0;
  size_t at = p;
  for (; node[at].time != time; at = neighbour (run, at, way_of (run, at)), steps++) {
    int way = way_of (run, at);
    if (way == ARC_ROOT) {
      node[at] = (FsLocalMaxflowNode){ .time = time, .depth = 1 };
      break;
    }
    if (way >= ARC_ORPHAN)
      return 0;
  }
  uint32_t depth = node[at].depth + steps;
  for (at = p; node[at].time != time; at = neighbour (run, at, way_of (run, at)))
    node[at] = (FsLocalMaxflowNode){ .time = time, .depth = depth-- };
  return node[p].depth;
}

/* A new parent for an orphan: the one nearest to its root. */
INLINE gboolean
adopt (const Run *run, Kind kind, size_t p)
{
  uint32_t nearest = UINT32_MAX;
  int parent = ARC_NONE;
  for (int i = 0; i < 2 * kind.n_directions; i++) {
    int arc = arc_of (kind, i);
    size_t q = neighbour (run, p, arc);
    if (q >= run->n || way_of (run, q) >= ARC_ORPHAN || left_of (run, kind, p, arc) == 0)
      continue;
    uint32_t depth = depth_of (run, q);
    if (depth != 0 && depth < nearest) {
      nearest = depth;
      parent = arc;
    }
  }
  if (parent == ARC_NONE)
    return FALSE;
  set_way (run, p, parent);
  run->maxflow->node[p] = (FsLocalMaxflowNode){ .time = run->maxflow->time, .depth = nearest + 1 };
  return TRUE;
}

/* Lets an orphan go that nobody adopts: its children are orphans then, and those in trees that it
 * could still give to may take it in again. */
INLINE void
let_go (const Run *run, Kind kind, size_t p)
{
  set_way (run, p, ARC_NONE);
  for (int i = 0; i < 2 * kind.n_directions; i++) {
    int arc = arc_of (kind, i);
    size_t q = neighbour (run, p, arc);
    int way = q < run->n ? way_of (run, q) : ARC_NONE;
    if (way == ARC_NONE)
      continue;
    if (left_of (run, kind, p, arc) > 0)
      enqueue (run, q);
    if (way == (arc ^ FS_DIRECTION_OPPOSITE))
      make_orphan (run, q);
  }
}

INLINE void
adopt_orphans (const Run *run, Kind kind)
{
  FsLocalMaxflow *maxflow = run->maxflow;
  for (size_t i = 0; i < maxflow->orphans.n; i++) {
    size_t p = maxflow->orphans.at[i];
    if (!adopt (run, kind, p))
      let_go (run, kind, p);
  }
  maxflow->budget -= MIN (maxflow->budget, maxflow->orphans.n);
  maxflow->orphans.n = 0;
}

/* Sends what it can from a pixel of a tree down to its root. */
INLINE void
augment (Run *run, Kind kind, size_t from)
{
  int32_t *excess = run->excess, flow = excess[from];
  size_t p = from;
  for (int arc; (arc = way_of (run, p)) != ARC_ROOT; p = neighbour (run, p, arc))
    flow = MIN (flow, left_of (run, kind, p, arc));
  flow = MIN (flow, -excess[p]);
  excess[p] += flow;
  excess[from] -= flow;
  run->maxflow->time++;
  if (excess[p] == 0) {
    make_orphan (run, p);
    run->n_open--;
  }
  size_t root = p;
  for (p = from; p != root;) {
    int arc = way_of (run, p);
    size_t q = neighbour (run, p, arc);
    add (run, kind, q, arc ^ FS_DIRECTION_OPPOSITE, flow);
    if (add (run, kind, p, arc, -flow) == 0)
      make_orphan (run, p);
    p = q;
  }
}

/* Sends all that it can from a pixel that has just joined. */
INLINE void
drain (Run *run, Kind kind, size_t p)
{
  while (run->excess[p] > 0 && way_of (run, p) < ARC_ORPHAN) {
    augment (run, kind, p);
    adopt_orphans (run, kind);
  }
}

/* Takes in those beside a pixel that can give to it. */
INLINE void
grow (Run *run, Kind kind, size_t p)
{
  for (int i = 0; i < 2 * kind.n_directions && way_of (run, p) < ARC_ORPHAN; i++) {
    int arc = arc_of (kind, i), towards = arc ^ FS_DIRECTION_OPPOSITE;
    size_t q = neighbour (run, p, arc);
    if (q >= run->n || way_of (run, q) != ARC_NONE || left_of (run, kind, q, towards) == 0)
      continue;
    FsLocalMaxflowNode node = run->maxflow->node[p];
    node.depth++;
    join (run, q, towards, node);
    if (run->excess[q] > 0)
      drain (run, kind, q);
  }
}

/* Returns FALSE where it gave up. */
INLINE gboolean
grow_all (Run *run, Kind kind)
{
  FsLocalMaxflow *maxflow = run->maxflow;
  while (maxflow->n_queued > 0 && run->n_open > 0) {
    size_t p = maxflow->queue[maxflow->head];
    maxflow->head = maxflow->head + 1 == run->n ? 0 : maxflow->head + 1;
    maxflow->n_queued--;
    maxflow->arc[p] &= (uint8_t)~ARC_QUEUED;
    if (maxflow->budget == 0)
      return FALSE;
    maxflow->budget--;
    grow (run, kind, p);
  }
  return TRUE;
}

/* --- Scanlines --- */

/* Meets what it can of a deficit from along a line that leads away from it. It ends where another
 * deficit lies, so that lines are short where there are many. */
INLINE void
take_along (Run *run, Kind kind, size_t root, int arc)
{
  int32_t *excess = run->excess, given[MAX_LINE], flow = 0, max = -excess[root];
  int towards = arc ^ FS_DIRECTION_OPPOSITE, n = 0;
  size_t at = root;
  for (; n < MAX_LINE; n++) {
    size_t q = neighbour (run, at, arc);
    if (q >= run->n || excess[q] < 0 || max == 0)
      break;
    max = MIN (max, left_of (run, kind, q, towards));
    given[n] = MIN (excess[q], max);
    excess[q] -= given[n];
    max -= given[n];
    at = q;
  }
  while (n > 0) {
    size_t nearer = neighbour (run, at, towards);
    flow += given[--n];
    if (flow > 0) {
      add (run, kind, at, towards, -flow);
      add (run, kind, nearer, arc, flow);
    }
    at = nearer;
  }
  excess[root] += flow;
}

/* A deficit that lines leave is a root. */
INLINE void
init_one_tree (Run *run, Kind kind, size_t p)
{
  for (int i = 0; i < 2 * kind.n_directions && run->excess[p] < 0; i++)
    take_along (run, kind, p, arc_of (kind, i));
  if (run->excess[p] == 0)
    return;
  join (run, p, ARC_ROOT, (FsLocalMaxflowNode){ .time = run->maxflow->time, .depth = 1 });
  run->n_open++;
}

INLINE void
init_trees (Run *run, Kind kind, const GArray *candidates, size_t n_deficits)
{
  if (candidates == NULL) {
    for (size_t p = 0; n_deficits > 0; p++)
      if (run->excess[p] < 0) {
        init_one_tree (run, kind, p);
        n_deficits--;
      }
    return;
  }
  for (guint i = 0; i < candidates->len; i++) {
    uint32_t p = g_array_index (candidates, uint32_t, i);
    if (run->excess[p] < 0 && way_of (run, p) != ARC_ROOT)
      init_one_tree (run, kind, p);
  }
}

/* --- A run --- */

INLINE gboolean
run_kind (Run *run, Kind kind, const GArray *candidates, size_t n_deficits)
{
  init_trees (run, kind, candidates, n_deficits);
  return run->n_open <= run->n / PIXELS_PER_ROOT && grow_all (run, kind);
}

static gboolean
run_4 (Run *run, const GArray *candidates, size_t n_deficits)
{
  return run_kind (run, (Kind){ 2, FALSE }, candidates, n_deficits);
}

static gboolean
run_8 (Run *run, const GArray *candidates, size_t n_deficits)
{
  return run_kind (run, (Kind){ 4, FALSE }, candidates, n_deficits);
}

static gboolean
run_4_wide (Run *run, const GArray *candidates, size_t n_deficits)
{
  return run_kind (run, (Kind){ 2, TRUE }, candidates, n_deficits);
}

static gboolean
run_8_wide (Run *run, const GArray *candidates, size_t n_deficits)
{
  return run_kind (run, (Kind){ 4, TRUE }, candidates, n_deficits);
}

/* The number of deficits; more where candidates are listed twice. */
static size_t
count_deficits (const FsLocalMaxflowArcs *arcs)
{
  const GArray *candidates = arcs->candidates;
  size_t n_deficits = 0;
  for (guint i = 0; candidates != NULL && i < candidates->len; i++)
    n_deficits += arcs->excess[g_array_index (candidates, uint32_t, i)] < 0;
  if (candidates != NULL)
    return n_deficits;
  for (size_t p = 0; p < fs_grid_n_pixels (arcs->grid); p++)
    n_deficits += arcs->excess[p] < 0;
  return n_deficits;
}

gboolean
fs_local_maxflow_is_needed (const FsLocalMaxflowArcs *arcs)
{
  return count_deficits (arcs) > 0;
}

/* Forgets what the last run has seen. */
static void
forget (FsLocalMaxflow *maxflow)
{
  for (size_t i = 0; i < maxflow->seen.n; i++)
    maxflow->arc[maxflow->seen.at[i]] = ARC_NONE;
  maxflow->seen.n = 0;
}

static void
begin_run (Run *run)
{
  FsLocalMaxflow *maxflow = run->maxflow;
  maxflow->time++;
  maxflow->head = maxflow->tail = maxflow->n_queued = 0;
  maxflow->budget = run->n * LOOKS_PER_PIXEL;
  maxflow->orphans.n = 0;
}

/* Writes 0 for pixels in a tree, which can still push to a deficit, and 1 for all others. */
static FsLocalMaxflowOutcome
write_mask (const Run *run, uint8_t *mask)
{
  const FsLocalMaxflowList *seen = &run->maxflow->seen;
  if (run->n_open == 0)
    return FS_LOCAL_MAXFLOW_NOTHING;
  memset (mask, 1, run->n);
  for (size_t i = 0; i < seen->n; i++)
    mask[seen->at[i]] = way_of (run, seen->at[i]) == ARC_NONE;
  return FS_LOCAL_MAXFLOW_MASK;
}

static void
prepare_arc (Run *run, const FsLocalMaxflowArcs *arcs, int arc)
{
  gboolean is_forward = arc < FS_DIRECTION_OPPOSITE;
  int d = arc % FS_N_DIRECTIONS;
  run->step[arc] = fs_grid_step (arcs->grid, arc);
  run->shift[arc] = is_forward ? 0 : run->step[arc];
  run->shown[arc] = is_forward ? arcs->nlink[d] : arcs->nlink_back[d];
  if (arcs->forth != NULL)
    run->whole[arc] = is_forward ? arcs->forth[d] : arcs->back[d];
}

FsLocalMaxflowOutcome
fs_local_maxflow_run (FsLocalMaxflow *maxflow, const FsLocalMaxflowArcs *arcs, uint8_t *mask)
{
  gboolean has_8 = fs_grid_n_directions (arcs->grid) == FS_N_DIRECTIONS;
  gboolean (*run_it) (Run *, const GArray *, size_t) = arcs->forth == NULL ? (has_8 ? run_8 : run_4)
                                                       : has_8             ? run_8_wide
                                                                           : run_4_wide;
  size_t n_deficits = count_deficits (arcs);
  Run run = { .maxflow = maxflow, .excess = arcs->excess, .n = fs_grid_n_pixels (arcs->grid) };
  for (int arc = 0; arc < FS_N_ARCS; arc++)
    prepare_arc (&run, arcs, arc);
  forget (maxflow);
  if (n_deficits == 0)
    return FS_LOCAL_MAXFLOW_NOTHING;
  begin_run (&run);
  return run_it (&run, arcs->candidates, n_deficits) ? write_mask (&run, mask)
                                                     : FS_LOCAL_MAXFLOW_TOO_MUCH;
}

void
fs_local_maxflow_list_deficits (const FsLocalMaxflow *maxflow, const FsLocalMaxflowArcs *arcs,
                                GArray *deficits)
{
  g_array_set_size (deficits, 0);
  for (size_t i = 0; i < maxflow->seen.n; i++)
    if (arcs->excess[maxflow->seen.at[i]] < 0)
      g_array_append_val (deficits, maxflow->seen.at[i]);
}
