# SPDX-License-Identifier: MIT
"""Circles of modules: sets of modules each of which needs all the others.

A module is a source file with its header. It needs another where it includes one of its headers, or
calls a function that the other defines.
"""

import os
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
DEFINITION = re.compile(r"^(fs_\w+) \(", re.M)
CALL = re.compile(r"\b(fs_\w+) \(")
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def module_of(path):
  return os.path.splitext(path)[0]


def arrows(tree):
  """{module: modules that it needs} of the files in {path: text}."""
  owner = {}
  for path, text in tree.items():
    if not path.endswith((".h", ".cuh")):
      for name in DEFINITION.findall(text):
        owner.setdefault(name, module_of(path))
  needs = {}
  for path, text in tree.items():
    mine = needs.setdefault(module_of(path), set())
    mine.update(module_of(name) for name in INCLUDE.findall(text) if name in tree)
    if not path.endswith((".h", ".cuh")):
      mine.update(owner[name] for name in set(CALL.findall(COMMENT.sub("", text))) if name in owner)
    mine.discard(module_of(path))
  return needs


def circles(needs):
  """The strongly connected components of more than one module, each sorted (Tarjan 1972)."""
  number, low, stack, found = {}, {}, [], []

  def visit(module):
    number[module] = low[module] = len(number)
    stack.append(module)
    for other in sorted(needs.get(module, ())):
      if other not in number:
        visit(other)
      if other in stack:
        low[module] = min(low[module], low[other])
    if low[module] == number[module]:
      at = stack.index(module)
      if len(stack) - at > 1:
        found.append(sorted(stack[at:]))
      del stack[at:]

  for module in sorted(needs):
    if module not in number:
      visit(module)
  return found
