/* SPDX-License-Identifier: MIT */
#include "solver/expansion_pull.h"

#include "solver/checked_memory.h"
#include "solver/progress.h"

#include <string.h>

/* Shares of all pixels: so many deficits and a solver is cheaper; … */
enum { PIXELS_PER_DEFICIT = 20 };
/* … or so many looks, a number of looks for each pixel. */
enum { LOOKS_PER_PIXEL = 1 };

/* What a pixel's arc says beside a direction (0 … 7), the way to its parent. */
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
fs_pull_init (FsPull *pull, size_t n_pixels, GError **error)
{
  *pull = (FsPull){ .node = fs_memory_new (n_pixels, sizeof *pull->node),
                    .arc = fs_memory_new (n_pixels, sizeof *pull->arc),
                    .queue = fs_memory_new (n_pixels, sizeof *pull->queue),
                    .seen = g_array_new (FALSE, FALSE, sizeof (uint32_t)),
                    .orphans = g_array_new (FALSE, FALSE, sizeof (uint32_t)) };
  if (pull->node != NULL && pull->arc != NULL && pull->queue != NULL) {
    memset (pull->arc, ARC_NONE, n_pixels);
    return TRUE;
  }
  fs_pull_clear (pull);
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory to label %" G_GSIZE_FORMAT " pixels", n_pixels);
  return FALSE;
}

void
fs_pull_clear (FsPull *pull)
{
  g_clear_pointer (&pull->node, fs_memory_free);
  g_clear_pointer (&pull->arc, fs_memory_free);
  g_clear_pointer (&pull->queue, fs_memory_free);
  g_clear_pointer (&pull->seen, g_array_unref);
  g_clear_pointer (&pull->orphans, g_array_unref);
}

size_t
fs_pull_pixel_bytes (void)
{
  return sizeof (FsPullNode) + sizeof (uint8_t) + sizeof (uint32_t);
}

/* --- Arcs --- */

/* A run over arcs of 16 bits or whole ones; the kind is known where functions are made for it. */
typedef struct {
  FsPull *pull;
  const FsPullArcs *arcs;
  size_t n, n_open; /* pixels; roots that pull at something yet */
  int n_directions;
  gboolean is_wide;
  ptrdiff_t step[FS_N_ARCS];
  /* What is left of an arc stands at the pixel that its pair begins with: so far from its own. */
  ptrdiff_t shift[FS_N_ARCS];
  uint16_t *shown[FS_N_ARCS];
  int32_t *whole[FS_N_ARCS];
} Run;

/* The pixel that an arc leads to. One that would leave the grid sideways leads to a pixel of
 * another row, but can carry nothing. */
static inline size_t
beside (const Run *run, size_t p, int arc)
{
  return (size_t)((ptrdiff_t)p + run->step[arc]);
}

/* What is left of the arc from p in direction `arc`. */
static inline int32_t
left_of (const Run *run, size_t p, int arc)
{
  size_t at = (size_t)((ptrdiff_t)p + run->shift[arc]);
  return run->is_wide ? run->whole[arc][at] : run->shown[arc][at];
}

static inline void
add (const Run *run, size_t p, int arc, int32_t flow)
{
  size_t at = (size_t)((ptrdiff_t)p + run->shift[arc]);
  if (!run->is_wide) {
    run->shown[arc][at] = (uint16_t)(run->shown[arc][at] + flow);
    return;
  }
  run->whole[arc][at] += flow;
  run->shown[arc][at] = (uint16_t)MIN (run->whole[arc][at], FS_NLINK_MAX);
}

/* Moves flow along an arc. */
static inline void
push (const Run *run, size_t p, size_t q, int arc, int32_t flow)
{
  add (run, p, arc, -flow);
  add (run, q, arc ^ FS_DIRECTION_OPPOSITE, flow);
}

/* --- The forest --- */

