#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""./dev gpu where there is no GPU: what it says, what it would carry, and its parts over made-up programs."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]
import carry  # noqa: E402
import device  # noqa: E402
import photos  # noqa: E402
import picture  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
import tap  # noqa: E402

BUILD = os.environ["FRETSAW_BUILD"]
NETWORK = {"network": "cube:1000", "nodes": 1002, "edges": 5400, "changes_ms": 5.0, "cpu_changes_ms": None, "cuts": [
  {"name": "cpu", "create_ms": 1.0, "cut_ms": None},
  {"name": "lists", "create_ms": 2.0, "cut_ms": 6.0, "rounds": 3, "steps": 17},
  {"name": "sweeps on rows", "create_ms": 2.0, "cut_ms": 7.0},
  {"name": "sweeps on a regular graph", "create_ms": 2.0, "cut_ms": None}]}
SILHOUETTE = {"photo": "a.jpg", "pixels": 100, "grid_ms": 1.0, "graph_ms": 2.0, "device_grid_ms": 3.0, "device_graph_ms": 4.0,
              "device_lock_free_ms": 5.0, "false_positive": 0.01, "false_negative": 0.02}
FOUND = {"name": "Abacus", "compute": "9.0", "processors": 7, "memory_gib": 1, "cuda": "12.4", "driver": None}
TIMES = {"median": 1.25, "worst": 2.5}
ROW = {"photo": "sample.jpg", "megapixels": 2.5, "neighbours": 4, "epochs": 3, "bytes_per_pixel": 30.0,
       "n_persons": 20, "n_turning": 3,
       **{f"{what}_{clock}_ms": TIMES for what in ("load", "build", "cold", "person", "flip", "undo", "stroke", "refit", "fitted",
                                                       "first_preview", "preview", "preview_again", "preview_painted", "preview_person")
          for clock in ("cpu", "wall", "device")},
       **{f"preview_{what}_wall_ms": {"median": 0.5, "worst": 0.5} for what in ("again", "painted", "person")},
       "preview": {"levels": 2, "band": 2, "share_cut": 0.0321, "share_wrong": 0.0015, "pyramid_bytes_per_pixel": 4.25,
                   "band_bytes_per_pixel": 1.75},
       "bytes_up": TIMES, "bytes_down": TIMES, "refit_bytes_up": TIMES}
LATENCIES = {"updates": 3, "latency_us": {"p50": 1500, "p95": 2500, "max": 3500}}
REPLAY = {"backend": "USED", "model": "kmeans", "check": {"settled": 4, "growing": 5, "previews": 6},
          **dict.fromkeys(("masks", "previews", "exact_masks", "settled_masks"), LATENCIES)}
RUNG = {"neighbours": 4, "rung": "atomic", "stop": "paper", "levels": 0, "iterations": 90, "finished": True, "ms": 2.0,
        "wrong": 1234, "share": 0.0082}


def no_gpu():
  return {**os.environ, "CUDA_VISIBLE_DEVICES": ""}


class WithoutGpu(unittest.TestCase):
  def test_dev_says_so_and_ends_with_77(self):
    done = subprocess.run([os.path.join(photos.SOURCE, "dev"), "gpu"], env=no_gpu(), capture_output=True, text=True,
                          timeout=60, check=False)
    self.assertEqual(done.returncode, 77, done.stderr)
    self.assertRegex(done.stderr, r"^gpu: .*: nothing to measure\n$")

  def test_the_page_says_that_nothing_is_measured(self):
    self.assertIn("Not measured yet", report.page(None))

  def test_the_picture_is_what_is_drawn(self):
    with open(os.path.join(photos.SOURCE, "docs", "gpu.svg"), encoding="utf-8") as file:
      self.assertEqual(file.read(), picture.drawing())


