# SPDX-License-Identifier: MIT
"""Neighbourhoods of grids of any dimension."""

from itertools import product

import numpy as np

from ..arrays import as_array, as_flag, as_whole
from ..errors import ElementsError, InvalidError

_DIMENSIONS_MAX = 10


def vonNeumann_structure(ndim=2, directed=False):
  """The neighbours along each axis; directed: those after the centre alone.

  >>> vonNeumann_structure(directed=True)
  array([[0., 0., 0.],
         [0., 0., 1.],
         [0., 1., 0.]])
  """
  ndim, directed = as_whole(ndim, "ndim", 0, _DIMENSIONS_MAX), as_flag(directed, "directed")
  structure = np.zeros((3,) * ndim)
  for axis in range(ndim):
    for place in (2,) if directed else (0, 2):
      structure[tuple(place if i == axis else 1 for i in range(ndim))] = 1
  return structure


def moore_structure(ndim=2, directed=False):
  """All neighbours, diagonal ones too; directed: those after the centre alone. Undirected, the centre is 1, too.

  >>> moore_structure(directed=True)
  array([[0., 0., 0.],
         [0., 0., 1.],
         [1., 1., 1.]])
  """
  ndim, directed = as_whole(ndim, "ndim", 0, _DIMENSIONS_MAX), as_flag(directed, "directed")
  structure = np.ones(3 ** ndim)
  if directed:
    structure[:3 ** ndim // 2 + 1] = 0
  return structure.reshape((3,) * ndim)


def read_structure(structure, ndim):
  """A dictionary of factors by offsets from the centre; those of zero and the centre are left out."""
  structure = np.asarray(structure)
  if structure.ndim > ndim:
    raise InvalidError(f"structure: there are {structure.ndim} dimensions, and {ndim} of nodeids")
  if any(size % 2 == 0 for size in structure.shape):
    raise InvalidError(f"structure: the shape is {structure.shape}; every size must be odd")
  structure = structure.reshape((1,) * (ndim - structure.ndim) + structure.shape)
  centre = [size // 2 for size in structure.shape]
  factors = {}
  for place in product(*map(range, structure.shape)):
    offset = tuple(i - c for i, c in zip(place, centre))
    if structure[place] != 0 and any(offset):
      factors[offset] = structure[place]
  return factors


def read_periodic(periodic, ndim):
  """A bool for each dimension."""
  periodic = as_array(periodic, "periodic")
  if periodic.dtype.kind not in "biu":
    raise ElementsError(f"periodic: True or False is needed, not {periodic.dtype}")
  periodic = periodic.astype(bool)
  if periodic.ndim > 1 or periodic.ndim == 1 and periodic.size != ndim:
    raise InvalidError(f"periodic: the shape is {periodic.shape}; a bool is needed, or {ndim} of them")
  return np.broadcast_to(periodic, ndim).tolist()


def take_pairs(array, offset, periodic):
  """The elements at which edges with this offset begin, and those at which they end."""
  here, there = array, array
  for axis, (step, wraps) in enumerate(zip(offset, periodic)):
    size = array.shape[axis]
    if step == 0:
      continue
    if wraps:
      there = np.roll(there, -step, axis)
    else:
      step = max(min(step, size), -size)
      part = [slice(None)] * array.ndim
      part[axis] = slice(max(-step, 0), size - max(step, 0))
      here = here[tuple(part)]
      part[axis] = slice(max(step, 0), size + min(step, 0))
      there = there[tuple(part)]
  return here, there


def is_forward(offset):
  """Whether the first step of an offset that is not zero is one forward."""
  return next(step for step in offset if step) > 0
