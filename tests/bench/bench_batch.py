#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Photos a minute of `fretsaw cut` with --out, beside one process a photo, and where the time goes.

  bench_batch.py BUILD [--photos N] [--rounds N] [--sizes 2.5,12] [--backends cpu] [--devices 0,1]

Photos are the sample, scaled, with its seeds; each is another file. Prints a table in Markdown.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SAMPLE = os.path.join(SOURCE, "data", "sample")
sys.path.insert(0, os.path.join(SOURCE, "tests", "e2e"))
import pixels  # noqa: E402
STEPS = ("decode", "guess", "model", "energy", "cut", "refine", "write")


def write_seeds(path, width, height):
  """The sample's seeds, of that size."""
  seeds = pixels.Png(os.path.join(SAMPLE, "seeds.png"))
  rows = [seeds.pixels[y * seeds.width:(y + 1) * seeds.width] for y in range(seeds.height)]
  columns = [x * seeds.width // width for x in range(width)]
  stretched = [bytes(row[x] for x in columns) for row in rows]
  pixels.write_png(path, width, height, pixels.GREY, b"".join(stretched[y * seeds.height // height] for y in range(height)))


def make_base(build, folder, megapixels):
  """The sample as a JPEG of that size, its seeds and its guess. The program itself writes the JPEG: all of the photo."""
  os.makedirs(folder)
  scale = (megapixels * 1e6 / (1600 * 1067)) ** 0.5
  width, height = round(1600 * scale), round(1067 * scale)
  large, white = os.path.join(folder, "large.png"), os.path.join(folder, "white.png")
  subprocess.run([os.path.join(build, "data", "sessions", "resize-photo"), os.path.join(SAMPLE, "sample.jpg"), large,
                  str(width), str(height)], check=True)
  pixels.write_png(white, 8, 8, pixels.GREY, bytes([255]) * 64)
  subprocess.run([os.path.join(build, "fretsaw"), "cut", large, "--guess", white, "--cutout", os.path.join(folder, "photo.jpg"),
                  "--background", "white", "--soft-edge", "0"], check=True, stdout=subprocess.DEVNULL)
  os.unlink(large)
  os.unlink(white)
  write_seeds(os.path.join(folder, "seeds.png"), width, height)
  shutil.copy(os.path.join(SAMPLE, "guess.png"), os.path.join(folder, "found.png"))


def copy_photos(base, folder, count):
  """As many photos, each a file of its own: with its number as a comment."""
  with open(os.path.join(base, "photo.jpg"), "rb") as file:
    jpeg = file.read()
  os.makedirs(folder)
  for number in range(count):
    name = os.path.join(folder, f"photo-{number:03d}")
    comment = str(number).encode()
    with open(name + ".jpg", "wb") as file:
      file.write(jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:])
    shutil.copy(os.path.join(base, "seeds.png"), name + "-seeds.png")


def environment(folder):
  """Without a cache: all photos look alike, and a finder would find one of them only."""
  return dict(os.environ, HOME=folder, XDG_CACHE_HOME="/dev/null", LC_ALL="C.UTF-8")


def processor_seconds():
  used = resource.getrusage(resource.RUSAGE_CHILDREN)
  return used.ru_utime + used.ru_stime


def run_batch(program, folder, words, finder):
  """Seconds, those of processors, and the report."""
  out = os.path.join(folder, "out")
  report = os.path.join(folder, "report.json")
  shutil.rmtree(out, ignore_errors=True)
  words = [program, "cut", os.path.join(folder, "photos"), "--out", out + "/masks", "--cutouts", out + "/cutouts",
           "--report", report, *words]
  if finder:
    os.makedirs(os.path.join(folder, "none"), exist_ok=True)
    words += ["--seeds", os.path.join(folder, "none"), finder]
  start, used = time.monotonic(), processor_seconds()
  subprocess.run(words, check=True, env=environment(folder), stdout=subprocess.DEVNULL)
  seconds, used = time.monotonic() - start, processor_seconds() - used
  with open(report, encoding="utf-8") as file:
    return seconds, used, json.load(file)


def run_each(program, folder, words, finder):
  """One process a photo, one after the other."""
  out = os.path.join(folder, "out")
  shutil.rmtree(out, ignore_errors=True)
  os.makedirs(out)
  photos = os.path.join(folder, "photos")
  start, used = time.monotonic(), processor_seconds()
  for name in sorted(os.listdir(photos)):
    stem, ending = os.path.splitext(name)
    if ending != ".jpg":
      continue
    evidence = [finder] if finder else ["--seeds", os.path.join(photos, stem + "-seeds.png")]
    subprocess.run([program, "cut", os.path.join(photos, name), *evidence, "--mask", f"{out}/{stem}.png",
                    "--cutout", f"{out}/{stem}-cutout.png", *words], check=True, env=environment(folder),
                   stdout=subprocess.DEVNULL)
  return time.monotonic() - start, processor_seconds() - used, None


def best(runs):
  return min(runs, key=lambda run: run[0])


def steps_of(report):
  """Share of each step in a photo's time, in per cent."""
  totals = {step: sum(photo["us"].get(step, 0) for photo in report["each"]) for step in STEPS}
  whole = sum(totals.values()) or 1
  return {step: 100 * value / whole for step, value in totals.items()}


def measure(arguments, folder, megapixels, backend, finder):
  program = os.path.join(arguments.build, "fretsaw")
  words = ["--backend", backend]
  ways = [("one process a photo", None)]
  ways += [(f"--jobs {jobs}", ["--jobs", str(jobs)]) for jobs in arguments.jobs]
  ways += [("--jobs 1 --soft-edge 0", ["--jobs", "1", "--soft-edge", "0"])] if not finder else []
  if arguments.devices:
    ways = []
    for jobs in arguments.jobs:
      for devices in arguments.devices.split(";"):
        jobs_now = str(jobs * len(devices.split(",")))
        ways.append((f"--devices {devices} --jobs {jobs_now}", ["--devices", devices, "--jobs", jobs_now]))
  for title, options in ways:
    runs = [run_each(program, folder, words, finder) if options is None
            else run_batch(program, folder, [*words, *options], finder) for _ in range(arguments.rounds)]
    (seconds, _, report), used = best(runs), min(run[1] for run in runs)
    cells = [f"{megapixels:g}", backend, "yes" if finder else "no", title, f"{60 * arguments.photos / seconds:.1f}",
             f"{used / arguments.photos:.2f}"]
    cells += [f"{share:.0f}" for share in steps_of(report).values()] if report else [""] * len(STEPS)
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument("build")
  parser.add_argument("--photos", type=int, default=12)
  parser.add_argument("--rounds", type=int, default=3)
  parser.add_argument("--sizes", default="2.5,12")
  parser.add_argument("--backends", default="cpu")
  parser.add_argument("--jobs", type=lambda text: [int(part) for part in text.split(",")], default=[1, 2])
  parser.add_argument("--devices", help="lists, with semicolons between them, each with so many jobs a device: 0;0,1")
  parser.add_argument("--finder-seconds", type=float, default=1.0, help="that a stand-in finder takes; 0: no finder")
  parser.add_argument("--make", metavar="FOLDER", help="only make a photo of each size there")
  parser.add_argument("--from", dest="made", metavar="FOLDER", help="where they were made before")
  arguments = parser.parse_args()
  sizes = [float(size) for size in arguments.sizes.split(",")]
  if arguments.make:
    for size in sizes:
      make_base(arguments.build, os.path.join(arguments.make, f"{size:g}"), size)
    return
  print("| MP | backend | finder | way | photos a minute | processor s a photo | " + " | ".join(STEPS) + " % |")
  print("|---" * (6 + len(STEPS)) + "|")
  with tempfile.TemporaryDirectory() as folder:
    for size in sizes:
      place = os.path.join(folder, f"{size:g}")
      if arguments.made:
        shutil.copytree(os.path.join(arguments.made, f"{size:g}"), place)
      else:
        make_base(arguments.build, place, size)
      copy_photos(place, os.path.join(place, "photos"), arguments.photos)
      finder = os.path.join(place, "finder")
      with open(finder, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nsleep {arguments.finder_seconds}\ncp {place}/found.png "$2"\n')
      for backend in arguments.backends.split(","):
        measure(arguments, place, size, backend, None)
        if arguments.finder_seconds > 0:
          measure(arguments, place, size, backend, f"--find-subject=sh {finder} {{photo}} {{mask}}")


if __name__ == "__main__":
  sys.exit(main())