@unittest.skipUnless(os.path.exists(os.path.join(BUILD, carry.MODULE)), "this build has no CUDA module")
class Folder(unittest.TestCase):
  """What is carried."""

  @classmethod
  def setUpClass(cls):
    cls.temporary = tempfile.TemporaryDirectory()
    cls.folder = os.path.join(cls.temporary.name, "carried")
    with contextlib.redirect_stdout(io.StringIO()):
      cls.status = carry.main(BUILD, cls.folder)

  @classmethod
  def tearDownClass(cls):
    cls.temporary.cleanup()

  def files(self):
    return [os.path.join(where, name) for where, _, names in os.walk(self.folder) for name in names]

  @unittest.skipIf(os.environ.get("FRETSAW_SLOWNESS"), "sanitized programs are several times as large")
  def test_size(self):
    self.assertEqual(self.status, 0)
    self.assertLess(carry.size_mib(self.folder), carry.MAX_MIB)

  def test_every_library_is_there(self):
    programs = [p for p in self.files() if p.startswith(os.path.join(self.folder, "build"))]
    self.assertGreaterEqual(len(programs), 8)
    carried = set(os.listdir(os.path.join(self.folder, "lib")))
    for path in [*programs, *(p for p in self.files() if ".so" in p)]:
      out = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
      for needed in re.findall(r"NEEDED.*\[(.*)\]", out):
        self.assertTrue(needed in carried or needed.startswith(carry.OWN), f"{path}: {needed}")

  def test_photos_are_those_of_this_machine(self):
    with mock.patch.multiple(photos, SOURCE=self.folder, DATA=os.path.join(self.folder, "shared", "data"),
                             SAMPLE=tuple(p.replace(photos.SOURCE, self.folder) for p in photos.SAMPLE)):
      there = {name: bool(photos.strokes(name)) for name in photos.every()}
    self.assertEqual(there, {name: bool(photos.strokes(name)) for name in photos.every()})
    self.assertIn("sample", there)

  def test_it_runs(self):
    done = subprocess.run([os.path.join(self.folder, "run.sh"), self.temporary.name], env=no_gpu(), capture_output=True,
                          text=True, timeout=60, check=False)
    self.assertEqual(done.returncode, 77, done.stderr)

  def test_it_takes_no_other_folder_away(self):
    with tempfile.TemporaryDirectory() as mine:
      path = os.path.join(mine, "diary")
      with open(path, "w", encoding="utf-8") as file:
        file.write("dear")
      self.assertIn("not a folder", carry.main(BUILD, mine))
      self.assertTrue(os.path.exists(path))


