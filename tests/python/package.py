# SPDX-License-Identifier: MIT
"""Imports the built package, and makes small problems with their answers by trying all masks."""

import itertools
import os
import sys

SOURCE = os.environ["FRETSAW_SOURCE"]
BUILD = os.environ["FRETSAW_BUILD"]
# In how many parts random checks are shared out (tests/meson.build).
SHARE = int(os.environ.get("FRETSAW_TEST_SHARE", "1"))

sys.path.insert(0, os.path.join(SOURCE, "tests"))
sys.path.insert(0, os.path.join(BUILD, "python"))
try:
  import numpy as np
except ImportError:
  print("1..0 # SKIP numpy is missing")
  sys.exit(0)
import fretsaw  # noqa: E402,F401
import tap  # noqa: E402,F401

OFFSETS = ((0, 1), (1, 0), (1, 1), (1, -1))


def times(n):
  """How many of n random checks this build makes."""
  return max(n // SHARE, 1)


def slices(shape, d):
  """The beginnings and the ends of links in direction d."""
  dy, dx = OFFSETS[d]
  height, width = shape
  return ((slice(0, height - dy), slice(max(-dx, 0), width - max(dx, 0))),
          (slice(dy, height), slice(max(dx, 0), width + min(dx, 0))))


def grid_energy(mask, tlink, links, back):
  """Σ D + Σ w, by the definition."""
  energy = np.where(mask, np.maximum(-tlink.astype(int), 0), np.maximum(tlink.astype(int), 0)).sum()
  for d, (forth, reverse) in enumerate(zip(links, back)):
    here, there = slices(mask.shape, d)
    energy += (forth[here].astype(int) * (mask[here] & ~mask[there])).sum()
    energy += (reverse[here].astype(int) * (~mask[here] & mask[there])).sum()
  return energy


def all_masks(shape):
  for bits in itertools.product((False, True), repeat=int(np.prod(shape))):
    yield np.array(bits).reshape(shape)


def best_grid_mask(tlink, links, back):
  """The least energy, and of the masks that have it the one with the most object."""
  ranked = [(grid_energy(mask, tlink, links, back), -mask.sum(), mask) for mask in all_masks(tlink.shape)]
  energy, _, mask = min(ranked, key=lambda r: r[:2])
  return energy, mask


def random_grid(rng, neighbours, shape, high=9, both=True):
  tlink = rng.integers(-high, high + 1, shape).astype(np.int32)
  links = [rng.integers(0, high, shape).astype(np.uint16) for _ in range(neighbours // 2)]
  back = [rng.integers(0, high, shape).astype(np.uint16) for _ in links] if both else links
  return tlink, links, back
