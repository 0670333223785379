#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw cut --skin`: a mask without seeds, and that the table is the samples' own."""

import json
import os
import random
import subprocess
import sys
import unittest

import pixels
import program

WIDTH, HEIGHT = 90, 60
MAKER = os.path.join(program.SOURCE, "energy", "colour", "skin_table.py")
TABLE = os.path.join(program.SOURCE, "energy", "colour", "skin_table.h")


def inside(x, y):
  return (x - 45) ** 2 + 2 * (y - 30) ** 2 < 400


def made_photo():
  """A face's colours in an ellipse, a blue wall around it, both noisy."""
  rng = random.Random(8)
  rgb = bytearray()
  for y in range(HEIGHT):
    for x in range(WIDTH):
      base = (205, 150, 110) if inside(x, y) else (60, 90, 150)
      rgb += bytes(b + rng.randrange(-12, 13) for b in base)
  return bytes(rgb)


class Skin(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.photo, self.mask, self.report = map(self.path, ("photo.png", "mask.png", "report.json"))
    self.seeds = self.path("seeds.png")
    pixels.write_png(self.photo, WIDTH, HEIGHT, pixels.RGB, made_photo())

  def write_seeds(self, labels):
    seeds = bytearray(WIDTH * HEIGHT)
    for (x, y), label in labels.items():
      seeds[y * WIDTH + x] = label
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, bytes(seeds))

  def cut(self, *options):
    self.assert_done(self.run_program("cut", self.photo, "--skin", "--mask", self.mask, "--report", self.report,
                                      "--verify", *options))
    return pixels.Png(self.mask).plane(0)

  def test_without_seeds(self):
    mask = self.cut()
    wanted = bytes(255 * inside(x, y) for y in range(HEIGHT) for x in range(WIDTH))
    self.assertLess(sum(a != b for a, b in zip(mask, wanted)), 40)
    with open(self.report, encoding="utf-8") as file:
      report = json.load(file)
    self.assertEqual((report["model"], report["exact"]), ("skin", True))
    self.assertTrue(report["certificate"]["holds"])

  def test_seeds_correct(self):
    self.write_seeds({(45, 30): 1, (5, 5): 2})
    mask = self.cut("--seeds", self.seeds)
    self.assertEqual((mask[30 * WIDTH + 45], mask[5 * WIDTH + 5]), (0, 255))
    self.assertEqual((mask[30 * WIDTH + 55], mask[50 * WIDTH + 5]), (255, 0))

  def test_refused(self):
    for options in (["--model", "gmm"], ["--preview"], ["--iterations", "2"]):
      self.assert_refused(self.run_program("cut", self.photo, "--skin", *options), 2, "--skin")
    self.assert_refused(self.run_program("cut", self.photo), 2, "--skin")
    self.write_seeds({(45, 30): 2, (5, 5): 3})
    run = self.run_program("cut", self.photo, "--skin", "--seeds", self.seeds, "--mask", self.mask)
    self.assert_refused(run, 1, "seeds.png: ", "label 3")
    self.assertFalse(os.path.exists(self.mask))


class Table(unittest.TestCase):
  def test_is_made_of_the_samples(self):
    samples = program.shared("skin", "skin_nonskin.txt")
    made = subprocess.run([sys.executable, MAKER, samples], check=True, capture_output=True).stdout
    with open(TABLE, "rb") as file:
      self.assertEqual(made, file.read())

  def test_refuses_other_files(self):
    done = subprocess.run([sys.executable, MAKER, TABLE], check=False, capture_output=True, text=True)
    self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
  sys.exit(program.tap.main())
