/* SPDX-License-Identifier: MIT */
/* A graph that grows, and its solver.   Layer: library.
 *
 * Threads: one at a time.
 */
#ifndef FS_LIBRARY_GRAPH_H
#define FS_LIBRARY_GRAPH_H

#include "library/library.h"

G_BEGIN_DECLS

struct fretsaw_graph {
  FsLibraryObject object;
  FsGraph graph;
  /* Atomic: counts for any thread, of the nodes that a caller numbers and of edges. */
  gint n_counted_nodes, n_counted_edges;
  size_t nodes_capacity, edges_capacity; /* of the lists */
  FsGraphSolver *solver;                 /* NULL before the first solve and after growth */
  gboolean has_mask, is_solved;
  int64_t constant; /* that every cut costs in addition */
  /* The nodes of a text that are not in the graph are object: node[i], ascending, is the text's
   * number of node i; NULL: all are there. */
  uint32_t n_named;
  uint32_t *node;
};

/* A graph without nodes. */
fretsaw_graph *fs_library_new_graph (fretsaw_context *context);

G_END_DECLS

#endif
