# SPDX-License-Identifier: MIT
"""Checks of arguments, with the names that users gave them. Not public."""

import numbers
import operator

import numpy as np

from ._fretsaw import Context
from .errors import ElementsError, InvalidError

PIXELS_MAX = (1 << 31) - 1
_SIZE_MAX = 256 * PIXELS_MAX   # more is one element in many places, which nobody can read

# Numbers and choices


def as_whole(value, name, low, high):
  """An int in a range."""
  try:
    whole = operator.index(value)
  except TypeError:
    raise ElementsError(f"{name}: an integer is needed, not {_describe(value)}") from None
  if not low <= whole <= high:
    raise InvalidError(f"{name}: {_shorten(whole)}; it must be {low} to {high}")
  return whole


def as_number(value, name, low, high):
  """A float in a range."""
  if isinstance(value, np.ndarray) and value.ndim == 0:
    value = value.item()
  if not isinstance(value, numbers.Real):
    raise ElementsError(f"{name}: a number is needed, not {_describe(value)}")
  if not low <= value <= high:
    raise InvalidError(f"{name}: {_shorten(value)}; it must be {low:g} to {high:g}")
  return float(value)


def as_flag(value, name):
  if isinstance(value, (bool, np.bool_)) or isinstance(value, int) and value in (0, 1):
    return bool(value)
  raise ElementsError(f"{name}: True or False is needed, not {_describe(value)}")


def as_choice(value, name, choices):
  """The number of a choice."""
  if isinstance(value, str) and value in choices:
    return choices.index(value)
  raise InvalidError(f"{name}: {_describe(value)}; it must be one of {', '.join(choices)}")


def as_neighbours(value, name="neighbours"):
  """4 or 8."""
  whole = as_whole(value, name, -PIXELS_MAX, PIXELS_MAX)
  if whole not in (4, 8):
    raise InvalidError(f"{name}: {whole}; it must be 4 or 8")
  return whole


def as_context(context):
  if context is None or isinstance(context, Context):
    return context
  raise ElementsError(f"context: a fretsaw.Context or None is needed, not {_describe(context)}")


def as_shape(shape, name="shape"):
  """(height, width), as ints of 32 bits."""
  try:
    height, width = shape
  except (TypeError, ValueError):
    raise InvalidError(f"{name}: (height, width) is needed, not {_describe(shape)}") from None
  return as_whole(height, name, 0, PIXELS_MAX), as_whole(width, name, 0, PIXELS_MAX)


def _describe(value):
  return repr(value[:40]) if isinstance(value, (str, bytes)) else type(value).__name__


def _shorten(number):
  return number if abs(number) < 1 << 64 else f"{float(number):g}"


# Arrays


def as_array(array, name):
  try:
    array = np.asarray(array)
  except ValueError as error:
    raise InvalidError(f"{name}: {error}") from None
  if array.size > _SIZE_MAX:
    raise InvalidError(f"{name}: the shape is {array.shape}; there may be {_SIZE_MAX} elements")
  return array


def as_integers(array, dtype, name, low=None, high=None):
  """An array of `dtype`: the same one, or a copy of other integers that all fit. The limits are those of `dtype`, or
  narrower ones."""
  dtype = np.dtype(dtype)
  array = as_array(array, name)
  if array.dtype == bool:
    array = array.view(np.uint8)
  if array.size == 0 and array.dtype == float:
    return array.astype(dtype)
  if array.dtype.kind not in "iu":
    is_capacity = array.dtype.kind == "f" and name.startswith(("tlink", "links"))
    hint = "; fretsaw.quantize makes integers of floats" if is_capacity else ""
    raise ElementsError(f"{name}: elements must be {dtype}, not {_describe_type(array)}{hint}")
  is_right = array.dtype == dtype and array.dtype.isnative
  if array.size and not (is_right and low is high is None):
    limits = np.iinfo(dtype)
    low, high = limits.min if low is None else low, limits.max if high is None else high
    least, most = int(array.min()), int(array.max())
    if least < low or most > high:
      raise InvalidError(f"{name}: {least if least < low else most} is outside {dtype}, {low} to {high}"
                         if (low, high) == (limits.min, limits.max) else
                         f"{name}: {least if least < low else most}; it must be {low} to {high}")
  return array if is_right else array.astype(dtype)


def as_floats(array, name, infinite=False):
  """Floats, perhaps the same array, none of which is NaN."""
  array = as_array(array, name)
  if array.dtype.kind not in "fiub":
    raise ElementsError(f"{name}: elements must be numbers, not {_describe_type(array)}")
  if array.dtype.kind != "f" or array.dtype.itemsize < 4:
    array = array.astype(float)
  if np.isnan(array).any() if infinite else not np.isfinite(array).all():
    raise InvalidError(f"{name}: there are elements that are no {'' if infinite else 'finite '}numbers")
  return array


def _describe_type(array):
  return "records" if array.dtype.names else array.dtype


def is_number(value):
  """Whether it is one number, not an array or a sequence of them."""
  return np.isscalar(value) or isinstance(value, np.ndarray) and value.ndim == 0


