#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program of ./dev quality on the sample photo and, where it is, on the data pack."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]
import pack  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
import tap  # noqa: E402

BUILD = os.environ["FRETSAW_BUILD"]
SAMPLE = os.path.join(pack.SOURCE, "data", "sample")
# The strokes of the sample: largest error, least IoU and boundary F. Colours alone leave holes.
BOUNDS = {"geodesic": (0.022, 0.88, 0.60), "kmeans": (0.015, 0.90, 0.65), "gmm": (0.03, 0.82, 0.45)}


def sample(name):
  return os.path.join(SAMPLE, name)


class Sample(unittest.TestCase):
  def cut(self, method, *starts):
    command = [os.path.join(BUILD, "tests", "quality", "quality"), "--photo", sample("sample.jpg"),
               "--truth", sample("truth.png"), "--method", method, *starts]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]

  def test_strokes(self):
    for method in run.models(BUILD):
      with self.subTest(method=method):
        cut, = self.cut(method, "scribbles=" + sample("seeds.png"))
        error, iou, boundary = BOUNDS[method]
        self.assertLess(cut["error"], error)
        self.assertGreater(cut["iou"], iou)
        self.assertGreater(cut["boundary"], boundary)
        self.assertIs(cut["exact"], True)
        self.assertEqual(cut["star_violations"], 0)

  def test_truth_as_a_trimap_is_not_wrong(self):
    for method in run.models(BUILD):
      with self.subTest(method=method):
        cut, = self.cut(method, "trimap=" + sample("truth.png"))
        self.assertEqual((cut["error"], cut["iou"], cut["boundary"]), (0, 1, 1))

  def test_refuses(self):
    for arguments in (["--method", "magic", "clicks"], ["--method", "kmeans", "guess"],
                      ["--method", "kmeans", "scribbles=nothing.png"]):
      command = [os.path.join(BUILD, "tests", "quality", "quality"), "--photo",
                 sample("sample.jpg"), "--truth", sample("truth.png"), *arguments]
      self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 1)


class Figures(unittest.TestCase):
  def row(self, *ious):
    return {"clicks": [[0, 0, 5, 2, iou] for iou in ious]}

  def test_clicks_and_drops(self):
    row = self.row(0.4, 0.86, 0.75, 0.93, 0.94, 0.83)
    self.assertEqual([report.n_clicks(row, t) for t in report.TARGETS], [2, 4, 20])
    self.assertEqual(report.n_drops(row), 2)
    self.assertEqual([report.iou_after(row, n) for n in (1, 5, 10)], [0.4, 0.94, 0.83])

  def test_a_guess_may_be_enough(self):
    enough = dict(self.row(0.8, 0.96), iou_without_clicks=0.91)
    self.assertEqual([report.n_clicks_guessed(enough, t) for t in report.TARGETS], [0, 0, 2])

  def test_stability_may_break_the_star(self):
    def row(start, **more):
      return {"method": "geodesic", "start": start, "exact": True, "star_violations": 0, **more}
    rows = [row("few"), row("few", star_violations=1), row("few", exact=False),
            row("stable-clicks"), row("stable-clicks", star_violations=3),
            row("few", method="opencv", exact=False, star_violations=7)]
    self.assertEqual(report.inexact(rows), [rows[2]])
    self.assertEqual(report.star_breakers(rows), ([rows[1]], [rows[4]]))

  def test_a_part_keeps_the_rest(self):
    old = [{"set": "a", "photo": p, "method": "m", "start": "s", "iou": 0} for p in "xy"]
    new = [dict(old[0], iou=1)]
    self.assertEqual([row["iou"] for row in run.merged(old, new)], [1, 0])


@unittest.skipUnless(pack.photos("grabcut"), "no data pack")
class Pack(unittest.TestCase):
  def test_two_photos(self):
    with tempfile.TemporaryDirectory() as folder:
      out = os.path.join(folder, "quality.json")
      status = run.main([BUILD, out, "--sets", "grabcut,bsds", "--starts", "scr2,scr", "--limit",
                         "2", "--protocols", "static", "--jobs", "1"])
      self.assertEqual(status, 0)
      rows = [row for row in run.read_rows(out) if row["method"] != "opencv"]
    self.assertEqual(len(rows), 6 * len(run.models(BUILD)))
    self.assertEqual((report.inexact(rows), report.star_breakers(rows)), ([], ([], [])))
    self.assertGreater(report.mean([row["iou"] for row in rows]), 0.7)


if __name__ == "__main__":
  sys.exit(tap.main())
