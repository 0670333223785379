#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench_python.py BUILD [PYMAXFLOW | --large]: photos cut from Python, beside PyMaxflow, and a grid of 36 megapixels.

BUILD is a build folder, PYMAXFLOW a checkout whose extension has been built in place (setup.py build_ext --inplace).
Photos (photo_problems.py) are scaled to 0.7, 1.5 and 2.5 megapixels, with 8 neighbours. Times are the processor's, of one
thread, the least of three, from the arrays of capacities to the mask: with PyMaxflow, with the same script and its import
changed, and with Grid2D. Values and masks of all three are compared. With --large the grid alone is cut.
"""

import gc
import os
import subprocess
import sys
import time

import numpy as np

from photo_problems import OFFSETS, make_problem, photos, read

MEGAPIXELS = (0.7, 1.5, 2.5)
ROUNDS = 3
STRUCTURES = tuple(np.array([[0, 0, 0], [0, 0, dy == 0], [dy and dx == -1, dy and dx == 0, dy and dx == 1]], int)
                   for dy, dx in OFFSETS)


def by_names(maxflow, tlink, source, sink, links):
  graph = maxflow.Graph[int](tlink.size, 4 * tlink.size)
  nodes = graph.add_grid_nodes(tlink.shape)
  for structure, plane in zip(STRUCTURES, links):
    graph.add_grid_edges(nodes, plane, structure, symmetric=True)
  graph.add_grid_tedges(nodes, source, sink)
  value = graph.maxflow()
  return value, ~graph.get_grid_segments(nodes)


def by_grid(fretsaw, context, tlink, links):
  grid = fretsaw.Grid2D(tlink, links, borrow=True, context=context)
  return grid.maxflow(), grid.mask()


def measure(works):
  """Each work's least time in milliseconds, and its result; they take turns."""
  best, results = [float("inf")] * len(works), [None] * len(works)
  for _ in range(ROUNDS):
    for number, work in enumerate(works):
      results[number] = None
      gc.collect()
      start = time.process_time()
      results[number] = work()
      best[number] = min(best[number], time.process_time() - start)
  return [seconds * 1000 for seconds in best], results


def compare(fretsaw, ours, theirs):
  context = fretsaw.Context(threads=1)
  print("| photo | MP | PyMaxflow, ms | import changed, ms | ratio | Grid2D, ms | ratio |\n|---|---|---|---|---|---|---|")
  ratios = []
  for name, photo, seeds, greys in photos():
    for megapixels in MEGAPIXELS:
      tlink, links = make_problem(*read(photo, seeds, greys, megapixels))
      source, sink = np.maximum(tlink, 0), np.maximum(-tlink, 0)
      works = [lambda: by_grid(fretsaw, context, tlink, links)]
      works += [lambda maxflow=maxflow: by_names(maxflow, tlink, source, sink, links) for maxflow in (ours, theirs) if maxflow]
      (grid, names, *other), results = measure(works)
      assert all(value == results[0][0] and (mask == results[0][1]).all() for value, mask in results), name
      other = other[0] if theirs else float("nan")
      ratios.append([other / names, other / grid])
      print(f"| {name} | {tlink.size / 1e6:.1f} | {other:.0f} | {names:.0f} | {other / names:.1f} | {grid:.0f} "
            f"| {other / grid:.1f} |", flush=True)
  if theirs:
    print(f"| mean | | | | {np.mean(ratios, axis=0)[0]:.1f} | | {np.mean(ratios, axis=0)[1]:.1f} |")


def cut_large(fretsaw):
  """36 megapixels of the sample, with noise."""
  _, photo, seeds, greys = next(photos())
  tlink, links = make_problem(*read(photo, seeds, greys, 36))
  gc.collect()
  with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
    file.write("5")   # the peak begins anew
  before = memory_mb("VmRSS")
  start = time.process_time()
  grid = fretsaw.Grid2D(tlink, links, borrow=True, context=fretsaw.Context(threads=1))
  made = memory_mb("VmHWM")
  grid.maxflow()
  seconds = time.process_time() - start
  print(f"36 megapixels, 8 neighbours: {seconds:.1f} s; arrays {sum(p.nbytes for p in (tlink, *links)) / 1e6:.0f} MB; the "
        f"process grew by {made - before:.0f} MB when the grid was made, and by {memory_mb('VmHWM') - before:.0f} at most "
        f"until it was cut; forecast {fretsaw.Grid2D.forecast_bytes(tlink.shape, 8) / 1e6:.0f} MB")


def memory_mb(field):
  with open("/proc/self/status", encoding="ascii") as file:
    return next(int(line.split()[1]) * 1024 / 1e6 for line in file if line.startswith(field))


def main():
  sys.path.insert(0, os.path.join(sys.argv[1], "python"))
  import fretsaw
  from fretsaw import maxflow as ours
  if sys.argv[2:] == ["--large"]:
    cut_large(fretsaw)
    return
  theirs = None
  if len(sys.argv) > 2:
    sys.path.insert(0, sys.argv[2])
    import maxflow as theirs
  print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)
  compare(fretsaw, ours, theirs)
  # A process of its own, whose memory is that of one grid.
  subprocess.run([sys.executable, __file__, sys.argv[1], "--large"], check=True)
  print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
  main()
