#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py BUILD OUT.json [--quick] [--publish]: times a release build.

Writes what it measured to OUT.json, and a page of it beside, after every photo, so that a run that is
stopped leaves what it had. --quick takes a few minutes. --publish also replaces the page in docs/figures.

Comparisons are made side by side in one process: with Boykov & Kolmogorov's code by bench_solver, with
OpenCV's grabCut by bench_pipeline, each where that library is installed. The photos of the data pack are
used where it is there, else the sample alone.
"""

import argparse
import glob
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

import report

SOURCE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(SOURCE, "..", "shared")
DATA = os.path.join(SHARED, "data")
SESSIONS = os.path.join(SOURCE, "data", "sessions")
SAMPLE = [os.path.join(SOURCE, "data", "sample", name) for name in ("sample.jpg", "seeds.png")]

# --- what is measured ---------------------------------------------------------------------------

# From the easiest to the hardest photo of the GrabCut set, two large photos, and the sample.
ALL = ("fullmoon", "cross", "86016", "sheep", "flower", "cairn", "bus", "sample", "llama", "bush")
LARGE = {"bus": ("bus-12mp.jpg", "bus-12mp.fretsaw"), "cairn": ("oppo-13mp-portrait.jpg", "cairn-13mp.fretsaw")}
EVERY = "every"  # every photo of the data pack's GrabCut, matting and large sets

# Megapixels, neighbours, photos, rounds at most.
SOLVER = (
  (0.15, 8, ALL, 3),
  (0.7, 8, ALL, 3),
  (0.7, 4, ALL, 3),
  (2.5, 8, ALL, 3),
  (2.5, 4, ALL, 3),
  (12, 8, ("86016", "sheep", "cairn", "bus", "flower", "llama"), 1),
  (12, 4, ("86016", "sheep", "cairn", "bus"), 1),
)
# Megapixels, photos, rounds.
PIPELINE = (
  (2.5, ("cairn", "bus", "86016", "sheep", "flower", "sample", "llama"), 5),
  (12, ("cairn", "bus", "86016"), 1),
)
# Megapixels, photos.
PREVIEW = ((2.5, EVERY), (12, ("86016", "sheep", "cairn", "bus", "flower", "llama")))

QUICK_SOLVER = (
  (0.7, 8, ALL, 1),
  (0.7, 4, ("86016", "flower", "bus"), 1),
  (2.5, 8, ("86016", "flower", "bus"), 1),
  (2.5, 4, ("86016", "bus"), 1),
  (12, 8, ("86016", "cairn"), 1),
)
QUICK_PIPELINE = ((2.5, ("bus", "86016"), 1), (12, ("86016",), 1))
QUICK_PREVIEW = ((2.5, ("86016", "flower", "cairn", "bus", "llama")), (12, ("86016", "cairn")))

N_CUTS = 7


# --- photos -------------------------------------------------------------------------------------

def grabcut(name):
  found = glob.glob(os.path.join(DATA, "photos", "grabcut", name + ".*"))
  seeds = [os.path.join(DATA, "seeds", f"grabcut-scr{i}", name + ".png") for i in (2, 1)]
  return [*found[:1], *seeds]


def files(name):
  """[photo, seeds, more strokes], or None where one of them is not there."""
  if name == "sample":
    found = [*SAMPLE, os.path.join(SESSIONS, "sample.fretsaw")]
  elif name in LARGE:
    photo, session = LARGE[name]
    found = [os.path.join(DATA, "photos", "large", photo)] + 2 * [os.path.join(SESSIONS, session)]
  else:
    found = grabcut(name)
  return found if len(found) == 3 and all(map(os.path.exists, found)) else None


def photos(names):
  return list(filter(None, map(files, names))) or [files("sample")]


def every_photo():
  """[photo, seeds] of all that there are, seeds "-" where there are none."""
  own = {os.path.join(DATA, "photos", "large", photo): os.path.join(SESSIONS, session)
         for photo, session in LARGE.values()}
  found = []
  for kind, seeds in (("grabcut", "grabcut-scr2"), ("matting", "matting-scr"), ("large", None)):
    for photo in sorted(glob.glob(os.path.join(DATA, "photos", kind, "*"))):
      stem = os.path.splitext(os.path.basename(photo))[0]
      path = own.get(photo, "-") if seeds is None else os.path.join(DATA, "seeds", seeds, stem + ".png")
      if path == "-" or os.path.exists(path):
        found.append([photo, path])
  return found or [SAMPLE]


# --- the machine --------------------------------------------------------------------------------

def machine():
  model = None
  if os.path.exists("/proc/cpuinfo"):
    with open("/proc/cpuinfo", encoding="utf-8") as file:
      model = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
  return {"cpu": model[1] if model else platform.machine(), "cores": os.cpu_count(),
          "system": f"{platform.system()} {platform.machine()}"}


def commit():
  run = subprocess.run(["git", "-C", SOURCE, "describe", "--always", "--dirty"],
                       capture_output=True, text=True, check=False)
  return run.stdout.strip() or "unknown"


# --- a run --------------------------------------------------------------------------------------

class Run:
  def __init__(self, build, out, command):
    self.build = build
    self.out = out
    self.start = time.monotonic()
    self.result = {"date": time.strftime("%Y-%m-%d"), "commit": commit(), "command": command, "machine": machine(),
                   "finished": False, "solver": [], "pipeline": [], "preview": []}

  def save(self):
    self.result["minutes"] = (time.monotonic() - self.start) / 60
    with open(self.out, "w", encoding="utf-8") as file:
      json.dump(self.result, file, indent=1)
    report.write(self.result, os.path.dirname(self.out) or ".")

  def program(self, name):
    path = os.path.join(self.build, "tests", "bench", name)
    return path if os.path.exists(path) else None

  def add(self, part, size, command, **more):
    """Runs a benchmark program on one photo and keeps its line."""
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
      sys.exit(f"bench: {' '.join(command)} failed; what was measured before it is in {self.out}")
    self.result[part].append({"size": size, **json.loads(run.stdout), **more})
    self.save()

  def time_solver(self, sizes):
    program = self.program("bench_solver")
    if program is None:
      print("libmaxflow is not installed: no comparison with it")
      return
    for size, neighbours, names, rounds in sizes:
      for photo, seeds, strokes in photos(names):
        self.add("solver", size, [program, "--megapixels", str(size), "--neighbours", str(neighbours), "--rounds",
                                  str(rounds), "--threads", "2", "--strokes", strokes, photo, seeds])

  def time_pipeline(self, sizes):
    program = self.program("bench_pipeline")
    if program is None:
      print("OpenCV is not installed: no comparison with its grabCut")
      return
    for size, names, rounds in sizes:
      for photo, seeds, _ in photos(names):
        native = size == 12 and photo in [files(n)[0] for n in LARGE if files(n)]
        self.add("pipeline", size, [program, "--megapixels", "0" if native else str(size), "--rounds", str(rounds),
                                    photo, seeds])

  def time_preview(self, sizes):
    for size, names in sizes:
      pairs = every_photo() if names == EVERY else [found[:2] for found in photos(names)]
      for photo, seeds in pairs:
        self.add("preview", size, [self.program("bench_preview"), "--megapixels", str(size), photo, seeds],
                 seeds=seeds != "-")

  def time_cut(self):
    """Medians of the stages of `fretsaw cut` on the sample, in milliseconds."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
      report_file = os.path.join(folder, "report.json")
      for _ in range(N_CUTS):
        subprocess.run([os.path.join(self.build, "fretsaw"), "cut", SAMPLE[0], "--seeds", SAMPLE[1],
                        "--cutout", os.path.join(folder, "cutout.png"), "--report", report_file],
                       check=True, stdout=subprocess.DEVNULL)
        with open(report_file, encoding="utf-8") as file:
          times.append(json.load(file)["time_us"])
    self.result["cut_ms"] = {k: statistics.median(t[k] for t in times) / 1000 for k in times[0]}
    self.save()


