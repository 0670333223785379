#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw cut` with several objects: their numbers come back, and one of them alone is the usual cut."""

import json
import os
import sys

import pixels
import program

PHOTO = os.path.join(program.SOURCE, "data", "sample", "sample.jpg")
SEEDS = os.path.join(program.SOURCE, "data", "sample", "seeds.png")


class Objects(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.seeds = pixels.Png(SEEDS)

  def cut(self, numbers, *options):
    """Labels, mask and report of the photo with other numbers for the seeds."""
    seeds = self.path("seeds.png")
    pixels.write_png(seeds, self.seeds.width, self.seeds.height, pixels.GREY, bytes(numbers))
    labels, mask, report = self.path("labels.png"), self.path("mask.png"), self.path("report.json")
    run = self.run_program("cut", PHOTO, "--seeds", seeds, "--labels", labels, "--mask", mask, "--report", report,
                           *options)
    self.assert_done(run)
    self.said = run.out
    with open(report, encoding="utf-8") as file:
      return pixels.Png(labels), pixels.Png(mask), json.load(file)

  def split(self):
    """The object's seeds in three: left 2, middle 3, right 7."""
    width = self.seeds.width
    places = [p % width for p, v in enumerate(self.seeds.pixels) if v == 2]
    low, high = min(places), max(places)
    numbers = (2, 3, 7)
    return [numbers[min(2, 3 * (p % width - low) // (high - low + 1))] if v == 2 else v
            for p, v in enumerate(self.seeds.pixels)]

  def test_several(self):
    numbers = self.split()
    labels, mask, report = self.cut(numbers, "--verify")
    self.assertEqual(labels.kind, pixels.INDEXED)
    self.assertEqual(set(labels.pixels), {1, 2, 3, 7})
    self.assertTrue(all(v in (0, label) for v, label in zip(numbers, labels.pixels)))
    self.assertEqual(bytes(255 if v > 1 else 0 for v in labels.pixels), bytes(mask.pixels))
    self.assertEqual(report["objects"], 3)
    self.assertIn(", 3 objects ", self.said)
    self.assertTrue(report["certificate"]["holds"])
    # The cuts are proven, the labelling is not: no bound beside them that is none.
    self.assertTrue(report["converged"])
    self.assertNotIn("exact", report)
    self.assertNotIn("bound", report)
    self.assertEqual(labels.pixels, self.cut(numbers, "--threads", "1")[0].pixels)

  def test_one_of_any_number(self):
    usual = self.cut(self.seeds.pixels)
    other = self.cut([9 if v == 2 else v for v in self.seeds.pixels])
    self.assertEqual(usual[1].pixels, other[1].pixels)
    self.assertEqual(usual[2]["energy"], other[2]["energy"])
    self.assertEqual(set(other[0].pixels), {1, 9})
    self.assertNotIn("objects", other[2])

  def test_refused(self):
    seeds = self.path("seeds.png")
    pixels.write_png(seeds, self.seeds.width, self.seeds.height, pixels.GREY, bytes(self.split()))
    for option in (["--preview"], ["--model", "gmm", "--iterations", "2"]):
      run = self.run_program("cut", PHOTO, "--seeds", seeds, "--mask", self.path("m.png"), *option)
      self.assert_refused(run, 1, "seeds.png", "several objects")
    self.assertFalse(os.path.exists(self.path("m.png")))


if __name__ == "__main__":
  sys.exit(program.tap.main())
