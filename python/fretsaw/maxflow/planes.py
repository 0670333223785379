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
  """Sums of capacities, for each direction forth and back: a number while all are alike, else a plane, which is never
  changed in place, so that planes can be shared."""

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
    weights = weights if factor == 1 else weights * factor
    if weights.ndim == 0 or weights.size == 1:
      values = weights.reshape(())[()]
    else:
      values = np.broadcast_to(weights, self.shape)
      if is_back:
        plane = np.zeros(self.shape, self.dtype)
        ends(plane, d)[0][...] = ends(values, d)[1]
        values = plane
    shares = self.forth[d] is self.back[d] and symmetric
    if not is_back or symmetric:
      self.forth[d] = _sum(self.forth[d], values)
    if is_back or symmetric:
      self.back[d] = self.forth[d] if shares else _sum(self.back[d], values)
    return ends(np.broadcast_to(np.uint8(0), self.shape), d)[0].size

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
      forth, back = self.pairs(d)
      pieces.append((start.ravel(), end.ravel(), forth.ravel(), back.ravel()))
    return pieces

  def energy(self, mask):
    """What the links cost that a mask cuts."""
    energy = 0
    for d in self.directions():
      here, there = ends(mask, d)
      cut = here & ~there, ~here & there
      for plane, is_cut in zip((self.forth[d], self.back[d]), cut):
        if np.ndim(plane):
          energy += ends(plane, d)[0][is_cut].sum()
        elif plane:
          energy += plane * np.count_nonzero(is_cut)
    return energy


def _sum(plane, values):
  return values if np.ndim(plane) == 0 and plane == 0 else plane + values
