#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw export` through the real program: formats, classes, shards, and what is refused."""

import fcntl
import hashlib
import json
import os
import struct
import subprocess
import sys
import time

import label_readers as readers
import pixels
import program

WIDTH, HEIGHT = 96, 64
SQUARES = {2: (8, 8, 28, 28), 3: (40, 8, 60, 28), 4: (68, 36, 88, 56)}
FORMATS = ("coco", "yolo", "voc", "indexed", "labelme", "png")


def made_photo():
  """Squares of three colours on grey."""
  rgb = bytearray(b"\x60\x68\x70" * (WIDTH * HEIGHT))
  for label, (x0, y0, x1, y1) in SQUARES.items():
    for y in range(y0, y1):
      start = 3 * (y * WIDTH + x0)
      rgb[start:start + 3 * (x1 - x0)] = bytes((220, 60 * label, 20)) * (x1 - x0)
  return bytes(rgb)


def turned_to(path):
  """Adds Exif to a PNG: it is to be turned by a quarter, clockwise."""
  with open(path, "rb") as file:
    png = file.read()
  exif = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
  with open(path, "wb") as file:
    file.write(png[:33] + pixels.chunk(b"eXIf", exif) + png[33:])


def dab(label, x, y):
  return {"label": label, "radius_px": 3, "samples": [[x, y, 1, 0], [x + 4, y, 1, 9]]}


