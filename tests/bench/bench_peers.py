#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench_peers.py BUILD [--maxflow-algorithms DIR] [--gridcut DIR] [--gco DIR] [--small-pages] [--rounds N] [--sizes MP,MP…]

libfretsaw of a build folder beside other libraries of cuts and expansions, on the same capacities. Each DIR has sources that
you have fetched under their own licences: a checkout of patmjen/maxflow_algorithms (EIBFS, twice; pseudoflow), the
folder of GridCut's headers, gco 3. Boykov & Kolmogorov's code is Debian's libmaxflow-dev. What is not there is left out.

Every run is a process and has one thread. The libraries take turns, --rounds times (5; 3 from 10 megapixels on), and
the least of the processor's times counts: build, solve, and reading the mask. All masks and labellings are priced again
by NumPy, which proves that cuts are minimum ones where the price is the flow. glibc asks for huge pages for all
(GLIBC_TUNABLES), as libfretsaw does itself; with --small-pages nobody gets any. Memory is what the process grew by."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

try:
  import numpy as np
  import peer_problems
except ImportError as failure:
  print(f"skipped: {failure}")
  sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ("-O3", "-DNDEBUG", "-w")
LARGE = 10   # megapixels
OURS = "libfretsaw"


class Peer:
  def __init__(self, name, program, labels, cuts, largest=float("inf")):
    self.name, self.program, self.labels, self.cuts, self.largest = name, program, labels, cuts, largest

  def takes(self, problem):
    return (self.cuts if problem.table is None else self.labels) and problem.megapixels < self.largest


def compile_peer(folder, name, sources, flags, defines=()):
  """The program, or None where it does not compile."""
  frame, program = os.path.join(folder, "peer.o"), os.path.join(folder, name)
  if not os.path.exists(frame):
    subprocess.run(["cc", *FLAGS, "-c", os.path.join(HERE, "peers", "peer.c"), "-o", frame], check=True)
  words = ["g++", "-std=c++17"] if sources[0].endswith(".cpp") else ["cc"]
  done = subprocess.run([*words, *FLAGS, *defines, *(os.path.join(HERE, "peers", source) for source in sources), frame,
                         *flags, "-o", program], check=False)
  if done.returncode:
    print(f"{name} does not compile and is left out", file=sys.stderr)
  return program if done.returncode == 0 else None


def compile_peers(arguments, folder):
  """All of them, those that do not compile without a program."""
  library, root = os.path.join(os.path.abspath(arguments.build), "library"), os.path.join(HERE, "..", "..")
  flags = ["-I" + root, "-L" + library, "-lfretsaw", "-Wl,-rpath," + library]
  yield Peer(OURS, compile_peer(folder, "fretsaw", ["peer_fretsaw.c"], flags), True, True)
  yield Peer(OURS + ", n-links borrowed", compile_peer(folder, "borrow", ["peer_fretsaw.c"], flags, ["-DPEER_BORROW"]), False,
             True)
  words = subprocess.run(["pkg-config", "--cflags", "--libs", "maxflow"], capture_output=True, text=True, check=False)
  if words.returncode == 0:
    yield Peer("BK", compile_peer(folder, "bk", ["peer_bk.cpp"], words.stdout.split()), False, True)
  if arguments.maxflow_algorithms:
    flags = ["-I" + os.path.abspath(arguments.maxflow_algorithms)]
    yield Peer("EIBFS", compile_peer(folder, "eibfs", ["peer_eibfs.cpp"], flags), False, True, LARGE)
    yield Peer("EIBFS, Jensen et al.", compile_peer(folder, "eibfs_i", ["peer_eibfs.cpp"], flags, ["-DPEER_INDICES"]), False,
               True)
    # The slowest, with 600 bytes a pixel.
    yield Peer("pseudoflow", compile_peer(folder, "hpf", ["peer_hpf.cpp"], flags), False, True, 1)
  if arguments.gridcut:
    yield Peer("GridCut", compile_peer(folder, "gridcut", ["peer_gridcut.cpp"], ["-I" + os.path.abspath(arguments.gridcut)]),
               False, True)
  if arguments.gco:
    gco = os.path.abspath(arguments.gco)
    sources = ["peer_gco.cpp", os.path.join(gco, "GCoptimization.cpp"), os.path.join(gco, "LinkedBlockList.cpp")]
    yield Peer("gco", compile_peer(folder, "gco", sources, ["-I" + gco]), True, False)


def run(peer, path, small_pages):
  """One run's figures."""
  environment = dict(os.environ, GLIBC_TUNABLES="glibc.malloc.hugetlb=1")
  done = subprocess.run([peer.program, path, path + ".result", *(["small"] if small_pages else [])], check=True,
                        env=environment, capture_output=True, text=True)
  figures = json.loads(done.stdout)
  figures["total"] = figures["build"] + figures["solve"] + figures["read"]
  return figures


