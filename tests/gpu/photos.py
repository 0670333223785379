# SPDX-License-Identifier: MIT
"""Photos and seeds that the GPU is measured on: the data pack's where it is there, else the sample."""

import glob
import json
import os

SOURCE = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(SOURCE, "..", "shared")
DATA = os.path.join(SHARED, "data")

EASY = ("cross", "sheep", "86016")
HARD = ("bush", "flower")
LARGE = {"bus-12mp": ("bus-12mp.jpg", "bus-12mp.fretsaw"),
         "oppo-13mp": ("oppo-13mp-portrait.jpg", "cairn-13mp.fretsaw")}
SAMPLE = tuple(os.path.join(SOURCE, "data", "sample", name) for name in ("sample.jpg", "seeds.png"))


def find(name):
  """(photo, seeds), or None where one of them is not there."""
  if name == "sample":
    found = SAMPLE
  elif name in LARGE:
    photo, session = LARGE[name]
    found = (os.path.join(DATA, "photos", "large", photo), os.path.join(SOURCE, "data", "sessions", session))
  else:
    photos = glob.glob(os.path.join(DATA, "photos", "grabcut", name + ".*"))
    found = (*photos[:1], os.path.join(DATA, "seeds", "grabcut-scr2", name + ".png"))
  return found if len(found) == 2 and all(map(os.path.exists, found)) else None


def strokes(name):
  """Another person's strokes on the same photo, or all of a session; None where they are not there."""
  if name == "sample":
    path = os.path.join(SOURCE, "data", "sessions", "sample.fretsaw")
  elif name in LARGE:
    path = os.path.join(SOURCE, "data", "sessions", LARGE[name][1])
  else:
    path = os.path.join(DATA, "seeds", "grabcut-scr1", name + ".png")
  return path if os.path.exists(path) else None


def every():
  """{name: (photo, seeds)} of all that are here; the sample always is."""
  names = ("sample", *EASY, *HARD, *LARGE)
  return {name: find(name) for name in names if find(name)}


def problems():
  """[(photo, seeds)] of every photo with scribbles on it, for masks that are only compared, not timed."""
  found = []
  for group in ("grabcut-scr2", "bsds-scr", "berkeley-scr"):
    for seeds in sorted(glob.glob(os.path.join(DATA, "seeds", group, "*.png"))):
      name = os.path.splitext(os.path.basename(seeds))[0]
      photo = glob.glob(os.path.join(DATA, "photos", group.split("-", maxsplit=1)[0], name + ".*"))[:1]
      found += [(path, seeds) for path in photo]
  return found or [SAMPLE]


def silhouettes():
  """[(photo, seeds, truth)] of the Berkeley photos whose silhouettes are known, with simulated scribbles."""
  found = []
  for group in ("bsds", "grabcut"):
    for truth in sorted(glob.glob(os.path.join(DATA, "truth", group, "*.png"))):
      name = os.path.splitext(os.path.basename(truth))[0]
      seeds = os.path.join(DATA, "seeds", group + "-scr", name + ".png")
      photo = glob.glob(os.path.join(DATA, "photos", group, name + ".*"))[:1]
      found += [(path, seeds, truth) for path in photo if os.path.exists(seeds)]
  return found


def sessions():
  """{name: (photo, session)} of those whose photo is here as it was painted on."""
  found = {name: find(name) for name in LARGE}
  found["sample"] = (SAMPLE[0], os.path.join(SOURCE, "data", "sessions", "sample.fretsaw"))
  return {name: pair for name, pair in found.items() if pair}


def replays():
  """[(name, photo, session, size)] of every session that there is a photo for; size: (width, height) that the photo has to be
  resized to, None where it has its own."""
  sources = {"sample": SAMPLE[0], "bus": os.path.join(DATA, "photos", "large", LARGE["bus-12mp"][0]),
             "cairn": os.path.join(DATA, "photos", "large", LARGE["oppo-13mp"][0])}
  own = {"sample", *(os.path.splitext(session)[0] for _, session in LARGE.values())}
  found = []
  for session in sorted(glob.glob(os.path.join(SOURCE, "data", "sessions", "*.fretsaw"))):
    name = os.path.splitext(os.path.basename(session))[0]
    photo = sources[name.split("-", maxsplit=1)[0]]
    with open(session, encoding="utf-8") as file:
      painted = json.load(file)["photo"]
    if os.path.exists(photo):
      found.append((name, photo, session, None if name in own else (painted["width"], painted["height"])))
  return found


def kind(name):
  return "easy" if name in EASY else "hard" if name in HARD else ""