static inline int
kind_of (const Run *run, size_t p)
{
  return run->pull->arc[p] & ARC_KIND;
}

static inline void
set_kind (const Run *run, size_t p, int kind)
{
  uint8_t *arc = &run->pull->arc[p];
  *arc = (uint8_t)((*arc & ARC_FLAGS) | kind);
}

static inline void
enqueue (const Run *run, size_t p)
{
  FsPull *pull = run->pull;
  if (pull->arc[p] & ARC_QUEUED)
    return;
  pull->arc[p] |= ARC_QUEUED;
  pull->queue[pull->tail] = (uint32_t)p;
  pull->tail = pull->tail + 1 == run->n ? 0 : pull->tail + 1;
  pull->n_queued++;
}

/* Takes a pixel in that is in no tree. */
static inline void
join (const Run *run, size_t p, int arc, uint32_t depth)
{
  FsPull *pull = run->pull;
  uint32_t pixel = (uint32_t)p;
  if (!(pull->arc[p] & ARC_SEEN)) {
    pull->arc[p] |= ARC_SEEN;
    g_array_append_val (pull->seen, pixel);
  }
  set_kind (run, p, arc);
  pull->node[p] = (FsPullNode){ .time = pull->time, .depth = depth };
  enqueue (run, p);
}

/* What hung on this arc in its tree does no more. */
static inline void
make_orphan (const Run *run, size_t p)
{
  uint32_t pixel = (uint32_t)p;
  set_kind (run, p, ARC_ORPHAN);
  g_array_append_val (run->pull->orphans, pixel);
}

/* How far a pixel of a tree is from its root; 0: it hangs on an orphan. What is found out is noted
 * along the way, for the time until the next path (Boykov & Kolmogorov 2004, section 3.2.3). */
static uint32_t
depth_of (const Run *run, size_t p)
{
  FsPullNode *node = run->pull->node;
  uint32_t time = run->pull->time, steps = 0;
  size_t at = p;
  for (; node[at].time != time; at = beside (run, at, kind_of (run, at)), steps++) {
    int kind = kind_of (run, at);
    if (kind == ARC_ROOT) {
      node[at].time = time;
      node[at].depth = 1;
      break;
    }
    if (kind >= ARC_ORPHAN)
      return 0;
  }
  uint32_t depth = node[at].depth + steps;
  for (at = p; node[at].time != time; at = beside (run, at, kind_of (run, at))) {
    node[at].time = time;
    node[at].depth = depth--;
  }
  return node[p].depth;
}

/* A new parent for an orphan: the one nearest to its root. */
static gboolean
adopt (const Run *run, size_t p)
{
  uint32_t nearest = UINT32_MAX;
  int parent = ARC_NONE;
  for (int i = 0; i < 2 * run->n_directions; i++) {
    int arc = i < run->n_directions ? i : i - run->n_directions + FS_DIRECTION_OPPOSITE;
    size_t q = beside (run, p, arc);
    if (q >= run->n || kind_of (run, q) >= ARC_ORPHAN || left_of (run, p, arc) == 0)
      continue;
    uint32_t depth = depth_of (run, q);
    if (depth != 0 && depth < nearest) {
      nearest = depth;
      parent = arc;
    }
  }
  if (parent == ARC_NONE)
    return FALSE;
  set_kind (run, p, parent);
  run->pull->node[p] = (FsPullNode){ .time = run->pull->time, .depth = nearest + 1 };
  return TRUE;
}

/* Lets an orphan go that nobody adopts: its children are orphans then, and those in trees that it
 * could still give to may take it in again. */
static void
let_go (const Run *run, size_t p)
{
  set_kind (run, p, ARC_NONE);
  for (int i = 0; i < 2 * run->n_directions; i++) {
    int arc = i < run->n_directions ? i : i - run->n_directions + FS_DIRECTION_OPPOSITE;
    size_t q = beside (run, p, arc);
    int kind = q < run->n ? kind_of (run, q) : ARC_NONE;
    if (kind == ARC_NONE)
      continue;
    if (left_of (run, p, arc) > 0)
      enqueue (run, q);
    if (kind == (arc ^ FS_DIRECTION_OPPOSITE))
      make_orphan (run, q);
  }
}

