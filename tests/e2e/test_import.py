#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw import` through the real program: labels become sessions whose masks are the labels, and what is left out
is said."""

import json
import os
import struct
import sys

import pixels
import program

WIDTH, HEIGHT = 96, 64
SQUARES = {"cow": (8, 8, 28, 28), "two words": (20, 20, 60, 40), "K\u00fcken": (68, 36, 96, 64)}


def runs(x0, y0, x1, y1):
  """The lengths of a rectangle's runs, column after column."""
  counts, at = [], 0
  for x in range(x0, x1):
    counts += [x * HEIGHT + y0 - at, y1 - y0]
    at = x * HEIGHT + y1
  return counts + [WIDTH * HEIGHT - at]


def corners(x0, y0, x1, y1):
  return [x0, y0, x1, y0, x1, y1, x0, y1]


def annotation(number, category, segmentation, **more):
  return {"id": number, "image_id": 7, "category_id": category, "segmentation": segmentation, **more}


def data_set(*annotations):
  return {"images": [{"id": 7, "file_name": "sub/photo.png", "width": WIDTH, "height": HEIGHT},
                     {"id": 8, "file_name": "elsewhere.png", "width": 5, "height": 5}],
          "annotations": list(annotations),
          "categories": [{"id": i, "name": name} for i, name in enumerate(SQUARES, 1)]}