def main():
  parser = argparse.ArgumentParser(prog="dev bench", description="Time a release build.")
  parser.add_argument("build", help=argparse.SUPPRESS)
  parser.add_argument("out", help=argparse.SUPPRESS)
  parser.add_argument("--quick", action="store_true", help="a few minutes: fewer photos, one round")
  parser.add_argument("--publish", action="store_true", help="write the page to docs/figures as well")
  options = parser.parse_args()
  run = Run(options.build, options.out, "./dev bench" + (" --quick" if options.quick else ""))
  page = os.path.join(os.path.dirname(options.out) or ".", "benchmarks.md")
  try:
    run.time_cut()
    run.time_solver(QUICK_SOLVER if options.quick else SOLVER)
    run.time_pipeline(QUICK_PIPELINE if options.quick else PIPELINE)
    run.time_preview(QUICK_PREVIEW if options.quick else PREVIEW)
  except KeyboardInterrupt:
    print(f"\nStopped; a page of what was measured: {page}", file=sys.stderr)
    sys.exit(130)
  run.result["finished"] = True
  run.save()
  if options.publish:
    report.write(run.result, os.path.join(SOURCE, "docs", "figures"))
  print(f"{run.result['minutes']:.0f} minutes; figures in {options.out}, a page of them: {page}")


if __name__ == "__main__":
  main()
