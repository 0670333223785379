# SPDX-License-Identifier: MIT
"""The photos of the data pack, their truths and starts, and which half of them tuning may look at.

Photos of a set are sorted by name. Those with an even index (0, 2, …) are tuned on, those with an
odd one are reported: a figure of the odd half comes from photos that no parameter was chosen by.
"""

import os

SOURCE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(SOURCE, "..", "shared")

SCRIBBLES, OBJECT, TRIMAP = "scribbles", "object", "trimap"

# Set → start → (kind of start, folder of seeds without the set's name).
SETS = {
  "grabcut": {"lasso": (TRIMAP, "lasso"), "rect": (TRIMAP, "rect"), "scr1": (SCRIBBLES, "scr1"),
              "scr2": (SCRIBBLES, "scr2"), "scr": (SCRIBBLES, "scr"), "few": (SCRIBBLES, "few"),
              "one stroke": (OBJECT, "few")},
  "bsds": {"scr": (SCRIBBLES, "scr"), "few": (SCRIBBLES, "few")},
  "berkeley": {"scr": (SCRIBBLES, "scr"), "few": (SCRIBBLES, "few")},
  "davis345": {"scr": (SCRIBBLES, "scr"), "few": (SCRIBBLES, "few")},
  "coco": {},
  "matting": {"trimap1": (TRIMAP, "trimap1"), "trimap2": (TRIMAP, "trimap2"),
              "scr": (SCRIBBLES, "scr")},
}
CLICK_SETS = ("grabcut", "berkeley")
# Sets whose photos a network has made a guess of; clicks are played with it, and in the same sets without.
GUESS_SETS = ("grabcut", "berkeley", "davis345", "coco")


class Photo:
  """One photo of a set with its truth; `half` is "even" or "odd"."""

  def __init__(self, folder, set_name, file_name, index):
    self.set, self.folder = set_name, folder
    self.name = os.path.splitext(file_name)[0]
    self.half = "odd" if index % 2 else "even"
    self.photo = os.path.join(folder, "photos", set_name, file_name)
    self.truth = os.path.join(folder, "truth", set_name, self.name + ".png")

  def guess(self):
    """The path of a first guess; None where there is none."""
    path = os.path.join(self.folder, "priors", f"{self.set}-{self.name}.png")
    return path if os.path.exists(path) else None

  def seeds(self, start):
    """(kind, path) of a start of SETS."""
    kind, name = SETS[self.set][start]
    return kind, os.path.join(self.folder, "seeds", f"{self.set}-{name}", self.name + ".png")


def photos(set_name, half="all", limit=0):
  """The photos of a set that are here, in order; [] without the data pack."""
  folder = os.path.join(SHARED, "data")
  here = os.path.join(folder, "photos", set_name)
  names = sorted(os.listdir(here)) if os.path.isdir(here) else []
  found = [Photo(folder, set_name, name, i) for i, name in enumerate(names)]
  found = [p for p in found if half in ("all", p.half)]
  return found[:limit] if limit else found
