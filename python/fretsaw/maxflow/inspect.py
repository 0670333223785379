# SPDX-License-Identifier: MIT
"""Graphs for networkx."""

import math


def make_nx_graph(network):
  """A DiGraph of the capacities that are left."""
  import networkx
  capacities = _sum_capacities(network)
  if network._mask is not None:
    capacities = _take_flow(networkx, capacities)
  graph = networkx.DiGraph()
  graph.add_nodes_from((node, {"segment": network.get_segment(node)}) for node in range(network._n))
  graph.add_nodes_from("st")
  graph.add_edges_from((start, end, {"weight": left}) for (start, end), left in capacities.items() if left > 0)
  return graph


def _sum_capacities(network):
  """A dictionary by pairs of nodes."""
  capacities = {}
  pieces = network._pieces + (network._planes.list_edges() if network._planes is not None else [])
  for i, j, forth, back in pieces:
    for start, end, capacity, reverse in zip(i.tolist(), j.tolist(), forth.tolist(), back.tolist()):
      capacities[start, end] = capacities.get((start, end), 0) + capacity
      capacities[end, start] = capacities.get((end, start), 0) + reverse
  for node, tlink in enumerate(network._tlink.tolist()):
    capacities["s", node], capacities[node, "t"] = max(tlink, 0), max(-tlink, 0)
  return capacities


def _take_flow(networkx, capacities):
  """What a maximum flow leaves."""
  graph = networkx.DiGraph()
  graph.add_nodes_from("st")
  for (start, end), capacity in capacities.items():
    if capacity > 0:
      graph.add_edge(start, end, **({} if math.isinf(capacity) else {"capacity": capacity}))
  flow = networkx.algorithms.flow.boykov_kolmogorov(graph, "s", "t")
  left = {}
  for (start, end), capacity in capacities.items():
    carried = flow[start][end]["flow"] if flow.has_edge(start, end) else 0
    left[start, end] = capacity - carried
  return left
