#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Energies of many labels with costs of any sign and type, and links that leave out what has no neighbour."""

import itertools
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402
import fretsaw  # noqa: E402
import numpy as np  # noqa: E402
import tap  # noqa: E402


def find_energy(D, V, weights, labels):
  """By the definition, in Python's numbers."""
  y, x = np.indices(labels.shape)
  total = D[y, x, labels].sum()
  for d, weight in enumerate(weights):
    here, there = package.slices(labels.shape, d)
    total += (weight[here].astype(np.result_type(V, weight, np.int64)) * V[labels[here], labels[there]]).sum()
  return total


def find_present_energy(D, V, weights, labels, present):
  """That of the pixels that are there, and of their pairs."""
  kept = [np.where(present, weight, 0) for weight in weights]
  for d, weight in enumerate(kept):
    here, there = package.slices(labels.shape, d)
    weight[here] = np.where(present[there], weight[here], 0)
  return find_energy(np.where(present[..., None], D, 0), V, kept, labels)


def shrink(plane, d):
  """A plane without the pixels that have no neighbour."""
  return plane[package.slices(plane.shape, d)[0]]


class Costs(unittest.TestCase):
  KINDS = list(itertools.product(("int", "negative", "float"), ("int", "negative", "float"), ("none", "number", "int", "float")))

  @staticmethod
  def make(rng, shape, kind, weight_kind, n_labels=3, pair_kind="int", n_planes=2):
    D = rng.integers(0, 30, (*shape, n_labels))
    V = 4 * np.abs(np.subtract.outer(np.arange(n_labels), np.arange(n_labels)))
    D, V = ({"int": costs, "negative": costs - 7, "float": costs * rng.random() * np.pi - 1}[k]
            for costs, k in ((D, kind), (V, pair_kind)))
    planes = [rng.integers(0, 4, shape).astype(np.uint16) for _ in range(n_planes)]
    if weight_kind == "float":
      planes = [plane * 0.7 for plane in planes]
    if weight_kind in ("none", "number"):
      planes = [np.full(shape, 1 if weight_kind == "none" else 3, np.uint16)] * n_planes
    given = {"none": None, "number": 3}.get(weight_kind, planes)
    return D, V, given, planes

  def test_kinds(self):
    """Energies are what they say, or within the error that is stated, and no expansion lowers them by more."""
    rng = np.random.default_rng(2)
    for i, (kind, pair_kind, weight_kind) in enumerate(self.KINDS):
      D, V, weights, planes = self.make(rng, (2, 3), kind, weight_kind, pair_kind=pair_kind, n_planes=(2, 4)[i % 2])
      with self.subTest(f"{kind} {pair_kind} {weight_kind}"):
        energy = fretsaw.Expansion(D, V, weights, neighbours=2 * len(planes), verify=True)
        is_float = "float" in (kind, pair_kind, weight_kind)
        self.assertEqual(energy.error > 0, is_float)
        self.assertLess(energy.error, 2e-3 * np.abs(D).max() * D.size)
        labels, result = energy.run()
        self.assertIs(type(result.energy), float if is_float else int)
        room = energy.error + 1e-9 if is_float else 0
        self.assertLessEqual(abs(result.energy - find_energy(D, V, planes, labels)), room)
        self.assertAlmostEqual(result.energy, result.data + result.smoothness)
        for alpha, mask in itertools.product(range(3), package.all_masks((2, 3))):
          self.assertGreaterEqual(find_energy(D, V, planes, np.where(mask, alpha, labels)), result.energy - 2 * room)

  def test_changes(self):
    """After new costs, negative ones too, the energy is that of a new object, from the cheapest labels on."""
    rng = np.random.default_rng(3)
    for kind, new_kind in (("int", "int"), ("int", "negative"), ("negative", "int"), ("float", "float"), ("float", "int")):
      D, V, weights, planes = self.make(rng, (4, 5), kind, "int")
      energy = fretsaw.Expansion(D, V, weights)
      energy.run()
      new = self.make(rng, (4, 5), new_kind, "int")[0]
      pixels = rng.permutation(20)[:7]
      changed = D.astype(np.result_type(D, new))
      changed.reshape(20, 3)[pixels] = new.reshape(20, 3)[pixels]
      energy.update(pixels, new.reshape(20, 3)[pixels])
      labels, result = energy.run()
      self.assertLessEqual(abs(result.energy - find_energy(changed, V, planes, labels)), energy.error + 1e-9)
      fresh = fretsaw.Expansion(changed, V, weights)
      self.assertAlmostEqual(result.energy, fresh.run()[1].energy, delta=2 * (energy.error + fresh.error) + 1e-9)
      np.testing.assert_array_equal(energy.run(labels)[0], labels)

  def test_present(self):
    """Pixels that are not there cost nothing and keep their labels; energy() is that of any labels."""
    rng = np.random.default_rng(8)
    for kind, pair_kind, weight_kind in self.KINDS:
      D, V, weights, planes = self.make(rng, (4, 5), kind, weight_kind, pair_kind=pair_kind)
      present = rng.random((4, 5)) < 0.7
      energy = fretsaw.Expansion(D, V, weights, present=present, order=[2, 0, 1])
      given = rng.integers(0, 3, (4, 5)).astype(np.uint8)
      room = energy.error + 1e-9
      self.assertLessEqual(abs(energy.energy(given) - find_present_energy(D, V, planes, given, present)), room)
      labels, result = energy.run(given)
      np.testing.assert_array_equal(labels[~present], given[~present])
      self.assertLessEqual(abs(result.energy - find_present_energy(D, V, planes, labels, present)), room)
      pixels = rng.permutation(20)[:9]
      D = D.copy()
      D.reshape(20, 3)[pixels] -= 9
      energy.update(pixels, D.reshape(20, 3)[pixels])
      self.assertLessEqual(abs(energy.energy(labels) - find_present_energy(D, V, planes, labels, present)),
                           energy.error + 1e-9)

  def test_order(self):
    rng = np.random.default_rng(9)
    D, V, weights, _ = self.make(rng, (30, 40), "int", "int", n_labels=9)
    self.assertEqual(fretsaw.expansion(D, 4, weights)[1], fretsaw.expansion(D, 4 * (1 - np.eye(9, dtype=int)), weights)[1])
    self.assertIs(type(fretsaw.expansion(D, 0.5, weights)[1].energy), float)
    first = fretsaw.expansion(D, V, weights)
    same = fretsaw.expansion(D, V, weights, order=range(9))
    np.testing.assert_array_equal(first[0], same[0])
    again = [fretsaw.expansion(D, V, weights, shuffle=7)[0] for _ in range(2)]
    np.testing.assert_array_equal(*again)
    for order in ([0, 1, 2], [0] * 9, range(1, 10)):
      with self.assertRaisesRegex(fretsaw.InvalidError, "order: "):
        fretsaw.Expansion(D, V, weights, order=order)

  def test_bound(self):
    """A dual start's bound is below the least energy, whatever the costs are."""
    rng = np.random.default_rng(4)
    for kind, weight_kind in (("int", "none"), ("negative", "int"), ("float", "float")):
      D, V, weights, planes = self.make(rng, (2, 3), kind, weight_kind)
      labels, bound = fretsaw.Expansion(D, V, weights).start()
      every = (np.array(given).reshape(2, 3) for given in itertools.product(range(3), repeat=6))
      least = min(find_energy(D, V, planes, given) for given in every)
      self.assertLessEqual(bound, least + 1e-9)
      self.assertGreater(bound, least - 30)
      self.assertGreaterEqual(find_energy(D, V, planes, labels) + 1e-9, least)

  def test_rounding(self):
    """Powers of two lose nothing; probabilities lose little."""
    rng = np.random.default_rng(5)
    exact = fretsaw.Expansion(rng.integers(0, 64, (5, 6, 3)) / 64, (1 - np.eye(3)) / 4, [rng.integers(0, 9, (5, 6)) / 8] * 2)
    self.assertEqual(exact.error, 0)
    D = -np.log(rng.dirichlet(np.ones(5), (40, 50)))
    energy = fretsaw.Expansion(D, 1 - np.eye(5), [np.exp(-rng.random((40, 50))) for _ in range(4)])
    _, result = energy.run()
    self.assertLess(energy.error, 1e-3 * result.energy)
    V = 0.07 * np.minimum(np.abs(np.subtract.outer(range(5), range(5))), 3)  # multiples of one number
    weights = [0.5 + rng.random((40, 50)) for _ in range(2)]
    energy = fretsaw.Expansion(D, V, weights)
    labels, result = energy.run()
    self.assertLess(energy.error, 1e-4 * result.energy)
    self.assertLessEqual(abs(result.energy - find_energy(D, V, weights, labels)), energy.error + 1e-9)

  def test_forecast(self):
    forecast = fretsaw.Expansion.forecast_bytes
    self.assertGreater(forecast((100, 200), 8), 100 * 200 * 8 * 4)
    self.assertGreater(forecast((100, 200), 8, weights=True), forecast((100, 200), 8))
    self.assertLess(forecast((100, 200), 8, low_memory=True), forecast((100, 200), 8))
    self.assertEqual(forecast((1 << 20, 1 << 20), 2), 0)
    grid = fretsaw.Grid2D.forecast_bytes
    self.assertLess(grid((100, 200), 8, borrow=True), grid((100, 200), 8))
    self.assertGreater(grid((100, 200), 8, links_back=True), grid((100, 200), 8))


