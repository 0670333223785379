#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_sessions.py PHOTOS: writes the sessions that stand beside this program.

Where the strokes lie was chosen by eye on each photo; how a hand moves along them is made up: a
curve through the points, slow at its ends and in its bends, with a tremor, an uneven sampling clock
of 60 to 120 Hz, and now and then a rest. The same numbers come out each time.

A session is written only where its photo is found: the sample, photos of the data pack
($FRETSAW_SHARED, or ../shared beside the repository), and in the folder PHOTOS those that
`resize-photo` made in other sizes (see the table at the end).
"""

import argparse
import base64
import hashlib
import json
import math
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
SHARED = os.environ.get("FRETSAW_SHARED") or os.path.join(ROOT, "..", "shared")

LABELS = [("Background", "#3584e4"), ("Object", "#f66151")]
SETTINGS = '"model": "kmeans"'

# Of the sample as two objects, painted with stability: which strokes are the second one's, and how
# many strokes' mask had settled when each began. Some came before their predecessor's had.
KEPT_LABELS = [("Background", "#3584e4"), ("Robin", "#f66151"), ("Wing", "#ff7800")]
KEPT_SETTINGS = '"model": "geodesic", "stability": true'
KEPT_SECOND = (9, 10, 15)
KEPT_AFTER = (0, 0, 2, 2, 2, 5, 5, 7, 8, 8, 8, 11, 12, 12, 14, 14, 14, 17, 18, 18)
ERASER, BACKGROUND, OBJECT = 0, 1, 2

# label, radius, points; in pixels of the size that the photo was painted at
SAMPLE = (1600, 1067, [
  (OBJECT, 8, [(548, 205), (511, 330), (538, 488), (612, 613), (740, 672), (890, 682)]),
  (BACKGROUND, 10, [(90, 120), (300, 90), (480, 75), (800, 105), (1050, 330)]),
  (OBJECT, 8, [(560, 190), (640, 225), (760, 380), (900, 530), (1020, 600)]),
  (BACKGROUND, 10, [(80, 580), (260, 560), (400, 600), (470, 680), (560, 800)]),
  (BACKGROUND, 10, [(120, 900), (500, 980), (900, 960), (1400, 900)]),
  (BACKGROUND, 10, [(1180, 420), (1350, 420), (1480, 520), (1420, 640)]),
  (OBJECT, 5, [(1035, 628), (1150, 672), (1270, 715)]),
  (OBJECT, 3, [(762, 700), (777, 780), (760, 880)]),
  (BACKGROUND, 8, [(860, 790), (1000, 800), (1160, 830)]),
  (OBJECT, 3, [(805, 705), (802, 780), (790, 850)]),
  (OBJECT, 6, [(1110, 560), (1150, 585), (1190, 600)]),  # a slip …
  (ERASER, 16, [(1100, 552), (1150, 580), (1200, 606)]),  # … taken back
  (BACKGROUND, 8, [(1080, 450), (1140, 560), (1230, 640)]),
  (OBJECT, 4, [(490, 287), (455, 296), (425, 303)]),
  (BACKGROUND, 6, [(250, 330), (330, 400), (420, 430)]),
  (OBJECT, 10, [(650, 300), (720, 420), (680, 480), (830, 480), (800, 560), (950, 580)]),
  (BACKGROUND, 5, [(1000, 730), (1150, 765), (1260, 785)]),
  (BACKGROUND, 4, [(640, 140), (730, 225), (820, 300)]),
  (ERASER, 6, [(1238, 700), (1290, 722)]),
  (OBJECT, 4, [(1190, 686), (1240, 704), (1280, 716)]),
])

# As few strokes as it takes without a guess: body and tail, the ground, the garden, legs, the sprig.
FEW = (1600, 1067, [
  (OBJECT, 8, [(440, 300), (545, 215), (512, 330), (560, 530), (690, 650), (880, 680), (1010, 620), (1150, 668), (1268, 714)]),
  (BACKGROUND, 10, [(110, 540), (320, 480), (440, 400), (470, 520), (560, 645), (680, 715), (640, 800), (570, 880),
                    (600, 990), (950, 980), (1200, 840), (1020, 730), (880, 760)]),
  (BACKGROUND, 14, [(110, 300), (280, 140), (560, 100), (740, 160), (820, 240), (1040, 340), (1110, 560), (1250, 640),
                    (1420, 660), (1480, 500), (1180, 420)]),
  (OBJECT, 4, [(770, 690), (779, 780), (752, 895), (660, 918), (757, 906), (815, 918)]),
  (OBJECT, 3, [(190, 442), (250, 411), (320, 354), (398, 396), (322, 352), (343, 325), (305, 264)]),
])

# And with one: the leaf and the toes that it misses.
GUESSED = (1600, 1067, [
  (OBJECT, 3, [(440, 300), (392, 304), (345, 328), (322, 296), (303, 262)]),
  (OBJECT, 3, [(660, 916), (700, 910), (757, 904), (764, 880), (700, 872)]),
])

BUS = (4032, 3024, [
  (OBJECT, 30, [(60, 1420), (300, 1410), (550, 1430), (760, 1500)]),
  (BACKGROUND, 40, [(1000, 1300), (1500, 1350), (2200, 1400), (3000, 1500)]),
  (OBJECT, 25, [(700, 1560), (740, 1700), (720, 1850)]),
  (BACKGROUND, 50, [(900, 2150), (1800, 2100), (2800, 2150), (3800, 2200)]),
  (BACKGROUND, 60, [(300, 300), (1200, 250), (2400, 400), (3600, 300)]),
  (OBJECT, 20, [(40, 1600), (60, 1800), (200, 1930), (600, 1900)]),
  (BACKGROUND, 30, [(150, 900), (900, 900), (1700, 920), (2600, 900)]),
  (OBJECT, 14, [(250, 1550), (270, 1700), (280, 1850)]),
  (OBJECT, 14, [(400, 1550), (420, 1750), (430, 1880)]),
  (BACKGROUND, 20, [(50, 2100), (300, 2080), (600, 2060), (850, 2020)]),
  (BACKGROUND, 20, [(860, 1700), (900, 1800), (890, 1920)]),
  (OBJECT, 12, [(560, 1560), (580, 1700), (600, 1860)]),
  (BACKGROUND, 25, [(60, 2300), (250, 2350), (450, 2250)]),
  (OBJECT, 30, [(1650, 1750), (1680, 1800), (1700, 1880)]),
  (ERASER, 70, [(1640, 1730), (1680, 1800), (1710, 1900)]),
  (BACKGROUND, 20, [(1640, 1720), (1660, 1800), (1670, 1900)]),
  (BACKGROUND, 16, [(3000, 500), (3010, 1200), (3020, 1700)]),
  (OBJECT, 10, [(60, 1930), (90, 1900), (110, 1950), (70, 1985)]),
  (BACKGROUND, 50, [(3550, 600), (3600, 1200), (3800, 1700)]),
  (OBJECT, 10, [(640, 1950), (700, 1945), (760, 1930)]),
])

CAIRN = (3120, 4160, [
  (OBJECT, 40, [(900, 1010), (880, 1217), (960, 1300)]),
  (BACKGROUND, 60, [(300, 400), (1500, 300), (2600, 700), (2900, 1200)]),
  (OBJECT, 35, [(780, 1550), (860, 1565), (950, 1560)]),
  (OBJECT, 30, [(700, 1800), (900, 1810), (1000, 1790)]),
  (BACKGROUND, 50, [(300, 1000), (300, 1700), (420, 2000)]),
  (OBJECT, 30, [(780, 2020), (900, 2000), (1050, 2010)]),
  (OBJECT, 40, [(600, 2320), (800, 2300), (950, 2330)]),
  (BACKGROUND, 50, [(1500, 1900), (2200, 1950), (2900, 2000)]),
  (BACKGROUND, 50, [(1700, 2500), (2300, 2400), (2900, 2600)]),
  (OBJECT, 30, [(700, 2640), (950, 2650), (1150, 2630)]),
  (OBJECT, 30, [(600, 2900), (850, 2910), (1150, 2890)]),
  (OBJECT, 50, [(400, 3200), (700, 3190), (1100, 3200)]),
  (OBJECT, 60, [(300, 3600), (700, 3650), (1200, 3700), (1400, 3600)]),
  (BACKGROUND, 50, [(1800, 3300), (2200, 3500), (2800, 3400)]),
  (BACKGROUND, 40, [(100, 2400), (250, 2600), (200, 2900)]),
  (BACKGROUND, 50, [(1700, 3950), (2300, 3900), (2900, 4000)]),
  (OBJECT, 30, [(1500, 2900), (1560, 2940), (1600, 3000)]),
  (ERASER, 70, [(1490, 2880), (1560, 2940), (1620, 3020)]),
  (BACKGROUND, 30, [(1480, 2850), (1560, 2960), (1640, 3060)]),
  (OBJECT, 25, [(850, 1395), (870, 1420), (885, 1440)]),
])


# --- a hand ------------------------------------------------------------------------------------

def curve_point(points, i, t):
  """Between points i and i + 1 of a curve through all of them (Catmull & Rom 1974)."""
  p = [points[max(i - 1, 0)], points[i], points[i + 1], points[min(i + 2, len(points) - 1)]]
  return tuple(
    0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t
           + (3 * b - a - 3 * c + d) * t ** 3)
    for a, b, c, d in zip(*p))


def dense_curve(points, steps=200):
  curve = [curve_point(points, i, s / steps) for i in range(len(points) - 1) for s in range(steps)]
  return curve + [points[-1]]


def turning(curve, i):
  """How sharply the curve bends at place i, in radians."""
  (ax, ay), (bx, by), (cx, cy) = curve[max(i - 20, 0)], curve[i], curve[min(i + 20, len(curve) - 1)]
  angle = math.atan2(cy - by, cx - bx) - math.atan2(by - ay, bx - ax)
  return abs(math.remainder(angle, 2 * math.pi))


def times_along(curve, speed):
  """When the hand is at each place, in seconds: slower in bends, at rest at both ends."""
  times, n = [0.0], len(curve)
  for i in range(1, n):
    way = math.dist(curve[i - 1], curve[i])
    ease = 0.25 + 1.5 * math.sin(math.pi * i / n) ** 0.8
    times.append(times[-1] + way / (speed * ease / (1 + 2 * turning(curve, i))))
  return times


def at_time(curve, times, t, start):
  """The place at time t, looked for from index `start` on; and its index."""
  while start + 1 < len(times) and times[start + 1] < t:
    start += 1
  if start + 1 >= len(times):
    return curve[-1], start
  span = times[start + 1] - times[start]
  share = (t - times[start]) / span if span > 0 else 1.0
  (ax, ay), (bx, by) = curve[start], curve[start + 1]
  return (ax + (bx - ax) * share, ay + (by - ay) * share), start


def paint(points, zoom, rng, pen):
  """Samples of one stroke. `zoom`: image pixels for a pixel of the screen."""
  curve = dense_curve(points)
  times = times_along(curve, rng.uniform(500, 1100) * zoom)
  period, phase = rng.choice((1 / 60, 1 / 100, 1 / 120)), rng.uniform(0, 6)
  rest_at = rng.uniform(0.3, 0.7) * times[-1] if rng.random() < 0.3 else math.inf
  samples, t, rested, at = [], 0.0, 0.0, 0
  while t < times[-1] + period:
    (x, y), at = at_time(curve, times, t, at)
    tremor = 0.6 * zoom * math.sin(2 * math.pi * 9 * t + phase)
    pressure = 0.35 + 0.6 * math.sin(math.pi * min(t / times[-1], 1)) ** 0.5 if pen else 1
    samples.append([round(x + tremor + rng.gauss(0, 0.2) * zoom, 2),
                    round(y - tremor + rng.gauss(0, 0.2) * zoom, 2),
                    round(pressure, 2), round(1000 * (t + rested))])
    t += period * rng.uniform(0.85, 1.15)
    if t > rest_at:  # a mouse that stands still sends nothing
      rested, rest_at = rng.uniform(0.12, 0.6), math.inf
  return samples


# --- files -------------------------------------------------------------------------------------

def number(value):
  return format(value, "g") if isinstance(value, float) else str(value)


def stroke_text(label, radius, samples, after):
  places = ", ".join("[" + ", ".join(map(number, s)) + "]" for s in samples)
  keeps = f', "after": {after}' if after else ""
  return f'    {{ "label": {label}, "radius_px": {number(radius)}{keeps}, "samples": [{places}] }}'


def guess_text(path):
  with open(path, "rb") as file:
    png = base64.b64encode(file.read()).decode("ascii")
  return f'    {{ "shape": "guess", "name": {json.dumps(os.path.basename(path))}, "png": "{png}" }}'


def session_text(name, digest, width, height, strokes, settings, named):
  labels = ",\n".join(f'    {{ "name": {json.dumps(n)}, "colour": "{c}" }}' for n, c in named)
  return (
    '{\n  "format": "fretsaw-session-1",\n'
    f'  "photo": {{ "name": {json.dumps(name)}, "sha256": "{digest}", '
    f'"width": {width}, "height": {height} }},\n'
    '  "settings": { "neighbours": 8, "smoothness": 1, '
    f'{settings} }},\n'
    f'  "labels": [\n{labels}\n  ],\n  "strokes": [\n'
    + ",\n".join(strokes) + "\n  ]\n}\n")


def scaled(painting, width, height):
  """The strokes on a photo of another size, as samples."""
  own_width, own_height, strokes = painting
  sx, sy, zoom = width / own_width, height / own_height, width / 1200
  rng, pen = random.Random(f"{width} × {height}"), width > 4000
  for label, radius, points in strokes:
    yield (label, round(radius * sx, 2),
           paint([(x * sx, y * sy) for x, y in points], zoom, rng, pen), 0)


def plain_strokes(strokes):
  return [stroke_text(*stroke) for stroke in strokes]


def kept_strokes(strokes):
  return [stroke_text(label + (i in KEPT_SECOND), radius, samples, KEPT_AFTER[i])
          for i, (label, radius, samples, _) in enumerate(strokes)]


def patient_strokes(strokes, n_before=0):
  """Each begun when the mask of those before it had settled."""
  return [stroke_text(label, radius, samples, i)
          for i, (label, radius, samples, _) in enumerate(strokes, n_before)]


def guessed_strokes(strokes):
  """After the guess, which counts as one of them."""
  return [guess_text(os.path.join(ROOT, "data", "sample", "guess.png")), *patient_strokes(strokes, 1)]


# What a session's name says of settings, labels and strokes.
KINDS = {
  "sample-kept.fretsaw": (KEPT_SETTINGS, KEPT_LABELS, kept_strokes),
  "sample-few.fretsaw": (KEPT_SETTINGS, LABELS, patient_strokes),
  "sample-guess.fretsaw": (KEPT_SETTINGS, LABELS, guessed_strokes),
}


def write_session(session, photo, name, width, height, painting):
  if not os.path.exists(photo):
    print(f"{session}: no photo, left as it is", file=sys.stderr)
    return
  with open(photo, "rb") as file:
    digest = hashlib.sha256(file.read()).hexdigest()
  settings, named, order = KINDS.get(session, (SETTINGS, LABELS, plain_strokes))
  strokes = order(scaled(painting, width, height))
  text = session_text(name, digest, width, height, strokes, settings, named)
  with open(os.path.join(HERE, session), "w", encoding="utf-8") as file:
    file.write(text)


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
  parser.add_argument("photos", metavar="PHOTOS", nargs="?", default=HERE)
  made = parser.parse_args().photos
  large = os.path.join(SHARED, "data", "photos", "large")
  up = "../../../shared/data/photos/large/"
  for row in (
    ("sample.fretsaw", os.path.join(ROOT, "data", "sample", "sample.jpg"), "../sample/sample.jpg",
     1600, 1067, SAMPLE),
    ("sample-kept.fretsaw", os.path.join(ROOT, "data", "sample", "sample.jpg"),
     "../sample/sample.jpg", 1600, 1067, SAMPLE),
    ("sample-few.fretsaw", os.path.join(ROOT, "data", "sample", "sample.jpg"),
     "../sample/sample.jpg", 1600, 1067, FEW),
    ("sample-guess.fretsaw", os.path.join(ROOT, "data", "sample", "sample.jpg"),
     "../sample/sample.jpg", 1600, 1067, GUESSED),
    ("sample-2.5mp.fretsaw", os.path.join(made, "sample-2.5mp.png"), "sample-2.5mp.png",
     1936, 1291, SAMPLE),
    ("sample-12mp.fretsaw", os.path.join(made, "sample-12mp.png"), "sample-12mp.png",
     4240, 2828, SAMPLE),
    ("bus-2.5mp.fretsaw", os.path.join(made, "bus-2.5mp.png"), "bus-2.5mp.png", 1824, 1368, BUS),
    ("bus-12mp.fretsaw", os.path.join(large, "bus-12mp.jpg"), up + "bus-12mp.jpg",
     4032, 3024, BUS),
    ("cairn-2.5mp.fretsaw", os.path.join(made, "cairn-2.5mp.png"), "cairn-2.5mp.png",
     1368, 1824, CAIRN),
    ("cairn-13mp.fretsaw", os.path.join(large, "oppo-13mp-portrait.jpg"),
     up + "oppo-13mp-portrait.jpg", 3120, 4160, CAIRN),
  ):
    write_session(*row)


if __name__ == "__main__":
  main()
