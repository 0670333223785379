#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The installed library: its header files, pkg-config file and symbols serve a stranger's program."""

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
WIDTH, HEIGHT = 96, 64


def run(*words, **options):
  return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def inside(x, y):
  return (x - 48) ** 2 + (y - 32) ** 2 < 400


@unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is missing")
@unittest.skipIf(os.environ.get("FRETSAW_SLOWNESS"), "a sanitized library needs a sanitized program")
class Library(unittest.TestCase):
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

  @classmethod
  def tearDownClass(cls):
    cls.folder.cleanup()

  def path(self, name):
    return os.path.join(self.folder.name, name)

  def build_example(self, name):
    flags = run("pkg-config", "--cflags", "--libs", "fretsaw", env=self.environment).split()
    self.assertIn(os.path.join(self.libraries), " ".join(flags))
    # The other packages are the system's own and stand outside the staged tree.
    system = [f.replace(self.root, "") if not os.path.exists(f[2:]) else f for f in flags]
    system += run("pkg-config", "--cflags", "--libs", "glib-2.0", "libpng").split()
    program = self.path(name)
    compiler = os.environ.get("CC", "cc").split()
    run(*compiler, "-Wall", "-Werror", os.path.join(EXAMPLES, name + ".c"), *system, "-o", program)
    return program

  def test_example_cuts_a_photo(self):
    places = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    photo = b"".join(b"\xe0\x80\x30" if inside(x, y) else b"\x20\x50\x90" for x, y in places)
    seeds = bytearray(WIDTH * HEIGHT)
    for x in range(40, 56):
      seeds[32 * WIDTH + x] = 2
      seeds[3 * WIDTH + x] = 1
    pixels.write_png(self.path("photo.png"), WIDTH, HEIGHT, 2, photo)
    pixels.write_png(self.path("seeds.png"), WIDTH, HEIGHT, 0, bytes(seeds))
    said = run(self.build_example("cut_photo"), self.path("photo.png"), self.path("seeds.png"), self.path("mask.png"),
               env=self.environment)
    self.assertIn(", exact", said)
    mask = pixels.Png(self.path("mask.png"))
    self.assertEqual(bytes(mask.plane(0)), bytes(255 * inside(x, y) for x, y in places))

  def test_example_cuts_a_graph(self):
    said = run(self.build_example("cut_graph"), env=self.environment)
    self.assertEqual(said, "energy 2, exact, object: 0 1\nenergy 4, exact, object: 0 1 2\n")

  def headers(self):
    """The folder of the installed headers, and their names in it."""
    root = run("pkg-config", "--variable=includedir", "fretsaw", env=self.environment).strip()
    root = os.path.join(self.root, root.removeprefix(self.root).lstrip("/"), "fretsaw")
    names = sorted(os.path.relpath(os.path.join(folder, n), root)
                   for folder, _, names in os.walk(root) for n in names if n.endswith(".h"))
    self.assertGreaterEqual(len(names), 10)
    return root, names

  def compile(self, compiler, language, standard, root, text):
    flags = run("pkg-config", "--cflags", "glib-2.0").split()
    subprocess.run([*compiler, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-x", language,
                    "-I", root, *flags, "-"], input=text, text=True, check=True)

  def test_headers_in_c(self):
    """Every public header alone, without a compiler's extensions."""
    root, headers = self.headers()
    for header in headers:
      with self.subTest(header):
        self.compile(os.environ.get("CC", "cc").split(), "c", "c11", root, f"#include <{header}>\nint only;\n")

  @unittest.skipUnless(shutil.which("c++"), "no C++ compiler")
  def test_headers_in_cpp(self):
    """Every public header alone, and the engine called from C++, cancellation included."""
    root, headers = self.headers()
    for header in headers:
      with self.subTest(header):
        self.compile(["c++"], "c++", "c++17", root, f"#include <{header}>\n")
    self.compile(["c++"], "c++", "c++17", root,
                 "#include <solver/solver.h>\n"
                 "gboolean f (FsSolver *s, FsSolution *r) {\n"
                 "  std::atomic<bool> stop (false);\n"
                 "  FsProgress progress = {};\n"
                 "  progress.cancel = &stop;\n"
                 "  return fs_solver_solve (s, &progress, r, nullptr); }\n")

  def test_only_public_symbols(self):
    library = os.path.join(self.libraries, "libfretsaw.so")
    symbols = [line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()]
    functions = {s.split("@")[0] for s in symbols if not s.startswith("FRETSAW")}
    headers = ""
    for folder, _, names in os.walk(os.path.join(self.root)):
      headers += "".join(open(os.path.join(folder, n), encoding="utf-8").read() for n in names if n.endswith(".h"))
    self.assertGreater(len(functions), 20)
    self.assertTrue(all("@@FRETSAW_0" in s for s in symbols if s != "FRETSAW_0"))
    self.assertEqual([], sorted(f for f in functions if f not in headers))
    declared = set(re.findall(r"^(?!static)\w[\w ]*?\*?(fs_\w+) \([^{};]*\);", headers, re.M))
    self.assertGreater(len(declared), 20)
    self.assertEqual([], sorted(declared - functions))


if __name__ == "__main__":
  sys.exit(tap.main())
