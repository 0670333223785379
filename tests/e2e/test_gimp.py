#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The plug-in in GIMP without a screen; a script stands in for Fretsaw's window."""

import json
import os
import shutil
import subprocess
import sys
import unittest

import pixels
import program

PLUG_IN = os.path.join(program.BUILD, "gimp", "fretsaw-gimp")
PLUG_INS = os.environ.get("FRETSAW_GIMP_PLUG_INS", "")
WIDTH, HEIGHT = 50, 40
# Notes what it finds, and does what WAY says, as the window would.
STAND_IN = """#!{python}
import json, os, shutil, signal, struct, sys, time
sys.path.insert(0, {here!r})
import pixels
folder, photo = sys.argv[2:]
with open(photo, "rb") as file:
  data = file.read()
width, height, bits, kind = struct.unpack(">IIBB", data[16:26])
session = os.path.join(folder, "session.fretsaw")
found = None
if os.path.exists(session):
  with open(session, encoding="utf-8") as file:
    found = file.read()
with open(os.environ["NOTES"], "a", encoding="utf-8") as file:
  file.write(json.dumps(dict(option=sys.argv[1], folder=folder, mode=os.stat(folder).st_mode & 0o777, width=width,
                             height=height, bits=bits, kind=kind, session=found,
                             private="FRETSAW_HAND_OVER_PRIVATE" in os.environ)) + "\\n")
way = os.environ["WAY"]
if way == "fail":
  sys.exit(3)
if way == "cancelled":
  def end(number, frame):
    shutil.rmtree(folder)
    sys.exit(0)
  signal.signal(signal.SIGTERM, end)
  os.kill(os.getppid(), signal.SIGKILL)
  time.sleep(60)
  sys.exit(4)
if way != "close":
  width += way == "large"
  alpha = [(x * 5 + y * 7) % 256 for y in range(height) for x in range(width)]
  pixels.write_png(os.path.join(folder, "cutout.png"), width, height, pixels.RGBA,
                   b"".join(bytes((9, 99, 199, a)) for a in alpha))
  with open(session, "w", encoding="utf-8") as file:
    file.write('{{"strokes": "Überall", "n": %d}}' % len(found or ""))
"""


def alpha_at(x, y):
  return (x * 5 + y * 7) % 256


