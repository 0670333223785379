# SPDX-License-Identifier: MIT
"""The order of the rooms (folders of product code): a room includes only from itself and from those before it."""

import os

ORDER = """
  solver/system solver solver/cpu/state solver/cpu/search solver/cpu solver/expansion/move solver/kernels
  solver/expansion/start solver/kernels/solve solver/kernels/links solver/kernels/preview solver/kernels/cuda
  solver/kernels/graph solver/kernels/moves solver/multilevel solver/cuda solver/expansion solver/graph
  energy/image energy/colour energy/matting energy/edge energy/geodesic energy/terms energy/guess energy/frames
  energy/models energy energy/labels energy/refine
  cut library python/extension
  app/backend app/files app/photo/input app/photo/formats app/photo/heif app/photo app/export/outline app/export/parts
  app/export app/finder app/problems app/strokes app/cut app/live app/live/objects app/edge app/session app/manifest app/folder app/frames/list app/labels app/labels/output app/labels/parse app/labels/input app/replay app/batch
  app/frames/follow app/video app/frames app/frames/many
  app/commands app
  subject gimp
  ui/view ui/canvas ui/settings ui/status ui/open ui/save ui/folder ui/window ui
""".split()

# The table of backends is at the solver's root, for all to find, and knows each of them.
FREE = {"solver/backends.c"}


def fault(path, name):
  """Why `path` may not include `name`; None where it may."""
  room, other = os.path.dirname(path), os.path.dirname(name)
  if room not in ORDER:
    return f"{room} is not in the order of rooms"
  if path in FREE or room == other:
    return None
  if other not in ORDER:
    return f"{other} is not in the order of rooms"
  return None if ORDER.index(other) < ORDER.index(room) else f"{room} comes before {other}"
