/* SPDX-License-Identifier: MIT */
/* The phases that lay out a graph, change it, and read its results.
 * Layer: solver/kernels.
 *
 * Rows are laid out in five steps: count arcs per node; prefix sums of the counts within chunks of
 * nodes, over the chunks, and within them again; put every edge's two arcs at the next free places.
 * The order of a row's arcs is not deterministic; no cut depends on it.
 */
#ifndef FS_SOLVER_KERNELS_GRAPH_LAYOUT_H
#define FS_SOLVER_KERNELS_GRAPH_LAYOUT_H

#include "solver/kernels/graph/graph_state.h"

/* --- Rows --------------------------------------------------------------------------------------
 */

FS_PHASE void
fs_graph_count_arcs (const FsGraphState *state, uint32_t i)
{
  const FsGraphEngineEdge *edge = &state->edges[i];
  if (edge->from == edge->to)
    return;
  fs_graph_add (&state->first[edge->from], 1);
  fs_graph_add (&state->first[edge->to], 1);
}

typedef struct {
  uint32_t begin, end; /* nodes */
} FsGraphChunk;

/* One of FS_GRAPH_CHUNKS. */
FS_PHASE FsGraphChunk
fs_graph_chunk (const FsGraphState *state, uint32_t chunk)
{
  uint32_t size = (state->n_nodes - 1) / FS_GRAPH_CHUNKS + 1;
  FsGraphChunk range = { chunk * size, (chunk + 1) * size };
  if (range.begin > state->n_nodes)
    range.begin = state->n_nodes;
  if (range.end > state->n_nodes)
    range.end = state->n_nodes;
  return range;
}

FS_PHASE void
fs_graph_sum_chunk (const FsGraphState *state, uint32_t chunk)
{
  FsGraphChunk range = fs_graph_chunk (state, chunk);
  uint32_t sum = 0;
  for (uint32_t v = range.begin; v < range.end; v++)
    sum += state->first[v];
  state->sums[chunk] = sum;
}

/* Converts counts to places, with the chunk's first place in its sum. */
FS_PHASE void
fs_graph_scatter_chunk (const FsGraphState *state, uint32_t chunk)
{
  FsGraphChunk range = fs_graph_chunk (state, chunk);
  uint32_t place = state->sums[chunk];
  for (uint32_t v = range.begin; v < range.end; v++) {
    uint32_t n = state->first[v];
    state->first[v] = place;
    place += n;
  }
  if (range.end == state->n_nodes)
    state->first[state->n_nodes] = place; /* the same from every chunk that is empty */
}

/* The next free place of a node's arcs; `height` counts those that are taken. */
FS_PHASE uint32_t
fs_graph_take_place (const FsGraphState *state, uint32_t v)
{
  return state->first[v] + fs_graph_add (&state->height[v], 1);
}

/* Writes the two arcs of an edge. */
FS_PHASE void
fs_graph_put_arcs (const FsGraphState *state, uint32_t i, uint32_t forth, uint32_t back)
{
  const FsGraphEngineEdge *edge = &state->edges[i];
  state->edge_arc[i] = forth;
  state->head[forth] = edge->to;
  state->head[back] = edge->from;
  state->reverse[forth] = back;
  state->reverse[back] = forth;
  state->residual[forth] = (uint32_t)edge->capacity;
  state->residual[back] = (uint32_t)edge->back;
}

FS_PHASE void
fs_graph_put_edge (const FsGraphState *state, uint32_t i)
{
  const FsGraphEngineEdge *edge = &state->edges[i];
  if (edge->from == edge->to) {
    state->edge_arc[i] = FS_GRAPH_NOBODY;
    return;
  }
  uint32_t forth = fs_graph_take_place (state, edge->from);
  fs_graph_put_arcs (state, i, forth, fs_graph_take_place (state, edge->to));
}

/* --- Changes -----------------------------------------------------------------------------------
 */

/* The thread that exchanges the old value makes the change; a repetition finds the new one. */
FS_PHASE void
fs_graph_change_tlink (const FsGraphState *state, FsGraphTlinkChange change)
{
  int64_t old = fs_graph_exchange_long (&state->tlink[change.node], change.tlink);
  fs_graph_add_long (&state->excess[change.node], change.tlink - old);
}

/* Exchanges both capacities of an edge as one aligned word. */
FS_PHASE FsGraphEngineEdge
fs_graph_exchange_capacities (FsGraphEngineEdge *edge, int32_t capacity, int32_t back)
{
  FsGraphEngineEdge old = *edge;
  uint64_t word = (uint64_t)(uint32_t)back << 32 | (uint32_t)capacity;
  uint64_t previous = (uint64_t)fs_graph_exchange_long (&edge->capacity, (int64_t)word);
  old.capacity = (int32_t)(uint32_t)previous;
  old.back = (int32_t)(uint32_t)(previous >> 32);
  return old;
}

/* Clamps the edge's flow to its new capacities; the difference becomes excess and deficit. */
FS_PHASE void
fs_graph_change_capacities (const FsGraphState *state, FsGraphEdgeChange change)
{
  FsGraphEngineEdge old =
      fs_graph_exchange_capacities (&state->edges[change.edge], change.capacity, change.back);
  uint32_t forth = state->edge_arc[change.edge];
  if (forth == FS_GRAPH_NOBODY || (old.capacity == change.capacity && old.back == change.back))
    return;
  int64_t flow = (int64_t)old.capacity - state->residual[forth];
  int64_t new_flow = flow > change.capacity ? change.capacity : flow;
  new_flow = new_flow < -(int64_t)change.back ? -(int64_t)change.back : new_flow;
  state->residual[forth] = (uint32_t)(change.capacity - new_flow);
  state->residual[state->reverse[forth]] = (uint32_t)(change.back + new_flow);
  fs_graph_add_long (&state->excess[old.from], flow - new_flow);
  fs_graph_add_long (&state->excess[old.to], new_flow - flow);
}

/* --- Results -----------------------------------------------------------------------------------
 */

FS_PHASE int
fs_graph_is_object (const FsGraphState *state, uint32_t v)
{
  return state->height[v] == FS_GRAPH_FAR;
}

/* Writes a node's mask; adds to the energy of the mask and to the value of the flow. */
FS_PHASE void
fs_graph_sum_node (const FsGraphState *state, uint32_t v, int64_t *energy, int64_t *bound)
{
  int64_t tlink = state->tlink[v], excess = state->excess[v];
  int is_object = fs_graph_is_object (state, v);
  state->mask[v] = (uint8_t)is_object;
  *bound += (tlink > 0 ? tlink : 0) - (excess > 0 ? excess : 0);
  *energy += is_object ? (tlink < 0 ? -tlink : 0) : (tlink > 0 ? tlink : 0);
}

FS_PHASE int64_t
fs_graph_edge_energy (const FsGraphState *state, uint32_t i)
{
  const FsGraphEngineEdge *edge = &state->edges[i];
  int from = fs_graph_is_object (state, edge->from), to = fs_graph_is_object (state, edge->to);
  return from == to ? 0 : from ? edge->capacity : edge->back;
}

/* The residual of an edge from → to; a loop carries nothing. */
FS_PHASE uint32_t
fs_graph_edge_residual (const FsGraphState *state, uint32_t i)
{
  uint32_t arc = state->edge_arc[i];
  return arc != FS_GRAPH_NOBODY ? state->residual[arc] : (uint32_t)state->edges[i].capacity;
}

#endif