class Import(program.ProgramTest):
  def setUp(self):
    super().setUp()
    os.mkdir(self.path("photos"))
    pixels.write_png(self.path("photos/photo.png"), WIDTH, HEIGHT, pixels.RGB, b"\x60\x68\x70" * (WIDTH * HEIGHT))

  def write(self, name, text):
    os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
    with open(self.path(name), "w", encoding="utf-8") as file:
      file.write(text if isinstance(text, str) else json.dumps(text))

  def run_import(self, labels, *more):
    return self.run_program("import", self.path(labels), "--photos", self.path("photos"), "--out", self.path("out"),
                            *more)

  def labels_of(self, session):
    """The numbers of the session's objects, and their names."""
    self.assert_done(self.run_program("replay", self.path(session), "--at-once", "--labels", self.path("labels.png")))
    with open(self.path(session), encoding="utf-8") as file:
      names = [label["name"] for label in json.load(file)["labels"]]
    return pixels.Png(self.path("labels.png")), names

  def check_squares(self, session):
    """The smaller one is on top."""
    labels, names = self.labels_of(session)
    self.assertEqual((labels.width, labels.height), (WIDTH, HEIGHT))
    numbers = labels.plane(0)
    self.assertEqual(names[1:], list(SQUARES))
    for y in range(HEIGHT):
      for x in range(WIDTH):
        expected = 1
        for number, (x0, y0, x1, y1) in ((3, SQUARES["two words"]), (2, SQUARES["cow"]), (4, SQUARES["K\u00fcken"])):
          if x0 <= x < x1 and y0 <= y < y1:
            expected = number
        self.assertEqual(numbers[y * WIDTH + x], expected, (x, y))

  def test_coco(self):
    squares = list(SQUARES.values())
    self.write("set.json", data_set(
        annotation(1, 1, {"size": [HEIGHT, WIDTH], "counts": runs(*squares[0])}),
        annotation(2, 2, [corners(*squares[1])]),
        annotation(3, 3, {"size": [HEIGHT, WIDTH], "counts": runs(*squares[2])}, iscrowd=1),
        annotation(4, 9, [corners(*squares[0])]),
        annotation("next\nline", 9, [corners(*squares[0])]),
        annotation(5, 1, [[200, 200, 210, 200, 210, 210]]),
        annotation(6, 1, {"size": [HEIGHT, WIDTH], "counts": [5, 5]}),
        annotation(7, 1, []),
        annotation(1, 1, [corners(*squares[0])]),
        {"id": 99, "image_id": 55}))
    run = self.run_import("set.json")
    self.assertEqual(run.status, 0)
    self.assertEqual(run.out, self.path("out/photo.fretsaw") + ": 3 objects, 5 left out: 2 of an unknown class "
                     "(the first: annotation 4), 1 broken (annotation 6), 1 with a box alone (annotation 7), "
                     "1 outside the photo (annotation 5)\n")
    self.assertIn("2 left out: 1 with the id of another (annotation 1), 1 of no photo (annotation 99)", run.err)
    self.assertIn("set.json: 1 photo is not in the folder of the photos: elsewhere.png\n", run.err)
    self.check_squares("out/photo.fretsaw")

  def test_no_empty_session(self):
    """A photo whose objects are all left out, and a set without any, give no session but status 3."""
    self.write("set.json", data_set(annotation(1, 9, [corners(1, 1, 9, 9)]), annotation(2, 1, [])))
    run = self.run_import("set.json")
    self.assertEqual((run.status, run.out), (3, ""))
    self.assertIn("photo.png: no session: 2 left out: 1 of an unknown class (annotation 1), 1 with a box alone (annotation 2)", run.err)
    self.assertIn("set.json: has no object to import\n", run.err)
    empty = data_set()
    for content in (empty, {**empty, "images": []}):
      self.write("set.json", content)
      run = self.run_import("set.json")
      self.assertEqual(run.status, 3)
      self.assertIn("set.json: has no object to import\n", run.err)
    self.assertEqual(os.listdir(self.path("out")), [])
    pixels.write_png(self.path("photos/elsewhere.png"), 5, 5, pixels.RGB, bytes(75))
    content = data_set(annotation(1, 1, [corners(1, 1, 9, 9)]))
    self.write("set.json", content)
    run = self.run_import("set.json")
    self.assert_done(run)
    self.assertIn("elsewhere.png: no session: no objects\n", run.out)
    content["annotations"].append({**annotation(2, 9, [corners(1, 1, 4, 4)]), "image_id": 8})
    self.write("set.json", content)
    self.assertEqual(self.run_import("set.json", "--replace").status, 3)
    self.assertEqual(os.listdir(self.path("out")), ["photo.fretsaw"])

  def test_coco_of_other_programs(self):
    """A byte order mark, paths of Windows, and whole numbers with a point are understood; too deep a tree is named so."""
    squares = list(SQUARES.values())
    content = data_set(*(annotation(i, i, [corners(*square)]) for i, square in enumerate(squares, 1)))
    content["images"][0].update(file_name="C:\\set\\photo.png", id=7.0, width=float(WIDTH))
    content["annotations"][1].update(category_id=2.0, id=2.0)
    self.write("set.json", "\ufeff" + json.dumps(content))
    run = self.run_import("set.json")
    self.assertEqual(run.status, 0, run.err)
    self.check_squares("out/photo.fretsaw")
    self.write("deep.json", "[" * 1000 + "]" * 1000)
    self.assertIn("is nested too deeply", self.run_import("deep.json").err)

  def test_never_over_a_session(self):
    self.write("set.json", data_set(annotation(1, 1, [corners(1, 1, 9, 9)])))
    self.assertEqual(self.run_import("set.json").status, 0)
    with open(self.path("out/photo.fretsaw"), "rb") as file:
      before = file.read()
    # An import that was ended can be repeated.
    self.assertEqual(self.run_import("set.json").status, 0)
    with open(self.path("out/photo.fretsaw"), "rb") as file:
      self.assertEqual(before, file.read())
    with open(self.path("out/photo.fretsaw"), "wb") as file:
      before = before.replace(b"cow", b"ox")
      file.write(before)
    run = self.run_import("set.json")
    self.assertEqual(run.status, 1)
    self.assertIn("is there with other contents; --replace writes over it", run.err)
    with open(self.path("out/photo.fretsaw"), "rb") as file:
      self.assertEqual(before, file.read())
    self.assertEqual(self.run_import("set.json", "--replace").status, 0)

  def test_yolo(self):
    lines = [f"{i} " + " ".join(str(v / (WIDTH if k % 2 == 0 else HEIGHT)) for k, v in enumerate(corners(*square)))
             for i, square in enumerate(SQUARES.values())]
    self.write("yolo/labels/train/photo.txt", "\n".join([*lines, "0 0.5 0.5 0.1 0.1", "7 0 0 1 0 1 1", "0 x"]) + "\n")
    for names in ("names: [cow, 'two words', \"K\u00fcken\"]", "names:\n  0: cow\n  1: two words # two\n  2: K\u00fcken",
                  "names:\n- cow\n- two words\n- K\u00fcken\nnc: 3", "names: [cow, two words, \"K\\xFCken\"]"):
      self.write("yolo/data.yaml", "# set\npath: .\n" + names + "\n")
      run = self.run_import("yolo", "--replace")
      self.assert_done(run)
      self.assertIn("3 objects, 3 left out: 1 of an unknown class (line 5), 1 broken (line 6), "
                    "1 with a box alone (line 4)", run.out)
      self.check_squares("out/photo.fretsaw")

  def test_yolo_without_names(self):
    """Every object would be of an unknown class."""
    self.write("yolo/labels/photo.txt", "0 0 0 1 0 1 1\n")
    run = self.run_import("yolo")
    self.assert_refused(run, 1, "has no list of classes, data.yaml or classes.txt")
    for text in ("names: *classes\n", "nc: 3\n", ""):
      self.write("yolo/data.yaml", text)
      self.assert_refused(self.run_import("yolo"), 1, "data.yaml: names no class")
    self.assertFalse(os.path.exists(self.path("out")))

  def test_labelme(self):
    shapes = [{"label": name, "shape_type": "polygon", "group_id": None,
               "points": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]}
              for name, (x0, y0, x1, y1) in SQUARES.items()]
    x0, y0, x1, y1 = SQUARES["cow"]
    shapes[0].update(shape_type="rectangle", points=[[x0, y0], [x1, y1]])
    x0, y0, x1, y1 = SQUARES["K\u00fcken"]
    shapes[2].update(group_id=3, points=[[x0, y0], [x0 + 9, y0], [x0 + 9, y1], [x0, y1]])
    shapes.append({"label": "K\u00fcken", "shape_type": "polygon", "group_id": 3,
                   "points": [[x0 + 9, y0], [x1, y0], [x1, y1], [x0 + 9, y1]]})
    shapes.append({"label": "cow", "shape_type": "point", "points": [[5, 5]]})
    self.write("set/photo.json", {"imagePath": "..\\photos\\photo.png", "imageWidth": WIDTH, "imageHeight": HEIGHT,
                                  "shapes": shapes})
    for labels in ("set/photo.json", "set"):
      run = self.run_import(labels, "--replace")
      self.assert_done(run)
      self.assertIn("3 objects, 1 left out: 1 without an area (shape 5)", run.out)
      self.check_squares("out/photo.fretsaw")

  def test_names_of_photos(self):
    """Any name that a line can have; others are said, before the photo is read."""
    names = ["a b.png", "100%.png", "Kü\u0436.png", "-x.png", "#y.png", "q'\"z.png"]
    for name in [*names, "two\nlines.png"]:
      os.link(self.path("photos/photo.png"), self.path("photos/" + name))
    self.write("set.json", {
      "images": [{"id": i, "file_name": name, "width": WIDTH, "height": HEIGHT}
                 for i, name in enumerate([*names, "two\nlines.png"])],
      "annotations": [{"id": i, "image_id": i, "category_id": 1, "segmentation": [corners(8, 8, 28, 28)]}
                      for i in range(len(names) + 1)],
      "categories": [{"id": 1, "name": "cow"}]})
    run = self.run_import("set.json")
    self.assertEqual(run.status, 3)
    self.assertRegex(run.err, r"\Afretsaw: .*: strokes on it cannot be saved, because its name has [^\n]*\n\Z")
    self.assertEqual(sorted(os.listdir(self.path("out"))), sorted(name[:-3] + "fretsaw" for name in names))

  def test_names_of_values(self):
    """An empty line of a list keeps its number; in a set of an export each name is its line's."""
    values = bytes(1 + 2 * (x > 40) if 8 <= x < 80 and 8 <= y < 40 else 0 for y in range(HEIGHT) for x in range(WIDTH))
    for text, hidden, expected in (("cow\n\nhen\n", False, ["cow", "hen"]),
                                   ("background\ncow\nb\nhen", False, ["cow", "hen"]),
                                   ("_background_\r\ncow\r\n\r\nhen", False, ["cow", "hen"]),
                                   ("background\ncow\nhen\n", True, ["background", "hen"])):
      self.write("set/classes.txt", text)
      pixels.write_png(self.path("set/photo.png"), WIDTH, HEIGHT, pixels.GREY, values)
      if hidden:
        self.write("set/.fretsaw-export", "{}")
      self.assert_done(self.run_import("set", "--replace"))
      self.assertEqual(self.labels_of("out/photo.fretsaw")[1][1:], expected)

  def test_hidden_files(self):
    """What other systems leave beside files is no file of labels."""
    self.write("set/._photo.json", "\x00\x05\x16\x07")
    self.write("set/photo.json", {"imagePath": "photo.png", "imageWidth": WIDTH, "imageHeight": HEIGHT, "shapes": [
      {"label": "cow", "shape_type": "rectangle", "points": [[8, 8], [28, 28]]}]})
    self.assert_done(self.run_import("set"))

  def test_labelme_folder_with_damage(self):
    """A damaged file costs its photo alone, also where it is the first one."""
    pixels.write_png(self.path("photos/another.png"), WIDTH, HEIGHT, pixels.RGB, bytes(3 * WIDTH * HEIGHT))
    self.write("set/another.json", "{")
    self.write("set/photo.json", {"shapes": [{"label": "cow", "points": [[1, 1], [9, 1], [9, 9]]}]})
    run = self.run_import("set")
    self.assertEqual(run.status, 3)
    self.assertIn("another.json: is damaged", run.err)
    self.assertIn("photo.fretsaw: 1 object\n", run.out)

  def test_voc_without_names(self):
    """Classes get VOC's twenty names only with a line that says so."""
    os.makedirs(self.path("voc/SegmentationClass"))
    pixels.write_png(self.path("voc/SegmentationClass/photo.png"), WIDTH, HEIGHT, pixels.GREY,
                     bytes(10 if y < 9 else 0 for y in range(HEIGHT) for x in range(WIDTH)))
    run = self.run_import("voc")
    self.assertEqual(run.status, 0)
    self.assertRegex(run.err, r"\Afretsaw: [^\n]*voc: has no list of classes and no annotations; [^\n]*VOC's twenty\n\Z")
    self.write("voc/classes.txt", "__background__\n" + "".join(f"c{i}\n" for i in range(1, 12)))
    self.assert_done(self.run_import("voc", "--replace"))

  def test_other_sizes(self):
    """Half the size is scaled; other proportions are refused."""
    half = data_set(annotation(1, 1, [corners(4, 4, 14, 14)]), annotation(2, 2, [corners(10, 10, 30, 20)]),
                    annotation(3, 3, [corners(34, 18, 48, 32)]))
    half["images"][0].update(width=WIDTH // 2, height=HEIGHT // 2)
    self.write("set.json", half)
    self.assertEqual(self.run_import("set.json").status, 0)
    self.check_squares("out/photo.fretsaw")
    half["images"][0].update(width=HEIGHT, height=WIDTH)
    self.write("set.json", half)
    run = self.run_import("set.json", "--replace")
    self.assertEqual(run.status, 1)
    self.assertIn("the labels are of 64 \u00d7 96 pixels, but the photo is 96 \u00d7 64", run.err)

  def test_turned_photo(self):
    """Labels are of the upright photo."""
    path = self.path("photos/photo.png")
    pixels.write_png(path, HEIGHT, WIDTH, pixels.RGB, b"\x60\x68\x70" * (WIDTH * HEIGHT))
    with open(path, "rb") as file:
      png = file.read()
    exif = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    with open(path, "wb") as file:
      file.write(png[:33] + pixels.chunk(b"eXIf", exif) + png[33:])
    self.write("set.json", data_set(*(annotation(i, i, [corners(*square)])
                                      for i, square in enumerate(SQUARES.values(), 1))))
    self.assertEqual(self.run_import("set.json").status, 0)
    self.check_squares("out/photo.fretsaw")

  def test_wrong_use(self):
    self.write("set.json", data_set())
    self.assertEqual(self.run_program("import").status, 2)
    self.assertEqual(self.run_program("import", "set.json", "--photos", "/nowhere", "--out", "o").status, 2)
    self.assertEqual(self.run_program("import", "set.json", "--photos", self.path("photos")).status, 2)
    self.assertIn("--photos /nowhere: is no folder", self.run_program("import", "set.json", "--photos", "/nowhere",
                                                                      "--out", "o").err)
    run = self.run_program("import", self.path("set.json"), "--photos", self.path("photos"), "--out",
                           self.path("set.json"))
    self.assert_refused(run, 1, "set.json: cannot be made: ")
    self.write("other.json", {"a": 1})
    for name, words in (("other.json", "is not of a known format of labels"), ("absent.json", "is no file"),
                        ("absent", "is not there")):
      run = self.run_import(name)
      self.assertEqual(run.status, 1)
      self.assertIn(words, run.err)


if __name__ == "__main__":
  sys.exit(program.tap.main())