def measure(peers, problem, folder, arguments):
  """{peer: the least of each figure}."""
  path = os.path.join(folder, "problem")
  problem.write(path)
  peers = [peer for peer in peers if peer.takes(problem)]
  runs = {peer.name: [] for peer in peers}
  for number in range(arguments.rounds or (3 if problem.megapixels > LARGE or problem.table is not None else 5)):
    for peer in peers:
      figures = run(peer, path, arguments.small_pages)
      runs[peer.name].append(figures)
      price = problem.energy(np.fromfile(path + ".result", np.uint8)) if number == 0 else runs[peer.name][0]["value"]
      if price != figures["value"]:
        sys.exit(f"{problem.name}, {peer.name}: it says {figures['value']}, but its result costs {price}")
  if problem.table is None and len({some[0]["value"] for some in runs.values()}) > 1:
    sys.exit(f"{problem.name}: different flows")
  return {name: {key: min(figures[key] for figures in some) for key in some[0]} for name, some in runs.items()}


def print_row(problem, figures):
  ours = figures[OURS]
  for name, theirs in figures.items():
    print(f"| {problem.name} | {problem.megapixels:.1f} | {problem.neighbours} | {name} | {theirs['build']:.1f} "
          f"| {theirs['solve']:.1f} | {theirs['total']:.1f} | {theirs['total'] / ours['total']:.2f} | {theirs['mb']:.0f} "
          f"| {theirs['value']:,} |", flush=True)


def mean(values):
  return f"{np.exp(np.mean(np.log(values))):.1f}" if values else "–"


def print_summary(rows):
  """Geometric means over photos: how many times our build + solve + mask, and our memory."""
  groups = [(neighbours, large) for large in (False, True) for neighbours in (8, 4)]
  print("| | " + " | ".join(f"{n} neighbours, {'large' if large else 'small'}" for n, large in groups) + " | memory |\n|"
        + "---|" * (len(groups) + 2))
  parts = [(name, "total") for name in dict.fromkeys(name for _, figures in rows for name in figures)]
  for name, key in parts + [("BK", "solve")]:
    cells = []
    for neighbours, large in groups:
      some = [figures for problem, figures in rows if problem.table is None and name in figures
              and problem.neighbours == neighbours and (problem.megapixels > LARGE) == large]
      cells.append(mean([figures[name][key] / figures[OURS]["total"] for figures in some]))
    memory = mean([figures[name]["mb"] / figures[OURS]["mb"] for problem, figures in rows
                   if problem.table is None and name in figures])
    print(f"| {name}{', solve alone' if key == 'solve' else ''} | " + " | ".join(cells) + f" | {memory} |")
  ours = [(problem, figures[OURS]) for problem, figures in rows if problem.table is None]
  for n, large in groups:
    some = [(problem, figures) for problem, figures in ours if problem.neighbours == n and (problem.megapixels > LARGE) == large]
    print(f"libfretsaw, {n} neighbours, {'large' if large else 'small'}: "
          f"{mean([figures['total'] / problem.megapixels for problem, figures in some])} ms and "
          f"{mean([figures['mb'] / problem.megapixels for problem, figures in some])} MB a megapixel")


def main():
  parser = argparse.ArgumentParser(usage=__doc__)
  parser.add_argument("build")
  parser.add_argument("--maxflow-algorithms")
  parser.add_argument("--gridcut")
  parser.add_argument("--gco")
  parser.add_argument("--small-pages", action="store_true")
  parser.add_argument("--rounds", type=int)
  parser.add_argument("--sizes", default="0.7,1.5,2.5,12")
  arguments = parser.parse_args()
  if shutil.which("convert") is None:
    print("skipped: ImageMagick is not installed")
    sys.exit(77)
  rows = []
  with tempfile.TemporaryDirectory() as folder:
    peers = [peer for peer in compile_peers(arguments, folder) if peer.program]
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n\n| problem | MP | neighbours | library | build, ms "
          "| solve, ms | all, ms | ratio | MB | value |\n|---|---|---|---|---|---|---|---|---|---|", flush=True)
    sizes = [float(size) for size in arguments.sizes.split(",")]
    for problem in (*peer_problems.labellings(), *peer_problems.photo_cuts(sizes, (8, 4))):
      rows.append((problem, measure(peers, problem, folder, arguments)))
      print_row(*rows[-1])
  print()
  print_summary([(problem, figures) for problem, figures in rows])
  print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
  main()
