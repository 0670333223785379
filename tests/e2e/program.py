# SPDX-License-Identifier: MIT
"""Runs the built program for the end-to-end tests: no display, a home of its own, a time limit."""

import os
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = os.environ["FRETSAW_SOURCE"]
BUILD = os.environ["FRETSAW_BUILD"]
SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(SOURCE, "..", "shared")
# How much longer a step may take in this build (sanitizers), 1 in an ordinary one.
SLOWNESS = float(os.environ.get("FRETSAW_SLOWNESS", "1"))
# Whether other builds look at all of many alike (tests/meson.build).
SHARED_OUT = "FRETSAW_TEST_SHARE" in os.environ
PROGRAM = os.path.join(BUILD, "fretsaw")

sys.path.insert(0, os.path.join(SOURCE, "tests"))
import tap  # noqa: E402,F401


def check_replay(*arguments):
  """Plays a session with every exact mask held against a fresh solve; what was told."""
  done = subprocess.run([os.path.join(BUILD, "tests", "app", "replay_check"), *arguments], stdin=subprocess.DEVNULL,
                        capture_output=True, text=True, check=False)
  if done.returncode != 0:
    raise AssertionError(done.stderr)
  return done.stdout


class Run:
  """What a finished command left: status, output, seconds, and its peak memory."""

  def __init__(self, arguments, environment):
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
      process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=err, env=environment)
      _, status, usage = os.wait4(process.pid, 0)
      self.seconds = time.monotonic() - start
      process.returncode = self.status = os.waitstatus_to_exitcode(status)
      self.peak_mb = usage.ru_maxrss / 1024
      self.out, self.err = read_back(out), read_back(err)


def read_back(file):
  file.seek(0)
  return file.read().decode("utf-8", "replace")


class ProgramTest(unittest.TestCase):
  """A folder that goes away again, and a clean environment."""

  def setUp(self):
    folder = tempfile.TemporaryDirectory(prefix="fretsaw-e2e-")
    self.addCleanup(folder.cleanup)
    self.folder = folder.name
    self.environment = {k: v for k, v in os.environ.items()
                        if k not in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS")}
    self.environment["HOME"] = self.folder

  def path(self, name):
    return os.path.join(self.folder, name)

  def run_program(self, *arguments):
    return Run(arguments, self.environment)

  def assert_done(self, run):
    self.assertEqual((run.status, run.err), (0, ""))

  def assert_refused(self, run, status, *words):
    """One line on standard error, `fretsaw: …`, with each of the words in it; nothing printed."""
    self.assertEqual(run.status, status, run.err)
    self.assertRegex(run.err, r"\Afretsaw: [^\n]+\n\Z")
    for word in words:
      self.assertIn(word, run.err)
    self.assertEqual(run.out, "")


def shared(*names):
  """The path of a file of the data pack, which is not part of the repository."""
  path = os.path.join(SHARED, "data", *names)
  if not os.path.exists(path):
    raise unittest.SkipTest("no data pack: " + "/".join(names))
  return path
