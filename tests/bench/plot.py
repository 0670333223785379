# SPDX-License-Identifier: MIT
"""Time against size as SVG: cold solves of every photo that was measured at every size."""

import math

from measures import bk_ms, cold_ms

WIDTH, HEIGHT, LEFT, RIGHT, EDGE = 720, 440, 64, 170, 48
COLOURS = {"ours": "#1c71d8", "BK": "#c64600"}


def curves(rows):
  """{(whose, photo): [(megapixels, ms)]} for 8 neighbours."""
  found = {}
  for row in rows:
    if row["neighbours"] != 8:
      continue
    found.setdefault(("ours", row["photo"]), []).append((row["megapixels"], cold_ms(row)))
    if "bk" in row:
      found.setdefault(("BK", row["photo"]), []).append((row["megapixels"], bk_ms(row)))
  most = max((len(line) for line in found.values()), default=0)
  return {key: sorted(line) for key, line in found.items() if len(line) == most}


def scale(values, low, high):
  """From a value to a place on a logarithmic axis."""
  first, last = math.log10(min(values)), math.log10(max(values))
  span = max(last - first, 1e-9)
  return lambda value: low + (math.log10(value) - first) / span * (high - low)


def axes(points, x, y):
  values = [ms for _, ms in points]
  for decade in range(math.ceil(math.log10(min(values))), math.floor(math.log10(max(values))) + 1):
    ms = 10 ** decade
    label = f"{ms / 1000:g} s" if ms >= 1000 else f"{ms:g} ms"
    yield f'<path d="M{LEFT} {y(ms):.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>'
    yield f'<text x="{LEFT - 6}" y="{y(ms) + 4:.1f}" text-anchor="end">{label}</text>'
  for size in sorted({round(mp, 1) if mp >= 0.5 else round(mp, 2) for mp, _ in points}):
    yield f'<text x="{x(max(size, points[0][0])):.1f}" y="{HEIGHT - EDGE + 18}" text-anchor="middle">{size:g}</text>'


def labels(lines, y):
  """Names at the right ends, moved apart where they would overlap."""
  last = math.inf
  for (whose, photo), line in sorted(lines.items(), key=lambda item: -y(item[1][-1][1])):
    place = min(y(line[-1][1]) + 4, last - 12)
    last = place
    name = photo.rsplit(".", 1)[0]
    yield f'<text x="{WIDTH - RIGHT + 6}" y="{place:.1f}" fill="{COLOURS[whose]}">{whose}: {name}</text>'


def plot(rows):
  lines = curves(rows)
  points = sorted(point for line in lines.values() for point in line)
  yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
         'font-family="sans-serif" font-size="11">')
  yield "<!-- SPDX-License-Identifier: MIT -->"
  yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
  if points:
    x = scale([mp for mp, _ in points], LEFT, WIDTH - RIGHT)
    y = scale([ms for _, ms in points], HEIGHT - EDGE, EDGE)
    yield from axes(points, x, y)
    for (whose, photo), line in sorted(lines.items()):
      path = "L".join(f"{x(mp):.1f} {y(ms):.1f}" for mp, ms in line)
      yield (f'<path d="M{path}" fill="none" stroke="{COLOURS[whose]}" stroke-width="1.5">'
             f"<title>{whose}, {photo}</title></path>")
    yield from labels(lines, y)
  yield (f'<text x="{LEFT}" y="{EDGE - 24}" font-size="13">Cold solve (build + solve), one thread, 8 neighbours: '
         "time against megapixels</text>")
  yield "</svg>"
