#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Examples in docstrings and on the page about Python say what comes out, and the stubs what there is."""

import ast
import doctest
import importlib
import importlib.util
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

FOLDER = os.path.join(package.BUILD, "python")
# Modules without stubs, whose code itself is read for them; and a dictionary that takes int and float alone.
ALLOWED = r"""fretsaw\.(grid|labelling|photo|maxflow\.fastmin|maxflow\.network)\..*
fretsaw\.maxflow\.Graph
"""
SCRIPT = """
import numpy as np
from numpy.typing import NDArray
import fretsaw
from fretsaw import maxflow
grid = fretsaw.Grid2D(np.zeros((2, 3), np.int32), 3, neighbours=8, context=fretsaw.Context(threads=1))
flow: int = grid.maxflow()
graph = maxflow.Graph[float]()
capacity: float = graph.maxflow()
nodes: NDArray[np.int64] = graph.add_grid_nodes((2, 3))
labels, result = fretsaw.expansion(np.zeros((2, 3, 2)), [[0, 1], [1, 0]], 0.5, max_cycles=3)
whole: NDArray[np.uint8] = fretsaw.segment(np.zeros((2, 3, 3), np.uint8), guess=labels, model="gmm")
"""
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
    """Names, their order and kinds, and defaults."""
    given, told = node.args, []
    positional = given.posonlyargs + given.args
    defaults = [None] * (len(positional) - len(given.defaults)) + given.defaults
    for part, default in (*zip(positional, defaults), *zip(given.kwonlyargs, given.kw_defaults)):
      told.append((part.arg, part in given.kwonlyargs, default and repr(ast.literal_eval(default))))
    told += [(part.arg, None, None) for part in (given.vararg, given.kwarg) if part]
    empty, variable = inspect.Parameter.empty, (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    found = [(part.name, None if part.kind in variable else part.kind is part.KEYWORD_ONLY,
              None if part.default is empty else repr(part.default)) for part in inspect.signature(function).parameters.values()]
    self.assertEqual(told, found, node.name)

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

  def run_mypy(self, folder, *words):
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=False, cwd=folder,
                          env=dict(os.environ, PYTHONPATH=FOLDER, MYPYPATH=FOLDER))
    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

  @unittest.skipUnless(importlib.util.find_spec("mypy"), "python3-mypy is missing")
  def test_types(self):
    """mypy finds the stubs like the package, and a user's script right."""
    with tempfile.TemporaryDirectory() as folder:
      files = {name: os.path.join(folder, name) for name in ("allow", "mypy.ini", "user.py")}
      for name, text in (("allow", ALLOWED), ("mypy.ini", "[mypy]\nignore_missing_imports = True\n"), ("user.py", SCRIPT)):
        with open(files[name], "w", encoding="ascii") as file:
          file.write(text)
      self.run_mypy(folder, "mypy.stubtest", "--mypy-config-file", files["mypy.ini"], "--allowlist", files["allow"],
                    "--ignore-unused-allowlist", "fretsaw")
      self.run_mypy(folder, "mypy", "--strict", files["user.py"])


sys.exit(tap.main())
