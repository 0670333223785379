# SPDX-License-Identifier: MIT
"""Objects cut out of photos by strokes."""

import inspect
import os
from collections.abc import Mapping

import numpy as np

from . import _fretsaw
from .arrays import (as_array, as_choice, as_context, as_flag, as_neighbours, as_number, as_pixels, as_plane, as_shape,
                     as_whole, check_pixels, has_rows, spread, take_out)
from .errors import ElementsError, InvalidError
from .unique import Unique
from .grid import Solution

_FORMATS = {3: 0, 4: 2}   # by the number of channels; of BGR, one more
_GREY, _RGBA = 4, 2
_MODELS = ("geodesic", "kmeans", "gmm")
_LABEL_CHANGE = np.dtype({"names": ["pixel", "label"], "formats": ["=u4", "u1"], "offsets": [0, 4], "itemsize": 8})
_HARD = -1
_ITERATIONS_MAX, _LABEL_MAX, _PLACE_MAX, _AREA_MAX, _OBJECTS_MAX = 50, 255, 1e6, 100000, 254


class Photo(Unique):
  """A photo whose strokes change, and its cut.

  image: uint8 of shape (height, width, 3) or (height, width, 4), or (height, width) for grey; it is copied once.
  order: "rgb", or "bgr" as OpenCV has it.
  model: "geodesic", "kmeans" (Lazy Snapping) or "gmm" (GrabCut, with `iterations`).
  neighbours: 4 or 8. smoothness: a factor, up to 100; 0 for none. star: an object is joined to its strokes.
  verify: check every certificate. context: a fretsaw.Context.

  A label a pixel says what is painted: 0 nothing, 1 background, 2 object, 3, 4, … 255 further objects.

  >>> image = np.zeros((40, 60, 3), np.uint8)
  >>> image[10:30, 20:40] = 200, 120, 40
  >>> photo = Photo(image)
  >>> photo.paint((25, 20), (35, 20), radius=2, label=2)
  >>> photo.paint((5, 5), (55, 5), radius=2, label=1)
  >>> photo.finish().exact
  True
  >>> int(photo.mask().sum())
  400
  """

  def __init__(self, image, *, order="rgb", model="geodesic", neighbours=8, smoothness=1.0, star=True, iterations=0,
               verify=False, context=None):
    if isinstance(image, (str, bytes, os.PathLike)):
      raise ElementsError("image: pixels are needed, not a file's name; PIL.Image.open reads files")
    if getattr(image, "mode", "RGB") == "P":   # one of PIL's, whose elements are colours' numbers
      raise ElementsError("image: it has a palette; image.convert('RGB') has pixels")
    image = as_array(image, "image")
    if image.dtype != np.uint8:
      raise ElementsError(f"image: elements must be uint8, not {image.dtype}")
    if image.ndim == 3 and image.shape[2] == 1:
      image = image[:, :, 0]
    if image.ndim not in (2, 3) or image.ndim == 3 and image.shape[2] not in (3, 4):
      raise InvalidError(f"image: the shape is {image.shape}; it must be (height, width), (height, width, 3) "
                         "or (height, width, 4)")
    check_pixels(image, "image")
    is_bgr, model = as_choice(order, "order", ("rgb", "bgr")), as_choice(model, "model", _MODELS)
    iterations = as_whole(iterations, "iterations", 0, _ITERATIONS_MAX)
    if iterations > 0 and model != _MODELS.index("gmm"):
      raise InvalidError(f"iterations: {iterations}; they are for model='gmm' alone")
    star = as_flag(star, "star")
    if not star and model != _MODELS.index("geodesic"):
      raise InvalidError("star: False is for model='geodesic' alone; the others have no star")
    smoothness = as_number(smoothness, "smoothness", 0, 100)
    if not has_rows(image):
      image = np.ascontiguousarray(image)
    self.shape = image.shape[:2]
    self._solution = None
    self._photo = _fretsaw.Photo(as_context(context), image, _GREY if image.ndim == 2 else _FORMATS[image.shape[2]] + is_bgr,
                                 model, as_neighbours(neighbours), smoothness if smoothness > 0 else -1.0, iterations,
                                 not star, as_flag(verify, "verify"))

  def set_seeds(self, seeds):
    """Sets the labels that are painted: uint8 of the photo's shape."""
    self._photo.set_labels(_as_labels(seeds, "seeds", self.shape))

  def change_seeds(self, pixels, labels):
    """Sets the labels that are painted at some pixels, which are as for Grid2D.update."""
    numbers = as_pixels(pixels, self.shape)
    changes = np.zeros(numbers.size, _LABEL_CHANGE)
    changes["pixel"] = numbers
    changes["label"] = spread(labels, numbers.size, np.uint8, "labels")
    self._photo.change_labels(changes)

  def paint(self, start, end, *, radius, label):
    """Paints a straight stroke of a round brush from (x, y) to (x, y), in pixels from the top left corner."""
    radius = as_number(radius, "radius", 0, _PLACE_MAX)
    self._photo.paint(*_as_place(start, "start"), *_as_place(end, "end"), radius, as_whole(label, "label", 0, _LABEL_MAX))

  def set_guess(self, guess=None, *, numbers=None, found=False):
    """Sets how likely each pixel is object, or a finished mask: see segment. None: neither."""
    found = as_flag(found, "found")
    if numbers is None:
      plane = None if guess is None else _as_guess(guess)
      self._photo.set_guess(plane, 16 if plane is not None and plane.dtype == np.uint16 else 8, found)
      return
    if guess is not None or found:
      raise InvalidError("numbers: they are for a photo without a guess, and not found")
    self._photo.set_guess(_as_labels(numbers, "numbers", self.shape), 0, False)

  def update(self, progress=None):
    """Cuts all objects together while a stroke grows: exact, with the colours learnt last, and costs what has changed.

    Returns the Solution. The lock, Control-C and progress: as for Grid2D.maxflow.
    """
    self._solution = Solution(*self._photo.update(progress))
    return self._solution

  def finish(self, progress=None):
    """Cuts once a stroke has ended: fits the colours, cuts, and refines the border. Returns the Solution.

    The result depends on image, options, labels and guess alone, and is that of `fretsaw cut`.
    """
    self._solution = Solution(*self._photo.finish(progress))
    return self._solution

  @property
  def solution(self):
    """The Solution of the last update() or finish(); None before."""
    return self._solution

  def preview(self, out=None, progress=None):
    """A fast approximate mask of all objects together, with the colours learnt last; never exact."""
    out = take_out(out, self.shape, (bool, np.uint8))
    self._photo.preview(progress, out.view(np.uint8))
    return out

  def labels(self, out=None, progress=None):
    """The last result: uint8, 1 for background and 2, 3, … for objects.

    After an update() of several objects this says which is where, and takes as long as a fit where they touch.
    """
    out = take_out(out, self.shape, (np.uint8,))
    self._photo.separate(progress)
    self._photo.read_labels(out)
    return out

  def mask(self, out=None):
    """The last result: True in any object."""
    out = take_out(out, self.shape, (bool, np.uint8))
    self._photo.read_mask(out.view(np.uint8))
    return out

  def cutout(self, out=None, progress=None, **edge):
    """The object with its own colours and a soft edge: uint8 of shape (height, width, 4), RGBA.

    width: pixels of the soft border to each side, up to 32; None: measured everywhere; "hard": none.
    shift: of the border outwards, in pixels, −10 to 10. contrast: percent; 100 makes alpha 0 or 255.
    smooth: the radius to which corners are rounded, up to 20. background: percent of the background's colour that
    stays in soft pixels. specks, holes: pieces and holes with so few pixels vanish. zones: uint8 of the photo's
    shape: 0, 1 hard, 2 hair. keep_hidden: colours where alpha is 0 stay.
    """
    out = take_out(out, (*self.shape, 4), (np.uint8,))
    _check_edge_options("cutout", edge)
    self._render(progress, out, _RGBA, **edge)
    return out

  def alpha(self, out=None, progress=None, **edge):
    """The alpha of cutout() alone: uint8 of the photo's shape."""
    out = take_out(out, self.shape, (np.uint8,))
    _check_edge_options("alpha", edge)
    self._render(progress, out, _GREY, **edge)
    return out

  def _render(self, progress, out, kind, *, width=None, shift=0.0, contrast=0, smooth=0, background=0, specks=0, holes=0,
              zones=None, keep_hidden=False):
    if isinstance(width, str) and width == "hard":
      width = _HARD
    elif width is None:
      width = 0
    else:
      width = as_whole(width, "width", 1, 32)
    if zones is not None:
      zones = as_plane(zones, np.uint8, "zones", self.shape)
      if zones.max() > 2:
        raise InvalidError(f"zones: {zones.max()}; they must be 0, 1 or 2")
    self._photo.render(progress, out, kind, width, round(10 * as_number(shift, "shift", -10, 10)),
                       as_whole(contrast, "contrast", 0, 100), as_whole(smooth, "smooth", 0, 20),
                       as_whole(background, "background", 0, 100), as_whole(specks, "specks", 0, _AREA_MAX),
                       as_whole(holes, "holes", 0, _AREA_MAX), zones, as_flag(keep_hidden, "keep_hidden"))

  @staticmethod
  def forecast_bytes(shape, objects=1, updates=False):
    """Bytes that a photo takes, about: once finished, or with updates, too."""
    height, width = as_shape(shape)
    return _fretsaw.Photo.forecast(width, height, as_whole(objects, "objects", 0, _OBJECTS_MAX), as_flag(updates, "updates"))


