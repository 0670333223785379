#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw frames` with several sequences: each to the bytes of the command for it alone; failures cost a line each;
jobs and devices."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pixels
import program
import sequences
import videos
from sequences import HEIGHT, WIDTH

NUMBERS = [3, 4, 5]


class FramesMany(sequences.SequenceTest):
  def setUp(self):
    """shots/first has a session beside it, shots/second.v2 seeds."""
    super().setUp()
    self.shots = self.path("shots")
    os.mkdir(self.shots)
    self.first, self.second = self.make_sequence("first"), self.make_sequence("second.v2", 100)
    session = self.session(3)
    os.rename(session, os.path.join(self.shots, "first.fretsaw"))
    shutil.copy(self.seeds, os.path.join(self.shots, "second.v2-seeds.png"))

  def make_sequence(self, name, noise=0):
    folder = os.path.join(self.shots, name)
    os.mkdir(folder)
    for number in NUMBERS:
      pixels.write_png(os.path.join(folder, f"shot-{number:04d}.png"), WIDTH, HEIGHT, pixels.RGB,
                       sequences.made_frame(number, noise))
    return folder

  def make_finder(self, script):
    """A finder that appends to FOLDER/seen and writes FOLDER/guess.png, after `script`."""
    pixels.write_png(self.path("guess.png"), WIDTH, HEIGHT, pixels.GREY,
                     bytes(255 * sequences.inside(4, x, y) for y in range(HEIGHT) for x in range(WIDTH)))
    with open(self.path("finder"), "w", encoding="utf-8") as file:
      file.write(f'#!/bin/sh\n{script}\ncp "$3/guess.png" "$2"\n')
    return f"--find-subject=sh {self.path('finder')} {{photo}} {{mask}} {self.folder}"

  def run_many(self, *options, inputs=None, out=None):
    return self.run_program("frames", *(inputs or (self.first, self.second)), "--out", out or self.out, *options)

  def assert_counts(self, run, n, done, partial, failed):
    self.assertIn(f"{n} sequences: {done} done, {partial} with frames that failed, {failed} failed", run.out, run.err)
    self.assertEqual(run.status, 0 if done == n else 1 if failed == n else 3, run.err)

  def run_each(self, *options, first=None, second=None):
    """The outputs that calls for one sequence leave in alone/KIND/NAME."""
    for folder, words in ((self.first, first or ["--session", self.first + ".fretsaw"]),
                          (self.second, second or ["--seeds", self.second + "-seeds.png"])):
      name = os.path.basename(folder)
      self.assert_done(self.run_program("frames", folder, "--out", self.path(f"alone/out/{name}"), "--cutouts",
                                        self.path(f"alone/cut/{name}"), "--overlays", self.path(f"alone/look/{name}"),
                                        *words, *options))
    return self.content(self.path("alone"))

  def test_bytes_of_single_calls(self):
    """By a session and by seeds, with masks, cut-outs and overlays, by one job and by two."""
    alone = self.run_each("--edge-shift", "1")
    for jobs in ("1", "2"):
      kinds = ["--cutouts", self.path(f"many-{jobs}/cut"), "--overlays", self.path(f"many-{jobs}/look"), "--jobs", jobs]
      many = lambda: self.run_many(*kinds, "--edge-shift", "1", "--report", self.path("reports"),
                                   out=self.path(f"many-{jobs}/out"))
      run = many()
      self.assert_counts(run, 2, 2, 0, 0)
      self.assertEqual(run.err, "")
      self.assertEqual([line.split(": ")[0] for line in run.out.splitlines()], ["first", "second.v2", "2 sequences"])
      self.assertEqual(self.content(self.path(f"many-{jobs}")), alone)
      for name in ("first", "second.v2"):
        with open(self.path(f"reports/{name}.json"), encoding="utf-8") as file:
          self.assertEqual(json.load(file)["cut"], 3)
      os.unlink(self.path(f"many-{jobs}/out/first/shot-0005.png"))
      run = many()
      self.assertIn("first: 3 frames: 1 cut, 2 there already", run.out)
      self.assertIn("second.v2: 3 frames: 0 cut, 3 there already", run.out)
      self.assertEqual(self.content(self.path(f"many-{jobs}")), alone)

  def test_video(self):
    """It has the name of its file without the ending."""
    if "\nvideo: GStreamer " not in self.run_program("--version").out:
      self.skipTest("this build reads no videos")
    clip = os.path.join(self.shots, "some clip.avi")
    videos.write_avi(clip, [videos.made_picture(sequences.made_frame(number)) for number in NUMBERS])
    shutil.copy(self.seeds, os.path.join(self.shots, "some clip-seeds.png"))
    self.assert_counts(self.run_many("--jobs", "2", inputs=[clip, self.second]), 2, 2, 0, 0)
    self.assert_done(self.run_program("frames", clip, "--out", self.path("alone"), "--seeds", self.seeds))
    self.assertEqual(self.content(os.path.join(self.out, "some clip")), self.content(self.path("alone")))

  def test_folders_of_strokes(self):
    """Sessions and seeds in folders of their own take the place of those beside; guesses are in DIR/NAME."""
    os.mkdir(self.path("strokes"))
    shutil.move(self.first + ".fretsaw", self.path("strokes/first.fretsaw"))
    shutil.copy(self.seeds, self.path("strokes/second.v2.png"))
    self.assert_counts(self.run_many("--session", self.path("strokes"), out=self.path("sessions")), 2, 1, 0, 1)
    self.assert_counts(self.run_many("--session", self.path("strokes"), "--seeds", self.path("strokes"), "--cutouts",
                                     self.path("many/cut"), "--overlays", self.path("many/look"),
                                     out=self.path("many/out")), 2, 2, 0, 0)
    alone = self.run_each(first=["--session", self.path("strokes/first.fretsaw")])
    self.assertEqual(self.content(self.path("many")), alone)
    shutil.rmtree(self.path("alone"))
    os.makedirs(self.path("guesses/second.v2"))
    for number in NUMBERS:
      pixels.write_png(self.path(f"guesses/second.v2/g{number}.png"), WIDTH, HEIGHT, pixels.GREY,
                       bytes(255 * sequences.inside(number, x, y) for y in range(HEIGHT) for x in range(WIDTH)))
    os.unlink(self.second + "-seeds.png")
    shutil.move(self.path("strokes/first.fretsaw"), self.first + ".fretsaw")
    self.run_many("--guess", self.path("guesses"), "--cutouts", self.path("guessed/cut"), "--overlays",
                  self.path("guessed/look"), out=self.path("guessed/out"))
    alone = self.run_each(second=["--guess", self.path("guesses/second.v2")])
    self.assertEqual(self.content(self.path("guessed")), alone)

  def test_without_strokes(self):
    """A finder makes the guesses, also where there are strokes; skin takes no strokes."""
    os.unlink(self.second + "-seeds.png")
    finder = self.make_finder("true")
    self.assert_counts(self.run_many(finder, "--cutouts", self.path("many/cut"), "--overlays", self.path("many/look"),
                                     out=self.path("many/out")), 2, 2, 0, 0)
    alone = self.run_each(finder, second=["--lost", "skip"])
    self.assertEqual(self.content(self.path("many")), alone)
    self.assert_counts(self.run_many("--skin", out=self.path("skin")), 2, 2, 0, 0)

  def test_failures(self):
    """A broken first frame, no strokes, a name that is not there cost a line each; the other sequences go on."""
    broken, bare, gone = self.make_sequence("broken"), self.make_sequence("bare"), os.path.join(self.shots, "gone")
    shutil.copy(self.seeds, broken + "-seeds.png")
    with open(os.path.join(broken, "shot-0003.png"), "wb") as file:
      file.write(b"no picture")
    alone = {name: data for name, data in self.run_each().items() if name.startswith("out/")}
    for jobs in ("1", "2"):
      out = self.path(f"many-{jobs}/out")
      run = self.run_many("--jobs", jobs, inputs=[broken, self.first, bare, gone, self.second], out=out)
      self.assert_counts(run, 5, 2, 0, 3)
      lines = run.err.splitlines()
      self.assertEqual(len(lines), 3, run.err)
      self.assertRegex(lines[0], r"^fretsaw: [^ ]*shots/broken: [^ ]*shot-0003.png: is not a photo")
      self.assertRegex(lines[1], r"^fretsaw: [^ ]*shots/bare: no strokes or guesses$")
      self.assertRegex(lines[2], r"^fretsaw: [^ ]*shots/gone: is not there$")
      made = {name: data for name, data in self.content(self.path(f"many-{jobs}")).items() if "/broken/" not in name}
      self.assertEqual(made, alone)
    self.assertEqual(self.run_many(inputs=[broken, gone], out=self.path("none")).status, 1)

  def test_frames_that_fail(self):
    """A later frame that cannot be read has its line, as in a single call; the status is 3."""
    with open(os.path.join(self.first, "shot-0004.png"), "wb") as file:
      file.write(b"no picture")
    run = self.run_many("--jobs", "2")
    self.assert_counts(run, 2, 1, 1, 0)
    self.assertRegex(run.err, r"\Afretsaw: [^ ]*first/shot-0004.png: is not a photo[^\n]*\n\Z")
    self.assertIn("first: 3 frames: 2 cut, 0 there already, 1 failed", run.out)

  def test_worker_that_is_killed(self):
    """It costs its sequence alone; the same command makes what is missing."""
    finder = self.make_finder('if mkdir "$3/once" 2> /dev/null; then kill -9 $PPID; sleep 1; fi')
    os.unlink(self.first + ".fretsaw")
    for jobs in ("1", "2"):
      self.environment["XDG_CACHE_HOME"] = self.path("cache-" + jobs)  # it has the guesses
      run = self.run_many("--jobs", jobs, finder, out=self.path("out-" + jobs))
      self.assert_counts(run, 2, 1, 0, 1)
      self.assertRegex(run.err, r"\Afretsaw: [^\n]*shots/[^\n]*: its worker was ended by signal 9 [^\n]*\n\Z")
      self.assert_counts(self.run_many(finder, out=self.path("out-" + jobs)), 2, 2, 0, 0)
      os.rmdir(self.path("once"))
    self.assertEqual(self.content(self.path("out-1")), self.content(self.path("out-2")))

  def test_stopped(self):
    """SIGTERM ends the workers; the same command goes on, to the same bytes."""
    finder = self.make_finder('test -e "$3/go" || { touch "$3/seen"; exec sleep 30; }')
    words = ["frames", self.first, self.second, "--out", self.out, finder, "--jobs", "2"]
    process = subprocess.Popen([program.PROGRAM, *words], env=self.environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while not os.path.exists(self.path("seen")):
      time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=60)
    self.assertEqual(process.returncode, -signal.SIGTERM)
    self.assertIn("to do: the same command goes on with them", out)
    with open(self.path("go"), "w", encoding="utf-8"):
      pass
    self.assert_counts(self.run_program(*words), 2, 2, 0, 0)
    self.assert_counts(self.run_many(finder, out=self.path("fresh")), 2, 2, 0, 0)
    self.assertEqual(self.content(), self.content(self.path("fresh")))

  def test_devices(self):
    """Worker k sees device k mod n of those that are visible, and no other."""
    finder = self.make_finder('echo "$CUDA_VISIBLE_DEVICES" >> "$3/seen"')
    os.unlink(self.first + ".fretsaw")
    for visible, options, seen in (("", ["--device", "1"], {"1"}), ("4,7,9", ["--devices", "0,2"], {"4", "9"}),
                                   ("4,7", ["--jobs", "2"], {"4", "7"}), ("GPU-ab,GPU-cd", ["--devices", "1"], {"GPU-cd"})):
      if os.path.exists(self.path("seen")):
        os.unlink(self.path("seen"))
      self.environment.pop("CUDA_VISIBLE_DEVICES", None)
      if visible:
        self.environment["CUDA_VISIBLE_DEVICES"] = visible
      self.environment["XDG_CACHE_HOME"] = self.path("cache" + visible + "".join(options))  # it has the guesses
      run = self.run_many(finder, *options, out=self.path("out" + "".join(options)))
      self.assertEqual(run.out.splitlines()[-1].split(":")[0], "2 sequences", run.err)
      with open(self.path("seen"), encoding="utf-8") as file:
        self.assertEqual(set(file.read().split()), seen)

  def test_refused(self):
    other = self.path("other/first")
    shutil.copytree(self.first, other)
    self.assert_refused(self.run_many(inputs=[self.first, other]), 1, "has the same name as", "other/first")
    video = self.path("first.mp4")
    shutil.copy(self.seeds, video)
    self.assert_refused(self.run_many(inputs=[self.first, video]), 1, "has the same name as", "first.mp4")
    self.assert_refused(self.run_many("--cutouts", self.out), 1, "need a folder each")
    pattern = os.path.join(self.first, "shot-%04d.png")
    self.assert_refused(self.run_many(inputs=[pattern, self.second]), 1, "a pattern is cut by itself")
    for option in ("--seeds", "--session", "--guess", "--photo"):
      for name in (self.seeds, self.path("none")):
        self.assert_refused(self.run_many(option, name), 1, "is no folder")
    for words, reason in ((["--jobs", "-1"], "--jobs takes"), (["--jobs", "65"], "--jobs takes"),
                          (["--devices", "0,x"], "--devices takes"), (["--device", "-1"], "--device takes"),
                          (["--devices", "0", "--backend", "cpu"], "--devices cannot"),
                          (["--picture", self.path("p.png")], "for one sequence"),
                          (["--correct", f"4={self.seeds}"], "for one sequence"),
                          (["--skin", "--seeds", self.shots], "--skin cannot"),
                          (["--skin", "--guess", self.shots], "cannot be combined with --skin")):
      self.assert_refused(self.run_many(*words), 2, reason)
    for words in (["--jobs", "2"], ["--devices", "0"]):
      self.assert_refused(self.run_frames(*words), 2, "are for several sequences")
    self.environment["CUDA_VISIBLE_DEVICES"] = "3,5"
    self.assert_refused(self.run_many("--devices", "0,2"), 2, "device 2: CUDA_VISIBLE_DEVICES has 2")
    self.assertFalse(os.path.exists(self.out))

  def test_strokes_beside(self):
    """A shell's pattern for all in the folder names the strokes too, which are no sequences."""
    every = sorted(os.path.join(self.shots, name) for name in os.listdir(self.shots))
    self.assertEqual(len(every), 4)
    self.assert_counts(self.run_many(inputs=every), 2, 2, 0, 0)
    self.assert_counts(self.run_many(inputs=every[:2], out=self.path("one")), 1, 1, 0, 0)
    self.assertEqual(os.listdir(self.path("one")), ["first"])
    strokes = [name for name in every if os.path.isfile(name)]
    self.assert_refused(self.run_many(inputs=strokes), 1, "is no sequence, but its strokes")

  def test_named_twice(self):
    """By one path, with a slash and without: one sequence."""
    run = self.run_many(inputs=[self.first, self.first + "/", self.second])
    self.assert_counts(run, 2, 2, 0, 0)
    self.assertEqual(sorted(os.listdir(self.out)), ["first", "second.v2"])


if __name__ == "__main__":
  sys.exit(program.tap.main())