@unittest.skipUnless(os.path.exists(PLUG_IN) and shutil.which("gimp"), "GIMP or the plug-in is not there")
class Gimp(program.ProgramTest):
  def setUp(self):
    super().setUp()
    folder, profile = self.path("plug-ins/fretsaw-gimp"), self.path("profile")
    os.makedirs(folder)
    os.mkdir(profile)
    shutil.copy(PLUG_IN, folder)
    with open(os.path.join(profile, "gimprc"), "w", encoding="utf-8") as file:
      file.write(f'(plug-in-path "{self.path("plug-ins")}:{PLUG_INS}")\n')
    self.stand_in = self.path("stand-in")
    with open(self.stand_in, "w", encoding="utf-8") as file:
      file.write(STAND_IN.format(python=sys.executable, here=os.path.join(program.SOURCE, "tests", "e2e")))
    os.chmod(self.stand_in, 0o700)
    os.mkdir(self.path("tmp"))
    self.environment.update(GIMP2_DIRECTORY=profile, NOTES=self.path("notes"), TMPDIR=self.path("tmp"), WAY="apply")

  def gimp(self, code):
    """What the Script-Fu code says, line by line; and what the stand-in noted."""
    script, told = self.path("script.scm"), self.path("told.txt")
    with open(script, "w", encoding="utf-8") as file:
      file.write(f'''(define told (open-output-file "{told}"))
(define (say . words) (for-each (lambda (word) (display word told) (display " " told)) words) (newline told))
(define (make-image precision type)
  (let* ((image (car (gimp-image-new-with-precision 90 70 RGB precision)))
         (layer (car (gimp-layer-new image {WIDTH} {HEIGHT} type "Bird" 100 LAYER-MODE-NORMAL))))
    (gimp-image-insert-layer image layer 0 -1)
    (gimp-drawable-fill layer FILL-WHITE)
    (gimp-layer-set-offsets layer 7 11)
    image))
(define (layer-of image) (car (gimp-image-get-active-layer image)))
(define (mask image) (plug-in-fretsaw-mask RUN-NONINTERACTIVE image (layer-of image) "{self.stand_in}"))
(define (select image) (plug-in-fretsaw-select RUN-NONINTERACTIVE image (layer-of image) "{self.stand_in}"))
(define (save image drawable name)
  (file-png-save RUN-NONINTERACTIVE image drawable (string-append "{self.folder}/" name) "a" 0 1 0 0 0 0 1))
{code}
(close-output-port told)
''')
    done = subprocess.run(["gimp", "-i", "-n", "-d", "-f", "-b", f'(load "{script}")', "-b", "(gimp-quit 1)"], check=False,
                          env=self.environment, capture_output=True, text=True, timeout=120 * program.SLOWNESS)
    with open(told, encoding="utf-8") as file:
      said = file.read().splitlines()
    notes = []
    if os.path.exists(self.path("notes")):
      with open(self.path("notes"), encoding="utf-8") as file:
        notes = [json.loads(line) for line in file]
    # The private folder is gone, whatever happened.
    self.assertEqual([name for name in os.listdir(self.path("tmp")) if "fretsaw" in name], [])
    return said, notes, done.stdout + done.stderr

  def assert_alpha(self, name, left=0, top=0):
    picture = pixels.Png(self.path(name))
    self.assertEqual(picture.channels, 4)
    for y in range(picture.height):
      for x in range(picture.width):
        inside = 0 <= x - left < WIDTH and 0 <= y - top < HEIGHT
        self.assertEqual(picture.pixels[4 * (y * picture.width + x) + 3], alpha_at(x - left, y - top) if inside else 0)

  def test_mask_and_strokes(self):
    """A layer gets the alpha as its mask, and keeps the strokes for the next time, which begins with them."""
    said, notes, _ = self.gimp('''
(define image (make-image PRECISION-U8-GAMMA RGBA-IMAGE))
(mask image)
(define layer (layer-of image))
(define other (car (gimp-image-duplicate image)))
(gimp-layer-remove-mask (layer-of other) MASK-APPLY)
(save other (layer-of other) "mask.png")
(mask image)
(say (car (gimp-layer-get-mask layer)) (car (gimp-image-undo-is-enabled image)))
(gimp-layer-resize layer 60 40 0 0)
(mask image)
''')
    self.assertEqual(len(notes), 3)
    self.assertEqual((notes[0]["option"], notes[0]["mode"], notes[0]["session"]), ("--hand-over", 0o700, None))
    self.assertEqual([notes[0][key] for key in ("width", "height", "bits", "kind")], [WIDTH, HEIGHT, 8, pixels.RGBA])
    self.assertEqual(json.loads(notes[1]["session"]), {"strokes": "Überall", "n": 0})
    # Strokes on a layer of another size would lie elsewhere.
    self.assertIsNone(notes[2]["session"])
    self.assert_alpha("mask.png")
    self.assertEqual(len(said), 1)

  def test_selection(self):
    """The selection lies where the layer does; deeper images are written deeper."""
    _, notes, _ = self.gimp('''
(define image (make-image PRECISION-U16-GAMMA RGB-IMAGE))
(select image)
(define whole (car (gimp-layer-new image 90 70 RGBA-IMAGE "All" 100 LAYER-MODE-NORMAL)))
(gimp-image-insert-layer image whole 0 -1)
(gimp-layer-add-mask whole (car (gimp-layer-create-mask whole ADD-MASK-SELECTION)))
(gimp-selection-none image)
(gimp-drawable-fill whole FILL-WHITE)
(gimp-layer-remove-mask whole MASK-APPLY)
(gimp-image-convert-precision image PRECISION-U8-GAMMA)
(save image whole "selection.png")
''')
    self.assertEqual([notes[0][key] for key in ("bits", "kind")], [16, pixels.RGB])
    self.assert_alpha("selection.png", 7, 11)

  def test_nothing(self):
    """Closed without Apply, ended by an error, or with a cut-out of another size: nothing changes."""
    code = '''
(define image (make-image PRECISION-U8-GAMMA RGBA-IMAGE))
(say "made")
(mask image)
(say (car (gimp-layer-get-mask (layer-of image))) (car (gimp-selection-is-empty image)) "after")
'''
    for way, words in (("close", None), ("fail", "Fretsaw failed"), ("large", "another size")):
      with self.subTest(way):
        self.environment["WAY"] = way
        said, _, output = self.gimp(code)
        if words is None:
          self.assertEqual(said, ["made ", "-1 1 after "])
        else:
          self.assertEqual(said, ["made "])
          self.assertIn(words, output)

  @unittest.skipUnless(sys.platform == "linux", "other systems have no signal for it")
  def test_cancelled(self):
    """GIMP's Cancel kills the plug-in: the window is told, and the private folder goes."""
    self.environment["WAY"] = "cancelled"
    _, notes, _ = self.gimp('(define image (make-image PRECISION-U8-GAMMA RGBA-IMAGE))\n(mask image)')
    self.assertEqual([note["private"] for note in notes], [True])

  def test_without_fretsaw(self):
    self.stand_in = self.path("nowhere")
    _, notes, output = self.gimp('(define image (make-image PRECISION-U8-GAMMA RGB-IMAGE))\n(select image)')
    self.assertEqual(notes, [])
    self.assertIn("Fretsaw could not be started", output)

  def test_mask_of_a_mask(self):
    _, notes, output = self.gimp(f'''
(define image (make-image PRECISION-U8-GAMMA RGBA-IMAGE))
(define channel (car (gimp-channel-new image 9 9 "c" 100 '(0 0 0))))
(gimp-image-insert-channel image channel 0 0)
(plug-in-fretsaw-mask RUN-NONINTERACTIVE image channel "{self.stand_in}")
''')
    self.assertEqual(notes, [])
    self.assertIn("Choose a layer", output)


if __name__ == "__main__":
  sys.exit(program.tap.main())
