#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw replay` through the real program: what it prints and writes, and how it refuses."""

import hashlib
import json
import os
import random
import sys

import outlines
import pixels
import program

WIDTH, HEIGHT = 240, 160
SESSIONS = os.path.join(program.SOURCE, "data", "sessions")
LABELS = [{"name": "Background", "colour": "#3584e4"}, {"name": "Object", "colour": "#f66151"}]


def made_photo():
  """A warm ellipse on a cool ground, both noisy."""
  rng = random.Random(5)
  rgb = bytearray()
  for y in range(HEIGHT):
    for x in range(WIDTH):
      inside = (x - 120) ** 2 + 2 * (y - 80) ** 2 < 60 ** 2
      base = (190, 120, 60) if inside else (70, 110, 150)
      rgb += bytes(b + rng.randrange(50) for b in base)
  return bytes(rgb)


def line(label, radius, x0, y0, x1, y1):
  n = 10
  samples = [[x0 + (x1 - x0) * i / n, y0 + (y1 - y0) * i / n, 1, 9 * i] for i in range(n + 1)]
  return {"label": label, "radius_px": radius, "samples": samples}


STROKES = [line(2, 4, 100, 80, 140, 80), line(1, 6, 20, 20, 220, 24), line(2, 3, 120, 60, 122, 100),
           line(2, 5, 30, 120, 60, 140), line(0, 8, 28, 118, 62, 142), line(1, 4, 20, 110, 80, 150)]


