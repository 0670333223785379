#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threads, interruptions, processes: many threads on many objects and on one, Control-C in each long call, copies and
pickles, forks, other interpreters, and exits while a thread solves."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402
import fretsaw  # noqa: E402
import numpy as np  # noqa: E402
import tap  # noqa: E402
from fretsaw import maxflow  # noqa: E402

CONTEXT = fretsaw.Context(threads=1)
SIZE = 500


def make_grid(seed=1, size=SIZE):
  rng = np.random.default_rng(seed)
  tlink = rng.integers(-100, 101, (size, size)).astype(np.int32)
  return fretsaw.Grid2D(tlink, [rng.integers(0, 250, (size, size)).astype(np.uint16) for _ in range(4)], context=CONTEXT)


def make_graph(seed=1, nodes=200000):
  rng = np.random.default_rng(seed)
  graph = fretsaw.Graph(nodes, context=CONTEXT)
  graph.add_edges(*rng.integers(0, nodes, (2, 6 * nodes)), rng.integers(0, 99, 6 * nodes), rng.integers(0, 99, 6 * nodes))
  graph.update(np.arange(nodes), rng.integers(-400, 401, nodes))
  return graph


def make_expansion(size=300):
  rng = np.random.default_rng(1)
  return fretsaw.Expansion(rng.integers(0, 100, (size, size, 16)), 20 * (1 - np.eye(16, dtype=int)), context=CONTEXT)


def make_photo(size=400):
  rng = np.random.default_rng(1)
  image = rng.integers(0, 256, (size, size, 3)).astype(np.uint8)
  photo = fretsaw.Photo(image, model="gmm", context=CONTEXT)
  photo.paint((9, 9), (size - 9, 9), radius=4, label=1)
  photo.paint((99, size / 2), (size - 99, size / 2), radius=4, label=2)
  return photo


def make_network():
  network = maxflow.GraphInt(context=CONTEXT)
  rng = np.random.default_rng(1)
  nodes = network.add_grid_nodes((40, 60, 60))
  network.add_grid_edges(nodes, rng.integers(0, 250, nodes.shape))
  network.add_grid_tedges(nodes, rng.integers(0, 300, nodes.shape), rng.integers(0, 300, nodes.shape))
  return network


LONG_CALLS = {
  "Grid2D.maxflow": (make_grid, lambda grid, **a: grid.maxflow(**a)),
  "Graph.maxflow": (make_graph, lambda graph, **a: graph.maxflow(**a)),
  "Expansion.run": (make_expansion, lambda energy, **a: energy.run(**a)[1].converged),
  "Photo.update": (make_photo, lambda photo, **a: photo.update(**a)),
  "Photo.finish": (make_photo, lambda photo, **a: photo.finish(**a)),
  "Photo.preview": (lambda: make_photo(1000), lambda photo, **a: int(photo.preview(**a).sum())),
}


@unittest.skipIf(package.SHARE > 1, "such a build takes minutes for them")
class LongCalls(unittest.TestCase):
  def test_control_c(self):
    """SIGINT ends each within moments; the next call goes on, to the same result."""
    calls = {**LONG_CALLS, "maxflow.Graph.maxflow": (make_network, lambda network: network.maxflow())}
    for name, (make, call) in calls.items():
      wanted = call(make())
      thing, caught = make(), 0
      timer = threading.Timer(0.03, os.kill, (os.getpid(), signal.SIGINT))
      start = time.monotonic()
      try:
        try:
          timer.start()
          call(thing)
        finally:
          took = time.monotonic() - start
          timer.join()
      except KeyboardInterrupt:
        caught = 1
      print(f"# {name}: {took:.2f} s")
      self.assertEqual(caught, 1, name)
      self.assertEqual(call(thing), wanted, name)

  def test_report(self):
    """An exception in the report comes out as it is, the object busy within, and then as before."""
    for name, (make, call) in LONG_CALLS.items():
      thing, busy = make(), []

      def report(fraction, thing=thing, call=call, busy=busy):
        try:
          call(thing)
        except fretsaw.BusyError as error:
          busy.append(error)
        raise LookupError(fraction)

      with self.assertRaises(LookupError) as caught:
        call(thing, progress=report)
      self.assertTrue(0 <= caught.exception.args[0] <= 1, name)
      self.assertEqual(len(busy), 1, name)
      self.assertEqual(call(thing), call(make()), name)


  def test_interrupted_labels(self):
    """An expansion leaves the labels of the last whole move in the caller's array."""
    energy, out = make_expansion(), np.zeros((300, 300), np.uint8)
    first = make_expansion().run()[1].energy

    def stop(fraction):
      raise LookupError

    with self.assertRaises(LookupError):
      energy.run(out=out, progress=stop)
    labels, result = energy.run(out, out=out)
    self.assertIs(labels, out)
    self.assertTrue(result.converged)
    self.assertLess(result.energy, 1.01 * first)


