/* SPDX-License-Identifier: MIT */
/* Small cuts without a solver.   Layer: solver (expansion moves).
 *
 * From its second move on a label pulls at few pixels, and what they need lies near. Each deficit
 * looks backwards along arcs that have something left, nearest pixels first (Edmonds & Karp 1972),
 * and takes flow from the first excess it meets; where there is none, all it has seen is on the
 * sink side for good. That is a maximum flow and its canonical mask when no deficit is left open,
 * at the price of the pixels looked at, where a solver would first have to be made for all of them.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_PULL_H
#define FS_SOLVER_EXPANSION_PULL_H

#include "solver/grid.h"

G_BEGIN_DECLS

/* A grid's arcs and excess, to be changed: those of 16 bits, or the whole ones where there are. */
typedef struct {
  const FsGrid *grid; /* its shape; no star */
  int32_t *excess;
  uint16_t *const *nlink, *const *nlink_back;
  int32_t *const *forth, *const *back; /* NULL, or what counts in place of the planes above */
} FsPullArcs;

typedef enum { FS_PULL_NOTHING, FS_PULL_MASK, FS_PULL_TOO_MUCH } FsPullOutcome;

typedef struct {
  uint32_t *stamp; /* [n]: the search that saw the pixel last     */
  uint32_t *queue; /* [n]: whom this search has seen, in order    */
  uint8_t *arc;    /* [n]: the way from it towards the deficit    */
  uint32_t search;
  size_t budget; /* pixels that may yet be looked at            */
} FsPull;

/* Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_pull_init (FsPull *pull, size_t n_pixels, GError **error);
void fs_pull_clear (FsPull *pull);

/* Whether there is a deficit. */
gboolean fs_pull_is_needed (const FsPullArcs *arcs);

/* Meets the deficits. NOTHING: all of them, the mask (W·H bytes) is 1 everywhere and was not
 * written. MASK: it was. TOO_MUCH: gave up; excess and arcs have the flow so far. */
FsPullOutcome fs_pull_run (FsPull *pull, const FsPullArcs *arcs, uint8_t *mask);

G_END_DECLS

#endif
