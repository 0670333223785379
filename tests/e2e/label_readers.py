# SPDX-License-Identifier: MIT
"""Readers of labels, by what the formats' documentation says, independent of the program under test.

Masks are bytes, 0 or 1, row by row.
"""

import json
import math
import os
import re
import xml.etree.ElementTree

import pixels


# --- masks of polygons --------------------------------------------------------------------------


def fill(polygons, width, height):
  """Pixels whose centres are in an odd number of turns of one of the polygons: [(x, y), …] each."""
  mask = bytearray(width * height)
  for polygon in polygons:
    for y in range(height):
      crossings = sorted(row_crossings(polygon, y + 0.5))
      for start, end in zip(crossings[::2], crossings[1::2]):
        for x in range(max(0, math.ceil(start - 0.5)), min(width, math.ceil(end - 0.5))):
          mask[y * width + x] = 1
  return bytes(mask)


def row_crossings(polygon, y):
  for (x0, y0), (x1, y1) in zip(polygon, polygon[1:] + polygon[:1]):
    if (y0 <= y) != (y1 <= y):
      yield x0 + (y - y0) * (x1 - x0) / (y1 - y0)


def fill_as_pycocotools(polygons, width, height):
  """Polygons as pycocotools makes run lengths of them: corners rounded to fifths of a pixel, sides drawn point by
  point, and each side that passes a column's middle turns all pixels of the column from there on."""
  mask = bytearray(width * height)
  for polygon in polygons:
    corners = [(int(5 * x + .5), int(5 * y + .5)) for x, y in polygon]
    drawn = []
    for start, end in zip(corners, corners[1:] + corners[:1]):
      drawn += side(start, end)
    part = bytearray(width * height)
    for (u, v), (u_before, v_before) in zip(drawn[1:] + drawn[:1], drawn):
      column = (min(u, u_before) + .5) / 5 - .5
      if u == u_before or column != int(column) or not 0 <= column < width:
        continue
      first = math.ceil(min(max((min(v, v_before) + .5) / 5 - .5, 0), height))
      for y in range(first, height):
        part[y * width + int(column)] ^= 1
    mask = bytearray(a | b for a, b in zip(mask, part))
  return bytes(mask)


def side(start, end):
  """The points of a side, one for each step along its longer direction, rounded from its upper or left end."""
  (x0, y0), (x1, y1) = start, end
  long = 0 if abs(x1 - x0) >= abs(y1 - y0) else 1
  low, high = sorted((start, end), key=lambda point: point[long])
  n = high[long] - low[long]
  slope = (high[1 - long] - low[1 - long]) / n if n else 0
  points = []
  for step in range(n + 1):
    other = int(low[1 - long] + slope * step + .5)
    points.append((low[0] + step, other) if long == 0 else (other, low[1] + step))
  return points if low is start or low == start else points[::-1]


# --- COCO ----------------------------------------------------------------------------------------


def unpack(text):
  """Lengths from pycocotools' packed string."""
  lengths, at = [], 0
  while at < len(text):
    value, shift, more = 0, 0, True
    while more:
      group = ord(text[at]) - 48
      value |= (group & 31) << shift
      shift, more, at = shift + 5, group & 32, at + 1
      if not more and group & 16:
        value |= -1 << shift
    lengths.append(value + (lengths[-2] if len(lengths) > 2 else 0))
  return lengths


def mask_of_lengths(lengths, width, height):
  columns = b"".join(bytes([i % 2]) * length for i, length in enumerate(lengths))
  if len(columns) != width * height:
    raise ValueError("lengths do not fill the photo")
  return b"".join(columns[y::height] for y in range(height))


def pairs(flat):
  return list(zip(flat[::2], flat[1::2]))


def read_coco(path, polygon_filler=fill):
  """{file_name: (width, height, [(class, mask, annotation)])}."""
  with open(path, encoding="utf-8") as file:
    told = json.load(file)
  classes = {c["id"]: c["name"] for c in told["categories"]}
  photos = {p["id"]: (p["file_name"], p["width"], p["height"]) for p in told["images"]}
  found = {name: (width, height, []) for name, width, height in photos.values()}
  for annotation in told["annotations"]:
    name, width, height = photos[annotation["image_id"]]
    where = annotation["segmentation"]
    if isinstance(where, list):
      mask = polygon_filler([pairs(polygon) for polygon in where], width, height)
    else:
      if where["size"] != [height, width]:
        raise ValueError("size is not the photo's")
      counts = where["counts"]
      mask = mask_of_lengths(unpack(counts) if isinstance(counts, str) else counts, width, height)
    found[name][2].append((classes[annotation["category_id"]], mask, annotation))
  return found


# --- YOLO ----------------------------------------------------------------------------------------


def join_as_ultralytics(polygons):
  """The one polygon that Ultralytics' converter makes of an annotation with several: neighbours in the list are
  joined at their nearest corners, there on one way through the list and back on another."""
  if len(polygons) == 1:
    return polygons[0]
  joints = [min(((i, k) for i in range(len(a)) for k in range(len(b))),
                key=lambda ik: (a[ik[0]][0] - b[ik[1]][0]) ** 2 + (a[ik[0]][1] - b[ik[1]][1]) ** 2)
            for a, b in zip(polygons, polygons[1:])]
  there, back = [], []
  for i, polygon in enumerate(polygons):
    enter = joints[i - 1][1] if i > 0 else joints[0][0]
    leave = joints[i][0] if i < len(joints) else enter
    turned = polygon[enter:] + polygon[:enter + 1]  # closed, from the corner where it is entered
    at = (leave - enter) % len(polygon)
    if i == len(polygons) - 1:
      there += turned
    else:
      there += turned[:at + 1]
      back = turned[at:] + back
  return there + back


