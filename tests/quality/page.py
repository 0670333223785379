#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""page.py BUILD RESULT.json PAGE.md: writes the page of what run.py measured, with the worst cuts.

Overlays on the photos go to a folder beside RESULT.json: most photos may not be shown in public.
The pictures of the page lie in a folder of its name and hold flat colours only.
"""

import json
import os
import subprocess
import sys

import pack
import report
import run

sys.path.insert(0, os.path.join(pack.SOURCE, "tests", "e2e"))
import pixels  # noqa: E402

# Where to look for the worst, and how many of each: in the only set whose truths may be shown.
WORST = (("davis345", "scr", 4), ("davis345", "few", 4))
A_ROW = 4
PICTURE_WIDTH = 240

INTRODUCTION = """\
Photos, truths and strokes come from a data pack that is not part of the repository (GrabCut's and
Berkeley's photos are for research only). Of each set the photos are sorted by name: those with an
**even** index (0, 2, …) choose parameters, those with an **odd** one are reported here; they were in
sight while the present ones were chosen, so they validate and prove nothing. The
even half stands at the end, to show how far the two differ.

*Error*: wrong pixels as a share of the unknown ones (those that the start says nothing about),
pixels that the truth marks as mixed apart; mean, in brackets the median. *IoU*: intersection over
union of all pixels. *F*: harmonic mean of precision and recall of the border, within 2 px. All in
per cent, higher is better but for the error. Starts: `lasso`, `rect`, `trimap1`, `trimap2` are
trimaps; `scr1` (thin) and `scr2` (denser) were drawn by people; `scr` and `few` are simulated; `one
stroke` is the one object stroke of `few` and nothing else. In matting's truth the mixed pixels are
a wide band, so its F says little.

Geodesic (`--model`): an exact cut and, but for trimaps, border refinement, before which missing
components are added and wrong ones removed; Lazy Snapping and Gaussians: one exact cut each. OpenCV: `grabCut`, 5 iterations (10 for `rect`), unknown pixels on the side of the nearest seed (`scr2` and
`one stroke`: background, which suits it better there), lassos and boxes cropped to what they
surround and started as object."""

CLICKS = """\
A simulated person clicks into the middle of the largest connected error (the pixel farthest from
all that is not of it), first into the object, at most 20 times, until the IoU is 95 %. A click is a
disc of 5 px radius, smaller where it would leave the truth's side. *NoC@90*: clicks until the IoU
reaches 90 %, 20 where it never does. *Drops*: clicks a photo after which the IoU is more than 10
points lower. Stability: the mask before the stroke is kept far from it. With a guess (a network's, of the
salient object): stability on; NoC is 0 where the guess alone is good enough, and *F* that of its cut."""

LEGEND = """\
Red: background that was taken for object; blue: object that was missed; grey: the rest of the
object; yellow and green: the seeds of background and object. From DAVIS 2016 (Perazzi et al., CC BY
4.0), whose silhouettes may be shown, others may not; `./dev quality` leaves overlays in
`build/quality`."""


def default_method(rows):
  names = report.methods(rows)
  return "geodesic" if "geodesic" in names else names[0]


# --- pictures ----------------------------------------------------------------------------------

def worst(rows, method):
  """(row, Photo) of the lowest IoU of the odd half, by WORST."""
  for set_name, start, n in WORST:
    photos = {photo.name: photo for photo in pack.photos(set_name, "odd")}
    here = report.select(rows, set=set_name, start=start, method=method, half="odd")
    for row in sorted(here, key=lambda r: (r["iou"], r["photo"]))[:n]:
      if row["photo"] in photos:
        yield row, photos[row["photo"]]


def shrink(source, target):
  """Every n-th pixel of every n-th row, with a palette: a flat picture becomes a small file."""
  png = pixels.Png(source)
  step = max(1, round(png.width / PICTURE_WIDTH))
  colours, indices = {}, bytearray()
  for y in range(0, png.height, step):
    for x in range(0, png.width, step):
      at = (y * png.width + x) * png.channels
      indices.append(colours.setdefault(png.pixels[at:at + 3], len(colours)))
  pixels.write_png(target, -(-png.width // step), -(-png.height // step), pixels.INDEXED,
                   bytes(indices), b"".join(colours))


def draw(build, row, photo, overlays, folder):
  """Cuts once more for the pictures; returns the name of the page's one."""
  start = row["start"]
  kind, seeds = photo.seeds(start)
  command = run.Job(photo, row["method"], [start]).command(build, overlays)
  subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
  made = "-".join((row["method"], os.path.basename(os.path.dirname(seeds)), kind, photo.name))
  name = f"{row['set']}-{start.replace(' ', '-')}-{photo.name}.png"
  shrink(os.path.join(overlays, made + "-map.png"), os.path.join(folder, name))
  return name


def gallery(build, rows, overlays, folder):
  os.makedirs(overlays, exist_ok=True)
  os.makedirs(folder, exist_ok=True)
  for name in os.listdir(folder):
    os.remove(os.path.join(folder, name))
  shown = []
  for row, photo in worst(rows, default_method(rows)):
    name = draw(build, row, photo, overlays, folder)
    shown.append((f"![{photo.name}]({os.path.basename(folder)}/{name})",
                  f"{row['set']} {photo.name}, {row['start']}: {100 * row['iou']:.1f}"))
  for i in range(0, len(shown), A_ROW):
    part = shown[i:i + A_ROW]
    yield "| " + " | ".join(caption for _, caption in part) + " |"
    yield "|" + "---|" * len(part)
    yield "| " + " | ".join(picture for picture, _ in part) + " |"
    yield ""


# --- the page ----------------------------------------------------------------------------------

def half_tables(rows, half):
  cuts, clickers = report.split(report.select(rows, half=half))
  yield from report.static_table(cuts)
  yield "\n### Clicks\n" if half == "odd" else ""
  if half == "odd":
    yield CLICKS + "\n"
  yield from report.click_table(clickers)
  yield from report.guess_table(clickers)


def exactness(rows):
  ours = [row for row in rows if row["method"] != "opencv"]
  free, kept = report.star_breakers(rows)
  n_stable = len(report.select(ours, start="stable-clicks"))
  return (f"\nOf our own {len(ours)} results {len(report.inexact(ours))} are not the exact minimum of their"
          f" energy. Links of the star have a price: of the {len(ours) - n_stable} without stability {len(free)}"
          f" have a first cut that breaks some, of the {n_stable} with it {len(kept)}, where pieces of a former"
          " mask are worth more.")


def document(result, build, overlays, folder):
  rows, machine = result["rows"], result["machine"]
  yield "<!-- SPDX-License-Identifier: MIT -->"
  yield "<!-- Generated by tests/quality/page.py from build/quality.json: do not edit. -->"
  yield "# How good the cuts are\n"
  yield f"`./dev quality` on {result['date']}, commit {result['commit']}: {machine['cpu']}, {machine['cores']} cores.\n"
  yield INTRODUCTION
  yield "\n## The odd half\n\nError (median) / IoU / F:\n"
  yield from half_tables(rows, "odd")
  yield exactness(rows)
  yield "\n## The worst\n\n" + LEGEND + "\n"
  yield from gallery(build, rows, overlays, folder)
  yield "## The even half\n"
  yield from half_tables(rows, "even")


def main(build, source, page):
  with open(source, encoding="utf-8") as file:
    result = json.load(file)
  overlays = os.path.join(os.path.dirname(source), "quality")
  lines = list(document(result, build, overlays, os.path.splitext(page)[0]))
  with open(page, "w", encoding="utf-8") as file:
    file.write("\n".join(lines).rstrip("\n") + "\n")
  print(f"A page of it: {page}; overlays on the photos: {overlays}")


if __name__ == "__main__":
  main(*sys.argv[1:4])
