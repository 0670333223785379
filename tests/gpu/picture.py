#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""picture.py OUT.svg: draws the tiles, the labels and the rounds of the GPU's cut, for docs/gpu.md.

The labels are computed: a tile's own is the least of its outermost pixels', and here each tile is open as a whole."""

import collections
import sys

WIDTH, HEIGHT = 900, 545
TILE, COLUMNS, ROWS = 44, 8, 6
DEFICITS = {(1, 1), (5, 4)}
WALLS = {((3, y), (4, y)) for y in (0, 1, 2, 3)} | {((x, 3), (x, 4)) for x in (1, 2, 3)}
ACTIVE = {(2, 4), (6, 1), (3, 2)}
CLOSED = {(7, 5)}  # all its arcs to other tiles are saturated
INK, FAINT, OBJECT, DEFICIT, WALL, BORDER = "#1c2733", "#8a97a5", "#e9a23b", "#3b7dd8", "#c0392b", "#2e9e6b"
FAR = "∞"


def labels():
  """Least number of borders to a tile with a deficit, over open borders: breadth first."""
  found = {tile: 0 for tile in DEFICITS}
  waiting = collections.deque(DEFICITS)
  while waiting:
    x, y = waiting.popleft()
    for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
      inside = 0 <= beside[0] < COLUMNS and 0 <= beside[1] < ROWS
      shut = beside in CLOSED or ((x, y), beside) in WALLS or (beside, (x, y)) in WALLS
      if inside and not shut and beside not in found:
        found[beside] = found[x, y] + 1
        waiting.append(beside)
  return found


def text(x, y, words, size=13, fill=INK, anchor="start", weight="normal"):
  return (f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" '
          f'font-weight="{weight}">{words}</text>')


def box(x, y, width, height, fill="none", stroke=INK, line=1, more=""):
  return (f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}" stroke="{stroke}" '
          f'stroke-width="{line}"{more}/>')


def segment(x0, y0, x1, y1, stroke=INK, line=1.5, arrow=False):
  end = ' marker-end="url(#arrow)"' if arrow else ""
  return f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="{stroke}" stroke-width="{line}"{end}/>'


def photo(left, top):
  """The tiles of a photo with their labels."""
  found = labels()
  yield text(left, top - 14, "A photo in tiles, and the borders on the way to a deficit", 14, weight="bold")
  for y in range(ROWS):
    for x in range(COLUMNS):
      label = found.get((x, y))
      fill = "#d6e4f7" if label == 0 else "#fbe7c6" if (x, y) in ACTIVE else "#ffffff"
      px, py = left + x * TILE, top + y * TILE
      yield box(px, py, TILE, TILE, fill, FAINT)
      yield text(px + TILE / 2, py + TILE / 2 + 6, FAR if label is None else label, 16, anchor="middle",
                 fill=DEFICIT if label == 0 else INK)
      if (x, y) in ACTIVE:
        yield f'<circle cx="{px + 9}" cy="{py + 9}" r="4" fill="{OBJECT}"/>'
  for (x0, y0), (x1, y1) in sorted(WALLS):
    px, py = left + max(x0, x1) * TILE, top + max(y0, y1) * TILE
    yield segment(px, py, px, py + TILE, WALL, 4) if y0 == y1 else segment(px, py, px + TILE, py, WALL, 4)
  for x, y in sorted(CLOSED):
    yield box(left + x * TILE + 2, top + y * TILE + 2, TILE - 4, TILE - 4, "none", WALL, 4)
  below = top + ROWS * TILE + 22
  for i, (colour, words) in enumerate(((DEFICIT, "0: has a deficit"), (OBJECT, "has excess"),
                                       (WALL, "saturated border"), (INK, "∞: cut off, object"))):
    yield box(left + i * 118, below - 10, 11, 11, colour, colour)
    yield text(left + 17 + i * 118, below, words, 11.5)


def tile(left, top):
  """One tile that is being discharged."""
  side, strip = 208, 52
  yield text(left, top - 14, "One tile, 32 × 32 pixels, in registers", 14, weight="bold")
  for i, words in enumerate(("warp 0: rows 0 – 3", "warp 1: rows 4 – 7", "…", "warp 7: rows 28 – 31")):
    yield box(left, top + i * strip, side, strip, "#fdf6e9" if i % 2 else "#fffdf8", FAINT)
    yield text(left + 8, top + i * strip + 31, words, 12, FAINT)
  column = left + 148
  yield box(column, top + strip, 9, strip, OBJECT, INK)
  yield text(column + 14, top + strip + 22, "a thread:", 11)
  yield text(column + 14, top + strip + 36, "4 pixels", 11)
  for x, y0, y1 in ((column + 4, strip * 2 - 6, strip * 2 + 20), (left + 180, strip * 3 - 12, strip * 3 + 14)):
    yield segment(x, top + y0, x, top + y1, INK, 1.5, True)
  yield segment(column - 2, top + strip + 40, column - 26, top + strip + 40, INK, 1.5, True)
  yield segment(left + side - 4, top + 26, left + side + 34, top + 26, BORDER, 2.5, True)
  yield segment(left + 60, top + 4 * strip - 8, left + 60, top + 4 * strip + 26, BORDER, 2.5, True)
  yield text(left + side + 2, top + 16, "border flow", 11.5, BORDER)
  yield text(left + side + 2, top + 48, "to a neighbour", 11.5, BORDER)
  yield text(left + 68, top + 4 * strip + 20, "waits in the neighbour's slots", 11.5, BORDER)
  yield text(left + 68, top + 4 * strip + 34, "until that tile is visited", 11.5, BORDER)


def rounds(left, top):
  """The parts of an epoch, and where it ends."""
  yield text(left, top - 12, "An epoch, in one kernel, without the host", 14, weight="bold")
  parts = (("raise", "labels that nothing backs", "are lost, until none is left"),
           ("lower", "labels take what is found:", "now they are exact"),
           ("look", "does a tile still have excess", "that can reach a deficit?"),
           ("discharge", "those tiles, a few times;", "border flow wakes others"))
  width, gap = 186, 26
  for i, (name, *lines) in enumerate(parts):
    x = left + i * (width + gap)
    yield box(x, top, width, 66, "#eef3f8", INK, 1.2, ' rx="6"')
    yield text(x + 12, top + 20, name, 14, weight="bold")
    for j, line in enumerate(lines):
      yield text(x + 12, top + 39 + 16 * j, line, 12)
    if i < 3:
      yield segment(x + width + 2, top + 33, x + width + gap - 6, top + 33, INK, 1.5, True)
  last = left + 3 * (width + gap) + width / 2
  yield f'<path d="M {last} {top + 68} v 30 H {left + 92} v -24" fill="none" stroke="{INK}" stroke-width="1.5" marker-end="url(#arrow)"/>'
  yield text(left + 104, top + 93, "next epoch", 12, FAINT)
  x = left + 2 * (width + gap) + 92
  yield segment(x, top + 68, x, top + 114, BORDER, 2, True)
  yield text(x + 10, top + 120, "no: maximum flow; ∞ is object", 12.5, BORDER, weight="bold")


def drawing():
  parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="sans-serif">', "<!-- SPDX-License-Identifier: MIT -->",
           "<!-- Drawn by tests/gpu/picture.py: do not edit. -->",
           f'<defs><marker id="arrow" markerWidth="9" markerHeight="9" refX="6" refY="3" orient="auto">'
           f'<path d="M0,0 L7,3 L0,6 z" fill="{INK}"/></marker></defs>',
           box(0, 0, WIDTH, HEIGHT, "#ffffff", "none")]
  for part in (photo(30, 46), tile(540, 46), rounds(30, 400)):
    parts += part
  return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
  with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(drawing())
