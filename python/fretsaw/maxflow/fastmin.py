# SPDX-License-Identifier: MIT
"""Energies of many labels over grids of any dimension, with neighbours along the axes (Boykov, Veksler & Zabih 2001).

Costs may be floats. Grids of 2 dimensions and up to 256 labels go to fretsaw.expansion, which rounds them.
"""

from itertools import combinations, count

import numpy as np

from ..arrays import as_array, as_whole
from ..errors import ElementsError, InvalidError
from ..labelling import Expansion
from .network import GraphFloat

_LABELS_MAX, _CYCLES_MAX = 256, (1 << 31) - 1


def energy_of_grid_labeling(unary, binary, labels):
  """The energy of labels: Σ unary[p, label] + Σ binary[label of the later, label of the former neighbour]."""
  unary, binary, labels = _take(unary, binary, labels, in_place=False)
  flat = labels.reshape(-1).astype(np.intp)
  energy = unary.reshape(flat.size, -1)[np.arange(flat.size), flat].sum()
  for axis in range(labels.ndim):
    former, later = _neighbours(labels, axis)
    energy += binary[later, former].sum()
  return energy


def aexpansion_grid(unary, binary, max_cycles=None, labels=None):
  """Minimises an energy by expansion moves until none changes it, or for max_cycles cycles. Returns the labels.

  unary: costs, shape (…, labels). binary: costs of neighbours' labels, shape (labels, labels), best a metric. labels:
  where to begin, changed in place; None: the cheapest of each pixel.
  """
  max_cycles = None if max_cycles is None else as_whole(max_cycles, "max_cycles", 0, _CYCLES_MAX)
  unary, binary, labels = _begin(unary, binary, labels)
  if labels.size == 0:
    return labels
  if labels.ndim == 2 and len(binary) <= _LABELS_MAX:
    labels[...] = _run_expansion(unary, binary, labels, max_cycles)
    return labels
  best = energy_of_grid_labeling(unary, binary, labels)
  for _ in count() if max_cycles is None else range(max_cycles):
    before = best
    for alpha in range(len(binary)):
      best = _try_move(unary, binary, labels, best, _expansion_move(alpha, unary, binary, labels)[1])
    if not best < before:
      break
  return labels


def abswap_grid(unary, binary, max_cycles=None, labels=None):
  """Minimises an energy by swaps of two labels each. Arguments and result: as of aexpansion_grid; binary needs no
  triangle inequality."""
  max_cycles = None if max_cycles is None else as_whole(max_cycles, "max_cycles", 0, _CYCLES_MAX)
  unary, binary, labels = _begin(unary, binary, labels)
  if labels.size == 0:
    return labels
  best = energy_of_grid_labeling(unary, binary, labels)
  for _ in count() if max_cycles is None else range(max_cycles):
    before = best
    for alpha, beta in combinations(range(len(binary)), 2):
      best = _try_move(unary, binary, labels, best, _swap_move(alpha, beta, unary, binary, labels)[1])
    if not best < before:
      break
  return labels


def aexpansion_grid_step(alpha, unary, binary, labels):
  """One expansion of alpha, in place. Returns the energy of the labels, and the graph."""
  unary, binary, labels = _take(unary, binary, labels)
  alpha = as_whole(alpha, "alpha", 0, len(binary) - 1)
  graph, moved = _expansion_move(alpha, unary, binary, labels)
  energy = _try_move(unary, binary, labels, energy_of_grid_labeling(unary, binary, labels), moved)
  return energy, graph


def abswap_grid_step(alpha, beta, unary, binary, labels):
  """One swap of two labels, in place. Returns the energy of the labels, and the graph."""
  unary, binary, labels = _take(unary, binary, labels)
  alpha, beta = as_whole(alpha, "alpha", 0, len(binary) - 1), as_whole(beta, "beta", 0, len(binary) - 1)
  graph, moved = _swap_move(alpha, beta, unary, binary, labels)
  energy = _try_move(unary, binary, labels, energy_of_grid_labeling(unary, binary, labels), moved)
  return energy, graph


# Arguments


def _take(unary, binary, labels, *, in_place=True):
  unary, binary = as_array(unary, "unary"), as_array(binary, "binary")
  for name, array in (("unary", unary), ("binary", binary)):
    if array.dtype.kind not in "biuf":
      raise ElementsError(f"{name}: elements must be numbers, not {array.dtype}")
    if not np.isfinite(array).all():
      raise InvalidError(f"{name}: there are elements that are no finite numbers")
  if unary.ndim == 0 or unary.shape[-1] == 0:
    raise InvalidError(f"unary: the shape is {unary.shape}; it must be (…, labels)")
  n_labels = unary.shape[-1]
  if binary.shape != (n_labels, n_labels):
    raise InvalidError(f"binary: the shape is {binary.shape}; it must be {(n_labels, n_labels)}")
  if not isinstance(labels, np.ndarray) or labels.dtype.kind not in "iu":
    raise ElementsError("labels: an array of integers is needed")
  if labels.shape != unary.shape[:-1]:
    raise InvalidError(f"labels: the shape is {labels.shape}; it must be {unary.shape[:-1]}")
  if labels.size and (labels.min() < 0 or labels.max() >= n_labels):
    raise InvalidError(f"labels: they must be 0 to {n_labels - 1}")
  if in_place and not labels.flags.writeable:
    raise InvalidError("labels: the array must be writeable; it is changed in place")
  return unary.astype(float, copy=False), binary.astype(float, copy=False), labels


