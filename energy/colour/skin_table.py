#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes energy/colour/skin_table.h from counted samples of skin and of other colours:

    python3 energy/colour/skin_table.py skin_nonskin.txt > energy/colour/skin_table.h

A line of the samples is "B G R label", label 1 for skin and 2 for anything else. Counts are kept in
16 × 16 × 16 bins of red, green and blue, and spread to the bins around by the weights 1 2 1 along each
axis. An entry is 16 · ln ((skin + 1e-6) / (other + 1e-5)) of the two densities, cut to ±96: six nats.
A colour that was never seen is thus taken for no skin, by 2.3 nats.
"""

import math
import sys

SIDE = 16
UNIT, MOST = 16, 96
LEAST_SKIN, LEAST_OTHER = 1e-6, 1e-5

HEAD = """/* SPDX-License-Identifier: MIT */
/* Made by energy/colour/skin_table.py, which says how; not written by hand.   Layer: energy.
 *
 * Derived from "Skin Segmentation" by R. Bhatt and A. Dhall, UCI Machine Learning Repository, 2012
 * (CC BY 4.0): %d samples of skin, of faces of many ages and peoples, and %d of
 * other colours. [(r / 16 · 16 + g / 16) · 16 + b / 16], in sixteenths of a nat.
 */
/* clang-format off */
static const int8_t skin_table[16 * 16 * 16] = {
"""


def read_counts(lines):
  """{label: counts of the bins}, with the samples as the file gives them."""
  counts = {1: [0] * SIDE ** 3, 2: [0] * SIDE ** 3}
  for number, line in enumerate(lines, 1):
    words = line.split()
    if len(words) != 4 or words[3] not in ("1", "2"):
      sys.exit(f"line {number}: not «B G R label»")
    blue, green, red = (int(word) // (256 // SIDE) for word in words[:3])
    counts[int(words[3])][(red * SIDE + green) * SIDE + blue] += 1
  return counts


def spread(counts, step):
  """Along the axis whose bins are `step` apart; what would leave it stays at its end."""
  result = [0] * len(counts)
  for i, n in enumerate(counts):
    place = i // step % SIDE
    result[i] += 2 * n
    result[i - step if place > 0 else i] += n
    result[i + step if place < SIDE - 1 else i] += n
  return result


def density(counts):
  for step in (1, SIDE, SIDE * SIDE):
    counts = spread(counts, step)
  total = sum(counts)
  return [n / total for n in counts]


def entry(skin, other):
  ratio = math.log((skin + LEAST_SKIN) / (other + LEAST_OTHER))
  return max(-MOST, min(MOST, round(UNIT * ratio)))


def main():
  with open(sys.argv[1], encoding="ascii") as file:
    counts = read_counts(file)
  entries = list(map(entry, density(counts[1]), density(counts[2])))
  sys.stdout.write(HEAD % (sum(counts[1]), sum(counts[2])))
  for i in range(0, len(entries), SIDE):
    sys.stdout.write("  " + ", ".join(map(str, entries[i:i + SIDE])) + ",\n")
  sys.stdout.write("};\n/* clang-format on */\n")


if __name__ == "__main__":
  main()
