#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw cut --find-subject`: a guess by another program, what is said where it fails, and what is
left where the command is ended meanwhile."""

import json
import os
import signal
import subprocess
import sys
import time

import pixels
import program

WIDTH, HEIGHT = 90, 60
STUB = os.path.join(program.BUILD, "tests", "app", "stub-finder")


def is_left(x, y):
  return x < 30


class Finder(program.ProgramTest):
  def setUp(self):
    super().setUp()
    names = ("a \"photo\" {mask}.png", "mask.png", "report.json", "tmp", "log", "bin")
    self.photo, self.mask, self.report, self.tmp, self.log, self.bin = map(self.path, names)
    rgb = b"".join(b"\xc8\x0a\x0a" if is_left(x, y) else b"\x0a\xc8\x0a" for y in range(HEIGHT) for x in range(WIDTH))
    pixels.write_png(self.photo, WIDTH, HEIGHT, pixels.RGB, rgb)
    os.mkdir(self.tmp)
    os.mkdir(self.bin)
    for name in [n for n in self.environment if n.startswith("XDG_")]:
      del self.environment[name]
    self.environment.update(TMPDIR=self.tmp, STUB_FINDER_LOG=self.log, LC_ALL="C.UTF-8")

  def command(self, way, rest="{photo} {mask}"):
    return f"'{STUB}' {way} {rest}"

  def cut(self, *options):
    return self.run_program("cut", self.photo, "--mask", self.mask, "--report", self.report, *options)

  def find(self, way, *options, rest="{photo} {mask}"):
    return self.cut("--find-subject=" + self.command(way, rest), *options)

  def assert_mask(self, run):
    self.assert_done(run)
    mask = pixels.Png(self.mask).plane(0)
    self.assertEqual(mask, bytes(255 * is_left(x, y) for y in range(HEIGHT) for x in range(WIDTH)))
    self.assertEqual(os.listdir(self.tmp), [])

  def count_runs(self):
    with open(self.log, encoding="ascii") as file:
      return len(file.readlines())

  def install(self, name, way):
    path = os.path.join(self.bin, name)
    with open(path, "w", encoding="utf-8") as file:
      file.write(f"#!/bin/sh\nfor last do photo=$mask; mask=$last; done\nexec '{STUB}' {way} \"$photo\" \"$mask\"\n")
    os.chmod(path, 0o755)
    self.environment["PATH"] = self.bin + ":/usr/bin:/bin"

  def test_command(self):
    self.assert_mask(self.find("red"))
    with open(self.report, encoding="utf-8") as file:
      report = json.load(file)
    self.assertEqual((report["finder"], report["exact"]), ("stub-finder", True))
    self.assertEqual(report["guess_size"]["height"], HEIGHT)
    self.assertNotIn("guess", report)
    self.assert_mask(self.find("red"))
    self.assertEqual(self.count_runs(), 1)

  def test_known_by_name(self):
    self.assert_refused(self.cut("--find-subject=rembg"), 1, "rembg: cannot be started")
    self.install("rembg", "red")
    self.assert_mask(self.cut("--find-subject=rembg"))
    self.assert_mask(self.cut("--find-subject"))
    self.assertEqual(self.count_runs(), 1)

  def test_own_in_settings(self):
    folder = self.path(".config/fretsaw")
    os.makedirs(folder)
    with open(os.path.join(folder, "subject-finder.ini"), "w", encoding="utf-8") as file:
      file.write(f"[subject-finder]\ncommand={self.command('red')}\n")
    self.assert_mask(self.cut("--find-subject"))

  def test_strokes_are_given(self):
    seeds = self.path("seeds.png")
    labels = bytes(2 * is_left(x, y) or 1 for y in range(HEIGHT) for x in range(WIDTH))
    pixels.write_png(seeds, WIDTH, HEIGHT, pixels.GREY, labels)
    self.assert_mask(self.find("strokes", "--seeds", seeds, rest="{photo} {mask} {strokes}"))

  def test_refused(self):
    self.environment["PATH"] = self.bin
    self.assert_refused(self.cut("--find-subject"), 1, "no subject finder is installed", "rembg")
    self.assert_refused(self.cut("--find-subject=nobody"), 1, "“nobody” is neither")
    self.assert_refused(self.cut("--find-subject=x {photo}"), 1, "lacks {mask}")
    self.assert_refused(self.find("fail"), 1, "stub-finder: failed with exit status 3", "RuntimeError")
    self.assert_refused(self.find("nothing"), 1, "wrote no picture")
    self.assert_refused(self.find("red", "--skin"), 2, "--skin")
    self.assert_refused(self.find("red", "--guess", self.photo), 2, "--guess", "--find-subject")
    self.assertFalse(os.path.exists(self.mask))
    self.assertEqual(os.listdir(self.tmp), [])

  def wait_for(self, condition):
    end = time.monotonic() + 20 * program.SLOWNESS
    while not condition():
      self.assertLess(time.monotonic(), end)
      time.sleep(0.01)

  def is_running(self, pid):
    try:
      with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return ") Z " not in file.read()
    except FileNotFoundError:
      return False

  def heed_signals(self):
    """Shells start what runs behind them with some of these ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
      signal.signal(number, signal.SIG_DFL)

  def end_by(self, number):
    """Starts a cut whose finder hangs, ends it by a signal and gives its status."""
    open(self.log, "w", encoding="ascii").close()
    process = subprocess.Popen([program.PROGRAM, "cut", self.photo, "--find-subject=" + self.command("hang"),
                                "--mask", self.mask], env=self.environment, stdin=subprocess.DEVNULL,
                               preexec_fn=self.heed_signals)
    self.wait_for(lambda: self.count_runs() == 1)
    with open(self.log, encoding="ascii") as file:
      pid = int(file.read())
    self.assertTrue(self.is_running(pid))
    process.send_signal(number)
    status = process.wait()
    self.wait_for(lambda: not self.is_running(pid))
    return status

  def test_ended_meanwhile(self):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
      self.assertEqual(self.end_by(number), -number)
      self.assertEqual(os.listdir(self.tmp), [])
    # Nobody can do anything more then, but the finder goes along.
    self.assertEqual(self.end_by(signal.SIGKILL), -signal.SIGKILL)


if __name__ == "__main__":
  sys.exit(program.tap.main())
