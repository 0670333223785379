# SPDX-License-Identifier: MIT
"""Graphs that are built piece by piece."""

import math

import numpy as np

from .._fretsaw import is_range
from ..arrays import PIXELS_MAX, as_array, as_context, as_flag, as_whole
from ..errors import ElementsError, InvalidError
from .engine import GraphEngine, GridEngine
from .layout import is_forward, read_periodic, read_structure, take_pairs, vonNeumann_structure
from .planes import Planes, direction_of

_DIMENSIONS_MAX = 32


class _Graph:
  """Nodes between a source and a sink, and edges with capacities, which add up.

  est_node_num, est_edge_num: accepted, and not needed. context: a fretsaw.Context.
  """

  _dtype: type

  def __init__(self, est_node_num=0, est_edge_num=0, *, context=None):
    self._context = as_context(context)
    self.reset()

  def reset(self):
    """Removes all nodes and edges."""
    self._n = 0
    self._n_arcs = 0
    self._tlink = np.zeros(0, self._dtype)
    self._has_tlinks = False
    self._constant = self._dtype(0).item()
    self._planes = None   # of a graph that is one grid of 2 dimensions
    self._pieces = []     # of edges: (from, to, capacity, back)
    self._engine = None
    self._mask = None

  def copy(self):
    """A copy: nodes and edges with their full capacities, and the last segments."""
    other = type(self)(context=self._context)
    for name in ("_n", "_n_arcs", "_has_tlinks", "_constant", "_mask"):
      setattr(other, name, getattr(self, name))
    other._tlink = self._tlink.copy()
    other._planes = self._planes.copy() if self._planes else None
    other._pieces = list(self._pieces)
    return other

  def __copy__(self):
    return self.copy()

  def __deepcopy__(self, memo):
    return self.copy()

  def __getstate__(self):
    """For pickles: all but the solver, as in a copy."""
    return {**self.__dict__, "_engine": None}

  # Nodes

  def add_nodes(self, num_nodes):
    """Adds nodes, and returns their numbers."""
    first = self._n
    self._n += as_whole(num_nodes, "num_nodes", 1, PIXELS_MAX - first)
    more = np.zeros(self._n - first, self._dtype)
    self._tlink = np.concatenate([self._tlink, more]) if first else more
    self._planes = None if self._planes is None else self._leave_grid()
    self._engine = self._mask = None
    return np.arange(first, self._n)

  def add_grid_nodes(self, shape):
    """Adds a grid of nodes, and returns their numbers in its shape."""
    sizes = shape if np.iterable(shape) else (shape,)
    shape = tuple(as_whole(size, "shape", 1, PIXELS_MAX) for size in sizes)
    n_nodes = math.prod(shape)
    if not shape or len(shape) > _DIMENSIONS_MAX or n_nodes > PIXELS_MAX - self._n:
      raise InvalidError(f"shape: {shape} is not of 1 to {_DIMENSIONS_MAX} dimensions, or has more than {PIXELS_MAX} nodes")
    is_first = self._n == 0
    nodes = self.add_nodes(n_nodes).reshape(shape)
    if is_first and len(shape) == 2:
      self._planes = Planes(shape, self._dtype)
    return nodes

  def get_node_count(self):
    return self._n

  def get_edge_count(self):
    """Edges between nodes, each way counted as one."""
    return self._n_arcs

  get_node_num, get_edge_num = get_node_count, get_edge_count

  # Edges

  def add_edge(self, i, j, capacity, rcapacity):
    """Adds an edge from node i to node j, and its reverse."""
    self.add_edges(i, j, capacity, self._convert(rcapacity, "rcapacity"))

  def add_edges(self, i, j, capacity, rev_capacity):
    """Adds edges from nodes i to nodes j, and their reverses: four arrays of one size."""
    i, j = self._as_nodes(i, "i")[0].ravel(), self._as_nodes(j, "j")[0].ravel()
    capacity, back = self._convert(capacity, "capacity"), self._convert(rev_capacity, "rev_capacity")
    if not i.size == j.size == capacity.size == back.size:
      raise InvalidError(f"i, j, capacity and rev_capacity have {i.size}, {j.size}, {capacity.size} and {back.size} "
                         "elements; they must have as many")
    self._add_piece(i, j, capacity.ravel(), back.ravel(), 2)

  def add_grid_edges(self, nodeids, weights=1, structure=None, symmetric=False, periodic=False):
    """Adds edges from each node of a grid to neighbours.

    nodeids: the nodes' numbers, in an array of any dimension; −1 is no node. weights: a capacity for each node, or
    what broadcasts to that. structure: an array of odd sizes around its centre: an edge goes to each neighbour that is
    not 0 there, of the weight times this number. None: the neighbours along the axes. symmetric: the reverse edges
    have the same capacities. periodic: the grid is closed, in all dimensions, or in those where it is True.
    """
    nodeids, is_whole = self._as_nodes(nodeids, "nodeids")
    ndim, symmetric = nodeids.ndim, as_flag(symmetric, "symmetric")
    if structure is None:
      structure = vonNeumann_structure(ndim, symmetric)
    factors = read_structure(self._convert(structure, "structure"), ndim)
    weights = self._as_capacities(weights, "weights")
    try:
      np.broadcast_to(weights, nodeids.shape)
    except ValueError:
      raise InvalidError(f"weights: the shape is {weights.shape}, and {nodeids.shape} of nodeids") from None
    periodic = read_periodic(periodic, ndim)
    is_grid = is_whole and self._planes is not None and nodeids.shape == self._planes.shape
    if is_grid and not any(periodic) and all(map(direction_of, factors)):
      for offset, factor in factors.items():
        self._n_arcs += 2 * self._planes.add(offset, weights, factor, symmetric)
      self._engine = self._mask = None
      return
    weights = np.broadcast_to(weights.astype(self._dtype), nodeids.shape)
    self._add_layout(nodeids, weights, factors, symmetric, periodic)

  def _add_layout(self, nodeids, weights, factors, symmetric, periodic):
    """Edges to neighbours that lie opposite to one another are two ways of one edge."""
    for offset in dict.fromkeys(o if is_forward(o) else tuple(-s for s in o) for o in factors):
      opposite = tuple(-step for step in offset)
      start, end = take_pairs(nodeids, offset, periodic)
      forth, back = take_pairs(weights, offset, periodic)
      forth = forth * factors[offset] if offset in factors else np.zeros_like(forth)
      back = back * factors[opposite] if opposite in factors else np.zeros_like(back)
      if symmetric:
        forth = back = forth + back
      n_ways = (offset in factors) + (opposite in factors)
      self._add_piece(start.ravel(), end.ravel(), forth.ravel(), back.ravel(), 2 * n_ways)

  def _add_piece(self, i, j, capacity, back, n_arcs):
    is_edge = (i != -1) & (j != -1) & (i != j)
    if not is_edge.all():
      i, j, capacity, back = i[is_edge], j[is_edge], capacity[is_edge], back[is_edge]
    self._pieces.append((i.astype(np.uint32), j.astype(np.uint32), capacity, back))
    self._n_arcs += n_arcs * i.size
    self._engine = self._mask = None

  def _leave_grid(self):
    self._pieces += self._planes.list_edges()

  # Terminals

  def add_tedge(self, i, cap_source, cap_sink):
    """Adds an edge from the source to node i, and one from there to the sink. Capacities may be negative."""
    source, sink = (self._as_capacities(values, name, signed=True)
                    for values, name in ((cap_source, "cap_source"), (cap_sink, "cap_sink")))
    self.add_grid_tedges(i, source, sink)

  def add_grid_tedges(self, nodeids, sourcecaps, sinkcaps):
    """The same for many nodes: capacities for each, or what broadcasts to that."""
    nodeids, is_whole = self._as_nodes(nodeids, "nodeids")
    source = self._as_capacities(sourcecaps, "sourcecaps", signed=True)
    sink = self._as_capacities(sinkcaps, "sinkcaps", signed=True)
    try:
      source, sink = np.broadcast_to(source, nodeids.shape), np.broadcast_to(sink, nodeids.shape)
    except ValueError:
      raise InvalidError(f"sourcecaps and sinkcaps have the shapes {source.shape} and {sink.shape}, "
                         f"and nodeids {nodeids.shape}") from None
    nodes = nodeids.ravel()
    if not is_whole:
      source, sink, nodes = _sum_up(nodes, source.ravel().astype(self._dtype), sink.ravel().astype(self._dtype))
    with np.errstate(invalid="ignore"):
      if is_whole and not self._has_tlinks:
        self._tlink = np.subtract(source, sink, dtype=self._dtype).ravel()
      else:
        tlink = self._tlink if is_whole else self._tlink[nodes]
        source, sink = source.ravel() + np.maximum(tlink, 0), sink.ravel() + np.maximum(-tlink, 0)
        self._tlink[slice(None) if is_whole else nodes] = source - sink
    if self._dtype is np.float64:
      self._tlink[np.isnan(self._tlink)] = 0   # infinite both ways
    self._constant += np.minimum(source, sink).sum(dtype=self._dtype).item()
    self._has_tlinks = True
    self._mask = None

  # The cut

  def maxflow(self, reuse_trees=False):
    """The value of the maximum flow. The interpreter's lock is free meanwhile, and Control-C ends it.

    After changes of terminals alone the cut goes on from the last one, with and without reuse_trees.
    """
    if self._n == 0:
      return self._constant
    if self._engine is None:
      engine = GridEngine if self._planes is not None and not self._pieces else GraphEngine
      self._engine = engine(self, self._context)
    flow, self._mask = self._engine.solve(self)
    return flow + self._constant

  def mark_node(self, i):
    """Does nothing: which nodes have changed is known."""

  mark_grid_nodes = mark_node

  def get_segment(self, i):
    """0 for a node on the source's side, 1 for one on the sink's."""
    i = as_whole(i, "i", 0, self._n - 1)
    return 0 if self._mask is None else 1 - int(self._mask[i])

  def get_grid_segments(self, nodeids):
    """True for nodes on the sink's side, in the shape of nodeids."""
    nodeids, is_whole = self._as_nodes(nodeids, "nodeids")
    if not is_whole and nodeids.size and nodeids.min() < 0:
      raise InvalidError("nodeids: -1 is no node, and has no segment")
    if self._mask is None:
      return np.zeros(nodeids.shape, bool)
    if is_whole:
      return self._mask.reshape(nodeids.shape) == 0
    return self._mask[nodeids] == 0

  def get_nx_graph(self):
    """A networkx.DiGraph of what capacities are left: all before maxflow(), those that a maximum flow leaves after.

    Nodes are numbers, "s" and "t"; the source's and the sink's edges are what is left of their difference. For looking
    at small graphs: it is slow.
    """
    from .inspect import make_nx_graph
    return make_nx_graph(self)

  # Arguments

  def _as_nodes(self, nodes, name):
    """The numbers, and whether they are those of all nodes in their order."""
    nodes = as_array(nodes, name)
    if nodes.dtype.kind not in "iu" and (nodes.size or nodes.dtype.kind != "f"):
      raise ElementsError(f"{name}: elements must be integers, not {nodes.dtype}")
    if nodes.dtype == np.uint64 and nodes.max(initial=0) >= self._n:
      raise InvalidError(f"{name}: nodes are 0 to {self._n - 1}")
    nodes = nodes.astype(np.int64, copy=False)
    if nodes.size == self._n and nodes.flags.c_contiguous and is_range(nodes.ravel()):
      return nodes, True
    if nodes.size and (nodes.min() < -1 or nodes.max() >= self._n):
      raise InvalidError(f"{name}: nodes are 0 to {self._n - 1}, and -1 for none")
    return nodes, False

  def _as_capacities(self, values, name, signed=False):
    """Integers of any width, for integers, and else float64; the caller's own arrays, perhaps."""
    values = as_array(values, name)
    if values.dtype.kind not in "biuf":
      raise ElementsError(f"{name}: elements must be numbers, not {values.dtype}")
    if values.dtype.kind == "f":
      if np.isnan(values).any() or self._dtype is np.int64 and not (np.abs(values) < 2.0 ** 63).all():
        raise InvalidError(f"{name}: there are elements that are no "
                           f"{'numbers' if self._dtype is np.float64 else 'integers'}")
    if not signed and values.dtype.kind in "if" and values.size and values.min() < 0:
      raise InvalidError(f"{name}: capacities of edges must not be negative")
    if self._dtype is np.int64 and values.dtype.kind in "iu" and values.dtype != np.uint64:
      return values
    return values.astype(self._dtype, copy=False)

  def _convert(self, values, name):
    return self._as_capacities(values, name).astype(self._dtype)


