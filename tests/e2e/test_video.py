#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw frames` on a video: the masks are those of the same pictures as images, after any kill."""

import json
import os
import random
import re
import shutil
import sys
import time

import pixels
import program
from sequences import HEIGHT, ROUNDS, WIDTH, kill_twelve_times, made_correction, made_frame, made_seeds
from videos import made_picture, write_avi

NUMBERS = range(3, 11)


class VideoTest(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.video, self.out, self.seeds = map(self.path, ("some video.avi", "out", "seeds.png"))
    write_avi(self.video, [made_picture(made_frame(n)) for n in NUMBERS])
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, made_seeds())

  def reads_videos(self):
    return "\nvideo: GStreamer " in self.run_program("--version").out

  def run_video(self, *options, out=None, video=None):
    seeds = () if "--seeds" in options else ("--seeds", self.seeds)
    return self.run_program("frames", video or self.video, "--out", out or self.out, *seeds, *options)


class Absent(VideoTest):
  def test_absent(self):
    if self.reads_videos():
      self.skipTest("this build reads videos")
    self.assert_refused(self.run_video(), 1, "some video.avi: ", "made without GStreamer")


class Video(VideoTest):
  def setUp(self):
    super().setUp()
    if not self.reads_videos():
      self.skipTest("this build reads no videos")

  def mask(self, number, out=None):
    with open(os.path.join(out or self.out, f"frame-{number:06d}.png"), "rb") as file:
      return file.read()

  def content(self, top):
    found = {}
    for folder, _, names in os.walk(top):
      for name in names:
        with open(os.path.join(folder, name), "rb") as file:
          found[os.path.relpath(os.path.join(folder, name), top)] = file.read()
    return found

  def correct(self, number, dx=0, dy=0):
    path = self.path(f"correction-{number}.png")
    pixels.write_png(path, WIDTH, HEIGHT, pixels.GREY, made_correction(dx, dy))
    return "--correct", f"{number}={path}"

  def test_masks(self):
    """Those of the same pictures as images, to the byte."""
    frames, masks, report = self.path("frames"), self.path("masks"), self.path("report.json")
    os.mkdir(frames)
    for i, number in enumerate(NUMBERS):
      pixels.write_png(os.path.join(frames, f"frame-{i + 1:06d}.png"), WIDTH, HEIGHT, pixels.RGB, made_frame(number))
    self.assert_done(self.run_video(video=frames, out=masks))
    run = self.run_video("--report", report)
    self.assert_done(run)
    self.assertRegex(run.out, r"\A8 frames: 8 cut, 0 there already, 0 failed; 0 numbers without a frame; \d+ ms\n\Z")
    for i in range(1, 9):
      self.assertEqual(self.mask(i), self.mask(i, masks))
    with open(report, encoding="utf-8") as file:
      content = json.load(file)
    self.assertEqual([content[k] for k in ("frames", "cut", "failed", "missing", "gaps", "warnings")], [8, 8, 0, 0, [], []])

  def test_part(self):
    """The strokes are of the first frame that is wanted; a longer part goes on."""
    seeds = self.path("fourth.png")
    pixels.write_png(seeds, WIDTH, HEIGHT, pixels.GREY, made_correction(-10, -2))
    words = ("--seeds", seeds, "--first", "4", "--last")
    run = self.run_video(*words, "6")
    self.assert_done(run)
    self.assertIn("3 frames: 3 cut", run.out)
    self.assertEqual(sorted(os.listdir(self.out)), [".fretsaw-frames.json", "frame-000004.png", "frame-000005.png",
                                                    "frame-000006.png"])
    self.assertIn("5 frames: 2 cut, 3 there already", self.run_video(*words, "99").out)
    self.assert_refused(self.run_video("--first", "9", out=self.path("o")), 1, "some video.avi: ends before frame 9")
    self.assert_refused(self.run_video("--first", "2"), 1, "another run")

  def test_picture(self):
    picture = self.path("picture.png")
    self.assert_done(self.run_program("frames", self.video, "--picture", picture, "--first", "3"))
    got = pixels.Png(picture)
    self.assertEqual([got.plane(c) for c in range(4)], [*(made_frame(NUMBERS[2])[c::3] for c in range(3)),
                                                        b"\xff" * (WIDTH * HEIGHT)])
    self.assert_refused(self.run_program("frames", self.video, "--picture", picture, "--first", "12"), 1, "frame 12")

  def test_resumed(self):
    """Killed at any moment and run again, with corrections that were not there at first."""
    def words(out, *more):
      return ["frames", self.video, "--out", out, "--seeds", self.seeds, "--overlays", os.path.join(out, "over"), *more]
    corrections, whole = (*self.correct(3, dx=-9), *self.correct(6, dx=8)), self.path("whole")
    start = time.monotonic()
    self.assert_done(self.run_program(*words(whole, *corrections)))
    seconds = time.monotonic() - start
    before, rng = self.path("before"), random.Random(2)
    self.assert_done(self.run_program(*words(before)))
    for _ in range(ROUNDS):
      shutil.rmtree(self.out, ignore_errors=True)
      shutil.copytree(before, self.out)
      kill_twelve_times([program.PROGRAM, *words(self.out, *corrections)], self.environment, rng, seconds / 2)
      self.assert_done(self.run_program(*words(self.out, *corrections)))
      self.assertEqual(self.content(self.out), self.content(whole))
      self.assertIn("0 cut, 8 there already", self.run_program(*words(self.out, *corrections)).out)

  def test_no_such_frame(self):
    """Only at its end a video says how many frames it has."""
    run = self.run_video(*self.correct(9))
    self.assertEqual(run.status, 3)
    self.assertRegex(run.err, r"\Afretsaw: [^\n]*correction-9.png: there is no frame 9 to be corrected\n\Z")
    self.assertIn("8 frames: 8 cut", run.out)

  def test_cut_short(self):
    with open(self.video, "rb") as file:
      whole = file.read()
    with open(self.video, "wb") as file:
      file.write(whole[:len(whole) // 2])
    run = self.run_video()
    self.assertIn(run.status, (0, 3))
    n_frames, n_cut = (int(n) for n in re.match(r"(\d+) frames: (\d+) cut", run.out).groups())
    self.assertTrue(3 <= n_cut <= 4 and n_frames - n_cut == (run.status == 3), run.out)
    self.assertEqual(len(os.listdir(self.out)), n_cut + 1)
    self.assertRegex(run.err, r"\Afretsaw: [^\n]*some video.avi: [^\n]+\n\Z")

  def test_no_video(self):
    with open(self.video, "w", encoding="utf-8") as file:
      file.write("no video\n")
    self.assert_refused(self.run_video(), 1, "some video.avi: cannot be decoded")
    write_avi(self.video, [])
    self.assert_refused(self.run_video(out=self.path("o2")), 1, "some video.avi: ")
    self.assert_refused(self.run_program("frames", self.path("none.avi"), "--out", "x", "--skin"), 1, "none.avi: no such")
    os.mkfifo(self.path("pipe.avi"))
    self.assert_refused(self.run_program("frames", self.path("pipe.avi"), "--out", "x", "--skin"), 1, "pipe.avi: ")

  def test_files_are_kept(self):
    self.assert_refused(self.run_video("--report", self.video), 2, "is an input")
    self.assert_done(self.run_video())

  def test_another_video(self):
    """Its pictures tell one from another: as it grows or shrinks, and where some are others; by its name it is refused."""
    numbers = list(NUMBERS)
    pictures = [made_picture(made_frame(n)) for n in numbers]
    self.assert_done(self.run_video())
    write_avi(self.video, pictures + [made_picture(made_frame(11))])
    self.assertIn("9 frames: 1 cut, 8 there already", self.run_video().out)
    write_avi(self.video, pictures[:6])
    run = self.run_video()
    self.assertIn("6 frames: 0 cut, 6 there already", run.out)
    self.assertIn("3 pictures are of frames that are no longer there, and stay: frame-000007.png, frame-000008.png", run.err)
    self.assertEqual(self.run_video("--last", "5").err, "")
    write_avi(self.video, pictures[:3] + [made_picture(made_frame(n, 100)) for n in numbers[3:6]])
    run = self.run_video()
    self.assertIn("6 frames: 3 cut, 3 there already", run.out)
    self.assertIn("some video.avi: frame 4: has changed since its mask was made", run.err)
    fresh = self.path("fresh")
    self.assert_done(self.run_video(out=fresh))
    for n in range(1, 7):
      name = f"frame-{n:06d}.png"
      with open(os.path.join(self.out, name), "rb") as one, open(os.path.join(fresh, name), "rb") as other:
        self.assertEqual(one.read(), other.read())
    os.rename(self.video, self.path("x.avi"))
    self.assert_refused(self.run_program("frames", self.path("x.avi"), "--out", self.out, "--seeds", self.seeds), 1,
                        "another run")

  def test_memory(self):
    """Little more for a long video than for a short one: GStreamer's queue holds up to 10 MB of what is
    not decoded yet, where it is ahead. What is freed is not to be kept by a sanitizer."""
    kept = "quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
    self.environment["ASAN_OPTIONS"] = f"{os.environ.get('ASAN_OPTIONS', '')}:{kept}"
    peaks = []
    for n in (8, 120):
      write_avi(self.video, [made_picture(made_frame(3), 4)] * n, 4)
      run = self.run_program("frames", self.video, "--out", self.path(f"out{n}"), "--skin", "--last", str(n - 1))
      self.assert_done(run)
      peaks.append(run.peak_mb)
    print(f"# peak memory {peaks[0]:.1f} and {peaks[1]:.1f} MB")
    self.assertLess(peaks[1], peaks[0] + 20, "the pictures are 40 MB")


if __name__ == "__main__":
  sys.exit(program.tap.main())
