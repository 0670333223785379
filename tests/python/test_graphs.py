#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Graph, the module maxflow and expansion, against all masks and labellings of small problems."""

import itertools
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402
import fretsaw  # noqa: E402
import numpy as np  # noqa: E402
import tap  # noqa: E402
from fretsaw import maxflow  # noqa: E402
from fretsaw.maxflow import engine, fastmin  # noqa: E402


def least_cut(n, source, sink, edges):
  """The least capacity of a cut, and of the sides that have it the largest of the source."""
  best = None
  for bits in itertools.product((0, 1), repeat=n):
    x = np.array(bits)
    cost = (source * (1 - x)).sum() + (sink * x).sum()
    for i, j, capacity, back in edges:
      cost += capacity * (x[i] > x[j]) + back * (x[j] > x[i])
    if best is None or (cost, -x.sum()) < best[:2]:
      best = cost, -x.sum(), x
  return best[0], best[2]


class Plain(unittest.TestCase):
  def test_small_graphs(self):
    rng = np.random.default_rng(1)
    for _ in range(package.times(60)):
      n, m = int(rng.integers(1, 7)), int(rng.integers(0, 12))
      graph = fretsaw.Graph(1)
      graph.add_nodes(n - 1)
      tlink = rng.integers(-9, 10, n)
      i, j = rng.integers(0, n, (2, m))
      capacity, back = rng.integers(0, 9, (2, m))
      graph.add_edges(i, j, capacity, back)
      graph.update(np.arange(n), tlink)
      for again in range(2):
        energy, side = least_cut(n, np.maximum(tlink, 0), np.maximum(-tlink, 0), list(zip(i, j, capacity, back)))
        self.assertEqual(graph.maxflow(), energy)
        self.assertEqual(graph.mask().astype(int).tolist(), side.tolist())
        self.assertTrue(graph.certify())
        if m and not again:
          capacity[0], back[0], tlink[0] = 5, 2, 3
          graph.update_edges([0], 5, 2)
          graph.update([0], 3)
      self.assertEqual((graph.node_count, graph.edge_count), (n, m))

  def test_dimacs(self):
    text = b"p max 4 4\nn 1 s\nn 4 t\na 1 2 5\na 2 3 3\na 3 4 4\na 1 3 1\n"
    with tempfile.NamedTemporaryFile(suffix=".max") as file:
      file.write(text)
      file.flush()
      for source in (text, bytearray(text), file.name):
        self.assertEqual(fretsaw.Graph.read_dimacs(source).maxflow(), 4)
    with self.assertRaises(fretsaw.FormatError):
      fretsaw.Graph.read_dimacs(b"p max two\n")
    with self.assertRaisesRegex(fretsaw.InvalidError, "^source: line 4: the arc's second node is larger than 2"):
      fretsaw.Graph.read_dimacs(b"p max 2 1\nn 1 s\nn 2 t\na 1 9 5\n")
    with self.assertRaisesRegex(fretsaw.InvalidError, "^max_bytes: line 1: 4 nodes and 4 arcs take"):
      fretsaw.Graph.read_dimacs(text, max_bytes=10)
    with self.assertRaises(OSError) as caught:
      fretsaw.Graph.read_dimacs("/nowhere/at/all.max")
    self.assertIsInstance(caught.exception, fretsaw.ReadError)

  def test_refused(self):
    graph = fretsaw.Graph(2)
    for kind, words, call in ((ValueError, "nodes: -1", lambda: fretsaw.Graph(-1)),
                              (ValueError, "ends: there are 2, and 1 starts", lambda: graph.add_edges([0], [0, 1], 1)),
                              (ValueError, "ends: numbers must be 0 to 1", lambda: graph.add_edges([0], [-1], 1)),
                              (ValueError, "ends: numbers", lambda: graph.add_edges([0], [2], 1)),
                              (ValueError, "capacity: -1; it must be 0 to", lambda: graph.add_edges([0], [1], -1)),
                              (TypeError, "capacity: elements must be int32, not float64",
                               lambda: graph.add_edges([0], [1], 0.5)),
                              (ValueError, "nodes: numbers", lambda: graph.update([2], [1])),
                              (ValueError, "edges: there are none", lambda: graph.update_edges([0], 1, 1)),
                              (ValueError, "", graph.mask)):
      with self.assertRaisesRegex(kind, words) as caught:
        call()
      self.assertIsInstance(caught.exception, fretsaw.Error)


