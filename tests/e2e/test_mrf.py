#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw mrf` by expansion moves, and the options that it refuses."""

import json
import os
import sys

import pixels
import program

# Labels 0 and 2 side by side cost more than by way of 1: a semi-metric.
PROBLEM = """fretsaw-mrf 1
grid 2 1 4
labels 3
data planes
smoothness table
planes text
end
0 500  200 200  500 0
0 1 90  1 0 1  90 1 0
"""


class Mrf(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.problem = self.path("problem.mrf")
    with open(self.problem, "w", encoding="utf-8") as file:
      file.write(PROBLEM)

  def label(self, *options):
    run = self.run_program("mrf", self.problem, "--report", self.path("report.json"), "--verify", *options)
    self.assertEqual(run.status, 0, run.err)
    with open(self.path("report.json"), encoding="utf-8") as file:
      return run, json.load(file)

  def test_expansions_truncate(self):
    run, report = self.label()
    self.assertIn("is no metric", run.err)
    self.assertEqual(report["kind"], "expansion")
    self.assertIn("truncated", report)

  def start_from_chains(self, old="labels 3", new="labels 3"):
    with open(self.problem, "w", encoding="utf-8") as file:
      file.write(PROBLEM.replace("end\n", "start chains\nend\n", 1).replace(old, new))

  def test_chains(self):
    self.start_from_chains()
    reports = [self.label("--reuse", kind)[1] for kind in ("none", "cycle")]
    for report in reports:
      self.assertEqual(report["energy"], 90)
      self.assertLess(0, report["bound"])
      self.assertLessEqual(report["bound"], 90)
      self.assertIn("start_us", report)

  def test_chains_refused(self):
    for old, new, words in (("grid 2 1 4", "grid 2 1 8", "4 neighbours"), ("1 0 1", "1 0 2", "potts, linear, square")):
      self.start_from_chains(old, new)
      self.assert_refused(self.run_program("mrf", self.problem), 1, "problem.mrf: labels cannot start from chains", words)

  def test_images_are_spared(self):
    """Images that the problem names are no arguments, but would be overwritten as well."""
    images = {name: self.path(name) for name in ("noisy.png", "cue.png")}
    for path in images.values():
      pixels.write_png(path, 2, 1, pixels.GREY, bytes((0, 3)))
    with open(self.problem, "w", encoding="utf-8") as file:
      file.write("fretsaw-mrf 1\ngrid 2 1 4\nlabels 4\ndata restoration noisy.png\nsmoothness potts 2\n"
                 "weights cue cue.png 9 2\nend\n")
    self.assert_done(self.run_program("mrf", self.problem, "--out", self.path("labels.png")))
    for name, path in images.items():
      os.symlink(path, path + ".json")
      self.assert_refused(self.run_program("mrf", self.problem, "--out", path), 1, name + ": is an input")
      self.assert_refused(self.run_program("mrf", self.problem, "--report", path), 2, "the ending of a picture")
      self.assert_refused(self.run_program("mrf", self.problem, "--report", path + ".json"), 1,
                          name + ".json: is an input")
      self.assertEqual(pixels.Png(path).pixels, bytes((0, 3)))

  def test_refused(self):
    for options, words in (
        (("--moves", "swap"), ("--moves",)),
        (("--reuse", "all"), ("--reuse takes none, cycle, label or both",)),
        (("--cycles", "1001"), ("--cycles takes 0 to 1000",)),
        (("--scale", "0"), ("--scale takes 1 to 255",))):
      self.assert_refused(self.run_program("mrf", self.problem, *options), 2, *words)


if __name__ == "__main__":
  sys.exit(program.tap.main())
