#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fretsaw-subject on models that are made here: what goes into a network, what comes out, and what
is said of models that are no good."""

import math
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["FRETSAW_SOURCE"], "tests", "e2e"))
import onnx_file  # noqa: E402
import pixels  # noqa: E402
import program  # noqa: E402

program.PROGRAM = os.path.join(program.BUILD, "subject", "fretsaw-subject")
MANUAL = os.path.join(program.SOURCE, "data", "fretsaw-subject.1")

RED, GREEN, BLUE, GREY = (200, 20, 40), (30, 180, 60), (10, 40, 160), (90, 90, 90)
FACTORS, BIAS = (3.0, -2.0, 0.5), -0.7


def sigmoid(x):
  return 1 / (1 + math.exp(-x))


class Subject(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.models = self.path(".local/share/fretsaw/models")
    self.environment.pop("XDG_DATA_HOME", None)
    self.colours = [RED, GREEN, BLUE, GREY]
    self.photo = self.path("photo.png")
    self.mask = self.path("mask.png")
    self.write_photo(64, 64)

  def write_photo(self, width, height):
    """Four upright bars of one colour each."""
    row = b"".join(bytes(self.colours[x * 4 // width]) for x in range(width))
    pixels.write_png(self.photo, width, height, pixels.RGB, row * height)

  def write_model(self, name, data):
    with open(self.path(name), "wb") as file:
      file.write(data)
    return self.path(name)

  def write_text(self, name, text):
    with open(self.path(name), "w", encoding="utf-8") as file:
      file.write(text)

  def find(self, model):
    return self.run_program(model, self.photo, self.mask)

  def assert_refused(self, run, status, *words):
    self.assertEqual(run.status, status, run.err)
    self.assertRegex(run.err, r"\Afretsaw-subject: [^\n]+\n\Z")
    for word in words:
      self.assertIn(word, run.err)
    self.assertEqual(run.out, "")
    self.assertFalse(os.path.exists(self.mask))

  def assert_mask(self, width, height, expected):
    """The middle of each bar has the value that `expected` computes from its colour."""
    mask = pixels.Png(self.mask)
    self.assertEqual((mask.width, mask.height, mask.kind), (width, height, pixels.GREY))
    row = mask.rows[height // 2 * (width + 1):][:width + 1]
    self.assertEqual(row[0], 0)  # no filter
    for bar, colour in enumerate(self.colours):
      got = row[1 + (2 * bar + 1) * width // 8]
      self.assertAlmostEqual(got, 255 * expected(*colour), delta=0.6, msg=str(colour))

  def score(self, samples):
    return sum(f * s for f, s in zip(FACTORS, samples)) + BIAS

  # ---- Networks that are known ----

  def test_u2net_by_its_size(self):
    """Divided by the photo's brightest value, then ImageNet's mean and deviation."""
    run = self.find(self.write_model("m.onnx", onnx_file.colour_model(320, 320, FACTORS, BIAS)))
    self.assert_done(run)
    brightest = max(max(colour) for colour in self.colours)
    self.assert_mask(320, 320, lambda *rgb: sigmoid(self.score(
      [(v / brightest - m) / d for v, m, d in
       zip(rgb, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225))])))

  def test_isnet_by_its_size_and_end(self):
    self.write_photo(1200, 1100)
    run = self.find(self.write_model("m.onnx", onnx_file.colour_model(1024, 1024, FACTORS, BIAS)))
    self.assert_done(run)
    self.assert_mask(1024, 1024, lambda *rgb: sigmoid(self.score([(v - 128) / 256 for v in rgb])))

  def test_birefnet_by_its_size_and_end(self):
    """Its log-odds get their sigmoid here."""
    model = onnx_file.colour_model(1024, 1024, FACTORS, BIAS, sigmoid=False)
    self.assert_done(self.find(self.write_model("m.onnx", model)))
    self.assert_mask(1024, 1024, lambda *rgb: sigmoid(self.score(
      [(v / 255 - m) / d for v, m, d in
       zip(rgb, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225))])))

  # ---- The file beside a model ----

  def test_sidecar_says_the_range(self):
    model = self.write_model("m.onnx", onnx_file.colour_model(48, 32, FACTORS, BIAS))
    self.write_text("m.ini", "# of a network nobody knows\ndivide = 100\n"
                             "mean = 0.5, 0.25, 1\ndeviation = 2\n")
    self.assert_done(self.find(model))
    self.assert_mask(48, 32, lambda *rgb: sigmoid(self.score(
      [(v / 100 - m) / 2 for v, m in zip(rgb, (0.5, 0.25, 1))])))

  def test_sidecar_says_size_and_activation(self):
    model = onnx_file.colour_model(0, 0, FACTORS, BIAS, sigmoid=False, shape=(0, 3, 0, 0))
    model = self.write_model("m.onnx", model)
    self.assert_refused(self.find(model), 1, "m.onnx: leaves the size of its input open", ".ini")
    self.write_text("m.ini", "width = 40\nheight = 24\nactivation = sigmoid\n")
    self.assert_done(self.find(model))
    self.assert_mask(40, 24, lambda *rgb: sigmoid(self.score([v / 255 for v in rgb])))

  def test_sidecar_says_the_output(self):
    model = self.write_model("m.onnx", onnx_file.colour_model(32, 32, FACTORS, BIAS))
    self.write_text("m.ini", "output = background\ninput = photo\n")
    self.assert_done(self.find(model))
    self.assert_mask(32, 32, lambda *rgb: 1 - sigmoid(self.score([v / 255 for v in rgb])))

  def test_sidecar_mistakes(self):
    model = self.write_model("m.onnx", onnx_file.colour_model(32, 32, FACTORS, BIAS))
    for text, *words in [
        ("mean = 1 2\n", "mean", "one number or three"), ("mean = red\n", "one number or three"),
        ("mean = 1e999\n", "one number or three"), ("deviation = 0\n", "above 0"),
        ("divide = -3\n", "divide", "or max"), ("divide = 1 2 3\n", "divide", "or max"),
        ("width = 7\n", "width", "8 to 4096"), ("width = 33\n", "32 × 32", "33"),
        ("activation = relu\n", "none or sigmoid"), ("sigmoid = yes\n", "does not know the key sigmoid"),
        ("output = nose\n", "an output that the model has not"), ("input = nose\n", "an input that"),
        ("[other]\nmean = 1\n", "groups"), ("mean\n", "key = value"), ("mean = \0\n", "key = value")]:
      self.write_text("m.ini", text)
      self.assert_refused(self.find(model), 1, "m.", *words)

  # ---- Where models are ----

  def test_bare_names(self):
    os.makedirs(self.models)
    data = onnx_file.colour_model(32, 32, FACTORS, BIAS)
    self.write_model(os.path.join(self.models, "made.onnx"), data)
    self.write_text(os.path.join(self.models, "made.ini"), "divide = 255\n")
    for name in ("made", "made.onnx"):
      self.assert_done(self.find(name))
      os.remove(self.mask)
    self.assert_refused(self.find("other"), 1, "other: no such model", "fretsaw/models")
    self.environment["XDG_DATA_HOME"] = self.path("elsewhere")
    self.assert_refused(self.find("made"), 1, "made: no such model", "elsewhere/fretsaw/models")

  # ---- Models that are no good ----

  def test_damaged_models(self):
    data = onnx_file.colour_model(320, 320, FACTORS, BIAS)
    for name, bad in [("text.onnx", b"This is no model.\n"), ("short.onnx", data[:-5]),
                      ("half.onnx", data[:len(data) // 2]), ("empty.onnx", b""),
                      ("noise.onnx", bytes(range(256)) * 8)]:
      self.assert_refused(self.find(self.write_model(name, bad)), 1, name)
    os.mkdir(self.path("folder.onnx"))
    self.assert_refused(self.find(self.path("folder.onnx")), 1, "folder.onnx: ", "folder")
    os.mkfifo(self.path("pipe.onnx"))
    self.assert_refused(self.find(self.path("pipe.onnx")), 1, "pipe.onnx: ", "not a regular file")
    self.assert_refused(self.find(self.path("none.onnx")), 1, "none.onnx: ", "No such file")

  def test_models_of_other_kinds(self):
    make = onnx_file.colour_model
    two = onnx_file.model(onnx_file.node("Add", ["photo", "strokes"], ["mask"]),
                          *(onnx_file.value(11, name, (1, 3, 320, 320)) for name in ("photo", "strokes")),
                          onnx_file.value(12, "mask", (1, 3, 320, 320)))
    strange = onnx_file.model(onnx_file.node("Frobnicate", ["photo"], ["mask"]),
                              onnx_file.value(11, "photo", (1, 3, 320, 320)),
                              onnx_file.value(12, "mask", (1, 1, 320, 320)))
    for name, data, *words in [
        ("unknown.onnx", make(200, 200, FACTORS, BIAS), "200 × 200", "unknown.ini", "--help"),
        ("classes.onnx", make(320, 320, FACTORS, BIAS, planes=21), "not one plane"),
        ("grey.onnx", make(320, 320, FACTORS, BIAS, shape=(1, 1, 320, 320)), "no picture"),
        ("flat.onnx", make(320, 320, FACTORS, BIAS, shape=(1, 300)), "no picture"),
        ("vast.onnx", make(90000, 90000, FACTORS, BIAS), "90000 × 90000"),
        ("half.onnx", make(320, 320, FACTORS, BIAS, kind=onnx_file.FLOAT16), "16 bits"),
        ("scores.onnx", make(320, 320, FACTORS, BIAS, sigmoid=False), "not from 0 to 1", "activation"),
        ("empty-handed.onnx", onnx_file.model(), "no inputs"),
        ("two.onnx", two, "more than one input"), ("strange.onnx", strange, "OpenCV", "Frobnicate")]:
      with self.subTest(name):
        self.assert_refused(self.find(self.write_model(name, data)), 1, name, *words)

  # ---- As a finder of fretsaw's ----

  def test_fretsaw_finds_the_subject_with_it(self):
    """Red is what the model looks for: the exact cut of the first bar, with no stroke at all."""
    os.makedirs(self.models)
    red = onnx_file.colour_model(32, 32, (12.0, -6.0, -6.0), -3.0)
    self.write_model(os.path.join(self.models, "red.onnx"), red)
    self.write_text(os.path.join(self.models, "red.ini"), "divide = 255\n")
    self.environment["PATH"] = os.path.dirname(program.PROGRAM) + ":" + self.environment["PATH"]
    self.assertEqual(self.cut_with_finder(), (b"\xff" * 16 + b"\0" * 48) * 64)
    # What was found is kept, but not where the model is read in another way.
    self.write_text(os.path.join(self.models, "red.ini"), "output = background\n")
    self.assertEqual(self.cut_with_finder(), (b"\0" * 16 + b"\xff" * 48) * 64)

  def cut_with_finder(self):
    done = subprocess.run([os.path.join(program.BUILD, "fretsaw"), "cut", self.photo, "--find-subject=fretsaw-subject",
                           "--mask", self.mask], env=self.environment, capture_output=True, text=True, check=False)
    self.assertEqual(done.returncode, 0, done.stderr)
    return pixels.Png(self.mask).pixels

  # ---- Photos, masks, usage ----

  def test_photos_and_masks(self):
    model = self.write_model("m.onnx", onnx_file.colour_model(320, 320, FACTORS, BIAS))
    self.assert_refused(self.run_program(model, self.path("none.jpg"), self.mask), 1, "none.jpg")
    self.assert_refused(self.run_program(model, model, self.mask), 1, "m.onnx")
    self.assert_refused(self.run_program(model, self.photo, self.path("no/mask.png")), 1, "mask.png")
    before = os.path.getsize(self.photo)
    self.assert_refused(self.run_program(model, self.photo, self.photo), 2, "photo.png", "overwritten")
    self.assert_refused(self.run_program(model, self.photo, model), 2, "m.onnx", "overwritten")
    self.assertEqual(os.path.getsize(self.photo), before)

  def test_usage(self):
    for arguments in ([], ["a"], ["a", "b"], ["a", "b", "c", "d"], ["--frob"]):
      run = self.run_program(*arguments)
      self.assert_refused(run, 2, "fretsaw-subject --help")
    run = self.run_program("--version")
    self.assert_done(run)
    self.assertRegex(run.out, r"\Afretsaw-subject [\d.]+ \(OpenCV [\d.]+\)\n\Z")

  @unittest.skipUnless(shutil.which("readelf"), "readelf is not installed")
  def test_nothing_else_is_linked_with_opencv(self):
    for built, wanted in (("subject/fretsaw-subject", True), ("fretsaw", False)):
      run = subprocess.run(["readelf", "-d", os.path.join(program.BUILD, built)], capture_output=True, text=True,
                           check=True)
      for library in ("libopencv_dnn", "libstdc++"):
        self.assertEqual(library in run.stdout, wanted, built)

  def test_manual_says_what_help_says(self):
    run = self.run_program("--help")
    self.assert_done(run)
    with open(MANUAL, encoding="utf-8") as file:
      manual = file.read().replace("\\-", "-")
    options = set(re.findall(r"(?<![\w-])--[a-z]+", run.out))
    self.assertEqual(options, set(re.findall(r"(?<![\w-])--[a-z]+", manual)))
    for key in "input output width height divide mean deviation activation".split():
      self.assertRegex(run.out, rf"(?m)^  .*\b{key}\b")
      self.assertRegex(manual, rf"(?m)^\.(B|BR) .*\b{key}\b")
    for word in ("U²-Net", "IS-Net", "BiRefNet", "Apache-2.0", "MIT", "RMBG", "non-commercial"):
      self.assertIn(word, run.out)
      self.assertIn(word, manual)


if __name__ == "__main__":
  sys.exit(program.tap.main())
