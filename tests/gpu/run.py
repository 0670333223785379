#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py BUILD OUT [--only PART …]: checks, times and profiles the CUDA backend on this machine's device.

Writes OUT/gpu.json and a page of it, OUT/gpu.md, after every step. A step that takes too long is ended and said to
hang; the rest goes on. Ends with 77 where there is no device, with 1 where a step failed or hung.
"""

import argparse
import concurrent.futures
import csv
import functools
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import device
import photos
import report

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
import mrf_problems  # noqa: E402

NO_DEVICE = 77
CHECK = ("tests", "app", "replay_check")
LIBRARY = ("tests", "gpu", "library-check")
# Names of tests and their programs.
TESTS = {**{name: os.path.join("tests", "solver", "test_" + name)
            for name in ("brute_force", "device_preview", "incremental", "shapes", "star")},
         "links": os.path.join("tests", "energy", "test_energy_implicit_links")}
SANITIZERS = ("memcheck", "racecheck", "synccheck", "initcheck")
SECTIONS = ("SpeedOfLight", "MemoryWorkloadAnalysis", "SchedulerStats", "Occupancy")
# Seconds that a part may take, and one step of it.
PARTS = {"program": (40, 20), "checks": (70, 65), "times": (420, 60), "threads": (150, 60), "sanitizers": (75, 70), "profile": (35, 30),
         "ladder": (50, 30)}
# Only where they are asked for.
LONG = {"many": (120, 110), "replays": (540, 530), "graphs": (540, 530), "networks": (200, 60), "silhouettes": (200, 90), "sessions": (540, 150), "problems": (540, 150),
        "moves": (90, 40), "every": (540, 60)}
# What is cut, and how long the processor may take.
NETWORKS = (("random:1000000", 5), ("dense:2000000", 10), ("grid:1000000", 5), ("cube:157464", 5), ("layered:100489", 5),
            ("cube:1000000", 1), ("layered:1000000", 1))
THREADS = 16
SOME_THREADS = (1, 2, 8)
# Hard photos and megapixels for which the processor takes too long.
ALONE = (("bush", 12), ("bush", 48), ("flower", 48))
# Where masks are only compared: photos of a process, megapixels; neighbours, model, λ, artificial strokes, of every which photo.
BATCH, PROBLEM_SIZE = 4, 2.55
PROBLEMS = ((4, "kmeans", 1, 1, 1), (8, "geodesic", 1, 0, 1), (4, "gmm", 4, 1, 4))
# Where every photo is timed: megapixels, cold cuts and previews of a kind, artificial strokes, of every which photo.
EVERY = ((2.55, 3, 5, 1), (12, 2, 2, 6))
# The sanitizers' share of the star's test: racecheck takes more than a minute for all of it.
SHORT = "1/10"


class Run:
  def __init__(self, build, out):
    self.build = os.path.abspath(build)
    self.module = self.built("solver", "kernels", "fretsaw-cuda.so")
    self.out = out
    self.start = time.monotonic()
    self.part_end = self.start
    self.limit = 0
    self.lock = threading.Lock()
    self.photos = photos.every()
    self.result = {"date": time.strftime("%Y-%m-%d"), "commit": commit(), "device": None, "cores": os.cpu_count(),
                   "finished": False, "program": [], "steps": [], "times": [], "threads": [], "ladder": [], "kernels": [],
                   "gates": [], "sessions": [], "replays": [], "problems": [], "every": [], "networks": [], "silhouettes": [], "moves": []}
    os.makedirs(out, exist_ok=True)

  def save(self):
    self.result["seconds"] = round(time.monotonic() - self.start)
    for name, text in (("gpu.json", json.dumps(self.result, indent=1) + "\n"),
                       ("gpu.md", report.page(self.result))):
      with open(os.path.join(self.out, name), "w", encoding="utf-8") as file:
        file.write(text)

  # --- steps ------------------------------------------------------------------------------------

  def begin(self, part, most=None):
    seconds, self.limit = {**PARTS, **LONG}[part]
    seconds = min(seconds, most or seconds)
    self.part_end = time.monotonic() + seconds

  def note(self, name, state, seconds=0.0, text=""):
    with self.lock:
      self.result["steps"].append({"step": name, "state": state, "seconds": round(seconds, 1), "text": text[-600:]})
      print(f"{state:8} {seconds:6.1f} s  {name}" + (f": {text[-300:]}" if text else ""), flush=True)
      self.save()

  def built(self, *path):
    return os.path.join(self.build, *path)

  def environment(self, **more):
    libraries = os.environ.get("FRETSAW_LIBRARIES")
    own = {"FRETSAW_CUDA_MODULE": self.module, **more}
    if libraries:
      own["LD_LIBRARY_PATH"] = libraries
    return {**os.environ, **own}

  def step(self, name, command, judge=None, **environment):
    """Runs a command; returns what it wrote, also when it was ended. `judge` finds a fault in that."""
    left = self.part_end - time.monotonic()
    if left < 1:
      self.note(name, "skipped", 0, report.OUT_OF_TIME)
      return ""
    if not os.path.exists(command[0]):
      self.note(name, "skipped", 0, "this build has no " + os.path.basename(command[0]))
      return ""
    start = time.monotonic()
    limit = min(self.limit, left)
    out, status = captured(command, limit, self.environment(**environment))
    seconds = time.monotonic() - start
    fault = judge(out) if judge and status == 0 else None
    if status is None:
      state, text = ("hung", f"ended after {limit:.0f} s") if limit == self.limit else ("skipped", report.OUT_OF_TIME)
    elif status == 0 and fault is None:
      state, text = "passed", ""
    else:
      state, text = "failed", fault or f"status {status}: {last_lines(out)}"
    self.note(name, state, seconds, text)
    return out

  def side_by_side(self, steps, at_once=None):
    """Steps whose time does not matter, each a function, all at once or some."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=at_once or len(steps)) as pool:
      for done in [pool.submit(step) for step in steps]:
        done.result()

  # --- the parts --------------------------------------------------------------------------------

  def commands(self, *arguments):
    return [self.built("tests", "gpu", "fretsaw-commands"), *arguments]

  def program(self):
    """What a user would run first: the device is found and used."""
    cache = {"XDG_CACHE_HOME": os.path.abspath(self.out)}
    out = self.step("fretsaw --version", self.commands("--version"), **cache)
    self.result["program"] += out.splitlines()
    photo, seeds = self.photos["sample"]
    with tempfile.TemporaryDirectory() as folder:
      path = os.path.join(folder, "report.json")
      for backend in ("cpu", "cuda", "auto"):
        self.step(f"fretsaw cut --backend {backend}", self.commands(
          "cut", photo, "--seeds", seeds, "--verify", "--backend", backend, "--report", path),
                  lambda out, backend=backend: backend_fault(path, backend), **cache)

  def sessions(self):
    """Recorded strokes through the live loop, on both backends; one with every mask held against a fresh solve."""
    with tempfile.TemporaryDirectory() as folder:
      path = os.path.join(folder, "report.json")
      runs = [(name, backend, False) for name in photos.sessions() for backend in ("cuda", "cpu")]
      for name, backend, checked in [("sample", "cuda", True), *runs]:
        photo, session = photos.sessions()[name]
        program = [self.built(*CHECK)] if checked else self.commands("replay")
        self.step(f"session {name}, {backend}{', checked' if checked else ''}", [
          *program, session, "--photo", photo, "--backend", backend, "--report", path],
                  lambda out, backend=backend: backend_fault(path, backend))
        if os.path.exists(path):
          with open(path, encoding="utf-8") as file:
            self.result["sessions"].append({"session": name, **json.load(file)})
          os.remove(path)
    self.save()

  def replays(self):
    """Every session with the device, side by side, each exact mask held against a fresh solve by the processor."""
    def play(folder, name, photo, session, size):
      path = os.path.join(folder, name + ".json")
      if size:
        made = os.path.join(folder, name + ".png")
        self.step(f"photo of {name}", [self.built("data", "sessions", "resize-photo"), photo, made, *map(str, size)])
        photo = made
      if not os.path.exists(photo):
        return
      self.step(f"replay {name}, checked", [self.built(*CHECK), session, "--photo", photo, "--backend", "cuda", "--report", path],
                lambda out: backend_fault(path, "cuda"))
      if os.path.exists(path):
        with self.lock, open(path, encoding="utf-8") as file:
          self.result["replays"].append({"session": name, **json.load(file)})

    with tempfile.TemporaryDirectory() as folder:
      self.side_by_side([functools.partial(play, folder, *replay) for replay in photos.replays()])
    self.save()

  def checks(self):
    tests = [functools.partial(self.step, "check " + name, [self.built(program), "--tap"], tap_fault, FRETSAW_TEST_BACKEND="cuda")
             for name, program in TESTS.items()]
    self.side_by_side([*tests, functools.partial(self.step, "check library", [self.built(*LIBRARY)])])

  def graphs(self):
    """20,000 random graphs of any form and 100,000 grids, changed and cut once more; SCALE multiplies them."""
    for gate in ("G", "K"):
      self.gate(gate, max(1, min(8, cores() // 2)))

  def many(self):
    """A million small random grids, a thousand in one cut, each held against a cut of its own by the processor."""
    self.gate("M", cores(), SCALE=os.environ.get("SCALE", "200"))

  def gate(self, name, jobs, **environment):
    self.step("gate " + name, [self.built("tests", "gates", "gates"), "--jobs", str(jobs), name],
              functools.partial(self.gate_fault, name), FRETSAW_TEST_BACKEND="cuda", **environment)

  def gate_fault(self, name, out):
    self.result["gates"] += re.findall(rf"^GATE (?:{name}|S1) .*", out, re.M)
    return gate_fault(name, out)

  def networks(self):
    """Networks that are no grids, beside the processor, each cut proven."""
    program = self.built("tests", "bench", "bench_graph_cuda")
    for network, cpu_seconds in NETWORKS:
      out = self.step("network " + network, [program, "--certify", "--methods", "--cpu-seconds", str(cpu_seconds),
                                             "--seconds", "2", network], networks_fault)
      self.result["networks"] += json_lines(out)
    self.save()

  def silhouettes(self):
    """Garrett & Saito's table: the same energies cut in every way, with the photos' true silhouettes."""
    found = photos.silhouettes() or [(*photos.SAMPLE, "none")]
    program = self.built("tests", "bench", "bench_silhouettes")
    for model in ("geodesic", "kmeans"):
      out = self.step(f"silhouettes, {model}", [program, "--model", model, *(path for files in found for path in files)],
                      lambda out: silhouettes_fault(out, len(found)))
      self.result["silhouettes"] += [{**row, "model": model} for row in json_lines(out)]
    self.save()

  def problems(self):
    """Every photo at more than 2.5 megapixels, by several energies: the processor's mask and the device's, both proven."""
    batches = []
    for *energy, every in PROBLEMS:
      pairs = photos.problems()[::every]
      batches += [(pairs[i:i + BATCH], *energy) for i in range(0, len(pairs), BATCH)]

    def compare(number, batch, neighbours, model, smoothness, flips):
      command = [self.built("tests", "bench", "bench_cuda"), "-c", "-n", neighbours, "-M", model, "--smoothness", smoothness,
                 "-m", PROBLEM_SIZE, "-r", 1, "-f", flips, "-t", 1, *(path for pair in batch for path in pair)]
      rows = json_lines(self.step(f"problems {number}: {len(batch)} photos, {neighbours} neighbours, {model}",
                                  [str(word) for word in command], lambda out: rows_fault(out, len(batch))))
      with self.lock:
        self.result["problems"] += [{**row, "photo": os.path.basename(photo), "model": model, "masks": 1 + 2 * flips}
                                    for row, (photo, _) in zip(rows, batch)]

    self.side_by_side([functools.partial(compare, i + 1, *batch) for i, batch in enumerate(batches)], cores())
    self.save()

  def every(self):
    """Each photo by itself, one after another: so that medians are those of photos that nobody has chosen."""
    for size, rounds, flips, every in EVERY:
      for photo, seeds in photos.problems()[::every]:
        name = os.path.basename(photo)
        command = [self.built("tests", "bench", "bench_cuda"), "-n", 4, "-m", size, "-r", rounds, "-f", flips, "-t", THREADS]
        strokes = photos.strokes(os.path.splitext(name)[0])
        command += ["-s", strokes] * (strokes is not None)
        rows = json_lines(self.step(f"every photo: {name}, {size} MP", [str(word) for word in (*command, photo, seeds)],
                                    lambda out: rows_fault(out, 1)))
        self.result["every"] += [{**row, "photo": name, "size": size, "threads": THREADS} for row in rows]
    self.save()

  def moves(self):
    """Expansion moves on Middlebury's problems and on five objects: the processor's labels and the device's are the same, or it fails."""
    with tempfile.TemporaryDirectory() as folder:
      for name in filter(mrf_problems.is_there, mrf_problems.GOALS):
        many = name in ("tsukuba", "venus")
        out = self.step("moves: " + name, [self.built("tests", "bench", "bench_moves"), mrf_problems.write(name, folder),
                                           "3" if many else "1", *(("none", "cycle") if many else ("cycle",))])
        self.result["moves"] += [{"problem": name, "line": text.strip()} for text in out.splitlines()]
    photo, _ = self.photos.get("bus-12mp") or self.photos["sample"]
    out = self.step("moves: five objects", [self.built("tests", "bench", "bench_objects"), "-r", "3", photo])
    self.result["moves"] += [{"problem": "five objects", "line": text.strip()} for text in out.splitlines()]
    self.save()

  def bench(self, name, size, neighbours, rounds, flips, threads):
    """Without threads the processor cuts nothing."""
    more = ["-c"] if threads == THREADS else [] if threads else ["--alone"]
    strokes = photos.strokes(name)
    if strokes and flips:
      more += ["-s", strokes]
    command = [self.built("tests", "bench", "bench_cuda"), *more, "-n", neighbours, "-m", size, "-r", rounds, "-f",
               flips, "-t", max(threads, 1), *self.photos[name]]
    cores = f"{threads} thread{'s' * (threads > 1)}" if threads else "alone"
    out = self.step(f"{name}, {size or 'own'} MP, {neighbours} neighbours, {cores}",
                    [str(word) for word in command])
    rows = json_lines(out)
    for row in rows:
      row.update(photo=name, size=size, threads=threads, kind=photos.kind(name))
    self.result["times" if threads in (0, THREADS) else "threads"] += rows
    self.save()

  def grabcut(self):
    return [n for n in (*photos.EASY, *photos.HARD) if n in self.photos] or ["sample"]

  def large(self):
    return [n for n in photos.LARGE if n in self.photos]

  def times(self):
    """What is asked for most comes first: the part may run out of time."""
    grabcut, large = self.grabcut(), self.large()
    sizes = {2.5: (grabcut, 5, 8), 12: ([*grabcut, *large], 2, 4), 48: (("cross", *photos.HARD), 1, 2), 0.15: (grabcut, 5, 8)}
    for size, neighbours in ((2.5, 4), (12, 4), (48, 4), (0.15, 4), (2.5, 8), (0.15, 8), (12, 8)):
      names, rounds, flips = sizes[size]
      for name in [n for n in names if n in self.photos]:
        self.bench(name, 0 if name in large else size, neighbours, rounds, flips, 0 if (name, size) in ALONE else THREADS)

  def threads(self):
    """Cold cuts by ever more of the processor's threads, in the same process as the device's."""
    for size, names in ((2.5, self.grabcut()), (0, self.large()), (0.15, self.grabcut())):
      for threads in SOME_THREADS:
        for name in names:
          self.bench(name, size, 4, 1, 0, threads)

  def sanitizers(self):
    program = device.tool("compute-sanitizer")
    if program is None:
      self.note("compute-sanitizer", "skipped", 0, "not installed")
      return
    bench = [self.built("tests", "bench", "bench_cuda"), "-m", "0.02", "-r", "1", "-f", "2", *self.photos["sample"]]
    scenes = {f"photo, {n} neighbours": [*bench, "-n", n] for n in ("4", "8")}
    scenes["grids"] = [self.built("tests", "gates", "gates"), "--jobs", "1", "--only", "0", "K"]
    scenes["star"] = [self.built("tests", "solver", "test_star"), "--tap", "-p", "/solver/star/any-order"]
    self.side_by_side([functools.partial(self.step, f"{tool}: {scene}", [program, "--tool", tool, "--print-limit", "10",
                                                                         *command], sanitizer_fault,
                                         FRETSAW_TEST_BACKEND="cuda", SCALE=SHORT if scene == "star" else "1")
                       for tool in SANITIZERS for scene, command in scenes.items()])

  def profile(self):
    """One try: many machines do not let their users read the counters."""
    program = device.tool("ncu")
    if program is None:
      self.note("ncu", "skipped", 0, "not installed")
      return
    photo = self.photos.get("cross", self.photos["sample"])
    sections = [word for section in SECTIONS for word in ("--section", section)]
    start = time.monotonic()
    out, status = captured([program, "--csv", "--page", "details", "--launch-count", "8", *sections,
                            self.built("tests", "bench", "bench_cuda"), "-m", "2.5", "-n", "4", "-r", "1", "-f", "0",
                            *photo], self.limit, self.environment())
    self.result["kernels"] = kernels(out)
    done = bool(self.result["kernels"])
    text = "" if done else "ended" if status is None else last_lines(out)
    self.note("ncu", "passed" if done else "skipped", time.monotonic() - start, text)

  def ladder(self):
    program = self.built("tests", "bench", "bench_ladder")
    self.step("ladder: check", [program, "check=200"])
    with tempfile.TemporaryDirectory() as folder:
      for size in (0.15, 2.5):
        for name in [n for n in ("cross", "bush") if n in self.photos] or ["sample"]:
          path = os.path.join(folder, f"{name}-{size}")
          self.step(f"ladder: problem {name} {size} MP", [self.built("tests", "bench", "dump_problem"),
                                                          *self.photos[name], str(size), "4", path])
          if not os.path.exists(path):
            continue
          out = self.step(f"ladder: {name} {size} MP", [program, "repeat=3", "limit=5000", "pushes=1", "levels=2", path])
          for row in json_lines(out):
            self.result["ladder"].append({**row, "photo": name, "size": size})
          os.remove(path)
    self.save()


# --- what programs write ------------------------------------------------------------------------

def captured(command, limit, environment):
  """(output, exit status): None for one that was ended, with all that it had started."""
  with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                        env=environment, start_new_session=True) as process:
    try:
      return process.communicate(timeout=limit)[0], process.returncode
    except subprocess.TimeoutExpired:
      os.killpg(process.pid, signal.SIGKILL)
      return process.communicate()[0], None


def cores():
  return os.cpu_count() or 1


def last_lines(out):
  return " | ".join(out.strip().splitlines()[-3:])


def json_lines(out):
  """The whole ones; a program that was ended may leave half a line."""
  rows = []
  for line in out.splitlines():
    try:
      rows.append(json.loads(line))
    except ValueError:
      continue
  return [row for row in rows if isinstance(row, dict)]


def tap_fault(out):
  planned = re.search(r"^1\.\.(\d+)", out, re.M)
  passed = len(re.findall(r"^ok \d+(?!.*# SKIP)", out, re.M))
  if not planned or passed == 0 or re.search(r"^not ok", out, re.M):
    return "not all cases passed: " + last_lines(out)
  return None


def backend_fault(path, backend):
  """Whether a report tells of another backend than the wanted one."""
  with open(path, encoding="utf-8") as file:
    used = json.load(file)["backend"]
  return None if backend in (used, "auto") else f"{used} cut"


def rows_fault(out, wanted):
  """A program that compared fewer photos than it was given compared too few."""
  found = len(json_lines(out))
  return None if found == wanted else f"{found} of {wanted} photos compared"


def networks_fault(out):
  rows = json_lines(out)
  return None if rows and rows[0]["cuts"][1]["cut_ms"] is not None else "not cut on the device"


def silhouettes_fault(out, wanted):
  fault = rows_fault(out, wanted)
  return fault or (None if all("device_lock_free_ms" in row for row in json_lines(out)) else "not cut on the device")


def gate_fault(gate, out):
  return None if re.search(rf"^GATE {gate} value=0 wrong of [1-9]", out, re.M) else "no gate line: " + last_lines(out)


def sanitizer_fault(out):
  """Silence is a fault: the tool says so where it found nothing."""
  summary = re.search(r"ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard", out)
  if summary is None:
    return "no summary: " + last_lines(out)
  count = int(summary[1] or summary[2] or 0)
  first = next((line for line in out.splitlines() if re.match(r"=+ (Invalid|Uninit|Error|Barrier|Race|Warning)", line)), "")
  return f"{count} reports: {first}" if count else None


def kernels(out):
  """[{kernel, metric: value}] of ncu's table of details."""
  begin = re.search(r'^"ID"', out, re.M)
  if not begin:
    return []
  found = {}
  for row in csv.DictReader(io.StringIO(out[begin.start():])):
    if row.get("Metric Name"):
      kernel = found.setdefault(row["ID"], {"kernel": row["Kernel Name"]})
      kernel[f"{row['Metric Name']} ({row['Metric Unit']})"] = row["Metric Value"]
  return list(found.values())


def commit():
  path = os.path.join(photos.SOURCE, "commit")  # in a folder that was carried here
  if os.path.exists(path):
    with open(path, encoding="utf-8") as file:
      return file.read().strip()
  run = subprocess.run(["git", "-C", photos.SOURCE, "describe", "--always", "--dirty"], capture_output=True, text=True,
                       check=False)
  return run.stdout.strip() or "unknown"


def main(arguments):
  parser = argparse.ArgumentParser(prog="dev gpu", description="Check and time the CUDA backend.")
  parser.add_argument("build", nargs="?")
  parser.add_argument("out", nargs="?")
  parser.add_argument("--only", action="append", choices=[*PARTS, *LONG], help="this part; may be given again")
  parser.add_argument("--seconds", type=int, help="end each part after so many, where it would take longer")
  parser.add_argument("--probe", action="store_true", help="only say which device there is")
  options = parser.parse_args(arguments)
  try:
    found = device.find()
  except device.NoDevice as reason:
    print(f"gpu: {reason}: nothing to measure", file=sys.stderr)
    return NO_DEVICE
  print(f"{found['name']}, {found['memory_gib']} GiB, CUDA {found['cuda']}")
  if options.probe:
    return 0
  if options.out is None:
    parser.error("BUILD and OUT are missing")
  run = Run(options.build, options.out)
  if not os.path.exists(run.module):
    print("gpu: this build has no CUDA module: nvcc is not installed", file=sys.stderr)
    return 1
  run.result["device"] = found
  for part in options.only or PARTS:
    run.begin(part, options.seconds)
    getattr(run, part)()
  run.result["finished"] = True
  run.save()
  bad = [s for s in run.result["steps"] if s["state"] in ("failed", "hung")]
  print(f"{len(run.result['steps'])} steps, {len(bad)} failed; figures in {options.out}/gpu.json, {options.out}/gpu.md")
  return 1 if bad else 0


if __name__ == "__main__":
  sys.exit(main(sys.argv[1:]))
