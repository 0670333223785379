/* SPDX-License-Identifier: MIT */
#include "tests/solver/graph/graph_others.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <vector>

namespace {

typedef boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS> Traits;
typedef boost::property<boost::edge_reverse_t, Traits::edge_descriptor> Reverse;
typedef boost::property<boost::edge_residual_capacity_t, int64_t, Reverse> Residual;
typedef boost::property<boost::edge_capacity_t, int64_t, Residual> Capacity;
typedef boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                              Capacity>
    Graph;

/* One direction: Boost wants an arc back that has no capacity of its own. */
void
add_arc (Graph &graph, size_t from, size_t to, int64_t capacity)
{
  auto forth = boost::add_edge (from, to, graph).first;
  auto back = boost::add_edge (to, from, graph).first;
  auto reverse = boost::get (boost::edge_reverse, graph);
  boost::put (boost::edge_capacity, graph, forth, capacity);
  boost::put (boost::edge_capacity, graph, back, 0);
  boost::put (reverse, forth, back);
  boost::put (reverse, back, forth);
}

/* Marks with 0 what can still reach the sink. */
void
mark_background (const Graph &graph, size_t sink, std::vector<uint8_t> &side)
{
  auto residual = boost::get (boost::edge_residual_capacity, graph);
  auto reverse = boost::get (boost::edge_reverse, graph);
  std::vector<size_t> list (1, sink);
  side[sink] = 0;
  while (!list.empty ()) {
    size_t v = list.back ();
    list.pop_back ();
    auto range = boost::out_edges (v, graph);
    for (auto out = range.first; out != range.second; ++out) {
      size_t before = boost::target (*out, graph);
      if (side[before] && boost::get (residual, boost::get (reverse, *out)) > 0) {
        side[before] = 0;
        list.push_back (before);
      }
    }
  }
}

}

int64_t
graph_cut_by_boost (const FsGraph *graph, uint8_t *mask)
{
  size_t source = graph->n_nodes, sink = source + 1;
  Graph boosted (sink + 1);
  for (uint32_t v = 0; v < graph->n_nodes; v++) {
    add_arc (boosted, source, v, MAX (graph->tlink[v], 0));
    add_arc (boosted, v, sink, MAX (-graph->tlink[v], 0));
  }
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    const FsGraphEdge *edge = &graph->edges[i];
    add_arc (boosted, edge->from, edge->to, edge->capacity);
    add_arc (boosted, edge->to, edge->from, edge->back);
  }
  int64_t flow = boost::push_relabel_max_flow (boosted, source, sink);
  std::vector<uint8_t> side (sink + 1, 1);
  mark_background (boosted, sink, side);
  for (uint32_t v = 0; v < graph->n_nodes; v++)
    mask[v] = side[v];
  return flow;
}
