#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The counter of the suite: what it must count, and that it cannot call a broken run green."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import summary  # noqa: E402
import tap  # noqa: E402


def record(result="OK", stdout="", returncode=0):
  return {"name": "t", "result": result, "stdout": stdout, "returncode": returncode}


class Summary(unittest.TestCase):
  def counts(self, *records):
    """Returns the last line and the exit status for a log of these programs."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as log:
      log.write("".join(json.dumps(r) + "\n" for r in records))
      log.flush()
      out = io.StringIO()
      with contextlib.redirect_stdout(out):
        status = summary.main(log.name)
    return out.getvalue().splitlines()[-1], status

  def test_cases_are_added(self):
    tap_text = "1..4\nok 1 /a\n# note\nok 2 /b # SKIP no data\nok 3 - c\nok 4 /d # time=1\n"
    self.assertEqual(self.counts(record(stdout=tap_text), record(stdout="1..1\nok 1 x\n")),
                     ("4 passed, 0 failed, 1 skipped", 0))

  def test_a_failed_case(self):
    text = "1..2\nok 1 /a\nnot ok 2 /b\n"
    self.assertEqual(self.counts(record("FAIL", text, 1)), ("1 passed, 1 failed, 0 skipped", 1))

  def test_a_crash_is_a_failure(self):
    self.assertEqual(self.counts(record("ERROR", "1..2\nok 1 /a\n", -11)),
                     ("1 passed, 1 failed, 0 skipped", 1))

  def test_a_crash_after_a_failed_case(self):
    self.assertEqual(self.counts(record("FAIL", "1..3\nok 1 /a\nnot ok 2 /b\n", -6)),
                     ("1 passed, 2 failed, 0 skipped", 1))

  def test_a_time_out_is_a_failure(self):
    self.assertEqual(self.counts(record("TIMEOUT", "", -15)), ("0 passed, 1 failed, 0 skipped", 1))

  def test_a_program_without_tap_is_one_case(self):
    self.assertEqual(self.counts(record()), ("1 passed, 0 failed, 0 skipped", 0))

  def test_nothing_passed_is_red(self):
    self.assertEqual(self.counts(record("SKIP", "1..0 # SKIP none\n")),
                     ("0 passed, 0 failed, 1 skipped", 1))

  def test_reasons_are_printed(self):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), tempfile.NamedTemporaryFile("w") as log:
      log.write(json.dumps(record("SKIP", "1..0 # SKIP no screen\n")) + "\n")
      log.write(json.dumps(record("OK", "1..1\nok 1 /a # SKIP no data\n")) + "\n")
      log.flush()
      summary.main(log.name)
    self.assertEqual(out.getvalue().splitlines()[:2],
                     ["skipped  t: no screen", "skipped  t: /a: no data"])

  def test_no_log_is_red(self):
    with contextlib.redirect_stdout(io.StringIO()):
      self.assertEqual(summary.main("no-such-log.json"), 1)


if __name__ == "__main__":
  sys.exit(tap.main())
