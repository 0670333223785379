#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damaged and hostile photos: a cut or one sentence, soon, in little memory, never a crash."""

import os
import re
import struct
import sys
import zlib

import pixels
import program

MAX_SECONDS = 2.0
MAX_MB = 200
MAX_CUT_PIXELS = 1_000_000


OTHER_SIZE = re.compile(r"but the photo is (\d+) × (\d+)")


def packed_zeros(n_bytes):
  """Compressed in pieces: a child's peak memory counts from its parent's, here ours."""
  packer = zlib.compressobj(9)
  piece = bytes(1_000_000)
  packed = b"".join(packer.compress(piece) for _ in range(n_bytes // len(piece) + 1))
  return packed + packer.flush()


class HostilePhoto(program.ProgramTest):
  def cut(self, photo, size):
    seeds = self.path("seeds.png")
    row = b"\2" + b"\1" * (size[0] - 1)
    pixels.write_png(seeds, *size, pixels.GREY, row * size[1])
    return self.run_program("cut", photo, "--seeds", seeds, "--mask", self.path("mask.png"))

  def check(self, run, name):
    self.assertIn(run.status, (0, 1), run.err)
    for line in run.err.splitlines():
      self.assertRegex(line, r"\Afretsaw: .+: .+", name)
    self.assertEqual(run.err == "" or run.err.endswith("\n"), True)
    self.assertLessEqual(run.err.count("\n"), 1 + run.status, "at most a warning and an error")
    self.assertLess(run.seconds, MAX_SECONDS * program.SLOWNESS, name)
    if program.SLOWNESS == 1:
      self.assertLess(run.peak_mb, MAX_MB, name)


class Broken(HostilePhoto):
  def cut_at_its_size(self, path):
    """A photo that opens tells its size when the seeds do not fit; then they are made to fit."""
    run = self.cut(path, (8, 8))
    size = OTHER_SIZE.search(run.err)
    if not size or int(size[1]) * int(size[2]) > MAX_CUT_PIXELS:
      return run
    self.check(run, path)
    return self.cut(path, (int(size[1]), int(size[2])))

  def test_data_pack(self):
    folder = program.shared("broken")
    names = [n for n in sorted(os.listdir(folder)) if not n.endswith((".tsv", ".md"))]
    opened, slowest, largest = 0, 0.0, 0.0
    for name in names:
      with self.subTest(name=name):
        run = self.cut_at_its_size(os.path.join(folder, name))
        self.check(run, name)
        opened += run.status == 0
        slowest, largest = max(slowest, run.seconds), max(largest, run.peak_mb)
    print(f"# {len(names)} files, {opened} cut, the others refused; slowest {slowest:.2f} s,"
          f" largest {largest:.0f} MB", flush=True)
    self.assertGreater(len(names), 100)
    self.assertGreater(opened, 0)


class Bombs(HostilePhoto):
  def refused_quickly(self, name, data, seconds):
    path = self.path(name)
    with open(path, "wb") as file:
      file.write(data)
    idle = min(self.run_program("--version").seconds for _ in range(3))
    run = self.cut(path, (8, 8))
    self.check(run, name)
    self.assertEqual(run.status, 1)
    self.assertIn(name, run.err)
    print(f"# {name}: {(run.seconds - idle) * 1000:.0f} ms more than --version", flush=True)
    self.assertLess(run.seconds - idle, seconds * program.SLOWNESS)

  def test_marker_bomb(self):
    markers = b"\xff\xe1\x00\x03x" * 200_000
    self.refused_quickly("markers.jpg", b"\xff\xd8" + markers + b"\xff\xd9", 0.1)

  def test_pixel_bomb(self):
    side = 30_000
    rows = packed_zeros((side // 8 + 1) * side)
    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    data = pixels.SIGNATURE + pixels.chunk(b"IHDR", header) + pixels.chunk(b"IDAT", rows) \
      + pixels.chunk(b"IEND", b"")
    self.refused_quickly("pixels.png", data, 0.1)

  def test_text_bomb(self):
    body = packed_zeros(200_000_000)
    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    data = pixels.SIGNATURE + pixels.chunk(b"IHDR", header)
    data += pixels.chunk(b"zTXt", b"Comment\0\0" + body) + pixels.chunk(b"IEND", b"")
    self.refused_quickly("text.png", data, 0.3)

  def test_empty_file(self):
    self.refused_quickly("empty.jpg", b"", 0.1)


if __name__ == "__main__":
  sys.exit(program.tap.main())