class OverMadeUpPrograms(unittest.TestCase):
  """run.py with shell scripts in place of the programs."""

  def setUp(self):
    self.temporary = tempfile.TemporaryDirectory()
    self.addCleanup(self.temporary.cleanup)
    self.folder = self.temporary.name
    self.build = os.path.join(self.folder, "build")
    for program in run.TESTS.values():
      self.make(program, "printf '1..1\\nok 1 /it\\n'")
    self.make("tests/bench/bench_cuda", f"echo '{json.dumps(ROW)}'")
    self.make("tests/bench/bench_ladder", f"case $1 in check=*) ;; *) echo '{json.dumps(RUNG)}';; esac")
    self.make("tests/bench/dump_problem", "touch $5")
    self.make("tests/gpu/library-check", "echo same")
    # Say that the wanted backend cut.
    for name in ("tests/gpu/fretsaw-commands", "tests/app/replay_check"):
      self.make(name, f"""case $* in *cpu*) used=cpu;; *) used=cuda;; esac
while [ $# -gt 0 ]; do [ "$1" != --report ] || echo '{json.dumps(REPLAY)}' | sed s/USED/$used/ >"$2"; shift; done""")
    self.make("solver/kernels/fretsaw-cuda.so", "")
    self.make("compute-sanitizer", "echo '========= ERROR SUMMARY: 0 errors'")
    self.make("ncu", """printf '"ID","Kernel Name","Metric Name","Metric Unit","Metric Value"\\n'
printf '"0","solve(Args)","Duration","us","7.5"\\n'""")

  def make(self, name, text):
    path = os.path.join(self.build, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
      file.write("#!/bin/sh\n" + text + "\n")
    os.chmod(path, 0o755)

  def run_it(self, *more):
    with mock.patch.object(device, "find", return_value=FOUND), contextlib.redirect_stdout(io.StringIO()), \
         mock.patch.object(device, "tool", lambda name: os.path.join(self.build, name)):
      status = run.main([self.build, self.folder, *more])
    with open(os.path.join(self.folder, "gpu.json"), encoding="utf-8") as file:
      result = json.load(file)
    with open(os.path.join(self.folder, "gpu.md"), encoding="utf-8") as file:
      return status, result, file.read()

  def states(self, result):
    return {s["state"] for s in result["steps"]}

  def test_random_graphs(self):
    for said, state in (("value=0 wrong of 7 in 1.0 s PASS", "passed"), ("value=0 wrong of 0", "failed"), ("", "failed")):
      self.make("tests/gates/gates", f"echo \"GATE $3 {said}\"")
      self.assertEqual(self.states(self.run_it("--only", "graphs")[1]), {state})

  def test_problems(self):
    with mock.patch.object(photos, "problems", return_value=[("a.jpg", "a.png")]):
      status, result, page = self.run_it("--only", "problems")
      self.assertEqual((status, self.states(result)), (0, {"passed"}))
      self.assertIn("3 problems of 2.50 megapixels or more (1 photos), 7 masks in all", page)
      self.assertEqual([row["model"] for row in sorted(result["problems"], key=lambda row: row["model"])], ["geodesic", "gmm", "kmeans"])
      self.make("tests/bench/bench_cuda", "true")
      status, result, _ = self.run_it("--only", "problems")
      self.assertEqual((status, self.states(result)), (1, {"failed"}))

  def test_every_photo(self):
    pairs = [(f"{i}.jpg", f"{i}.png") for i in range(8)]
    for i, (cpu, device) in enumerate(((8, 4), (1, 1), (2, 0.5), (7, 6), (3, 1), (4, 1), (5, 1), (6, 1))):
      row = {**ROW, **{f"cold_{clock}_ms": {"median": ms, "worst": 9} for clock, ms in (("cpu", cpu), ("device", device), ("wall", device))}}
      self.make(f"rows/{i}.jpg", "echo '" + json.dumps(row) + "'")
    self.make("tests/bench/bench_cuda", 'for word; do photo=$seeds; seeds=$word; done; "$(dirname "$0")/../../rows/$photo"')
    with mock.patch.object(photos, "problems", return_value=pairs):
      status, result, page = self.run_it("--only", "every")
    self.assertEqual((status, self.states(result)), (0, {"passed"}))
    self.assertEqual([row["size"] for row in result["every"]], [2.55] * 8 + [12] * 2)
    self.assertIn("| 2.55 | easiest quarter | 2 | 1.50 / 2.00 | 0.75 / 1.00 | 0.75 / 1.00 | 1.25 / 1.25 | 1.25 / 1.25 | 0.75, 1 of 2 | 1.88, 0 of 2 | 0.75, 1 of 2 | 0.75, 1 of 2 |", page)
    self.assertIn("| 2.55 | hardest quarter | 2 | 7.50 / 8.00 | 5.00 / 6.00 |", page)
    self.assertIn("| 12 | all | 2 |", page)
    self.make("tests/bench/bench_cuda", "true")
    with mock.patch.object(photos, "problems", return_value=pairs):
      self.assertEqual(self.states(self.run_it("--only", "every")[1]), {"failed"})

  def test_many_grids(self):
    self.make("tests/gates/gates", 'echo "GATE $3 value=0 wrong of ${SCALE}000 in 1.0 s PASS"; echo "GATE S1 value=0 wrong of 9 PASS"')
    status, result, page = self.run_it("--only", "many")
    self.assertEqual((status, self.states(result)), (0, {"passed"}))
    self.assertIn("    GATE M value=0 wrong of 200000 in 1.0 s PASS\n    GATE S1 value=0 wrong of 9 PASS\n", page)

  def test_a_part_that_is_given_little_time(self):
    self.make("tests/gates/gates", "exec sleep 60")
    self.assertEqual(self.states(self.run_it("--only", "many", "--seconds", "2")[1]), {"skipped"})

  def test_replays(self):
    self.make("data/sessions/resize-photo", "echo $3 x $4 >$2")
    status, result, page = self.run_it("--only", "replays")
    self.assertEqual((status, self.states(result)), (0, {"passed"}))
    names = {row["session"] for row in result["replays"]}
    self.assertEqual(names, {name for name, *_ in photos.replays()})
    self.assertLessEqual({"sample", "sample-2.5mp", "sample-12mp"}, names)
    self.assertIn("- sample: 9 exact masks the same, 6 previews with every seed", page)
    self.make("data/sessions/resize-photo", "exit 1")
    status, result, page = self.run_it("--only", "replays")
    self.assertEqual((status, {row["session"] for row in result["replays"]}),
                     (1, {name for name, _, _, size in photos.replays() if size is None}))

  def test_networks(self):
    self.make("tests/bench/bench_graph_cuda", f"echo '{json.dumps(NETWORK)}'")
    status, result, page = self.run_it("--only", "networks")
    self.assertEqual((status, self.states(result)), (0, {"passed"}))
    self.assertIn("| cube | 1,002 | 5,400 | 1 | – | 2 | **6.0** | 3 | 17 | 7.0 | – | – | 5.0 |", page)
    late = {**NETWORK, "cuts": [NETWORK["cuts"][0], {**NETWORK["cuts"][1], "cut_ms": None}]}
    self.make("tests/bench/bench_graph_cuda", f"echo '{json.dumps(late)}'")
    status, result, _ = self.run_it("--only", "networks")
    self.assertEqual((status, self.states(result)), (1, {"failed"}))

  def test_silhouettes(self):
    self.make("tests/bench/bench_silhouettes", f"echo '{json.dumps(SILHOUETTE)}'")
    with mock.patch.object(photos, "silhouettes", return_value=[("a.jpg", "a.png", "b.png")]):
      status, result, page = self.run_it("--only", "silhouettes")
      self.assertEqual((status, self.states(result)), (0, {"passed"}))
      self.assertIn("| kmeans | 1 | **3.00 %** | 0.00 % | 1.00 % | 2.00 % | 1.0 | 3.0 | 2.0 | 4.0 | 5.0 |", page)
      without = {key: value for key, value in SILHOUETTE.items() if not key.startswith("device")}
      self.make("tests/bench/bench_silhouettes", f"echo '{json.dumps(without)}'")
      self.assertEqual(self.states(self.run_it("--only", "silhouettes")[1]), {"failed"})

  def test_sessions(self):
    status, result, page = self.run_it("--only", "sessions")
    self.assertEqual((status, self.states(result)), (0, {"passed"}))
    self.assertIn("| sample | kmeans | cuda | 3: 1.5 / 2.5 / 3.5 |", page)
    self.assertIn("9 exact masks", page)

  def test_a_device_that_is_not_used(self):
    self.make("tests/gpu/fretsaw-commands", """while [ $# -gt 0 ]; do
[ "$1" != --report ] || echo '{"backend": "cpu"}' >"$2"; shift; done""")
    status, result, page = self.run_it("--only", "program")
    self.assertEqual((status, self.states(result)), (1, {"passed", "failed"}))
    self.assertIn("cpu cut", page)

  def test_a_run_that_goes_well(self):
    status, result, page = self.run_it()
    self.assertEqual([step for step in result["steps"] if step["state"] != "passed"], [])
    self.assertEqual(status, 0)
    self.assertIs(result["finished"], True)
    for text in ("Abacus", "| 1.250 | 1.250 | 1.250 | **1.0** |", "1,234", "| `solve` | 7.5 us |", "racecheck: star",
                 "## Processor threads", "| photo | megapixels | neighbours | 1 thread | 2 threads | 8 threads | 16 threads |", "### Previews by levels", "| 20 | 3 | 1.250 / 2.500 |", "| **0.40** | 1.250 | 0.500 | **0.40** | 3.2 % | 0.15 % | 30.0 | 4.25 | 1.75 |"):
      self.assertIn(text, page)
    self.assertRegex(page, r"\| 2.5 \| 4 \| 0.40, (\d+) of \1 \| 1.00, 0 of \1 \| 0.40, \1 of \1 \| 0.40, \1 of \1 \|")

  def test_what_takes_the_processor_too_long(self):
    alone = {key: value for key, value in ROW.items() if "cpu" not in key and "preview" not in key}
    self.make("tests/bench/bench_cuda", f"""case $* in *--alone*) echo '{json.dumps(alone)}';; *) echo '{json.dumps(ROW)}';; esac""")
    with mock.patch.object(photos, "every", return_value={"bush": ("bush.jpg", "bush.png")}):
      status, result, page = self.run_it("--only", "times")
    self.assertEqual((status, self.states(result)), (0, {"passed"}))
    self.assertEqual({(row["photo"], row["size"]) for row in result["times"] if row["threads"] == 0}, {("bush", 12), ("bush", 48)})
    self.assertIn("| bush (hard) | 1.250 | 1.250 | – | – | 1.250 |", page)
    self.assertIn("The processor has 16 threads;", page)

  def test_a_page_of_two_calls(self):
    self.make("tests/bench/bench_cuda", "sleep 60")
    with mock.patch.dict(run.PARTS, {"times": (1, 1)}):
      first = self.run_it("--only", "times", "--only", "ladder")[1]
    self.make("tests/bench/bench_cuda", f"echo '{json.dumps(ROW)}'")
    second = self.run_it("--only", "times")[1]
    whole = report.merged([first, second])
    self.assertEqual(self.states(whole), {"passed"})
    self.assertEqual((len(whole["times"]), len(whole["ladder"])), (len(second["times"]), len(first["ladder"])))
    self.assertIn(" in 2 calls: Abacus", report.page(whole))

  def test_a_later_call_knows_better(self):
    first = self.run_it("--only", "times")[1]
    self.make("tests/bench/bench_cuda", f"echo '{json.dumps({**ROW, 'epochs': 9})}'")
    second = self.run_it("--only", "times")[1]
    again = {**second, "times": second["times"][:3]}
    rows = report.merged([first, again])["times"]
    known = {report.of_what(row) for row in again["times"]}
    self.assertEqual({report.of_what(row) for row in rows}, {report.of_what(row) for row in first["times"]})
    self.assertEqual([row["epochs"] for row in rows if report.of_what(row) in known], [9] * 3)
    self.assertLess({row["epochs"] for row in rows if report.of_what(row) not in known}, {3, 9})

  def test_parts_that_were_not_run_stay(self):
    old = "# T\n\nOf today, commit 1234abc, 9 seconds.\n\n## A\n\n1\n\n## B\n\n2\n\n## C\n\n3\n"
    new = "# T\n\nOf today, commit 5678def, 9 seconds.\n\n## A\n\n4\n\n## C\n\n5\n"
    page = report.kept(new, old)
    self.assertEqual(page, new.replace("## C", "## B\n\nFrom commit 1234abc; not run since.\n\n2\n\n## C"))
    self.assertEqual(report.kept(new, page), page)
    self.assertEqual(report.kept(new, "# T\n\nNot measured yet.\n"), new)

  def test_a_build_without_the_module(self):
    os.remove(os.path.join(self.build, "solver", "kernels", "fretsaw-cuda.so"))
    with mock.patch.object(device, "find", return_value=FOUND), contextlib.redirect_stdout(io.StringIO()), \
         contextlib.redirect_stderr(io.StringIO()):
      self.assertEqual(run.main([self.build, self.folder]), 1)

  def test_a_mask_that_differs(self):
    self.make("tests/bench/bench_cuda", "echo the two masks differ >&2; exit 1")
    status, result, page = self.run_it("--only", "times")
    self.assertEqual((status, self.states(result)), (1, {"failed"}))
    self.assertIn("the two masks differ", page)

  def test_a_test_that_fails_or_checks_nothing(self):
    for text in ("printf '1..1\\nnot ok 1 /it\\n'", "printf '1..1\\nok 1 /it # SKIP no device\\n'", "exit 77"):
      with self.subTest(text=text):
        self.make("tests/solver/test_star", text)
        status, result, _ = self.run_it("--only", "checks")
        self.assertEqual((status, self.states(result)), (1, {"passed", "failed"}))

  def test_a_sanitizer_that_finds_or_says_nothing(self):
    for text in ("echo '========= ERROR SUMMARY: 2 errors'", "true",
                 "echo '========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)'"):
      with self.subTest(text=text):
        self.make("compute-sanitizer", text)
        status, result, _ = self.run_it("--only", "sanitizers")
        self.assertEqual((status, self.states(result)), (1, {"failed"}))

  def test_a_step_that_hangs_does_not_lose_the_rest(self):
    self.make("tests/solver/test_star", "sleep 60")
    with mock.patch.dict(run.PARTS, {"checks": (20, 1)}):
      status, result, _ = self.run_it("--only", "checks", "--only", "ladder")
    self.assertEqual((status, self.states(result)), (1, {"passed", "hung"}))
    self.assertTrue(result["ladder"])

  def test_expansion_moves(self):
    images = os.path.join(self.folder, "image.png")
    with mock.patch.object(run.mrf_problems, "is_there", return_value=True), \
         mock.patch.object(run.mrf_problems, "images", return_value=[images] * 7):
      for text, wanted in (("echo cpu cycle", (0, {"passed"})), ("echo OTHER LABELS; exit 1", (1, {"failed"}))):
        with self.subTest(text=text):
          self.make("tests/bench/bench_moves", text)
          self.make("tests/bench/bench_objects", text)
          status, result, page = self.run_it("--only", "moves")
          self.assertEqual((status, self.states(result)), wanted)
          self.assertEqual({row["problem"] for row in result["moves"]}, {"five objects", *run.mrf_problems.GOALS})
          self.assertIn("## Expansion moves", page)

  def test_a_part_without_time(self):
    with mock.patch.dict(run.PARTS, {"times": (0, 1)}):
      status, result, page = self.run_it("--only", "times")
    self.assertEqual((status, self.states(result)), (0, {"skipped"}))
    self.assertIn("Not measured for want of time", page)

  def test_tools_that_are_not_there(self):
    with mock.patch.object(device, "find", return_value=FOUND), mock.patch.object(device, "tool", return_value=None), \
         contextlib.redirect_stdout(io.StringIO()):
      self.assertEqual(run.main([self.build, self.folder, "--only", "sanitizers", "--only", "profile"]), 0)


if __name__ == "__main__":
  sys.exit(tap.main())
