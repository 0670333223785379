# SPDX-License-Identifier: MIT
"""Energies of many labels, by expansion moves."""

from typing import NamedTuple, Union

import numpy as np

from . import _fretsaw
from .arrays import (as_array, as_context, as_flag, as_integers, as_neighbours, as_pixels, as_shape, as_whole, check_shape,
                     take_out)
from .costs import LABELS_MAX, Costs
from .errors import InvalidError
from .unique import Unique

_CYCLES_MAX, _SHUFFLE_MAX = (1 << 31) - 1, (1 << 32) - 1


class Labelling(NamedTuple):
  """The energy of labels, and how the moves went.

  Energies are ints, or of floats within Expansion.error of their own. truncated: terms were, since V is no metric, so
  that the end may be no local minimum.
  """

  energy: Union[int, float]
  data: Union[int, float]
  smoothness: Union[int, float]
  converged: bool
  cycles: int
  moves: int
  truncated: bool


class Expansion(Unique):
  """An energy of many labels over a grid: Σ D(p, l_p) + Σ w·V(l_p, l_q), by exact expansion moves.

  D: shape (height, width, labels), at most 256 labels. V: shape (labels, labels), of the pixel that comes first, and of
  its neighbour in the east, south, south-east or south-west; or one number, for labels that differ. weights: one number, or 2 or 4 planes, as Grid2D's links;
  None: 1, for `neighbours`, 4 or 8.

  Integers, negative ones too, are exact; costs of a pixel may be 10⁸ apart, and w·V 10⁷. Where some are floats all are
  rounded to multiples of 1 / `scale`, a power of two, and `error` bounds what that changes of the energy of any labels.

  max_cycles: over all labels; 0: until nothing changes. coarse_first: first cycles over few of many ordered labels.
  low_memory: slower, the same labels. verify: check every certificate. order: labels in the order in which they are
  tried; shuffle: a number from which each cycle draws an order. present: a mask; where it is False a pixel and its
  pairs cost nothing, and its label never changes. context: a fretsaw.Context.

  Where V is a metric the end is a local minimum with respect to every expansion.
  """

  def __init__(self, D, V, weights=None, *, neighbours=None, max_cycles=0, coarse_first=False, low_memory=False,
               verify=False, order=None, shuffle=0, present=None, context=None):
    context, max_cycles = as_context(context), as_whole(max_cycles, "max_cycles", 0, _CYCLES_MAX)
    flags = (as_flag(coarse_first, "coarse_first"), as_flag(low_memory, "low_memory"), as_flag(verify, "verify"))
    shuffle = as_whole(shuffle, "shuffle", 0, _SHUFFLE_MAX)
    costs = Costs(D, V, weights, neighbours, present)
    self._costs, data, costs.data = costs, costs.data, None
    self.shape, self.label_count, self.neighbours, self.scale = costs.shape, costs.n_labels, costs.neighbours, costs.scale
    if order is not None:
      order = as_integers(order, np.uint8, "order", 0, self.label_count - 1).ravel()
      if np.unique(order).size != self.label_count or order.size != self.label_count:
        raise InvalidError(f"order: all {self.label_count} labels are needed, each once")
    height, width = self.shape
    self._expansion = _fretsaw.Expansion(context, width, height, self.neighbours, self.label_count, data.ravel(),
                                         costs.table.ravel(), costs.weights, max_cycles, *flags, order, shuffle,
                                         None if costs.present is None else costs.present.ravel())
    costs.weights = None

  @property
  def error(self):
    """How far energies are from those of the floats at most; 0.0 for integers."""
    return self._costs.error

  def start(self):
    """Labels to begin with, by dual ascent along scanlines, and a lower bound of every labelling's energy.

    Once, before the first run, and with 4 neighbours alone.
    """
    if self.neighbours != 4:
      raise InvalidError("a dual start is for 4 neighbours alone")
    labels = np.empty(self.shape, np.uint8)
    try:
      bound = self._expansion.start(labels.ravel())
    except InvalidError as error:
      raise InvalidError(str(error).replace("labels cannot start from chains", "V is of no kind for a dual start")) from None
    bases = self._costs.data_base + self._costs.pair_base
    return labels, bound / self.scale + bases - self.error if self._costs.is_float else bound + bases

  def run(self, labels=None, out=None, progress=None):
    """Goes on from labels (None: the cheapest of each pixel) until no move changes them.

    Returns the labels, uint8, in `out` or a new array, and the Labelling. May be called again: flow is kept. The lock,
    Control-C and progress: as for Grid2D.maxflow; `out` then has the labels of the last whole move.
    """
    out = take_out(out, self.shape, (np.uint8,))
    if not out.flags.c_contiguous:
      raise InvalidError("out: it must be C-contiguous")
    given = self._costs.cheapest if labels is None else self._as_labels(labels)
    out[...] = given
    _, data, smoothness, *rest = self._expansion.run(out.reshape(-1), progress)
    data, smoothness = self._as_given(data, smoothness)
    return out, Labelling(data + smoothness, data, smoothness, *rest)

  def energy(self, labels):
    """The energy of any labels with the present costs."""
    return sum(self._as_given(*self._expansion.get_energy(np.ascontiguousarray(self._as_labels(labels)).ravel())))

  def _as_labels(self, labels):
    check_shape(as_array(labels, "labels"), self.shape, "labels")
    return as_integers(labels, np.uint8, "labels", 0, self.label_count - 1)

  def _as_given(self, data, smoothness):
    """Sums of the solver's costs as those of the costs that were given."""
    costs = self._costs
    if costs.is_float:
      data, smoothness = data / self.scale, smoothness / self.scale
    return data + costs.data_base, smoothness + costs.pair_base

  def update(self, pixels, costs):
    """Sets the data costs of pixels, a row of all labels each. Pixels: as for Grid2D.update."""
    numbers = as_pixels(pixels, self.shape)
    data, *rest = self._costs.change(numbers, costs)
    self._expansion.change_data(numbers.astype(np.uint32), data.ravel())
    self._costs.note(numbers, data, *rest)

  @staticmethod
  def forecast_bytes(shape, labels, neighbours=4, *, weights=False, low_memory=False):
    """Bytes that so many labels take on the CPU, about; 0 for shapes that none can have. weights: whether there are
    some."""
    height, width = as_shape(shape)
    return _fretsaw.Expansion.forecast(width, height, as_neighbours(neighbours), as_whole(labels, "labels", 1, LABELS_MAX),
                                       as_flag(weights, "weights"), as_flag(low_memory, "low_memory"))


def expansion(D, V, weights=None, labels=None, *, dual_start=False, progress=None, **options):
  """Labels of small energy: uint8, and the Labelling. See Expansion for D, V, weights and options.

  labels: where to begin, also with dual_start; None: the cheapest label of each pixel, or with dual_start those of a
  dual ascent.

  >>> D = np.array([[[0, 4], [3, 2], [4, 0]]])
  >>> labels, result = expansion(D, V=[[0, 2], [2, 0]])
  >>> labels.tolist(), result.energy
  ([[0, 1, 1]], 4)
  """
  dual_start = as_flag(dual_start, "dual_start")
  energy = Expansion(D, V, weights, **options)
  if dual_start and labels is None:
    labels, _ = energy.start()
  return energy.run(labels, progress=progress)