class PyMaxflowNames(unittest.TestCase):
  def random_graph(self, rng, kind):
    """A graph of a random layout, and the same as lists."""
    graph = maxflow.Graph[kind]()
    shape = tuple(rng.integers(1, (9, 4, 3)[(ndim := int(rng.integers(1, 4))) - 1], ndim))
    ids = graph.add_grid_nodes(shape)
    n, edges = ids.size, []
    for _ in range(int(rng.integers(1, 4))):
      structure = rng.integers(0, 3, tuple(rng.choice([1, 3], ndim)) if rng.random() < 0.8 else (5,) * ndim)
      if rng.random() < 0.3:
        structure = None
      weights = rng.integers(0, 6, shape) if rng.random() < 0.6 else int(rng.integers(0, 6))
      if kind is float:
        weights = weights * 0.37
      symmetric, periodic = bool(rng.random() < 0.5), bool(rng.random() < 0.2)
      some = np.where(rng.random(shape) < 0.2, -1, ids) if rng.random() < 0.3 else ids
      graph.add_grid_edges(some, weights, structure, symmetric, periodic)
      if structure is None:
        structure = maxflow.vonNeumann_structure(ndim, symmetric)
      edges += self.list_edges(some, np.broadcast_to(weights, shape), structure, symmetric, periodic)
    if rng.random() < 0.4:
      first = int(graph.add_nodes(1)[0])
      n += 1
      graph.add_edge(first, 0, 2, 3)
      edges.append((first, 0, 2, 3))
    return graph, ids, n, edges

  @staticmethod
  def list_edges(ids, weights, structure, symmetric, periodic):
    edges, shape = [], ids.shape
    for place in itertools.product(*map(range, shape)):
      for at in itertools.product(*map(range, structure.shape)):
        other = tuple(p + a - s // 2 for p, a, s in zip(place, at, structure.shape))
        if periodic:
          other = tuple(o % s for o, s in zip(other, shape))
        elif any(not 0 <= o < s for o, s in zip(other, shape)):
          continue
        i, j, capacity = ids[place], ids[other], weights[place] * structure[at]
        is_centre = all(a == s // 2 for a, s in zip(at, structure.shape))
        if structure[at] != 0 and not is_centre and i != j and i != -1 and j != -1:
          edges.append((i, j, capacity, capacity if symmetric else 0))
    return edges

  def test_layouts(self):
    """Layouts of all kinds against their definition, again after more terminals, and as copies."""
    rng = np.random.default_rng(2)
    for turn in range(package.times(300)):
      kind = (int, float)[turn % 2]
      graph, ids, n, edges = self.random_graph(rng, kind)
      self.assertEqual(graph.get_edge_count(), 2 * len(edges))
      self.assertEqual(graph.get_node_count(), n)
      if n > 12:
        continue
      source, sink = np.zeros(n), np.zeros(n)
      for _ in range(2):
        a, b = rng.integers(-3, 9, ids.shape), rng.integers(0, 9, ids.shape)
        graph.add_grid_tedges(ids, a, b)
        np.add.at(source, ids.ravel(), a.ravel())
        np.add.at(sink, ids.ravel(), b.ravel())
        twice = np.array([0, n - 1, 0])
        graph.add_grid_tedges(twice, [1, 2, 3], 1)
        np.add.at(source, twice, [1, 2, 3])
        np.add.at(sink, twice, 1)
        energy, side = least_cut(n, source, sink, edges)
        copy = graph.copy()
        for one in (graph, copy):
          self.assertAlmostEqual(one.maxflow(), energy, delta=0 if kind is int else 1e-3)
        if kind is int:
          self.assertEqual((~graph.get_grid_segments(np.arange(n))).astype(int).tolist(), side.tolist())
        else:
          self.assertLess(graph.quantization_error, 1e-2)
          self.assertGreaterEqual(graph.maxflow(), energy - 1e-9)
          self.assertLessEqual(graph.maxflow(), energy + graph.quantization_error + 1e-9)

  def test_both_solvers(self):
    """Grids are cut by the grids' solver, others by the graphs', with one result."""
    rng = np.random.default_rng(3)
    for structure in (None, maxflow.moore_structure(2, True)):
      weights, source, sink = (rng.integers(0, 50, (30, 40)) for _ in range(3))
      results = []
      for extra in (False, True):
        graph = maxflow.GraphInt()
        ids = graph.add_grid_nodes((30, 40))
        graph.add_grid_edges(ids, weights, structure, symmetric=True)
        if extra:
          graph.add_edge(0, 5, 0, 0)
        graph.add_grid_tedges(ids, source, sink)
        results.append((graph.maxflow(), graph.get_grid_segments(ids).tolist()))
        self.assertIsInstance(graph._engine, engine.GraphEngine if extra else engine.GridEngine)
      self.assertEqual(*results)

  def test_large_capacities(self):
    """What does not fit into a grid's 16 bits goes to the other solver; more than 31 bits are refused."""
    for weight in (32767, 32768, 70000, 2 ** 31 - 1):
      graph = maxflow.GraphInt()
      ids = graph.add_grid_nodes((2, 2))
      graph.add_grid_edges(ids, weight, symmetric=True)
      graph.add_grid_tedges(ids, [[2 ** 35, 0], [0, 0]], [[0, 0], [0, 2 ** 34]])
      self.assertEqual(graph.maxflow(), min(2 * weight, 2 ** 34))
    graph = maxflow.GraphInt()
    ids = graph.add_grid_nodes((2, 2))
    graph.add_grid_edges(ids, 2 ** 31)
    with self.assertRaises(fretsaw.InvalidError):
      graph.maxflow()

  def test_infinite(self):
    graph = maxflow.GraphFloat()
    ids = graph.add_grid_nodes((3, 4))
    graph.add_grid_edges(ids, [0.5, np.inf, 0.25, 1])
    graph.add_grid_tedges(ids[:, 0], np.inf, 0)
    graph.add_grid_tedges(ids[:, -1], 0, np.inf)
    self.assertEqual(graph.maxflow(), 0.75)
    graph.add_edge(0, 11, np.inf, 0)
    self.assertEqual(graph.maxflow(), np.inf)

  def test_arrays_are_read_at_once(self):
    """What happens to weights and nodes after a call does not matter; every type of integers serves."""
    for dtype in (np.uint8, np.uint16, np.int32, np.int64, np.uint64, np.float32, bool):
      graph = maxflow.GraphInt()
      ids = graph.add_grid_nodes((2, 3))
      weights, source, sink = np.ones((2, 3), dtype), np.zeros((2, 3), dtype), np.zeros((2, 3), dtype)
      source[:, 0], sink[:, 2] = 1, 1
      graph.add_grid_edges(ids, weights)
      graph.add_grid_tedges(ids, source, sink)
      weights[...], source[...], sink[...] = 0, 0, 0
      self.assertEqual(graph.maxflow(), 2, dtype)
      ids[0, 0] = -1
      graph.add_grid_edges(ids, 5)
      self.assertEqual(graph.maxflow(), 2)

  def test_networkx(self):
    try:
      import networkx
    except ImportError:
      self.skipTest("networkx is missing")
    graph = maxflow.GraphInt()
    ids = graph.add_grid_nodes((2, 3))
    graph.add_grid_edges(ids, 2)
    graph.add_grid_tedges(ids, [[5, 1, 0], [2, 0, 0]], [[0, 0, 1], [0, 1, 6]])
    before = graph.get_nx_graph()
    self.assertEqual(before["s"][0]["weight"], 5)
    self.assertEqual(networkx.maximum_flow_value(before, "s", "t", capacity="weight"), graph.maxflow())
    after = graph.get_nx_graph()
    self.assertFalse(networkx.has_path(after, "s", "t"))
    self.assertEqual(after.nodes[0]["segment"], 0)

  def test_refused(self):
    graph = maxflow.GraphInt()
    ids = graph.add_grid_nodes((2, 2))
    for kind, words, call in (
        (ValueError, "nodes are 0 to 3", lambda: graph.add_edge(0, 4, 1, 1)),
        (ValueError, "weights: capacities of edges must not be negative", lambda: graph.add_grid_edges(ids, -1)),
        (ValueError, "weights: there are elements that are no integers", lambda: graph.add_grid_edges(ids, np.nan)),
        (ValueError, r"weights: the shape is \(3,\)", lambda: graph.add_grid_edges(ids, [1, 2, 3])),
        (ValueError, "every size must be odd", lambda: graph.add_grid_edges(ids, 1, np.ones((2, 2)))),
        (ValueError, "structure: there are 3 dimensions", lambda: graph.add_grid_edges(ids, 1, np.ones((3, 3, 3)))),
        (TypeError, "nodeids: elements must be integers, not float64", lambda: graph.add_grid_edges(ids * 1.0)),
        (ValueError, "sourcecaps and sinkcaps", lambda: graph.add_grid_tedges(ids, [1, 2, 3], 0)),
        (ValueError, "num_nodes: 0", lambda: graph.add_nodes(0)),
        (ValueError, "i: 4", lambda: graph.get_segment(4))):
      with self.assertRaisesRegex(kind, words) as caught:
        call()
      self.assertIsInstance(caught.exception, fretsaw.Error)


class Labels(unittest.TestCase):
  @staticmethod
  def energy(D, V, weights, labels):
    y, x = np.indices(labels.shape)
    total = D[y, x, labels].sum()
    for d, weight in enumerate(weights):
      here, there = package.slices(labels.shape, d)
      total += (weight[here].astype(int) * V[labels[here], labels[there]]).sum()
    return total

  def test_expansions(self):
    """No expansion lowers the energy that is told, and both starts end so."""
    rng = np.random.default_rng(4)
    for turn in range(package.times(20)):
      shape, n_labels, n_planes = (3, 3), 3, (2, 4)[turn % 2]
      D = rng.integers(0, 30, (*shape, n_labels)).astype(np.int32)
      V = 4 * np.abs(np.subtract.outer(np.arange(n_labels), np.arange(n_labels)))
      weights = [rng.integers(0, 4, shape).astype(np.uint16) for _ in range(n_planes)]
      for dual_start in (False, True)[:2 if n_planes == 2 else 1]:
        labels, result = fretsaw.expansion(D, V, weights, dual_start=dual_start, verify=True)
        self.assertEqual(result.energy, self.energy(D, V, weights, labels))
        self.assertTrue(result.converged)
        self.assertFalse(result.truncated)
        for alpha in range(n_labels):
          for mask in package.all_masks(shape):
            self.assertGreaterEqual(self.energy(D, V, weights, np.where(mask, alpha, labels)), result.energy)

  def test_changed_costs(self):
    D = np.zeros((1, 3, 2), np.int32)
    D[0, :, 1] = 5
    energy = fretsaw.Expansion(D, [[0, 1], [1, 0]])
    self.assertEqual(energy.run()[0].tolist(), [[0, 0, 0]])
    energy.update([1, 2], [[9, 0], [9, 0]])
    labels, result = energy.run()
    self.assertEqual((labels.tolist(), result.energy), ([[0, 1, 1]], 1))

  def test_fastmin(self):
    """In 1 to 3 dimensions no move lowers the energy any more, and engines agree about it."""
    rng = np.random.default_rng(5)
    for turn in range(package.times(24)):
      shape = ((5,), (2, 3), (2, 2, 2))[turn % 3]
      unary = rng.random((*shape, 3)) * 4
      binary = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) * rng.random()
      labels = maxflow.aexpansion_grid(unary, binary)
      energy = fastmin.energy_of_grid_labeling(unary, binary, labels)
      for alpha in range(3):
        for mask in package.all_masks(shape):
          moved = np.where(mask, alpha, labels)
          self.assertGreaterEqual(fastmin.energy_of_grid_labeling(unary, binary, moved), energy - 1e-5)
      given = np.zeros(shape, int)
      swapped = maxflow.abswap_grid(unary, binary, labels=given)
      self.assertIs(swapped, given)
      energy = fastmin.energy_of_grid_labeling(unary, binary, swapped)
      for alpha, beta in itertools.combinations(range(3), 2):
        for mask in package.all_masks(shape):
          either = np.isin(swapped, (alpha, beta))
          moved = np.where(either, np.where(mask, alpha, beta), swapped)
          self.assertGreaterEqual(fastmin.energy_of_grid_labeling(unary, binary, moved), energy - 1e-5)

  def test_steps(self):
    unary = np.array([[[0, 3.0], [2, 0], [3, 0]]])
    binary = np.array([[0, 1.0], [1, 0]])
    for step in (lambda labels: fastmin.aexpansion_grid_step(1, unary, binary, labels),
                 lambda labels: fastmin.abswap_grid_step(0, 1, unary, binary, labels)):
      labels = np.zeros((1, 3), int)
      energy, graph = step(labels)
      self.assertEqual((energy, labels.tolist()), (1.0, [[0, 1, 1]]))
      self.assertEqual(graph.get_node_count(), 3)

  def test_refused(self):
    D, V = np.zeros((2, 2, 3), np.int32), np.zeros((3, 3), np.int32)
    for kind, words, call in (
        (ValueError, r"D: the shape is \(2, 2\)", lambda: fretsaw.expansion(D[..., 0], V)),
        (ValueError, r"V: the shape is \(2, 2\)", lambda: fretsaw.expansion(D, V[:2, :2])),
        (TypeError, "D: elements must be numbers, not complex128$", lambda: fretsaw.expansion(D * 1j, V)),
        (ValueError, "D: those of a pixel may be 100000000 apart", lambda: fretsaw.expansion(D + np.arange(3) * 10 ** 8, V)),
        (ValueError, "V: costs are up to 3000 apart, times 5000", lambda: fretsaw.expansion(D, V - np.eye(3, dtype=int) * 3000,
                                                                                          5000)),
        (ValueError, "labels: 3; it must be 0 to 2", lambda: fretsaw.expansion(D, V, labels=np.full((2, 2), 3))),
        (ValueError, "V is of no kind for a dual start", lambda: fretsaw.expansion(D, [[0, 5, 1], [5, 0, 1], [3, 1, 0]],
                                                                                   dual_start=True)),
        (ValueError, "weights: -1 is outside", lambda: fretsaw.expansion(D, V, -1)),
        (ValueError, "weights: a sequence", lambda: fretsaw.expansion(D, V, {})),
        (TypeError, "costs: elements must be int32, as those of D", lambda: fretsaw.Expansion(D, V).update([0], [[0.5, 1, 1]])),
        (ValueError, "weights: there are 1", lambda: fretsaw.expansion(D, V, [np.ones((2, 2), np.uint16)]))):
      with self.assertRaisesRegex(kind, words) as caught:
        call()
      self.assertIsInstance(caught.exception, fretsaw.Error)


sys.exit(tap.main())
