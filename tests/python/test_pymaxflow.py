#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""PyMaxflow's own tests and examples with the one import changed, where FRETSAW_PYMAXFLOW names a checkout."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402
import tap  # noqa: E402

CHECKOUT = os.environ.get("FRETSAW_PYMAXFLOW")
EXAMPLES = ("simple", "binary_restoration", "layout_examples", "layout_example2", "layout_example3D")
# Debian 12's imageio has this function under its older name alone.
SHIM = """import sys, types
try:
  import imageio.v3
except ImportError:
  import imageio, numpy
  sys.modules["imageio.v3"] = types.SimpleNamespace(imread=lambda path: numpy.asarray(imageio.imread(path)))
"""
NEEDED = ("imageio", "matplotlib", "networkx", "pytest")


def have(module):
  return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


@unittest.skipUnless(CHECKOUT, "FRETSAW_PYMAXFLOW names no checkout")
class PyMaxflow(unittest.TestCase):
  @classmethod
  def setUpClass(cls):
    missing = [module for module in NEEDED if not have(module)]
    if missing:
      raise unittest.SkipTest(", ".join(missing) + " missing")
    folder = tempfile.TemporaryDirectory()
    cls.addClassCleanup(folder.cleanup)
    cls.root = os.path.join(folder.name, "checkout")
    shutil.copytree(os.path.join(CHECKOUT, "examples"), os.path.join(cls.root, "examples"))
    shutil.copy(os.path.join(CHECKOUT, "test_maxflow.py"), cls.root)
    for place, _, names in os.walk(cls.root):
      for name in names:
        if name.endswith(".py"):
          cls.change_import(os.path.join(place, name))
    with open(os.path.join(cls.root, "sitecustomize.py"), "w", encoding="ascii") as file:
      file.write(SHIM)
    cls.environment = dict(os.environ, MPLBACKEND="Agg", MPLCONFIGDIR=folder.name,
                           PYTHONPATH=os.pathsep.join([cls.root, os.path.join(package.BUILD, "python")]))

  @staticmethod
  def change_import(path):
    with open(path, encoding="utf-8") as file:
      text = file.read()
    with open(path, "w", encoding="utf-8") as file:
      file.write(re.sub(r"^import maxflow$", "from fretsaw import maxflow", text, flags=re.M))

  def run_python(self, folder, *words):
    return subprocess.run([sys.executable, *words], cwd=os.path.join(self.root, folder), env=self.environment,
                          capture_output=True, text=True, check=False)

  def test_tests(self):
    done = self.run_python(".", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_maxflow.py")
    print("# " + done.stdout.strip().splitlines()[-1])
    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

  def test_examples(self):
    for name in EXAMPLES:
      done = self.run_python("examples", name + ".py")
      self.assertEqual(done.returncode, 0, name + done.stderr)


sys.exit(tap.main())
