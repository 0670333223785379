#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The package is installed where Python looks for it, if it looks anywhere below the prefix."""

import json
import os
import site
import subprocess
import sys
import unittest

SOURCE, BUILD = os.environ["FRETSAW_SOURCE"], os.environ["FRETSAW_BUILD"]
sys.path.insert(0, os.path.join(SOURCE, "tests"))
sys.path.insert(0, os.path.join(SOURCE, "python"))
import tap  # noqa: E402
from install_folder import choose  # noqa: E402

DEBIAN = ["/usr/local/lib/python3.11/dist-packages", "/usr/lib/python3/dist-packages", "/usr/lib/python3.11/dist-packages"]
VENV = ["/home/" "a/venv/lib/python3.11/site-packages"]


def introspect(part):
  return json.loads(subprocess.run(["meson", "introspect", part, BUILD], check=True, capture_output=True, text=True).stdout)


class Folder(unittest.TestCase):
  def test_choice(self):
    self.assertEqual(choose("/usr/local/lib/python3/dist-packages", "/usr/local", DEBIAN), DEBIAN[0])
    self.assertEqual(choose("/usr/lib/python3/dist-packages", "/usr", DEBIAN), DEBIAN[1])
    self.assertEqual(choose("/usr/lib/python3.11/site-packages", "/usr", DEBIAN), DEBIAN[1])
    self.assertEqual(choose("/opt" "/x/lib/python3/dist-packages", "/opt" "/x", DEBIAN), "/opt" "/x/lib/python3/dist-packages")
    self.assertEqual(choose("/usr/local/lib/python3.11/site-packages", "/usr/local", VENV), "/usr/local/lib/python3.11/site-packages")

  def test_this_build(self):
    options = {option["name"]: option["value"] for option in introspect("--buildoptions")}
    prefix = os.path.join(options["prefix"], "")
    searched = [path for path in site.getsitepackages() if path.startswith(prefix)]
    if options["python.platlibdir"] or not searched:
      self.skipTest("this build has a folder of its own")
    folders = {os.path.dirname(os.path.dirname(path)) for path in introspect("--installed").values()
               if os.path.basename(path) in ("_fretsaw.abi3.so", "py.typed")}
    self.assertEqual(len(folders), 1, folders)
    self.assertLessEqual(folders, set(searched))


sys.exit(tap.main())
