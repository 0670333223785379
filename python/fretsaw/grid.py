# SPDX-License-Identifier: MIT
"""Minimum cuts of pixel grids with capacities of your own."""

from typing import NamedTuple

import numpy as np

from . import _fretsaw
from .arrays import as_integers, as_pixels, as_plane, count_planes, is_number, spread, take_out
from .errors import InvalidError

_TLINK_CHANGE = np.dtype([("pixel", "=u4"), ("tlink", "=i4")])
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


class Grid2D:
  """A grid of pixels whose minimum cut is kept up to date.

  Its energy is Σ D(x) + Σ w·[x_p = 1, x_q = 0] over masks x, 1 for object and 0 for background. A t-link is the
  source's capacity less the sink's: t costs t where the pixel is background, −t costs t where it is object. Of
  several minima the mask is the one with the smallest background.

  tlink: int32, shape (height, width), at most 2²⁸ in size. It is copied once, into the solver.
  links: one number for all pairs, or 2 planes (4 neighbours) or 4 planes (8 neighbours) of uint16, as a sequence or
    as an array of shape (2 or 4, height, width): the capacities from each pixel to its neighbour in the east, south,
    south-east and south-west. Those that leave the grid are ignored.
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
    tlink = as_plane(tlink, np.int32, "tlink")
    self.shape = tlink.shape
    if tlink.size == 0:
      raise InvalidError(f"tlink: the shape is {tlink.shape}; there must be a pixel")
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
    self._grid = _fretsaw.Grid(context, self.neighbours, tlink, forth, back, borrow, changes_links)

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
      self._grid.set_tlinks(as_plane(tlink, np.int32, "tlink", self.shape))
      return
    numbers = as_pixels(pixels, self.shape)
    changes = np.empty(numbers.size, _TLINK_CHANGE)
    changes["pixel"] = numbers
    changes["tlink"] = spread(values, numbers.size, np.int32, "values")
    self._grid.change_tlinks(changes)

  def update_links(self, pixels, direction, forth, back=None):
    """Changes links, of a grid made with changes_links=True, from pixels to their neighbours in a direction.

    pixels: as in update. direction: "east", "south", "south-east" or "south-west". forth, back: the new capacities, a
    number for each pixel, or one for all; back=None: as forth.
    """
    names = ("east", "south", "south-east", "south-west")
    if direction not in names:
      raise InvalidError(f"direction: {direction!r}; it must be one of {', '.join(names)}")
    numbers = as_pixels(pixels, self.shape)
    changes = np.empty(numbers.size, _LINK_CHANGE)
    changes["pixel"] = numbers
    changes["direction"] = names.index(direction)
    changes["forth"] = spread(forth, numbers.size, np.uint16, "forth")
    changes["back"] = changes["forth"] if back is None else spread(back, numbers.size, np.uint16, "back")
    self._grid.change_nlinks(changes)

  def certify(self):
    """Checks the last cut, and returns the Certificate."""
    return Certificate(*self._grid.certify())

  @staticmethod
  def forecast_bytes(shape, neighbours=4):
    """Bytes that a grid and its solves take on the CPU, at most; 0 for shapes that none can have."""
    height, width = shape
    return _fretsaw.Grid.forecast(width, height, neighbours)


def _take_links(links, name, shape, neighbours):
  """A tuple of planes."""
  if is_number(links):
    value = as_integers(links, np.uint16, name)
    if neighbours not in (None, 4, 8):
      raise InvalidError(f"neighbours: {neighbours}; it must be 4 or 8")
    plane = np.full(shape, value)
    return (plane,) * ((neighbours or 4) // 2)
  n_planes = count_planes(links, name)
  if n_planes not in (2, 4):
    raise InvalidError(f"{name}: there are {n_planes} planes; 2 are for 4 neighbours, and 4 for 8")
  if name == "links_back" and neighbours != 2 * n_planes:
    raise InvalidError(f"{name}: there are {n_planes} planes, and {neighbours // 2} of links")
  return tuple(as_plane(plane, np.uint16, f"{name}[{i}]", shape) for i, plane in enumerate(links))


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
