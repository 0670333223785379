#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw coco` through the real program: sessions become one data set, and what fails is said."""

import hashlib
import json
import os
import sys

import pixels
import program

WIDTH, HEIGHT = 96, 64
SQUARES = {2: (8, 8, 28, 28), 3: (40, 8, 60, 28), 4: (68, 36, 88, 56)}


def made_photo():
  """Squares of three colours on grey."""
  rgb = bytearray(b"\x60\x68\x70" * (WIDTH * HEIGHT))
  for label, (x0, y0, x1, y1) in SQUARES.items():
    for y in range(y0, y1):
      start = 3 * (y * WIDTH + x0)
      rgb[start:start + 3 * (x1 - x0)] = bytes((220, 60 * label, 20)) * (x1 - x0)
  return bytes(rgb)


def dab(label, x, y):
  return {"label": label, "radius_px": 3, "samples": [[x, y, 1, 0], [x + 4, y, 1, 9]]}


def painted(runs, size):
  """The pixels of run lengths that go column after column, as (x, y)."""
  height, at, found = size[0], 0, set()
  for i, length in enumerate(runs):
    if i % 2 == 1:
      found.update((p // height, p % height) for p in range(at, at + length))
    at += length
  assert at == size[0] * size[1]
  return found


class Coco(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.set = self.path("set.json")
    os.mkdir(self.path("photos"))
    pixels.write_png(self.path("photos/farm.png"), WIDTH, HEIGHT, pixels.RGB, made_photo())
    with open(self.path("photos/farm.png"), "rb") as file:
      self.digest = hashlib.sha256(file.read()).hexdigest()

  def session(self, name, objects, **changes):
    """Saves a session with a dab in each square, of its label in {label: name}, or else of background."""
    names = [{"name": objects.get(label, "Nothing"), "colour": "#123456"} for label in range(1, max(objects) + 1)]
    content = {
      "format": "fretsaw-session-1",
      "photo": {"name": "photos/farm.png", "sha256": self.digest, "width": WIDTH, "height": HEIGHT},
      "settings": {"neighbours": 8, "smoothness": 1}, "labels": names,
      "strokes": [dab(label if label in objects else 1, x + 8, y + 10) for label, (x, y, _, _) in SQUARES.items()]
      + [dab(1, 20, 48)],
      **changes}
    with open(self.path(name), "w", encoding="utf-8") as file:
      json.dump(content, file)
    return self.path(name)

  def read(self):
    with open(self.set, encoding="utf-8") as file:
      return json.load(file)

  def test_set(self):
    """Each square is where it is, under its name; the photo is named as seen from the set."""
    first = self.session("first.fretsaw", {2: "Hen", 3: "Cow", 4: "Hen"})
    second = self.session("second.fretsaw", {3: "Küken"})
    run = self.run_program("coco", first, second, "--out", self.set)
    self.assert_done(run)
    self.assertEqual(run.out.splitlines(), [first + ": 3 objects", second + ": 1 object"])
    told = self.read()
    self.assertEqual(told["images"], [{"id": 1, "file_name": "photos/farm.png", "width": WIDTH, "height": HEIGHT}])
    self.assertEqual([c["name"] for c in told["categories"]], ["Hen", "Cow", "Küken"])
    self.assertEqual([a["category_id"] for a in told["annotations"]], [1, 2, 1, 3])
    for annotation, label in zip(told["annotations"], (2, 3, 4, 3)):
      x0, y0, x1, y1 = SQUARES[label]
      where = annotation["segmentation"]
      self.assertEqual(painted(where["counts"], where["size"]),
                       {(x, y) for x in range(x0, x1) for y in range(y0, y1)})
      self.assertEqual(annotation["bbox"], [x0, y0, x1 - x0, y1 - y0])

  def test_part(self):
    """A session that fails is said and left out."""
    good = self.session("good.fretsaw", {2: "Hen"})
    bad = self.session("bad.fretsaw", {2: "Hen"}, photo={"name": "gone.png", "sha256": self.digest, "width": 1, "height": 1})
    run = self.run_program("coco", bad, good, "--out", self.set)
    self.assertEqual(run.status, 3)
    self.assertIn("gone.png: ", run.err)
    self.assertEqual(run.out, good + ": 1 object\n")
    self.assertEqual(len(self.read()["annotations"]), 1)
    os.unlink(self.set)
    self.assertEqual(self.run_program("coco", bad, "--out", self.set).status, 1)
    self.assertFalse(os.path.exists(self.set))

  def test_photo(self):
    """Moved apart, a folder says where photos are; a single one may be named itself."""
    good = self.session("good.fretsaw", {2: "Hen"})
    other = self.session("other.fretsaw", {2: "Hen"})
    os.mkdir(self.path("moved"))
    moved = self.path("moved/cow.png")
    os.rename(self.path("photos/farm.png"), moved)
    run = self.run_program("coco", good, "--out", self.set)
    self.assertEqual(run.status, 1)
    self.assertIn("farm.png: is not there", run.err)
    self.assertIn("--photo", run.err)
    for sessions, photo in (([good], moved), ([good], self.path("moved")), ([good, other], self.path("moved"))):
      run = self.run_program("coco", *sessions, "--photo", photo, "--out", self.set)
      self.assert_done(run)
      self.assertEqual(self.read()["images"][0]["file_name"], "moved/cow.png")
      self.assertEqual(len(self.read()["annotations"]), len(sessions))
    self.assert_refused(self.run_program("coco", good, other, "--photo", moved, "--out", self.set), 2, "--photo")

  def test_refuses(self):
    good = self.session("good.fretsaw", {2: "Hen"})
    self.assert_refused(self.run_program("coco", "--out", self.set), 2, "coco --help")
    self.assert_refused(self.run_program("coco", good), 2, "--out")
    self.assert_refused(self.run_program("coco", good, "--out", good), 2, "would be overwritten")
    self.assert_refused(self.run_program("coco", good, "--out", self.set, "--backend", "abacus"), 2, "--backend")
    self.assert_refused(self.run_program("coco", good, "--out", self.path("gone/set.json")), 1, "cannot be written")
    os.symlink(self.path("photos/farm.png"), self.path("photos/farm.json"))
    self.assert_refused(self.run_program("coco", good, "--out", self.path("photos/farm.png")), 2,
                        "the ending of a picture")
    run = self.run_program("coco", good, "--out", self.path("photos/farm.json"))
    self.assertEqual(run.status, 1)
    self.assertIn("is an input, and would be overwritten", run.err)


if __name__ == "__main__":
  sys.exit(program.tap.main())
