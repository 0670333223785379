# SPDX-License-Identifier: MIT
"""PyMaxflow's names on fretsaw's solvers: a script changes one import, `from fretsaw import maxflow`.

>>> from fretsaw import maxflow
>>> graph = maxflow.Graph[int]()
>>> nodes = graph.add_grid_nodes((2, 3))
>>> graph.add_grid_edges(nodes, 2)
>>> graph.add_grid_tedges(nodes, [[5, 1, 0], [2, 0, 0]], [[0, 0, 1], [0, 1, 6]])
>>> graph.maxflow()
5
>>> graph.get_grid_segments(nodes).astype(int)
array([[0, 0, 1],
       [0, 0, 1]])

A segment is True on the sink's side. Graphs of one grid of 2 dimensions, with edges to 4 or 8 neighbours, are cut by
the solver for grids, all others by the one for graphs.
"""

from .. import __version__
from .fastmin import abswap_grid, aexpansion_grid
from .layout import moore_structure, vonNeumann_structure
from .network import GraphFloat, GraphInt

Graph = {int: GraphInt, float: GraphFloat}

__all__ = ["Graph", "GraphFloat", "GraphInt", "__version__", "abswap_grid", "aexpansion_grid", "moore_structure",
           "vonNeumann_structure"]
