#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw frames --guess` and `--find-subject`: masks without strokes, guesses that are missing,
damaged, wrong or changed, and runs that go on."""

import json
import os
import random
import sys

import pixels
import program

WIDTH, HEIGHT, N, RADIUS = 120, 90, 6, 17
STUB = os.path.join(program.BUILD, "tests", "app", "stub-finder")


def is_object(number, x, y):
  return (x - 30 - 4 * number) ** 2 + (y - 42 - number) ** 2 < RADIUS ** 2


def plane(number, wanted=is_object, width=WIDTH, height=HEIGHT):
  """255 where the middle of a pixel of a picture of this size is wanted."""
  return bytes(255 * wanted(number, (2 * x + 1) * WIDTH // (2 * width), (2 * y + 1) * HEIGHT // (2 * height))
               for y in range(height) for x in range(width))


class FramesGuess(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.frames, self.guesses, self.out, self.report = map(self.path, ("frames", "guesses", "out", "report.json"))
    self.seeds, self.tmp = self.path("seeds.png"), self.path("tmp")
    for folder in (self.frames, self.guesses, self.tmp):
      os.mkdir(folder)
    for name in [n for n in self.environment if n.startswith("XDG_")]:
      del self.environment[name]
    self.environment.update(TMPDIR=self.tmp, LC_ALL="C.UTF-8")
    rng = random.Random(7)
    for number in range(1, N + 1):
      rgb = b"".join(bytes(b + rng.randrange(-9, 10) for b in ((190, 110, 60) if is_object(number, x, y) else (60, 110, 150)))
                     for y in range(HEIGHT) for x in range(WIDTH))
      pixels.write_png(os.path.join(self.frames, f"shot-{number:03}.png"), WIDTH, HEIGHT, pixels.RGB, rgb)
      self.write_guess(number, plane(number, width=40, height=30))
    labels = bytearray(WIDTH * HEIGHT)
    for y in range(HEIGHT):
      for x in range(WIDTH):
        if (x - 34) ** 2 + (y - 43) ** 2 < 60:
          labels[y * WIDTH + x] = 2
        elif x > 70:
          labels[y * WIDTH + x] = 1
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, bytes(labels))

  def guess_path(self, number):
    return os.path.join(self.guesses, f"{number}.png")

  def write_guess(self, number, values, width=40, height=30):
    pixels.write_png(self.guess_path(number), width, height, pixels.GREY, values)

  def cut(self, *options):
    return self.run_program("frames", self.frames, "--out", self.out, "--report", self.report, *options)

  def cut_by_guess(self, *options):
    return self.cut("--guess", self.guesses, *options)

  def mask(self, number):
    return pixels.Png(os.path.join(self.out, f"shot-{number:03}.png")).plane(0)

  def count_wrong(self, number):
    return sum(a != b for a, b in zip(self.mask(number), plane(number)))

  def assert_followed(self, most=70, numbers=range(1, N + 1)):
    for number in numbers:
      self.assertLess(self.count_wrong(number), most, number)

  def assert_report(self, **wanted):
    with open(self.report, encoding="utf-8") as file:
      report = json.load(file)
    self.assertEqual({key: report[key] for key in wanted}, wanted)

  def test_without_strokes(self):
    self.assert_done(self.cut_by_guess())
    self.assert_followed()
    self.assert_report(cut=N, guess=self.guesses, guessed=N, without_guess=0, backend="cpu", warnings=[])

  def test_with_strokes_and_a_pattern(self):
    self.assert_done(self.cut("--guess", os.path.join(self.guesses, "%d.png"), "--seeds", self.seeds))
    self.assert_followed()

  def test_missing_and_damaged(self):
    os.remove(self.guess_path(3))
    with open(self.guess_path(5), "wb") as file:
      file.write(b"no picture")
    self.write_guess(9, bytes(40 * 30))
    self.write_guess(0, bytes(40 * 30))
    run = self.cut_by_guess()
    self.assertEqual(run.status, 0)
    self.assertIn("2 without a guess", run.out)
    self.assertRegex(run.err, r"(?m)^fretsaw: .*/5\.png: is not a photo")
    self.assertRegex(run.err, r"(?m)^fretsaw: .*/0\.png: there is no frame 0 of which it is the guess")
    self.assertEqual(len(run.err.splitlines()), 2)
    self.assert_followed()
    self.assert_report(cut=N, guessed=N - 2, without_guess=2)

  def test_first_is_missing(self):
    os.remove(self.guess_path(1))
    self.assert_refused(self.cut_by_guess(), 1, "shot-001.png", "neither strokes nor a guess")
    self.assert_done(self.cut_by_guess("--seeds", self.seeds))
    self.assert_followed()

  def test_guesses_that_are_wrong(self):
    for values in (b"\xff", b"\0", None):
      for number in range(1, N + 1):
        wrong = bytes(255 - v for v in plane(number, width=40, height=30))
        self.write_guess(number, values * 1200 if values else wrong)
      self.assert_done(self.cut_by_guess("--seeds", self.seeds))
      self.assert_followed(90)

  def test_it_helps_where_colours_say_nothing(self):
    # Noise on noise: what moves tells how far, but neither colours nor edges tell the two apart.
    rng = random.Random(8)
    still, moving = ([bytes(120 + rng.randrange(-40, 41) for _ in range(3)) for _ in range(WIDTH * HEIGHT)] for _ in range(2))
    for number in range(1, N + 1):
      rgb = b"".join(moving[(y - number) * WIDTH + x - 4 * number] if is_object(number, x, y) else still[y * WIDTH + x]
                     for y in range(HEIGHT) for x in range(WIDTH))
      pixels.write_png(os.path.join(self.frames, f"shot-{number:03}.png"), WIDTH, HEIGHT, pixels.RGB, rgb)
    self.assertEqual(self.cut_by_guess().status, 0)
    self.assert_report(cut=N)
    helped = sum(self.count_wrong(number) for number in range(2, N + 1))
    for number in range(2, N + 1):
      os.remove(self.guess_path(number))
    self.assertEqual(self.cut_by_guess().status, 0)
    self.assert_report(kept=1, cut=N - 1, without_guess=N - 1)
    self.assertLess(helped, 0.75 * sum(self.count_wrong(number) for number in range(2, N + 1)))

  def test_begins_again_where_nobody_has_painted(self):
    """Another colour at another place is no object that was followed, but one that the guess knows."""
    def other(number, x, y):
      return (x - 95) ** 2 + (y - 20) ** 2 < 150

    for number in (4, 5, 6):
      rgb = b"".join(b"\x20\xd0\x30" if other(number, x, y) else b"\x3c\x6e\x96"
                     for y in range(HEIGHT) for x in range(WIDTH))
      pixels.write_png(os.path.join(self.frames, f"shot-{number:03}.png"), WIDTH, HEIGHT, pixels.RGB, rgb)
      self.write_guess(number, plane(number, other, 40, 30))
    run = self.cut_by_guess()
    self.assertEqual(run.status, 0)
    self.assertRegex(run.err, r"(?m)^fretsaw: .*shot-004\.png: the object was lost, and is cut by its guess alone")
    self.assert_report(cut=N)
    self.assert_followed(numbers=(1, 2, 3))
    for number in (4, 5, 6):
      self.assertLess(sum(a != b for a, b in zip(self.mask(number), plane(number, other))), 40)
    masks = [self.mask(number) for number in range(1, N + 1)]
    self.out = self.path("other")
    for last in ("4", str(N)):
      self.assertEqual(self.cut_by_guess("--last", last).status, 0)
    self.assertEqual([self.mask(number) for number in range(1, N + 1)], masks)
    self.out = self.path("painted")
    run = self.cut_by_guess("--seeds", self.seeds)
    self.assertEqual(run.status, 3)
    self.assert_report(cut=3, failed=3)

  def test_changed(self):
    """What follows from a guess that has changed is made anew, and nothing else."""
    self.assert_done(self.cut_by_guess())
    before = [self.mask(number) for number in range(1, N + 1)]
    self.write_guess(4, plane(4, lambda number, x, y: is_object(number, x, y) and y > 30), WIDTH, HEIGHT)
    self.assertEqual(self.cut_by_guess().status, 0)
    self.assert_report(kept=3, cut=3)
    self.assertEqual([self.mask(number) for number in (1, 2, 3)], before[:3])

  def test_goes_on(self):
    self.assert_done(self.cut_by_guess("--last", "3"))
    self.assert_done(self.cut_by_guess())
    self.assert_report(kept=3, cut=3)
    apart = [self.mask(number) for number in range(1, N + 1)]
    self.out = self.path("other")
    self.assert_done(self.cut_by_guess())
    self.assertEqual([self.mask(number) for number in range(1, N + 1)], apart)
    run = self.cut("--seeds", self.seeds)
    self.assert_refused(run, 1, self.out)

  def test_corrected(self):
    correction = self.path("fourth.png")
    labels = bytes(is_object(4, x, y) * 2 if (x - 46) ** 2 + (y - 46) ** 2 < 40 else int(x < 4)
                   for y in range(HEIGHT) for x in range(WIDTH))
    pixels.write_png(correction, WIDTH, HEIGHT, pixels.GREY, labels)
    self.assert_done(self.cut_by_guess("--correct", "4=" + correction))
    self.assert_followed()

  def find(self, way, *options):
    return self.cut(f"--find-subject='{STUB}' {way} {{photo}} {{mask}}", *options)

  def test_finder(self):
    self.assert_done(self.find("red"))
    self.assert_followed()
    self.assert_report(guess="stub-finder", guessed=N, without_guess=0)
    self.assert_done(self.find("red"))
    self.assert_report(kept=N, guessed=0)
    self.assertEqual(os.listdir(self.tmp), [])

  def test_finder_is_given_strokes(self):
    """The first frame's own, then what the mask before says away from its border."""
    run = self.cut(f"--find-subject='{STUB}' red-if-painted {{photo}} {{mask}} {{strokes}}", "--seeds", self.seeds)
    self.assertEqual(run.status, 0)
    self.assert_followed()
    self.assert_report(guessed=N, without_guess=0)

  def test_finder_that_fails(self):
    run = self.find("fail", "--seeds", self.seeds)
    self.assertEqual(run.status, 0)
    self.assertEqual(len(run.err.splitlines()), N)
    self.assertRegex(run.err, r"(?m)^fretsaw: .*shot-002\.png: has no guess: stub-finder: failed with exit status 3")
    self.assert_followed()
    self.out = self.path("other")
    run = self.find("fail")
    self.assertEqual(run.status, 1)
    self.assertIn("neither strokes nor a guess", run.err)
    self.assert_refused(self.cut("--find-subject=/no/such {photo} {mask}", "--seeds", self.seeds), 1, "cannot be started")
    self.assertEqual(os.listdir(self.tmp), [])

  def test_refused(self):
    for options in (["--skin"], ["--span", "2"], ["--find-subject=rembg"]):
      self.assert_refused(self.cut_by_guess(*options), 2, "--guess")
    self.assert_refused(self.cut(), 2, "--guess")
    self.out = self.guesses
    self.assert_refused(self.cut_by_guess(), 1, "is the folder of the guesses")
    self.out, self.report = self.path("out"), self.path("two.json")
    os.symlink(self.guess_path(2), self.report)
    self.assert_refused(self.cut_by_guess(), 1, "two.json")
    self.guesses = self.path("nowhere")
    self.report = self.path("report.json")
    self.assert_refused(self.cut_by_guess(), 1, "nowhere")


if __name__ == "__main__":
  sys.exit(program.tap.main())
