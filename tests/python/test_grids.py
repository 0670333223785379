#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grid2D and quantize: answers, layouts, and what is refused."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402
import fretsaw  # noqa: E402
import numpy as np  # noqa: E402
import tap  # noqa: E402


class Answers(unittest.TestCase):
  def check(self, grid, tlink, links, back):
    energy, mask = package.best_grid_mask(tlink, links, back)
    self.assertEqual(grid.maxflow(), energy)
    np.testing.assert_array_equal(grid.mask(), mask)
    self.assertEqual(grid.energy(), energy)
    self.assertEqual(grid.solution, (energy, energy, True))
    self.assertTrue(grid.certify())

  def test_small_grids(self):
    """Against all masks, afresh and after changes of t-links and links."""
    rng = np.random.default_rng(1)
    for i in range(package.times(60)):
      neighbours, shape = (4, 8)[i % 2], (int(rng.integers(1, 4)), int(rng.integers(1, 4)))
      tlink, links, back = package.random_grid(rng, neighbours, shape)
      grid = fretsaw.Grid2D(tlink, links, back, changes_links=True)
      self.check(grid, tlink, links, back)
      pixels = rng.integers(0, tlink.size, 3)
      values = rng.integers(-9, 9, 3)
      grid.update(pixels=pixels, values=values)
      for pixel, value in zip(pixels, values):
        tlink.flat[pixel] = value
      self.check(grid, tlink, links, back)
      if min(shape) > 1:
        grid.update_links((0, 0), "east", 7, 1)
        links[0][0, 0], back[0][0, 0] = 7, 1
        self.check(grid, tlink, links, back)
      tlink = rng.integers(-9, 9, shape).astype(np.int32)
      grid.update(tlink)
      self.check(grid, tlink, links, back)

  def test_one_number_of_links(self):
    tlink = np.array([[3, -1], [0, -5]], np.int32)
    for neighbours in (None, 4, 8):
      links = [np.full((2, 2), 2, np.uint16)] * ((neighbours or 4) // 2)
      grid = fretsaw.Grid2D(tlink, 2, neighbours=neighbours)
      self.assertEqual(grid.neighbours, neighbours or 4)
      self.check(grid, tlink, links, links)

  def test_energy_of_any_mask(self):
    rng = np.random.default_rng(2)
    tlink, links, back = package.random_grid(rng, 8, (5, 7))
    grid = fretsaw.Grid2D(tlink, links, back)
    for _ in range(20):
      mask = rng.random((5, 7)) < 0.5
      self.assertEqual(grid.energy(mask), package.grid_energy(mask, tlink, links, back))

  def test_pixels(self):
    """Numbers, pairs and masks name the same pixels."""
    for pixels in ([1, 5], (np.array([0, 1]), np.array([1, 2])), np.array([[0, 1, 0], [0, 0, 1]], bool)):
      grid = fretsaw.Grid2D(np.full((2, 3), -1, np.int32), 0)
      grid.update(pixels=pixels, values=4)
      grid.maxflow()
      self.assertEqual(np.flatnonzero(grid.mask()).tolist(), [1, 5])


class Layouts(unittest.TestCase):
  def test_strides(self):
    """Rows with padding, upside down, transposed, in Fortran's order, other integers: one answer."""
    rng = np.random.default_rng(3)
    tlink, links, back = package.random_grid(rng, 8, (6, 5))
    wanted = fretsaw.Grid2D(tlink, links, back).maxflow()

    def padded(plane):
      wide = np.zeros((6, 9), plane.dtype)
      wide[:, 2:7] = plane
      return wide[:, 2:7]

    layouts = (padded, lambda p: np.ascontiguousarray(p[::-1])[::-1], lambda p: np.ascontiguousarray(p.T).T,
               lambda p: np.ascontiguousarray(p[:, ::-1])[:, ::-1], lambda p: p.astype(np.int64),
               lambda p: p.astype(p.dtype.newbyteorder()), lambda p: p.tolist())
    for a in layouts:
      for b in layouts:
        grid = fretsaw.Grid2D(a(tlink), [b(p) for p in links], [a(p) for p in back])
        self.assertEqual(grid.maxflow(), wanted)
        self.assertEqual(grid.energy(a(grid.mask().view(np.uint8))), wanted)
    stacked = fretsaw.Grid2D(tlink, np.stack(links), np.stack(back))
    self.assertEqual(stacked.maxflow(), wanted)

  def test_borrowed(self):
    """A borrowed plane is held, and not copied."""
    links = [np.zeros((4, 4), np.uint16) for _ in range(2)]
    links[0][:, :-1], links[1][:-1] = 3, 3
    before = [sys.getrefcount(plane) for plane in links]
    grid = fretsaw.Grid2D(np.eye(4, dtype=np.int32), links, borrow=True)
    self.assertTrue(all(sys.getrefcount(plane) > n for plane, n in zip(links, before)))
    grid.maxflow()
    with self.assertRaisesRegex(ValueError, "cannot resize|resize"):
      links[0].resize((2, 2))
    del grid
    self.assertEqual([sys.getrefcount(plane) for plane in links], before)
    for wrong in (links[0][::-1], np.asfortranarray(links[0]), links[0].astype(np.uint8)):
      with self.assertRaisesRegex(fretsaw.InvalidError, r"links\[0\]: only a C-contiguous array of uint16"):
        fretsaw.Grid2D(np.eye(4, dtype=np.int32), [wrong, links[1]], borrow=True)
    links[0][0, 3] = 1
    with self.assertRaises(fretsaw.InvalidError):
      fretsaw.Grid2D(np.eye(4, dtype=np.int32), links, borrow=True)

  def test_out(self):
    grid = fretsaw.Grid2D([[1, -1]], 0)
    grid.maxflow()
    for dtype in (bool, np.uint8):
      out = np.empty((1, 2), dtype)
      self.assertIs(grid.mask(out=out), out)
      self.assertEqual(out.tolist(), [[1, 0]])
    with self.assertRaisesRegex(TypeError, "out: an array of bool or uint8 is needed, not int64"):
      grid.mask(out=np.empty((1, 2), np.int64))


class Refused(unittest.TestCase):
  def refuses(self, kind, words, call):
    with self.assertRaisesRegex(kind, words) as caught:
      call()
    self.assertIsInstance(caught.exception, fretsaw.Error)

  def test_arguments(self):
    tlink, link = np.zeros((3, 4), np.int32), np.zeros((3, 4), np.uint16)
    grid = fretsaw.Grid2D(tlink, 1)
    for kind, words, call in (
        (TypeError, "tlink: elements must be int32, not float64; fretsaw.quantize",
         lambda: fretsaw.Grid2D(np.zeros((2, 2)), 1)),
        (TypeError, "tlink: elements must be int32, not <U1", lambda: fretsaw.Grid2D([["a"]], 1)),
        (TypeError, "links: elements must be uint16, not float64; fretsaw.quantize", lambda: fretsaw.Grid2D(tlink, 1.5)),
        (TypeError, "mask: elements must be uint8, not float64$", lambda: grid.energy(np.zeros((3, 4)))),
        (ValueError, r"tlink: 2 dimensions are needed, and the shape is \(3,\)",
         lambda: fretsaw.Grid2D(tlink[:, 0], 1)),
        (ValueError, r"tlink: the shape is \(0, 4\)", lambda: fretsaw.Grid2D(tlink[:0], 1)),
        (ValueError, r"links\[1\]: the shape is \(4, 3\); it must be \(3, 4\)",
         lambda: fretsaw.Grid2D(tlink, [link, link.T])),
        (ValueError, "links: there are 3 planes", lambda: fretsaw.Grid2D(tlink, [link] * 3)),
        (ValueError, "neighbours: 8, but 2 planes", lambda: fretsaw.Grid2D(tlink, [link] * 2, neighbours=8)),
        (ValueError, "neighbours: 6", lambda: fretsaw.Grid2D(tlink, 1, neighbours=6)),
        (ValueError, "70000 is outside uint16, 0 to 65535", lambda: fretsaw.Grid2D(tlink, 70000)),
        (ValueError, "-1 is outside uint16", lambda: fretsaw.Grid2D(tlink, [link.astype(int) - 1, link])),
        (ValueError, r"tlink: 5\d+ at \(0, 0\)", lambda: fretsaw.Grid2D(tlink + (1 << 29), 1)),
        (ValueError, r"links: 40000 at \(0, 0\) to the east; without links_back it may be 32767",
         lambda: fretsaw.Grid2D(tlink, 40000)),
        (ValueError, "", grid.mask),
        (ValueError, "", grid.certify),
        (ValueError, "update: either", grid.update),
        (ValueError, "numbers must be 0 to 11", lambda: grid.update(pixels=[12], values=1)),
        (ValueError, "a place is outside", lambda: grid.update(pixels=([3], [0]), values=1)),
        (ValueError, "values: there are 2; 3 are needed", lambda: grid.update(pixels=[1, 2, 3], values=[1, 2])),
        (ValueError, "direction: 'north'", lambda: grid.update_links([0], "north", 1)),
        (ValueError, "changes_links=True", lambda: grid.update_links([0], "east", 1)),
        (ValueError, "device: 'abacus'; it must be 'cpu'", lambda: fretsaw.Context("abacus")),
        (ValueError, "threads: it must be 0", lambda: fretsaw.Context(threads=-1)),
        (TypeError, "progress must be callable", lambda: grid.maxflow(progress=3))):
      self.refuses(kind, words, call)
    self.assertRaises(TypeError, fretsaw.Grid2D, tlink, 1, context="cpu")
    self.assertEqual(grid.maxflow(), 0)

  def test_anything(self):
    """Arrays of any type, shape and layout end in an answer or in one of fretsaw's errors."""
    rng = np.random.default_rng(4)
    types = [np.int32, np.uint16, np.int64, np.uint8, np.float32, np.float64, bool, complex, object, "S3", "M8[s]",
             ">i4", np.float16]

    def anything():
      shape = tuple(rng.integers(0, 5, rng.integers(0, 4)))
      array = rng.integers(0, 40000, shape)
      with np.errstate(all="ignore"):
        array = array.astype(types[rng.integers(len(types))])
      if array.dtype.kind == "f" and array.size and rng.random() < 0.5:
        array.flat[0] = np.nan
      if array.ndim and rng.random() < 0.3:
        array = array[::-1]
      return array.T if rng.random() < 0.3 else array

    n_answers = 0
    for _ in range(package.times(3000)):
      links = anything() if rng.random() < 0.3 else [anything() for _ in range(rng.integers(0, 5))]
      try:
        grid = fretsaw.Grid2D(anything(), links, borrow=bool(rng.random() < 0.3))
        grid.maxflow()
        grid.update(anything())
        n_answers += 1
      except fretsaw.Error:
        pass
    for _ in range(package.times(1000)):
      shape = (int(rng.integers(1, 4)), int(rng.integers(1, 4)))
      grid = fretsaw.Grid2D(np.zeros(shape, np.int32), 3, changes_links=True)
      for call in (lambda: grid.update(anything()), lambda: grid.update(pixels=anything(), values=anything()),
                   lambda: grid.update_links(anything(), "south", anything()), lambda: grid.energy(anything()),
                   lambda: grid.mask(out=anything())):
        try:
          grid.maxflow()
          call()
        except fretsaw.Error:
          pass


class Quantized(unittest.TestCase):
  def test_bounds(self):
    """The floats' least energy is between the flow and the cut's, and the gap is between those."""
    rng = np.random.default_rng(5)
    for i in range(package.times(30)):
      shape = (3, 3)
      tlink = rng.normal(0, 10.0 ** rng.integers(-5, 6), shape)
      links = [rng.random(shape) * 10.0 ** rng.integers(-5, 6) for _ in range((2, 4)[i % 2])]
      back = [rng.random(shape) for _ in links] if i % 3 else None
      q = fretsaw.quantize(tlink, links, back)
      grid = fretsaw.Grid2D(q.tlink, q.links, q.links_back)
      bound = grid.maxflow() / q.scale

      def energy(mask):
        total = np.where(mask, np.maximum(-tlink, 0), np.maximum(tlink, 0)).sum()
        for d, (forth, reverse) in enumerate(zip(links, links if back is None else back)):
          here, there = package.slices(shape, d)
          total += (forth[here] * (mask[here] & ~mask[there])).sum()
          total += (reverse[here] * (~mask[here] & mask[there])).sum()
        return total

      best = min(energy(mask) for mask in package.all_masks(shape))
      found, slack = energy(grid.mask()), 1e-9 * max(1, np.abs(tlink).sum())
      self.assertLessEqual(bound, best + slack)
      self.assertLessEqual(found, best + q.gap(grid.mask()) + slack)
      self.assertLessEqual(q.gap(grid.mask()), q.error + slack)

  def test_exact(self):
    """Integers and halves lose nothing; infinite t-links bind."""
    tlink = np.array([[np.inf, 0.5], [-1.5, -np.inf]])
    q = fretsaw.quantize(tlink, [np.full((2, 2), 2.0)] * 2)
    self.assertEqual(q.error, 0)
    grid = fretsaw.Grid2D(q.tlink, q.links)
    self.assertEqual(grid.maxflow() / q.scale, 4.0)
    self.assertTrue(grid.mask()[0, 0] and not grid.mask()[1, 1])

  def test_refused(self):
    plane = np.ones((2, 2))
    for words, call in (("tlink: there are elements that are no numbers",
                         lambda: fretsaw.quantize(plane * np.nan, [plane, plane])),
                        (r"links\[1\]: there are elements that are no finite",
                         lambda: fretsaw.quantize(plane, [plane, plane * np.inf])),
                        (r"links\[0\]: capacities may not be negative",
                         lambda: fretsaw.quantize(plane, [-plane, plane])),
                        ("scale: with 100000 ", lambda: fretsaw.quantize(plane, [plane, plane], scale=1e5)),
                        ("links: there are 1 planes; 2 are for 4", lambda: fretsaw.quantize(plane, [plane]))):
      with self.assertRaisesRegex(fretsaw.InvalidError, words):
        call()


class Leaks(unittest.TestCase):
  def test_references(self):
    """Nothing is left of grids, results and refusals."""
    tlink, link = np.ones((8, 8), np.int32), np.ones((8, 8), np.uint16)
    wrong = np.ones((7, 8), np.uint16)

    def once():
      grid = fretsaw.Grid2D(tlink, (link, link), context=fretsaw.Context(threads=1))
      grid.maxflow(progress=lambda f: None)
      grid.certify()
      grid.update(pixels=[1], values=[-3])
      for bad in ((link, wrong), (link,)):
        try:
          fretsaw.Grid2D(tlink, bad)
        except fretsaw.Error:
          pass
      try:
        grid.certify()
      except fretsaw.Error:
        pass

    once()
    before = [sys.getrefcount(o) for o in (tlink, link, wrong, None, True, fretsaw.Context)]
    for _ in range(200):
      once()
    after = [sys.getrefcount(o) for o in (tlink, link, wrong, None, True, fretsaw.Context)]
    self.assertEqual(before[:3], after[:3])
    self.assertTrue(all(abs(a - b) < 20 for a, b in zip(before[3:], after[3:])), (before, after))


sys.exit(tap.main())
