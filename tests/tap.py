# SPDX-License-Identifier: MIT
"""Runs unittest cases and prints TAP, the way the suite's C programs do."""

import sys
import traceback
import unittest


class TapResult(unittest.TestResult):
  def __init__(self, total):
    super().__init__()
    self.number = 0
    print(f"1..{total}", flush=True)

  def _line(self, test, status="ok", note=""):
    self.number += 1
    name = test.id().split(".", 1)[-1] if test.id().startswith("__main__.") else test.id()
    print(f"{status} {self.number} {name}{note}", flush=True)

  def _diagnose(self, err):
    for line in "".join(traceback.format_exception(*err)).splitlines():
      print("# " + line, flush=True)

  def addSuccess(self, test):
    super().addSuccess(test)
    self._line(test)

  def addFailure(self, test, err):
    super().addFailure(test, err)
    self._diagnose(err)
    self._line(test, "not ok")

  addError = addFailure

  def addSubTest(self, test, subtest, err):
    super().addSubTest(test, subtest, err)
    if err is not None:
      self._diagnose(err)
      print(f"# in {subtest}", flush=True)

  def stopTest(self, test):
    # unittest reports a test with failed sub-tests through addSubTest alone.
    super().stopTest(test)
    if self.number < self.testsRun:
      self._line(test, "not ok")

  def addSkip(self, test, reason):
    super().addSkip(test, reason)
    self._line(test, "ok", f" # SKIP {reason}")


def main():
  suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
  result = TapResult(suite.countTestCases())
  suite.run(result)
  return 0 if result.wasSuccessful() else 1
