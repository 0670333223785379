/* SPDX-License-Identifier: MIT */
#include "solver/expansion_pull.h"

#include "solver/checked_memory.h"
#include "solver/progress.h"

#include <string.h>

/* Shares of all pixels: so many deficits, or looks, and a solver is cheaper. */
enum { PIXELS_PER_DEFICIT = 20, PIXELS_PER_LOOK = 4 };

gboolean
fs_pull_init (FsPull *pull, size_t n_pixels, GError **error)
{
  *pull = (FsPull){ .stamp = fs_memory_new (n_pixels, sizeof *pull->stamp),
                    .queue = fs_memory_new (n_pixels, sizeof *pull->queue),
                    .arc = fs_memory_new (n_pixels, sizeof *pull->arc) };
  if (pull->stamp != NULL && pull->queue != NULL && pull->arc != NULL) {
    memset (pull->stamp, 0, n_pixels * sizeof *pull->stamp);
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
  g_clear_pointer (&pull->stamp, fs_memory_free);
  g_clear_pointer (&pull->queue, fs_memory_free);
  g_clear_pointer (&pull->arc, fs_memory_free);
}

/* What is left of the arc that leads from a pixel in direction `arc`. */
static inline int32_t
left_of (const FsPullArcs *arcs, size_t pixel, int arc)
{
  int d = arc % FS_N_DIRECTIONS;
  if (arc < FS_DIRECTION_OPPOSITE)
    return arcs->forth != NULL ? arcs->forth[d][pixel] : arcs->nlink[d][pixel];
  size_t first = (size_t)((ptrdiff_t)pixel + fs_grid_step (arcs->grid, arc));
  return arcs->back != NULL ? arcs->back[d][first] : arcs->nlink_back[d][first];
}

static inline void
show (uint16_t *shown, int32_t whole)
{
  *shown = (uint16_t)MIN (whole, FS_NLINK_MAX);
}

/* Moves flow along an arc. */
static void
push (const FsPullArcs *arcs, size_t pixel, int arc, int32_t flow)
{
  int d = arc % FS_N_DIRECTIONS;
  size_t first = pixel;
  if (arc >= FS_DIRECTION_OPPOSITE) {
    first = (size_t)((ptrdiff_t)pixel + fs_grid_step (arcs->grid, arc));
    flow = -flow;
  }
  if (arcs->forth == NULL) {
    arcs->nlink[d][first] = (uint16_t)(arcs->nlink[d][first] - flow);
    arcs->nlink_back[d][first] = (uint16_t)(arcs->nlink_back[d][first] + flow);
    return;
  }
  arcs->forth[d][first] -= flow;
  arcs->back[d][first] += flow;
  show (&arcs->nlink[d][first], arcs->forth[d][first]);
  show (&arcs->nlink_back[d][first], arcs->back[d][first]);
}

/* Sends what it can from a pixel with excess down to the deficit. */
static void
augment (const FsPull *pull, const FsPullArcs *arcs, size_t from, size_t deficit)
{
  int32_t flow = MIN (arcs->excess[from], -arcs->excess[deficit]);
  for (size_t p = from; p != deficit;
       p = (size_t)((ptrdiff_t)p + fs_grid_step (arcs->grid, pull->arc[p])))
    flow = MIN (flow, left_of (arcs, p, pull->arc[p]));
  for (size_t p = from; p != deficit;
       p = (size_t)((ptrdiff_t)p + fs_grid_step (arcs->grid, pull->arc[p])))
    push (arcs, p, pull->arc[p], flow);
  arcs->excess[from] -= flow;
  arcs->excess[deficit] += flow;
}

typedef enum { MET, CLOSED, GAVE_UP } Search;

/* Looks for the nearest excess that can reach the deficit, and takes from it. `n_seen`: whom it has
 * seen then. */
static Search
search (FsPull *pull, const FsPullArcs *arcs, const uint8_t *mask, uint32_t deficit, size_t *n_seen)
{
  const FsGrid *grid = arcs->grid;
  uint32_t id = ++pull->search;
  *n_seen = 1;
  pull->queue[0] = deficit;
  pull->stamp[deficit] = id;
  for (size_t i = 0; i < *n_seen; i++) {
    size_t p = pull->queue[i];
    int x = (int)(p % (size_t)grid->width), y = (int)(p / (size_t)grid->width);
    if (pull->budget == 0)
      return GAVE_UP;
    pull->budget--;
    for (int d = 0; d < FS_N_ARCS; d++) {
      if (!fs_grid_has_arc (grid, x, y, d))
        continue;
      size_t q = (size_t)((ptrdiff_t)p + fs_grid_step (grid, d));
      int towards = d ^ FS_DIRECTION_OPPOSITE;
      if (pull->stamp[q] == id || !mask[q] || left_of (arcs, q, towards) == 0)
        continue;
      pull->stamp[q] = id;
      pull->arc[q] = (uint8_t)towards;
      if (arcs->excess[q] > 0) {
        augment (pull, arcs, q, deficit);
        return MET;
      }
      pull->queue[(*n_seen)++] = (uint32_t)q;
    }
  }
  return CLOSED;
}

/* How many deficits there are. */
static size_t
count_deficits (const FsPullArcs *arcs)
{
  size_t n = fs_grid_n_pixels (arcs->grid), n_deficits = 0;
  for (size_t p = 0; p < n; p++)
    n_deficits += arcs->excess[p] < 0;
  return n_deficits;
}

gboolean
fs_pull_is_needed (const FsPullArcs *arcs)
{
  return count_deficits (arcs) > 0;
}

FsPullOutcome
fs_pull_run (FsPull *pull, const FsPullArcs *arcs, uint8_t *mask)
{
  size_t n = fs_grid_n_pixels (arcs->grid), n_open = count_deficits (arcs), n_seen;
  FsPullOutcome outcome = FS_PULL_NOTHING;
  if (n_open == 0)
    return FS_PULL_NOTHING;
  if (n_open > n / PIXELS_PER_DEFICIT)
    return FS_PULL_TOO_MUCH;
  pull->budget = n / PIXELS_PER_LOOK;
  memset (mask, 1, n);
  for (uint32_t p = 0; n_open > 0; p++) {
    if (arcs->excess[p] >= 0)
      continue;
    n_open--;
    while (arcs->excess[p] < 0 && mask[p]) {
      Search end = search (pull, arcs, mask, p, &n_seen);
      if (end == GAVE_UP)
        return FS_PULL_TOO_MUCH;
      for (size_t i = 0; end == CLOSED && i < n_seen; i++)
        mask[pull->queue[i]] = 0;
      outcome = end == CLOSED ? FS_PULL_MASK : outcome;
    }
  }
  return outcome;
}
