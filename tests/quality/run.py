#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how good the cuts are, over the data pack (pack.py), one process a photo on every core.

Writes OUT (JSON): one row a photo, start and method, and one a photo, protocol of clicks and
method. Rows that were not measured again are kept from the OUT of before, so that a run may be of a
part. OpenCV takes longer than everything else together: its rows come from opencv.json beside this
script, which --reference renews where OpenCV is installed. A run on another machine (carry.py) is
brought home by --take.
"""

import argparse
import concurrent.futures
import json
import os
import platform
import re
import subprocess
import sys
import time

import pack

REFERENCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "opencv.json")
PROTOCOLS = ("static", "clicks", "stable-clicks", "guessed-clicks")
# The model whose clicks are played with guesses.
GUESSED_MODEL = "geodesic"
# Where OpenCV is better off with another start or more iterations than the usual ones.
OPENCV_METHOD = {"scr2": "opencv-background", "one stroke": "opencv-background"}
OPENCV_ITERATIONS = {"rect": 10}


class Job:
  """One process: a photo, a method, and the starts that it is cut from."""

  def __init__(self, photo, method, starts, protocol="static"):
    self.photo, self.method, self.starts, self.protocol = photo, method, starts, protocol

  def command(self, build, pictures=None):
    """The arguments of the program, and of grabCut where it is meant."""
    opencv = self.method == "opencv"
    program = os.path.join(build, "tests", "quality", "quality_opencv" if opencv else "quality")
    method = OPENCV_METHOD.get(self.starts[0], "opencv") if opencv else self.method
    command = [program, "--photo", self.photo.photo, "--truth", self.photo.truth,
               "--method", method, "--iterations", str(OPENCV_ITERATIONS.get(self.starts[0], 5))]
    if pictures:
      command += ["--pictures", pictures]
    if self.protocol == "guessed-clicks":
      return command + ["--guess", self.photo.guess(), "stable-clicks"]
    if self.protocol != "static":
      return command + [self.protocol]
    return command + ["=".join(self.photo.seeds(start)) for start in self.starts]

  def rows(self, output):
    """What the program printed, with what it is about."""
    for start, line in zip(self.starts, output.splitlines(), strict=True):
      yield {"set": self.photo.set, "photo": self.photo.name, "half": self.photo.half,
             "method": self.method, "start": start, **json.loads(line)}


def static_jobs(photo, method, starts):
  """OpenCV's method and iterations depend on the start, so each start is a process of its own."""
  if method == "opencv":
    return [Job(photo, method, [start]) for start in starts]
  return [Job(photo, method, starts)] if starts else []


def is_guessed(photo, method):
  return method == GUESSED_MODEL and photo.set in pack.GUESS_SETS and photo.guess() is not None


def jobs_for(options):
  for set_name in options.sets:
    starts = [s for s in pack.SETS[set_name] if not options.starts or s in options.starts]
    for photo in pack.photos(set_name, options.half, options.limit):
      for method in options.methods:
        if "static" in options.protocols:
          yield from static_jobs(photo, method, starts)
        if "guessed-clicks" in options.protocols and is_guessed(photo, method):
          yield Job(photo, method, ["guessed-clicks"], "guessed-clicks")
        for protocol in options.protocols:
          if protocol == "guessed-clicks":
            continue
          unstable_only = method == "opencv" and protocol == "stable-clicks"
          if protocol != "static" and set_name in pack.CLICK_SETS and not unstable_only:
            yield Job(photo, method, [protocol], protocol)


def run_job(job, options):
  run = subprocess.run(job.command(options.build), capture_output=True, text=True, check=False)
  if run.returncode:
    sys.exit(f"{job.photo.photo}, {job.method}: {run.stderr.strip()}")
  return list(job.rows(run.stdout))