def _begin(unary, binary, labels):
  if labels is None:
    unary = as_array(unary, "unary")
    if unary.ndim == 0 or unary.shape[-1] == 0:
      raise InvalidError(f"unary: the shape is {unary.shape}; it must be (…, labels)")
    if unary.dtype.kind not in "biuf":
      raise ElementsError(f"unary: elements must be numbers, not {unary.dtype}")
    labels = unary.argmin(axis=-1).astype(np.int8 if unary.shape[-1] <= 127 else np.int64)
    labels = np.asarray(labels)
  return _take(unary, binary, labels)


# Moves


def _neighbours(array, axis):
  """The former and the later of all pairs along an axis."""
  place = (slice(None),) * axis
  return array[place + (slice(None, -1),)], array[place + (slice(1, None),)]


def _run_expansion(unary, binary, labels, max_cycles):
  # The later neighbour comes first in `binary`.
  energy = Expansion(unary, binary.T, max_cycles=max_cycles or 0)
  return labels if max_cycles == 0 else energy.run(labels)[0]


def _try_move(unary, binary, labels, best, moved):
  """Applies a move where it lowers the energy, which it may not where costs are no metric."""
  energy = energy_of_grid_labeling(unary, binary, moved)
  if energy < best:
    labels[...] = moved
    return energy
  return best


def _add_pair_terms(graph, cost0, cost1, p, q, terms):
  """E(x_p, x_q) from its four values, for pairs of nodes; supermodular parts are cut off."""
  e00, e01, e10, e11 = terms
  np.add.at(cost1, p, e10 - e00)
  np.add.at(cost1, q, e11 - e10)
  graph.add_edges(q, p, np.maximum(e01 + e10 - e00 - e11, 0), np.zeros(p.size))


def _solve_move(graph, nodes, cost0, cost1):
  """Which nodes take 1."""
  graph.add_grid_tedges(nodes, cost0, cost1)
  graph.maxflow()
  return ~graph.get_grid_segments(nodes)


def _expansion_move(alpha, unary, binary, labels):
  """The best labels in which any pixel may have taken alpha, and the graph."""
  graph = GraphFloat()
  nodes = graph.add_nodes(labels.size).reshape(labels.shape)
  flat = labels.reshape(-1).astype(np.intp)
  costs = unary.reshape(flat.size, -1)
  cost0, cost1 = costs[np.arange(flat.size), flat].copy(), costs[:, alpha].copy()
  for axis in range(labels.ndim):
    p, q = (part.ravel() for part in _neighbours(nodes, axis))
    a, b = flat[p], flat[q]
    alphas = np.full(p.size, binary[alpha, alpha])
    _add_pair_terms(graph, cost0, cost1, p, q, (binary[b, a], binary[alpha, a], binary[b, alpha], alphas))
  takes = _solve_move(graph, nodes.ravel(), cost0, cost1).reshape(labels.shape)
  return graph, np.where(takes, labels.dtype.type(alpha), labels)


def _swap_move(alpha, beta, unary, binary, labels):
  """The best labels in which pixels of alpha and beta may have changed to the other one, and the graph; 1 is beta."""
  graph = GraphFloat()
  flat = labels.reshape(-1).astype(np.intp)
  takes_part = np.flatnonzero((flat == alpha) | (flat == beta))
  if takes_part.size == 0:
    return graph, labels.copy()
  graph.add_nodes(takes_part.size)
  nodes = np.full(flat.size, -1)
  nodes[takes_part] = np.arange(takes_part.size)
  costs = unary.reshape(flat.size, -1)
  cost0, cost1 = costs[takes_part, alpha].copy(), costs[takes_part, beta].copy()
  for axis in range(labels.ndim):
    former, later = (part.ravel() for part in _neighbours(np.arange(flat.size).reshape(labels.shape), axis))
    p, q = nodes[former], nodes[later]
    both = (p >= 0) & (q >= 0)
    terms = (np.full(int(both.sum()), binary[second, first]) for first in (alpha, beta) for second in (alpha, beta))
    _add_pair_terms(graph, cost0, cost1, p[both], q[both], tuple(terms))
    first, second = (p >= 0) & (q < 0), (p < 0) & (q >= 0)
    for cost, label in ((cost0, alpha), (cost1, beta)):
      np.add.at(cost, p[first], binary[flat[later[first]], label])
      np.add.at(cost, q[second], binary[label, flat[former[second]]])
  takes = _solve_move(graph, np.arange(takes_part.size), cost0, cost1)
  moved = flat.copy()
  moved[takes_part] = np.where(takes, beta, alpha)
  return graph, moved.reshape(labels.shape).astype(labels.dtype)
