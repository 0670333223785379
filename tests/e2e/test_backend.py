#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Backends on a machine without a device: the processor cuts, one line says so, and nobody waits for it."""

import json
import os
import shutil
import sys
import unittest

import program

SAMPLE = os.path.join(program.SOURCE, "data", "sample")
PHOTO, SEEDS = (os.path.join(SAMPLE, name) for name in ("sample.jpg", "seeds.png"))
MODULE = os.path.join(program.BUILD, "solver", "kernels", "fretsaw-cuda.so")
NONE = "the CUDA backend cannot be used: "


class WithoutDevice(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.environment.pop("FRETSAW_BACKEND", None)
    self.environment.update(FRETSAW_CUDA_MODULE=self.path("nowhere.so"), CUDA_VISIBLE_DEVICES="",
                            XDG_CACHE_HOME=self.path("cache"))

  def cut(self, *options):
    report = self.path("report.json")
    run = self.run_program("cut", PHOTO, "--seeds", SEEDS, "--report", report, *options)
    with open(report, encoding="utf-8") as file:
      return run, json.load(file)

  def assert_one_line(self, run, text):
    self.assertEqual(run.status, 0, run.err)
    self.assertEqual(run.err, f"fretsaw: {text}; using the CPU\n")

  def test_cuda_is_wanted(self):
    silent, expected = self.cut("--backend", "cpu")
    self.assert_done(silent)
    run, report = self.cut("--backend", "cuda")
    self.assert_one_line(run, NONE + "its module is not installed")
    for key in ("backend", "device", "energy", "object_pixels", "exact"):
      self.assertEqual(report[key], expected[key], key)

  def test_cuda_is_wanted_by_the_environment(self):
    self.environment["FRETSAW_BACKEND"] = "cuda"
    run, report = self.cut()
    self.assert_one_line(run, NONE + "its module is not installed")
    self.assertEqual(report["backend"], "cpu")
    self.assert_done(self.cut("--backend", "cpu")[0])

  def test_network(self):
    problem, report = self.path("tiny.max"), self.path("report.json")
    with open(problem, "w", encoding="utf-8") as file:
      file.write("p max 3 2\nn 1 s\nn 3 t\na 1 2 3\na 2 3 2\n")
    run = self.run_program("maxflow", problem, "--backend", "cuda", "--report", report)
    self.assert_one_line(run, NONE + "its module is not installed")
    self.assertIn("flow 2, exact, cpu,", run.out)
    with open(report, encoding="utf-8") as file:
      self.assertEqual(json.load(file)["backend"], "cpu")
    self.assert_done(self.run_program("maxflow", problem))
    self.assert_refused(self.run_program("maxflow", problem, "--backend", "abacus"), 2, "--backend")

  def test_auto_is_silent(self):
    run, report = self.cut()
    self.assert_done(run)
    self.assertEqual(report["backend"], "cpu")
    self.assertFalse(os.path.exists(self.path("cache/fretsaw/backends")))

  def test_devices_are_named(self):
    """By their number, without --backend cuda."""
    self.environment.pop("CUDA_VISIBLE_DEVICES")
    run, report = self.cut("--device", "0")
    self.assert_one_line(run, NONE + "its module is not installed")
    self.assertEqual(report["backend"], "cpu")
    for words in (("--devices", "0,1"), ("--devices", "0", "--jobs", "2", "--backend", "cuda")):
      out = self.path("out" + str(len(words)))
      shutil.copy(PHOTO, self.path("p.jpg"))
      shutil.copy(SEEDS, self.path("p-seeds.png"))
      run = self.run_program("cut", self.path("p.jpg"), "--out", out, *words)
      self.assert_one_line(run, NONE + "its module is not installed")
      self.assertIn("1 cut", run.out)
    self.environment["FRETSAW_BACKEND"] = "cpu"
    self.assert_done(self.cut("--device", "0")[0])

  def test_version_names_devices(self):
    run = self.run_program("--version")
    self.assert_done(run)
    lines = run.out.splitlines()
    self.assertRegex(lines[1], r"^backends: cpu \(CPU[^)]*\)$")
    self.assertEqual(lines[2], NONE + "its module is not installed")

  def test_replay_takes_a_backend(self):
    self.assert_refused(self.run_program("replay", "--backend", "abacus", "x.fretsaw"), 2, "--backend")

  @unittest.skipUnless(os.path.exists(MODULE), "this build has no CUDA module")
  def test_start_is_not_slower(self):
    """The module is there, a device is not."""
    seconds = {}
    for module in (self.path("nowhere.so"), MODULE):
      self.environment["FRETSAW_CUDA_MODULE"] = module
      seconds[module] = min(self.run_program("--version").seconds for _ in range(5))
      run, report = self.cut("--backend", "cuda")
      self.assertEqual((run.status, len(run.err.splitlines()), report["backend"]), (0, 1, "cpu"))
    slower = seconds[MODULE] - seconds[self.path("nowhere.so")]
    print(f"# looking for a device takes {slower * 1000:.0f} ms", flush=True)
    self.assertLess(slower, 0.2 * program.SLOWNESS)


if __name__ == "__main__":
  sys.exit(program.tap.main())
