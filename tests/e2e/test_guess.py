#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--guess` of cut and replay, and sessions that carry one: a mask without strokes, strokes that correct it, and
what is refused."""

import base64
import hashlib
import json
import os
import random
import struct
import sys
import zlib

import pixels
import program

WIDTH, HEIGHT = 96, 64
SMALL = 24, 16


def is_left(x, y):
  return (x - 26) ** 2 + (y - 32) ** 2 < 300


def is_right(x, y):
  return (x - 70) ** 2 + (y - 32) ** 2 < 300


def is_object(x, y):
  return is_left(x, y) or is_right(x, y)


def plane(wanted, width=WIDTH, height=HEIGHT):
  """255 where the middle of a pixel of a picture of this size is wanted."""
  return bytes(255 * wanted((2 * x + 1) * WIDTH // (2 * width), (2 * y + 1) * HEIGHT // (2 * height))
               for y in range(height) for x in range(width))


def dab(label, x, y):
  return {"label": label, "radius_px": 3, "samples": [[x, y, 1, 0]]}


def made_photo():
  """Two discs of one colour on another, both noisy."""
  rng = random.Random(4)
  rgb = bytearray()
  for y in range(HEIGHT):
    for x in range(WIDTH):
      rgb += bytes(b + rng.randrange(-9, 10) for b in ((190, 120, 60) if is_object(x, y) else (60, 110, 140)))
  return bytes(rgb)


def write_grey16(path, width, height, values):
  raw = b"".join(b"\0" + struct.pack(f">{width}H", *values[y * width:(y + 1) * width]) for y in range(height))
  with open(path, "wb") as file:
    file.write(pixels.SIGNATURE + pixels.chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0))
               + pixels.chunk(b"IDAT", zlib.compress(raw)) + pixels.chunk(b"IEND", b""))


class Guess(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.photo, self.mask, self.report = map(self.path, ("photo.png", "mask.png", "report.json"))
    self.seeds, self.guess, self.labels = map(self.path, ("seeds.png", "guess.png", "labels.png"))
    pixels.write_png(self.photo, WIDTH, HEIGHT, pixels.RGB, made_photo())
    pixels.write_png(self.guess, *SMALL, pixels.GREY, plane(is_object, *SMALL))

  def write_seeds(self, labels):
    seeds = bytearray(WIDTH * HEIGHT)
    for (x, y), label in labels.items():
      for step in range(9):
        seeds[(y + step // 3) * WIDTH + x + step % 3] = label
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, bytes(seeds))
    return ["--seeds", self.seeds]

  def cut(self, *options):
    self.assert_done(self.run_program("cut", self.photo, "--guess", self.guess, "--mask", self.mask, "--report",
                                      self.report, *options))
    with open(self.report, encoding="utf-8") as file:
      return pixels.Png(self.mask).plane(0), json.load(file)

  def assert_is(self, mask, wanted, most=60):
    self.assertLess(sum(a != b for a, b in zip(mask, plane(wanted))), most)

  def test_without_strokes(self):
    mask, report = self.cut("--verify")
    self.assert_is(mask, is_object, 40)
    stretched = bytes(pixels.Png(self.guess).plane(0)[y * 16 // HEIGHT * 24 + x * 24 // WIDTH]
                      for y in range(HEIGHT) for x in range(WIDTH))
    self.assertLess(sum(a != b for a, b in zip(mask, plane(is_object))) * 2,
                    sum(a != b for a, b in zip(stretched, plane(is_object))))
    self.assertEqual((report["guess"], report["exact"]), ("guess.png", True))
    self.assertEqual(report["guess_size"], {"width": 24, "height": 16})
    self.assertTrue(report["certificate"]["holds"])

  def test_every_model(self):
    for options in (["--model", "kmeans"], ["--model", "gmm"], ["--model", "gmm", "--iterations", "3"],
                    ["--preview"], ["--neighbours", "4"], ["--threads", "1"]):
      self.assert_is(self.cut(*options)[0], is_object)

  def test_strokes_stand(self):
    self.assert_is(self.cut(*self.write_seeds({(26, 32): 2}))[0], is_left)
    self.assert_is(self.cut(*self.write_seeds({(26, 32): 1}))[0], is_right)
    self.assert_is(self.cut(*self.write_seeds({(26, 32): 2, (70, 32): 2}))[0], is_object)

  def test_objects_share_it(self):
    self.cut(*self.write_seeds({(26, 32): 2, (70, 32): 5}), "--labels", self.labels)
    labels = pixels.Png(self.labels).pixels
    self.assert_is(pixels.select(labels, {2}), is_left)
    self.assert_is(pixels.select(labels, {5}), is_right)

  def test_other_pictures(self):
    wanted = self.cut()[0]
    grey = pixels.Png(self.guess).plane(0)
    write_grey16(self.guess, *SMALL, [257 * v for v in grey])
    self.assertEqual(self.cut()[0], wanted)
    pixels.write_png(self.guess, *SMALL, pixels.RGBA, b"".join(b"\x80\x20\0" + bytes([v]) for v in grey))
    self.assertEqual(self.cut()[0], wanted)

  def test_seeds_may_be_none(self):
    wanted = self.cut()[0]
    self.assertEqual(self.cut(*self.write_seeds({}))[0], wanted)

  def test_refused(self):
    run = self.run_program("cut", self.photo, "--guess", self.guess, "--skin", "--mask", self.mask)
    self.assert_refused(run, 2, "--skin", "--guess")
    run = self.run_program("cut", self.photo, "--guess", self.guess, "--mask", self.guess)
    self.assert_refused(run, 2, "guess.png", "input")
    with open(self.guess, "r+b") as file:
      file.truncate(30)
    bad = self.path("text.png")
    with open(bad, "w", encoding="utf-8") as file:
      file.write("no picture")
    for path in (self.path("nowhere.png"), bad, self.guess):
      run = self.run_program("cut", self.photo, "--guess", path, "--mask", self.mask)
      self.assert_refused(run, 1, os.path.basename(path) + ": ")
    self.assertFalse(os.path.exists(self.mask))

  # --- sessions ---

  def write_session(self, strokes, name="some.fretsaw"):
    with open(self.photo, "rb") as file:
      digest = hashlib.sha256(file.read()).hexdigest()
    session = {"format": "fretsaw-session-1",
               "photo": {"name": "photo.png", "sha256": digest, "width": WIDTH, "height": HEIGHT},
               "settings": {"model": "geodesic", "stability": True},
               "labels": [{"name": "Background", "colour": "#3584e4"}, {"name": "Object", "colour": "#f66151"}],
               "strokes": strokes}
    with open(self.path(name), "w", encoding="utf-8") as file:
      json.dump(session, file)
    return self.path(name)

  def carried(self):
    with open(self.guess, "rb") as file:
      return {"shape": "guess", "name": "finder.png", "png": base64.b64encode(file.read()).decode()}

  def replay(self, session, *options, checked=False):
    files = ("--mask", self.mask, "--report", self.report)
    if checked:
      program.check_replay(session, *files)
    else:
      self.assert_done(self.run_program("replay", session, *files, *options))
    with open(self.report, encoding="utf-8") as file:
      return pixels.Png(self.mask).plane(0), json.load(file)

  def test_session_carries_it(self):
    wanted = self.cut()[0]
    mask, report = self.replay(self.write_session([self.carried()]), checked=True)
    self.assertEqual((mask, report["guess"], report["exact"]), (wanted, "finder.png", True))
    self.assertGreater(report["check"]["settled"], 0)
    strokes = [dab(1, 90, 5), self.carried(), dab(1, 26, 32), dict(dab(2, 70, 32), after=3)]
    session = self.write_session(strokes)
    mask, report = self.replay(session, checked=True)
    self.assert_is(mask, is_right)
    self.assertEqual(self.replay(session, "--at-once")[0], mask)
    mask, report = self.replay(self.write_session([self.carried(), {"shape": "guess"}]), "--at-once")
    self.assertEqual((set(mask), "guess" in report), ({0}, False))

  def test_replay_with_another(self):
    """In place of all that a session carries, and before its strokes."""
    strokes = [dab(1, 90, 5), self.carried(), dab(2, 70, 32), {"shape": "guess"}, dict(dab(1, 60, 50), after=4)]
    wanted = self.replay(self.write_session(
      [self.carried(), strokes[0], strokes[2], dict(strokes[4], after=3)]), "--at-once")[0]
    self.assert_is(wanted, is_right)
    mask, report = self.replay(self.write_session(strokes), "--at-once", "--guess", self.guess)
    self.assertEqual((mask, report["guess"]), (wanted, "guess.png"))
    mask = self.replay(self.write_session([strokes[0], strokes[2], dict(strokes[4], after=2)]), "--guess", self.guess)[0]
    self.assertEqual(mask, wanted)
    session = self.write_session(strokes)
    self.assert_refused(self.run_program("replay", session, "--guess", self.path("no.png")), 1, "no.png: ")
    self.assert_refused(self.run_program("replay", session, "--guess", self.guess, "--mask", self.guess), 2, "guess.png")

  def test_session_refused(self):
    for stroke in ({"shape": "guess", "png": "x"}, {"shape": "guess", "png": base64.b64encode(b"no PNG").decode()},
                   {"shape": "guess", "label": 2}, dict(self.carried(), radius_px=4)):
      run = self.run_program("replay", self.write_session([stroke]), "--mask", self.mask)
      self.assert_refused(run, 1, "some.fretsaw: strokes[0]")
    self.assertFalse(os.path.exists(self.mask))


if __name__ == "__main__":
  sys.exit(program.tap.main())
