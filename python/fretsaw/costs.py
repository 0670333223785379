# SPDX-License-Identifier: MIT
"""Costs of labels of any sign, integers or floats, as the integers that the solver takes. Not public."""

import numpy as np

from .arrays import (as_array, as_floats, as_integers, as_neighbours, as_plane, check_pixels, check_shape, count_planes,
                     is_number, pad_plane)
from .errors import ElementsError, InvalidError
from .quantization import ends, pick_scale

LABELS_MAX, DATA_MAX, PAIR_MAX, WEIGHT_MAX = 256, 100000000, 10000000, 65535


class Costs:
  """Data costs less the least of each pixel where that is negative or a float, pair costs likewise, all times `scale`.

  data, table, weights: for the solver. present: a plane, or None. cheapest: the label of each pixel. error: for any labels, how far their energy is from the integers' at most.
  """

  def __init__(self, D, V, weights, neighbours, present):
    D, V = as_array(D, "D"), as_array(V, "V")
    if D.ndim != 3 or not 1 <= D.shape[2] <= LABELS_MAX:
      raise InvalidError(f"D: the shape is {D.shape}; it must be (height, width, labels), with 1 to {LABELS_MAX} labels")
    check_pixels(D, "D")
    self.shape, self.n_labels = D.shape[:2], D.shape[2]
    if V.ndim == 0 and V.dtype.kind in "biuf":
      V = np.where(np.eye(self.n_labels, dtype=bool), V.dtype.type(0), V)
    check_shape(V, (self.n_labels, self.n_labels), "V")
    for name, array in (("D", D), ("V", V)):
      if array.dtype.kind not in "biuf":
        raise ElementsError(f"{name}: elements must be numbers, not {array.dtype}")
    weights, neighbours = _take_weights(weights, neighbours, self.shape)
    self.neighbours = neighbours or 4
    self.present = None if present is None else as_plane(present, np.uint8, "present", self.shape) != 0
    self.is_float = any(array.dtype.kind == "f" for array in (D, V, *weights))
    if self.is_float:
      self._take_floats(as_floats(D, "D"), as_floats(V, "V"), weights)
    else:
      self._take_integers(as_integers(D, np.int64 if D.dtype != np.int32 else np.int32, "D"),
                          as_integers(V, np.int64, "V"), weights)

  def _take_integers(self, D, V, weights):
    self.scale, self.pair_error = 1.0, 0.0
    self.base = self.lost = None
    cheapest, least = _find_least(D)
    self.cheapest = cheapest.astype(np.uint8)
    if least.min() < 0:
      self.base = self._leave_out(np.minimum(least, 0).astype(np.int64))
      D = self._leave_out(_subtract(D, self.base))
    _check_data(D, "D")
    self.data = np.ascontiguousarray(D, np.int32)
    least = min(int(V.min()), 0)
    largest = int(V.max()) - least
    weight = max((int(plane.max()) for plane in weights), default=1)
    if largest * weight > PAIR_MAX:
      raise InvalidError(f"V: costs are up to {largest} apart, times {weight}, the largest of the weights; the product may be "
                         f"{PAIR_MAX}")
    self.table = (V - least).astype(np.int32)
    self.weights = weights
    self.pair_base = least * (self._count_weights(weights) if least else 0)

  def _take_floats(self, D, V, weights):
    cheapest, base = _find_least(D)
    self.cheapest, self.base = cheapest.astype(np.uint8), self._leave_out(base.astype(float))
    least = min(float(V.min()), 0.0)
    V = V.astype(float) - least
    weight = max((float(plane.max()) for plane in weights), default=1.0)
    with np.errstate(over="ignore"):
      span = float(self._leave_out(D - self.base[..., None]).max())
      pair = float(V.max()) * weight
    if not np.isfinite([span, pair]).all():
      raise InvalidError("D, V and weights: the costs are too far apart for floats")
    self.scale = min(pick_scale(span, DATA_MAX), pick_scale(pair, PAIR_MAX // 2)) if span and pair else \
      pick_scale(max(span, pair), PAIR_MAX // 2)
    self.data, self.lost = self._round(self._leave_out(D - self.base[..., None]))
    self.pair_base = least * self._count_weights(weights)
    self._take_pairs(V, weights, weight)

  def _take_pairs(self, V, weights, weight):
    """The factor of weights that loses least; what is left of `scale` is V's."""
    factors = [1.0]
    if any(plane.dtype.kind == "f" for plane in weights) and weight > 0:
      powers = [pick_scale(weight, WEIGHT_MAX) / 2 ** i for i in range(16)]
      factors = [min(powers, key=lambda f: V.max() / f + 2 * weight * np.abs(_lose(V, self.scale / f)).max())]
      unit = float(V.min(where=V > 0, initial=V.max())) * self.scale
      if weight * unit >= 1:  # V becomes whole numbers without any loss where its costs are multiples of the least
        factors.append(unit * min(pick_scale(weight * unit, WEIGHT_MAX), 1.0))
    self.pair_error, factor = min((self._bound_pairs(V, weights, factor), factor) for factor in factors)
    self.table = np.rint(V * (self.scale / factor)).astype(np.int32)
    self.weights = tuple(np.rint(plane * factor).astype(np.uint16) for plane in weights)

  def _bound_pairs(self, V, weights, factor):
    """What rounding by this factor changes of the energy of any labels, at most."""
    loss = np.abs(_lose(V, self.scale / factor))
    lost = sum(float(np.abs(_lose(ends(plane, d)[0], factor)).sum(dtype=float)) for d, plane in enumerate(weights))
    return lost * float(V.max() + loss.max()) + float(loss.max()) * self._count_weights(weights)

  def _leave_out(self, plane):
    """A plane with zeros for pixels that are not there."""
    if self.present is not None:
      plane[~self.present] = 0
    return plane

  def _count_weights(self, weights):
    """The sum over all pairs."""
    total = 0
    for d in range(self.neighbours // 2):
      plane = weights[d] if weights else np.broadcast_to(np.uint8(1), self.shape)
      inside = ends(plane, d)[0]
      if self.present is not None:
        here, there = ends(self.present, d)
        inside = inside[here & there]
      total += inside.sum(dtype=float if plane.dtype.kind == "f" else np.int64).item()
    return total

  def _round(self, costs):
    """Integers, and the largest loss of each pixel."""
    exact = costs * self.scale
    whole = np.rint(exact)
    _check_data(whole, "costs", self.scale)
    return whole.astype(np.int32), -_find_least(-np.abs(whole - exact))[1] / self.scale

  @property
  def error(self):
    return self.pair_error + (float(self.lost.sum()) if self.is_float else 0.0)

  @property
  def data_base(self):
    return 0 if self.base is None else self.base.sum().item()

  def change(self, numbers, costs):
    """The integers for new costs of pixels."""
    costs = as_array(costs, "costs")
    if costs.size != numbers.size * self.n_labels:
      raise InvalidError(f"costs: the shape is {costs.shape}; it must be ({numbers.size}, {self.n_labels})")
    if costs.dtype.kind == "f" and costs.size and not self.is_float:
      raise ElementsError(f"costs: elements must be int32, as those of D, not {costs.dtype}")
    costs = as_floats(costs, "costs") if self.is_float else as_integers(costs, np.int64, "costs")
    costs = costs.reshape(numbers.size, self.n_labels)
    lost = None
    if self.is_float:
      base = costs.min(axis=1).astype(float)
      data, lost = self._round(costs - base[:, None])
    else:
      base = np.minimum(costs.min(axis=1), 0)
      data = _subtract(costs, base)
      _check_data(data, "costs")
    return np.ascontiguousarray(data, np.int32), base, lost

  def note(self, numbers, data, base, lost):
    """Keeps what belongs to new costs."""
    if self.present is not None:
      is_there = self.present.reshape(-1)[numbers]
      base, lost = base * is_there, None if lost is None else lost * is_there
    if self.base is None and base.min(initial=0) < 0:
      self.base = np.zeros(self.shape, np.int64)
    if self.base is not None:
      self.base.reshape(-1)[numbers] = base
    if lost is not None:
      self.lost.reshape(-1)[numbers] = lost
    self.cheapest.reshape(-1)[numbers] = data.argmin(axis=1)


def _find_least(costs):
  """The place and the value of the least along the last axis; NumPy finds places much faster."""
  place = costs.argmin(axis=-1)
  return place, np.take_along_axis(costs, place[..., None], -1)[..., 0]


def _subtract(costs, base):
  """Differences of int64, which may wrap around far beyond the limit alone: halves are looked at first."""
  if costs.size and costs.max() // 2 - base.min() // 2 > DATA_MAX \
      and (costs.max(axis=-1) // 2 - base // 2).max() > DATA_MAX:
    return np.full((1,) * costs.ndim, 2 * DATA_MAX)
  return costs - base[..., None]


def _check_data(costs, name, scale=1):
  if costs.max(initial=0) > DATA_MAX:
    raise InvalidError(f"{name}: those of a pixel may be {DATA_MAX / scale:.10g} apart, or above 0")


def _lose(values, factor):
  """What rounding takes."""
  exact = values * factor
  return (np.rint(exact) - exact) / factor


def _take_weights(weights, neighbours, shape):
  """Planes, and how many neighbours they are for; None: not said."""
  neighbours = None if neighbours is None else as_neighbours(neighbours)
  if weights is None:
    return (), neighbours
  if is_number(weights):
    plane = np.full(shape, _as_weights(np.asarray(weights), "weights"))
    return (plane,) * ((neighbours or 4) // 2), neighbours or 4
  n_planes = count_planes(weights, "weights")
  if neighbours not in (None, 2 * n_planes):
    raise InvalidError(f"neighbours: {neighbours}, but {n_planes} planes of weights are for {2 * n_planes}")
  planes = (_as_weights(pad_plane(plane, f"weights[{d}]", shape, d), f"weights[{d}]") for d, plane in enumerate(weights))
  return tuple(map(np.ascontiguousarray, planes)), 2 * n_planes


def _as_weights(plane, name):
  if plane.dtype.kind != "f":
    return as_plane(plane, np.uint16, name) if plane.ndim else as_integers(plane, np.uint16, name)
  plane = as_floats(plane, name)
  if plane.min() < 0:
    raise InvalidError(f"{name}: weights may not be negative")
  return plane
