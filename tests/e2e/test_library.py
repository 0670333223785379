#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The installed library: header, pkg-config file, symbols and examples serve a stranger's program."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import pixels  # noqa: E402
import tap  # noqa: E402

SOURCE = os.environ["FRETSAW_SOURCE"]
BUILD = os.environ["FRETSAW_BUILD"]
EXAMPLES = os.path.join(SOURCE, "docs", "example")
SAMPLE = os.path.join(SOURCE, "data", "sample")
FRETSAW = os.path.join(BUILD, "fretsaw")
CC = os.environ.get("CC", "cc").split()

PRINTED = {
  "cut_grid": """................
..#####.........
..#######.......
..#######.......
...######.......
....####........
................
................
energy 194, flow 194, certificate holds
""",
  "change_tlinks": """##...... energy 2
####.... energy 3
######.. energy 5
#######. energy 6
""",
  "cut_graph": """energy 2, exact, object: 0 1
energy 4, exact, object: 0 1 2
""",
  "label_grid": """111119999999
111111999999
111111999999
111111955599
111111555555
111111555555
energy 75, no expansion lowers it
""",
}


def run(*words, **options):
  return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


class Installed(unittest.TestCase):
  """`meson install` into a folder, found by pkg-config."""

  @classmethod
  def setUpClass(cls):
    cls.folder = tempfile.TemporaryDirectory()
    cls.root = os.path.join(cls.folder.name, "root")
    run("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", cls.root)
    for folder, _, names in os.walk(cls.root):
      if "fretsaw.pc" in names:
        cls.pkgconfig = folder
    cls.environment = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=cls.root, PKG_CONFIG_PATH=cls.pkgconfig)
    cls.libraries = os.path.dirname(cls.pkgconfig)
    cls.environment["LD_LIBRARY_PATH"] = cls.libraries
    include = run("pkg-config", "--variable=includedir", "fretsaw", env=cls.environment).strip()
    cls.include = os.path.join(cls.root, include.removeprefix(cls.root).lstrip("/"))

  @classmethod
  def tearDownClass(cls):
    cls.folder.cleanup()

  def path(self, name):
    return os.path.join(self.folder.name, name)

  def build(self, compiler, source, *packages, flags=()):
    found = run("pkg-config", "--cflags", "--libs", "fretsaw", env=self.environment).split()
    # The other packages are the system's own and stand outside the staged tree.
    found = [f.replace(self.root, "") if not os.path.exists(f[2:]) else f for f in found]
    found += run("pkg-config", "--cflags", "--libs", *packages).split() if packages else []
    program = self.path(os.path.splitext(source)[0])
    run(*compiler, *flags, "-Wall", "-Wextra", "-pedantic", "-Werror", os.path.join(EXAMPLES, source), *found, "-o", program)
    return program


@unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is missing")
@unittest.skipIf(os.environ.get("FRETSAW_SLOWNESS"), "a sanitized library needs a sanitized program")
class Library(Installed):
  def test_flags(self):
    """The library alone: no header or library of GLib's."""
    self.assertEqual(run("pkg-config", "--cflags", "--libs", "fretsaw", env=self.environment).split()[-1], "-lfretsaw")
    self.assertNotIn("glib", run("pkg-config", "--cflags", "--libs", "fretsaw", env=self.environment))

  def test_examples(self):
    for name, printed in PRINTED.items():
      with self.subTest(name):
        program = self.build(CC, name + ".c", flags=("-std=c11",))
        self.assertEqual(run(program, env=self.environment), printed)

  def make_photo(self):
    """The sample as a PNG of its own colours."""
    whole = self.path("whole.png")
    run(FRETSAW, "cut", os.path.join(SAMPLE, "sample.jpg"), "--seeds", os.path.join(SAMPLE, "seeds.png"), "--cutout", whole,
        "--soft-edge", "0", "--keep-hidden")
    png = pixels.Png(whole)
    rgb = bytearray(3 * png.width * png.height)
    for channel in range(3):
      rgb[channel::3] = png.plane(channel)
    pixels.write_png(self.path("photo.png"), png.width, png.height, pixels.RGB, bytes(rgb))
    return png.width, png.height

  def test_example_cuts_the_sample(self):
    """The masks and cut-out of the program, from grey seeds and indexed ones; shades are refused."""
    width, height = self.make_photo()
    program = self.build(CC, "cut_photo.c", "libpng")
    photo, seeds = self.path("photo.png"), os.path.join(SAMPLE, "seeds.png")
    plane = bytes(pixels.Png(seeds).plane(0))
    pixels.write_png(self.path("grey.png"), width, height, pixels.GREY, plane)
    palette = bytes((7, 7, 7, 200, 0, 0, 0, 200, 0))
    pixels.write_png(self.path("indexed.png"), width, height, pixels.INDEXED, plane, palette)
    run(FRETSAW, "cut", photo, "--seeds", seeds, "--mask", self.path("m.png"), "--cutout", self.path("c.png"))
    for name in ("grey.png", "indexed.png"):
      said = run(program, photo, self.path(name), self.path("mask.png"), self.path("cutout.png"), env=self.environment)
      self.assertRegex(said, r"^energy \d+, exact\n$")
      self.assertEqual(bytes(pixels.Png(self.path("mask.png")).pixels), bytes(pixels.Png(self.path("m.png")).pixels))
      self.assertEqual(bytes(pixels.Png(self.path("cutout.png")).pixels), bytes(pixels.Png(self.path("c.png")).pixels))
    pixels.write_png(self.path("shades.png"), width, height, pixels.GREY, bytes(90 * p for p in plane))
    refused = subprocess.run([program, photo, self.path("shades.png"), self.path("no.png")], env=self.environment,
                             capture_output=True, text=True, check=False)
    self.assertEqual(refused.returncode, 1)
    self.assertIn("these are no labels", refused.stderr)
    self.assertFalse(os.path.exists(self.path("no.png")))

  def test_header(self):
    """Alone, without a compiler's extensions, in both languages."""
    flags = ("-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I", self.include)
    languages = [(CC, "c", "c11")] + ([(["c++"], "c++", "c++17")] if shutil.which("c++") else [])
    for compiler, language, standard in languages:
      subprocess.run([*compiler, f"-std={standard}", *flags, "-x", language, "-"], input="#include <fretsaw.h>\nint only;\n",
                     text=True, check=True)

  def test_only_public_symbols(self):
    symbols = [line.split()[-1] for line in
               run("nm", "-D", "--defined-only", os.path.join(self.libraries, "libfretsaw.so")).splitlines()]
    functions = {s.split("@")[0] for s in symbols if s != "FRETSAW_1"}
    with open(os.path.join(self.include, "fretsaw.h"), encoding="utf-8") as file:
      header = file.read()
    declared = set(re.findall(r"FRETSAW_API[\w\s*]*?\b(fretsaw_\w+) \(", header))
    self.assertGreater(len(declared), 40)
    self.assertEqual(declared, functions)
    self.assertTrue(all(s.endswith("@@FRETSAW_1") for s in symbols if s != "FRETSAW_1"))


if __name__ == "__main__":
  sys.exit(tap.main())