def read_yolo(folder):
  """({class number: name}, [photo], {stem: [(class number, [(x, y) as shares])]})."""
  with open(os.path.join(folder, "data.yaml"), encoding="utf-8") as file:
    lines = file.read().split("\n")
  at = lines.index("names:")
  names = {}
  for line in lines[at + 1:-1]:
    number, name = re.fullmatch(r'  (\d+): (".*")', line).groups()
    names[int(number)] = json.loads(name)
  lists = [re.fullmatch(r"(?:\w+: |  - )(\S+\.txt)", line)[1] for line in lines[:at] if line.endswith(".txt")]
  photos = []
  for name in dict.fromkeys(lists):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
      photos += file.read().strip().splitlines()
  labels = {}
  for photo in photos:
    stem = os.path.splitext(os.path.basename(photo))[0]
    with open(os.path.join(folder, "labels", stem + ".txt"), encoding="ascii") as file:
      labels[stem] = [read_yolo_line(line) for line in file]
  return names, photos, labels


def read_yolo_line(line):
  number, *shares = line.split()
  if len(shares) < 6 or len(shares) % 2 or not all(0 <= float(share) <= 1 for share in shares):
    raise ValueError(line)
  return int(number), pairs([float(share) for share in shares])


# --- pictures ------------------------------------------------------------------------------------


def palette_of_voc():
  """Colour i has the bits of i from the lowest up, in turns red, green and blue, each from its highest bit down."""
  return bytes(sum((i >> (3 * bit + channel) & 1) << (7 - bit) for bit in range(8))
               for i in range(256) for channel in range(3))


def read_indexed_png(path):
  png = pixels.Png(path)
  if png.kind != pixels.INDEXED or png.palette != palette_of_voc():
    raise ValueError(path + ": has other colours")
  return png


def read_lines(*names):
  with open(os.path.join(*names), encoding="utf-8") as file:
    return file.read().split("\n")[:-1]


def mask_of(plane, value):
  return bytes(1 if v == value else 0 for v in plane)


def read_indexed(folder, stem):
  """{class: mask}."""
  plane = read_indexed_png(os.path.join(folder, stem + ".png")).pixels
  names = read_lines(folder, "classes.txt")
  return {names[value - 1]: mask_of(plane, value) for value in set(plane) - {0}}


def read_voc(folder):
  """{stem: (width, height, file name, [(class, mask, box)])}; a box is x, y, width, height."""
  names, found = read_lines(folder, "classes.txt"), {}
  for stem in read_lines(folder, "ImageSets", "Segmentation", "trainval.txt"):
    tree = xml.etree.ElementTree.parse(os.path.join(folder, "Annotations", stem + ".xml"))
    classes = read_indexed_png(os.path.join(folder, "SegmentationClass", stem + ".png")).pixels
    objects = read_indexed_png(os.path.join(folder, "SegmentationObject", stem + ".png")).pixels
    told = []
    for number, entry in enumerate(tree.findall("object"), 1):
      x0, y0, x1, y1 = (int(entry.find("bndbox/" + side_name).text) for side_name in ("xmin", "ymin", "xmax", "ymax"))
      mask, name = mask_of(objects, number), entry.find("name").text
      if {value for value, inside in zip(classes, mask) if inside} != {names.index(name) + 1}:
        raise ValueError(stem + ": classes and objects differ")
      told.append((name, mask, [x0 - 1, y0 - 1, x1 - x0 + 1, y1 - y0 + 1]))
    if [bool(v) for v in classes] != [bool(v) for v in objects]:
      raise ValueError(stem + ": classes and objects differ")
    size = tree.find("size")
    found[stem] = (int(size.find("width").text), int(size.find("height").text), tree.find("filename").text, told)
  return found


def read_masks(folder, stem):
  """{(class, instance): mask}."""
  found = {}
  for name in os.listdir(os.path.join(folder, stem)):
    part, instance = re.fullmatch(r"(.*)-(\d+)\.png", name).groups()
    png = pixels.Png(os.path.join(folder, stem, name))
    name = re.sub(b"%(..)", lambda digits: bytes([int(digits[1], 16)]), part.encode()).decode()
    if png.kind != pixels.GREY or set(png.pixels) - {0, 255}:
      raise ValueError(name)
    found[name, int(instance)] = mask_of(png.pixels, 255)
  return found


# --- labelme -------------------------------------------------------------------------------------


def read_labelme(path):
  """(imagePath, width, height, [(class, mask)]): shapes of one label and group are one object."""
  with open(path, encoding="utf-8") as file:
    told = json.load(file)
  if told["imageData"] is not None or not isinstance(told["version"], str) or not isinstance(told["flags"], dict):
    raise ValueError(path)
  width, height, objects = told["imageWidth"], told["imageHeight"], {}
  for shape in told["shapes"]:
    if shape["shape_type"] != "polygon" or len(shape["points"]) < 3:
      raise ValueError(path)
    objects.setdefault((shape["label"], shape["group_id"]), []).append([tuple(point) for point in shape["points"]])
  return (told["imagePath"], width, height,
          [(label, fill(polygons, width, height)) for (label, _), polygons in objects.items()])