def square(label):
  x0, y0, x1, y1 = SQUARES[label]
  return bytes(x0 <= i % WIDTH < x1 and y0 <= i // WIDTH < y1 for i in range(WIDTH * HEIGHT))


class Export(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.out = self.path("out")
    for name in ("photos", "sessions"):
      os.mkdir(self.path(name))
    self.add_photo("farm.png")

  def add_photo(self, name):
    pixels.write_png(self.path("photos/" + name), WIDTH, HEIGHT, pixels.RGB, made_photo())

  def session(self, name, objects, photo="farm.png", size=(WIDTH, HEIGHT), dabs=None):
    """Saves a session with a dab in each square, of its label in {label: name}, or else of background."""
    with open(self.path("photos/" + photo), "rb") as file:
      digest = hashlib.sha256(file.read()).hexdigest()
    content = {
      "format": "fretsaw-session-1",
      "photo": {"name": "../photos/" + photo, "sha256": digest, "width": size[0], "height": size[1]},
      "settings": {"neighbours": 8, "smoothness": 1},
      "labels": [{"name": objects.get(label, "Nothing"), "colour": "#123456"} for label in range(1, max(objects) + 1)],
      "strokes": dabs or [dab(label if label in objects else 1, x + 8, y + 10)
                          for label, (x, y, _, _) in SQUARES.items()] + [dab(1, 20, 48)]}
    path = self.path("sessions/" + name + ".fretsaw")
    with open(path, "w", encoding="utf-8") as file:
      json.dump(content, file)
    return path

  def classes(self, *names):
    with open(self.path("classes.txt"), "w", encoding="utf-8") as file:
      file.write("".join(name + "\n" for name in names))
    return self.path("classes.txt")

  def export(self, *arguments):
    return self.run_program("export", *arguments)

  def files(self, hidden=False):
    """Those of the set, without records of what exports wrote, unless `hidden`."""
    return sorted(os.path.relpath(os.path.join(folder, name), self.out)
                  for folder, _, names in os.walk(self.out) for name in names if hidden or not name.startswith("."))

  def contents(self, folder, hidden=False):
    self.out = folder
    found = {}
    for name in self.files(hidden):
      with open(os.path.join(folder, name), "rb") as file:
        found[name] = file.read()
    return found

  def test_formats(self):
    """A folder of sessions in every format; each mask is where its square is."""
    self.add_photo("Küken 2.png")
    first = self.session("b", {2: "Hen", 3: "Cow, \"old\"", 4: "Hen"})
    second = self.session("a", {3: "Küken/2"}, "Küken 2.png")
    masks = {"Küken 2": [("Küken/2", square(3))],
             "farm": [("Hen", square(2)), ("Cow, \"old\"", square(3)), ("Hen", square(4))]}
    for name in FORMATS:
      self.out = self.path(name)
      run = self.export(self.path("sessions"), "--format", name, "--out", self.out)
      self.assert_done(run)
      self.assertEqual(run.out.splitlines(), [second + ": 1 object", first + ": 3 objects"])
    found = readers.read_coco(self.path("coco"))
    self.assertEqual(list(found), ["photos/Küken 2.png", "photos/farm.png"])
    for stem, told in masks.items():
      self.assertEqual([entry[:2] for entry in found[f"photos/{stem}.png"][2]], told)
      self.assertEqual(readers.read_indexed(self.path("indexed"), stem),
                       {name: bytes(map(max, *[m for n, m in told if n == name] * 2)) for name, _ in told})
      self.assertEqual([entry[:2] for entry in readers.read_voc(self.path("voc"))[stem][3]], told)
      self.assertEqual(readers.read_labelme(self.path(f"labelme/{stem}.json")),
                       (f"../photos/{stem}.png", WIDTH, HEIGHT, told))
      self.assertEqual(sorted(readers.read_masks(self.path("png"), stem).items()),
                       sorted(((name, 1 + [n for n, _ in told[:i]].count(name)), mask)
                              for i, (name, mask) in enumerate(told)))
      names, photos, labels = readers.read_yolo(self.path("yolo"))
      self.assertEqual(photos, ["./images/Küken 2.png", "./images/farm.png"])
      self.assertEqual([(names[number], readers.fill([[(x * WIDTH, y * HEIGHT) for x, y in polygon]], WIDTH, HEIGHT))
                        for number, polygon in labels[stem]], told)

  def test_same_bytes(self):
    """Twice the same, also over what is there; coco is short for the first format."""
    session = self.session("a", {2: "Hen", 3: "Cow"})
    for name in FORMATS:
      self.out, told = self.path(name), []
      for _ in range(2):
        self.assert_done(self.export(session, "--format", name, "--out", self.out))
        files = [self.out] if name == "coco" else [os.path.join(self.out, file) for file in self.files(True)]
        told.append([(file, open(file, "rb").read()) for file in files])
      self.assertEqual(*told)
    self.assert_done(self.run_program("coco", session, "--out", self.path("set.json")))
    with open(self.path("coco"), "rb") as one, open(self.path("set.json"), "rb") as other:
      self.assertEqual(one.read(), other.read())

  def test_forms_of_coco(self):
    session = self.session("a", {2: "Hen", 3: "Cow"})
    for form in ([], ["--packed"], ["--polygons"], ["--polygons", "--tolerance", "0"]):
      self.assert_done(self.export(session, "--format", "coco", "--out", self.out, *form))
      (_, _, told), = readers.read_coco(self.out).values()
      self.assertEqual([entry[:2] for entry in told], [("Hen", square(2)), ("Cow", square(3))])
      where = told[0][2]["segmentation"]
      self.assertEqual(isinstance(where, list), "--polygons" in form)
      if "--packed" in form:
        self.assertIsInstance(where["counts"], str)
      if form[-1:] == ["0"]:
        self.assertEqual(sorted(readers.pairs(where[0])), [(8, 8), (8, 28), (28, 8), (28, 28)])

  def test_and_back(self):
    """What import makes of a set is exported as the same set."""
    session = self.session("farm", {2: "Hen", 3: "Cow, \"old\"", 4: "Hen"})
    for name, *form in (("coco",), ("coco", "--packed"), ("coco", "--polygons"), ("yolo",), ("voc",), ("labelme",)):
      first, back, again = (self.path("-".join([name, *form, step])) for step in ("first.json", "back", "again"))
      self.assert_done(self.export(session, "--format", name, "--out", first, *form))
      run = self.run_program("import", first, "--photos", self.path("photos"), "--out", back)
      self.assertEqual((run.status, run.err), (0, ""))
      self.assert_done(self.export(back, "--format", "coco", "--out", again))
      (_, _, told), = readers.read_coco(again).values()
      self.assertEqual([entry[:2] for entry in told],
                       [("Hen", square(2)), ("Cow, \"old\"", square(3)), ("Hen", square(4))])

  def test_never_over_other_files(self):
    """A photo's files and lists that others have made stay, unless --replace is given; the same bytes do no harm."""
    session = self.session("a", {2: "Hen"})
    for name, others in (("labelme", "farm.json"), ("yolo", "labels/farm.txt"), ("yolo", "data.yaml"),
                         ("voc", "SegmentationObject/farm.png"), ("voc", "labelmap.txt"), ("indexed", "farm.png"),
                         ("png", "farm/Hen-1.png")):
      out = self.path(name + others.replace("/", "-"))
      path = os.path.join(out, others)
      os.makedirs(os.path.dirname(path))
      with open(path, "w", encoding="utf-8") as file:
        file.write("mine")
      run = self.export(session, "--format", name, "--out", out)
      self.assertEqual(run.status, 1)
      self.assertEqual(run.err, f"fretsaw: {path}: is there with other contents; --replace writes over it\n")
      with open(path, encoding="utf-8") as file:
        self.assertEqual(file.read(), "mine")
      self.assert_done(self.export(session, "--format", name, "--out", out, "--replace"))
      self.assert_done(self.export(session, "--format", name, "--out", out))
      with open(path, "rb") as file:
        self.assertNotEqual(file.read(), b"mine")

  def test_again(self):
    """What exports wrote and nobody has changed is replaced; an object's picture goes with the object."""
    self.add_photo("other.png")
    for name in FORMATS[1:]:
      first, second = self.session("a", {2: "Hen", 3: "Cow"}), self.session("b", {2: "Cow"}, "other.png")
      words = ("--format", name, "--out", self.path(name))
      self.assert_done(self.export(first, second, *words))
      self.session("a", {2: "Hen", 4: "Hen"})
      self.assert_done(self.export(first, second, *words))
      self.assert_done(self.export(first, second, "--format", name, "--out", self.path(name + "-new")))
      self.assertEqual(self.contents(self.path(name)), self.contents(self.path(name + "-new")))
      changed = max((path for path in self.files() if "farm" in path), key=lambda path: (len(path), path))
      with open(os.path.join(self.path(name), changed), "ab") as file:
        file.write(b"\n")
      self.session("a", {3: "Hen"})
      self.session("b", {2: "Cow", 3: "Cow"}, "other.png")
      run = self.export(first, second, *words)
      if name == "png":  # the object of the changed file is no more
        self.assert_done(run)
        self.assertIn(changed, self.contents(self.path(name)))
        continue
      self.assertIn(changed + ": is there with other contents; --replace writes over it\n", run.err)
      self.assertNotEqual(run.status, 0)
      self.assert_done(self.export(first, second, *words, "--replace"))
      self.assert_done(self.export(first, second, "--format", name, "--out", self.path(name + "-new")))
      self.assertEqual(self.contents(self.path(name)), self.contents(self.path(name + "-new")))

  def test_numbers_of_classes_stay(self):
    """Files that are not written again keep their meaning, whichever sessions come again, in any order."""
    self.add_photo("other.png")
    first, second = self.session("a", {2: "Hen", 3: "Cow"}), self.session("b", {2: "Cow"}, "other.png")
    self.assert_done(self.export(first, second, "--format", "indexed", "--out", self.out))
    self.session("b", {2: "Ant", 3: "Cow"}, "other.png")
    self.assert_done(self.export(second, "--format", "indexed", "--out", self.out))
    with open(os.path.join(self.out, "classes.txt"), encoding="utf-8") as file:
      self.assertEqual(file.read(), "Hen\nCow\nAnt\n")
    self.assertEqual(readers.read_indexed(self.out, "farm"), {"Hen": square(2), "Cow": square(3)})
    self.assertEqual(readers.read_indexed(self.out, "other"), {"Ant": square(2), "Cow": square(3)})
    before = self.contents(self.out, True)
    words = (first, second, "--format", "indexed", "--out", self.out, "--classes", self.classes("Ant", "Cow", "Hen"))
    self.assert_refused(self.export(*words), 1, "its classes have other numbers")
    self.assertEqual(self.contents(self.out, True), before)
    self.assert_done(self.export(*words, "--replace"))
    self.assertEqual(readers.read_indexed(self.out, "farm"), {"Hen": square(2), "Cow": square(3)})
    for name, listed in (("yolo", "images.txt"), ("voc", "trainval.txt")):
      self.assert_done(self.export(first, second, "--format", name, "--out", self.path(name)))
      self.session("b", {2: "Bee"}, "other.png")
      run = self.export(second, "--format", name, "--out", self.path(name))
      self.assertEqual(run.status, 1)
      self.assertIn(listed + ": names photos of an earlier export that are not in this one", run.err)
      self.session("b", {2: "Ant", 3: "Cow"}, "other.png")
      whole = "\n".join(content.decode("latin-1") for content in self.contents(self.path(name)).values())
      self.assertIn("Bee", whole)  # the list of classes goes on before

  def test_one_at_a_time(self):
    session = self.session("a", {2: "Hen"})
    os.mkdir(self.out)
    with open(os.path.join(self.out, ".fretsaw-export.log"), "wb") as log:
      fcntl.flock(log, fcntl.LOCK_EX)
      self.assert_refused(self.export(session, "--format", "png", "--out", self.out), 1, "another run is writing")
    self.assert_done(self.export(session, "--format", "png", "--out", self.out))

  def test_killed_again(self):
    """A set that is written again may end at any moment, and the next run goes on with it unasked."""
    for turn, objects in enumerate(({2: "Hen", 3: "Cow"}, {2: "Hen", 4: "Cow"}, {3: "Hen", 4: "Cow"})):
      for i in range(4):
        self.add_photo(f"{i}.png")
        self.session(str(i), objects, f"{i}.png")
      arguments = ("export", self.path("sessions"), "--format", "voc", "--out")
      run = self.run_program(*arguments, self.path(f"whole-{turn}"))
      self.assert_done(run)
      for i in range(1, 5):
        process = subprocess.Popen([program.PROGRAM, *arguments, self.path("again")], stdout=subprocess.DEVNULL,
                                   env=self.environment)
        time.sleep(run.seconds * i / 5)
        process.kill()
        process.wait()
      self.assert_done(self.run_program(*arguments, self.path("again")))
      self.assertEqual(self.contents(self.path("again")), self.contents(self.path(f"whole-{turn}")))

  def test_killed(self):
    """Whenever it ends, the files that are there are whole, and the next run completes the set."""
    for i in range(4):
      self.add_photo(f"{i}.png")
      self.session(str(i), {2: "Hen", 3: "Cow"}, f"{i}.png")
    arguments = ("export", self.path("sessions"), "--format", "voc", "--out")
    self.assert_done(self.run_program(*arguments, self.path("whole")))
    seconds = self.run_program(*arguments, self.path("again")).seconds
    for i in range(8):
      process = subprocess.Popen([program.PROGRAM, *arguments, self.out], stdout=subprocess.DEVNULL,
                                 env=self.environment)
      time.sleep(seconds * i / 8)
      process.kill()
      process.wait()
      self.check_part(self.path("whole"))
    self.assert_done(self.run_program(*arguments, self.out))
    self.check_part(self.path("whole"))
    self.assertEqual(list(self.contents(self.out)), list(self.contents(self.path("whole"))))

  def check_part(self, whole):
    for name in self.files():
      with open(os.path.join(self.out, name), "rb") as one, open(os.path.join(whole, name), "rb") as other:
        self.assertEqual(one.read(), other.read())

  def test_turned_photo(self):
    """Width, height and masks are those of the upright photo."""
    self.add_photo("tall.png")
    turned_to(self.path("photos/tall.png"))
    # (x, y) as stored is at (height − 1 − y, x), upright.
    dabs = [dab(2, HEIGHT - 1 - 18, 16), dab(1, HEIGHT - 1 - 18, 48), dab(1, 10, 80), dab(1, 4, 20)]
    session = self.session("tall", {2: "Hen"}, "tall.png", (HEIGHT, WIDTH), dabs)
    stored = square(2)
    upright = bytes(stored[(HEIGHT - 1 - x) * WIDTH + y] for y in range(WIDTH) for x in range(HEIGHT))
    for name in FORMATS:
      self.assert_done(self.export(session, "--format", name, "--out", self.path(name)))
    self.assertEqual(readers.read_coco(self.path("coco"))["photos/tall.png"][:2], (HEIGHT, WIDTH))
    self.assertEqual(readers.read_coco(self.path("coco"))["photos/tall.png"][2][0][1], upright)
    self.assertEqual(readers.read_voc(self.path("voc"))["tall"][:2], (HEIGHT, WIDTH))
    self.assertEqual(readers.read_indexed(self.path("indexed"), "tall"), {"Hen": upright})
    self.assertEqual(readers.read_labelme(self.path("labelme/tall.json"))[1:], (HEIGHT, WIDTH, [("Hen", upright)]))
    self.assertEqual(readers.read_masks(self.path("png"), "tall"), {("Hen", 1): upright})
    (_, polygon), = readers.read_yolo(self.path("yolo"))[2]["tall"]
    self.assertEqual(readers.fill([[(x * HEIGHT, y * WIDTH) for x, y in polygon]], HEIGHT, WIDTH), upright)

  def test_classes(self):
    """A list numbers the classes; a session with another name is left out."""
    self.add_photo("other.png")
    self.session("a", {2: "Hen", 3: "Cow"})
    bad = self.session("b", {2: "Dog"}, "other.png")
    listed = self.classes("Cat", "Cow", "Hen")
    run = self.export(self.path("sessions"), "--format", "yolo", "--classes", listed, "--out", self.out)
    self.assertEqual(run.status, 3)
    self.assertEqual(run.err, f"fretsaw: {bad}: “Dog” is not in the list of classes\n")
    names, photos, labels = readers.read_yolo(self.out)
    self.assertEqual(names, {0: "Cat", 1: "Cow", 2: "Hen"})
    self.assertEqual(photos, ["./images/farm.png"])
    self.assertEqual([number for number, _ in labels["farm"]], [2, 1])
    self.assert_refused(self.export(bad, "--format", "voc", "--classes", self.classes("a", "", "b"), "--out", self.out),
                        1, "classes.txt: line 2")
    # Its own list can be given again.
    self.assert_done(self.export(bad, "--format", "indexed", "--out", self.path("one")))
    self.assert_done(self.export(bad, "--format", "indexed", "--classes", self.path("one/classes.txt"), "--out",
                                 self.path("two")))

  def test_shards(self):
    """Shards share the sessions, and together hold what one run does."""
    for i in range(5):
      self.add_photo(f"{i}.png")
      self.session(str(i), {2: "Hen", 3: "Cow"}, f"{i}.png")
    listed = self.classes("Cow", "Hen")
    for name in ("yolo", "voc", "indexed", "labelme", "png"):
      whole, parts = self.path(name + "-whole"), self.path(name)
      self.assert_done(self.export(self.path("sessions"), "--format", name, "--classes", listed, "--out", whole))
      n_done = 0
      for k in (2, 1, 3):
        run = self.export(self.path("sessions"), "--format", name, "--classes", listed, "--out", parts, "--shard",
                          f"{k}/3")
        self.assert_done(run)
        n_done += len(run.out.splitlines())
      self.assertEqual(n_done, 5)
      self.out = whole
      for file in self.files():
        if not file.endswith(("images.txt", "trainval.txt", "data.yaml")):
          with open(os.path.join(whole, file), "rb") as one, open(os.path.join(parts, file), "rb") as other:
            self.assertEqual(one.read(), other.read())
    self.assertEqual(sorted(readers.read_yolo(self.path("yolo"))[1]), [f"./images/{i}.png" for i in range(5)])
    ids = []
    for k in (1, 2, 3):
      self.assert_done(self.export(self.path("sessions"), "--format", "coco", "--classes", listed, "--out",
                                   self.path("part.json"), "--shard", f"{k}/3"))
      with open(self.path("part.json"), encoding="utf-8") as file:
        ids += [annotation["id"] for annotation in json.load(file)["annotations"]]
    self.assertEqual(len(ids), len(set(ids)))
    run = self.export(self.path("sessions"), "--format", "png", "--out", self.path("none"), "--shard", "9/9")
    self.assertEqual((run.status, run.out, run.err), (0, "", ""))

  def test_names_over_shards(self):
    """Of two photos of one name, in other shards, the second is refused, whichever shard runs first."""
    os.mkdir(self.path("photos/far"))
    self.add_photo("far/farm.png")
    first = self.session("a", {2: "Hen"})
    second = self.session("b", {2: "Hen"}, "far/farm.png")
    for k in (2, 1):
      run = self.export(self.path("sessions"), "--format", "png", "--out", self.out, "--shard", f"{k}/2")
      if k == 1:
        self.assert_done(run)
      else:
        self.assert_refused(run, 1, f"{second}: would have the same files in the set as {first}, ")

  def test_names_of_photos(self):
    """Two photos cannot have the same files; nothing is written over a photo."""
    self.add_photo("farm.webp.png")
    os.mkdir(self.path("photos/far"))
    self.add_photo("far/farm.png")
    self.session("a", {2: "Hen"})
    self.session("b", {2: "Hen"}, "far/farm.png")
    self.session("c", {2: "Hen"}, "farm.webp.png")
    for name in FORMATS[1:]:
      run = self.export(self.path("sessions"), "--format", name, "--out", self.path(name))
      self.assertEqual(run.status, 3)
      self.assertRegex(run.err, r"\Afretsaw: .*farm.png: would have the same files in the set as .*farm.png, [^\n]*\n\Z")
      self.assertEqual(len(run.out.splitlines()), 2)
    self.assert_done(self.export(self.path("sessions"), "--format", "coco", "--out", self.path("set.json")))
    with open(self.path("photos/farm.png"), "rb") as file:
      before = file.read()
    run = self.export(self.path("sessions/a.fretsaw"), "--format", "indexed", "--out", self.path("photos"))
    self.assertEqual(run.status, 1)
    self.assertIn("holds photos", run.err)
    os.symlink("farm.png", self.path("photos/farm.json"))
    run = self.export(self.path("sessions/a.fretsaw"), "--format", "labelme", "--out", self.path("photos"))
    self.assertEqual(run.status, 1)
    self.assertIn("would be overwritten", run.err)
    with open(self.path("photos/farm.png"), "rb") as file:
      self.assertEqual(file.read(), before)

  def test_refuses(self):
    session = self.session("a", {2: "Hen"})
    full = (session, "--format", "yolo", "--out", self.out)
    os.mkdir(self.path("empty"))
    for arguments, word in (
        (("--format", "yolo", "--out", self.out), "takes sessions"), ((session, "--out", self.out), "--format"),
        ((session, "--format", "bmp", "--out", self.out), "--format"), ((session, "--format", "yolo"), "--out"),
        ((*full, "--packed"), "COCO only"), ((*full, "--polygons"), "COCO only"), ((*full, "--tolerance", "1"), "0.5"),
        ((*full, "--tolerance", "x"), "0.5"), ((*full, "--shard", "3/2"), "K/N"), ((*full, "--shard", "1/2"), "--classes"),
        ((*full, "--backend", "abacus"), "--backend"), ((session, "--format", "voc", "--out", ""), "--out"),
        ((session, "--format", "coco", "--out", self.out, "--replace"), "folders"),
        ((session, "--format", "voc", "--tolerance", "0", "--out", self.out), "polygons only"),
        ((session, "--format", "coco", "--tolerance", "0", "--out", self.out), "polygons only"),
        ((session, "--format", "coco", "--packed", "--polygons", "--out", self.out), "each other"),
        ((session, "--format", "coco", "--out", session), "would be overwritten"),
        ((session, session, "--photo", self.path("photos/farm.png"), "--format", "yolo", "--out", self.out), "--photo")):
      self.assert_refused(self.export(*arguments), 2, word)
    self.assert_refused(self.export(self.path("empty"), "--format", "yolo", "--out", self.out), 1, "holds no session")
    for name in FORMATS:
      run = self.export(session, "--format", name, "--out", self.path("photos/farm.png/x"))
      self.assert_refused(run, 1, "cannot be written")
    self.assertFalse(os.path.exists(self.out))

  def test_never_over_a_session(self):
    """A set does not replace a session of the folder that it is made of, by its name or by a link."""
    session = self.session("a", {2: "Hen"})
    other = self.session("b", {2: "Hen"})
    with open(other, "rb") as file:
      before = file.read()
    link = self.path("set.json")
    os.symlink(other, link)
    shard = ("--shard", "1/2", "--classes", self.classes("Hen"))
    for arguments in (("--out", other), ("--out", link), ("--out", other, *shard)):
      run = self.export(os.path.dirname(session), "--format", "coco", *arguments)
      self.assert_refused(run, 1, "would be overwritten")
    self.assert_refused(self.run_program("coco", os.path.dirname(session), "--out", other), 1, "would be overwritten")
    with open(other, "rb") as file:
      self.assertEqual(file.read(), before)


if __name__ == "__main__":
  sys.exit(program.tap.main())