class Planes(unittest.TestCase):
  """Planes that leave out the pixels without a neighbour are those with anything there."""

  def test_grids(self):
    rng = np.random.default_rng(6)
    for turn in range(package.times(40)):
      shape = tuple(rng.integers(1, 5, 2))
      tlink, forth, back = package.random_grid(rng, (4, 8)[turn % 2], shape)
      small = [[shrink(plane, d) for d, plane in enumerate(planes)] for planes in (forth, back)]
      whole, grid = fretsaw.Grid2D(tlink, forth, back), fretsaw.Grid2D(tlink, *small)
      self.assertEqual(whole.maxflow(), grid.maxflow())
      np.testing.assert_array_equal(whole.mask(), grid.mask())
      q, r = fretsaw.quantize(tlink, forth, back), fretsaw.quantize(tlink, *small)
      mask = whole.mask()
      self.assertEqual((fretsaw.Grid2D(q.tlink, q.links, q.links_back).energy(mask) / q.scale, q.gap(mask)),
                       (fretsaw.Grid2D(r.tlink, r.links, r.links_back).energy(mask) / r.scale, r.gap(mask)))

  def test_expansions(self):
    """The way of gco's wrappers: costs along rows and columns, negative ones, V less where labels are alike."""
    rng = np.random.default_rng(7)
    x = np.zeros((10, 12))
    x[:, 6:] = 1
    noisy = x + rng.normal(0, 0.6, x.shape)
    unary = (10 * np.dstack([noisy, 1 - noisy])).astype(np.int32)
    cost_v, cost_h = np.ones((9, 12), np.int32), np.ones((10, 11), np.int32)
    labels, result = fretsaw.expansion(unary, -10 * np.eye(2, dtype=np.int32), (cost_h, cost_v))
    self.assertGreater((labels == x).mean(), 0.9)
    planes = [np.ones(x.shape, int)] * 2
    self.assertEqual(result.energy, find_energy(unary, -10 * np.eye(2, dtype=int), planes, labels))
    with self.assertRaisesRegex(fretsaw.InvalidError, r"weights\[0\]: the shape is \(9, 12\); it must be \(10, 12\) or \(10, 11\)"):
      fretsaw.expansion(unary, np.eye(2), (cost_v, cost_h))


sys.exit(tap.main())