def measure(options):
  jobs = list(jobs_for(options))
  # The long ones first, so that no core waits for them at the end.
  jobs.sort(key=lambda job: job.protocol == "static")
  rows = []
  with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for done in pool.map(lambda job: run_job(job, options), jobs):
      rows += done
      if sys.stderr.isatty():
        print(f"\r{len(rows)} cuts and clickers", end="", file=sys.stderr, flush=True)
  return rows


# --- the result --------------------------------------------------------------------------------

def row_key(row):
  return row["set"], row["photo"], row["method"], row["start"]


def merged(old, new):
  rows = {row_key(row): row for row in old}
  rows.update({row_key(row): row for row in new})
  return [rows[key] for key in sorted(rows)]


def rows_of(rows, method):
  return [row for row in rows if row["method"] == method]


def read_rows(path):
  if not os.path.exists(path):
    return []
  with open(path, encoding="utf-8") as file:
    return json.load(file)["rows"]


def machine():
  with open("/proc/cpuinfo", encoding="utf-8") as file:
    model = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
  return {"cpu": model[1] if model else platform.machine(), "cores": os.cpu_count()}


def commit():
  try:
    run = subprocess.run(["git", "-C", pack.SOURCE, "describe", "--always", "--dirty"],
                         capture_output=True, text=True, check=False)
  except FileNotFoundError:
    return "unknown"
  return run.stdout.strip() or "unknown"


def write_result(path, rows):
  """One row a line: short to read, and differences between versions are lines."""
  head = {"date": time.strftime("%Y-%m-%d"), "commit": commit(), "machine": machine()}
  with open(path, "w", encoding="utf-8") as file:
    file.write(json.dumps(head)[:-1] + ', "rows": [\n')
    file.write(",\n".join(json.dumps(row) for row in rows) + "\n]}\n")


def models(build):
  run = subprocess.run([os.path.join(build, "tests", "quality", "quality"), "--list-methods"],
                       capture_output=True, text=True, check=True)
  return run.stdout.split()


def parse(arguments):
  def words(text):
    return [word for word in text.split(",") if word]

  parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
  parser.add_argument("build")
  parser.add_argument("out")
  parser.add_argument("--sets", type=words, default=list(pack.SETS), help=", ".join(pack.SETS))
  parser.add_argument("--starts", type=words, default=[], help="scr1, few, one stroke, …")
  parser.add_argument("--methods", "--model", type=words, default=None,
                      help="models, opencv; by default every model")
  parser.add_argument("--protocols", type=words, default=list(PROTOCOLS), help=", ".join(PROTOCOLS))
  parser.add_argument("--half", choices=("even", "odd", "all"), default="all")
  parser.add_argument("--limit", type=int, default=0, help="photos a set")
  parser.add_argument("--jobs", type=int, default=os.cpu_count())
  parser.add_argument("--reference", action="store_true", help="renew opencv.json")
  parser.add_argument("--take", metavar="FILE", help="measure nothing, take FILE's rows")
  options = parser.parse_args(arguments)
  if options.reference:
    options.methods = ["opencv"]
  options.methods = options.methods or models(options.build)
  return options


def main(arguments):
  options = parse(arguments)
  n_photos = sum(len(pack.photos(s, options.half, options.limit)) for s in options.sets)
  if n_photos == 0:
    print(f"quality: no data pack, {len(options.sets)} sets skipped", file=sys.stderr)
    return 0
  start = time.monotonic()
  rows = read_rows(options.take) if options.take else measure(options)
  if options.reference:
    write_result(REFERENCE, merged(read_rows(REFERENCE), rows_of(rows, "opencv")))
  old = merged(read_rows(options.out), read_rows(REFERENCE))
  write_result(options.out, merged(old, rows))
  print(f"{n_photos} photos, {len(rows)} results in {time.monotonic() - start:.0f} s,"
        f" written to {options.out}", file=sys.stderr)
  return 0


if __name__ == "__main__":
  sys.exit(main(sys.argv[1:]))
