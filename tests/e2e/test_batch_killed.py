#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw cut` with --out and --jobs, killed at random moments: in the end all bytes are those of one run.

SCALE=20: 1,000 photos, killed 50 times.
"""

import os
import random
import signal
import subprocess
import sys
import time
import unittest

import batches
import program
import sequences

SCALE = int(os.environ.get("SCALE", "1"))
PHOTOS, KILLS = 50 * SCALE, 50 if SCALE >= 20 else 8 * SCALE
SEED = int(os.environ.get("FRETSAW_SEED", "45"))


class Killed(batches.BatchTest):
  count = PHOTOS

  def test_killed(self):
    """The whole group by SIGKILL; every fifth time a terminal's Ctrl+C, which all of it gets; shards in between."""
    rng = random.Random(SEED)
    broken = rng.sample(range(PHOTOS), 2)
    for number in broken:
      os.truncate(self.photo(number), 60)
    whole = self.path("whole")
    start = time.monotonic()
    run = self.run_batch("--jobs", "2", out=whole)
    seconds = time.monotonic() - start
    self.assertEqual((run.status, len(run.err.splitlines())), (3, 2), run.err)
    self.assertIn(f"{PHOTOS - 2} cut, 0 there already, 2 failed", run.out)
    n_there = []
    for kill in range(KILLS):
      words = ["--jobs", str(rng.randint(1, 3))]
      if kill % 4 == 3:
        words += ["--shard", f"{rng.randint(1, 2)}/2"]
      process = subprocess.Popen([program.PROGRAM, *self.words(*words)], env=self.environment, start_new_session=True,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
      time.sleep(rng.random() * (0.05 + 3 * seconds / KILLS))
      try:
        os.killpg(process.pid, signal.SIGINT if kill % 5 == 4 else signal.SIGKILL)
      except ProcessLookupError:
        pass  # it was done before
      process.wait()
      masks = os.path.join(self.out, "masks")
      n_there.append(len(os.listdir(masks)) if os.path.isdir(masks) else 0)
    run = self.run_batch("--jobs", "2")
    self.assertEqual(run.status, 3, run.err)
    self.assertEqual(len(run.err.splitlines()), 2, run.err)
    for folder in os.listdir(self.out):
      sequences.sweep(os.path.join(self.out, folder))
    made = batches.content(self.out)
    self.assertEqual(made, batches.content(whole))
    self.assertEqual(len(made), 5 * (PHOTOS - 2))
    self.assertEqual([name for name in batches.content(self.out, hidden=True) if name.endswith(".log")
                      and "-of-" not in name], [])
    print(f"# {PHOTOS} photos, {KILLS} kills, outputs after each: {' '.join(map(str, n_there))}", flush=True)
    self.assertIn(f"{PHOTOS - 2} there already", self.run_batch().out)

  @unittest.skipUnless(os.path.isdir("/proc/self/task"), "no /proc")
  def test_workers_end_with_the_command(self):
    """The command alone is killed: its workers go with it."""
    process = subprocess.Popen([program.PROGRAM, *self.words("--jobs", "3")], env=self.environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    children = []
    while len(children) < 3 and process.poll() is None:
      with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
        children = file.read().split()
    process.kill()
    process.wait()
    for _ in range(100):
      alive = [child for child in children if is_running(child)]
      if not alive:
        return
      time.sleep(0.1)
    self.fail(f"still there: {alive}")


def is_running(process):
  try:
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
      return file.read().rsplit(")", 1)[1].split()[0] != "Z"
  except OSError:
    return False


if __name__ == "__main__":
  sys.exit(program.tap.main())
