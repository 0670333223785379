# SPDX-License-Identifier: MIT
"""Folders of small photos with evidence of every kind, for tests of `fretsaw cut` with --out."""

import os
import shutil

import pixels
import program
import sequences

KINDS = {"--out": "masks", "--cutouts": "cutouts", "--alphas": "alphas", "--labels": "labels", "--outlines": "outlines"}
# A stroke of 20 samples, as the window saves it.
SESSION = os.path.join(program.SOURCE, "data", "sessions", "sample.fretsaw")


def write_photo(path, number):
  pixels.write_png(path, sequences.WIDTH, sequences.HEIGHT, pixels.RGB, sequences.made_frame(4, number))


def write_seeds(path, flipped=False):
  seeds = sequences.made_seeds()
  if flipped:
    seeds = bytes({1: 2, 2: 1}.get(label, label) for label in seeds)
  pixels.write_png(path, sequences.WIDTH, sequences.HEIGHT, pixels.GREY, seeds)


def write_guess(path):
  plane = bytes(200 if sequences.inside(4, x, y) else 30
                for y in range(sequences.HEIGHT) for x in range(sequences.WIDTH))
  pixels.write_png(path, sequences.WIDTH, sequences.HEIGHT, pixels.GREY, plane)


def make_folder(folder, count):
  """Photos of which every fourth has a guess in place of seeds, and every fourth both."""
  os.makedirs(folder)
  for number in range(count):
    name = os.path.join(folder, f"photo-{number:04d}")
    write_photo(name + ".png", number)
    if number % 4 != 2:
      write_seeds(name + "-seeds.png")
    if number % 4 >= 2:
      write_guess(name + "-guess.png")


def add_session(folder, name):
  """The sample photo with its session, the only one of another size."""
  shutil.copy(os.path.join(os.environ["FRETSAW_DATA_DIR"], "sample.jpg"), os.path.join(folder, name + ".jpg"))
  shutil.copy(SESSION, os.path.join(folder, name + ".fretsaw"))


def content(folder, hidden=False):
  """{path within: bytes} of all files below, without manifests and what killed writes left."""
  found = {}
  for where, _, names in os.walk(folder):
    for name in names:
      if hidden or not name.startswith("."):
        path = os.path.join(where, name)
        with open(path, "rb") as file:
          found[os.path.relpath(path, folder)] = file.read()
  return found


class BatchTest(program.ProgramTest):
  count = 6

  def setUp(self):
    super().setUp()
    self.photos, self.out = self.path("photos"), self.path("out")
    make_folder(self.photos, self.count)

  def words(self, *options, out=None, inputs=None):
    folders = [word for option, name in KINDS.items() for word in (option, os.path.join(out or self.out, name))]
    return ["cut", *(inputs or [self.photos]), *folders, *options]

  def run_batch(self, *options, **where):
    return self.run_program(*self.words(*options, **where))

  def photo(self, number, ending=".png"):
    return os.path.join(self.photos, f"photo-{number:04d}{ending}")
