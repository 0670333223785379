#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the alpha of cut-outs with true ones, by the width of the soft edge.

soft_edges.py FRETSAW DATA: DATA is the data pack, of which the photos with true alpha are cut from their
trimaps and strokes. Prints a table: the mean absolute and the mean squared difference, in thousandths
of full alpha, over all pixels of a photo, then over the photos.
"""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "e2e"))

import pixels  # noqa: E402

STARTS = ("trimap1", "trimap2", "scr")
WIDTHS = (0, 2, 4, 8, 12, 16, 32)


def seeds_of(path, folder):
  """Trimaps say 0, 128 and 255 where seeds say 1, 0 and 2."""
  seeds = pixels.Png(path)
  plane = seeds.plane(0)
  if max(plane) > 2:
    table = bytes(1 if v < 64 else 2 if v > 192 else 0 for v in range(256))
    plane = plane.translate(table)
  made = os.path.join(folder, "seeds.png")
  pixels.write_png(made, seeds.width, seeds.height, pixels.GREY, plane)
  return made


def alpha_of(program, photo, seeds, width, folder):
  cutout = os.path.join(folder, "cutout.png")
  subprocess.run([program, "cut", photo, "--seeds", seeds, "--cutout", cutout, "--soft-edge", str(width),
                  "--backend", "cpu"], check=True, stdout=subprocess.DEVNULL)
  return pixels.Png(cutout).plane(3)


def errors(alpha, truth):
  """Of each difference how often it occurs says both means."""
  counts = [0] * 256
  for a, b in zip(alpha, truth):
    counts[abs(a - b)] += 1
  n = len(truth)
  return (1000 * sum(d * c for d, c in enumerate(counts)) / (255 * n),
          1000 * sum(d * d * c for d, c in enumerate(counts)) / (255 * 255 * n))


def main(program, data):
  names = sorted(os.listdir(os.path.join(data, "truth", "matting-alpha")))
  print(f"{len(names)} photos; absolute, squared")
  with tempfile.TemporaryDirectory() as folder:
    for start in STARTS:
      sums = {width: [0, 0, 0] for width in WIDTHS}
      for name in names:
        truth = pixels.Png(os.path.join(data, "truth", "matting-alpha", name)).plane(0)
        seeds = seeds_of(os.path.join(data, "seeds", "matting-" + start, name), folder)
        photo = os.path.join(data, "photos", "matting", name)
        hard = None
        for width in WIDTHS:
          error = errors(alpha_of(program, photo, seeds, width, folder), truth)
          hard = hard or error
          sums[width] = [sums[width][0] + error[0], sums[width][1] + error[1],
                         sums[width][2] + (error[0] < hard[0])]
      for width, (absolute, squared, better) in sums.items():
        print(f"{start} {width:2} px: {absolute / len(names):6.2f} {squared / len(names):6.2f}, "
              f"better than hard on {better}")


if __name__ == "__main__":
  main(*sys.argv[1:])
