#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Examples in docstrings and on the page about Python say what comes out, and the stubs what there is."""

import ast
import doctest
import importlib
import inspect
import os
import pkgutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402
import fretsaw  # noqa: E402
import tap  # noqa: E402
from fretsaw import _fretsaw  # noqa: E402

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

  def test_everything_is_described(self):
    for module in (fretsaw, fretsaw.maxflow) if hasattr(fretsaw, "maxflow") else (fretsaw,):
      for name in module.__all__:
        thing = getattr(module, name)
        if not (inspect.isclass(thing) or inspect.isfunction(thing)):
          continue
        self.assertTrue(thing.__doc__, name)

  def test_stubs(self):
    """Classes and methods of the extension and of its stubs are the same."""
    with open(os.path.join(os.path.dirname(fretsaw.__file__), "_fretsaw.pyi"), encoding="utf-8") as file:
      tree = ast.parse(file.read())
    stubs = {node.name: {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
             for node in tree.body if isinstance(node, ast.ClassDef)}
    types = {name: {part for part, value in vars(thing).items() if not part.startswith("__") or part == "__new__"}
             for name, thing in vars(_fretsaw).items() if inspect.isclass(thing)}
    self.assertEqual(stubs, types)


sys.exit(tap.main())
