# SPDX-License-Identifier: MIT
"""Minimum cuts of any network."""

import os

import numpy as np

from . import _fretsaw
from .arrays import as_context, as_numbers, as_whole, spread, take_out
from .errors import ElementsError, InvalidError, ReadError
from .grid import Certificate, Solution
from .unique import Unique

EDGE = np.dtype([("from", "=u4"), ("to", "=u4"), ("capacity", "=i4"), ("back", "=i4")])
_NODE_CHANGE = np.dtype({"names": ["node", "tlink"], "formats": ["=u4", "=i8"], "offsets": [0, 8], "itemsize": 16})
_EDGE_CHANGE = np.dtype([("edge", "=u4"), ("capacity", "=i4"), ("back", "=i4")])
_NODES_MAX, _CAPACITY_MAX, _TLINK_MAX, _UINT_MAX = 1 << 24, (1 << 31) - 1, 1 << 37, (1 << 32) - 1


class Graph(Unique):
  """Nodes and edges, whose minimum cut is kept up to date.

  Its energy is that of Grid2D over a list of edges, and t-links mean the same. Edges may be parallel, reverse to one
  another, of no capacity, or loops.

  nodes: how many there are at first; up to 2²⁴. context: a fretsaw.Context.

  >>> graph = Graph(2)
  >>> graph.add_edges(0, 1, capacity=1, back=2)
  >>> graph.update([0, 1], [-3, 5])
  >>> graph.maxflow(), graph.mask().tolist()
  (2, [False, True])
  """

  def __init__(self, nodes=0, *, context=None):
    nodes = as_whole(nodes, "nodes", 0, _NODES_MAX)
    self._take(_fretsaw.Graph(as_context(context), nodes))

  def _take(self, graph):
    self._graph = graph
    self._solution = None

  @classmethod
  def read_dimacs(cls, source, *, max_bytes=0, context=None):
    """Reads a maximum-flow problem in the DIMACS format, from bytes or from a file's name.

    Nodes are the file's, less 1, and t-links come of the arcs at the terminals. A problem that needs more than
    max_bytes of memory is refused; 0: no limit.
    """
    max_bytes, context = as_whole(max_bytes, "max_bytes", 0, (1 << 63) - 1), as_context(context)
    if isinstance(source, (str, os.PathLike)):
      try:
        with open(source, "rb") as file:
          source = file.read()
      except OSError as error:
        raise ReadError(*error.args[:2], os.fspath(source)) from None
      except ValueError as error:
        raise InvalidError(f"source: {error}") from None
    elif not isinstance(source, (bytes, bytearray, memoryview)):
      raise ElementsError(f"source: bytes or a file's name are needed, not {type(source).__name__}")
    self = cls.__new__(cls)
    try:
      self._take(_fretsaw.Graph.read_dimacs(context, source, max_bytes))
    except InvalidError as error:
      name = "max_bytes" if str(error).endswith("may be used") else "source"
      raise InvalidError(f"{name}: {error}") from None
    return self

  @property
  def node_count(self):
    return self._graph.count()[0]

  @property
  def edge_count(self):
    return self._graph.count()[1]

  def add_nodes(self, n=1):
    """Adds n nodes, and returns their numbers. The next maxflow() begins afresh."""
    first = self.node_count
    n = as_whole(n, "n", 0, _NODES_MAX - first)
    self._graph.add_nodes(n)
    return np.arange(first, first + n)

  def add_edges(self, starts, ends, capacity, back=0):
    """Adds edges from starts to ends, with capacities both ways: numbers, or one for all. Up to 2³¹ − 1 each.

    Edges are numbered in the order in which they are added. The next maxflow() begins afresh.
    """
    starts, ends = (as_numbers(array, self.node_count, name).ravel()
                    for array, name in ((starts, "starts"), (ends, "ends")))
    if starts.size != ends.size:
      raise InvalidError(f"ends: there are {ends.size}, and {starts.size} starts")
    edges = np.empty(starts.size, EDGE)
    edges["from"], edges["to"] = starts, ends
    edges["capacity"] = spread(capacity, starts.size, np.int32, "capacity", 0, _CAPACITY_MAX)
    edges["back"] = spread(back, starts.size, np.int32, "back", 0, _CAPACITY_MAX)
    self._graph.add_edges(edges)

  def update(self, nodes, values):
    """Sets the t-links of nodes, up to 2³⁷ in size. The next maxflow() costs what has changed."""
    nodes = as_numbers(nodes, self.node_count, "nodes").ravel()
    changes = np.zeros(nodes.size, _NODE_CHANGE)
    changes["node"] = nodes
    changes["tlink"] = spread(values, nodes.size, np.int64, "values", -_TLINK_MAX, _TLINK_MAX)
    self._graph.change_tlinks(changes)

  def update_edges(self, edges, capacity, back):
    """Sets the capacities of edges, by their numbers. The next maxflow() costs what has changed."""
    edges = as_numbers(edges, self.edge_count, "edges").ravel()
    changes = np.empty(edges.size, _EDGE_CHANGE)
    changes["edge"] = edges
    changes["capacity"] = spread(capacity, edges.size, np.int32, "capacity", 0, _CAPACITY_MAX)
    changes["back"] = spread(back, edges.size, np.int32, "back", 0, _CAPACITY_MAX)
    self._graph.change_edges(changes)

  def maxflow(self, progress=None):
    """Finds the minimum cut, and returns its value. The lock, Control-C and progress: as for Grid2D.maxflow."""
    self._solution = None
    self._solution = Solution(*self._graph.solve(progress))
    return self._solution.energy

  @property
  def solution(self):
    """The Solution of the last maxflow(); None before, and where that one has failed."""
    return self._solution

  def mask(self, out=None):
    """The mask of the last maxflow(): True for nodes on the object's, the source's, side."""
    out = take_out(out, (self.node_count,), (bool, np.uint8))
    self._graph.read_mask(out.view(np.uint8))
    return out

  def certify(self):
    """Checks the last cut, and returns the Certificate."""
    return Certificate(*self._graph.certify())

  @staticmethod
  def forecast_bytes(nodes, edges):
    """Bytes that such a graph and its solves take on the CPU, at most; 0 beyond the limits."""
    return _fretsaw.Graph.forecast(as_whole(nodes, "nodes", 0, _UINT_MAX), as_whole(edges, "edges", 0, _UINT_MAX))
