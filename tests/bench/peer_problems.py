# SPDX-License-Identifier: MIT
"""Problems for bench_peers.py: cuts of photos, energies of many labels with a metric V, and what any mask or labelling of
them costs, by NumPy."""

import os

import mrf_problems
import numpy as np
import photo_problems


class Problem:
  """A grid's t-links and n-links; or, with a table, data costs [y, x, label], weights of pairs, and V."""

  def __init__(self, name, data, links, table=None):
    self.name, self.data, self.links, self.table = name, data, links, table
    self.neighbours = 2 * len(links)

  @property
  def megapixels(self):
    return self.data.shape[0] * self.data.shape[1] / 1e6

  def write(self, path):
    """In the layout of peers/peer.h."""
    height, width = self.data.shape[:2]
    with open(path, "wb") as file:
      np.array([width, height, self.neighbours, 0 if self.table is None else len(self.table)], np.int32).tofile(file)
      for plane in (self.data, *self.links, *([] if self.table is None else [self.table])):
        np.ascontiguousarray(plane).tofile(file)

  def energy(self, result):
    """What a mask, or labels, cost; of a mask with pixels that may be on either side, all of them, the least."""
    result = result.reshape(self.data.shape[:2])
    if self.table is None and result.max() > 1:
      return min(self.energy(result & 1), self.energy(result != 0))
    return self.sum_terms(result.astype(np.uint8))

  def sum_terms(self, result):
    if self.table is None:
      total = np.where(result, np.maximum(-self.data, 0), np.maximum(self.data, 0)).sum(dtype=np.int64)
    else:
      total = np.take_along_axis(self.data, result[..., None].astype(np.intp), 2).sum(dtype=np.int64)
    table = np.array([[0, 1], [1, 0]]) if self.table is None else self.table
    for (dy, dx), weight in zip(photo_problems.OFFSETS, self.links):
      there = np.roll(result, (-dy, -dx), (0, 1))
      total += (table[result, there] * weight.astype(np.int64)).sum()
    return int(total)


def photo_cuts(megapixels, neighbours):
  for name, photo, seeds, greys in photo_problems.photos():
    for size in megapixels:
      tlink, links = photo_problems.make_problem(*photo_problems.read(photo, seeds, greys, size))
      for number in neighbours:
        yield Problem(name, tlink, links[:number // 2])


def ones(shape):
  """Weights of 4 neighbours, 0 where they leave the grid."""
  right, down = np.ones(shape, np.uint16), np.ones(shape, np.uint16)
  right[:, -1] = down[-1] = 0
  return [right, down]


def read_colours(path):
  width, height = photo_problems.size_of(path)
  return photo_problems.convert(path, 3).reshape(height, width, 3).astype(np.int32)


def stereo(name, n_labels, most, scale, truncation):
  """Disparities: differences of colours, summed and truncated, and a truncated linear V that counts twice where the left
  image is even."""
  left, right = map(read_colours, mrf_problems.images(name))
  data = np.full((*left.shape[:2], n_labels), most, np.int32)
  for label in range(n_labels):
    moved = left[:, label:] - right[:, :left.shape[1] - label]
    data[:, label:, label] = np.minimum(np.abs(moved).sum(axis=2), most)
  weights = ones(left.shape[:2])
  for (dy, dx), weight in zip(photo_problems.OFFSETS, weights):
    weight[((left - np.roll(left, (-dy, -dx), (0, 1))) ** 2).sum(axis=2) < 192] *= 2
  return Problem(name, data, weights, linear(n_labels, scale, truncation))


def linear(n_labels, scale, truncation):
  labels = np.arange(n_labels, dtype=np.int32)
  return scale * np.minimum(np.abs(np.subtract.outer(labels, labels)), truncation)


def restoration(n_labels, scale, truncation, megapixels, name):
  """Greys of the sample with noise, each label one of them."""
  _, photo, seeds, greys = next(photo_problems.photos())
  image = photo_problems.read(photo, seeds, greys, megapixels)[0]
  noisy = image.mean(axis=2) + np.random.default_rng(1).normal(0, 20, image.shape[:2])
  greys = (np.arange(n_labels) + 0.5) * 256 / n_labels
  data = np.rint((noisy[..., None] - greys) ** 2).astype(np.int32)
  return Problem(name, data, ones(image.shape[:2]), linear(n_labels, scale, truncation))


def labellings():
  for name, n_labels in (("tsukuba", 16), ("venus", 20)):
    if all(os.path.exists(path) for path in mrf_problems.images(name)):
      yield stereo(name, n_labels, 200, 20, 2)
  yield restoration(32, 400, 4, 0.3, "sample, 32 greys")
  yield restoration(6, 3000, 1, 0.7, "sample, 6 greys, Potts")
