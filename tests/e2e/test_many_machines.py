#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The scripts of docs/batch with the programs that they are for: a Slurm of two nodes on this machine, one of which is
lost in the middle, and GNU parallel. In the end the bytes are those of one plain run.

SCALE=8: 200 photos.
"""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import batches
import program

SCALE = int(os.environ.get("SCALE", "1"))
PHOTOS = 200 if SCALE >= 8 else 24 * SCALE
SCRIPTS = os.path.join(program.SOURCE, "docs", "batch")
SLURM = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")
NODES = ("n1", "n2")
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SlurmctldPort={ports[0]}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName=n1,n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]},{ports[2]} CPUs=1 Gres=gpu:1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""
# Takes its time, so that there is a middle, and says which graphics processor it may use.
SLOW_FINDER = """#!/bin/sh
echo "$SLURMD_NODENAME $CUDA_VISIBLE_DEVICES" >> "$3/seen"
sleep 0.4
cp "$3/guess.png" "$2"
"""


def free_ports(count):
  sockets = [socket.socket() for _ in range(count)]
  for one in sockets:
    one.bind(("127.0.0.1", 0))
  ports = [one.getsockname()[1] for one in sockets]
  for one in sockets:
    one.close()
  return ports


def read_of_process(process, name):
  """A file of a process in /proc; nothing where the process has gone meanwhile."""
  try:
    with open(f"/proc/{process}/{name}", "rb") as file:
      return file.read()
  except OSError:
    return b""


def parent_of(process):
  with open(f"/proc/{process}/stat", encoding="ascii") as file:
    return int(file.read().rsplit(")", 1)[1].split()[1])


class ManyMachines(batches.BatchTest):
  count = PHOTOS

  def setUp(self):
    super().setUp()
    for number in range(0, PHOTOS, 3):
      for kind in ("-seeds.png", "-guess.png"):
        if os.path.exists(self.photo(number, kind)):
          os.unlink(self.photo(number, kind))
    batches.write_guess(self.path("guess.png"))
    with open(self.path("finder"), "w", encoding="utf-8") as file:
      file.write(SLOW_FINDER)
    self.finder = f"--find-subject=sh {self.path('finder')} {{photo}} {{mask}} {self.folder}"
    self.environment.update(FRETSAW=program.PROGRAM, XDG_CACHE_HOME=self.path("cache"))

  def make_plain(self):
    """One run without a division, whose guesses are its own."""
    plain = self.path("plain")
    self.environment["XDG_CACHE_HOME"] = self.path("plain-cache")
    self.assert_done(self.run_batch(self.finder, "--jobs", "8", out=plain))
    return batches.content(plain)

  def need(self, *programs):
    missing = [name for name in programs if not shutil.which(name)]
    if missing:
      self.skipTest("not installed: " + ", ".join(missing))

  def script_words(self, name):
    return [os.path.join(SCRIPTS, name), *self.words(self.finder)[1:]]

  def count_masks(self):
    masks = os.path.join(self.out, "masks")
    return len([name for name in os.listdir(masks) if not name.startswith(".")]) if os.path.isdir(masks) else 0

  def wait_until(self, holds, seconds=120):
    deadline = time.monotonic() + seconds * program.SLOWNESS
    while not holds():
      self.assertLess(time.monotonic(), deadline, "it takes too long")
      time.sleep(0.1)

  # --- Slurm ---

  def call(self, *words):
    done = subprocess.run(words, env=self.environment, cwd=self.folder, capture_output=True, text=True, check=False)
    self.assertEqual(done.returncode, 0, done.stderr)
    return done.stdout

  def start_slurm(self):
    cluster = self.path("slurm")
    os.makedirs(os.path.join(cluster, "state"))
    for node in NODES:
      os.mkdir(os.path.join(cluster, "spool-" + node))
    key = os.path.join(cluster, "key")
    with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
      file.write(os.urandom(1024))
    with open(os.path.join(cluster, "slurm.conf"), "w", encoding="utf-8") as file:
      file.write(CONFIGURATION.format(folder=cluster, host=socket.gethostname(), user=getpass.getuser(),
                                      ports=free_ports(3)))
    with open(os.path.join(cluster, "gres.conf"), "w", encoding="utf-8") as file:
      file.write("".join(f"NodeName={node} Name=gpu File=/dev/null\n" for node in NODES))
    self.environment["SLURM_CONF"] = os.path.join(cluster, "slurm.conf")
    self.cluster = cluster
    self.addCleanup(self.stop_slurm)
    self.call("munged", "--force", "--key-file=" + key, f"--socket={cluster}/munge.socket",
              f"--pid-file={cluster}/munged.pid", f"--log-file={cluster}/munged.log", f"--seed-file={cluster}/seed")
    self.call("slurmctld", "-f", self.environment["SLURM_CONF"])
    for node in NODES:
      self.start_node(node)
    self.await_nodes()

  def await_nodes(self):
    """Both are there and idle; a node that was lost says itself that it is back."""
    self.wait_until(lambda: self.call("sinfo", "-h", "-o", "%D %t").split() == ["2", "idle"], 60)

  def start_node(self, node):
    self.call("slurmd", "-f", self.environment["SLURM_CONF"], "-N", node)

  def read_pid(self, name):
    with open(os.path.join(self.cluster, name + ".pid"), encoding="ascii") as file:
      return int(file.read())

  def stop_slurm(self):
    """The nodes' work first, then nodes, controller, and what they trust each other by."""
    for node in NODES:
      self.kill_jobs(node)
    for name in (*NODES, "slurmctld", "munged"):
      try:
        process = self.read_pid(name)
        os.kill(process, signal.SIGTERM)
        for _ in range(100):
          os.kill(process, 0)
          time.sleep(0.1)
        os.kill(process, signal.SIGKILL)
      except (OSError, ValueError):
        pass  # it has not begun, or has ended

  def kill_jobs(self, node):
    """All that runs of this cluster's jobs on a node, with the daemons that look after them."""
    marks = (f"SLURMD_NODENAME={node}\0".encode(), f"SLURM_CONF={self.environment['SLURM_CONF']}\0".encode())
    jobs = [int(name) for name in os.listdir("/proc") if name.isdigit()
            and all(mark in read_of_process(name, "environ") for mark in marks)]
    for job in jobs:
      try:
        keeper = parent_of(job)
        if keeper not in jobs and keeper > 1:
          os.kill(keeper, signal.SIGKILL)
        os.kill(job, signal.SIGKILL)
      except OSError:
        pass  # it went with another one
    return len(jobs)

  def submit(self, *options):
    return self.call("sbatch", "--parsable", "--array=1-4", "--gres=gpu:1", "--output=%x-%A-%a.txt", *options,
                     *self.script_words("fretsaw-slurm.sh")).strip()

  def await_jobs(self):
    self.wait_until(lambda: not self.call("squeue", "-h").strip(), 120 + PHOTOS)

  def test_slurm(self):
    """A node is lost while it works: the array is submitted again, and the bytes are those of one run."""
    self.need(*SLURM)
    self.start_slurm()
    job = self.submit()
    self.wait_until(lambda: self.count_masks() >= PHOTOS // 4)
    os.kill(self.read_pid("n2"), signal.SIGKILL)
    n_lost = self.kill_jobs("n2")
    self.call("scontrol", "update", "nodename=n2", "state=down", "reason=lost")
    n_then = self.count_masks()
    self.assertGreater(n_lost, 0)
    self.assertLess(n_then, PHOTOS)
    self.call("scancel", job)
    self.await_jobs()
    self.start_node("n2")
    self.await_nodes()
    job = self.submit()
    self.await_jobs()
    lines = ""
    for task in range(1, 5):
      with open(self.path(f"fretsaw-{job}-{task}.txt"), encoding="utf-8") as file:
        lines += file.read()
    self.assertEqual(lines.count("0 failed"), 4, lines)
    with open(self.path("seen"), encoding="utf-8") as file:
      seen = set(file.read().split("\n")) - {""}
    self.assertEqual(seen, {"n1 0", "n2 0"})  # each node's only graphics processor
    self.assertEqual(batches.content(self.out), self.make_plain())
    print(f"# {PHOTOS} photos, {n_then} masks when the node was lost", flush=True)

  # --- GNU parallel ---

  def run_parallel(self, kill=None):
    process = subprocess.Popen(self.script_words("fretsaw-parallel.sh"), cwd=self.folder, start_new_session=True,
                               env=dict(self.environment, SHARDS="4", PARALLEL="--jobs 2 --will-cite"), text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if kill:
      self.wait_until(lambda: self.count_masks() >= PHOTOS // 4)
      kill(process)
    out, _ = process.communicate(timeout=300 * program.SLOWNESS)
    return process.returncode, out

  def find_commands(self):
    """Processes of this test that are not GNU parallel's own: it puts each in a group of its own."""
    mark = f"HOME={self.folder}\0".encode()
    found = []
    for name in os.listdir("/proc"):
      if name.isdigit() and mark in read_of_process(name, "environ"):
        found.append((int(name), read_of_process(name, "cmdline").split(b"\0")))
    return found

  def kill_a_shard(self, _):
    """One of the commands, as if its machine were lost."""
    is_killed = False
    while not is_killed:
      shards = [process for process, words in self.find_commands()
                if b"--shard" in words and words[0] == program.PROGRAM.encode()]
      try:
        os.kill(min(shards), signal.SIGKILL)
        is_killed = True
      except (ValueError, ProcessLookupError):
        pass  # none has begun, or it has ended meanwhile

  def kill_all(self, process):
    """As if this machine were lost."""
    os.killpg(process.pid, signal.SIGKILL)
    while commands := self.find_commands():
      for command, _ in commands:
        try:
          os.kill(command, signal.SIGKILL)
        except OSError:
          pass  # it went with another one

  def test_parallel(self):
    """A shard is killed, and tried again; all of it is killed, and started again."""
    self.need("parallel", "seq")
    status, out = self.run_parallel(self.kill_all)
    self.assertNotEqual(status, 0)
    self.assertLess(self.count_masks(), PHOTOS)
    status, out = self.run_parallel(self.kill_a_shard)
    self.assertEqual(status, 0, out)
    self.assertEqual(batches.content(self.out), self.make_plain())
    status, out = self.run_parallel()
    self.assertEqual((status, out.count(" 0 cut")), (0, 4), out)


if __name__ == "__main__":
  sys.exit(program.tap.main())
