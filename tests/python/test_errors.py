#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong arguments: each argument of each function takes values of other types, shapes, ranges and layouts. A call
returns, or raises a fretsaw.Error that names one of the arguments, and nothing that Python does not have."""

import itertools
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402,F401
import fretsaw  # noqa: E402
import numpy as np  # noqa: E402
import tap  # noqa: E402
from fretsaw import maxflow  # noqa: E402
from fretsaw.maxflow import fastmin  # noqa: E402

SHAPE = (4, 5)
ALSO = ("an edge's capacities sum up", "the edges of a node sum up")   # of arguments to several calls
READING = (fretsaw.FormatError, fretsaw.ReadError)
ALIEN = re.compile(r"FRETSAW_|fretsaw_|\bNULL\b|\.size\b|sizeof|\bnlink|\bn_[a-z]+|\bn-link|\bG_|%[a-z]|\bchange \d|buffer "
                   r"protocol|argument \d")


class Odd:
  """Neither a number nor an array."""


def stepped(array):
  """The same values, with gaps between them."""
  wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
  wide[..., ::2] = array
  return wide[..., ::2]


def locked(array):
  array = array.copy()
  array.flags.writeable = False
  return array


def list_scalars():
  huge = 10 ** 30
  return [None, "8", b"x", Odd(), object, [], {}, (), (1,), [[1], [1, 2]], -1, 0, 3, 7, 2 ** 31, -2 ** 31, 2 ** 40, -2 ** 63,
          2 ** 64, huge, -huge, 0.5, -0.5, float("nan"), float("inf"), -float("inf"), 1e300, True, 1j, np.int8(-1),
          np.float32(2.5), np.zeros(0), np.zeros(3), np.zeros((2, 2, 2)), "east", "cpu", bool]


def list_arrays(array):
  """Arrays in place of one that is right."""
  yield from (stepped(array), locked(array), array[::-1].copy()[::-1], np.asfortranarray(array), array.T)
  yield from (array.astype(array.dtype.newbyteorder()), array.astype(np.int64), array.astype(np.uint8))
  yield from (array.astype(float), array.astype(np.float16), array.astype(complex), array.astype(object), array.astype(str))
  yield from (array[:0], array[..., :0], array[None], array[..., None], array.ravel(), array[:-1], array[..., :-1])
  if array.dtype.kind in "iu":
    yield from (np.full_like(array, np.iinfo(array.dtype).max), np.full_like(array, np.iinfo(array.dtype).min))
  yield from (np.full(array.shape, value) for value in (-1, 2 ** 31, -2 ** 40, 2 ** 62, 0.5, np.nan, np.inf, -np.inf, 1e300))
  yield np.full(array.shape, 2 ** 64 - 1, np.uint64)
  yield np.broadcast_to(array.ravel()[:1].reshape((1,) * array.ndim), array.shape)
  yield np.ma.masked_array(array)
  yield array.tolist()
  # One element, as often as nobody could read.
  if array.ndim > 1:
    yield np.broadcast_to(array.dtype.type(1), (2 ** 25,) * 2 + array.shape[2:])
  yield np.zeros(array.shape, [("a", "i4"), ("b", "i4")])
  yield np.zeros(array.shape, "M8[s]")


def wrong_values(value):
  yield from list_scalars()
  if isinstance(value, np.ndarray):
    yield from list_arrays(value)
  if isinstance(value, (tuple, list)) and value and isinstance(value[0], np.ndarray):
    yield from (value[:1], value + value, value + value[:1])
    for wrong in (*list_scalars(), *list_arrays(value[0])):
      yield (wrong, *value[1:])
      yield (*value[:-1], wrong)


def made_photo(*, cut=True):
  image = np.zeros((*SHAPE, 3), np.uint8)
  image[1:3, 1:4] = 200
  photo = fretsaw.Photo(image)
  photo.set_seeds(made_seeds())
  if cut:
    photo.finish()
  return photo


def made_seeds():
  seeds = np.zeros(SHAPE, np.uint8)
  seeds[0], seeds[2, 2] = 1, 2
  return seeds


def made_grid(**options):
  return fretsaw.Grid2D(np.ones(SHAPE, np.int32), 1, **options)


def made_graph():
  graph = fretsaw.Graph(4)
  graph.add_edges([0, 1], [1, 2], [5, 6])
  return graph


def made_expansion():
  return fretsaw.Expansion(np.ones((*SHAPE, 3), np.int32), np.ones((3, 3), np.int32))


def made_network(kind=int):
  network = maxflow.Graph[kind]()
  network.add_grid_nodes(SHAPE)
  return network


def list_calls():
  """(name, function, valid arguments); functions make their objects anew."""
  tlink, plane, seeds = np.ones(SHAPE, np.int32), np.ones(SHAPE, np.uint16), made_seeds()
  image, mask = np.full((*SHAPE, 3), 90, np.uint8), np.ones(SHAPE, bool)
  planes = (plane, plane)
  inside = tuple(np.pad(plane[:3, :4], ((0, 1), (0, 1))) for _ in range(2))
  D, V = np.ones((*SHAPE, 3), np.int32), np.ones((3, 3), np.int32)
  numbers, values = np.arange(3), np.ones(3, np.int32)
  edge = {"width": 2, "shift": 1.0, "contrast": 0, "smooth": 0, "background": 0, "specks": 0, "holes": 0, "zones": seeds,
          "keep_hidden": False, "progress": None}
  segmented = {"image": image, "seeds": seeds, "guess": np.full(SHAPE, 90, np.uint8), "found": False, "progress": None}
  photo = {"image": image, "order": "rgb", "model": "gmm", "neighbours": 8, "smoothness": 1.0, "star": True, "iterations": 1,
           "verify": False, "context": None}
  yield "Context", fretsaw.Context, {"device": "cpu", "threads": 1}
  yield "Grid2D", fretsaw.Grid2D, {"tlink": tlink, "links": planes, "links_back": planes, "neighbours": 4, "borrow": False,
                                   "changes_links": False, "context": None}
  yield "Grid2D", fretsaw.Grid2D, {"tlink": tlink, "links": 5, "links_back": 3, "neighbours": 8}
  yield "Grid2D", fretsaw.Grid2D, {"tlink": tlink, "links": inside, "links_back": inside, "borrow": True}
  yield "Grid2D.maxflow", lambda **a: made_grid().maxflow(**a), {"progress": None}
  yield "Grid2D.mask", lambda **a: [g := made_grid(), g.maxflow(), g.mask(**a)], {"out": mask.copy()}
  yield "Grid2D.energy", lambda **a: [g := made_grid(), g.maxflow(), g.energy(**a)], {"mask": mask}
  yield "Grid2D.update", lambda **a: made_grid().update(**a), {"tlink": tlink}
  yield "Grid2D.update", lambda **a: made_grid().update(**a), {"pixels": numbers, "values": values}
  yield "Grid2D.update", lambda **a: made_grid().update(**a), {"pixels": (numbers, numbers), "values": values}
  yield "Grid2D.update", lambda **a: made_grid().update(**a), {"pixels": mask, "values": 1}
  yield ("Grid2D.update_links", lambda **a: made_grid(changes_links=True).update_links(**a),
         {"pixels": numbers, "direction": "east", "forth": values, "back": values})
  yield "Grid2D.forecast_bytes", fretsaw.Grid2D.forecast_bytes, {"shape": SHAPE, "neighbours": 4}
  yield "Graph", fretsaw.Graph, {"nodes": 2, "context": None}
  yield "Graph.add_nodes", lambda **a: made_graph().add_nodes(**a), {"n": 3}
  yield ("Graph.add_edges", lambda **a: made_graph().add_edges(**a),
         {"starts": numbers, "ends": numbers, "capacity": values, "back": values})
  yield "Graph.update", lambda **a: made_graph().update(**a), {"nodes": numbers, "values": values}
  yield ("Graph.update_edges", lambda **a: made_graph().update_edges(**a),
         {"edges": numbers[:2], "capacity": values[:2], "back": values[:2]})
  yield "Graph.maxflow", lambda **a: made_graph().maxflow(**a), {"progress": None}
  yield "Graph.mask", lambda **a: [g := made_graph(), g.maxflow(), g.mask(**a)], {"out": np.ones(4, bool)}
  yield "Graph.forecast_bytes", fretsaw.Graph.forecast_bytes, {"nodes": 3, "edges": 4}
  yield ("Graph.read_dimacs", fretsaw.Graph.read_dimacs,
         {"source": b"p max 2 1\nn 1 s\nn 2 t\na 1 2 5\n", "max_bytes": 0, "context": None})
  yield "Photo", fretsaw.Photo, photo
  yield "Photo.set_seeds", lambda **a: made_photo().set_seeds(**a), {"seeds": seeds}
  yield "Photo.change_seeds", lambda **a: made_photo().change_seeds(**a), {"pixels": numbers, "labels": values}
  yield "Photo.paint", lambda **a: made_photo().paint(**a), {"start": (1, 2), "end": (3, 2), "radius": 1, "label": 2}
  yield "Photo.set_guess", lambda **a: made_photo().set_guess(**a), {"guess": np.full(SHAPE, 90, np.uint8), "found": True}
  yield "Photo.set_guess", lambda **a: made_photo().set_guess(**a), {"numbers": seeds}
  yield "segment", fretsaw.segment, {"image": image, "numbers": seeds, "found": False}
  for name in ("update", "finish", "preview"):
    yield "Photo." + name, lambda name=name, **a: getattr(made_photo(cut=False), name)(**a), {"progress": None}
  yield "Photo.preview", lambda **a: made_photo().preview(**a), {"out": mask.copy()}
  yield "Photo.labels", lambda **a: made_photo().labels(**a), {"out": seeds.copy(), "progress": None}
  yield "Photo.mask", lambda **a: made_photo().mask(**a), {"out": mask.copy()}
  yield "Photo.cutout", lambda **a: made_photo().cutout(**a), {"out": np.zeros((*SHAPE, 4), np.uint8), **edge}
  yield "Photo.alpha", lambda **a: made_photo().alpha(**a), {"out": seeds.copy(), **edge}
  yield "Photo.forecast_bytes", fretsaw.Photo.forecast_bytes, {"shape": SHAPE, "objects": 1, "updates": False}
  yield "segment", fretsaw.segment, segmented
  yield "cutout", fretsaw.cutout, {**segmented, "edge": {"width": 2}}
  yield ("Expansion", fretsaw.Expansion,
         {"D": D, "V": V, "weights": planes, "neighbours": 4, "max_cycles": 0, "coarse_first": False, "low_memory": False,
          "verify": False, "order": numbers, "shuffle": 0, "present": mask, "context": None})
  yield "Expansion.energy", lambda **a: made_expansion().energy(**a), {"labels": seeds}
  yield "Expansion.run", lambda **a: made_expansion().run(**a), {"labels": seeds, "out": seeds.copy(), "progress": None}
  yield "Expansion.update", lambda **a: made_expansion().update(**a), {"pixels": numbers, "costs": np.ones((3, 3), np.int32)}
  yield ("expansion", fretsaw.expansion,
         {"D": D, "V": V, "weights": None, "labels": seeds, "dual_start": False, "progress": None})
  yield "quantize", fretsaw.quantize, {"tlink": tlink, "links": planes, "links_back": planes, "scale": 1.0}
  yield ("Quantized.gap", lambda **a: fretsaw.quantize(tlink, planes).gap(**a), {"mask": mask})


def list_network_calls():
  nodes, i = np.arange(20).reshape(SHAPE), np.arange(3)
  values = np.ones(3)
  costs = np.ones((*SHAPE, 3), np.int32)
  for kind in (int, float):
    yield "Graph", maxflow.Graph[kind], {"est_node_num": 3, "est_edge_num": 3, "context": None}
    for name, arguments in (
        ("add_nodes", {"num_nodes": 3}), ("add_grid_nodes", {"shape": SHAPE}),
        ("add_edge", {"i": 0, "j": 1, "capacity": 2, "rcapacity": 1}),
        ("add_edges", {"i": i, "j": i + 1, "capacity": values, "rev_capacity": values}),
        ("add_grid_edges", {"nodeids": nodes, "weights": np.ones(SHAPE, np.int32), "structure": np.ones((3, 3), np.int32),
                            "symmetric": True, "periodic": False}),
        ("add_tedge", {"i": 0, "cap_source": 1, "cap_sink": 2}),
        ("add_grid_tedges", {"nodeids": nodes, "sourcecaps": nodes, "sinkcaps": nodes}),
        ("maxflow", {"reuse_trees": False}), ("mark_node", {"i": 0}), ("get_segment", {"i": 0}),
        ("get_grid_segments", {"nodeids": nodes})):
      yield ("Graph." + name, lambda kind=kind, name=name, **a: [n := made_network(kind), getattr(n, name)(**a), n.maxflow()],
             arguments)
  for name in ("aexpansion_grid", "abswap_grid"):
    yield (name, lambda name=name, **a: getattr(maxflow, name)(**a),
           {"unary": costs, "binary": costs[0, :3], "max_cycles": 1, "labels": np.zeros(SHAPE, np.int64)})
  labels = {"unary": costs, "binary": costs[0, :3], "labels": np.zeros(SHAPE, np.int64)}
  yield "energy_of_grid_labeling", fastmin.energy_of_grid_labeling, labels
  yield "aexpansion_grid_step", fastmin.aexpansion_grid_step, {"alpha": 1, **labels}
  yield "abswap_grid_step", fastmin.abswap_grid_step, {"alpha": 1, "beta": 2, **labels}
  for name in ("moore_structure", "vonNeumann_structure"):
    yield name, getattr(maxflow, name), {"ndim": 2, "directed": False}


def describe(value):
  if isinstance(value, np.ndarray):
    return f"{value.dtype} {value.shape} {value.ravel()[:9] if value.size < 99 else ''}"
  if isinstance(value, (tuple, list)):
    return f"({', '.join(map(describe, value))})"
  return f"{type(value).__name__} {value!r}"


class Errors(unittest.TestCase):
  def check(self, name, function, arguments):
    refused = 0
    function(**arguments)
    for i, (argument, right) in enumerate(arguments.items()):
      for wrong in itertools.islice(wrong_values(right), i % package.SHARE, None, package.SHARE):
        shown = f"{name}({argument}: {describe(wrong)})"
        try:
          function(**{**arguments, argument: wrong})
        except fretsaw.Error as error:
          refused += 1
          text = str(error)
          self.assertIsNone(ALIEN.search(text), f"{shown}: {text}")
          self.assertTrue(any(name in text for name in (*arguments, *ALSO)) or isinstance(error, READING), f"{shown}: {text}")
          self.assertLess(len(text), 300, shown)
        except Exception as error:
          raise AssertionError(f"{shown}: {error!r}") from error
    return refused

  def test_all(self):
    for name, function, arguments in list_calls():
      with self.subTest(name):
        self.check(name, function, arguments)

  def test_networks(self):
    for name, function, arguments in list_network_calls():
      with self.subTest(name):
        self.check(name, function, arguments)


if __name__ == "__main__":
  sys.exit(tap.main())
