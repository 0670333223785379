/* SPDX-License-Identifier: MIT */
/* Small cuts without a solver.   Layer: solver (expansion moves).
 *
 * From its second move on a label pulls at few pixels, and what they need lies near. First each
 * deficit takes what it gets from along the straight lines that lead away from it, as far as the
 * next deficit. Trees grow from what is left of them, all at once and nearest pixels first,
 * backwards along arcs that have something left; where they meet an excess it flows down to the
 * root, and what hung on arcs that are full then looks for another parent (Boykov & Kolmogorov
 * 2004, with trees on one side alone). When nothing grows any more, who is in a tree is on the sink
 * side. That is a maximum flow and its canonical mask at the price of the pixels looked at, where a
 * solver would first have to be made for all of them; and arcs may have any size.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_EXPANSION_MOVE_LOCAL_MAXFLOW_H
#define FS_SOLVER_EXPANSION_MOVE_LOCAL_MAXFLOW_H

#include "solver/grid.h"

G_BEGIN_DECLS

/* A grid's arcs and excess, to be changed: those of 16 bits, or the whole ones where there are. */
typedef struct {
  const FsGrid *grid; /* its shape; no star */
  int32_t *excess;
  uint16_t *const *nlink, *const *nlink_back;
  int32_t *const *forth, *const *back; /* NULL, or what counts in place of the planes above */
  const GArray *candidates; /* of uint32_t: all pixels that may have a deficit; NULL: any may */
} FsLocalMaxflowArcs;

typedef enum {
  FS_LOCAL_MAXFLOW_NOTHING,
  FS_LOCAL_MAXFLOW_MASK,
  FS_LOCAL_MAXFLOW_TOO_MUCH
} FsLocalMaxflowOutcome;

/* Pixels; room is made for more as they come. */
typedef struct {
  uint32_t *at;
  size_t n, capacity;
} FsLocalMaxflowList;

/* What a run knows of a pixel of a tree: when its distance from the root was last found. */
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
  size_t budget; /* pixels that may yet be looked at */
} FsLocalMaxflow;

/* Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_local_maxflow_init (FsLocalMaxflow *maxflow, size_t n_pixels, GError **error);
void fs_local_maxflow_clear (FsLocalMaxflow *maxflow);

/* Bytes that it holds for a pixel. */
size_t fs_local_maxflow_pixel_bytes (void);

/* Whether there is a deficit. */
gboolean fs_local_maxflow_is_needed (const FsLocalMaxflowArcs *arcs);

/* Meets the deficits. NOTHING: all of them, the mask (W·H bytes) is 1 everywhere and was not
 * written. MASK: it was. TOO_MUCH: gave up; excess and arcs have the flow so far. */
FsLocalMaxflowOutcome fs_local_maxflow_run (FsLocalMaxflow *maxflow, const FsLocalMaxflowArcs *arcs,
                                            uint8_t *mask);

/* Lists the deficits that the last run left, after NOTHING or MASK. */
void fs_local_maxflow_list_deficits (const FsLocalMaxflow *maxflow, const FsLocalMaxflowArcs *arcs,
                                     GArray *deficits);

G_END_DECLS

#endif