static void
settle_orphans (const Run *run)
{
  FsPull *pull = run->pull;
  for (guint i = 0; i < pull->orphans->len; i++) {
    size_t p = g_array_index (pull->orphans, uint32_t, i);
    if (!adopt (run, p))
      let_go (run, p);
    pull->budget -= MIN (pull->budget, 1);
  }
  g_array_set_size (pull->orphans, 0);
}

/* Sends what it can from a pixel of a tree down to its root. */
static void
augment (Run *run, size_t from)
{
  int32_t *excess = run->arcs->excess, flow = excess[from];
  size_t p = from;
  for (int arc; (arc = kind_of (run, p)) != ARC_ROOT; p = beside (run, p, arc))
    flow = MIN (flow, left_of (run, p, arc));
  flow = MIN (flow, -excess[p]);
  excess[p] += flow;
  excess[from] -= flow;
  run->pull->time++;
  if (excess[p] == 0) {
    make_orphan (run, p);
    run->n_open--;
  }
  size_t root = p;
  for (p = from; p != root;) {
    int arc = kind_of (run, p);
    size_t q = beside (run, p, arc);
    push (run, p, q, arc, flow);
    if (left_of (run, p, arc) == 0)
      make_orphan (run, p);
    p = q;
  }
}

/* Sends all that it can from a pixel that has just joined. */
static void
drain (Run *run, size_t p)
{
  while (run->arcs->excess[p] > 0 && kind_of (run, p) < ARC_ORPHAN) {
    augment (run, p);
    settle_orphans (run);
  }
}

/* Takes in those beside a pixel that can give to it. */
static void
grow (Run *run, size_t p)
{
  const int32_t *excess = run->arcs->excess;
  for (int i = 0; i < 2 * run->n_directions && kind_of (run, p) < ARC_ORPHAN; i++) {
    int arc = i < run->n_directions ? i : i - run->n_directions + FS_DIRECTION_OPPOSITE;
    size_t q = beside (run, p, arc);
    int towards = arc ^ FS_DIRECTION_OPPOSITE;
    if (q >= run->n || kind_of (run, q) != ARC_NONE || left_of (run, q, towards) == 0)
      continue;
    join (run, q, towards, run->pull->node[p].depth + 1);
    run->pull->node[q].time = run->pull->node[p].time;
    if (excess[q] > 0)
      drain (run, q);
  }
}

/* Returns FALSE where it gave up. */
static inline gboolean
grow_all (Run *run)
{
  FsPull *pull = run->pull;
  while (pull->n_queued > 0 && run->n_open > 0) {
    size_t p = pull->queue[pull->head];
    pull->head = pull->head + 1 == run->n ? 0 : pull->head + 1;
    pull->n_queued--;
    pull->arc[p] &= (uint8_t)~ARC_QUEUED;
    if (pull->budget == 0)
      return FALSE;
    pull->budget--;
    grow (run, p);
  }
  return TRUE;
}

/* --- A run --- */

/* How many deficits there are; more where suspects are listed twice. */
static size_t
count_deficits (const FsPullArcs *arcs)
{
  const GArray *suspects = arcs->suspects;
  size_t n_deficits = 0;
  for (guint i = 0; suspects != NULL && i < suspects->len; i++)
    n_deficits += arcs->excess[g_array_index (suspects, uint32_t, i)] < 0;
  if (suspects != NULL)
    return n_deficits;
  for (size_t p = 0; p < fs_grid_n_pixels (arcs->grid); p++)
    n_deficits += arcs->excess[p] < 0;
  return n_deficits;
}

