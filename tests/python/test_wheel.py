#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The wheel: built without a network, installed into an environment of its own, and used there."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402
import tap  # noqa: E402

SCRIPT = """import fretsaw, numpy as np
from fretsaw import maxflow
grid = fretsaw.Grid2D(np.array([[5, -3]], np.int32), 1)
print(fretsaw.__file__, grid.maxflow(), maxflow.GraphInt)
"""


def have(module):
  return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


@unittest.skipUnless(have("mesonpy") and have("build") and have("venv"), "python3-mesonpy, -build or -venv is missing")
@unittest.skipUnless(shutil.which("git"), "git is missing")
class Wheel(unittest.TestCase):
  def run_words(self, *words, **options):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
    return done.stdout

  def test_wheel(self):
    with tempfile.TemporaryDirectory() as folder:
      source = os.path.join(folder, "source")
      names = self.run_words("git", "-C", package.SOURCE, "ls-files", "-z").split("\0")
      for name in filter(None, names):
        if os.path.isfile(os.path.join(package.SOURCE, name)):
          os.makedirs(os.path.dirname(os.path.join(source, name)), exist_ok=True)
          shutil.copy(os.path.join(package.SOURCE, name), os.path.join(source, name))
      self.run_words(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, source)
      wheel, = glob.glob(os.path.join(folder, "*.whl"))
      print(f"# {os.path.basename(wheel)}, {os.path.getsize(wheel) >> 10} KiB")
      with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
      self.assertTrue(all(name.startswith("fretsaw/") for name in names), names)
      self.assertTrue({"fretsaw/py.typed", "fretsaw/_fretsaw.pyi", "fretsaw/_fretsaw.abi3.so"} <= set(names), names)
      home = os.path.join(folder, "home")
      self.run_words(sys.executable, "-m", "venv", "--system-site-packages", home)
      program = os.path.join(home, "bin", "python")
      self.run_words(program, "-m", "pip", "install", "--no-index", "--no-deps", wheel)
      told = self.run_words(program, "-c", SCRIPT, cwd=folder)
      self.assertIn(home, told)
      self.assertIn(" 1 ", told)


sys.exit(tap.main())
