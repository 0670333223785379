#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench_mrf.py FRETSAW FOLDER: times the Middlebury problems with each kind of re-use, on 1 and 2 threads, side by side.

Writes FOLDER/mrf.md, the table of docs/figures/mrf.md, and the label maps as FOLDER/NAME.png. Times are the
processor's, of the thread that makes the moves, without reading the problem; with two threads also by
the clock, for the other thread's time is not in them."""

import json
import os
import subprocess
import sys
import tempfile

import mrf_problems

KINDS = ("none", "label", "cycle", "both")
ROUNDS = 2


def run(program, problem, folder, *options):
  report = os.path.join(folder, "report.json")
  subprocess.run([program, "mrf", problem, "--report", report, *options], check=True,
                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
  with open(report, encoding="utf-8") as file:
    return json.load(file)


def processor_ms(report):
  return (report["start_us"] + sum(cycle["processor_us"] for cycle in report["cycles"])) / 1000


def best(program, problem, folder, kind, threads):
  """The fastest of some runs: others' work only ever adds."""
  reports = [run(program, problem, folder, "--reuse", kind, "--threads", str(threads))
             for _ in range(ROUNDS)]
  return min(reports, key=processor_ms), min(r["time_us"]["solve"] for r in reports) / 1000


def rows(program, name, problem, folder):
  baseline = None
  for kind in KINDS:
    one, _ = best(program, problem, folder, kind, 1)
    _, clock = best(program, problem, folder, kind, 2)
    total = processor_ms(one)
    baseline = baseline or total
    first = one["cycles"][0]["processor_us"] / 1000
    yield (f"| {name} | {kind} | {one['energy']:,} | {len(one['cycles'])} | {one['moves']} | {one['cuts']} "
           f"| {first:.0f} | {total - first:.0f} | {total:.0f} | {baseline / total:.2f} | {clock:.0f} "
           f"| {one['bytes'] / 1e6:.0f} |")


def table(program, folder, pictures):
  yield ("| problem | re-use | energy | cycles | moves | cuts | first cycle, ms | others, ms | all, ms | ratio "
         "| 2 threads, clock, ms | MB |")
  yield "|---|---|---|---|---|---|---|---|---|---|---|---|"
  for name in mrf_problems.GOALS:
    if not mrf_problems.is_there(name):
      print(f"{name}: no data", file=sys.stderr)
      continue
    problem = mrf_problems.write(name, folder)
    run(program, problem, folder, "--out", os.path.join(pictures, name + ".png"), "--scale",
        str(mrf_problems.SCALES[name]))
    yield from rows(program, name, problem, folder)


def main(arguments):
  if len(arguments) != 2:
    sys.exit(__doc__)
  program, pictures = arguments
  os.makedirs(pictures, exist_ok=True)
  with tempfile.TemporaryDirectory() as folder, open(os.path.join(pictures, "mrf.md"), "w", encoding="utf-8") as page:
    for line in table(program, folder, pictures):
      print(line, file=page, flush=True)
      print(line)


if __name__ == "__main__":
  main(sys.argv[1:])
