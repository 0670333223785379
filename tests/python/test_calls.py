#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Long calls: other threads run, Control-C ends them, progress is reported; and the memory that grids take."""

import os
import signal
import sys
import threading
import time
import tracemalloc
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402
import fretsaw  # noqa: E402
import numpy as np  # noqa: E402
import tap  # noqa: E402


def hard_grid(size=600, seed=6):
  """A problem that takes a second or so."""
  rng = np.random.default_rng(seed)
  tlink = rng.integers(-100, 101, (size, size)).astype(np.int32)
  links = [rng.integers(0, 250, (size, size)).astype(np.uint16) for _ in range(4)]
  return fretsaw.Grid2D(tlink, links, context=fretsaw.Context(threads=1))


class Calls(unittest.TestCase):
  def test_other_threads_run(self):
    """A loop on another thread goes on while a grid is solved."""
    grid = hard_grid()
    ticks, done = [], threading.Event()

    def tick():
      while not done.is_set():
        ticks.append(time.monotonic())
        time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    grid.maxflow()
    end = time.monotonic()
    done.set()
    thread.join()
    within = [t for t in ticks if start < t < end]
    self.assertGreater(len(within), 10, f"{end - start} s")
    gaps = np.diff([start, *within, end])
    self.assertLess(gaps.max(), 0.5 * (end - start))

  def test_control_c(self):
    """SIGINT ends a solve at once; the next one goes on and is exact."""
    wanted = hard_grid()
    energy = wanted.maxflow()
    grid = hard_grid()
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    caught = 0
    try:
      try:
        grid.maxflow()
      finally:
        timer.join()
    except KeyboardInterrupt:
      caught = 1
    self.assertEqual(caught, 1)
    self.assertEqual(grid.maxflow(), energy)
    np.testing.assert_array_equal(grid.mask(), wanted.mask())

  def test_progress(self):
    """Fractions come, and an exception in the report ends the call."""
    fractions = []
    grid = hard_grid()
    grid.maxflow(progress=fractions.append)
    self.assertTrue(fractions and all(0 <= f <= 1 for f in fractions), fractions)

    def stop(fraction):
      raise KeyError("enough")

    grid = hard_grid()
    with self.assertRaisesRegex(KeyError, "enough"):
      grid.maxflow(progress=stop)
    self.assertIsNone(grid.solution)
    grid.maxflow()
    self.assertTrue(grid.certify())

  def test_busy(self):
    """One object on two threads is refused; two objects run at once."""
    grid, other = hard_grid(), hard_grid(seed=7)
    refusals = []

    def report(fraction):
      try:
        grid.mask()
      except fretsaw.BusyError as error:
        refusals.append(error)

    thread = threading.Thread(target=other.maxflow)
    thread.start()
    grid.maxflow(progress=report)
    thread.join()
    self.assertTrue(refusals)
    self.assertTrue(grid.certify() and other.certify())


class Memory(unittest.TestCase):
  @staticmethod
  def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
      return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

  @unittest.skipIf(package.SHARE > 1, "once is enough")
  def test_large_grid(self):
    """36 megapixels are made without copies of links, and cut in the memory that was forecast."""
    shape = (6000, 6000)
    tlink = np.empty(shape, np.int32)
    tlink[...] = (np.arange(6000, dtype=np.int32) % 700)[:, None] - 300
    links = [np.full(shape, 20, np.uint16) for _ in range(2)]
    links[0][:, -1], links[1][-1] = 0, 0
    before = self.resident()
    tracemalloc.start()   # NumPy's arrays are counted, and the library's memory is not
    grid = fretsaw.Grid2D(tlink, links, borrow=True, context=fretsaw.Context(threads=1))
    grid.maxflow()
    copies = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    solved = self.resident() - before
    print(f"# {copies} bytes of copies; {solved >> 20} MiB solved, {fretsaw.Grid2D.forecast_bytes(shape) >> 20} forecast")
    self.assertLess(copies, 1 << 16)
    self.assertLess(solved, fretsaw.Grid2D.forecast_bytes(shape))
    before = self.resident()
    mask = grid.mask()
    self.assertLess(self.resident() - before, mask.nbytes + (16 << 20))
    mask = mask.sum(axis=1)
    self.assertEqual(set(np.unique(mask)), {0, 6000})


sys.exit(tap.main())
