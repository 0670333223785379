#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_page.py [FOLDER]: runs the code of README.md beside it, and writes its pictures there, or into FOLDER."""

import os
import re
import sys

import numpy as np
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))


def main(folder):
  def show(name, *panels):
    colours = [np.where(p, 255, 0) if p.dtype == bool else p for p in map(np.asarray, panels)]
    colours = [c if c.ndim == 3 else np.repeat(c[..., None], 3, axis=2) for c in colours]
    gap = np.full((colours[0].shape[0], 6, 3), 255)
    row = [part for c in colours for part in (c, gap)][:-1]
    picture = Image.fromarray(np.hstack(row).clip(0, 255).astype(np.uint8))
    picture.quantize(128, dither=Image.NONE).save(os.path.join(folder, name), optimize=True)

  with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
    blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
  os.chdir(os.path.join(HERE, "..", "..", ".."))
  names = {"show": show}
  for number, block in enumerate(blocks, 1):
    exec(compile(block, f"README.md, block {number}", "exec"), names)  # pylint: disable=exec-used


main(os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else HERE)
