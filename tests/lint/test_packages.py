#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Debian's packages have every file that this build installs, each in one of them, and name no others."""

import fnmatch
import glob
import json
import os
import subprocess
import sys
import unittest

SOURCE, BUILD = os.environ["FRETSAW_SOURCE"], os.environ["FRETSAW_BUILD"]
sys.path.insert(0, os.path.join(SOURCE, "tests"))
import tap  # noqa: E402

# The packages have no CUDA module, and only they have the static library.
LEFT_OUT = "*/fretsaw-cuda.so"
STATIC = "usr/lib/*/libfretsaw.a"
# Packages of parts that a build without their libraries has not.
OPTIONAL = ("fretsaw-gimp.install", "fretsaw-subject.install", "python3-fretsaw.install")


def introspect(part):
  return json.loads(subprocess.run(["meson", "introspect", part, BUILD], check=True, capture_output=True, text=True).stdout)


def patterns():
  found = []
  for path in sorted(glob.glob(os.path.join(SOURCE, "debian", "*.install"))):
    with open(path, encoding="utf-8") as file:
      found += [(os.path.basename(path), line.split()[0]) for line in file if not line.startswith("#")]
  return found


def fits(path, pattern):
  return fnmatch.fnmatch(path, pattern) or fnmatch.fnmatch(path, pattern + "/*")


class Packages(unittest.TestCase):
  @classmethod
  def setUpClass(cls):
    options = {option["name"]: option["value"] for option in introspect("--buildoptions")}
    prefix = os.path.join(options["prefix"], "")
    paths = introspect("--installed").values()
    cls.installed = sorted({("usr/" + path.removeprefix(prefix)) if path.startswith(prefix) else path[1:] for path in paths})

  def test_every_file(self):
    self.assertGreater(len(self.installed), 30)
    for path in self.installed:
      owners = [name for name, pattern in patterns() if fits(path, pattern)]
      self.assertEqual(len(owners), 0 if fnmatch.fnmatch(path, LEFT_OUT) else 1, (path, owners))

  def test_every_pattern(self):
    missing = [(name, pattern) for name, pattern in patterns()
               if name not in OPTIONAL and pattern != STATIC and not any(fits(path, pattern) for path in self.installed)]
    self.assertEqual(missing, [])


sys.exit(tap.main())
