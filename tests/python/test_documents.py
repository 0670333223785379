#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Examples in docstrings and on the page about Python say what comes out, and the stubs what there is."""

import ast
import doctest
import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402
import fretsaw  # noqa: E402
import numpy as np  # noqa: E402
import tap  # noqa: E402
from fretsaw import _fretsaw, maxflow  # noqa: E402

PAGES = [os.path.join(package.SOURCE, "docs", "python.md")]


class Documents(unittest.TestCase):
  def test_docstrings(self):
    names = ["fretsaw"] + [m.name for m in pkgutil.walk_packages(fretsaw.__path__, "fretsaw.")]
    attempted = 0
    for name in names:
      done = doctest.testmod(importlib.import_module(name))
      self.assertEqual(done.failed, 0, name)
      attempted += done.attempted
    self.assertGreater(attempted, 40)

  def test_pages(self):
    folder = os.getcwd()
    os.chdir(package.SOURCE)
    try:
      for page in PAGES:
        done = doctest.testfile(page, module_relative=False, encoding="utf-8")
        self.assertEqual(done.failed, 0, page)
        self.assertGreater(done.attempted, 10, page)
    finally:
      os.chdir(folder)

  def test_pictures(self):
    """The page with pictures runs, and makes the pictures that it shows."""
    try:
      from PIL import Image
    except ImportError:
      self.skipTest("python3-pil is missing")
    page = os.path.join(package.SOURCE, "docs", "example", "python")
    environment = dict(os.environ, PYTHONPATH=os.path.join(package.BUILD, "python"))
    with tempfile.TemporaryDirectory() as folder:
      subprocess.run([sys.executable, os.path.join(page, "run_page.py"), folder], env=environment, check=True)
      with open(os.path.join(page, "README.md"), encoding="utf-8") as file:
        names = re.findall(r"\]\((\d-\w+\.png)\)", file.read())
      self.assertEqual(names, sorted(os.listdir(folder)))
      for name in names:
        # Decoders and scalers of photos differ by a little.
        made, shown = (np.asarray(Image.open(os.path.join(place, name)).convert("RGB")).astype(int)
                       for place in (folder, page))
        self.assertEqual(made.shape, shown.shape)
        self.assertLess(np.abs(made - shown).mean(), 4, name)

  def test_everything_is_described(self):
    for module in (fretsaw, maxflow):
      for name in module.__all__:
        thing = getattr(module, name)
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
          continue
        self.assertTrue(thing.__doc__, name)

  @staticmethod
  def read_stub(*names):
    with open(os.path.join(os.path.dirname(fretsaw.__file__), *names), encoding="utf-8") as file:
      return ast.parse(file.read())

  def check_function(self, node, function):
    arguments = node.args
    names = [part.arg for part in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
    names += [part.arg for part in (arguments.vararg, arguments.kwarg) if part]
    self.assertEqual(sorted(names), sorted(inspect.signature(function).parameters), node.name)

  def test_public_stubs(self):
    """Functions and methods of the package and its stubs have the same arguments."""
    for module, names in ((fretsaw, ["__init__.pyi"]), (maxflow, ["maxflow", "__init__.pyi"])):
      n_checked = 0
      for node in self.read_stub(*names).body:
        if isinstance(node, ast.FunctionDef):
          self.check_function(node, getattr(module, node.name))
          n_checked += 1
        if not isinstance(node, ast.ClassDef) or node.name == "_Graphs":
          continue
        thing = maxflow.GraphInt if node.name == "_Graph" else getattr(module, node.name)
        for part in node.body:
          value = inspect.getattr_static(thing, part.name, None) if isinstance(part, ast.FunctionDef) else None
          if inspect.isfunction(value):
            self.check_function(part, value)
            n_checked += 1
      self.assertGreater(n_checked, 15 if module is maxflow else 30)

  def test_stubs(self):
    """Classes and methods of the extension and of its stubs are the same."""
    tree = self.read_stub("_fretsaw.pyi")
    stubs = {node.name: {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
             for node in tree.body if isinstance(node, ast.ClassDef)}
    types = {name: {part for part, value in vars(thing).items() if not part.startswith("__") or part in ("__new__", "__reduce__")}
             for name, thing in vars(_fretsaw).items() if inspect.isclass(thing)}
    self.assertEqual(stubs, types)


sys.exit(tap.main())
