# SPDX-License-Identifier: MIT
"""A reader of outlines, which fills them again: independent of the program under test."""

import re
import xml.etree.ElementTree

NAMESPACE = "{http://www.w3.org/2000/svg}"
COMMAND = re.compile(r"([MHVLZ])([^MHVLZ]*)")


class Outline:
  """An SVG file's size, viewBox and paths: (id, title, polygons)."""

  def __init__(self, path):
    root = xml.etree.ElementTree.parse(path).getroot()
    if root.tag != NAMESPACE + "svg":
      raise ValueError(f"{path}: no SVG")
    self.width, self.height = int(root.get("width")), int(root.get("height"))
    self.box = [int(n) for n in root.get("viewBox").split()]
    self.paths = []
    for path in root:
      if path.tag != NAMESPACE + "path" or path.get("fill-rule") != "evenodd":
        raise ValueError(f"{path}: not such a path")
      title = path.find(NAMESPACE + "title")
      self.paths.append((path.get("id"), title.text if title is not None else None, polygons(path.get("d"))))

  def fill(self, shapes):
    """A mask of 0 and 255 of polygons: a pixel whose centre is inside is 255."""
    left, top, width, height = self.box
    crossings = [[] for _ in range(height)]
    for shape in shapes:
      for (ax, ay), (bx, by) in zip(shape, shape[1:] + shape[:1]):
        if ay > by:
          ax, ay, bx, by = bx, by, ax, ay
        for y in range(max(0, int(ay - top - 0.5)), min(height, int(by - top) + 2)):
          centre = top + y + 0.5
          if ay <= centre < by:
            crossings[y].append(ax + (centre - ay) * (bx - ax) / (by - ay))
    rows = []
    for row in crossings:
      row.sort()
      line = bytearray(width)
      for start, end in zip(row[::2], row[1::2]):
        first, last = (max(0, min(width, round(x - left + 1e-9))) for x in (start, end))
        line[first:last] = b"\xff" * (last - first)
      rows.append(bytes(line))
    return b"".join(rows)


def polygons(text):
  shapes, shape = [], []
  for command, numbers in COMMAND.findall(text):
    values = [float(n) for n in numbers.split()]
    if command == "M":
      shape = [tuple(values)]
    elif command == "L":
      shape.append(tuple(values))
    elif command == "H":
      shape.append((values[0], shape[-1][1]))
    elif command == "V":
      shape.append((shape[-1][0], values[0]))
    else:
      shapes.append(shape)
  return shapes
