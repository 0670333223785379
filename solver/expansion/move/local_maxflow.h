/* SPDX-License-Identifier: MIT */
/* Local max-flow from few deficits, without a solver.   Layer: solver (expansion moves).
 *
 * From its second move on, a label's cut has few deficits, and excess near them. First each deficit
 * takes flow along the scanlines through it, up to the next deficit. Then trees grow from the
 * remaining deficits, all at once and nearest pixels first, backwards along residual arcs; where
 * they reach an excess, it flows to the root, and nodes whose tree arcs are saturated look for
 * another parent (Boykov & Kolmogorov 2004, with the sink's trees alone). When no tree grows any
 * more, the pixels in trees are the sink's side. The result is a maximum flow and its canonical
 * mask at the cost of the pixels visited, where a solver would first be built for all of them; and
 * arcs may have any capacity.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_MOVE_LOCAL_MAXFLOW_H
#define FS_SOLVER_EXPANSION_MOVE_LOCAL_MAXFLOW_H

#include "solver/grid.h"

G_BEGIN_DECLS

/* A grid's arcs and excess, which are changed: capacities of 16 bits, or those of a wide cut. */
typedef struct {
  const FsGrid *grid; /* its shape; no star */
  int32_t *excess;
  uint16_t *const *nlink, *const *nlink_back;
  int32_t *const *forth, *const *back; /* in place of the planes above; NULL: not wide */
  const GArray *candidates; /* of uint32_t: all pixels that may have a deficit; NULL: any may */
} FsLocalMaxflowArcs;

typedef enum {
  FS_LOCAL_MAXFLOW_NOTHING,
  FS_LOCAL_MAXFLOW_MASK,
  FS_LOCAL_MAXFLOW_TOO_MUCH
} FsLocalMaxflowOutcome;

/* A growing array of pixels. */
typedef struct {
  uint32_t *at;
  size_t n, capacity;
} FsLocalMaxflowList;

/* A tree's pixel: its distance from the root, and the time at which that was found. */
typedef struct {
  uint32_t time, depth;
} FsLocalMaxflowNode;

typedef struct {
  FsLocalMaxflowNode *node; /* [n] */
  uint8_t *arc;    /* [n]: the way to its parent, and whether it is on the queue, and in `seen` */
  uint32_t *queue; /* [n]: a circular queue of those whose neighbours have not been visited yet */
  size_t head, tail, n_queued;
  FsLocalMaxflowList seen, orphans;
  uint32_t time;
  size_t budget; /* pixels that may yet be visited */
} FsLocalMaxflow;

/* Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_local_maxflow_init (FsLocalMaxflow *maxflow, size_t n_pixels, GError **error);
void fs_local_maxflow_clear (FsLocalMaxflow *maxflow);

/* Bytes that it holds for a pixel. */
size_t fs_local_maxflow_pixel_bytes (void);

/* Returns whether there is a deficit. */
gboolean fs_local_maxflow_is_needed (const FsLocalMaxflowArcs *arcs);

/* Finds a maximum flow. NOTHING: no deficit is left; the mask (W·H bytes) would be 1 everywhere and
 * was not written. MASK: it was. TOO_MUCH: gave up; excess and arcs have the flow so far. */
FsLocalMaxflowOutcome fs_local_maxflow_run (FsLocalMaxflow *maxflow, const FsLocalMaxflowArcs *arcs,
                                            uint8_t *mask);

/* Lists the deficits that the last run left, after NOTHING or MASK. */
void fs_local_maxflow_list_deficits (const FsLocalMaxflow *maxflow, const FsLocalMaxflowArcs *arcs,
                                     GArray *deficits);

G_END_DECLS

#endif
