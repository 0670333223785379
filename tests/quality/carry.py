#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""carry.py BUILD FOLDER [SET …]: all that a run on another machine needs, in one folder.

The program with the libraries that it needs, these scripts, and of the data pack the photos, truths
and seeds of the sets (all of them by default). There,
FOLDER/run.sh takes the options of run.py and writes $OUT/quality.json; it needs Python 3 and the
same processor family and nothing else. The folder holds photos that may not be given away.
"""

import os
import re
import shutil
import subprocess
import sys

import pack

MAX_MB = 60
SCRIPTS = ("pack.py", "run.py", "report.py", "opencv.json")
PROGRAMS = ("quality", "quality_opencv")
# What every machine has, and must be its own.
OWN = ("libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so", "ld-linux", "linux-vdso")

RUN = """\
#!/bin/sh
# SPDX-License-Identifier: MIT
here=$(cd "$(dirname "$0")" && pwd)
loaders=$(mktemp)
trap 'rm -f "$loaders"' EXIT
[ ! -f "$here/lib/loaders.cache" ] || sed "s|@lib@|$here/lib|" "$here/lib/loaders.cache" > "$loaders"
export LD_LIBRARY_PATH="$here/lib" FRETSAW_SHARED="$here/shared" PYTHONDONTWRITEBYTECODE=1
export GDK_PIXBUF_MODULE_FILE="$loaders"
python3 "$here/scripts/run.py" "$here/build" "${OUT:-.}/quality.json" "$@"
"""


def libraries(program):
  out = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
  found = re.findall(r"^\s*(\S+) => (/\S+)", out, re.M)
  return [(name, path) for name, path in found if not name.startswith(OWN)]


def carry_programs(build, folder):
  target = os.path.join(folder, "build", "tests", "quality")
  os.makedirs(target)
  os.makedirs(os.path.join(folder, "lib"))
  for name in PROGRAMS:
    program = os.path.join(build, "tests", "quality", name)
    if not os.path.exists(program):
      continue
    shutil.copy(program, target)
    for library, path in libraries(program):
      shutil.copy(path, os.path.join(folder, "lib", library))


def carry_bmp_reader(folder):
  """gdk-pixbuf opens it by a list of paths, which are not known before it runs."""
  run = subprocess.run(["pkg-config", "--variable=gdk_pixbuf_cache_file", "gdk-pixbuf-2.0"],
                       capture_output=True, text=True, check=False)
  cache = run.stdout.strip()
  if not os.path.exists(cache):
    return
  with open(cache, encoding="utf-8") as file:
    entries = [entry for entry in file.read().split("\n\n") if '\n"bmp" ' in entry]
  for entry in entries[:1]:
    path = re.search(r'^"(/.*)"$', entry, re.M)[1]
    shutil.copy(path, os.path.join(folder, "lib"))
    with open(os.path.join(folder, "lib", "loaders.cache"), "w", encoding="utf-8") as file:
      file.write(entry.strip().replace(os.path.dirname(path), "@lib@") + "\n\n")


def carry_scripts(folder):
  target = os.path.join(folder, "scripts")
  os.makedirs(target)
  here = os.path.dirname(os.path.abspath(__file__))
  for name in SCRIPTS:
    if os.path.exists(os.path.join(here, name)):
      shutil.copy(os.path.join(here, name), target)
  path = os.path.join(folder, "run.sh")
  with open(path, "w", encoding="utf-8") as file:
    file.write(RUN)
  os.chmod(path, 0o755)


def carry_photo(photo, folder):
  files = [photo.photo, photo.truth] + [photo.seeds(start)[1] for start in pack.SETS[photo.set]]
  for path in files:
    target = os.path.join(folder, "shared", "data", os.path.relpath(path, photo.folder))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(path, target)


def size_mb(folder):
  return sum(os.path.getsize(os.path.join(where, name))
             for where, _, names in os.walk(folder) for name in names) / 1e6


def main(build, folder, *sets):
  shutil.rmtree(folder, ignore_errors=True)
  carry_programs(build, folder)
  carry_bmp_reader(folder)
  carry_scripts(folder)
  for set_name in sets or pack.SETS:
    for photo in pack.photos(set_name):
      carry_photo(photo, folder)
  size = size_mb(folder)
  print(f"{folder}: {size:.0f} MB; there: {os.path.basename(folder)}/run.sh [--sets …]")
  return f"more than {MAX_MB} MB" if size > MAX_MB else 0


if __name__ == "__main__":
  sys.exit(main(*sys.argv[1:]))
