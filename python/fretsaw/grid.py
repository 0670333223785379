# SPDX-License-Identifier: MIT
"""Minimum cuts of pixel grids with capacities of your own."""

from typing import NamedTuple

import numpy as np

from . import _fretsaw
from .arrays import (as_context, as_choice, as_flag, as_integers, as_neighbours, as_pixels, as_plane, as_shape, count_planes,
                     find_first, is_number, pad_plane, spread, take_out)
from .errors import InvalidError
from .quantization import LINK_MAX, PAIR_MAX, TLINK_MAX, ends
from .unique import Unique

_TLINK_CHANGE = np.dtype([("pixel", "=u4"), ("tlink", "=i4")])
_DIRECTIONS = ("east", "south", "south-east", "south-west")
_LINK_CHANGE = np.dtype([("pixel", "=u4"), ("direction", "=i4"), ("forth", "=u2"), ("back", "=u2")])


class Solution(NamedTuple):
  """The energy of a result, the value of the flow, which no result can undercut, and whether they are equal."""

  energy: int
  bound: int
  exact: bool


class Certificate(NamedTuple):
  """The check of a cut by plain loops that share nothing with the solver. It is true where all holds."""

  feasible: bool
  conserved: bool
  canonical: bool
  holds: bool
  energy: int
  bound: int

  def __bool__(self):
    return self.holds


