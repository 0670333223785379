#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installations on a bare Debian each: pages followed to the letter, and packages.

For `./dev bare [CASE…]`, where CASE is library_page, readme or packages: it takes root, a network and minutes.
"""

import glob
import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import machine  # noqa: E402
import pages  # noqa: E402
import tap  # noqa: E402

PACKAGES = os.path.join(machine.SOURCE, "build", "deb")
IMPORTED = "python3 -c 'import fretsaw; print(fretsaw.__file__, fretsaw.Grid2D([[5, -3]], 1).maxflow())'"

# The window stays open until it is ended, and has nothing to complain of.
WINDOW = "timeout 20 xvfb-run -a fretsaw data/sample/sample.jpg || test $? = 124"
# Beside what the test itself brings: the manual's pages once they have been read.
APART = " -o ".join("-path " + path for path in ("/source", "/deb", "/proc", "/var/cache/man"))


@unittest.skipIf(machine.why_not(), machine.why_not())
class Bare(unittest.TestCase):
  def test_library_page(self):
    """`From nothing to a result` with GLib alone, then with Python."""
    said = ["Features|fretsaw.h", "certificate holds", "exact", "exact", r"1 \[\[ True False\]\]"]
    with machine.Machine("library") as debian:
      debian.put_source("/source")
      blocks = pages.blocks("docs/library.md", "From nothing to a result")
      self.assertEqual(len(blocks), len(said))
      for block, pattern in zip(blocks, said):
        self.assertRegex(debian.run(block, "/source"), pattern)

  def test_readme(self):
    """The first command of the README, those that install it, and an installation by hand."""
    with machine.Machine("readme") as debian:
      debian.put_source("/source")
      first, install = pages.blocks("README.md")[:2]
      self.assertIn("sample was cut", debian.run(first.splitlines()[0], "/source"))
      self.assertTrue(os.path.getsize(debian.path("/source/build/sample/cutout.png")))
      debian.run(install, "/source")
      self.assertIn("window: yes", debian.run("fretsaw --version"))
      debian.run("apt install python3-dev python3-numpy")
      debian.run("meson setup build-installed -Dtests=false && ninja -C build-installed install", "/source")
      self.assertIn("/usr/local/lib/python3.", debian.run(IMPORTED))
      self.assertIn("/usr/local/bin/fretsaw", debian.run("which fretsaw && fretsaw --version"))

  @unittest.skipUnless(glob.glob(os.path.join(PACKAGES, "*.deb")), "no packages: ./dev deb")
  def test_packages(self):
    """Installed with what they need, used, and removed with all that they brought."""
    with machine.Machine("packages") as debian:
      debian.put_source("/source")
      os.mkdir(debian.path("/deb"))
      for name in glob.glob(os.path.join(PACKAGES, "*.deb")):
        if "-dbgsym_" not in name:
          shutil.copy(name, debian.path("/deb"))
      debian.run("apt install /deb/*.deb")
      debian.run("apt install cmake g++ gcc libpng-dev make man-db pkg-config xauth xvfb")
      for name in ("commands", "library", "python"):
        print("# " + debian.run(f"debian/tests/{name}", "/source").strip().replace("\n", "\n# "))
      debian.run("gimp --no-interface --batch '(gimp-quit 0)' && grep -q fretsaw-gimp ~/.config/GIMP/2.10/pluginrc")
      self.assertEqual(debian.run(WINDOW, "/source"), "")
      debian.run("apt purge '?narrow(?installed, ?name(fretsaw))'")
      left = debian.run(f"find / -xdev \\( {APART} \\) -prune -o -iname '*fretsaw*' -print")
      self.assertEqual(left, "")


def main():
  """Runs the named cases alone."""
  wanted = sys.argv[1:]
  for name in [name for name in dir(Bare) if name.startswith("test_")]:
    if wanted and name.removeprefix("test_") not in wanted:
      delattr(Bare, name)
  return tap.main()


if __name__ == "__main__":
  sys.exit(main())