def segment(image, seeds=None, guess=None, *, numbers=None, found=False, progress=None, **options):
  """Cuts objects out of a photo, and returns a label a pixel: uint8, 1 for background, 2, 3, … for objects.

  image, options: as for Photo. seeds: uint8 of the photo's shape: 0 nothing, 1 background, 2 object, 3, … further
  objects. guess: how likely each pixel is object, of any size, stretched over the photo: uint8 to 255, uint16 to
  65535, or floats from 0 to 1, which are rounded to 16 bits. found: the guess is a network's, and never certain.
  numbers: labels in place of a guess, 0 unknown, such as an annotation of long ago; they bind as far as seeds do not
  contradict them. There must be seeds, a guess or numbers.

  The labels are those of the program's `fretsaw cut`, to the bit.

  >>> image = np.zeros((40, 60, 3), np.uint8)
  >>> image[10:30, 20:40] = 200, 120, 40
  >>> seeds = np.zeros((40, 60), np.uint8)
  >>> seeds[2, 5:55], seeds[20, 25:35] = 1, 2
  >>> np.unique(segment(image, seeds), return_counts=True)
  (array([1, 2], dtype=uint8), array([2000,  400]))
  """
  return _finish(image, seeds, guess, numbers, found, progress, options).labels()


def cutout(image, seeds=None, guess=None, *, numbers=None, found=False, progress=None, edge=None, **options):
  """Cuts an object out of a photo, with a soft edge: uint8 of shape (height, width, 4), RGBA.

  edge: a dictionary of Photo.cutout's options; all else as for segment.
  """
  if not isinstance(edge, (Mapping, type(None))):
    raise ElementsError(f"edge: a dictionary is needed, not {type(edge).__name__}")
  return _finish(image, seeds, guess, numbers, found, progress, options).cutout(progress=progress, **(edge or {}))


