#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The ABI of fretsaw.h beside its committed description, library/fretsaw.abi (libabigail).

`test_abi.py --write` describes it anew: after additions alone. What breaks programs takes another soversion.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.environ.get("FRETSAW_SOURCE") or os.path.abspath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

LIBRARY = os.path.join(SOURCE, "library")
HEADER = os.path.join(LIBRARY, "fretsaw.h")
KNOWN = os.path.join(LIBRARY, "fretsaw.abi")
CHANGED, BROKEN = 4, 8  # bits of abidiff's status


def run(*words, **options):
  return subprocess.run(words, capture_output=True, text=True, check=True, **options).stdout


def build_face(folder):
  """The library's own files as a shared object with debugging information, whatever the build's flags are."""
  version = run("awk", "/define FRETSAW_VERSION_(MAJOR|MINOR|MICRO)/ { printf \"%s%s\", s, $3; s = \",\" }", HEADER)
  shared = os.path.join(folder, "libfretsaw.so.1")
  sources = sorted(os.path.join("library", name) for name in os.listdir(LIBRARY) if name.endswith(".c"))
  run(*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-g", "-O0", "-fvisibility=hidden", "-D_GNU_SOURCE",
      f"-DFS_PROJECT_VERSION=FRETSAW_VERSION_NUMBER({version})", "-I", ".", *run("pkg-config", "--cflags", "glib-2.0").split(),
      *sources, "-Wl,--version-script,library/fretsaw.map", "-Wl,-soname,libfretsaw.so.1", "-o", shared, cwd=SOURCE)
  return shared


def write_description(path, folder):
  # By a folder: structs without a tag are taken for private where abidw is given the file.
  headers = os.path.join(folder, "headers")
  os.makedirs(headers, exist_ok=True)
  shutil.copy(HEADER, headers)
  run("abidw", "--headers-dir", headers, "--drop-private-types", "--exported-interfaces-only", "--no-show-locs",
      "--no-comp-dir-path", "--no-corpus-path", "--type-id-style", "hash", "--out-file", path, build_face(folder))
  with open(path, encoding="utf-8") as file:
    lines = file.read().splitlines(True)
  # Other libraries are not the face's.
  with open(path, "w", encoding="utf-8") as file:
    file.writelines(line for line in lines if "elf-needed" not in line and "<dependency" not in line)


@unittest.skipUnless(shutil.which("abidiff") and shutil.which("abidw"), "abidiff (libabigail) is missing")
@unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is missing")
@unittest.skipUnless(platform.machine() == "x86_64", "the description is of x86-64")
class Abi(unittest.TestCase):
  def compare(self, known, header_changes=()):
    with tempfile.TemporaryDirectory() as folder:
      now = os.path.join(folder, "now.abi")
      write_description(now, folder)
      text = open(now, encoding="utf-8").read()
      for old, new in header_changes:
        self.assertIn(old, text)
        text = text.replace(old, new)
      with open(now, "w", encoding="utf-8") as file:
        file.write(text)
      others = os.path.join(folder, "others")
      with open(others, "w", encoding="utf-8") as file:
        file.write("[suppress_type]\n  name_regexp = ^_IO_\n")  # the C library's
      return subprocess.run(["abidiff", "--no-show-locs", "--suppressions", others, known, now], capture_output=True, text=True, check=False)

  def test_is_the_committed_one(self):
    found = self.compare(KNOWN)
    self.assertFalse(found.returncode & BROKEN, "breaks programs: another soversion\n" + found.stdout)
    self.assertFalse(found.returncode & CHANGED, "has changed: tests/library/test_abi.py --write\n" + found.stdout)
    self.assertEqual(found.returncode, 0, found.stderr)

  def test_can_fail(self):
    """A function that is gone is found, and so are a field and a status that have moved."""
    found = self.compare(KNOWN, [("fretsaw_grid_solve", "fretsaw_grid_resolve")])
    self.assertTrue(found.returncode & BROKEN, found.stdout)
    for change in (("fretsaw_labelling' size-in-bits='448'", "fretsaw_labelling' size-in-bits='512'"),
                   ("'FRETSAW_UNPROVEN' value='8'", "'FRETSAW_UNPROVEN' value='7'"), ("name='FRETSAW_BUSY' value='9'", "name='FRETSAW_BUSY' value='8'")):
      self.assertTrue(self.compare(KNOWN, [change]).returncode & CHANGED, change)


if __name__ == "__main__":
  if sys.argv[1:] == ["--write"]:
    with tempfile.TemporaryDirectory() as place:
      write_description(KNOWN, place)
    sys.exit(0)
  sys.exit(tap.main())
