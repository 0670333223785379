# SPDX-License-Identifier: MIT
"""The solvers behind a graph: capacities in integers of their ranges, kept up to date with its terminals."""

import numpy as np

from ..errors import InvalidError
from ..graph import EDGE
from ..graph import Graph as AnyGraph
from ..grid import Grid2D
from ..quantization import LINK_MAX, PAIR_MAX, TLINK_MAX, ends, pick_scale

_EDGE_MAX, _NODE_TLINK_MAX = (1 << 31) - 1, 1 << 37


class GridEngine:
  """The solver for grids: capacities in 16 bits."""

  def __new__(cls, network, context):
    scale = _pick_grid_scale(network._planes, network._dtype)
    return GraphEngine(network, context) if scale is None else object.__new__(cls)

  def __init__(self, network, context):
    planes = network._planes
    self.error, self.scale = 0.0, _pick_grid_scale(planes, network._dtype)
    forth = [self._as_links(planes, planes.forth[d], d) for d in planes.directions()]
    back = None
    if any(planes.forth[d] is not planes.back[d] for d in planes.directions()):
      back = [link if planes.forth[d] is planes.back[d] else self._as_links(planes, planes.back[d], d)
              for d, link in enumerate(forth)]
    self._grid = Grid2D(self._as_tlinks(network), forth, back, borrow=True, context=context)
    self._is_new = True

  def _as_links(self, planes, plane, d):
    """A plane of links without those that leave the grid."""
    if np.ndim(plane) and plane.dtype == np.uint16:
      return plane
    links = np.zeros(planes.shape, np.uint16)
    values = ends(plane, d)[0] if np.ndim(plane) else plane
    np.copyto(ends(links, d)[0], values if planes.dtype is np.int64 else values * self.scale, casting="unsafe")
    return links

  def _as_tlinks(self, network):
    """A t-link beyond all links of its pixel together binds, and costs nothing where it binds."""
    tlink = network._tlink
    if network._dtype is np.float64:
      tlink = tlink * self.scale
    if tlink.min() < -TLINK_MAX or tlink.max() > TLINK_MAX:
      tlink = np.clip(tlink, -TLINK_MAX, TLINK_MAX)
    return tlink.astype(np.int32).reshape(network._planes.shape)

  def solve(self, network):
    if not self._is_new:
      self._grid.update(self._as_tlinks(network))
    self._is_new = False
    flow = self._grid.maxflow()
    mask = self._grid.mask()
    if network._dtype is np.int64:
      return flow, mask.ravel().view(np.uint8)
    energy = float(network._planes.energy(mask) + _cost_of_terminals(network._tlink, mask.ravel()))
    self.error = max(energy - flow / self.scale, 0.0)
    return energy, mask.ravel().view(np.uint8)


def _pick_grid_scale(planes, dtype):
  """A factor with which all links fit; None where there is none."""
  largest = largest_pair = 0
  for d in planes.directions():
    forth, back = planes.forth[d], planes.back[d]
    if forth is back or np.ndim(forth) == np.ndim(back) == 0:
      # A number counts even where a grid of one row has no such pair.
      most = max(np.max(forth), np.max(back)).astype(planes.dtype)
      pair = np.max(forth).astype(planes.dtype) + np.max(back).astype(planes.dtype)
    else:
      forth, back = planes.pairs(d)
      most, pair = max(forth.max(initial=0), back.max(initial=0)), np.add(forth, back, dtype=planes.dtype).max(initial=0)
    largest, largest_pair = max(largest, most), max(largest_pair, pair)
  if dtype is np.float64:
    return pick_scale(float(largest_pair), PAIR_MAX - 1) if np.isfinite(largest_pair) else None
  is_alike = all(planes.forth[d] is planes.back[d] for d in planes.directions())
  return 1.0 if (largest <= LINK_MAX if is_alike else largest_pair <= PAIR_MAX) else None


class GraphEngine:
  """The solver for any graph: capacities in 31 bits."""

  def __init__(self, network, context):
    pieces = network._pieces + (network._planes.list_edges() if network._planes is not None else [])
    self._pieces = pieces
    self.error, self.scale = 0.0, 1.0
    if network._dtype is np.float64:
      self.scale = _pick_graph_scale(network._tlink, pieces)
    self._graph = AnyGraph(network._n, context=context)
    self._incident = None
    for i, j, capacity, back in pieces:
      edges = np.empty(i.size, EDGE)
      edges["from"], edges["to"] = i, j
      edges["capacity"], edges["back"] = self._as_capacities(capacity), self._as_capacities(back)
      self._graph._graph.add_edges(edges)
    self._tlink = np.zeros(network._n, np.int64)

  def _as_capacities(self, values):
    if values.dtype == np.float64:
      with np.errstate(invalid="ignore"):
        return np.clip(values * self.scale, 0, _EDGE_MAX)
    if values.size and values.max() > _EDGE_MAX:
      raise InvalidError(f"an edge's capacities sum up to {values.max()}; at most {_EDGE_MAX} are possible")
    return values

  def _as_tlinks(self, tlink):
    """A t-link beyond all edges of its node together binds, and costs nothing where it binds."""
    if tlink.dtype == np.float64:
      tlink = tlink * self.scale
    if tlink.min() >= -_NODE_TLINK_MAX and tlink.max() <= _NODE_TLINK_MAX:
      return tlink.astype(np.int64)
    if self._incident is None:
      self._incident = np.ones(tlink.size)
      for i, j, capacity, back in self._pieces:
        both = np.asarray(self._as_capacities(capacity), float) + self._as_capacities(back)
        self._incident += np.bincount(i, both, tlink.size) + np.bincount(j, both, tlink.size)
      if self._incident.max() > _NODE_TLINK_MAX:
        raise InvalidError(f"the edges of a node sum up to more than {_NODE_TLINK_MAX}")
    return np.clip(tlink, -self._incident, self._incident).astype(np.int64)

  def solve(self, network):
    tlink = self._as_tlinks(network._tlink)
    changed = np.flatnonzero(tlink != self._tlink)
    if changed.size:
      self._graph.update(changed, tlink[changed])
      self._tlink = tlink
    flow = self._graph.maxflow()
    mask = self._graph.mask()
    if network._dtype is np.int64:
      return flow, mask.view(np.uint8)
    energy = _cost_of_terminals(network._tlink, mask)
    for i, j, capacity, back in self._pieces:
      here, there = mask[i], mask[j]
      energy += capacity[here & ~there].sum() + back[~here & there].sum()
    energy = float(energy)
    self.error = max(energy - flow / self.scale, 0.0) if np.isfinite(energy) else 0.0
    return energy, mask.view(np.uint8)


def _cost_of_terminals(tlink, mask):
  return np.maximum(tlink, 0)[~mask].sum() + np.maximum(-tlink, 0)[mask].sum()


def _pick_graph_scale(tlink, pieces):
  """A factor with which all finite capacities fit and, where some are infinite, a cut of finite ones stays below the
  capacity that stands for these."""
  largest, total, has_infinite = 0.0, 0.0, False
  for _, _, capacity, back in pieces:
    for values in (capacity, back):
      finite = np.isfinite(values)
      largest = max(largest, values.max(initial=0, where=finite))
      total += values.sum(where=finite)
      has_infinite |= not finite.all()
  if not has_infinite:
    return pick_scale(float(largest), _EDGE_MAX)
  terminals = np.abs(tlink)
  total += terminals.sum(where=np.isfinite(terminals))
  return pick_scale(float(total), _EDGE_MAX - 1)
