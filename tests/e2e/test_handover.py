#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files for other programs, opened by those that are installed: sizes, places of layers with crops, and pixels.

GIMP, Krita, Inkscape, ImageMagick and Pillow; a test of one that is not there is skipped, and counted so.
"""

import os
import shutil
import subprocess
import sys
import unittest

import pixels
import program

EXPORT_PART = os.path.join(program.BUILD, "tests", "e2e", "export_part")
WIDTH, HEIGHT = 120, 90
AREA = (13, 9, 112, 81)
W, H = AREA[2] - AREA[0], AREA[3] - AREA[1]
SOFT = "3"
# The interpreter of the distribution, for its Pillow and not that of another Python.
PYTHON = "/usr/bin/python3"


def has_pillow():
  return os.path.exists(PYTHON) and subprocess.run([PYTHON, "-c", "import PIL"], capture_output=True,
                                                   check=False).returncode == 0


def needs(name):
  return unittest.skipUnless(shutil.which(name), f"{name} is not installed")


def label_at(x, y):
  """Two ellipses, side by side and apart from each other."""
  if ((x - 45) / 24) ** 2 + ((y - 44) / 30) ** 2 < 1:
    return 2
  return 3 if ((x - 95) / 14) ** 2 + ((y - 50) / 20) ** 2 < 1 else 1


def colour_at(x, y):
  if label_at(x, y) > 1:
    return (210 - x, 60 + y, 40 + (x * y) % 30)
  return (40 + (x * 3) % 20, 90 + y, 200 - x)


class TestHandOver(program.ProgramTest):
  def setUp(self):
    super().setUp()
    self.photo, self.labels = self.path("photo.png"), self.path("labels.png")
    places = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    pixels.write_png(self.photo, WIDTH, HEIGHT, pixels.RGB, bytes(v for x, y in places for v in colour_at(x, y)))
    pixels.write_png(self.labels, WIDTH, HEIGHT, pixels.GREY, bytes(label_at(x, y) for x, y in places))

  def export(self, name, soft=SOFT, background=()):
    path = self.path(name)
    subprocess.run([EXPORT_PART, self.photo, self.labels, path, *map(str, AREA), soft, *background], check=True)
    return path

  def read(self, path):
    """As an RGBA PNG of 8 bits, which ImageMagick makes of what another program wrote."""
    flat = self.path("read.png")
    subprocess.run(["convert", path, "-alpha", "set", "-depth", "8", "-define", "png:color-type=6", flat], check=True)
    return pixels.Png(flat)

  def assert_same(self, picture, other, tolerance=0, part=None):
    """The same alpha, and the same colours where something is to be seen."""
    left, top, right, bottom = part or (0, 0, picture.width, picture.height)
    self.assertEqual((picture.channels, other.channels), (4, 4))
    worst = 0
    for y in range(top, bottom):
      for x in range(left, right):
        at, to = 4 * (y * picture.width + x), 4 * ((y - top) * other.width + x - left)
        a, b = picture.pixels[at:at + 4], other.pixels[to:to + 4]
        n = 4 if a[3] or b[3] else 0
        worst = max([worst] + [abs(p - q) for p, q in zip(a[:n], b[:n])])
    self.assertLessEqual(worst, tolerance)

  def shown(self, labels=(2, 3)):
    """The photo's part with these objects' cut-outs over it: what all layers look like."""
    cutout = self.cutout(labels)
    rows = []
    for y in range(H):
      for x in range(W):
        r, g, b, a = cutout.pixels[4 * (y * W + x):4 * (y * W + x) + 4]
        below = colour_at(x + AREA[0], y + AREA[1])
        rows.append(bytes([(c * a + d * (255 - a) + 127) // 255 for c, d in zip((r, g, b), below)] + [255]))
    path = self.path("shown.png")
    pixels.write_png(path, W, H, pixels.RGBA, b"".join(rows))
    return pixels.Png(path)

  def cutout(self, labels=(2, 3)):
    """The cut-out of these objects, by Fretsaw alone."""
    whole = pixels.Png(self.export("cutout.png"))
    other = {2, 3} - set(labels)
    plane = bytearray(whole.pixels)
    for y in range(H):
      for x in range(W):
        # The objects lie further apart than their edges are soft.
        is_left = x + AREA[0] < 75
        if (2 if is_left else 3) in other:
          plane[4 * (y * W + x):4 * (y * W + x) + 4] = bytes(4)
    path = self.path("objects.png")
    pixels.write_png(path, W, H, pixels.RGBA, bytes(plane))
    return pixels.Png(path)

  # ---- ImageMagick ----

  @needs("convert")
  def test_imagemagick_psd(self):
    psd = self.export("a.psd")
    said = subprocess.run(["identify", "-format", "%wx%h%O %l\n", psd], check=True, capture_output=True, text=True).stdout
    lines = said.split("\n")
    self.assertEqual([line.split("+")[0] for line in lines[:4]], [f"{W}x{H}"] * 4)
    self.assertEqual([line.split(" ")[1:] for line in lines[1:4]], [["Photo"], ["Egg"], ["Koder"]])  # the name in ASCII
    self.assert_same(self.read(psd + "[0]"), self.shown(), 1)
    self.assert_same(self.read(psd + "[2]"), self.cutout((3,)))
    self.assert_same(self.read(psd + "[3]"), self.cutout((2,)))

  @needs("convert")
  def test_imagemagick_tiff(self):
    tiff = self.export("a.tif")
    self.assert_same(self.read(tiff + "[0]"), self.cutout())
    page = self.read(tiff + "[1]")
    self.assertEqual((page.width, page.height), (W, H))
    for y in range(H):
      for x in range(W):
        self.assertEqual(page.pixels[4 * (y * W + x)], 255 if label_at(x + AREA[0], y + AREA[1]) > 1 else 0)

  @needs("convert")
  def test_imagemagick_flat(self):
    expected = self.on_colour((32, 64, 96))
    for name, tolerance in (("f.png", 1), ("f.webp", 1), ("f.tif", 1), ("f.jpg", 12)):
      if name.endswith(("webp", "tif")) and not self.can_write(name):
        continue
      flat = self.read(self.export(name, background=("#204060",)) + "[0]")
      self.assert_same(flat, expected, tolerance)

  def can_write(self, name):
    return subprocess.run([EXPORT_PART, self.photo, self.labels, self.path(name), *map(str, AREA)], check=False,
                          capture_output=True).returncode == 0

  def on_colour(self, colour):
    cutout, rows = self.cutout(), []
    for at in range(0, len(cutout.pixels), 4):
      a = cutout.pixels[at + 3]
      rows.append(bytes([(c * a + d * (255 - a) + 127) // 255 for c, d in zip(cutout.pixels[at:at + 3], colour)] + [255]))
    path = self.path("colour.png")
    pixels.write_png(path, W, H, pixels.RGBA, b"".join(rows))
    return pixels.Png(path)

  # ---- Pillow ----

  def pillow(self, code, *arguments):
    done = subprocess.run([PYTHON, "-c", "import sys\nfrom PIL import Image\n" + code, *arguments], check=False,
                          capture_output=True, text=True)
    self.assertEqual(done.returncode, 0, done.stderr)
    return done.stdout

  @unittest.skipUnless(has_pillow(), "Pillow is not installed")
  def test_pillow(self):
    saved = self.path("pillow.png")
    # Pillow passes over layers with masks, and reads the others and the merged picture.
    said = self.pillow("i = Image.open(sys.argv[1]); print(i.size, [(l[0], l[2]) for l in i.layers])\n"
                       "i.convert('RGBA').save(sys.argv[2])", self.export("a.psd"), saved)
    self.assertEqual(said, f"({W}, {H}) [('Photo', (0, 0, {W}, {H}))]\n")
    self.assert_same(pixels.Png(saved), self.shown(), 1)
    said = self.pillow("i = Image.open(sys.argv[1]); i.save(sys.argv[2])\nprint(i.n_frames, i.mode, i.size, end=' ')\n"
                       "i.seek(1); print(i.mode, i.size, sorted(set(i.getdata())))", self.export("a.tif"), saved)
    self.assertEqual(said, f"2 RGBA ({W}, {H}) L ({W}, {H}) [0, 255]\n")
    self.assert_same(pixels.Png(saved), self.cutout())
    for name, tolerance in (("f.png", 1), ("f.webp", 1), ("f.jpg", 12)):
      said = self.pillow("i = Image.open(sys.argv[1]); print(i.mode); i.convert('RGBA').save(sys.argv[2])",
                         self.export(name, background=("#204060",)), saved)
      self.assertEqual(said, "RGB\n")
      self.assert_same(pixels.Png(saved), self.on_colour((32, 64, 96)), tolerance)

  # ---- GIMP ----

  def gimp(self, code):
    """What the Script-Fu code says, line by line."""
    script = self.path("script.scm")
    told = self.path("told.txt")
    with open(script, "w", encoding="utf-8") as file:
      file.write(f'(define told (open-output-file "{told}"))\n(define (say . words) (for-each (lambda (word) '
                 f'(display word told) (display " " told)) words) (newline told))\n{code}\n(close-output-port told)\n')
    done = subprocess.run(["gimp", "-i", "-n", "-d", "-f", "-b", f'(load "{script}")', "-b", "(gimp-quit 1)"], check=False,
                          env=self.environment, capture_output=True, text=True, timeout=120 * program.SLOWNESS)
    self.assertTrue(os.path.exists(told), done.stderr)
    with open(told, encoding="utf-8") as file:
      return file.read().splitlines()

  @needs("gimp")
  def test_gimp(self):
    psd, tiff, jpeg = self.export("a.psd"), self.export("a.tif"), self.export("a.jpg", background=("white",))
    saved = self.path("gimp.png")
    said = self.gimp(f'''
(define (place item) (append (list (car (gimp-drawable-width item)) (car (gimp-drawable-height item)))
                             (gimp-drawable-offsets item)))
(define image (car (gimp-file-load RUN-NONINTERACTIVE "{psd}" "a.psd")))
(for-each (lambda (layer) (apply say (car (gimp-item-get-name layer)) (car (gimp-item-get-visible layer))
                                 (car (gimp-layer-get-mask layer)) (place layer)))
          (vector->list (cadr (gimp-image-get-layers image))))
(define top (vector-ref (cadr (gimp-image-get-layers image)) 0))
(apply say "mask" (place (car (gimp-layer-get-mask top))))
(gimp-layer-remove-mask top MASK-APPLY)
(file-png-save RUN-NONINTERACTIVE image top "{saved}" "a" 0 1 0 0 0 0 1)
(define pages (car (gimp-file-load RUN-NONINTERACTIVE "{tiff}" "a.tif")))
(say "pages" (car (gimp-image-get-layers pages)) (car (gimp-image-width pages)) (car (gimp-image-height pages)))
(define flat (car (gimp-file-load RUN-NONINTERACTIVE "{jpeg}" "a.jpg")))
(say "jpeg" (car (gimp-image-width flat)) (car (gimp-image-height flat))
     (car (gimp-drawable-has-alpha (car (gimp-image-get-active-drawable flat)))))
''')
    layers = [line.split() for line in said[:3]]
    self.assertEqual([layer[0] for layer in layers], ["Köder", "Egg", "Photo"])
    self.assertEqual([layer[3:] for layer in layers], [[str(W), str(H), "0", "0"]] * 3)
    self.assertEqual([layer[1] for layer in layers], ["1"] * 3)
    self.assertEqual([int(layer[2]) > 0 for layer in layers], [True, True, False])
    self.assertEqual(said[3].split(), ["mask", str(W), str(H), "0", "0"])
    self.assertEqual(said[4].split()[2:], [str(W), str(H)])
    self.assertEqual(said[5].split(), ["jpeg", str(W), str(H), "0"])
    self.assert_same(pixels.Png(saved), self.cutout((2,)))

  # ---- Krita and Inkscape ----

  @needs("krita")
  @needs("xvfb-run")
  @needs("convert")
  def test_krita(self):
    for name in "a.psd", "a.ora":
      path, saved = self.export(name), self.path("krita.png")
      environment = {**self.environment, "XDG_RUNTIME_DIR": self.folder}
      subprocess.run(["xvfb-run", "-a", "krita", "--export", "--export-filename", saved, path], check=True,
                     env=environment, capture_output=True, timeout=120 * program.SLOWNESS)
      self.assert_same(self.read(saved), self.shown(), 2)
      os.unlink(saved)

  @needs("inkscape")
  @needs("convert")
  def test_inkscape(self):
    svg, saved = self.export("a.svg"), self.path("inkscape.png")
    subprocess.run(["inkscape", "--export-type=png", "--export-filename=" + saved, svg], check=True,
                   env=self.environment, capture_output=True, timeout=120 * program.SLOWNESS)
    drawn = self.read(saved)
    self.assertEqual((drawn.width, drawn.height), (W, H))
    # Its edges are smoothed: what is covered by half may be on either side.
    n_other = sum((drawn.pixels[4 * (y * W + x) + 3] >= 128) != (label_at(x + AREA[0], y + AREA[1]) > 1)
                  for y in range(H) for x in range(W))
    self.assertLess(n_other, 40)


if __name__ == "__main__":
  sys.exit(program.tap.main())