def _check_edge_options(name, given):
  known = inspect.getfullargspec(Photo._render).kwonlyargs
  for option in given:
    if option not in known:
      raise ElementsError(f"{name}() has no option {option!r}; it has {', '.join(known)}")


def _finish(image, seeds, guess, numbers, found, progress, options):
  if seeds is guess is numbers is None:
    raise InvalidError("seeds, guess or numbers: one of them is needed")
  photo = Photo(image, **options)
  if seeds is not None:
    photo.set_seeds(seeds)
  if guess is not None or numbers is not None:
    photo.set_guess(guess, numbers=numbers, found=found)
  photo.finish(progress)
  return photo


def _as_place(place, name):
  """(x, y)"""
  try:
    x, y = place
  except (TypeError, ValueError):
    raise InvalidError(f"{name}: (x, y) is needed, not {type(place).__name__}") from None
  return as_number(x, name, -_PLACE_MAX, _PLACE_MAX), as_number(y, name, -_PLACE_MAX, _PLACE_MAX)


def _as_labels(labels, name, shape):
  """A plane of labels. What True means among them nobody can say."""
  labels = as_array(labels, name)
  if labels.dtype == bool:
    raise ElementsError(f"{name}: elements must be uint8, not bool; 1 is background, and 2 object")
  return as_plane(labels, np.uint8, name, shape)


def _as_guess(guess):
  guess = as_array(guess, "guess")
  if guess.ndim != 2:
    raise InvalidError(f"guess: the shape is {guess.shape}; it must be (height, width)")
  check_pixels(guess, "guess")
  if guess.dtype == bool:
    return np.multiply(guess, 255, dtype=np.uint8)
  if guess.dtype.kind == "f":
    if not (guess.min() >= 0 and guess.max() <= 1):
      raise InvalidError("guess: floats must be 0 to 1")
    return np.rint(guess.astype(float) * 65535).astype(np.uint16)
  if guess.dtype not in (np.uint8, np.uint16):
    raise ElementsError(f"guess: elements must be uint8, uint16 or floats, not {guess.dtype}")
  return guess if has_rows(guess) and guess.dtype.isnative else np.ascontiguousarray(guess, guess.dtype.newbyteorder("="))
