#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""frames.py BUILD OUT.json [--quick] [--publish]: follows objects through the clips of the data pack, at several sizes.

frames.py --page RUN.json … : writes docs/figures/frames.md from the runs, which may be of different machines.

Runs bench_frames of BUILD on the processor with two threads and, where there is one, on the GPU, with and without
re-use, and writes a line for each to OUT.json after every clip. Two ways that lead to different masks end the run.
"""

import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import time

import frames_page

SOURCE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(SOURCE, "..", "shared")
PAGE = os.path.join(SOURCE, "docs", "figures", "frames.md")
# Sizes, and how many frames; None is a clip's own, or all.
SIZES = ((None, None), ("320x240", None), ("640x480", None), ("1280x720", None), ("1920x1080", None))
# Half a minute on a machine with a GPU: the large ones first.
QUICK = (("1920x1080", 10), ("1280x720", 14), ("640x480", 20), ("320x240", 20))
QUICK_CLIPS = ("car-shadow", "synth-moving")
THREADS = 2


def environment(program):
  module = os.path.join(os.path.dirname(program), "..", "..", "solver", "kernels", "fretsaw-cuda.so")
  libraries = os.environ.get("FRETSAW_LIBRARIES")
  return {**os.environ, "FRETSAW_CUDA_MODULE": os.path.abspath(module),
          **({"LD_LIBRARY_PATH": libraries} if libraries else {})}


def has_device(program, clip):
  run = subprocess.run([program, "--backends", "cuda", "--limit", "2", "--size", "64x48", clip], env=environment(program),
                       capture_output=True, text=True, check=False)
  return run.returncode == 0


def device():
  run = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=False)
  return run.stdout.strip() or "a GPU"


def machine():
  with open("/proc/cpuinfo", encoding="utf-8") as file:
    names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
  return {"cpu": names[0] if names else "unknown", "cores": os.cpu_count()}


def commit():
  kept = os.path.join(SOURCE, "commit")
  if os.path.exists(kept):
    with open(kept, encoding="utf-8") as file:
      return file.read().strip()
  run = subprocess.run(["git", "-C", SOURCE, "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
  return run.stdout.strip() or "unknown"


def follow(program, clip, size, limit, backends, rounds):
  command = [program, "--threads", str(THREADS), "--backends", backends, "--fresh", "--rounds", str(rounds)]
  command += ["--size", size] if size else []
  command += ["--limit", str(limit)] if limit else []
  run = subprocess.run([*command, clip], env=environment(program), stdout=subprocess.PIPE, text=True, check=False)
  if run.returncode != 0:
    sys.exit(f"bench: {' '.join(command)} {clip} failed")
  return [{"native": size is None, **json.loads(line)} for line in run.stdout.splitlines()]


def measure(build, out, rounds, quick):
  program = os.path.join(build, "tests", "bench", "bench_frames")
  clips = sorted(glob.glob(os.path.join(SHARED, "data", "video", "*")))
  if not clips:
    print("The data pack is not there: no clips to follow")
    return None
  clips = [clip for clip in clips if not quick or os.path.basename(clip) in QUICK_CLIPS]
  on_device = has_device(program, clips[0])
  result = {"date": time.strftime("%Y-%m-%d"), "commit": commit(), "machine": machine(), "threads": THREADS,
            "device": device() if on_device else None, "rounds": rounds, "quick": quick, "finished": False,
            "rows": []}
  for size, limit in QUICK if quick else SIZES:
    for clip in clips:
      result["rows"] += follow(program, clip, size, limit, "cpu,cuda" if on_device else "cpu", rounds)
      with open(out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
  result["finished"] = True
  with open(out, "w", encoding="utf-8") as file:
    json.dump(result, file, indent=1)
  return result


def summary(result):
  for size in frames_page.sizes(result):
    for backend, reuse in frames_page.ways(result):
      rows = [r for r in result["rows"] if frames_page.is_of(r, size, backend, reuse)]
      fps = {k: statistics.geometric_mean(r["fps"][k] for r in rows) for k in ("solve", "cut", "whole")}
      print(f"{frames_page.name_of(size)} {backend}{'' if reuse else ', fresh'}: IoU "
            f"{statistics.fmean(r['iou'] for r in rows):.3f}; frames a second: solve {fps['solve']:.0f}, "
            f"cut {fps['cut']:.0f}, whole {fps['whole']:.1f}")


def main():
  parser = argparse.ArgumentParser(prog="dev bench --frames", description="Follow the clips of the data pack.")
  parser.add_argument("build", nargs="?", help=argparse.SUPPRESS)
  parser.add_argument("out", nargs="?", help=argparse.SUPPRESS)
  parser.add_argument("--rounds", type=int, default=1, help="the fastest of N counts")
  parser.add_argument("--quick", action="store_true", help="half a minute: two clips, some frames of each")
  parser.add_argument("--publish", action="store_true", help="write the page to docs/figures as well")
  parser.add_argument("--page", nargs="+", metavar="RUN.json", help="only make the page of runs")
  options = parser.parse_args()
  results = []
  if options.page:
    for path in options.page:
      with open(path, encoding="utf-8") as file:
        results.append(json.load(file))
  else:
    results = list(filter(None, [measure(options.build, options.out, options.rounds, options.quick)]))
    for result in results:
      summary(result)
  if results and (options.publish or options.page):
    with open(PAGE, "w", encoding="utf-8") as file:
      file.write(frames_page.page(results))


if __name__ == "__main__":
  main()
