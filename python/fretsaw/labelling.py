# SPDX-License-Identifier: MIT
"""Energies of many labels, by expansion moves."""

from typing import NamedTuple

import numpy as np

from . import _fretsaw
from .arrays import as_integers, as_pixels, as_plane, check_shape, count_planes
from .errors import InvalidError

_LABELS_MAX = 256


class Labelling(NamedTuple):
  """The energy of labels, and how the moves went. truncated: terms of a V that is no metric; 0 where it is one."""

  energy: int
  data: int
  smoothness: int
  converged: bool
  cycles: int
  moves: int
  truncated: int


class Expansion:
  """An energy of many labels over a grid: Σ D(p, l_p) + Σ w·V(l_p, l_q), by exact expansion moves.

  D: int32 of shape (height, width, labels), up to 10⁸. V: int32 of shape (labels, labels), w·V up to 10⁷.
  weights: 2 planes of uint16 (east, south) or 4 (also south-east, south-west), as for Grid2D; None: 1, for
  `neighbours`, 4 or 8. max_cycles: over all labels; 0: until nothing changes. coarse_first: first cycles over few of
  many ordered labels. low_memory: slower, the same labels. verify: check every certificate.

  Where V is a metric the end is a local minimum with respect to every expansion.
  """

  def __init__(self, D, V, weights=None, *, neighbours=None, max_cycles=0, coarse_first=False, low_memory=False,
               verify=False, context=None):
    D = np.ascontiguousarray(as_integers(D, np.int32, "D"))
    if D.ndim != 3 or D.size == 0 or D.shape[2] > _LABELS_MAX:
      raise InvalidError(f"D: the shape is {D.shape}; it must be (height, width, labels), with 1 to {_LABELS_MAX} labels")
    self.shape, self.labels = D.shape[:2], D.shape[2]
    V = np.ascontiguousarray(as_integers(V, np.int32, "V"))
    check_shape(V, (self.labels, self.labels), "V")
    planes = ()
    if weights is not None:
      if count_planes(weights, "weights") not in (2, 4):
        raise InvalidError(f"weights: there are {len(weights)} planes; 2 are for 4 neighbours, and 4 for 8")
      planes = tuple(np.ascontiguousarray(as_plane(plane, np.uint16, f"weights[{i}]", self.shape))
                     for i, plane in enumerate(weights))
      if neighbours not in (None, 2 * len(planes)):
        raise InvalidError(f"neighbours: {neighbours}, but {len(planes)} planes of weights are for {2 * len(planes)}")
      neighbours = 2 * len(planes)
    height, width = self.shape
    self._expansion = _fretsaw.Expansion(context, width, height, neighbours or 4, self.labels, D.ravel(), V.ravel(),
                                         planes, max_cycles, coarse_first, low_memory, verify)
    self._cheapest = D.argmin(axis=2).astype(np.uint8)

  def start(self):
    """Labels to begin with, by dual ascent along scanlines, and a lower bound of every labelling's energy.

    Once, before the first run, and with 4 neighbours alone.
    """
    labels = np.empty(self.shape, np.uint8)
    return labels, self._expansion.start(labels.ravel())

  def run(self, labels=None, progress=None):
    """Goes on from labels (None: the cheapest of each pixel) until no move changes them.

    Returns new labels, uint8, and the Labelling. May be called again: flow is kept.
    """
    given = self._cheapest if labels is None else as_integers(labels, np.uint8, "labels")
    check_shape(given, self.shape, "labels")
    if given.max() >= self.labels:
      raise InvalidError(f"labels: {given.max()}; they must be 0 to {self.labels - 1}")
    labels = np.array(given, np.uint8, order="C")
    result = self._expansion.run(labels.ravel(), progress)
    return labels, Labelling(*result)

  def update(self, pixels, costs):
    """Sets the data costs of pixels, a row of all labels each. Pixels: as for Grid2D.update."""
    numbers = as_pixels(pixels, self.shape)
    costs = as_integers(costs, np.int32, "costs")
    if costs.size != numbers.size * self.labels:
      raise InvalidError(f"costs: the shape is {costs.shape}; it must be ({numbers.size}, {self.labels})")
    self._expansion.change_data(numbers.astype(np.uint32), np.ascontiguousarray(costs).ravel())


def expansion(D, V, weights=None, labels=None, *, dual_start=False, progress=None, **options):
  """Labels of small energy: uint8, and the Labelling. See Expansion for D, V, weights and options.

  labels: where to begin, also with dual_start; None: the cheapest label of each pixel, or with dual_start those of a
  dual ascent.

  >>> D = np.array([[[0, 4], [3, 2], [4, 0]]])
  >>> labels, result = expansion(D, V=[[0, 2], [2, 0]])
  >>> labels.tolist(), result.energy
  ([[0, 1, 1]], 4)
  """
  energy = Expansion(D, V, weights, **options)
  if dual_start and labels is None:
    labels, _ = energy.start()
  return energy.run(labels, progress)