class Threads(unittest.TestCase):
  N = 8

  def run_threads(self, work):
    errors = []

    def guarded(i):
      try:
        work(i)
      except BaseException as error:  # pylint: disable=broad-except
        errors.append(error)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(self.N)]
    for thread in threads:
      thread.start()
    for thread in threads:
      thread.join()
    self.assertEqual(errors, [])

  def test_many_objects(self):
    """Each thread has a grid and a graph of its own, and one context for all."""
    wanted = [(make_grid(i, 150).maxflow(), make_graph(i, 5000).maxflow()) for i in range(self.N)]
    found = [None] * self.N

    def work(i):
      found[i] = make_grid(i, 150).maxflow(), make_graph(i, 5000).maxflow()

    self.run_threads(work)
    self.assertEqual(found, wanted)

  def test_one_object(self):
    """Calls that come while another is under way are refused, all others are right."""
    grid, graph = make_grid(3, 150), make_graph(3, 5000)
    wanted, tlinks = grid.maxflow(), graph.maxflow()
    counts = {"done": 0, "busy": 0}

    def work(i):
      for turn in range(30):
        try:
          if (i + turn) % 3 == 0:
            grid.update(pixels=[7], values=[1])
            grid.mask()
          elif (i + turn) % 3 == 1:
            self.assertLess(abs(grid.maxflow() - wanted), 300)
          else:
            self.assertEqual(graph.maxflow(), tlinks)
            graph.add_nodes(1)
            self.assertEqual(graph.mask().size, graph.node_count)
          counts["done"] += 1
        except fretsaw.BusyError:
          counts["busy"] += 1
        except fretsaw.InvalidError:   # nodes were added since the last solve, or the mask's size has changed
          counts["done"] += 1

    self.run_threads(work)
    self.assertEqual(sum(counts.values()), 30 * self.N)
    print(f"# {counts}")
    self.assertTrue(counts["done"] and grid.maxflow() and grid.certify())
    self.assertEqual(graph.maxflow(), tlinks)


class Copies(unittest.TestCase):
  def test_refused(self):
    for make in (lambda: make_grid(size=4), lambda: make_graph(nodes=4), lambda: make_expansion(4), lambda: make_photo(40)):
      for do in (copy.copy, copy.deepcopy, pickle.dumps):
        with self.assertRaisesRegex(fretsaw.UnsupportedError, r"a \w+ can be neither copied nor pickled"):
          do(make())

  def test_values(self):
    """Results, quantised arrays, contexts and errors can be, and networks as PyMaxflow's copy() has it."""
    grid = make_grid(size=4)
    grid.maxflow()
    quantized = fretsaw.quantize(np.ones((2, 2)) / 3, [np.ones((2, 2)) / 7] * 2)
    for thing in (grid.solution, grid.certify(), make_expansion(4).run()[1]):
      self.assertEqual(pickle.loads(pickle.dumps(thing)), thing)
    self.assertEqual(pickle.loads(pickle.dumps(quantized)).error, quantized.error)
    for error in (fretsaw.InvalidError("x"), fretsaw.ReadError(2, "no", "file")):
      self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))
    context = fretsaw.Context("auto", 3)
    self.assertEqual(pickle.loads(pickle.dumps(context)).__reduce__()[1], ("auto", 3))
    self.assertEqual(copy.copy(context).device, context.device)
    network = maxflow.GraphFloat(context=context)
    nodes = network.add_grid_nodes((3, 4))
    network.add_grid_edges(nodes, 0.5)
    network.add_grid_tedges(nodes, nodes, 3)
    flow = network.maxflow()
    for other in (copy.copy(network), copy.deepcopy(network), pickle.loads(pickle.dumps(network)), network.copy()):
      np.testing.assert_array_equal(other.get_grid_segments(nodes), network.get_grid_segments(nodes))
      other.add_grid_tedges(nodes, 1, 0)
      other.maxflow()
      self.assertEqual(network.maxflow(), flow)


