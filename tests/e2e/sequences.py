# SPDX-License-Identifier: MIT
"""Sequences of frames for tests of `fretsaw frames`: how they are made, run and compared."""

import hashlib
import json
import os
import random
import re
import subprocess
import time

import pixels
import program

WIDTH, HEIGHT = 96, 72
# How often a run is made, killed twelve times on the way.
ROUNDS = int(os.environ.get("SCALE", "1"))
NUMBERS = [3, 4, 5, 6, 9, 10, 11, 12]


def inside(number, x, y):
  return (x - 20 - 5 * number) ** 2 + 2 * (y - 30 - number) ** 2 < 220


def made_frame(number, noise=0):
  """A warm ellipse that moves over a cool ground, both noisy, by another noise for each number."""
  rng = random.Random(number + noise)
  rgb = bytearray()
  for y in range(HEIGHT):
    for x in range(WIDTH):
      base = (200, 120, 60) if inside(number, x, y) else (60, 100, 140)
      rgb += bytes(b + rng.randrange(30) for b in base)
  return bytes(rgb)


def made_seeds():
  seeds = bytearray(WIDTH * HEIGHT)
  for x in range(-4, 5):
    seeds[33 * WIDTH + 35 + x] = 2
    seeds[5 * WIDTH + 40 + x] = 1
    seeds[65 * WIDTH + 40 + x] = 1
  return bytes(seeds)


def made_correction(dx, dy):
  """Two strokes as if the object were elsewhere."""
  seeds = bytearray(WIDTH * HEIGHT)
  for x in range(-3, 4):
    seeds[(36 + dy) * WIDTH + 50 + dx + x] = 2
    seeds[68 * WIDTH + 50 + x] = 1
  return bytes(seeds)


def iou(mask, truth):
  """Of two planes; 128 in the truth says nothing."""
  known = [(m > 127, t > 128) for m, t in zip(mask, truth) if t != 128]
  return sum(m and t for m, t in known) / max(1, sum(m or t for m, t in known))


def kill_twelve_times(words, environment, rng, seconds):
  """Starts a command and kills it, each time after a while of up to so long."""
  for _ in range(12):
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    time.sleep(rng.random() * seconds)
    process.kill()
    process.wait()


def sweep(folder):
  """Removes what killed writes left, as a write a minute later does (tests/app/export/test_export.c)."""
  for name in os.listdir(folder):
    if re.fullmatch(r"\.fretsaw-[0-9a-f]{16}\.part", name):
      os.unlink(os.path.join(folder, name))


class SequenceTest(program.ProgramTest):
  """A folder of frames, seeds for the first one, and what runs leave."""

  def setUp(self):
    super().setUp()
    self.frames, self.out, self.seeds = map(self.path, ("frames", "out", "seeds.png"))
    os.mkdir(self.frames)
    for number in NUMBERS:
      pixels.write_png(self.frame(number), WIDTH, HEIGHT, pixels.RGB, made_frame(number))
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, made_seeds())

  def frame(self, number):
    return os.path.join(self.frames, f"shot-{number:04d}.png")

  def mask(self, number):
    return os.path.join(self.out, f"shot-{number:04d}.png")

  def run_frames(self, *options, out=None, frames=None):
    seeds = () if "--seeds" in options else ("--seeds", self.seeds)
    return self.run_program("frames", frames or self.frames, "--out", out or self.out, *seeds, *options)

  def content(self, out=None):
    """{path inside: bytes}, of folders inside too."""
    top, found = out or self.out, {}
    for folder, _, names in sorted(os.walk(top)):
      for name in names:
        with open(os.path.join(folder, name), "rb") as file:
          found[os.path.relpath(os.path.join(folder, name), top)] = file.read()
    return found

  def correct(self, number, name="correction.png", dx=0, dy=0):
    """Writes a correction; returns its options."""
    pixels.write_png(self.path(name), WIDTH, HEIGHT, pixels.GREY, made_correction(dx, dy))
    return "--correct", f"{number}={self.path(name)}"

  def session(self, number, name="some.fretsaw"):
    """The session of a frame: two strokes that say what is what."""
    with open(self.frame(number), "rb") as file:
      digest = hashlib.sha256(file.read()).hexdigest()
    x, y = 20 + 5 * number, 30 + number
    strokes = [{"label": 2, "radius_px": 2, "samples": [[x - 5, y, 1, 0], [x + 5, y, 1, 9]]},
               {"label": 1, "radius_px": 2, "samples": [[5, 5, 1, 0], [90, 5, 1, 9]]},
               {"label": 1, "radius_px": 2, "samples": [[5, 66, 1, 0], [90, 66, 1, 9]]}]
    with open(self.path(name), "w", encoding="utf-8") as file:
      json.dump({"format": "fretsaw-session-1",
                 "photo": {"name": os.path.basename(self.frame(number)), "sha256": digest, "width": WIDTH,
                           "height": HEIGHT},
                 "settings": {"neighbours": 8, "smoothness": 1},
                 "labels": [{"name": "Background", "colour": "#3584e4"}, {"name": "Object", "colour": "#f66151"}],
                 "strokes": strokes}, file)
    return self.path(name)

  def check_mask(self, number):
    truth = bytes(255 * inside(number, x, y) for y in range(HEIGHT) for x in range(WIDTH))
    self.assertGreater(iou(pixels.Png(self.mask(number)).plane(0), truth), 0.9, number)
