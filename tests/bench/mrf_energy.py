# SPDX-License-Identifier: MIT
"""Middlebury's energies of a labelling, from their definitions, in plain Python: nothing of the
program takes part but the picture of labels it wrote."""

import math

STEREO = {"tsukuba": (1, 765, 1, 2, 20, 192, 2), "venus": (2, 256, 2, 7, 50, 0, 1)}
MISSING = 100000


def neighbours(width, height):
  for y in range(height):
    for x in range(width):
      if x + 1 < width:
        yield y * width + x, y * width + x + 1
      if y + 1 < height:
        yield y * width + x, (y + 1) * width + x


def spans(plane, width):
  """Least and largest of every value and its half-way neighbours in the row."""
  low, high = bytearray(plane), bytearray(plane)
  for p, value in enumerate(plane):
    x = p % width
    halves = [value] + ([(value + plane[p - 1]) // 2] if x else []) \
      + ([(value + plane[p + 1]) // 2] if x + 1 < width else [])
    low[p], high[p] = min(halves), max(halves)
  return low, high


def stereo(name, left, right, labels):
  power, most, smooth_power, smooth_max, scale, below, factor = STEREO[name]
  width, n = left.width, left.width * left.height
  matches = [0] * n
  for c in range(3):
    l, r = left.plane(c), right.plane(c)
    (l_low, l_high), (r_low, r_high) = spans(l, width), spans(r, width)
    for p in range(n):
      q = p - labels[p]
      if p % width >= labels[p]:
        one = max(0, l[p] - r_high[q], r_low[q] - l[p])
        other = max(0, r[q] - l_high[p], l_low[p] - r[q])
        matches[p] += min(one, other) ** power
  data = sum(min(match, most) if p % width >= labels[p] else most for p, match in enumerate(matches))
  smoothness = 0
  pixels = list(zip(left.plane(0), left.plane(1), left.plane(2))) if below else None
  for p, q in neighbours(width, left.height):
    if labels[p] != labels[q]:
      cost = scale * min(abs(labels[p] - labels[q]) ** smooth_power, smooth_max)
      if below and sum((a - b) ** 2 for a, b in zip(pixels[p], pixels[q])) < below:
        cost *= factor
      smoothness += cost
  return data, smoothness


def restoration(image, mask, labels):
  values, seen = image.plane(0), mask.plane(0)
  data = sum((v - label) ** 2 for v, m, label in zip(values, seen, labels) if m)
  return data, sum(25 * min((labels[p] - labels[q]) ** 2, 200)
                   for p, q in neighbours(image.width, image.height))


def montage(images, labels):
  width, height = images[0].width, images[0].height
  colours = [list(zip(image.plane(0), image.plane(1), image.plane(2))) for image in images]
  black = (0, 0, 0)
  nowhere = [all(source[p] == black for source in colours) for p in range(width * height)]
  data = sum(MISSING for p, label in enumerate(labels) if colours[label][p] == black and not nowhere[p])
  smoothness = 0
  for p, q in neighbours(width, height):
    if labels[p] == labels[q] or nowhere[p] or nowhere[q]:
      continue
    a, b = colours[labels[p]], colours[labels[q]]
    if a[p] == black and b[q] == black:
      continue
    if black in (a[p], a[q], b[p], b[q]):
      smoothness += MISSING
    else:
      smoothness += int(math.dist(a[p], b[p]) + math.dist(a[q], b[q])) + 1
  return data, smoothness
