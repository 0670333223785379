#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The GrabCut photos with strokes that people drew: every cut exact, and good on average."""

import json
import os
import sys

import pixels
import program

MEAN_IOU = 0.80


class GrabCut(program.ProgramTest):
  def names(self):
    formats = self.run_program("--version").out
    photos = sorted(os.listdir(program.shared("photos", "grabcut")))
    opened = [p for p in photos if not p.endswith(".bmp") or "BMP" in formats]
    self.assertGreater(len(opened), 10)
    return opened

  def cut(self, photo, neighbours):
    stem = os.path.splitext(photo)[0] + ".png"
    mask, report = self.path("mask.png"), self.path("report.json")
    run = self.run_program("cut", program.shared("photos", "grabcut", photo), "--seeds",
                           program.shared("seeds", "grabcut-scr2", stem), "--mask", mask,
                           "--report", report, "--neighbours", str(neighbours), "--verify")
    self.assertEqual(run.status, 0, run.err)
    with open(report, encoding="utf-8") as file:
      told = json.load(file)
    self.assertIs(told["exact"], True)
    self.assertEqual(told["energy"], told["bound"])
    self.assertEqual(told["neighbours"], neighbours)
    truth = pixels.Png(program.shared("truth", "grabcut", stem))
    return pixels.iou(pixels.Png(mask).pixels, truth.pixels)

  def check(self, neighbours):
    scores = {photo: self.cut(photo, neighbours) for photo in self.names()}
    mean = sum(scores.values()) / len(scores)
    worst = min(scores, key=scores.get)
    print(f"# {len(scores)} photos, {neighbours} neighbours: mean IoU {mean:.4f},"
          f" worst {scores[worst]:.3f} ({worst})", flush=True)
    self.assertGreaterEqual(mean, MEAN_IOU)

  def test_4_neighbours(self):
    self.check(4)

  def test_8_neighbours(self):
    self.check(8)


if __name__ == "__main__":
  sys.exit(program.tap.main())
