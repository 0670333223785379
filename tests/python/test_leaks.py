#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nothing stays of calls, whether they succeed or are refused: no reference, no block of Python's, no page."""

import gc
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402,F401
import fretsaw  # noqa: E402
import tap  # noqa: E402
from test_errors import list_calls, list_network_calls, wrong_values  # noqa: E402

N, SECONDS, N_FIRST = 1000, 0.2, 30
BLOCKS, BYTES = 30, 1 << 20


def resident():
  with open("/proc/self/statm", encoding="ascii") as file:
    return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def find_refused(function, arguments):
  """Arguments that are refused, one for each argument that can be."""
  for name, right in arguments.items():
    for wrong in wrong_values(right):
      changed = {**arguments, name: wrong}
      try:
        function(**changed)
      except fretsaw.Error:
        yield changed
        break


class Leaks(unittest.TestCase):
  @staticmethod
  def repeat(n, call, arguments):
    """Calls n times, or as often as there is time for. Returns how often."""
    end = time.monotonic() + SECONDS
    for i in range(1, n + 1):
      try:
        call(**arguments)
      except fretsaw.Error:
        pass
      if time.monotonic() > end:
        break
    gc.collect()
    return i

  def check(self, name, call, arguments):
    """Repeats a call, and counts what there is more afterwards. Caches grow once, leaks each time."""
    self.repeat(N_FIRST, call, arguments)
    for _ in range(3):
      references = {key: sys.getrefcount(value) for key, value in arguments.items()}
      blocks, pages = sys.getallocatedblocks(), resident()
      n = self.repeat(N, call, arguments)
      blocks, pages = sys.getallocatedblocks() - blocks, resident() - pages
      if blocks < max(BLOCKS, n // 2) and pages < BYTES:
        break
    else:
      self.fail(f"{name}: {blocks} blocks and {pages} bytes are left of {n} calls")
    for key, value in arguments.items():
      if not isinstance(value, (bool, int, float, str, type(None))):
        self.assertLess(abs(sys.getrefcount(value) - references[key]), 3, f"{name}: {key}")
    return n

  def check_all(self, calls):
    n = 0
    for name, function, arguments in calls:
      n += self.check(name, function, arguments)
      for changed in find_refused(function, arguments):
        n += self.check(name + ", refused", function, changed)
    print(f"# {n} calls")

  def test_package(self):
    self.check_all(list_calls())

  def test_networks(self):
    self.check_all(list_network_calls())


if __name__ == "__main__":
  sys.exit(tap.main())
