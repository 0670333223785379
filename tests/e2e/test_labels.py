#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Labels in every format, read by readers of other origin: masks come back as they were."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import label_readers as readers
import pixels
import program

N_PHOTOS = int(400 * float(os.environ.get("SCALE", "1")))  # about two and a half masks each


def stem(photo):
  return os.path.splitext(os.path.basename(photo["file_name"]))[0]


def area_and_box(mask, width):
  inside = [i for i, v in enumerate(mask) if v]
  columns = [i % width for i in inside]
  x0, y0 = min(columns), inside[0] // width
  return len(inside), [x0, y0, max(columns) + 1 - x0, inside[-1] // width + 1 - y0]


def border_of(mask, width, height):
  """Pixels with a neighbour of eight that is of the other side."""
  def is_border(x, y):
    return any(mask[v * width + u] != mask[y * width + x]
               for v in range(max(y - 1, 0), min(y + 2, height)) for u in range(max(x - 1, 0), min(x + 2, width)))
  return [is_border(x, y) for y in range(height) for x in range(width)]


class Labels(unittest.TestCase):
  @classmethod
  def setUpClass(cls):
    folder = tempfile.TemporaryDirectory(prefix="fretsaw-labels-")
    cls.addClassCleanup(folder.cleanup)
    cls.folder = folder.name
    subprocess.run([os.path.join(program.BUILD, "tests", "app", "make_label_sets"), cls.folder, str(N_PHOTOS)],
                   check=True, timeout=300 * program.SLOWNESS)
    with open(cls.path("truth.json"), encoding="utf-8") as file:
      cls.photos = json.load(file)
    for photo in cls.photos:
      for made in photo["objects"]:
        made["mask"] = made["mask"].encode().translate(bytes.maketrans(b"01", b"\0\1"))

  @classmethod
  def path(cls, *names):
    return os.path.join(cls.folder, *names)

  def in_folders(self):
    """The photos that sets of a folder hold."""
    return self.photos[:60]

  def check_coco(self, name, filler=readers.fill):
    found = readers.read_coco(self.path(name), filler)
    self.assertEqual(list(found), [photo["file_name"] for photo in self.photos])
    n_wrong = n_pixels = 0
    for photo in self.photos:
      width, height, told = found[photo["file_name"]]
      self.assertEqual((width, height), (photo["width"], photo["height"]))
      self.assertEqual([entry[0] for entry in told], [made["class"] for made in photo["objects"]])
      for made, (_, mask, annotation) in zip(photo["objects"], told):
        self.assertEqual([annotation["area"], annotation["bbox"]], list(area_and_box(made["mask"], width)))
        self.assertEqual(annotation["iscrowd"], 0)
        n_wrong += sum(a != b for a, b in zip(mask, made["mask"]))
        n_pixels += sum(made["mask"])
    return n_wrong / n_pixels

  def test_run_lengths(self):
    self.assertEqual(self.check_coco("runs.json"), 0)

  def test_packed(self):
    self.assertEqual(self.check_coco("packed.json"), 0)

  def test_polygons(self):
    for name in ("polygons-0.json", "polygons-3.json", "polygons-5.json"):
      self.assertEqual(self.check_coco(name), 0)

  def test_polygons_in_pycocotools(self):
    """At the usual tolerance its grid of fifths changes nothing; at larger ones a side may pass a centre by less."""
    self.assertEqual(self.check_coco("polygons-0.json", readers.fill_as_pycocotools), 0)
    self.assertEqual(self.check_coco("polygons-3.json", readers.fill_as_pycocotools), 0)
    self.assertLess(self.check_coco("polygons-5.json", readers.fill_as_pycocotools), 0.01)

  def test_polygons_in_ultralytics(self):
    """Its converter joins parts to one polygon, which is still the mask; ids of categories count from 1."""
    with open(self.path("polygons-5.json"), encoding="utf-8") as file:
      told = json.load(file)
    self.assertEqual([c["id"] for c in told["categories"]], list(range(1, len(told["categories"]) + 1)))
    masks = {photo["file_name"]: iter(photo["objects"]) for photo in self.photos}
    photos = {p["id"]: p for p in told["images"]}
    for annotation in told["annotations"]:
      photo = photos[annotation["image_id"]]
      one = readers.join_as_ultralytics([readers.pairs(polygon) for polygon in annotation["segmentation"]])
      self.assertEqual(readers.fill([one], photo["width"], photo["height"]), next(masks[photo["file_name"]])["mask"])

  def test_yolo(self):
    for name in ("yolo-0", "yolo-5"):
      names, photos, labels = readers.read_yolo(self.path(name))
      self.assertEqual(photos, ["./images/" + os.path.basename(photo["file_name"]) for photo in self.in_folders()])
      for photo in self.in_folders():
        self.assertEqual([names[number] for number, _ in labels[stem(photo)]],
                         [made["class"] for made in photo["objects"]])
        for made, (_, shares) in zip(photo["objects"], labels[stem(photo)]):
          width, height = photo["width"], photo["height"]
          corners = [(round(2 * x * width) / 2, round(2 * y * height) / 2) for x, y in shares]
          for (x, y), (share_x, share_y) in zip(corners, shares):
            self.assertAlmostEqual(x, share_x * width, 6)
            self.assertAlmostEqual(y, share_y * height, 6)
          self.assertEqual(readers.fill([corners], width, height), made["mask"])

  def test_indexed(self):
    for photo in self.in_folders():
      expected = {}
      for made in photo["objects"]:
        before = expected.get(made["class"], bytes(len(made["mask"])))
        expected[made["class"]] = bytes(a | b for a, b in zip(before, made["mask"]))
      self.assertEqual(readers.read_indexed(self.path("indexed"), stem(photo)), expected)

  def test_voc(self):
    found = readers.read_voc(self.path("voc"))
    self.assertEqual(list(found), [stem(photo) for photo in self.in_folders()])
    for photo in self.in_folders():
      width, height, name, told = found[stem(photo)]
      self.assertEqual((width, height, name), (photo["width"], photo["height"], os.path.basename(photo["file_name"])))
      self.assertEqual(told, [(made["class"], made["mask"], area_and_box(made["mask"], width)[1])
                              for made in photo["objects"]])
    label_map = readers.read_lines(self.path("voc", "labelmap.txt"))
    self.assertEqual([len(line.split(":")) for line in label_map[1:]], [4] * (len(label_map) - 1))

  def test_labelme(self):
    for photo in self.in_folders():
      name, width, height, told = readers.read_labelme(self.path("labelme", stem(photo) + ".json"))
      self.assertEqual((name, width, height), (photo["file_name"], photo["width"], photo["height"]))
      self.assertEqual(told, [(made["class"], made["mask"]) for made in photo["objects"]])

  def test_labelme_itself(self):
    """Drawn by Pillow, which draws sides as well, masks differ along their borders alone."""
    python = "/usr/bin/python3"  # where a distribution's packages are
    if not os.path.exists(python) or subprocess.run([python, "-c", "import labelme"], capture_output=True,
                                                    check=False).returncode:
      raise unittest.SkipTest("labelme is not installed")
    for photo in self.in_folders():
      path = self.path("labelme", photo["file_name"])
      os.makedirs(os.path.dirname(path), exist_ok=True)
      pixels.write_png(path, photo["width"], photo["height"], pixels.GREY, bytes(photo["width"] * photo["height"]))
    run = subprocess.run([python, os.path.join(os.path.dirname(os.path.abspath(__file__)), "labelme_masks.py"),
                          *(self.path("labelme", stem(photo) + ".json") for photo in self.in_folders())],
                         capture_output=True, text=True, check=False, env=dict(os.environ, HOME=self.folder))
    self.assertEqual(run.returncode, 0, run.stderr)
    for photo, (name, groups) in zip(self.in_folders(), json.loads(run.stdout), strict=True):
      self.assertEqual(name, photo["file_name"])
      self.assertEqual([label for label, _ in groups.values()], [made["class"] for made in photo["objects"]])
      for made, (_, text) in zip(photo["objects"], groups.values()):
        border = border_of(made["mask"], photo["width"], photo["height"])
        for inside, drawn, is_border in zip(made["mask"], text, border, strict=True):
          self.assertTrue(is_border or inside == int(drawn))

  def test_masks(self):
    for photo in self.in_folders():
      self.assertEqual(readers.read_masks(self.path("png"), stem(photo)),
                       {(made["class"], made["instance"]): made["mask"] for made in photo["objects"]})


if __name__ == "__main__":
  sys.exit(program.tap.main())
