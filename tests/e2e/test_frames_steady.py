#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cut-outs of `fretsaw frames` have a steady alpha: where the picture stands still, noise hardly changes it, and where
it moves it is that of the frame alone."""

import json
import os
import random
import shutil
import sys

import pixels
import program
import sequences
from sequences import HEIGHT, NUMBERS, WIDTH

# Numbers with gaps: no frame has one just before it, so each alpha is that of its frame alone.
APART = [2 * number for number in range(1, 9)]
TOGETHER = list(range(1, 9))


def blurred(x, y, left):
  """The share of an ellipse with a blurred border."""
  distance = ((x - left) ** 2 + 1.5 * (y - 36) ** 2) ** 0.5
  return min(1, max(0, (20 - distance) / 6 + 0.5))


def picture(number, left, ground=(60, 100, 140)):
  rng = random.Random(number)
  rgb = bytearray()
  for y in range(HEIGHT):
    for x in range(WIDTH):
      a = blurred(x, y, left)
      rgb += bytes(int(a * c + (1 - a) * g) + rng.randrange(16) for c, g in zip((200, 120, 60), ground))
  return bytes(rgb)


def seeds():
  plane = bytearray(WIDTH * HEIGHT)
  for x in range(-4, 5):
    plane[36 * WIDTH + 45 + x] = 2
    plane[3 * WIDTH + 45 + x] = 1
    plane[69 * WIDTH + 45 + x] = 1
  return bytes(plane)


class Steady(sequences.SequenceTest):
  def make(self, name, pictures, numbers):
    """A folder of frames; returns their cut-outs' alpha planes, and those of their masks."""
    frames, masks, cutouts = (self.path(f"{name}-{kind}") for kind in ("frames", "masks", "cut"))
    shutil.rmtree(frames, ignore_errors=True)
    os.mkdir(frames)
    for number, rgb in zip(numbers, pictures):
      pixels.write_png(os.path.join(frames, f"f{number:02d}.png"), WIDTH, HEIGHT, pixels.RGB, rgb)
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, seeds())
    run = self.run_program("frames", frames, "--out", masks, "--cutouts", cutouts, "--seeds", self.seeds)
    self.assertEqual(run.status, 0, run.err)
    planes = [[pixels.Png(os.path.join(folder, name)).plane(channel) for name in sorted(os.listdir(folder))
               if name.endswith(".png")] for folder, channel in ((cutouts, 3), (masks, 0))]
    self.assertEqual(len(planes[0]), len(pictures))
    return planes

  def compare(self, pictures):
    """The alphas alone and steady; both have the same masks."""
    alone, masks = self.make("apart", pictures, APART)
    steady, same = self.make("together", pictures, TOGETHER)
    self.assertEqual(masks, same)
    return alone, steady

  def change(self, planes, soft):
    """The mean difference of alpha between frames that have three before them."""
    pairs = [abs(a - b) for one, two in zip(planes[3:], planes[4:]) for p, (a, b) in enumerate(zip(one, two)) if p in soft]
    return sum(pairs) / len(pairs)

  def test_still(self):
    """Noise alone: alpha changes less than half as much as that of single frames, and is as near to the truth."""
    alone, steady = self.compare([picture(number, 45) for number in range(8)])
    self.assertEqual(alone[0], steady[0])
    truth = [255 * blurred(p % WIDTH, p // WIDTH, 45) for p in range(WIDTH * HEIGHT)]
    soft = {p for p, t in enumerate(truth) if 0 < t < 255}
    before, after = self.change(alone, soft), self.change(steady, soft)
    print(f"# mean change of alpha {before:.2f} alone, {after:.2f} steady")
    self.assertGreater(before, 1)
    self.assertLess(after, before / 2)
    errors = [sum(abs(a - t) for plane in planes[3:] for a, t in zip(plane, truth)) for planes in (alone, steady)]
    self.assertLessEqual(errors[1], errors[0])

  def test_moving(self):
    """Along a border that moves by six pixels alpha is that of the frame alone."""
    alone, steady = self.compare([picture(number, 30 + 6 * number) for number in range(6)])
    for number in range(1, 6):
      for p in range(WIDTH * HEIGHT):
        x, y = p % WIDTH, p // WIDTH
        here, before = (blurred(x, y, 30 + 6 * n) for n in (number, number - 1))
        if 0 < here < 1 and abs(here - before) > 0.5:
          self.assertEqual(alone[number][p], steady[number][p], (number, x, y))

  def test_another_ground(self):
    """Another picture all around begins anew; the object's inside is the same."""
    grounds = [(60, 100, 140)] * 3 + [(40, 190, 60)]
    alone, steady = self.compare([picture(number, 45, ground) for number, ground in enumerate(grounds)])
    self.assertNotEqual(alone[2], steady[2])
    differ = [p for p in range(WIDTH * HEIGHT) if alone[3][p] != steady[3][p]]
    self.assertEqual([p for p in differ if blurred(p % WIDTH, p // WIDTH, 45) < 0.8], [])

  def test_hard(self):
    """Without a soft edge alpha is the mask."""
    self.make("hard", [picture(number, 45) for number in range(4)], TOGETHER)
    cutouts = self.path("cutouts")
    self.assert_done(self.run_program("frames", self.path("hard-frames"), "--out", self.path("hard-masks"), "--cutouts",
                                      cutouts, "--seeds", self.seeds, "--soft-edge", "0"))
    for name in ("f03.png", "f04.png"):
      self.assertEqual(pixels.Png(os.path.join(cutouts, name)).plane(3),
                       pixels.Png(os.path.join(self.path("hard-masks"), name)).plane(0))


class OfSession(sequences.SequenceTest):
  def edit(self, *edits):
    """The session of the first frame, with edits of the edge."""
    path = self.session(3)
    with open(path, encoding="utf-8") as file:
      content = json.load(file)
    content["edge"] = [{"after": 3, **edit} for edit in edits]
    with open(path, "w", encoding="utf-8") as file:
      json.dump(content, file)
    return path

  def cut_out(self, name, session, *options):
    """{name: bytes} of the cut-outs."""
    masks, cutouts = self.path(name + "-masks"), self.path(name)
    run = self.run_program("frames", self.frames, "--out", masks, "--cutouts", cutouts, "--session", session, *options)
    self.assertEqual(run.status, 0, run.err)
    return {name: content for name, content in self.content(cutouts).items() if name.endswith(".png")}

  def test_settings(self):
    """The session's are the default ones; options come first."""
    settings = {"width_px": 3, "shift_tenths": 10, "contrast": 40, "smooth_px": 2, "clean": 50, "specks_px": 0, "holes_px": 0}
    session = self.edit({"settings": {**settings, "width_px": 9}}, {"settings": settings})
    options = ("--soft-edge", "3", "--edge-shift", "1", "--edge-contrast", "40", "--edge-smooth", "2", "--clean-colours", "50")
    plain = self.session(3, "plain.fretsaw")
    expected = self.cut_out("options", plain, *options)
    self.assertEqual(self.cut_out("session", session), expected)
    self.assertNotEqual(self.cut_out("none", plain), expected)
    self.assertEqual(self.cut_out("both", session, "--edge-shift", "0"),
                     self.cut_out("first", plain, *options[:2], *options[4:]))
    hard = self.cut_out("hard", session, "--soft-edge", "0", "--edge-shift", "0", "--edge-smooth", "0")
    self.assertEqual(hard, self.cut_out("hard-plain", plain, "--soft-edge", "0"))


  def write_moving(self):
    for number in NUMBERS:
      pixels.write_png(self.frame(number), WIDTH, HEIGHT, pixels.RGB, picture(number, self.left(number)))

  def left(self, number):
    return 35 + 4 * (number - 3)

  def zone(self, kind, radius, *points):
    return {"zone": kind, "radius_px": radius, "samples": [[x, y, 1, 0] for x, y in points]}

  def test_zones(self):
    """A refine zone at the object's right moves with it, and is all that is soft there; also made again."""
    self.write_moving()
    session = self.edit(self.zone("refine", 5, (55, 28), (55, 44)))
    self.cut_out("cut", session, "--soft-edge", "0")
    for number in NUMBERS:
      plane = pixels.Png(os.path.join(self.path("cut"), f"shot-{number:04d}.png")).plane(3)
      soft = [p for p, a in enumerate(plane) if 0 < a < 255]
      moved = self.left(number) - 35
      self.assertGreater(len(soft), 30, number)
      for p in soft:
        self.assertLessEqual(abs(p % WIDTH - 55 - moved), 7, (number, p % WIDTH, p // WIDTH))
        self.assertLessEqual(abs(p // WIDTH - 36), 15, (number, p % WIDTH, p // WIDTH))
    before = self.content(self.path("cut"))
    for gone in ([12], [5, 10], NUMBERS):
      for number in gone:
        os.unlink(os.path.join(self.path("cut"), f"shot-{number:04d}.png"))
      self.cut_out("cut", session, "--soft-edge", "0")
      self.assertEqual(self.content(self.path("cut")), before)

  def test_hard_zone(self):
    """Around all of the object: its edge is narrow in all frames."""
    self.write_moving()
    self.cut_out("cut", self.edit(self.zone("hard", 30, (35, 36))), "--soft-edge", "5")
    self.cut_out("wide", self.session(3, "plain.fretsaw"), "--soft-edge", "5")
    for number in NUMBERS:
      hard, wide = (sum(0 < a < 255 for a in pixels.Png(os.path.join(self.path(name), f"shot-{number:04d}.png")).plane(3))
                    for name in ("cut", "wide"))
      self.assertLess(hard, wide / 2, number)

  def test_zones_of_another_session(self):
    """A later session has zones of its own, or none; seeds leave them as they are."""
    self.write_moving()
    session = self.edit(self.zone("refine", 5, (55, 28), (55, 44)))
    later = self.session(10, "later.fretsaw")
    with open(later, encoding="utf-8") as file:
      content = json.load(file)
    x = self.left(10)
    content["strokes"][0]["samples"] = [[x - 5, 36, 1, 0], [x + 5, 36, 1, 9]]
    with open(later, "w", encoding="utf-8") as file:
      json.dump(content, file)
    self.cut_out("cut", session, "--soft-edge", "0", "--correct", f"10={later}")
    for number in NUMBERS:
      plane = pixels.Png(os.path.join(self.path("cut"), f"shot-{number:04d}.png")).plane(3)
      self.assertEqual(any(0 < a < 255 for a in plane), number < 10, number)


class Again(sequences.SequenceTest):
  """What is missing is made again, from masks alone, to the same bytes."""

  def setUp(self):
    super().setUp()
    self.cutouts = self.path("cut")

  def run_all(self, *options):
    run = self.run_frames("--cutouts", self.cutouts, *options)
    self.assertEqual(run.status, 0, run.err)
    return run

  def test_missing_ones(self):
    correction = self.correct(11)
    self.run_all(*correction)
    before = self.content(), self.content(self.cutouts)
    for gone in ([12], [5, 6], [3, 10], [11, 12], NUMBERS):
      for number in gone:
        os.unlink(os.path.join(self.cutouts, f"shot-{number:04d}.png"))
      self.assertIn("0 cut, 8 there already", self.run_all(*correction).out)
      self.assertEqual((self.content(), self.content(self.cutouts)), before)
    os.unlink(self.mask(12))
    os.unlink(os.path.join(self.cutouts, "shot-0012.png"))
    self.run_all(*correction)
    self.assertEqual((self.content(), self.content(self.cutouts)), before)

  def test_what_follows(self):
    """Skin: a picture that has changed leaves the other masks as they are, but not the cut-outs of those after it."""
    words = ["frames", self.frames, "--out", self.out, "--cutouts", self.cutouts, "--skin"]
    for number in NUMBERS:
      pixels.write_png(self.frame(number), WIDTH, HEIGHT, pixels.RGB, picture(number, 45))
    self.assert_done(self.run_program(*words))
    before = self.content(self.cutouts)
    pixels.write_png(self.frame(9), WIDTH, HEIGHT, pixels.RGB, picture(99, 45))
    run = self.run_program(*words)
    self.assertIn("1 cut, 7 there already", run.out)
    after = self.content(self.cutouts)
    self.assertEqual([n for n in NUMBERS if after[f"shot-{n:04d}.png"] != before[f"shot-{n:04d}.png"]], [9, 10, 11, 12])
    fresh, masks = self.path("fresh"), self.path("masks")
    self.assert_done(self.run_program("frames", self.frames, "--out", masks, "--cutouts", fresh, "--skin"))
    self.assertEqual(self.content(fresh), after)


if __name__ == "__main__":
  sys.exit(program.tap.main())
