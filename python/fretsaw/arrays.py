# SPDX-License-Identifier: MIT
"""Checks of arrays, with the names that users gave them. Not public."""

import numpy as np

from .errors import ElementsError, InvalidError


def as_integers(array, dtype, name):
  """An array of `dtype`: the same one, or a copy of other integers that all fit."""
  dtype = np.dtype(dtype)
  try:
    array = np.asarray(array)
  except ValueError as error:
    raise InvalidError(f"{name}: {error}") from None
  if array.dtype == dtype and array.dtype.isnative:
    return array
  if array.dtype == bool:
    return array.view(np.uint8) if dtype == np.uint8 else array.astype(dtype)
  if array.size == 0 and array.dtype == float:
    return array.astype(dtype)
  if array.dtype.kind not in "iu":
    is_capacity = array.dtype.kind == "f" and name.startswith(("tlink", "links"))
    hint = "; fretsaw.quantize makes integers of floats" if is_capacity else ""
    raise ElementsError(f"{name}: elements must be {dtype}, not {array.dtype}{hint}")
  if array.size:
    limits, low, high = np.iinfo(dtype), int(array.min()), int(array.max())
    if low < limits.min or high > limits.max:
      raise InvalidError(f"{name}: {low if low < limits.min else high} is outside {dtype}, "
                         f"{limits.min} to {limits.max}")
  return array.astype(dtype)


def is_number(value):
  """Whether it is one number, not an array or a sequence of them."""
  return np.isscalar(value) or isinstance(value, np.ndarray) and value.ndim == 0


def count_planes(planes, name):
  """The length of a sequence of planes, or of an array of them."""
  if is_number(planes) or not hasattr(planes, "__len__"):
    raise InvalidError(f"{name}: a sequence of planes is needed, not {type(planes).__name__}")
  return len(planes)


def check_shape(array, shape, name):
  if array.shape != tuple(shape):
    raise InvalidError(f"{name}: the shape is {array.shape}; it must be {tuple(shape)}")


def as_plane(array, dtype, name, shape=None):
  """A plane of integers whose rows have no gaps within: the same array, or a copy."""
  plane = as_integers(array, dtype, name)
  if plane.ndim != 2:
    raise InvalidError(f"{name}: 2 dimensions are needed, and the shape is {plane.shape}")
  if shape is not None:
    check_shape(plane, shape, name)
  return plane if has_rows(plane) else np.ascontiguousarray(plane)


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
  numbers = as_integers(pixels, np.int64, name).ravel()
  if numbers.size and (numbers.min() < 0 or numbers.max() >= height * width):
    raise InvalidError(f"{name}: numbers must be 0 to {height * width - 1}")
  return numbers


def spread(values, n, dtype, name):
  """n values from n, or from one."""
  values = as_integers(values, dtype, name).ravel()
  if values.size not in (1, n):
    raise InvalidError(f"{name}: there are {values.size} for {n} pixels")
  return np.broadcast_to(values, n)


def take_out(out, shape, dtypes, name="out"):
  """The caller's array for a result, or a new one."""
  if out is None:
    return np.empty(shape, dtypes[0])
  if not isinstance(out, np.ndarray) or out.dtype not in [np.dtype(d) for d in dtypes]:
    wanted = " or ".join(str(np.dtype(d)) for d in dtypes)
    raise ElementsError(f"{name}: an array of {wanted} is needed, not {getattr(out, 'dtype', type(out).__name__)}")
  check_shape(out, shape, name)
  if not out.flags.writeable or not has_rows(out):
    raise InvalidError(f"{name}: it must be writeable, and the elements of a row side by side")
  return out