class Replay(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.photo, self.session = self.path("photo.png"), self.path("some.fretsaw")
    pixels.write_png(self.photo, WIDTH, HEIGHT, pixels.RGB, made_photo())
    with open(self.photo, "rb") as file:
      digest = hashlib.sha256(file.read()).hexdigest()
    self.content = {
      "format": "fretsaw-session-1",
      "photo": {"name": "photo.png", "sha256": digest, "width": WIDTH, "height": HEIGHT},
      "settings": {"neighbours": 8, "smoothness": 1}, "labels": LABELS, "strokes": STROKES}
    self.save()

  def save(self):
    with open(self.session, "w", encoding="utf-8") as file:
      json.dump(self.content, file)

  def test_at_once(self):
    """The mask is that of the strokes in their own time, and comes without waiting for that; and the cut-out."""
    mask, fast, cutout, report = (self.path(n) for n in ("mask.png", "fast.png", "cutout.png", "report.json"))
    self.assert_done(self.run_program("replay", self.session, "--mask", mask))
    for stroke in self.content["strokes"]:
      for number, sample in enumerate(stroke["samples"]):
        sample[3] = 100 * number
    self.save()
    run = self.run_program("replay", self.session, "--at-once", "--mask", fast, "--cutout", cutout, "--report", report,
                           "--soft-edge", "0")
    self.assert_done(run)
    self.assertNotIn("p95", run.out)
    self.assertEqual(pixels.Png(fast).pixels, pixels.Png(mask).pixels)
    self.assertEqual(pixels.Png(cutout).plane(3), pixels.Png(mask).pixels)
    with open(report, encoding="utf-8") as file:
      told = json.load(file)
    # Played, they would have taken at least their own time.
    self.assertLess(told["time_us"]["total"], 1e5 * sum(len(s["samples"]) - 1 for s in STROKES))
    self.assertEqual((told["exact"], told["masks"]["updates"]), (True, 0))

  def test_soft_edge_spares_strokes(self):
    cutout = self.path("cutout.png")
    self.assert_done(self.run_program("replay", self.session, "--at-once", "--cutout", cutout, "--soft-edge", "32"))
    alpha = pixels.Png(cutout).plane(3)
    self.assertGreater(pixels.select(alpha, {0, 255}).count(0), 1000)
    for value, x0, y0, x1, y1 in ((255, 100, 77, 140, 83), (255, 119, 60, 121, 100), (0, 25, 18, 215, 21)):
      for y in range(y0, y1 + 1):
        self.assertEqual(set(alpha[y * WIDTH + x0:y * WIDTH + x1 + 1]), {value}, y)

  def test_check(self):
    mask, report = self.path("mask.png"), self.path("report.json")
    self.assertIn("equal to a fresh solve", program.check_replay(self.session, "--mask", mask, "--report", report))
    with open(report, encoding="utf-8") as file:
      told = json.load(file)
    picture = pixels.Png(mask)
    self.assertEqual((picture.width, picture.height, picture.kind), (WIDTH, HEIGHT, pixels.GREY))
    self.assertEqual(set(picture.pixels), {0, 255})
    self.assertEqual(told["object_pixels"], picture.pixels.count(255))
    self.assertEqual(told["photo"], {"width": WIDTH, "height": HEIGHT})
    self.assertIs(told["exact"], True)
    self.assertEqual(told["energy"], told["bound"])
    self.assertEqual(told["strokes"], len(STROKES))
    self.assertGreaterEqual(told["check"]["settled"], len(STROKES) + 1)
    self.assertLessEqual({"decode", "model", "energy", "cut", "write", "total"},
                         told["time_us"].keys())
    for kind in ("masks", "previews", "exact_masks", "settled_masks"):
      self.assertEqual(told[kind]["latency_us"].keys(), {"p50", "p95", "max"})
      self.assertIsInstance(told[kind]["updates"], int)
    self.assertGreater(told["exact_masks"]["updates"], len(STROKES))

  def test_sample(self):
    """The first strokes of the session that is shipped with the sample."""
    with open(os.path.join(SESSIONS, "sample.fretsaw"), encoding="utf-8") as file:
      self.content = json.load(file)
    self.content["strokes"] = self.content["strokes"][:3]
    self.save()
    sample = os.path.join(program.SOURCE, "data", "sample", "sample.jpg")
    program.check_replay(self.session, "--photo", sample)

  def test_photo_is_spared(self):
    """The photo is no argument, but would be overwritten as well."""
    with open(self.photo, "rb") as file:
      photo = file.read()
    os.symlink(self.photo, self.path("link.png"))
    os.symlink(self.photo, self.path("link.json"))
    self.assert_refused(self.run_program("replay", self.session, "--report", self.photo), 2, "the ending of a picture")
    for option in "--mask", "--cutout", "--labels", "--report":
      for name in ("link.json",) if option == "--report" else ("photo.png", "link.png"):
        self.assert_refused(self.run_program("replay", self.session, "--at-once", option, self.path(name)), 1,
                            name + ": is an input, and would be overwritten")
    with open(self.photo, "rb") as file:
      self.assertEqual(file.read(), photo)

  def test_labels(self):
    """Objects that do not touch have their pieces, those that do share theirs out, and all of them are the mask."""
    mask, labels = self.path("mask.png"), self.path("labels.png")
    self.content["labels"] = LABELS + [{"name": "Right half", "colour": "#33d17a"}, {"name": "Spot", "colour": "#ffffff"}]
    self.content["strokes"] = [line(2, 4, 80, 80, 100, 80), line(1, 6, 20, 20, 220, 24), line(3, 4, 140, 80, 160, 80),
                               line(4, 5, 30, 130, 50, 130), line(1, 4, 20, 110, 80, 145)]
    self.save()
    self.assert_done(self.run_program("replay", self.session, "--at-once", "--mask", mask, "--labels", labels))
    plane, numbers = (pixels.Png(path).plane(0) for path in (mask, labels))
    self.assertEqual(set(numbers), {1, 2, 3, 4})
    self.assertEqual([n > 1 for n in numbers], [m == 255 for m in plane])
    for number, x, y in ((2, 90, 80), (3, 150, 80), (4, 40, 130), (1, 120, 22)):
      self.assertEqual(numbers[y * WIDTH + x], number)
    outline = self.path("outline.svg")
    self.assert_done(self.run_program("replay", self.session, "--at-once", "--outline", outline))
    drawn = outlines.Outline(outline)
    self.assertEqual([path[:2] for path in drawn.paths],
                     [("object-1", "Object"), ("object-2", "Right half"), ("object-3", "Spot")])
    for number, path in zip((2, 3, 4), drawn.paths):
      self.assertEqual(drawn.fill(path[2]), pixels.select(numbers, {number}))
    right = [i % WIDTH for i, n in enumerate(numbers) if n == 3]
    left = [i % WIDTH for i, n in enumerate(numbers) if n == 2]
    self.assertGreater(len(left), 100)
    self.assertGreater(len(right), 100)
    self.assertLess(sum(left) / len(left), sum(right) / len(right) - 30)
    self.content["strokes"] = STROKES
    self.save()
    self.assert_done(self.run_program("replay", self.session, "--at-once", "--mask", mask, "--labels", labels))
    self.assertEqual(pixels.Png(labels).plane(0), bytes(2 if m else 1 for m in pixels.Png(mask).plane(0)))

  def test_session_names_its_photo(self):
    os.mkdir(self.path("deeper"))
    self.session = self.path("deeper/other.fretsaw")
    self.content["photo"]["name"] = "../photo.png"
    self.content["strokes"] = STROKES[:1]
    self.save()
    self.assert_done(self.run_program("replay", self.session))

  def test_wrong_usage(self):
    for arguments in (["replay"], ["replay", self.session, self.session],
                      ["replay", self.session, "--fast"],
                      ["replay", self.session, "--mask", self.session],
                      ["replay", self.session, "--photo", self.photo, "--report", self.photo],
                      ["replay", self.session, "--mask", "x", "--report", "x"],
                      ["replay", self.session, "--mask", "x", "--labels", "x"]):
      with self.subTest(arguments=arguments):
        self.assert_refused(self.run_program(*arguments), 2)

  def refused(self, *words, **changes):
    self.content.update(changes)
    self.save()
    mask = self.path("mask.png")
    self.assert_refused(self.run_program("replay", self.session, "--mask", mask), 1, *words)
    self.assertFalse(os.path.exists(mask))

  def test_broken_session(self):
    self.refused("some.fretsaw", 'a key that is not known: "extra"', extra=1)

  def test_other_photo(self):
    self.refused("photo.png", "pixels differ", "--photo",
                 photo={**self.content["photo"], "sha256": "0" * 64, "pixels": "0" * 64})

  def test_other_bytes(self):
    """A session from before pixels were summed goes by the photo's size, and says so."""
    self.content["photo"]["sha256"] = "0" * 64
    self.save()
    run = self.run_program("replay", self.session, "--at-once", "--mask", self.path("mask.png"))
    self.assertEqual(run.status, 0)
    self.assertIn("SHA-256 differs", run.err)

  def test_no_photo(self):
    self.refused("nowhere.png", photo={**self.content["photo"], "name": "nowhere.png", "sha256": "0" * 64})

  def test_photo_outside(self):
    self.refused("some.fretsaw", "photo.name", photo={**self.content["photo"], "name": self.photo})

  def test_no_session(self):
    self.assert_refused(self.run_program("replay", self.path("none.fretsaw")), 1, "none.fretsaw")


if __name__ == "__main__":
  sys.exit(program.tap.main())
