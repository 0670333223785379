#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--outline`: filled again, outlines are the mask to the pixel, whatever the tolerance, and other programs open them."""

import os
import shutil
import subprocess
import sys
import unittest

import outlines
import pixels
import program

PHOTO = os.path.join(program.SOURCE, "data", "sample", "sample.jpg")
SEEDS = os.path.join(program.SOURCE, "data", "sample", "seeds.png")


class TestOutline(program.ProgramTest):
  def cut(self, *options, seeds=SEEDS):
    return self.run_program("cut", PHOTO, "--seeds", seeds, *options)

  def several(self):
    """The object's seeds in two: labels 2 and 5."""
    seeds, path = pixels.Png(SEEDS), self.path("seeds.png")
    middle = seeds.width * 11 // 20
    numbers = [5 if v == 2 and p % seeds.width > middle else v for p, v in enumerate(seeds.pixels)]
    pixels.write_png(path, seeds.width, seeds.height, pixels.GREY, bytes(numbers))
    return path

  def test_mask_again(self):
    mask, outline = self.path("mask.png"), self.path("outline.svg")
    n_corners = []
    for options in (("--outline-tolerance", "0"), ("--outline-tolerance", "0.25"), ()):
      self.assert_done(self.cut("--mask", mask, "--outline", outline, *options))
      drawn = outlines.Outline(outline)
      picture = pixels.Png(mask)
      self.assertEqual((drawn.width, drawn.height), (picture.width, picture.height))
      self.assertEqual(drawn.box, [0, 0, picture.width, picture.height])
      self.assertEqual([path[0] for path in drawn.paths], ["object-1"])
      self.assertEqual(drawn.fill(drawn.paths[0][2]), bytes(picture.pixels))
      n_corners.append(sum(len(shape) for shape in drawn.paths[0][2]))
    print(f"# corners with 0, 0.25 and 0.5 pixels: {n_corners}")
    self.assertLess(n_corners[2], n_corners[0] / 2)

  def test_several_objects(self):
    labels, outline = self.path("labels.png"), self.path("outline.svg")
    self.assert_done(self.cut("--labels", labels, "--outline", outline, seeds=self.several()))
    drawn, picture = outlines.Outline(outline), pixels.Png(labels)
    self.assertEqual([path[0] for path in drawn.paths], ["object-1", "object-4"])
    for label, path in zip((2, 5), drawn.paths):
      self.assertEqual(drawn.fill(path[2]), bytes(pixels.select(picture.pixels, {label})))

  def test_other_programs(self):
    outline, mask, drawn = self.path("outline.svg"), self.path("mask.png"), self.path("drawn.png")
    self.assert_done(self.cut("--preview", "--mask", mask, "--outline", outline, "--outline-tolerance", "0"))
    if shutil.which("rsvg-convert") is None:
      raise unittest.SkipTest("rsvg-convert is not installed")
    subprocess.run(["rsvg-convert", outline, "-o", drawn], check=True)
    self.assertEqual(bytes(pixels.Png(drawn).plane(3)), bytes(pixels.Png(mask).pixels))

  def test_refused(self):
    outline = self.path("o.svg")
    for options, word in ((("--outline", self.path("o.png")), ".svg"), (("--mask", self.path("m.svg")), "--outline"),
                          (("--cutout", self.path("c.SVG")), "--outline"), (("--outline-tolerance", "0.1"), "--outline"),
                          (("--outline", outline, "--outline-tolerance", "0.6"), "0.5"),
                          (("--outline", outline, "--outline-tolerance", "nan"), "0.5"),
                          (("--outline", outline, "--outline-tolerance", ""), "0.5"),
                          (("--outline", outline, "--report", outline), "two outputs")):
      self.assert_refused(self.cut(*options), 2, word)
      self.assertFalse(os.path.exists(outline))


if __name__ == "__main__":
  sys.exit(program.tap.main())
