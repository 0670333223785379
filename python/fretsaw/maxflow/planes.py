# SPDX-License-Identifier: MIT
"""Capacities of a grid of 2 dimensions to its 8 neighbours, in planes."""

import numpy as np

from ..quantization import ends

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def direction_of(offset):
  """(direction, is_back) of an offset to one of 8 neighbours; None for others."""
  for back in (False, True):
    forward = tuple(-step for step in offset) if back else offset
    if forward in _DIRECTIONS:
      return _DIRECTIONS.index(forward), back
  return None


class Planes:
  """Sums of capacities, for each direction forth and back: a number while all are alike, else a plane, 0 where links
  leave the grid, which is never changed in place, so that planes can be shared. Integers of 16 bits are kept so."""

  def __init__(self, shape, dtype):
    self.shape, self.dtype = shape, dtype
    self.forth = [dtype(0)] * 4
    self.back = [dtype(0)] * 4

  def copy(self):
    other = Planes(self.shape, self.dtype)
    other.forth, other.back = list(self.forth), list(self.back)
    return other

  def add(self, offset, weights, factor, symmetric):
    """Adds edges of a weight a pixel times a factor. Returns how many."""
    d, is_back = direction_of(offset)
    if factor != 1:
      weights = weights.astype(self.dtype) * factor
    if weights.size == 1:
      values = self.dtype(weights.reshape(())[()])
    else:
      weights = np.broadcast_to(weights, self.shape)
      values = np.zeros(self.shape, self._pick_type(weights))
      np.copyto(ends(values, d)[0], ends(weights, d)[1 if is_back else 0], casting="unsafe")
    shares = self.forth[d] is self.back[d] and symmetric
    if not is_back or symmetric:
      self.forth[d] = self._sum(self.forth[d], values)
    if is_back or symmetric:
      self.back[d] = self.forth[d] if shares else self._sum(self.back[d], values)
    return ends(np.broadcast_to(np.uint8(0), self.shape), d)[0].size

  def _pick_type(self, values):
    if self.dtype is np.float64:
      return np.float64
    return np.uint16 if values.dtype in (np.uint8, np.uint16, bool) or values.max(initial=0) <= 65535 else np.int64

  def _sum(self, plane, values):
    if np.ndim(plane) == 0 and plane == 0:
      return values
    if np.ndim(plane) == 0 or np.ndim(values) == 0:
      plane, values = (np.asarray(v, self.dtype) for v in (plane, values))
    return np.add(plane, values, dtype=self.dtype)

  def directions(self):
    """The directions in use, 2 or 4 of them."""
    has_diagonals = any(np.ndim(p) or p for p in self.forth[2:] + self.back[2:])
    return range(4 if has_diagonals else 2)

  def pairs(self, d):
    """The capacities forth and back of all pairs in a direction, as arrays of one shape."""
    return tuple(ends(np.broadcast_to(plane[d], self.shape), d)[0] for plane in (self.forth, self.back))

  def list_edges(self):
    """All edges, as pieces of lists."""
    pieces = []
    nodes = np.arange(self.shape[0] * self.shape[1], dtype=np.uint32).reshape(self.shape)
    for d in self.directions():
      start, end = ends(nodes, d)
      forth, back = (part.astype(self.dtype).ravel() for part in self.pairs(d))
      pieces.append((start.ravel(), end.ravel(), forth, back))
    return pieces

  def energy(self, mask):
    """What the links cost that a mask cuts."""
    energy = 0
    for d in self.directions():
      here, there = ends(mask, d)
      cut = here & ~there, ~here & there
      for plane, is_cut in zip((self.forth[d], self.back[d]), cut):
        if np.ndim(plane):
          energy += ends(plane, d)[0][is_cut].sum(dtype=self.dtype)
        elif plane:
          energy += plane * np.count_nonzero(is_cut)
    return energy
