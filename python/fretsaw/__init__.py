# SPDX-License-Identifier: MIT
"""Exact minimum cuts of pixel grids and graphs, and objects cut out of photos, with NumPy.

A grid of your own capacities:

>>> import fretsaw, numpy as np
>>> tlink = np.array([[5, 1, -1], [2, -1, -6]], np.int32)
>>> grid = fretsaw.Grid2D(tlink, links=2)
>>> grid.maxflow()
5
>>> grid.mask().astype(int)
array([[1, 1, 0],
       [1, 1, 0]])

The module fretsaw.maxflow has PyMaxflow's names. fretsaw.segment cuts objects out of photos.
"""

from . import errors
from ._fretsaw import Context, version as __version__
from .errors import (BusyError, CancelledError, DeviceError, ElementsError, Error, FormatError, InvalidError,
                     OutOfMemoryError, ReadError, UnprovenError, UnsupportedError)
from .graph import Graph
from .grid import Certificate, Grid2D, Solution
from .labelling import Expansion, Labelling, expansion
from .photo import Photo, cutout, segment
from .quantization import Quantized, quantize

__all__ = ["BusyError", "CancelledError", "Certificate", "Context", "DeviceError", "ElementsError", "Error",
           "Expansion", "FormatError", "Graph", "Grid2D", "InvalidError", "Labelling", "OutOfMemoryError", "Photo",
           "Quantized", "ReadError", "Solution", "UnprovenError", "UnsupportedError", "__version__", "cutout", "errors",
           "expansion", "quantize", "segment"]
