#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw maxflow` through the real program: flow, cut and report, and how it refuses."""

import json
import os
import subprocess
import sys

import program

TINY = """c tiny
p max 4 5
n 1 s
n 4 t
a 1 2 3
a 1 3 2
a 2 3 5
a 2 4 2
a 3 4 2
"""
GENERATOR = os.path.join(program.BUILD, "tests", "e2e", "make_network")


def read_cut(path):
  """(flow, {node: side}) of a cut file, read as its format says."""
  flow, sides = None, {}
  with open(path, encoding="utf-8") as file:
    for line in file:
      kind, *words = line.split()
      if kind == "s":
        flow = int(words[0])
      elif kind == "n":
        sides[int(words[0])] = int(words[1])
  return flow, sides


def cut_value(problem, sides):
  """The capacity of the arcs from side 1 to side 0."""
  arcs = [line.split()[1:] for line in problem.splitlines() if line.startswith("a")]
  return sum(int(c) for u, v, c in arcs if sides[int(u)] == 1 and sides[int(v)] == 0)


class Maxflow(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.problem, self.cut, self.report = map(self.path, ("tiny.max", "cut.txt", "report.json"))
    self.write(TINY)

  def write(self, text):
    with open(self.problem, "w", encoding="utf-8") as file:
      file.write(text)

  def test_tiny(self):
    run = self.run_program("maxflow", self.problem, "--cut", self.cut, "--report", self.report, "--verify")
    self.assert_done(run)
    self.assertRegex(run.out, r"\A4 nodes, 5 arcs, flow 4, exact, cpu, \d+ ms\n\Z")
    flow, sides = read_cut(self.cut)
    self.assertEqual((flow, sides), (4, {1: 1, 2: 1, 3: 1, 4: 0}))
    self.assertEqual(cut_value(TINY, sides), 4)
    with open(self.report, encoding="utf-8") as file:
      report = json.load(file)
    self.assertEqual(report["problem"], {"nodes": 4, "arcs": 5})
    self.assertEqual((report["flow"], report["exact"], report["source_nodes"]), (4, True, 3))
    self.assertEqual(report["energy"], report["bound"])
    self.assertTrue(all(report["certificate"].values()))
    self.assertEqual(set(report["time_us"]), {"read", "build", "cut", "verify", "write", "total"})

  def test_always_flowing(self):
    """Arcs from source to sink and through one node alone count in the flow."""
    self.write("p max 3 3\nn 1 s\nn 3 t\na 1 3 7\na 1 2 5\na 2 3 4\n")
    run = self.run_program("maxflow", self.problem, "--cut", self.cut)
    self.assert_done(run)
    self.assertIn("flow 11,", run.out)
    self.assertEqual(read_cut(self.cut), (11, {1: 1, 2: 1, 3: 0}))

  def test_generated(self):
    for form in ("grid", "random", "layered", "cube"):
      with self.subTest(form):
        text = subprocess.run([GENERATOR, form, "3000", "5"], check=True, capture_output=True, text=True).stdout
        self.write(text)
        self.assert_done(self.run_program("maxflow", self.problem, "--cut", self.cut, "--verify"))
        flow, sides = read_cut(self.cut)
        self.assertGreater(flow, 0)
        self.assertEqual(cut_value(text, sides), flow)
        self.assertEqual({sides[max(sides) - 1], sides[max(sides)]}, {0, 1})

  def test_refused(self):
    self.write(TINY.replace("a 1 3 2", "a 1 9 2"))
    run = self.run_program("maxflow", self.problem, "--cut", self.cut)
    self.assert_refused(run, 1, "tiny.max: line 6: ", "larger than 4")
    self.assertFalse(os.path.exists(self.cut))
    self.assert_refused(self.run_program("maxflow", self.path("none.max")), 1, "none.max: ")

  def test_great_sums(self):
    most = 65 * "a 1 2 2147483647\n"
    for arcs, flow in (most + most.replace("1 2", "2 3"), 139586437055), (most + "a 2 3 1\n", 1):
      self.write("p max 3 %d\nn 1 s\n%sn 3 t\n" % (arcs.count("a"), arcs))
      run = self.run_program("maxflow", self.problem, "--verify")
      self.assert_done(run)
      self.assertIn("flow %d," % flow, run.out)

  def test_wrong_usage(self):
    for words in ([], [self.problem, self.problem], [self.problem, "--cut", self.problem],
                  [self.problem, "--cut", self.cut, "--report", self.cut], [self.problem, "--nonsense"]):
      self.assert_refused(self.run_program("maxflow", *words), 2, "maxflow --help")

  def test_output_that_cannot_be_written(self):
    for option in ("--cut", "--report"):
      run = self.run_program("maxflow", self.problem, option, self.path("none/out"))
      self.assert_refused(run, 1, "none/out")


if __name__ == "__main__":
  sys.exit(program.tap.main())
