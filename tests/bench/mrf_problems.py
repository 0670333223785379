#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mrf_problems.py [DATA] FOLDER: writes the Middlebury MRF problems as FOLDER/NAME.mrf.

DATA is the folder that holds tsukuba/, venus/, penguin/ and panorama/ (by default the data pack's).
The parameters are those of the Middlebury benchmark (Szeliski et al. 2008); the files name the
images where they are."""

import os
import sys

SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(os.path.dirname(__file__), "..", "..", "..", "shared")
DATA = os.path.join(SHARED, "data", "mrf")

# What expansion moves must reach, and what Middlebury's own reach to convergence.
GOALS = {"tsukuba": 370900, "venus": 3127000, "penguin": 15870000, "panorama": 151000}
MIDDLEBURY = {"tsukuba": 370825, "venus": 3125962, "penguin": 15863938, "panorama": 150967}
SIZES = {"tsukuba": (384, 288), "venus": (434, 383), "penguin": (122, 179), "panorama": (1071, 480)}
SCALES = {"tsukuba": 16, "venus": 8, "penguin": 1, "panorama": 36}

TSUKUBA = """labels 16
data stereo {0} {1} absolute 765
smoothness linear 20 2
weights cue {0} 192 2
start chains
"""
VENUS = """labels 20
data stereo {0} {1} squared 256
smoothness square 50 7
start chains
"""
# From zero or the cheapest labels, a sweep over 256 greys in order ends 3 % higher.
PENGUIN = """labels 256
data restoration {0} {1}
smoothness square 25 200
start coarse
"""
PANORAMA = """labels 7
data montage 100000 {0} {1} {2} {3} {4} {5} {6}
smoothness montage
start cheapest
"""
TEXTS = {"tsukuba": TSUKUBA, "venus": VENUS, "penguin": PENGUIN, "panorama": PANORAMA}
PANORAMA_SHOTS = (257, 258, 259, 260, 261, 263, 264)


def images(name, data=DATA):
  """The problem's images, in the order in which it names them."""
  if name == "panorama":
    return [os.path.join(data, name, f"NQIMG_0{shot}.PNG") for shot in PANORAMA_SHOTS]
  kinds = ("input", "mask") if name == "penguin" else ("imL", "imR")
  return [os.path.join(data, name, f"{name}-{kind}.png") for kind in kinds]


def is_there(name, data=DATA):
  return all(os.path.exists(path) for path in images(name, data))


def text(name, data=DATA):
  quoted = [f'"{os.path.abspath(path)}"' for path in images(name, data)]
  width, height = SIZES[name]
  return f"fretsaw-mrf 1\n# {name}, as Middlebury has it\ngrid {width} {height} 4\n{TEXTS[name].format(*quoted)}end\n"


def write(name, folder, data=DATA):
  path = os.path.join(folder, name + ".mrf")
  with open(path, "w", encoding="utf-8") as file:
    file.write(text(name, data))
  return path


def main(arguments):
  if len(arguments) not in (1, 2) or any(word.startswith("-") for word in arguments):
    sys.exit(__doc__)
  folder, data = arguments[-1], arguments[0] if len(arguments) == 2 else DATA
  os.makedirs(folder, exist_ok=True)
  for name in GOALS:
    if is_there(name, data):
      print(write(name, folder, data))
    else:
      print(f"{name}: its images are not in {data}", file=sys.stderr)


if __name__ == "__main__":
  main(sys.argv[1:])
