#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""report.py RESULT.json: prints tables of what run.py measured, or gives them to page.py."""

import json
import statistics
import sys

import pack

MAX_CLICKS = 20
TARGETS = (0.85, 0.90, 0.95)
DROP = 0.10
# What --methods writes → what people call it.
TITLES = {"opencv": "OpenCV", "kmeans": "Lazy Snapping", "gmm": "Gaussians", "geodesic": "geodesic"}


def mean(values):
  return statistics.fmean(values) if values else float("nan")


def select(rows, **wanted):
  return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def methods(rows):
  """The models first, OpenCV last."""
  return sorted({row["method"] for row in rows}, key=lambda m: (m == "opencv", m))


# --- one cut -----------------------------------------------------------------------------------

def static_figures(rows):
  """Mean error, median error, mean IoU, mean boundary F, in per cent."""
  return [100 * f for f in (mean([r["error"] for r in rows]),
                            statistics.median(r["error"] for r in rows),
                            mean([r["iou"] for r in rows]), mean([r["boundary"] for r in rows]))]


def static_cell(rows):
  if not rows:
    return "–"
  return "{:.2f} ({:.2f}) / {:.1f} / {:.1f}".format(*static_figures(rows))


def static_table(rows):
  names = methods(rows)
  yield "| set, start | photos | " + " | ".join(TITLES.get(n, n) for n in names) + " |"
  yield "|---|---|" + "---|" * len(names)
  for set_name, starts in pack.SETS.items():
    for start in starts:
      here = select(rows, set=set_name, start=start)
      if not here:
        continue
      n_photos = len({row["photo"] for row in here})
      cells = " | ".join(static_cell(select(here, method=name)) for name in names)
      yield f"| {set_name}, {start} | {n_photos} | {cells} |"


# --- clicks ------------------------------------------------------------------------------------

def ious(row):
  return [click[-1] for click in row["clicks"]]


def n_clicks(row, target):
  """Clicks until the target is reached, 20 where it never is."""
  return next((i for i, iou in enumerate(ious(row), 1) if iou >= target), MAX_CLICKS)


def n_drops(row):
  """Clicks after which the mask is worse by more than 10 points."""
  before = [0] + ious(row)
  return sum(b - a > DROP for b, a in zip(before, before[1:]))


def iou_after(row, n):
  return ious(row)[min(n, len(row["clicks"])) - 1]


def click_cells(rows):
  noc = " / ".join(f"{mean([n_clicks(r, t) for r in rows]):.1f}" for t in TARGETS)
  after = " / ".join(f"{100 * mean([iou_after(r, n) for r in rows]):.1f}" for n in (1, 5, 10))
  return f"{noc} | {mean([n_drops(r) for r in rows]):.2f} | {after}"


def click_table(rows):
  yield "| set | method | stability | photos | NoC@85 / 90 / 95 | drops | IoU after 1 / 5 / 10 clicks |"
  yield "|---|---|---|---|---|---|---|"
  for set_name in pack.CLICK_SETS:
    for name in methods(rows):
      for protocol, word in (("clicks", "off"), ("stable-clicks", "on")):
        here = select(rows, set=set_name, method=name, start=protocol)
        if here:
          yield f"| {set_name} | {TITLES.get(name, name)} | {word} | {len(here)} | {click_cells(here)} |"


def n_clicks_guessed(row, target):
  """None where the guess alone is good enough."""
  return 0 if row["iou_without_clicks"] >= target else n_clicks(row, target)


def guess_table(rows):
  guessed = [r for r in rows if r["start"] == "guessed-clicks"]
  if not guessed:
    return
  yield ""
  yield "| set, with a guess | photos | NoC@85 / 90 / 95 | drops | IoU after 0 / 1 / 3 / 5 clicks | F after 0 |"
  yield "|---|---|---|---|---|---|"
  for set_name in pack.GUESS_SETS:
    here = select(guessed, set=set_name)
    if here:
      noc = " / ".join(f"{mean([n_clicks_guessed(r, t) for r in here]):.2f}" for t in TARGETS)
      ious_after = [mean([r["iou_without_clicks"] for r in here])]
      ious_after += [mean([iou_after(r, n) for r in here]) for n in (1, 3, 5)]
      after = " / ".join(f"{100 * iou:.1f}" for iou in ious_after)
      f = 100 * mean([r["boundary_without_clicks"] for r in here])
      yield f"| {set_name} | {len(here)} | {noc} | {mean([n_drops(r) for r in here]):.2f} | {after} | {f:.1f} |"
  yield ""
  yield ("Published, networks trained for clicking, NoC@90 on all of GrabCut's / Berkeley's photos: RITM 1.56 / 2.10,"
         " SimpleClick (ViT-B) 1.48 / 1.97, MFP 1.42 / 1.90.")


def split(rows):
  """(one cut, clicks)"""
  return [r for r in rows if "clicks" not in r], [r for r in rows if "clicks" in r]


def tables(rows):
  cuts, clickers = split(rows)
  if cuts:
    yield from static_table(cuts)
  if clickers:
    yield ""
    yield from click_table(clickers)
    yield from guess_table(clickers)


def inexact(rows):
  return [r for r in rows if r["method"] != "opencv" and not r["exact"]]


def star_breakers(rows):
  """(without stability, with it): rows whose first cut breaks links of the star. A link has a
  price, which a piece of a previous mask that stability keeps may be worth (docs/decisions/stability.md)."""
  broken = [r for r in rows if r["method"] != "opencv" and r["star_violations"]]
  kept = [r for r in broken if r["start"] == "stable-clicks"]
  return [r for r in broken if r["start"] != "stable-clicks"], kept


def main(path):
  with open(path, encoding="utf-8") as file:
    result = json.load(file)
  for half in ("even", "odd"):
    rows = select(result["rows"], half=half)
    if rows:
      print(f"\n{half} half: error % (median) / IoU / boundary F\n")
      print("\n".join(tables(rows)))
  bad = inexact(result["rows"])
  free, kept = star_breakers(result["rows"])
  print(f"\n{len(bad)} results not exact; {len(free)} break the star, and with stability {len(kept)}")
  return bool(bad)


if __name__ == "__main__":
  sys.exit(main(*sys.argv[1:2]))
