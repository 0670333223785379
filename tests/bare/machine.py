# SPDX-License-Identifier: MIT
"""A bare Debian in a folder: made once by debootstrap, copied for each use, entered by chroot in name spaces of its own.

FRETSAW_BARE is the folder for them (build/bare), FRETSAW_MIRROR and FRETSAW_SUITE say which Debian.
"""

import os
import shutil
import subprocess

SOURCE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
FOLDER = os.path.abspath(os.environ.get("FRETSAW_BARE") or os.path.join(SOURCE, "build", "bare"))
MIRROR = os.environ.get("FRETSAW_MIRROR")   # else debootstrap's own
SUITE = os.environ.get("FRETSAW_SUITE", "bookworm")
# Name spaces end with the command, and all that was mounted with them. Downloaded packages serve all machines.
ENTER = """set -e
mount --bind "$1/archives" "$2/var/cache/apt/archives"
mount -t devpts devpts "$2/dev/pts"
exec unshare --pid --fork --kill-child --mount-proc="$2/proc" chroot "$2" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 \
  PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -ec "$3"
"""


def why_not():
  """A reason why there can be none here, or None."""
  if os.geteuid() != 0:
    return "root is needed"
  missing = [name for name in ("debootstrap", "git", "unshare") if not shutil.which(name)]
  return " and ".join(missing) + " missing" if missing else None


def base():
  """The copied one. Every question of apt is answered with yes, as a user does; nothing else differs from Debian's own."""
  root = os.path.join(FOLDER, SUITE)
  if not os.path.exists(root):
    os.makedirs(os.path.join(FOLDER, "archives", "partial"), exist_ok=True)
    words = ["debootstrap", "--variant=minbase", SUITE, root + ".new"] + ([MIRROR] if MIRROR else [])
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(root + ".new", "etc", "apt", "apt.conf.d", "90yes"), "w", encoding="utf-8") as file:
      file.write('APT::Get::Assume-Yes "true";\n')
    os.rename(root + ".new", root)
  return root


def tracked_files():
  """What a clone has, with changes that are not committed."""
  done = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z"], capture_output=True, check=True)
  return [name for name in done.stdout.decode().split("\0") if name and os.path.isfile(os.path.join(SOURCE, name))]


class Machine:
  """One copy, which goes with its `with` block. `run` gives what was printed, or raises with it."""

  def __init__(self, name):
    self.root = os.path.join(FOLDER, name)

  def __enter__(self):
    shutil.rmtree(self.root, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", base(), self.root], check=True)
    shutil.copy("/etc/resolv.conf", os.path.join(self.root, "etc"))
    self.run("apt-get update")
    return self

  def __exit__(self, *_):
    if not os.environ.get("FRETSAW_KEEP"):
      shutil.rmtree(self.root)

  def path(self, inside):
    return self.root + inside

  def put_source(self, inside):
    for name in tracked_files():
      os.makedirs(os.path.dirname(os.path.join(self.path(inside), name)), exist_ok=True)
      shutil.copy(os.path.join(SOURCE, name), os.path.join(self.path(inside), name))

  def run(self, script, folder="/"):
    done = subprocess.run(["unshare", "--mount", "sh", "-c", ENTER, "sh", FOLDER, self.root, f"cd {folder}\n{script}"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    printed = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
      raise AssertionError(f"status {done.returncode} of:\n{script}\n{printed[-3000:]}")
    return printed