class Grid2D(Unique):
  """A grid of pixels whose minimum cut is kept up to date.

  Its energy is Σ D(x) + Σ w·[x_p = 1, x_q = 0] over masks x, 1 for object and 0 for background. A t-link is the
  source's capacity less the sink's: t costs t where the pixel is background, −t costs t where it is object. Of
  several minima the mask is the one with the smallest background.

  tlink: int32, shape (height, width), at most 2²⁸ in size. It is copied once, into the solver.
  links: one number for all pairs, or 2 planes (4 neighbours) or 4 planes (8 neighbours) of uint16, as a sequence or
    as an array of shape (2 or 4, height, width): the capacities from each pixel to its neighbour in the east, south,
    south-east and south-west. Those that leave the grid are ignored, or left out: the plane for the east may have
    the shape (height, width − 1), that for the south (height − 1, width), those of diagonals (height − 1, width − 1).
  links_back: the same for the way back; None: as links. A pair may have 65535 together.
  neighbours: 4 or 8; None: as many as the links are for, 4 for one number.
  borrow: the planes of links are used where they are, without any copy. They must then be C-contiguous uint16, 0
    where they leave the grid, and stay unchanged; the grid holds references to them.
  changes_links: update_links will be called; not with borrow.
  context: a fretsaw.Context, for another device or fewer threads.

  Planes of the named types whose rows have no gaps within go to the library as they are. Other integers are copied
  and checked; floats are refused: see fretsaw.quantize.

  >>> tlink = np.array([[5, 0, -3]], np.int32)
  >>> grid = Grid2D(tlink, links=4)
  >>> grid.maxflow(), grid.mask().tolist()
  (3, [[True, True, True]])
  >>> grid.update(pixels=[1, 2], values=[-2, -9])
  >>> grid.maxflow(), grid.mask().tolist()
  (4, [[True, False, False]])
  >>> bool(grid.certify())
  True
  """

  def __init__(self, tlink, links, links_back=None, *, neighbours=None, borrow=False, changes_links=False,
               context=None):
    context, borrow = as_context(context), as_flag(borrow, "borrow")
    self._changes_links = as_flag(changes_links, "changes_links")
    if borrow and self._changes_links:
      raise InvalidError("changes_links: borrowed links do not change")
    neighbours = None if neighbours is None else as_neighbours(neighbours)
    tlink = as_plane(tlink, np.int32, "tlink")
    self.shape = tlink.shape
    forth = _take_links(links, "links", self.shape, neighbours)
    back = () if links_back is None else _take_links(links_back, "links_back", self.shape, 2 * len(forth))
    self.neighbours = 2 * len(forth)
    if neighbours not in (None, self.neighbours):
      raise InvalidError(f"neighbours: {neighbours}, but {len(forth)} planes of links are for {self.neighbours}")
    if borrow:
      _check_borrowed(links, "links", forth)
      if links_back is not None:
        _check_borrowed(links_back, "links_back", back)
    tlink, forth, back = _same_rows(tlink, forth, back)
    self._solution = None
    try:
      self._grid = _fretsaw.Grid(context, self.neighbours, tlink, forth, back, borrow, self._changes_links)
    except InvalidError:
      _find_fault(tlink, forth, back, borrow)
      raise

  def maxflow(self, progress=None):
    """Finds the minimum cut, from the last flow on, and returns its value.

    The interpreter's lock is free meanwhile, and Control-C ends the call with KeyboardInterrupt; the next one goes
    on from there. progress is called every 20 ms or so with a fraction, 0 to 1; an exception in it ends the call.
    """
    self._solution = None
    self._solution = Solution(*self._grid.solve(progress))
    return self._solution.energy

  @property
  def solution(self):
    """The Solution of the last maxflow(); None before, and where that one has failed."""
    return self._solution

  def mask(self, out=None):
    """The mask of the last maxflow(): True for object. `out`, bool or uint8, is written instead of a new array."""
    out = take_out(out, self.shape, (bool, np.uint8))
    self._grid.read_mask(out.view(np.uint8))
    return out

  def energy(self, mask=None):
    """The energy of any mask with the present capacities; None: that of the last mask."""
    mask = self.mask() if mask is None else mask
    return self._grid.get_energy(as_plane(mask, np.uint8, "mask", self.shape))

  def update(self, tlink=None, *, pixels=None, values=None):
    """Changes all t-links, or those of some pixels. The next maxflow() costs what has changed.

    pixels: numbers y·width + x, a tuple (y, x) of arrays, or a mask. values: a t-link for each, or one for all.
    """
    if (tlink is None) == (pixels is None) or (pixels is None) != (values is None):
      raise InvalidError("update: either tlink, or both pixels and values")
    if tlink is not None:
      tlink = as_plane(tlink, np.int32, "tlink", self.shape)
      try:
        self._grid.set_tlinks(tlink)
      except InvalidError:
        _find_fault(tlink, (), (), False)
        raise
      return
    numbers = as_pixels(pixels, self.shape)
    changes = np.empty(numbers.size, _TLINK_CHANGE)
    changes["pixel"] = numbers
    changes["tlink"] = spread(values, numbers.size, np.int32, "values", -TLINK_MAX, TLINK_MAX)
    self._grid.change_tlinks(changes)

  def update_links(self, pixels, direction, forth, back=None):
    """Changes links, of a grid made with changes_links=True, from pixels to their neighbours in a direction.

    pixels: as in update. direction: "east", "south", "south-east" or "south-west". forth, back: the new capacities, a
    number for each pixel, or one for all; back=None: as forth.
    """
    d = as_choice(direction, "direction", _DIRECTIONS[:self.neighbours // 2])
    if not self._changes_links:
      raise InvalidError("the grid was made without changes_links=True")
    numbers = as_pixels(pixels, self.shape)
    if not _has_neighbour(self.shape, d).ravel()[numbers].all():
      raise InvalidError(f"pixels: one of them has no neighbour in the {direction}")
    changes = np.empty(numbers.size, _LINK_CHANGE)
    changes["pixel"], changes["direction"] = numbers, d
    changes["forth"] = spread(forth, numbers.size, np.uint16, "forth")
    changes["back"] = changes["forth"] if back is None else spread(back, numbers.size, np.uint16, "back")
    pair = changes["forth"].astype(int) + changes["back"]
    if pair.max(initial=0) > PAIR_MAX:
      raise InvalidError(f"forth and back: they sum up to {pair.max()}; at most {PAIR_MAX} are possible")
    self._grid.change_nlinks(changes)

  def certify(self):
    """Checks the last cut, and returns the Certificate."""
    return Certificate(*self._grid.certify())

  @staticmethod
  def forecast_bytes(shape, neighbours=4, *, links_back=False, borrow=False, changes_links=False):
    """Bytes that a grid and its solves take on the CPU, at most; 0 for shapes that none can have.

    links_back: whether there are some. The others: as for Grid2D.
    """
    height, width = as_shape(shape)
    return _fretsaw.Grid.forecast(width, height, as_neighbours(neighbours), as_flag(links_back, "links_back"),
                                  as_flag(borrow, "borrow"), as_flag(changes_links, "changes_links"))


def _has_neighbour(shape, d):
  """A plane: which pixels have a neighbour in direction d."""
  has = np.zeros(shape, bool)
  ends(has, d)[0][...] = True
  return has


def _take_links(links, name, shape, neighbours):
  """A tuple of planes."""
  if is_number(links):
    return (np.full(shape, as_integers(links, np.uint16, name)),) * ((neighbours or 4) // 2)
  n_planes = count_planes(links, name)
  if name == "links_back" and neighbours != 2 * n_planes:
    raise InvalidError(f"{name}: there are {n_planes} planes, and {neighbours // 2} of links")
  return tuple(as_plane(pad_plane(plane, f"{name}[{d}]", shape, d), np.uint16, f"{name}[{d}]")
               for d, plane in enumerate(links))


def _find_fault(tlink, forth, back, borrow):
  """Raises the error for the first capacity that is out of range."""
  place = find_first((tlink > TLINK_MAX) | (tlink < -TLINK_MAX))
  if place:
    raise InvalidError(f"tlink: {tlink[place]} at {place}; it must be {-TLINK_MAX} to {TLINK_MAX}")
  for name, planes in (("links", forth), ("links_back", back)):
    for d, plane in enumerate(planes):
      place = find_first((plane != 0) & ~_has_neighbour(tlink.shape, d)) if borrow else None
      if place:
        raise InvalidError(f"{name}[{d}]: {plane[place]} at {place} leaves the grid; borrowed links must be 0 there")
  for d, plane in enumerate(forth):
    is_inside = _has_neighbour(tlink.shape, d)
    pair = plane.astype(np.int64) + (back[d] if back else plane)
    place = find_first((pair > (PAIR_MAX if back else 2 * LINK_MAX)) & is_inside)
    if place and back:
      raise InvalidError(f"links and links_back: {plane[place]} and {back[d][place]} at {place} to the "
                         f"{_DIRECTIONS[d]}; a pair may have {PAIR_MAX} together")
    if place:
      raise InvalidError(f"links: {plane[place]} at {place} to the {_DIRECTIONS[d]}; without links_back it may be "
                         f"{LINK_MAX}")


def _check_borrowed(given, name, planes):
  """Refuses planes that are copies, or have padding."""
  if is_number(given):
    return
  for i, plane in enumerate(planes):
    if not isinstance(given[i], np.ndarray) or not np.shares_memory(plane, given[i]) or not plane.flags.c_contiguous:
      raise InvalidError(f"{name}[{i}]: only a C-contiguous array of uint16 can be borrowed")


def _same_rows(tlink, forth, back):
  """All planes with the same distance of rows in elements, as the library wants them: as they are, or copied."""
  planes = (tlink, *forth, *back)
  if len({plane.strides[0] // plane.itemsize for plane in planes}) > 1 or tlink.shape[0] == 1:
    tlink, forth, back = (np.ascontiguousarray(tlink), tuple(map(np.ascontiguousarray, forth)),
                          tuple(map(np.ascontiguousarray, back)))
  return tlink, forth, back