class GraphInt(_Graph):
  __doc__ = (_Graph.__doc__ or "") + """
  Capacities are integers; floats are truncated. Between nodes they may be up to 2³¹ − 1. The flow is exact.

  >>> graph = GraphInt()
  >>> nodes = graph.add_nodes(2)
  >>> graph.add_edge(nodes[0], nodes[1], 3, 1)
  >>> graph.add_tedge(nodes[0], 9, 2)
  >>> graph.add_tedge(nodes[1], 1, 6)
  >>> graph.maxflow(), graph.get_segment(nodes[0]), graph.get_segment(nodes[1])
  (6, 0, 1)
  """

  _dtype = np.int64


class GraphFloat(_Graph):
  __doc__ = (_Graph.__doc__ or "") + """
  Capacities are floats, and may be infinite. They are rounded down to integers after a multiplication by `scale`, so
  the value of the integers' flow is proven to be one of the floats, too. maxflow() returns the capacity of the cut
  that it has found, and that can be more than the least by at most `quantization_error`.

  tolerance: where the solver for grids, which takes 16 bits, leaves a larger share of the cut's capacity unproven,
  the solver for graphs follows, with 31 bits.

  >>> graph = GraphFloat()
  >>> nodes = graph.add_nodes(2)
  >>> graph.add_edge(nodes[0], nodes[1], 0.1, 0)
  >>> graph.add_tedge(nodes[0], 1.5, 0)
  >>> graph.add_tedge(nodes[1], 0, 2.5)
  >>> graph.maxflow(), graph.quantization_error < 1e-9
  (0.1, True)
  """

  _dtype = np.float64
  tolerance = 1e-4

  def maxflow(self, reuse_trees=False):
    flow = super().maxflow(reuse_trees)
    if isinstance(self._engine, GridEngine) and self._engine.error > self.tolerance * abs(flow):
      self._engine = GraphEngine(self, self._context)
      flow = super().maxflow(reuse_trees)
    return flow

  maxflow.__doc__ = _Graph.maxflow.__doc__

  @property
  def scale(self):
    """What capacities were multiplied by for the last maxflow()."""
    return self._engine.scale if self._engine else None

  @property
  def quantization_error(self):
    """A proven bound on how much more than the least the last cut's capacity is."""
    return self._engine.error if self._engine else None


def _sum_up(nodes, source, sink):
  """Each node once, without -1."""
  is_node = nodes != -1
  nodes, source, sink = nodes[is_node], source[is_node], sink[is_node]
  unique, index = np.unique(nodes, return_inverse=True)
  if unique.size == nodes.size:
    return source, sink, nodes
  sums = np.zeros((2, unique.size), source.dtype)
  np.add.at(sums[0], index, source)
  np.add.at(sums[1], index, sink)
  return sums[0], sums[1], unique
