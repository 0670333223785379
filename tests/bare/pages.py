# SPDX-License-Identifier: MIT
"""Commands of pages, as a reader copies them: the blocks of `sh` below a heading."""

import os
import re

import machine

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)


def blocks(page, heading=None):
  with open(os.path.join(machine.SOURCE, page), encoding="utf-8") as file:
    text = file.read()
  if heading:
    text = text[text.index(f"\n## {heading}\n"):]
    text = text[:text.find("\n## ", 1)]
  return BLOCK.findall(text)
