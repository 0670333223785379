#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of the benchmark: what a stopped run leaves, and that a missed goal is told."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]
import goals  # noqa: E402
import plot  # noqa: E402
import report  # noqa: E402
import tap  # noqa: E402

EMPTY = {"date": "1970-01-01", "commit": "0", "command": "./dev bench", "minutes": 0, "finished": False,
         "machine": {"cpu": "c", "cores": 1, "system": "s"}, "solver": [], "pipeline": [], "preview": []}


def solved(size, solve_ms, worst_stroke_ms=1.0):
  times = {"ours": [0.1, 0.1, worst_stroke_ms], "bk": [0.5, 0.5, 9.0], "turned": [0, 0, 7]}
  return {"size": size, "neighbours": 8, "photo": "p.jpg", "megapixels": size, "scale": 2.0,
          "ours": {"build": 1, "solve": solve_ms, "wall": solve_ms + 1}, "threads": 2,
          "threads_wall": solve_ms / 2, "threads_cpu": solve_ms,
          "bk": {"build": 9, "solve": 91, "wall": 100}, "stroke": times, "undo": times, "flip": times,
          "refit": 5, "refit_cold": 10, "bytes_per_pixel": 32}


def result(*rows):
  return {**EMPTY, "solver": list(rows)}


def met(what, *rows):
  return {w: m for w, _, _, m in goals.goals(result(*rows))}[what]


class Page(unittest.TestCase):
  cold = "cold at 0.7 MP, 8 neighbours, one thread, against BK"
  stroke = "a stroke at 0.7 MP, median / worst"

  def test_nothing_measured(self):
    text = "\n".join(report.document(EMPTY))
    self.assertIn("stopped before its end", text)
    self.assertNotIn("Missed:", text)
    self.assertIsNone(met(self.cold))
    self.assertIn("</svg>", list(plot.plot([])))

  def test_ratio(self):
    self.assertTrue(met(self.cold, solved(0.7, 19)))
    self.assertFalse(met(self.cold, solved(0.7, 29)))

  def test_stroke(self):
    self.assertTrue(met(self.stroke, solved(0.7, 19, 10.0)))
    self.assertFalse(met(self.stroke, solved(0.7, 19, 10.1)))

  def test_missed_is_told(self):
    text = "\n".join(report.document(result(solved(0.7, 99))))
    self.assertRegex(text, f"Missed: .*{self.cold}")

  def test_joined(self):
    other = {**result(solved(2.5, 19)), "commit": "f00"}
    both = report.joined([result(solved(0.7, 19)), other])
    self.assertEqual([row["size"] for row in both["solver"]], [0.7, 2.5])
    self.assertIn("commit f00, gave more cold solves", "\n".join(report.document(both)))

  def test_plot(self):
    lines = list(plot.plot([solved(0.7, 19), solved(2.5, 99)]))
    self.assertEqual(sum("<title>" in line for line in lines), 2)


if __name__ == "__main__":
  tap.main()
