#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""carry.py BUILD FOLDER: all that ./dev gpu needs on a machine with a driver and Python 3, in one folder.

The folder is laid out like the repository, with the build and the data pack's photos inside, so that the same scripts
run there: FOLDER/run.sh OUT writes OUT/gpu.json and OUT/gpu.md. It holds photos that may not be given away.
"""

import os
import re
import shutil
import subprocess
import sys

import photos
import run

# Photos, libraries, and programs with the module are a third each.
MAX_MIB = 64
SCRIPTS = ("device.py", "photos.py", "report.py", "run.py")
BENCHES = ("bench_cuda", "bench_graph_cuda", "bench_silhouettes", "bench_ladder", "bench_moves", "bench_objects",
           "dump_problem")
MODULE = os.path.join("solver", "kernels", "fretsaw-cuda.so")
# What every machine has, and must be its own.
OWN = ("libc.so", "libm.so", "libpthread.so", "libdl.so", "librt.so", "ld-linux", "linux-vdso")

RUN = """\
#!/bin/sh
# SPDX-License-Identifier: MIT
here=$(cd "$(dirname "$0")" && pwd)
export FRETSAW_LIBRARIES="$here/lib" FRETSAW_SHARED="$here/shared" PYTHONDONTWRITEBYTECODE=1
out=${1:-.}
[ $# = 0 ] || shift
exec python3 "$here/tests/gpu/run.py" "$here/build" "$out" "$@"
"""


def libraries(program):
  out = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
  found = re.findall(r"^\s*(\S+) => (/\S+)", out, re.M)
  return [(name, path) for name, path in found if not name.startswith(OWN)]


def programs(build):
  """Those that there are: tests of the kernels may be missing from a build without tests."""
  paths = [*run.TESTS.values()]
  paths += [os.path.join("tests", "bench", name) for name in BENCHES]
  paths += [os.path.join("tests", "gates", "gates"), os.path.join("tests", "gpu", "fretsaw-commands"), os.path.join(*run.CHECK), os.path.join(*run.LIBRARY)]
  paths += [os.path.join("data", "sessions", "resize-photo")]
  return [path for path in paths if os.path.exists(os.path.join(build, path))]


def put(source, folder, *path):
  target = os.path.join(folder, *path)
  os.makedirs(os.path.dirname(target), exist_ok=True)
  shutil.copyfile(source, target)
  shutil.copymode(source, target)
  return target


def carry_programs(build, folder):
  for path in (*programs(build), MODULE):
    target = put(os.path.join(build, path), folder, "build", path)
    for library, source in libraries(target):
      put(source, folder, "lib", library)
    subprocess.run(["strip", "--strip-unneeded", target], check=True)


def carry_scripts(folder):
  here = os.path.dirname(os.path.abspath(__file__))
  for name in SCRIPTS:
    put(os.path.join(here, name), folder, "tests", "gpu", name)
  put(os.path.join(here, "..", "bench", "mrf_problems.py"), folder, "tests", "bench", "mrf_problems.py")
  for name, text, mode in (("run.sh", RUN, 0o755), ("commit", run.commit() + "\n", 0o644)):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
      file.write(text)
    os.chmod(path, mode)


def put_photo(source, folder, *path):
  """A BMP goes as PNG, pixel for pixel: its reader is a module that programs find only where it is installed."""
  target = os.path.join(*path)
  name, end = os.path.splitext(target)
  if end.lower() != ".bmp":
    put(source, folder, target)
    return
  target = os.path.join(folder, name + ".png")
  os.makedirs(os.path.dirname(target), exist_ok=True)
  subprocess.run(["convert", source, target], check=True)


def carry_photos(folder):
  sessions = [pair[1] for pair in photos.sessions().values()] + [replay[2] for replay in photos.replays()]
  strokes = filter(None, map(photos.strokes, photos.every()))
  carried = [*photos.every().values(), *photos.problems(), *photos.silhouettes()]
  for path in {path for paths in carried for path in paths} | {*sessions, *strokes}:
    if path.startswith(photos.DATA + os.sep):
      put_photo(path, folder, "shared", "data", os.path.relpath(path, photos.DATA))
    else:
      put_photo(path, folder, os.path.relpath(path, photos.SOURCE))


def carry_energies(folder):
  for name in filter(run.mrf_problems.is_there, run.mrf_problems.GOALS):
    for path in run.mrf_problems.images(name):
      put(path, folder, "shared", "data", "mrf", name, os.path.basename(path))


def size_mib(folder):
  return sum(os.path.getsize(os.path.join(where, name))
             for where, _, names in os.walk(folder) for name in names) / 2**20


def main(build, folder):
  if not os.path.exists(os.path.join(build, MODULE)):
    return "gpu: this build has no CUDA module: nvcc is not installed"
  if os.path.isdir(folder) and os.listdir(folder) and not os.path.exists(os.path.join(folder, "run.sh")):
    return f"gpu: {folder}: not a folder of this program's making"
  shutil.rmtree(folder, ignore_errors=True)
  carry_programs(build, folder)
  carry_scripts(folder)
  carry_photos(folder)
  carry_energies(folder)
  size = size_mib(folder)
  print(f"{folder}: {size:.0f} MiB; there: {os.path.basename(folder.rstrip('/'))}/run.sh OUT")
  return f"more than {MAX_MIB} MiB" if size > MAX_MIB else 0


if __name__ == "__main__":
  sys.exit(main(*sys.argv[1:]))
