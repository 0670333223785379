#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py BUILD OUT.json: times a release build and writes what it measured, with machine and date.

Ratios against Boykov & Kolmogorov's code come from bench_solver, side by side in one process; the
times of whole commands are medians of `fretsaw cut` on the sample. The data pack is used where it
is there.
"""

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

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(SOURCE, "..", "shared")
SAMPLE = [os.path.join(SOURCE, "data", "sample", name) for name in ("sample.jpg", "seeds.png")]
N_CUTS = 7

# GLib prints a question mark for the times sign where the locale has none.
NUMBER = r"\s*([\d.]+)\s*"
PHOTO_LINE = re.compile(
  rf"^(\S+){NUMBER}MP \| ours{NUMBER}\+{NUMBER}\| bk{NUMBER}\+{NUMBER}\| [×?]{NUMBER}"
  rf"\| stroke{NUMBER}/{NUMBER}, bk{NUMBER}/{NUMBER}\| refit{NUMBER}[×?]{NUMBER}\|{NUMBER}B/px", re.M)
PHOTO_KEYS = ("photo", "megapixels", "build_ms", "solve_ms", "bk_build_ms", "bk_solve_ms",
              "cold_ratio", "stroke_ms", "worst_stroke_ms", "bk_stroke_ms", "bk_worst_stroke_ms",
              "refit_ms", "cold_over_refit", "bytes_per_pixel")


def machine():
  with open("/proc/cpuinfo", encoding="utf-8") as file:
    model = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
  return {"cpu": model[1] if model else platform.machine(), "cores": os.cpu_count(),
          "system": platform.platform()}


def commit():
  run = subprocess.run(["git", "-C", SOURCE, "describe", "--always", "--dirty"],
                       capture_output=True, text=True, check=False)
  return run.stdout.strip() or "unknown"


def pair(name):
  """[photo, seeds] of a GrabCut photo with drawn strokes, or [] without the data pack."""
  found = glob.glob(os.path.join(SHARED, "data", "photos", "grabcut", name + ".*"))
  seeds = os.path.join(SHARED, "data", "seeds", "grabcut-scr2", name + ".png")
  return [found[0], seeds] if found and os.path.exists(seeds) else []


# By measurement: flower is one of the easiest photos of the set, bush the hardest by far. Photos below the
# size are enlarged, which makes them harder than photos taken at that size.
EASY, HARD = ("flower", "sheep", "llama"), ("bush",)


def photos(names):
  return SAMPLE + [path for name in names for path in pair(name)]


# Megapixels, neighbours, photos, rounds.
SIZES = ((0.15, 8, EASY + HARD, 3), (0.7, 8, EASY + HARD, 3), (2.5, 8, EASY + HARD, 1),
         (2.5, 4, EASY + HARD, 1), (12, 8, EASY, 1))


def time_solver(build, neighbours, *options):
  program = os.path.join(build, "tests", "bench", "bench_solver")
  command = [program, "--neighbours", str(neighbours), *options]
  run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
  print(run.stdout, flush=True)
  photos = [dict(zip(PHOTO_KEYS, [m[1], *map(float, m.groups()[1:])]))
            for m in PHOTO_LINE.finditer(run.stdout)]
  if not photos:
    sys.exit("bench: no times in the output of bench_solver")
  return {"neighbours": neighbours, "photos": photos}


def time_cut(build):
  """Medians of the stages of `fretsaw cut` on the sample, in milliseconds."""
  times = []
  with tempfile.TemporaryDirectory() as folder:
    report = os.path.join(folder, "report.json")
    for _ in range(N_CUTS):
      subprocess.run([os.path.join(build, "fretsaw"), "cut", SAMPLE[0], "--seeds", SAMPLE[1],
                      "--cutout", os.path.join(folder, "cutout.png"), "--report", report],
                     check=True, stdout=subprocess.DEVNULL)
      with open(report, encoding="utf-8") as file:
        times.append(json.load(file)["time_us"])
  medians = {k: statistics.median(t[k] for t in times) / 1000 for k in times[0]}
  print("fretsaw cut, sample, ms:", ", ".join(f"{k} {v:.1f}" for k, v in medians.items()))
  return medians


def last_json(command):
  """What a bench program says in its last line."""
  run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
  print(run.stdout, flush=True)
  return json.loads(run.stdout.splitlines()[-1])


def time_pipeline(build):
  program = os.path.join(build, "tests", "bench", "bench_pipeline")
  return [last_json([program, "2.5", *photos(EASY)])]


def main(build, out):
  result = {"date": time.strftime("%Y-%m-%d"), "commit": commit(), "machine": machine(),
            "cut_ms": time_cut(build), "solver": [], "pipeline": []}
  if os.path.exists(os.path.join(build, "tests", "bench", "bench_solver")):
    for size, neighbours, names, runs in SIZES:
      result["solver"].append({"size": size, "hard": [n + ".jpg" for n in HARD],
                               **time_solver(build, neighbours, "--megapixels", str(size), "--runs", str(runs),
                                             "--strokes", "10", *photos(names))})
  else:
    print("libmaxflow is not installed: no comparison with it")
  if os.path.exists(os.path.join(build, "tests", "bench", "bench_pipeline")):
    result["pipeline"] = time_pipeline(build)
  else:
    print("OpenCV is not installed: no comparison with its grabCut")
  with open(out, "w", encoding="utf-8") as file:
    json.dump(result, file, indent=1)
  print("written to", out)


if __name__ == "__main__":
  main(*sys.argv[1:3])
