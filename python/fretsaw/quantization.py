# SPDX-License-Identifier: MIT
"""Integers for capacities that are floats, with a bound on what that costs."""

import math
import sys

import numpy as np

from .arrays import as_array, as_floats, as_integers, as_number, check_pixels, check_shape, count_planes, pad_plane
from .errors import InvalidError

LINK_MAX, PAIR_MAX, TLINK_MAX = 32767, 65535, 1 << 28
_SCALE_MIN, _FLOAT_MAX = 2.0 ** -1000, sys.float_info.max
_OFFSETS = ((0, 1), (1, 0), (1, 1), (1, -1))


def pick_scale(largest, limit):
  """The largest power of two by which `largest` stays within `limit`; 1 for 0."""
  if largest == 0:
    return 1.0
  exponent = math.frexp(limit)[1] - math.frexp(largest)[1]
  exponent = min(max(exponent, -1000), 1000)
  if math.ldexp(largest, exponent) > limit:
    exponent -= 1
  return math.ldexp(1.0, exponent)


def ends(plane, d):
  """The parts of a plane that are the beginnings and the ends of links in direction d."""
  dy, dx = _OFFSETS[d]
  height, width = plane.shape
  rows, columns = slice(0, height - dy), slice(max(-dx, 0), width - max(dx, 0))
  return plane[rows, columns], plane[dy:, slice(max(dx, 0), width + min(dx, 0))]


class Quantized:
  """Integers for Grid2D: `tlink`, `links`, `links_back`, all rounded towards 0 after a multiplication by `scale`.

  So a flow of the integers, divided by `scale`, is one of the floats, and its value bounds every cut's from below.
  `error` bounds, for any mask, its energy with the floats less that with the integers divided by `scale`.
  """

  def __init__(self, tlink, links, links_back, scale):
    self.scale = scale
    self.tlink, lost = _round(tlink, scale, TLINK_MAX, np.int32)
    self._lost_tlink, self._lost, self._lost_back = lost, [], []
    rounded = []
    for kept, planes in ((self._lost, links), (self._lost_back, links_back or ())):
      for plane in planes:
        whole, lost = _round(plane, scale, PAIR_MAX, np.uint16)
        rounded.append(whole)
        kept.append(lost)
    self.links = tuple(rounded[:len(links)])
    self.links_back = tuple(rounded[len(links):]) if links_back is not None else None
    backs = self._lost_back if links_back is not None else self._lost
    self.error = float(np.abs(self._lost_tlink).sum(dtype=float)
                       + sum(ends(plane, d)[0].sum(dtype=float) for d, plane in enumerate(self._lost))
                       + sum(ends(plane, d)[0].sum(dtype=float) for d, plane in enumerate(backs)))

  def gap(self, mask):
    """What rounding took from the energy of this mask.

    The mask of an exact minimum cut of the integers has, with the floats, at most this much more energy than the
    least there is. It sums along the cut alone, and is far below `error`.
    """
    mask = as_array(mask, "mask")
    check_shape(mask, self.tlink.shape, "mask")
    mask = as_integers(mask, np.uint8, "mask") != 0
    lost = np.where(mask, np.maximum(-self._lost_tlink, 0), np.maximum(self._lost_tlink, 0)).sum(dtype=float)
    backs = self._lost_back if self.links_back is not None else self._lost
    for d, (forth, back) in enumerate(zip(self._lost, backs)):
      here, there = ends(mask, d)
      lost += ends(forth, d)[0][here & ~there].sum(dtype=float) + ends(back, d)[0][~here & there].sum(dtype=float)
    return float(lost)


def quantize(tlink, links, links_back=None, scale=None):
  """Makes integers for Grid2D of floats, and says what that costs. Returns a Quantized.

  tlink: shape (height, width); infinite ones bind. links, links_back: 2 or 4 planes of finite capacities, not
  negative, as for Grid2D. scale: what floats are multiplied by; None: the largest power of two that fits, by which
  floats with few binary digits stay exact.

  >>> tlink = np.array([[0.3, -0.2], [0.25, -0.5]])
  >>> east = south = np.full((2, 2), 0.125)
  >>> q = quantize(tlink, (east, south))
  >>> from fretsaw import Grid2D
  >>> grid = Grid2D(q.tlink, q.links)
  >>> grid.maxflow() / q.scale, q.gap(grid.mask())
  (0.25, 0.0)
  """
  tlink = as_array(tlink, "tlink")
  if tlink.ndim != 2:
    raise InvalidError(f"tlink: 2 dimensions are needed, and the shape is {tlink.shape}")
  check_pixels(tlink, "tlink")
  tlink = as_floats(tlink, "tlink", infinite=True)
  forth = _as_planes(links, "links", tlink.shape)
  back = None if links_back is None else _as_planes(links_back, "links_back", tlink.shape)
  if back is not None and len(back) != len(forth):
    raise InvalidError(f"links_back: there are {len(back)} planes, and {len(forth)} of links")
  if back is None:
    largest, limit = max((plane.max(initial=0) for plane in forth), default=0), LINK_MAX
  else:
    largest, limit = min(2 * max(float((a / 2 + b / 2).max(initial=0)) for a, b in zip(forth, back)), _FLOAT_MAX), PAIR_MAX
  if scale is None:
    scale = pick_scale(float(largest), limit)
  else:
    scale = as_number(scale, "scale", _SCALE_MIN, 1 / _SCALE_MIN)
    if float(largest) * scale >= limit + 1:
      raise InvalidError(f"scale: with {scale:g} the largest of links becomes {float(largest) * scale:g}, above {limit}")
  return Quantized(tlink, forth, back, scale)


def _as_planes(planes, name, shape):
  count_planes(planes, name)
  planes = [as_floats(pad_plane(plane, f"{name}[{d}]", shape, d), f"{name}[{d}]") for d, plane in enumerate(planes)]
  for d, plane in enumerate(planes):
    if plane.min(initial=0) < 0:
      raise InvalidError(f"{name}[{d}]: capacities may not be negative")
  return planes


def _round(array, scale, limit, dtype):
  """Rounded towards 0, and what was lost, as the array's own numbers. Infinite ones and those beyond the limit, where
  a t-link binds all the same, lose nothing."""
  scaled = np.clip(array * scale, -limit, limit)
  whole = scaled.astype(dtype)
  return whole, (scaled - whole) / scale
