#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays the shipped sessions and prints their latencies as a table.

Photos in sizes that no file has are made first from the sample and from the data pack; a session
whose photo cannot be had is counted as skipped. --check compares every exact mask with a fresh solve,
which takes seconds for each at 12 megapixels; --json prints one line with all reports; names after
the options pick sessions.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

SOURCE = os.environ["FRETSAW_SOURCE"]
BUILD = os.environ["FRETSAW_BUILD"]
SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(SOURCE, "..", "shared")
SESSIONS = os.path.join(SOURCE, "data", "sessions")
SAMPLE = os.path.join(SOURCE, "data", "sample", "sample.jpg")
LARGE = os.path.join(SHARED, "data", "photos", "large")
# A session's photo, and whether it is to be resized first.
PHOTOS = {
  "sample": (SAMPLE, False),
  "sample-2.5mp": (SAMPLE, True),
  "sample-12mp": (SAMPLE, True),
  "bus-2.5mp": (os.path.join(LARGE, "bus-12mp.jpg"), True),
  "bus-12mp": (os.path.join(LARGE, "bus-12mp.jpg"), False),
  "cairn-2.5mp": (os.path.join(LARGE, "oppo-13mp-portrait.jpg"), True),
  "cairn-13mp": (os.path.join(LARGE, "oppo-13mp-portrait.jpg"), False),
}


def photo_for(name, session, folder):
  source, resized = PHOTOS[name]
  if not resized:
    return source
  with open(session, encoding="utf-8") as file:
    size = json.load(file)["photo"]
  made = os.path.join(folder, name + ".png")
  subprocess.run([os.path.join(BUILD, "data", "sessions", "resize-photo"), source, made,
                  str(size["width"]), str(size["height"])], check=True)
  return made


def replay(name, folder, checked):
  session, report = os.path.join(SESSIONS, name + ".fretsaw"), os.path.join(folder, "report.json")
  photo = photo_for(name, session, folder)
  program = [os.path.join(BUILD, "tests", "app", "replay_check")] if checked else [os.path.join(BUILD, "fretsaw"), "replay"]
  run = subprocess.run([*program, session, "--photo", photo, "--report", report], capture_output=True, text=True, check=False)
  if run.returncode != 0:
    print(f"{name}: {run.stderr.strip()}", file=sys.stderr)
    return None
  with open(report, encoding="utf-8") as file:
    return json.load(file)


def row(name, report):
  size = report["photo"]
  cells = [f"{name:13}", f"{size['width'] * size['height'] / 1e6:5.1f}"]
  for kind in ("masks", "previews", "exact_masks", "settled_masks"):
    latency = report[kind]["latency_us"]
    cells.append(f"{report[kind]['updates']:5d}" + "".join(
      f"{latency[k] / 1000:9.1f}" for k in ("p50", "p95", "max")))
  if "check" in report:
    cells.append("{settled} + {growing} equal, {previews} with every seed".format(**report["check"]))
  return " | ".join(cells)


def summary(name, report):
  size = report["photo"]
  told = {"session": name, "pixels": size["width"] * size["height"], "strokes": report["strokes"],
          "play_us": report["time_us"]["play"]}
  kinds = ("masks", "previews", "exact_masks", "settled_masks")
  return told | {key: report[key] for key in (*kinds, "check") if key in report}


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
  parser.add_argument("--check", action="store_true")
  parser.add_argument("--json", action="store_true")
  parser.add_argument("names", nargs="*", metavar="NAME")
  chosen = parser.parse_args()
  n_failed = n_skipped = 0
  rows = []
  header = " n      p50      p95      max ms"
  if not chosen.json:
    print("session       |   MP | " + " | ".join(
      f"{kind:11}{header}"[-32:] for kind in ("first", "preview", "exact", "settled")))
  with tempfile.TemporaryDirectory(prefix="fretsaw-sessions-") as folder:
    for name in chosen.names or PHOTOS:
      if not os.path.exists(PHOTOS[name][0]):
        n_skipped += 1
        continue
      report = replay(name, folder, chosen.check)
      if report:
        rows.append(summary(name, report))
      if report and not chosen.json:
        print(row(name, report), flush=True)
      n_failed += report is None
  if chosen.json:
    print(json.dumps({"sessions": rows, "failed": n_failed, "skipped": n_skipped}))
  else:
    print(f"{n_failed} failed, {n_skipped} skipped for want of the photo")
  return n_failed > 0


if __name__ == "__main__":
  sys.exit(main())
