#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the test cases of a run of `meson test` from its log.

Prints what failed and what was skipped and why; the last line is `N passed, N failed, N skipped`.
Exits 1 if anything failed or nothing passed.
"""

import json
import re
import sys

CASE = re.compile(r"^(not )?ok\b\s*\d*\s*-?\s*(.*?)\s*(?:#\s*(SKIP|TODO)\b:?\s*(.*))?$", re.I)
WHOLE_SKIP = re.compile(r"^1\.\.0\s*#\s*SKIP\S*\s+(.*\S)", re.I | re.M)
FINE = {"OK", "SKIP", "EXPECTEDFAIL"}


class Count:
  def __init__(self):
    self.passed = 0
    self.failed = []
    self.skipped = []


def count_tap(program, text, count):
  """Adds the cases of one TAP stream; returns how many there were, and how many failed."""
  cases = failures = 0
  for line in text.splitlines():
    match = CASE.match(line)
    if not match:
      continue
    cases += 1
    bad, name, directive, reason = match.groups()
    if (directive or "").upper() == "SKIP":
      count.skipped.append(f"{program}: {name}: {reason or 'no reason given'}")
    elif bad:
      failures += 1
      count.failed.append(f"{program}: {name}")
    else:
      count.passed += 1
  return cases, failures


def count_program(record, count):
  program, result = record["name"].split(" / ")[-1], record["result"]
  cases, failures = count_tap(program, record.get("stdout") or "", count)
  returncode = record.get("returncode") or 0
  broke_down = result == "TIMEOUT" or returncode < 0 or returncode >= 128
  if result not in FINE and (failures == 0 or broke_down):
    count.failed.append(f"{program}: the program ended with {result}, status {returncode}")
  elif cases == 0 and result == "SKIP":
    reason = WHOLE_SKIP.search(record.get("stdout") or "")
    count.skipped.append(f"{program}: {reason[1] if reason else 'the whole program'}")
  elif cases == 0 and result == "OK":
    count.passed += 1


def read_log(path):
  with open(path, encoding="utf-8", errors="replace") as log:
    return [json.loads(line) for line in log if line.strip()]


def main(path):
  count = Count()
  try:
    for record in read_log(path):
      count_program(record, count)
  except OSError as error:
    count.failed.append(f"no log of a test run: {error}")
  for name in count.skipped:
    print("skipped  " + name)
  for name in count.failed:
    print("FAILED   " + name)
  print(f"{count.passed} passed, {len(count.failed)} failed, {len(count.skipped)} skipped")
  return 1 if count.failed or not count.passed else 0


if __name__ == "__main__":
  sys.exit(main(sys.argv[1]))
