/* SPDX-License-Identifier: MIT */
/* The minimum cut of a band.   Layer: solver.
 *
 * The algorithm of Boykov & Kolmogorov 2004 on FsBandGraph: a tree of nodes that the source
 * reaches, a tree of nodes that reach the sink, both growing until they meet; flow along the path;
 * nodes that lost their parents find others or become free. It suits bands: both sides' fixed
 * pixels are near, so paths are short. Differing from the paper: terminals are kept as one signed
 * excess a pixel; only nodes with a neighbour of another tree start active; a node knows by two
 * bytes which of its arcs have capacity left.
 *
 * Exact on the restricted problem. Both trees grow until no node is active, so the sink's tree is
 * all that can still reach a deficit: the canonical mask (solver.h).
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_BAND_SEARCH_H
#define FS_SOLVER_BAND_SEARCH_H

#include "solver/band_graph.h"
#include "solver/progress.h"

G_BEGIN_DECLS

typedef enum {
  FS_BAND_DONE,
  FS_BAND_CANCELLED,
  FS_BAND_NO_MEMORY,
} FsBandOutcome;

typedef struct {
  FsBandGraph *graph;
  const FsProgress *progress;
  uint32_t *orphans; /* those from n_adopted on wait */
  size_t n_orphans;
  size_t n_adopted;
  size_t orphans_capacity;
  uint32_t first_active, last_active; /* FS_BAND_NONE: none */
  uint32_t stamp;
  int until_poll;
  gboolean failed;
} FsBandSearch;

void fs_band_search_init (FsBandSearch *search);
void fs_band_search_clear (FsBandSearch *search);
size_t fs_band_search_size_bytes (const FsBandSearch *search);

/* Cuts a graph that was just built. Of `progress` only `cancel` is used. */
FsBandOutcome fs_band_search_run (FsBandSearch *search, FsBandGraph *graph,
                                  const FsProgress *progress);

/* The label of a node after FS_BAND_DONE. */
static inline uint8_t
fs_band_label (const FsBandGraph *graph, uint32_t index)
{
  return (graph->nodes[index].state & FS_BAND_TREE) != FS_BAND_SINK;
}

G_END_DECLS

#endif
