#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Numbers that options take: what is none, or out of its range, is refused with name, range and value."""

import re
import sys
import unittest

import program

WHOLE = ("", " 1", "+1", "1x", "1.0", "0x1", "1e1", "-1", "--1", "nan", "inf", "٣", "99999999999999999999")
DECIMAL = ("", " 1", "+0.1", "0.1x", "0x0", "0,1", "nan", "inf", "-nan", "1e999", ".", "-", "e1")
# The option: where its range ends, and what lies beyond it. Of all commands alike.
RANGES = {
  "--band": ((0, 2147483647), (2147483648,)),
  "--clean-colours": ((0, 100), (101,)),
  "--cycles": ((0, 1000), (1001,)),
  "--device": ((0,), (64,)),
  "--edge-contrast": ((0, 100), (101,)),
  "--edge-smooth": ((0, 20), (21,)),
  "--fill-holes": ((0, 100000), (100001,)),
  "--first": ((0, 999999999999999999), (1000000000000000000,)),
  "--iterations": ((0, 50), (51,)),
  "--jobs": ((1, 64), (0, 65)),
  "--last": ((0, 999999999999999999), (1000000000000000000,)),
  "--levels": ((0, 12), (13,)),
  "--neighbours": ((4, 8), (0, 3, 5, 6, 9)),
  "--quality": ((1, 100), (0, 101)),
  "--remove-specks": ((0, 100000), (100001,)),
  "--scale": ((1, 255), (0, 256)),
  "--soft-edge": ((0, 32, "auto"), (33, "Auto")),
  "--span": ((1, 16), (0, 17)),
  "--threads": ((0, 64), (65,)),
  "--edge-shift": ((-10, 10, "0.1", "-9.9"), ("10.1", "-10.1", "0.15")),
  "--outline-tolerance": ((0, "0.5", "5e-1"), ("0.51", "-0.1")),
  "--smoothness": ((0, 100, "1e2", "0.25"), ("100.1", "-1e-9")),
  "--tolerance": ((0, "0.5", ".5"), ("0.51", "-0.1")),
}
DECIMALS = ("--edge-shift", "--outline-tolerance", "--smoothness", "--tolerance")
LISTS = {
  "--shard": (("1/1", "2/3", "1/1000000"),
              ("", "0/1", "2/1", "1", "1/", "/1", "x", "1/2x", "-1/2", "1/1000001", "1/2/3", " 1/2", "01/2", "+1/2")),
  "--devices": (("0", "0,1", "63"), ("", "0,", ",0", "0,x", "64", "-1", "0;1", "0 1", "+1", "0.5", "nan")),
  "--correct": (("0=x", "12=x"), ("", "x", "=x", "1", "1=", "-1=x", "1x=x", "0x1=x", "1.0=x", " 1=x",
                                  "1000000000000000000=x")),
}
COMMANDS = {
  "cut": ("x.jpg",), "frames": ("x",), "replay": ("x.fretsaw",), "export": ("x.fretsaw", "--format", "coco"),
  "coco": ("x.fretsaw",), "import": ("x.json",), "mrf": ("x.mrf",), "maxflow": ("x.max",),
}
# Where a list is read after other options.
LIST_WORDS = {
  ("cut", "--shard"): ("x.jpg", "--out", "o"), ("cut", "--devices"): ("x.jpg", "--out", "o"),
  ("frames", "--devices"): ("x", "y", "--out", "o"), ("frames", "--correct"): ("x", "--out", "o", "--seeds", "s.png"),
  ("export", "--shard"): ("x.fretsaw", "--format", "labelme", "--out", "o"),
}


class Numbers(program.ProgramTest):
  def options(self, command):
    """The options whose help names a number, or a list of numbers."""
    done = self.run_program(command, "--help")
    self.assert_done(done)
    return re.findall(r"^ +(?:-\w, )?(--[a-z-]+)=(?:N|PX|X|D|K/N|LIST|N=FILE)(?= )", done.out, re.MULTILINE)

  def assert_taken(self, before, option, value):
    for words in ((option, value), (f"{option}={value}",)):
      run = self.run_program(*before, *words)
      self.assertNotIn(f"{option} takes", run.err)
      self.assertNotIn("“", run.err)

  def test_all(self):
    n_options = 0
    for command in COMMANDS:
      for option in self.options(command):
        n_options += 1
        before = [self.path(word) if word == "o" else word
                  for word in LIST_WORDS.get((command, option), COMMANDS[command])]
        taken, beyond = RANGES[option] if option in RANGES else LISTS[option]
        refused = () if option in LISTS else DECIMAL if option in DECIMALS else WHOLE
        for value in map(str, (*beyond, *refused)):
          words = (f"{option} takes ", f"not “{value}”")
          with self.subTest(command=command, option=option, value=value):
            self.assert_refused(self.run_program(command, *before, f"{option}={value}"), 2, *words)
            self.assert_refused(self.run_program(command, *before, option, value), 2, *words)
        for value in map(str, taken):
          with self.subTest(command=command, option=option, value=value):
            self.assert_taken((command, *before), option, value)
    self.assertGreater(n_options, 40)

  def test_leading_zeros(self):
    """Frames are numbered with them: 010 is ten, not eight."""
    for words in (("--threads", "064"), ("--threads=0000064",), ("--threads", "008"), ("--threads", "00")):
      self.assertNotIn("--threads", self.run_program("mrf", "x.mrf", *words).err)
    for words in (("--first", "0020", "--last", "21"), ("--first=0020", "--last=000021")):
      self.assertNotIn("in this order", self.run_program("frames", "x", "--out", self.path("o"), "--skin", *words).err)
    words = ("--out", self.path("o"), "--skin", "--first", "010", "--last", "9")
    self.assert_refused(self.run_program("frames", "x", *words), 2, "in this order")

  def test_value_is_shown_as_one_line(self):
    self.assert_refused(self.run_program("cut", "x.jpg", "--threads", "1\n2\x1b[31m"), 2, "--threads takes 0 to 64")


if __name__ == "__main__":
  sys.exit(program.tap.main())