class Processes(unittest.TestCase):
  def run_script(self, text):
    environment = dict(os.environ, PYTHONPATH=os.path.join(package.BUILD, "python"))
    start = f"import sys\nsys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\n"
    start += "import os, threading, time, fretsaw, numpy as np\nimport test_threads as t\n"
    return subprocess.run([sys.executable, "-c", start + textwrap.dedent(text)], env=environment, capture_output=True, text=True,
                          timeout=60, check=False)

  def test_exits(self):
    """A process ends at once though a daemon thread solves, and waits for other threads."""
    for daemon, call, delays in ((True, "maxflow", (0, 0.03)), (True, "certify", (0.02,)), (False, "maxflow", (0,))):
      for delay in delays:
        done = self.run_script(f"""
          import atexit
          grid, other = t.make_grid(), t.make_grid(size=60)
          if {call!r} == "certify":
            grid.maxflow()
          atexit.register(lambda: print(other.maxflow() > 0, bool(other.certify())))
          def work():
            for _ in range(40 if {daemon} else 1):
              grid.update(pixels=np.arange(9999), values=-7)
              grid.maxflow(progress=lambda fraction: None)
              grid.{call}()
            print("solved")
          threading.Thread(target=work, daemon={daemon}).start()
          time.sleep({delay})
          print("end")
        """)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stderr, "")
        self.assertEqual(sorted(done.stdout.split()), sorted(["end", "True", "True"] + ["solved"] * (not daemon)))

  def test_fork(self):
    """A child goes on with its parent's objects."""
    grid = make_grid(size=200)
    wanted = grid.maxflow()
    grid.update(pixels=[5], values=[-90])
    child = os.fork()
    if child == 0:
      os._exit(0 if abs(grid.maxflow() - wanted) < 300 and grid.certify() else 1)
    self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
    self.assertTrue(grid.maxflow() and grid.certify())

  def test_interpreters(self):
    """Another interpreter of the process is refused with a sentence."""
    done = self.run_script("""
      try:
        import _xxsubinterpreters as interpreters
      except ImportError:
        import _interpreters as interpreters
      number = interpreters.create()
      text = "import sys\\nsys.path[:] = " + repr(sys.path) + "\\n"
      text += "sys.modules['numpy'] = sys\\ntry:\\n  import fretsaw._fretsaw\\nexcept ImportError as error:\\n  print(error)\\n"
      interpreters.run_string(number, text)
      print(t.make_grid(size=30).maxflow() > 0)
    """)
    self.assertEqual((done.stdout, done.stderr), ("fretsaw can be imported by the main interpreter alone\nTrue\n", ""))

  def test_second_import(self):
    """A package that is imported again works, and raises its own errors."""
    done = self.run_script("""
      for name in [name for name in sys.modules if name.startswith("fretsaw")]:
        del sys.modules[name]
      import fretsaw as again
      assert again is not fretsaw
      try:
        again.Grid2D(np.ones((2, 2), np.int32), 1, context=again.Context(threads=1)).mask()
      except again.InvalidError as error:
        print(error)
    """)
    self.assertEqual((done.stdout, done.stderr), ("there is no mask before the first solve\n", ""))


if __name__ == "__main__":
  sys.exit(tap.main())
