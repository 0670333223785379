#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw mrf` on the Middlebury problems: energies as good as published, and as it says they are."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [HERE, os.path.join(HERE, "..", "e2e")]
import mrf_energy  # noqa: E402
import mrf_problems  # noqa: E402
import pixels  # noqa: E402
import program  # noqa: E402


class Middlebury(program.ProgramTest):
  def minimise(self, name, *options):
    """The report, and the labels as they stand in the picture."""
    if not mrf_problems.is_there(name):
      raise unittest.SkipTest("no data pack: mrf/" + name)
    problem, out, report = mrf_problems.write(name, self.folder), self.path("l.png"), self.path("r.json")
    run = self.run_program("mrf", problem, "--out", out, "--report", report, *options)
    self.assertEqual(run.status, 0, run.err)
    with open(report, encoding="utf-8") as file:
      return json.load(file), pixels.Png(out).plane(0), run

  def energy_of(self, name, labels):
    images = [pixels.Png(path) for path in mrf_problems.images(name)]
    if name == "panorama":
      return mrf_energy.montage(images, labels)
    return (mrf_energy.restoration if name == "penguin"
            else lambda *rest: mrf_energy.stereo(name, *rest))(*images, labels)

  def check(self, name):
    report, labels, run = self.minimise(name)
    print(f"# {name}: energy {report['energy']}, {len(report['cycles'])} cycles")
    self.assertTrue(report["converged"])
    self.assertLessEqual(report["energy"], mrf_problems.GOALS[name])
    self.assertLessEqual(report["bound"], report["energy"])
    self.assertEqual((report["data"], report["smoothness"]), self.energy_of(name, labels))
    energies = [cycle["energy"] for cycle in report["cycles"]]
    self.assertEqual(energies, sorted(energies, reverse=True))
    self.assertEqual("truncated" in report, "no metric" in run.err)

  def test_tsukuba(self):
    self.check("tsukuba")

  def test_venus(self):
    self.check("venus")

  def test_penguin(self):
    self.check("penguin")

  def test_panorama(self):
    self.check("panorama")

  def test_reuse_and_threads_change_nothing(self):
    labels = [self.minimise("tsukuba", *options)[1] for options in (
      ("--verify",), ("--reuse", "none", "--threads", "2"), ("--reuse", "label"), ("--reuse", "cycle"))]
    for others in labels[1:]:
      self.assertEqual(labels[0], others)


if __name__ == "__main__":
  sys.exit(program.tap.main())
