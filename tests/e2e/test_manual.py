#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The man page says what `--help` says, and the program needs no display to say it."""

import os
import re
import shutil
import subprocess
import sys
import unittest

import program

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
COMMANDS = {"coco": "--out", "cut": "--seeds", "export": "--format", "frames": "--out", "import": "--replace", "maxflow": "--cut", "mrf": "--reuse", "replay": "--at-once"}  # an option that each of them has
MANUAL = os.path.join(program.SOURCE, "data", "fretsaw.1")


def manual_sections():
  """{heading: text} of the man page, its escaped hyphens made plain."""
  with open(MANUAL, encoding="utf-8") as file:
    text = file.read().replace("\\-", "-")
  parts = re.split(r'^\.S[HS] "?([^"\n]*)"?$', text, flags=re.M)
  return dict(zip(parts[1::2], parts[2::2]))


def documented_options(text):
  """The options that have an entry of their own (.TP and a line that begins with them)."""
  return {option for line in re.findall(r"^\.TP\n(.*)$", text, re.M)
          for option in OPTION.findall(line)}


class Manual(program.ProgramTest):
  def help_of(self, *arguments):
    run = self.run_program(*arguments)
    self.assert_done(run)
    return run.out

  def test_options_of_each_command(self):
    for command, known in COMMANDS.items():
      printed = set(re.findall(r"^\s+(?:-\w, )?(--[a-z-]+)", self.help_of(command, "--help"), re.M))
      self.assertIn(known, printed)
      self.assertEqual(documented_options(manual_sections()[command.upper()]), printed)

  def test_help_lists_what_the_manual_lists(self):
    commands = set(re.findall(r"^  fretsaw (\w+)", self.help_of("--help"), re.M))
    synopsis = manual_sections()["SYNOPSIS"]
    self.assertEqual(commands, set(re.findall(r"^\.B fretsaw (\w+)", synopsis, re.M)))

  def test_synopsis(self):
    sections = manual_sections()
    listed = set(OPTION.findall(sections["SYNOPSIS"])) - {"--version", "--help"}
    documented = set().union(*(documented_options(sections[name.upper()]) for name in COMMANDS))
    documented |= documented_options(sections["OPTIONS"])
    self.assertEqual(listed, documented - {"--version", "--help"})

  def test_options_without_a_command(self):
    printed = set(OPTION.findall(" ".join(re.findall(r"^  fretsaw (--\S+)", self.help_of("--help"), re.M))))
    self.assertIn("--version", printed)
    self.assertEqual(documented_options(manual_sections()["OPTIONS"]), printed)

  def test_every_command_is_tested(self):
    sections = {name.lower() for name in manual_sections()}
    for command in re.findall(r"^  fretsaw (\w+)", self.help_of("--help"), re.M):
      self.assertIn(command, sections)
      self.assertIn(command, COMMANDS)

  @unittest.skipUnless(shutil.which("man"), "man is not installed")
  def test_formats_without_a_warning(self):
    environment = dict(self.environment, MANWIDTH="80", LC_ALL="C.UTF-8", MANROFFOPT="")
    other = os.path.join(os.path.dirname(MANUAL), "fretsaw-subject.1")
    for page, faultless in ((MANUAL, True), (other, True), (self.spoilt_page(), False)):
      run = subprocess.run(["man", "--warnings", "-l", page], env=environment, capture_output=True,
                           text=True, check=True)
      self.assertEqual(run.stderr == "", faultless, run.stderr)

  def spoilt_page(self):
    path = self.path("spoilt.1")
    with open(MANUAL, encoding="utf-8") as page, open(path, "w", encoding="utf-8") as file:
      file.write(page.read() + ".B \\fQ\n.nosuchrequest\n")
    return path

  def test_version(self):
    first = self.help_of("--version").splitlines()[0]
    with open(os.path.join(program.SOURCE, "meson.build"), encoding="utf-8") as file:
      version = re.search(r"version: '([^']+)'", file.read())[1]
    self.assertEqual(first, "fretsaw " + version)
    with open(MANUAL, encoding="utf-8") as file:
      self.assertIn(f'"Fretsaw {version}"', file.read())


if __name__ == "__main__":
  sys.exit(program.tap.main())
