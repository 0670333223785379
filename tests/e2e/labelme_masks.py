# SPDX-License-Identifier: MIT
"""Reads files with labelme itself and prints, for each, its masks by group: for test_labels.py.

  python3 labelme_masks.py FILE.json…
"""

import json
import sys

import labelme
import labelme.utils


def read(path):
  """[imagePath, {group: [label, "0101…" row by row]}]."""
  file = labelme.LabelFile(path)
  image = labelme.utils.img_data_to_arr(file.imageData)
  groups = {}
  for shape in file.shapes:
    groups.setdefault(shape["group_id"], []).append(shape)
  told = {}
  for group, shapes in groups.items():
    classes, _ = labelme.utils.shapes_to_label(image.shape, shapes, {shapes[0]["label"]: 1})
    told[group] = [shapes[0]["label"], "".join("1" if value else "0" for value in classes.flat)]
  return [file.imagePath, told]


print(json.dumps([read(path) for path in sys.argv[1:]]))
