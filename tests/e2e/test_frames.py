#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw frames` through the real program: masks of a sequence, gaps, bad frames, resumed runs."""

import json
import os
import random
import subprocess
import sys
import time

import pixels
import program

WIDTH, HEIGHT = 96, 72
NUMBERS = [3, 4, 5, 6, 9, 10, 11, 12]
# The least mean and worst IoU of a clip of the data pack, over the frames that are looked at.
CLIPS = {"synth-static": (0.95, 0.93), "synth-moving": (0.90, 0.88), "car-shadow": (0.85, 0.80)}


def inside(number, x, y):
  return (x - 20 - 5 * number) ** 2 + 2 * (y - 30 - number) ** 2 < 220


def made_frame(number):
  """A warm ellipse that moves over a cool ground, both noisy."""
  rng = random.Random(number)
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


def iou(mask, truth):
  """Of two planes; 128 in the truth says nothing."""
  known = [(m > 127, t > 128) for m, t in zip(mask, truth) if t != 128]
  return sum(m and t for m, t in known) / max(1, sum(m or t for m, t in known))


class Frames(program.ProgramTest):
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

  def run_frames(self, *options, out=None):
    return self.run_program("frames", self.frames, "--out", out or self.out, "--seeds", self.seeds, *options)

  def content(self, out=None):
    folder = out or self.out
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))}

  def check_mask(self, number):
    truth = bytes(255 * inside(number, x, y) for y in range(HEIGHT) for x in range(WIDTH))
    self.assertGreater(iou(pixels.Png(self.mask(number)).plane(0), truth), 0.9, number)

  def test_follows(self):
    report = self.path("report.json")
    run = self.run_frames("--report", report)
    self.assert_done(run)
    self.assertRegex(run.out, r"\A8 frames: 8 cut, 0 there already, 0 failed; 2 numbers without a frame; \d+ ms\n\Z")
    for number in NUMBERS:
      self.check_mask(number)
    with open(report, encoding="utf-8") as file:
      content = json.load(file)
    self.assertEqual([content[k] for k in ("frames", "cut", "kept", "failed", "missing")], [8, 8, 0, 0, 2])
    self.assertEqual(content["failures"], [])

  def test_bad_frames(self):
    """Three kinds of them: each is told, none holds up the others."""
    with open(self.frame(5), "wb") as file:
      file.write(b"no photo")
    pixels.write_png(self.frame(9), 10, 10, pixels.RGB, bytes(300))
    pixels.write_png(self.frame(11), WIDTH, HEIGHT, pixels.RGB, bytes(3 * WIDTH * HEIGHT))
    run = self.run_frames()
    self.assertEqual(run.status, 3)
    lines = run.err.splitlines()
    self.assertEqual(len(lines), 3, run.err)
    for line, number in zip(lines, (5, 9, 11)):
      self.assertTrue(line.startswith("fretsaw: ") and f"shot-{number:04d}.png: " in line, line)
      self.assertFalse(os.path.exists(self.mask(number)))
    self.assertIn("8 frames: 5 cut, 0 there already, 3 failed", run.out)
    for number in (3, 4, 6, 10, 12):
      self.check_mask(number)
    pixels.write_png(self.frame(5), WIDTH, HEIGHT, pixels.RGB, made_frame(5))
    self.assertIn("1 cut, 5 there already, 2 failed", self.run_frames().out)
    self.check_mask(5)

  def test_first_frame_fails(self):
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, bytes(WIDTH * HEIGHT))
    self.assert_refused(self.run_frames(), 1, "seeds.png: no seeds")

  def test_resumed(self):
    """Killed at any moment and run again, the folder is that of a run in one go."""
    whole = self.path("whole")
    start = time.monotonic()
    self.assert_done(self.run_frames(out=whole))
    seconds = time.monotonic() - start
    rng = random.Random(1)
    for _ in range(12):
      process = subprocess.Popen([program.PROGRAM, "frames", self.frames, "--out", self.out, "--seeds", self.seeds],
                                 env=self.environment, stdout=subprocess.DEVNULL)
      time.sleep(rng.random() * seconds / 3)
      process.kill()
      process.wait()
    self.assert_done(self.run_frames())
    self.assertEqual(self.content(), self.content(whole))
    self.assertIn("0 cut, 8 there already", self.run_frames().out)

  def test_other_runs_are_kept(self):
    self.assert_done(self.run_frames())
    before = self.content()
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, made_seeds()[::-1])
    self.assert_refused(self.run_frames(), 1, "out: ", "another run")
    self.assertEqual(self.content(), before)
    os.unlink(os.path.join(self.out, "fretsaw-frames.json"))
    self.assert_refused(self.run_frames(), 1, "shot-0003.png: ", "choose another folder")
    self.assert_refused(self.run_frames(out=self.frames), 1, "the folder of the frames")

  def test_skin(self):
    self.assert_done(self.run_program("frames", self.frames, "--out", self.out, "--skin"))
    for number in NUMBERS:
      self.check_mask(number)

  def test_wrong_usage(self):
    for words in ([], ["--out", self.out], ["--seeds", self.seeds],
                  ["--out", self.out, "--seeds", self.seeds, "--skin"],
                  ["--out", self.out, "--skin", "--threads", "65"], ["--nonsense"]):
      self.assert_refused(self.run_program("frames", self.frames, *words), 2, "frames --help")
    self.assert_refused(self.run_program("frames", self.path("none"), "--out", self.out, "--skin"), 1, "none: ")


class Clips(program.ProgramTest):
  """The data pack's clips, from strokes that are the first truth without its border."""

  def strokes(self, truth, width, height):
    """Object and background, each without the eight pixels beside the other."""
    def shrunk(values, least):
      rows = [[int(values[y * width + x] == least) for x in range(width)] for y in range(height)]
      for _ in range(8):
        rows = [[min(row[max(0, x - 1):x + 2]) for x in range(width)] for row in rows]
        rows = [[min(rows[max(0, y - 1)][x], rows[y][x], rows[min(height - 1, y + 1)][x]) for x in range(width)]
                for y in range(height)]
      return rows
    inner = shrunk([t > 128 for t in truth], True)
    outer = shrunk([t > 128 for t in truth], False)
    return bytes(2 * inner[y][x] or outer[y][x] for y in range(height) for x in range(width))

  def check_clip(self, name):
    frames, masks = program.shared("video", name, "frames"), program.shared("video", name, "masks")
    first = pixels.Png(os.path.join(masks, "00000.png"))
    seeds, out = self.path("seeds.png"), self.path("out")
    pixels.write_png(seeds, first.width, first.height, pixels.GREY,
                     self.strokes(first.plane(0), first.width, first.height))
    self.assert_done(self.run_program("frames", frames, "--out", out, "--seeds", seeds))
    found = []
    for mask in sorted(os.listdir(masks))[::6]:
      truth = pixels.Png(os.path.join(masks, mask)).plane(0)
      found.append(iou(pixels.Png(os.path.join(out, mask)).plane(0), truth))
    print(f"# {name}: mean IoU {sum(found) / len(found):.4f}, worst {min(found):.4f}")
    self.assertGreater(sum(found) / len(found), CLIPS[name][0])
    self.assertGreater(min(found), CLIPS[name][1])

  def test_static(self):
    self.check_clip("synth-static")

  def test_moving(self):
    self.check_clip("synth-moving")

  def test_car(self):
    self.check_clip("car-shadow")


if __name__ == "__main__":
  sys.exit(program.tap.main())