def count_planes(planes, name):
  """The length of a sequence of planes, or of an array of them."""
  if is_number(planes) or not isinstance(planes, (tuple, list, np.ndarray)):
    raise InvalidError(f"{name}: a sequence of planes is needed, not {type(planes).__name__}")
  if len(planes) not in (2, 4):
    raise InvalidError(f"{name}: there are {len(planes)} planes; 2 are for 4 neighbours, and 4 for 8")
  return len(planes)


def check_shape(array, shape, name):
  if array.shape != tuple(shape):
    raise InvalidError(f"{name}: the shape is {array.shape}; it must be {tuple(shape)}")


def check_pixels(array, name):
  """Refuses arrays without pixels, or with more than there may be."""
  if array.size == 0 or array.shape[0] * array.shape[1] > PIXELS_MAX:
    raise InvalidError(f"{name}: the shape is {array.shape}; there must be 1 to {PIXELS_MAX} pixels")


def as_plane(array, dtype, name, shape=None):
  """A plane of integers whose rows have no gaps within: the same array, or a copy. shape=None: any size."""
  array = as_array(array, name)
  if array.ndim != 2:
    raise InvalidError(f"{name}: 2 dimensions are needed, and the shape is {array.shape}")
  if shape is None:
    check_pixels(array, name)
  else:
    check_shape(array, shape, name)
  plane = as_integers(array, dtype, name)
  return plane if has_rows(plane) else np.ascontiguousarray(plane)


def pad_plane(plane, name, shape, d):
  """A plane of links in direction d; one that leaves out the pixels without such a neighbour gets zeros for them."""
  plane = as_array(plane, name)
  height, width = shape
  inner = (height - (d > 0), width - (d != 1))
  if plane.shape == inner and plane.dtype.kind in "iufb":
    left = 1 if d == 3 else 0
    return np.pad(plane, ((0, height - inner[0]), (left, width - inner[1] - left)))
  if plane.shape != tuple(shape):
    raise InvalidError(f"{name}: the shape is {plane.shape}; it must be {tuple(shape)} or {inner}")
  return plane


def has_rows(array):
  """Whether the elements of each row are side by side, and rows whole elements apart without overlap."""
  if array.size == 0:
    return False
  inner = np.prod(array.shape[1:]) * array.itemsize
  return (array[0].flags.c_contiguous
          and (array.shape[0] == 1 or (abs(array.strides[0]) >= inner and array.strides[0] % array.itemsize == 0)))


def as_pixels(pixels, shape, name="pixels"):
  """Numbers of pixels, y·width + x, from numbers, or from a pair of arrays (y, x), or from a mask."""
  height, width = shape
  if isinstance(pixels, np.ndarray) and pixels.dtype == bool:
    check_shape(pixels, shape, name)
    return np.flatnonzero(pixels)
  if isinstance(pixels, tuple):
    if len(pixels) != 2:
      raise InvalidError(f"{name}: a tuple must be (y, x); it has {len(pixels)} parts")
    y, x = (as_integers(part, np.int64, name) for part in pixels)
    try:
      y, x = np.broadcast_arrays(y, x)
    except ValueError:
      raise InvalidError(f"{name}: y has the shape {y.shape}, and x {x.shape}") from None
    for part, size in ((y, height), (x, width)):
      if part.size and (part.min() < 0 or part.max() >= size):
        raise InvalidError(f"{name}: a place is outside of {height} rows of {width} pixels")
    return (y * width + x).ravel()
  return as_numbers(pixels, height * width, name).ravel()


def as_numbers(array, n, name):
  """Numbers of n things: pixels, nodes, edges."""
  array = as_integers(array, np.int64, name)
  if array.size and (array.min() < 0 or array.max() >= n):
    raise InvalidError(f"{name}: numbers must be 0 to {n - 1}" if n else f"{name}: there are none")
  return array


def spread(values, n, dtype, name, low=None, high=None):
  """n values from n, or from one."""
  values = as_array(values, name)
  if values.size not in (1, n):
    raise InvalidError(f"{name}: there are {values.size}; {n} are needed, or one for all")
  return np.broadcast_to(as_integers(values, dtype, name, low, high).ravel(), n)


def take_out(out, shape, dtypes, name="out"):
  """The caller's array for a result, or a new one."""
  if out is None:
    return np.empty(shape, dtypes[0])
  if not isinstance(out, np.ndarray) or out.dtype not in [np.dtype(d) for d in dtypes]:
    wanted = " or ".join(str(np.dtype(d)) for d in dtypes)
    raise ElementsError(f"{name}: an array of {wanted} is needed, not {getattr(out, 'dtype', type(out).__name__)}")
  check_shape(out, shape, name)
  if not out.flags.writeable or not (has_rows(out) if out.ndim > 1 else out.flags.c_contiguous):
    raise InvalidError(f"{name}: it must be writeable, and the elements of a row side by side")
  return out


def find_first(is_wrong):
  """(y, x) of the first True of a plane; None."""
  return None if not is_wrong.any() else tuple(int(i) for i in np.unravel_index(is_wrong.argmax(), is_wrong.shape))
