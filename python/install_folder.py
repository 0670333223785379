# SPDX-License-Identifier: MIT
"""Prints the folder for packages: Meson's own where this Python looks there, else the first below the prefix where it does.

Below /usr/local Debian's Python looks in lib/python3.11/dist-packages, Meson installs into lib/python3/dist-packages.
"""

import os
import site
import sys


def choose(folder, prefix, searched):
  """/usr/local is a prefix of its own, not a folder of /usr."""
  below = [path for path in searched if path.startswith(os.path.join(prefix, ""))
           and not path.startswith(os.path.join(prefix, "local", ""))]
  return folder if folder in searched or not below else below[0]


def main():
  folder, prefix = map(os.path.normpath, sys.argv[1:])
  searched = [*site.getsitepackages(), site.getusersitepackages()]
  chosen = choose(folder, prefix, searched)
  print(chosen)
  return 0 if chosen in searched else 1


if __name__ == "__main__":
  sys.exit(main())