gboolean
fs_pull_is_needed (const FsPullArcs *arcs)
{
  return count_deficits (arcs) > 0;
}

/* Every deficit is a root. */
static void
plant (Run *run)
{
  const FsPullArcs *arcs = run->arcs;
  const GArray *suspects = arcs->suspects;
  size_t n_left = run->n_open;
  if (suspects == NULL) {
    for (size_t p = 0; n_left > 0; p++)
      if (arcs->excess[p] < 0) {
        join (run, p, ARC_ROOT, 1);
        n_left--;
      }
    return;
  }
  run->n_open = 0;
  for (guint i = 0; i < suspects->len; i++) {
    uint32_t p = g_array_index (suspects, uint32_t, i);
    if (arcs->excess[p] >= 0 || kind_of (run, p) == ARC_ROOT)
      continue;
    join (run, p, ARC_ROOT, 1);
    run->n_open++;
  }
}

/* Forgets what the last run has seen. */
static void
forget (FsPull *pull)
{
  for (guint i = 0; i < pull->seen->len; i++)
    pull->arc[g_array_index (pull->seen, uint32_t, i)] = ARC_NONE;
  g_array_set_size (pull->seen, 0);
}

static void
begin (Run *run)
{
  FsPull *pull = run->pull;
  pull->time++;
  pull->head = pull->tail = pull->n_queued = 0;
  pull->budget = run->n * LOOKS_PER_PIXEL;
  g_array_set_size (pull->orphans, 0);
  plant (run);
}

/* Who is in a tree can still give to a deficit. */
static FsPullOutcome
write_mask (const Run *run, uint8_t *mask)
{
  const GArray *seen = run->pull->seen;
  if (run->n_open == 0)
    return FS_PULL_NOTHING;
  memset (mask, 1, run->n);
  for (guint i = 0; i < seen->len; i++) {
    uint32_t p = g_array_index (seen, uint32_t, i);
    mask[p] = kind_of (run, p) == ARC_NONE;
  }
  return FS_PULL_MASK;
}

static void
prepare_arc (Run *run, int arc)
{
  const FsPullArcs *arcs = run->arcs;
  gboolean is_forward = arc < FS_DIRECTION_OPPOSITE;
  int d = arc % FS_N_DIRECTIONS;
  run->step[arc] = fs_grid_step (arcs->grid, arc);
  run->shift[arc] = is_forward ? 0 : run->step[arc];
  run->shown[arc] = is_forward ? arcs->nlink[d] : arcs->nlink_back[d];
  if (run->is_wide)
    run->whole[arc] = is_forward ? arcs->forth[d] : arcs->back[d];
}

FsPullOutcome
fs_pull_run (FsPull *pull, const FsPullArcs *arcs, uint8_t *mask)
{
  Run run = { .pull = pull,
              .arcs = arcs,
              .n = fs_grid_n_pixels (arcs->grid),
              .n_open = count_deficits (arcs),
              .n_directions = fs_grid_n_directions (arcs->grid),
              .is_wide = arcs->forth != NULL };
  for (int arc = 0; arc < FS_N_ARCS; arc++)
    prepare_arc (&run, arc);
  forget (pull);
  if (run.n_open == 0)
    return FS_PULL_NOTHING;
  if (run.n_open > run.n / PIXELS_PER_DEFICIT)
    return FS_PULL_TOO_MUCH;
  begin (&run);
  return grow_all (&run) ? write_mask (&run, mask) : FS_PULL_TOO_MUCH;
}

void
fs_pull_list_deficits (const FsPull *pull, const FsPullArcs *arcs, GArray *deficits)
{
  g_array_set_size (deficits, 0);
  for (guint i = 0; i < pull->seen->len; i++) {
    uint32_t p = g_array_index (pull->seen, uint32_t, i);
    if (arcs->excess[p] < 0)
      g_array_append_val (deficits, p);
  }
}
