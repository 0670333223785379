# SPDX-License-Identifier: MIT
"""Cut problems made of photos, for benchmarks: colour histograms of the strokes, contrast between neighbours, all integers.

The photos are the sample and, where FRETSAW_SHARED or ../shared has the data pack, some of GrabCut's."""

import os
import subprocess

import numpy as np

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(SOURCE, "..", "shared")
PHOTOS = ("flower", "llama", "sheep")
OFFSETS = ((0, 1), (1, 0), (1, 1), (1, -1))   # to the neighbours in a grid's four directions


def convert(path, channels, size=None, exact=False):
  """A picture's pixels, by ImageMagick."""
  words = ["convert", path + "[0]", *(["-filter", "point"] if exact else [])]
  words += ["-resize", f"{size[0]}x{size[1]}!"] if size else []
  raw = subprocess.run([*words, "-depth", "8", f"{'rgb' if channels == 3 else 'gray'}:-"], check=True,
                       capture_output=True).stdout
  return np.frombuffer(raw, np.uint8)


def size_of(path):
  return tuple(map(int, subprocess.run(["identify", "-format", "%w %h", path + "[0]"], check=True, capture_output=True,
                                       text=True).stdout.split()))


def photos():
  """Names, photos, strokes, and the strokes' greys: of background, of object."""
  folder = os.path.join(SOURCE, "data", "sample")
  yield "sample", os.path.join(folder, "sample.jpg"), os.path.join(folder, "seeds.png"), ((140,), (122,))
  for name in PHOTOS:
    photo = next((path for ending in ("jpg", "png", "bmp")
                  if os.path.exists(path := os.path.join(SHARED, "data", "photos", "grabcut", f"{name}.{ending}"))), None)
    if photo:
      yield name, photo, os.path.join(SHARED, "data", "seeds", "grabcut-lasso", name + ".png"), ((0, 64), (255,))


def read(photo, seeds, greys, megapixels):
  """The photo's pixels, and where its strokes are: those of background, those of object."""
  width, height = size_of(photo)
  factor = (megapixels * 1e6 / (width * height)) ** 0.5
  size = round(width * factor), round(height * factor)
  marks = convert(seeds, 1, size, True).reshape(size[1], size[0])
  return convert(photo, 3, size).reshape(size[1], size[0], 3), *(np.isin(marks, some) for some in greys)


def make_problem(image, background, thing):
  """T-links and links in integers."""
  bins = (image >> 4).astype(int) @ np.array([256, 16, 1])
  spread = [np.bincount(bins[where], minlength=4096) + 0.1 for where in (background, thing)]
  ratio = np.log(spread[1] / spread[1].sum()) - np.log(spread[0] / spread[0].sum())
  tlink = np.rint(100 * ratio)[bins].astype(np.int32)
  tlink[background], tlink[thing] = -1000000, 1000000
  colours = image.astype(np.float32)
  links = []
  for dy, dx in OFFSETS:
    there = np.roll(colours, (-dy, -dx), (0, 1))
    square = ((colours - there) ** 2).sum(axis=2)
    plane = np.rint(5000 * np.exp(-square / (2 * square.mean())) / np.hypot(dy, dx)).astype(np.uint16)
    if dy:
      plane[-1] = 0
    if dx:
      plane[:, -1 if dx > 0 else 0] = 0
    links.append(plane)
  return tlink, links
