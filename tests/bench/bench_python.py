#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench_python.py BUILD [PYMAXFLOW | --large]: photos cut from Python, beside PyMaxflow, and a grid of 36 megapixels.

BUILD is a build folder, PYMAXFLOW a checkout whose extension has been built in place (setup.py build_ext --inplace);
FRETSAW_SHARED names the data pack, whose photos join the sample where it is there. Photos are scaled to 0.7, 1.5 and 2.5
megapixels. The problem: colour histograms of the strokes, contrast between 8 neighbours, all integers. Times are the
processor's, of one thread, the least of three, from the arrays of capacities to the mask: with PyMaxflow, with the same
script and its import changed, and with Grid2D. Values and masks of all three are compared. With --large the grid alone is cut.
"""

import gc
import os
import subprocess
import sys
import time

import numpy as np

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(SOURCE, "..", "shared")
MEGAPIXELS = (0.7, 1.5, 2.5)
PHOTOS = ("banana1", "flower", "llama", "sheep")
ROUNDS = 3
OFFSETS = ((0, 1), (1, 0), (1, 1), (1, -1))
STRUCTURES = tuple(np.array([[0, 0, 0], [0, 0, dy == 0], [dy and dx == -1, dy and dx == 0, dy and dx == 1]], int)
                   for dy, dx in OFFSETS)


def convert(path, channels, size=None, exact=False):
  """A picture's pixels, by ImageMagick."""
  words = ["convert", path + "[0]", *(["-filter", "point"] if exact else [])]
  words += ["-resize", f"{size[0]}x{size[1]}!"] if size else []
  raw = subprocess.run([*words, "-depth", "8", f"{'rgb' if channels == 3 else 'gray'}:-"], check=True,
                       capture_output=True).stdout
  return np.frombuffer(raw, np.uint8)


def photos():
  """Names, photos, strokes, and the strokes' values of background and object."""
  folder = os.path.join(SOURCE, "data", "sample")
  yield "sample", os.path.join(folder, "sample.jpg"), os.path.join(folder, "seeds.png"), None
  for name in PHOTOS:
    photo = next((path for ending in ("jpg", "png", "bmp")
                  if os.path.exists(path := os.path.join(SHARED, "data", "photos", "grabcut", f"{name}.{ending}"))), None)
    if photo:
      yield name, photo, os.path.join(SHARED, "data", "seeds", "grabcut-lasso", name + ".png"), (64, 255)


def read(photo, seeds, values, megapixels):
  width, height = map(int, subprocess.run(["identify", "-format", "%w %h", photo + "[0]"], check=True,
                                          capture_output=True, text=True).stdout.split())
  factor = (megapixels * 1e6 / (width * height)) ** 0.5
  size = round(width * factor), round(height * factor)
  image = convert(photo, 3, size).reshape(size[1], size[0], 3)
  marks = convert(seeds, 1, size, True).reshape(size[1], size[0])
  if values is None:
    return image, *(marks == value for value in np.unique(marks)[1:3])
  return image, marks <= values[0], marks == values[1]


def make_problem(image, background, thing):
  """T-links and links in integers."""
  bins = (image >> 4).astype(int) @ np.array([256, 16, 1])
  spread = [np.bincount(bins[where], minlength=4096) + 0.1 for where in (background, thing)]
  ratio = np.log(spread[1] / spread[1].sum()) - np.log(spread[0] / spread[0].sum())
  tlink = np.rint(100 * ratio)[bins].astype(np.int32)
  tlink[background], tlink[thing] = -1000000, 1000000
  colours = image.astype(np.float32)
  links = []
  for dy, dx in OFFSETS:
    there = np.roll(colours, (-dy, -dx), (0, 1))
    square = ((colours - there) ** 2).sum(axis=2)
    plane = np.rint(5000 * np.exp(-square / (2 * square.mean())) / np.hypot(dy, dx)).astype(np.uint16)
    if dy:
      plane[-1] = 0
    if dx:
      plane[:, -1 if dx > 0 else 0] = 0
    links.append(plane)
  return tlink, links


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


def measure(work):
  best, result = float("inf"), None
  for _ in range(ROUNDS):
    gc.collect()
    start = time.process_time()
    result = work()
    best = min(best, time.process_time() - start)
  return best * 1000, result


def compare(fretsaw, ours, theirs):
  context = fretsaw.Context(threads=1)
  print("| photo | MP | PyMaxflow, ms | import changed, ms | ratio | Grid2D, ms | ratio |\n|---|---|---|---|---|---|---|")
  ratios = []
  for name, photo, seeds, values in photos():
    for megapixels in MEGAPIXELS:
      tlink, links = make_problem(*read(photo, seeds, values, megapixels))
      source, sink = np.maximum(tlink, 0), np.maximum(-tlink, 0)
      grid, (value, mask) = measure(lambda: by_grid(fretsaw, context, tlink, links))
      names, result = measure(lambda: by_names(ours, tlink, source, sink, links))
      assert result[0] == value and (result[1] == mask).all(), name
      row = [float("nan"), float("nan")]
      if theirs:
        other, result = measure(lambda: by_names(theirs, tlink, source, sink, links))
        assert result[0] == value and (result[1] == mask).all(), name
        row = [other / names, other / grid]
        ratios.append(row)
      else:
        other = float("nan")
      print(f"| {name} | {tlink.size / 1e6:.1f} | {other:.0f} | {names:.0f} | {row[0]:.1f} | {grid:.0f} | {row[1]:.1f} |",
            flush=True)
  if ratios:
    print(f"| mean | | | | {np.mean(ratios, axis=0)[0]:.1f} | | {np.mean(ratios, axis=0)[1]:.1f} |")


def cut_large(fretsaw):
  """36 megapixels of the sample, with noise."""
  _, photo, seeds, values = next(photos())
  tlink, links = make_problem(*read(photo, seeds, values, 36))
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


main()
