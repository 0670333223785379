#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Output files are whole or absent, also when the program is killed while it writes them."""

import os
import random
import subprocess
import sys
import time

import pixels
import program

WIDTH, HEIGHT = 700, 500
N_KILLS = 40


class Whole(program.ProgramTest):
  def setUp(self):
    super().setUp()
    noise = random.Random(7)
    self.photo, self.seeds = self.path("photo.png"), self.path("seeds.png")
    pixels.write_png(self.photo, WIDTH, HEIGHT, pixels.RGB, noise.randbytes(WIDTH * HEIGHT * 3))
    left_and_right = b"\2" * 30 + bytes(WIDTH - 60) + b"\1" * 30
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, left_and_right * HEIGHT)
    self.out = self.path("out")
    os.mkdir(self.out)

  def command(self):
    out = [os.path.join(self.out, name) for name in ("mask.png", "cutout.png", "labels.png")]
    return [program.PROGRAM, "cut", self.photo, "--seeds", self.seeds, "--mask", out[0],
            "--cutout", out[1], "--labels", out[2]]

  def killed_after(self, seconds):
    process = subprocess.Popen(self.command(), env=self.environment, stdout=subprocess.DEVNULL)
    time.sleep(seconds)
    process.kill()
    process.wait()

  def check_outputs(self):
    """Each output that has its name is complete; returns how many there are."""
    found = [n for n in ("mask.png", "cutout.png", "labels.png")
             if os.path.exists(os.path.join(self.out, n))]
    for name in found:
      picture = pixels.Png(os.path.join(self.out, name))
      self.assertEqual((picture.width, picture.height), (WIDTH, HEIGHT))
    return len(found)

  def test_kill_at_any_moment(self):
    start = time.monotonic()
    subprocess.run(self.command(), check=True, env=self.environment, stdout=subprocess.DEVNULL)
    whole_time = time.monotonic() - start
    self.assertEqual(self.check_outputs(), 3)
    moments, seen = random.Random(11), []
    for _ in range(N_KILLS):
      for name in os.listdir(self.out):
        os.unlink(os.path.join(self.out, name))
      self.killed_after(moments.uniform(0.2, 1.05) * whole_time)
      seen.append(self.check_outputs())
    print(f"# outputs there after a kill: {sorted(seen)}", flush=True)
    self.assertLess(min(seen), 3, "no kill came early enough to say anything")

  def test_old_outputs_stay_until_replaced(self):
    mask = os.path.join(self.out, "mask.png")
    moments = random.Random(13)
    for _ in range(N_KILLS // 4):
      with open(mask, "wb") as file:
        file.write(b"old")
      self.killed_after(moments.uniform(0, 0.3))
      with open(mask, "rb") as file:
        if file.read() != b"old":
          pixels.Png(mask)

  def test_symbolic_link_keeps_pointing(self):
    mask, target = os.path.join(self.out, "mask.png"), self.path("target.png")
    with open(target, "wb") as file:
      file.write(b"old")
    os.symlink(target, mask)
    subprocess.run(self.command(), check=True, env=self.environment, stdout=subprocess.DEVNULL)
    self.assertTrue(os.path.islink(mask))
    self.assertEqual(pixels.Png(target).width, WIDTH)

  def refused(self, *arguments):
    """What cannot be written is said first: before the inputs are read, which are not there."""
    run = self.run_program(*arguments, "--report", self.path("gone/report.json"))
    self.assert_refused(run, 1, "gone/report.json: cannot be written: ")
    self.assertEqual(os.listdir(self.out), [])

  def test_outputs_are_asked_first(self):
    missing, out = self.path("missing"), os.path.join(self.out, "out.png")
    self.refused("cut", missing, "--seeds", missing + ".png", "--mask", out)
    self.refused("replay", missing, "--mask", out)
    self.refused("mrf", missing, "--out", out)
    self.refused("maxflow", missing, "--cut", os.path.join(self.out, "cut.txt"))
    self.refused("frames", missing, "--seeds", missing + ".png", "--out", out + "s")


if __name__ == "__main__":
  sys.exit(program.tap.main())
