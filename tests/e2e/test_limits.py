#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Little address space, files that may not grow, few threads: done, or one sentence; soon, and never a signal."""

import os
import resource
import subprocess
import sys
import time
import unittest

import batches
import pixels
import program

SAMPLE = os.path.join(program.SOURCE, "data/sample")
SESSION = os.path.join(program.SOURCE, "data/sessions/sample.fretsaw")
NOBODY = 65534
MB = 1 << 20
GRID = """fretsaw-mrf 1
grid 4000 4000 8
labels %d
data planes
smoothness potts 2
planes binary
end
"""


class Limits(program.ProgramTest):
  def limited(self, limit, value, *arguments, drops=False):
    def prepare():
      resource.setrlimit(limit, (value, value))
      if drops and os.getuid() == 0:
        os.setgroups([])
        os.setuid(NOBODY)
    start = time.monotonic()
    try:
      run = subprocess.run([program.PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           env=self.environment, preexec_fn=prepare, timeout=60)
    except PermissionError:
      raise unittest.SkipTest("another user cannot run the program here") from None
    self.assertLess(time.monotonic() - start, 30)
    self.assertIn(run.returncode, (0, 1, 3), run.stderr)
    if run.returncode == 1:
      self.assertRegex(run.stderr, r"\Afretsaw: [^\n]+\n\Z")
    return run

  def cut(self, model):
    return ("cut", os.path.join(SAMPLE, "sample.jpg"), "--seeds", os.path.join(SAMPLE, "seeds.png"),
            "--mask", self.path("mask.png"), "--model", model)

  def replay(self):
    return "replay", "--at-once", SESSION, "--mask", self.path("mask.png")

  def test_address_space(self):
    for model, megabytes in ("geodesic", 60), ("kmeans", 100), ("gmm", 140):
      with self.subTest(model=model, megabytes=megabytes):
        self.limited(resource.RLIMIT_AS, megabytes * MB, *self.cut(model))
    for megabytes in (40, 90):
      with self.subTest(megabytes=megabytes):
        self.limited(resource.RLIMIT_AS, megabytes * MB, *self.replay())

  def test_forecast(self):
    """Labels of a grid are refused with figures, before there is anything in memory."""
    path = self.path("p.mrf")
    with open(path, "wb") as file:
      file.write((GRID % 30).encode())
      file.truncate(4000 * 4000 * 30 * 4 + 200)
    run = self.limited(resource.RLIMIT_AS, 2200 * MB, "mrf", path)
    self.assertEqual(run.returncode, 1)
    self.assertRegex(run.stderr, r"4000 × 4000 pixels of 30 labels take \d+ MB of memory; \d+ MB may be used")

  def make_batch(self):
    """Four small photos and a large one."""
    photos = self.path("photos")
    batches.make_folder(photos, 4)
    pixels.write_png(os.path.join(photos, "large.png"), 8000, 6000, pixels.GREY, bytes(8000 * 6000))
    pixels.write_png(os.path.join(photos, "large-guess.png"), 8, 8, pixels.GREY, bytes(range(64)))
    return "cut", photos, "--out", self.path("masks"), "--jobs", "2"

  def test_batch(self):
    """A photo that memory is refused to costs a line, and no room on the disk or no process the run: in one."""
    words = self.make_batch()
    run = self.limited(resource.RLIMIT_AS, 600 * MB, *words)
    self.assertEqual(run.returncode, 3)
    self.assertRegex(run.stderr, r"\Afretsaw: [^\n]*large.png: [^\n]*memory[^\n]*\n\Z")
    self.assertIn("4 cut, 0 there already, 1 failed", run.stdout)
    for size in (0, 2000):
      words = (*words[:3], self.path(f"small-{size}"), "--jobs", "2")
      run = self.limited(resource.RLIMIT_FSIZE, size, *words)
      self.assertEqual(run.returncode, 1, run.stderr)
      self.assertIn("cannot be written", run.stderr)
    os.chmod(self.folder, 0o777)
    run = self.limited(resource.RLIMIT_NPROC, 1, *words[:3], self.path("none"), drops=True)
    self.assertEqual(run.returncode, 1, run.stderr)
    self.assertIn("no worker can be started", run.stderr)

  def test_size_of_files(self):
    for size, arguments in (0, self.cut("kmeans")), (100, self.replay()):
      with self.subTest(command=arguments[0], size=size):
        run = self.limited(resource.RLIMIT_FSIZE, size, *arguments)
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot be written", run.stderr)
        self.assertEqual([n for n in os.listdir(self.folder) if not n.startswith(".")], [])

  def test_threads(self):
    os.chmod(self.folder, 0o777)
    self.assertEqual(self.limited(resource.RLIMIT_NPROC, 1, *self.cut("gmm"), drops=True).returncode, 0)
    os.unlink(self.path("mask.png"))
    for n in (1, 2, 4):
      with self.subTest(threads=n):
        self.limited(resource.RLIMIT_NPROC, n, *self.replay(), drops=True)


if __name__ == "__main__":
  sys.exit(program.tap.main())
