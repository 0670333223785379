#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--cutout C.ora`: the file's layout, each layer's place and pixels, and what other programs make of it."""

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree
import zipfile

import pixels
import program

PHOTO = os.path.join(program.SOURCE, "data", "sample", "sample.jpg")
SEEDS = os.path.join(program.SOURCE, "data", "sample", "seeds.png")


class TestLayers(program.ProgramTest):
  def cut(self, *options, seeds=SEEDS):
    self.assert_done(self.run_program("cut", PHOTO, "--seeds", seeds, *options))

  def read(self, path):
    """Layers from the top: (name, x, y, picture); and the names of all entries."""
    with open(path, "rb") as file:
      # Where `file` and desktops look.
      self.assertEqual(file.read(54), b"PK\3\4\x14\0\0\0\0\0\0\0\x21\0" + file_sum() + b"\x10\0\0\0\x10\0\0\0\x08\0\0\0"
                       b"mimetypeimage/openraster")
    with zipfile.ZipFile(path) as archive:
      self.assertIsNone(archive.testzip())
      archive.extractall(self.path("layers"))
      names = archive.namelist()
    root = xml.etree.ElementTree.parse(self.path("layers/stack.xml")).getroot()
    self.assertEqual(root.tag, "image")
    self.size = (int(root.get("w")), int(root.get("h")))
    layers = []
    for layer in root.find("stack"):
      self.assertEqual((layer.get("visibility"), layer.get("composite-op")), ("visible", "svg:src-over"))
      layers.append((layer.get("name"), int(layer.get("x")), int(layer.get("y")),
                     pixels.Png(self.path("layers/" + layer.get("src")))))
    return layers, names

  def assert_layer(self, layer, cutout):
    """A layer is the part of the whole cut-out in its place, and nothing is outside."""
    _, left, top, picture = layer
    n = 4 * picture.width
    alpha = cutout.plane(3)
    for y in range(cutout.height):
      row = cutout.pixels[4 * y * cutout.width:4 * (y + 1) * cutout.width]
      inside = range(top, top + picture.height)
      if y in inside:
        self.assertEqual(row[4 * left:4 * left + n], picture.pixels[(y - top) * n:(y - top + 1) * n])
      outside = alpha[y * cutout.width:(y + 1) * cutout.width]
      if y in inside:
        outside = outside[:left] + outside[left + picture.width:]
      self.assertEqual(outside.count(0), len(outside))

  def test_layout_and_pixels(self):
    for options in (("--soft-edge", "0"), ("--soft-edge", "6"), ()):
      ora, png = self.path("c.ora"), self.path("c.png")
      self.cut("--cutout", ora, *options)
      self.cut("--cutout", png, *options)
      layers, names = self.read(ora)
      self.assertEqual(names, ["mimetype", "data/object-1.png", "data/photo.png", "mergedimage.png",
                               "Thumbnails/thumbnail.png", "stack.xml"])
      cutout = pixels.Png(png)
      self.assertEqual(self.size, (cutout.width, cutout.height))
      self.assertEqual([layer[0] for layer in layers], ["Object 1", "Photo"])
      self.assertEqual(layers[1][1:3], (0, 0))
      self.assertLess(layers[0][3].width, cutout.width)
      self.assert_layer(layers[0], cutout)
      self.check_merged(layers)

  def check_merged(self, layers):
    merged, photo = pixels.Png(self.path("layers/mergedimage.png")), layers[1][3]
    small = pixels.Png(self.path("layers/Thumbnails/thumbnail.png"))
    self.assertEqual((small.width, small.height), (256, 256 * photo.height // photo.width))
    _, left, top, layer = layers[0]
    n_other = 0
    for y in range(0, photo.height, 7):
      for x in range(0, photo.width, 3):
        below = pixel_of(photo, x, y)
        u, v = x - left, y - top
        is_over = 0 <= u < layer.width and 0 <= v < layer.height
        over = pixel_of(layer, u, v) if is_over else bytes(4)
        for k in range(3):
          expected = (over[k] * over[3] + below[k] * (255 - over[3])) / 255
          n_other += abs(merged.pixels[4 * (y * photo.width + x) + k] - expected) > 1
    self.assertEqual(n_other, 0)

  def test_several_objects(self):
    seeds, path = pixels.Png(SEEDS), self.path("seeds.png")
    middle = seeds.width * 11 // 20
    numbers = [5 if v == 2 and p % seeds.width > middle else v for p, v in enumerate(seeds.pixels)]
    pixels.write_png(path, seeds.width, seeds.height, pixels.GREY, bytes(numbers))
    ora, labels = self.path("c.ora"), self.path("l.png")
    self.cut("--cutout", ora, "--labels", labels, "--soft-edge", "0", seeds=path)
    layers, names = self.read(ora)
    self.assertEqual([layer[0] for layer in layers], ["Object 1", "Object 4", "Photo"])
    self.assertEqual(names[1:3], ["data/object-4.png", "data/object-1.png"])
    numbers = pixels.Png(labels)
    for label, (_, left, top, layer) in zip((2, 5), layers):
      alpha = bytearray(numbers.width * numbers.height)
      for y in range(layer.height):
        at = (top + y) * numbers.width + left
        alpha[at:at + layer.width] = layer.pixels[4 * y * layer.width + 3:4 * (y + 1) * layer.width:4]
      self.assertEqual(bytes(alpha), bytes(pixels.select(numbers.pixels, {label})))

  def test_deterministic(self):
    ora, again = self.path("c.ora"), self.path("d.ora")
    self.cut("--preview", "--cutout", ora)
    self.cut("--preview", "--cutout", again)
    with open(ora, "rb") as one, open(again, "rb") as other:
      self.assertEqual(one.read(), other.read())

  def test_other_programs(self):
    ora, drawn = self.path("c.ora"), self.path("drawn.png")
    self.cut("--preview", "--cutout", ora)
    if shutil.which("unzip"):
      subprocess.run(["unzip", "-tq", ora], check=True, stdout=subprocess.DEVNULL)
    bare = self.path("bare")
    shutil.copyfile(ora, bare)
    said = subprocess.run(["gio", "info", "-a", "standard::content-type", bare], capture_output=True, text=True,
                          check=False).stdout if shutil.which("gio") else ""
    if os.path.exists("/usr/share/mime/image/openraster.xml") and said:
      self.assertIn("image/openraster", said)
    formats = subprocess.run(["convert", "-list", "format"], capture_output=True, text=True, check=False).stdout \
      if shutil.which("convert") else ""
    if " ORA" in formats:
      subprocess.run(["convert", ora, "-flatten", "png32:" + drawn], check=True)
      self.assertEqual((pixels.Png(drawn).width, pixels.Png(drawn).height), (1600, 1067))

  def test_refused(self):
    for option in "--mask", "--labels":
      run = self.run_program("cut", PHOTO, "--seeds", SEEDS, option, self.path("x.ora"))
      self.assert_refused(run, 2, "layers (OpenRaster, PSD)", "--cutout")


def pixel_of(picture, x, y):
  at = 4 * (y * picture.width + x)
  return picture.pixels[at:at + 4]


def file_sum():
  return zipfile.crc32(b"image/openraster").to_bytes(4, "little")


if __name__ == "__main__":
  sys.exit(program.tap.main())
