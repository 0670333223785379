#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The shells complete what `--help` lists, and nothing else."""

import os
import re
import shutil
import subprocess
import sys
import unittest

import program

FOLDER = os.path.join(program.SOURCE, "data", "completions")
COMMANDS = ("coco", "cut", "export", "frames", "import", "maxflow", "mrf", "replay")
# What bash says of a line: the words of COMPREPLY, one a line.
ASK_BASH = """. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fretsaw
printf '%s\\n' "${COMPREPLY[@]}" """


def read(name):
  with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
    return file.read()


class Completion(program.ProgramTest):
  def bash(self, *words):
    done = subprocess.run(["bash", "-c", ASK_BASH, "bash", os.path.join(FOLDER, "fretsaw.bash"), *words],
                          cwd=self.folder, capture_output=True, text=True, check=True)
    self.assertEqual(done.stderr, "")
    return set(done.stdout.split())

  def options(self, *command):
    run = self.run_program(*command, "--help")
    self.assert_done(run)
    return set(re.findall(r"^\s+(?:-\w, |fretsaw )?(--[a-z-]+)", run.out, re.M))

  def test_commands(self):
    run = self.run_program("--help")
    self.assertEqual(sorted(re.findall(r"^  fretsaw (\w+)", run.out, re.M)), sorted((*COMMANDS, "cut")))  # a photo, and a folder
    self.assertEqual(self.bash("fretsaw", ""), set(COMMANDS))

  def test_bash_options(self):
    for command in ((), *((name,) for name in COMMANDS)):
      options = self.options(*command)
      self.assertGreater(len(options), 1)
      self.assertEqual(self.bash("fretsaw", *command, "--"), options)

  def test_bash_values(self):
    open(self.path("bird.png"), "w", encoding="utf-8").close()
    self.assertEqual(self.bash("fretsaw", "cut", "--seeds", "b"), {"bird.png"})
    self.assertEqual(self.bash("fretsaw", "cut", "--seeds", "=", "b"), {"bird.png"})
    self.assertEqual(self.bash("fretsaw", "cut", "b"), {"bird.png"})
    self.assertEqual(self.bash("fretsaw", "cut", "--threads", ""), set())
    models = re.search(r"--model=NAME .*: (.*) \(", self.run_program("cut", "--help").out)[1]
    self.assertEqual(self.bash("fretsaw", "cut", "--model", ""), set(re.findall(r"\w+", models)) - {"or"})
    self.assertEqual(self.bash("fretsaw", "cut", "--find-subject", "=", "r"), {"rembg"})
    self.assertEqual(self.bash("fretsaw", "cut", "--find-subject", "b"), {"bird.png"})
    self.assertEqual(self.bash("fretsaw", "replay", "--backend", "=", "c"), {"cpu", "cuda"})

  def test_other_shells(self):
    every = set().union(self.options(), *(self.options(name) for name in COMMANDS))
    self.assertEqual(set(re.findall(r"(--[a-z-]+)(?==?\[|\})", read("_fretsaw"))), every)
    lines = re.findall(r"^complete.* -l ([a-z-]+)", read("fretsaw.fish"), re.M)
    self.assertEqual({"--" + name for name in lines}, every)

  def test_zsh_reads_it(self):
    self.reads("zsh", "-n", "_fretsaw")

  def test_fish_reads_it(self):
    self.reads("fish", "--no-execute", "fretsaw.fish")

  def reads(self, shell, option, name):
    if shutil.which(shell) is None:
      raise unittest.SkipTest(shell + " is not installed")
    subprocess.run([shell, option, os.path.join(FOLDER, name)], check=True, env=self.environment)


if __name__ == "__main__":
  sys.exit(program.tap.main())
