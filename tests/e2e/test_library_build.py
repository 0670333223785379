#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library in other hands: C++, CMake in a tree that has been moved, cffi's parser, and a build of the library alone."""

import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
import test_library  # noqa: E402
from test_library import BUILD, CC, EXAMPLES, PRINTED, SOURCE, run  # noqa: E402

DISC = re.compile(r"[.#\n]{820}exact\ncoordinates are within ±1e\+06, and a radius is not negative\n")
# Two objects that touch, painted with C++: preview, update and finish agree on this picture.
OBJECTS = """\
#include <fretsaw.hpp>
#include <iostream>
int
main ()
{
  std::vector<uint8_t> rgb (3 * 60 * 40, 30);
  for (int i = 0; i < 60 * 40; i++)
    if (i / 60 >= 10 && i / 60 < 30 && i % 60 >= 10 && i % 60 < 50)
      rgb[static_cast<size_t> (3 * i + (i % 60 < 30 ? 0 : 2))] = 220;
  fretsaw_image image = FRETSAW_IMAGE_INIT;
  image.width = 60;
  image.height = 40;
  image.pixels = rgb.data ();
  fretsaw::photo photo (image);
  photo.paint (2, 2, 58, 2, 1, 1);
  photo.paint (15, 20, 25, 20, 1, 2);
  photo.paint (35, 20, 45, 20, 1, 3);
  const std::vector<uint8_t> preview = photo.preview ();
  std::cout << photo.update ().exact;
  photo.separate ();
  const std::vector<uint8_t> mask = photo.mask (), labels = photo.labels ();
  photo.finish ();
  std::cout << (preview == mask) << (photo.mask () == mask) << (photo.labels () == labels);
  int n_pixels[4] = {};
  for (const uint8_t label : labels)
    n_pixels[label]++;
  std::cout << ' ' << n_pixels[1] << ' ' << n_pixels[2] << ' ' << n_pixels[3] << ' ' << photo.render ().size ();
}
"""
# The packages of GLib alone.
GLIB_ALONE = ("glib-2.0", "libpcre2-8")

try:
  import pycparser
except ImportError:
  pycparser = None


def has_cffi(python):
  return os.path.exists(python) and subprocess.run([python, "-c", "import cffi"], capture_output=True, check=False).returncode == 0


# Debian's package is for Debian's interpreter.
WITH_CFFI = next(filter(has_cffi, (sys.executable, "/usr/bin/python3")), None)
# t-links 9, −2, 1, −7 in a row, with capacities of 3.
CFFI_PRINTED = """\
energy 4 exact mask [1, 0, 0, 0]
invalid argument: change 0 is of pixel 4; the grid has 4 pixels
"""


@unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is missing")
@unittest.skipIf(os.environ.get("FRETSAW_SLOWNESS"), "a sanitized library needs a sanitized program")
class Elsewhere(test_library.Installed):
  @unittest.skipUnless(shutil.which("c++"), "no C++ compiler")
  def test_cpp(self):
    program = self.build(["c++"], "cut_disc.cpp", flags=("-std=c++17",))
    self.assertRegex(run(program, env=self.environment), DISC)

  @unittest.skipUnless(shutil.which("c++"), "no C++ compiler")
  def test_cpp_objects(self):
    with open(self.path("objects.cpp"), "w", encoding="utf-8") as file:
      file.write(OBJECTS)
    program = self.build(["c++"], self.path("objects.cpp"), flags=("-std=c++17",))
    self.assertEqual(run(program, env=self.environment), "1111 1600 400 400 9600")

  @unittest.skipUnless(shutil.which("cmake") and shutil.which("c++"), "cmake or a C++ compiler is missing")
  def test_cmake(self):
    """From where the tree was not installed to."""
    moved, build = self.path("moved"), self.path("cmake")
    prefix = run("pkg-config", "--variable=prefix", "fretsaw", env=self.environment).strip().removeprefix(self.root)
    shutil.copytree(self.root + prefix, moved, symlinks=True)
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    run("cmake", "-S", EXAMPLES, "-B", build, "-DCMAKE_PREFIX_PATH=" + moved, "-DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu",
        env=environment)
    run("cmake", "--build", build, env=environment)
    for name, printed in PRINTED.items():
      self.assertEqual(run(os.path.join(build, name), env=environment), printed)
    self.assertRegex(run(os.path.join(build, "cut_disc"), env=environment), DISC)

  @unittest.skipUnless(pycparser, "pycparser is missing")
  def test_header_for_cffi(self):
    """Without directives, as a foreign-function interface reads it."""
    with open(os.path.join(self.include, "fretsaw.h"), encoding="utf-8") as file:
      text = file.read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S).replace("\\\n", " ")
    text = re.sub(r'#ifdef __cplusplus.*?#endif', "", text, flags=re.S)
    text = re.sub(r"^\s*#.*$", "", text, flags=re.M).replace("FRETSAW_API", "")
    text = re.sub(r"\[FRETSAW_\w+\]", "[252]", text)
    known = "".join(f"typedef int {name};" for name in ("bool", "size_t", "ptrdiff_t", "int32_t", "int64_t", "uint8_t", "uint16_t",
                                                        "uint32_t", "FILE"))
    names = [node.name for node in pycparser.CParser().parse(known + text).ext if node.name]
    self.assertIn("fretsaw_cut_photo", names)
    self.assertIn("fretsaw_expansion_run", names)

  @unittest.skipUnless(WITH_CFFI, "no interpreter with cffi (python3-cffi)")
  def test_cffi(self):
    """What the preprocessor leaves of the header is declared, and the library called, without a compiler."""
    text = run(*CC, "-E", os.path.join(self.include, "fretsaw.h"))
    declarations, is_ours = [], False
    for line in text.splitlines():
      if line.startswith("#"):
        is_ours = "fretsaw.h" in line
      elif is_ours:
        declarations.append(re.sub(r"__attribute__ \(\(.*?\)\)\)", "", line))
    library = os.path.join(BUILD, "library", "libfretsaw.so.1")
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cffi_cut.py")
    printed = subprocess.run([WITH_CFFI, program, library], input="\n".join(declarations), capture_output=True, text=True, check=False)
    self.assertEqual((printed.stdout, printed.stderr), (CFFI_PRINTED, ""))


@unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is missing")
@unittest.skipIf(os.environ.get("FRETSAW_SLOWNESS"), "one build suffices")
class Alone(unittest.TestCase):
  """-Dlibrary=only where pkg-config knows GLib and nothing else; static and shared."""

  def test_library_only(self):
    with test_library.tempfile.TemporaryDirectory() as folder:
      packages, build, root = (os.path.join(folder, name) for name in ("packages", "build", "root"))
      os.mkdir(packages)
      for name in GLIB_ALONE:
        place = subprocess.run(["pkg-config", "--variable=pcfiledir", name], capture_output=True, text=True, check=False).stdout.strip()
        if place:
          shutil.copy(os.path.join(place, name + ".pc"), packages)
      environment = dict(os.environ, PKG_CONFIG_LIBDIR=packages, CC=" ".join(CC))
      environment.pop("PKG_CONFIG_PATH", None)
      run("meson", "setup", build, SOURCE, "-Dlibrary=only", "-Ddefault_library=both", "-Doptimization=0", "-Dcuda=disabled",
          "--prefix", root, "--libdir", "lib", env=environment)
      run("ninja", "-C", build, "-j2", env=environment)
      run("meson", "install", "-C", build, "--no-rebuild", env=environment)
      self.assertEqual(sorted(os.listdir(root)), ["include", "lib", "share"])
      self.assertEqual(sorted(os.listdir(os.path.join(root, "include"))), ["fretsaw.h", "fretsaw.hpp"])
      environment["PKG_CONFIG_PATH"] = os.path.join(root, "lib", "pkgconfig")
      del environment["PKG_CONFIG_LIBDIR"]
      flags = run("pkg-config", "--static", "--cflags", "--libs", "fretsaw", env=environment).split()
      flags = [os.path.join(root, "lib", "libfretsaw.a") if f == "-lfretsaw" else f for f in flags]
      for name, printed in PRINTED.items():
        program = os.path.join(folder, name)
        run(*CC, os.path.join(EXAMPLES, name + ".c"), *flags, "-o", program)
        self.assertEqual(run(program), printed)
        self.assertNotIn("libfretsaw", run("ldd", program))


if __name__ == "__main__":
  sys.exit(tap.main())
