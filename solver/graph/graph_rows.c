/* SPDX-License-Identifier: MIT */
#include "solver/graph/graph_rows.h"
#include "solver/system/checked_memory.h"

#include <string.h>

size_t
fs_graph_rows_bytes (uint32_t n_nodes, uint32_t n_edges)
{
  return ((size_t)n_nodes + 1) * sizeof (uint32_t) + (size_t)n_nodes * sizeof (int64_t)
         + (size_t)n_edges * (2 * sizeof (FsGraphArc) + sizeof (uint32_t));
}

static gboolean
allocate_rows (FsGraphRows *rows)
{
  rows->first = fs_memory_new ((size_t)rows->n_nodes + 1, sizeof *rows->first);
  rows->arc = fs_memory_new ((size_t)rows->n_edges * 2, sizeof *rows->arc);
  rows->edge_arc = fs_memory_new (rows->n_edges, sizeof *rows->edge_arc);
  rows->excess = fs_memory_new (rows->n_nodes, sizeof *rows->excess);
  return rows->first != NULL && rows->arc != NULL && rows->edge_arc != NULL && rows->excess != NULL;
}

/* Leaves in first[v] where the row of v ends; put_arcs takes it back to where it begins. */
static void
count_arcs (FsGraphRows *rows, const FsGraph *graph)
{
  memset (rows->first, 0, ((size_t)rows->n_nodes + 1) * sizeof *rows->first);
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    const FsGraphEdge *edge = &graph->edges[i];
    gboolean is_loop = edge->from == edge->to;
    rows->first[edge->from] += !is_loop;
    rows->first[edge->to] += !is_loop;
  }
  uint32_t end = 0;
  for (uint32_t v = 0; v <= rows->n_nodes; v++) {
    end += rows->first[v];
    rows->first[v] = end;
  }
}

static void
put_arcs (FsGraphRows *rows, const FsGraph *graph)
{
  for (uint32_t i = graph->n_edges; i-- > 0;) {
    const FsGraphEdge *edge = &graph->edges[i];
    rows->edge_arc[i] = FS_GRAPH_NO_ARC;
    if (edge->from == edge->to)
      continue;
    uint32_t forth = --rows->first[edge->from];
    uint32_t back = --rows->first[edge->to];
    rows->arc[forth] = (FsGraphArc){ edge->to, back, (uint32_t)edge->capacity };
    rows->arc[back] = (FsGraphArc){ edge->from, forth, (uint32_t)edge->back };
    rows->edge_arc[i] = forth;
  }
}

gboolean
fs_graph_rows_init (FsGraphRows *rows, const FsGraph *graph)
{
  *rows = (FsGraphRows){ .n_nodes = graph->n_nodes, .n_edges = graph->n_edges };
  if (!allocate_rows (rows))
    return FALSE;
  count_arcs (rows, graph);
  put_arcs (rows, graph);
  memcpy (rows->excess, graph->tlink, (size_t)graph->n_nodes * sizeof *rows->excess);
  return TRUE;
}

void
fs_graph_rows_clear (FsGraphRows *rows)
{
  fs_memory_free (rows->first);
  fs_memory_free (rows->arc);
  fs_memory_free (rows->edge_arc);
  fs_memory_free (rows->excess);
  *rows = (FsGraphRows){ 0 };
}
