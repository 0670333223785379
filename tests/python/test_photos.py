#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Photos: the program's own labels, strokes that grow, guesses, edges, and what is refused."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import package  # noqa: E402
import fretsaw  # noqa: E402
import numpy as np  # noqa: E402
import tap  # noqa: E402

sys.path.insert(0, os.path.join(package.SOURCE, "tests", "e2e"))
import pixels  # noqa: E402

SAMPLE = os.path.join(package.SOURCE, "data", "sample")
SCALE = 4


def made_photo():
  """A bright ellipse with some noise, and strokes in and around it."""
  rng = np.random.default_rng(8)
  y, x = np.mgrid[:80, :120]
  inside = ((x - 60) / 35) ** 2 + ((y - 40) / 22) ** 2 < 1
  image = np.where(inside[..., None], (200, 150, 60), (40, 80, 90)) + rng.integers(-20, 21, (80, 120, 3))
  seeds = np.zeros((80, 120), np.uint8)
  seeds[4, 5:115] = 1
  seeds[40, 45:75] = 2
  return image.astype(np.uint8), seeds, inside


@unittest.skipUnless(shutil.which("convert"), "ImageMagick is missing")
class Sample(unittest.TestCase):
  @classmethod
  def setUpClass(cls):
    cls.folder = tempfile.TemporaryDirectory()
    cls.addClassCleanup(cls.folder.cleanup)
    raw = subprocess.run(["convert", os.path.join(SAMPLE, "sample.jpg"), "-depth", "8", "rgb:-"], check=True,
                         capture_output=True).stdout
    seeds = pixels.Png(os.path.join(SAMPLE, "seeds.png"))
    full = np.frombuffer(raw, np.uint8).reshape(seeds.height, seeds.width, 3)
    cls.seeds = np.ascontiguousarray(np.frombuffer(seeds.pixels, np.uint8).reshape(full.shape[:2])[::SCALE, ::SCALE])
    cls.image = np.ascontiguousarray(full[::SCALE, ::SCALE])
    cls.height, cls.width = cls.seeds.shape
    pixels.write_png(cls.path("photo.png"), cls.width, cls.height, pixels.RGB, cls.image.tobytes())
    pixels.write_png(cls.path("seeds.png"), cls.width, cls.height, pixels.GREY, cls.seeds.tobytes())

  @classmethod
  def path(cls, name):
    return os.path.join(cls.folder.name, name)

  def cut(self, *options):
    subprocess.run([os.path.join(package.BUILD, "fretsaw"), "cut", self.path("photo.png"), *options], check=True,
                   capture_output=True)

  def read(self, name, *channels):
    data = pixels.Png(self.path(name)).pixels
    return np.frombuffer(data, np.uint8).reshape(self.height, self.width, *channels)

  def test_mask(self):
    self.cut("--seeds", self.path("seeds.png"), "--mask", self.path("mask.png"))
    labels = fretsaw.segment(self.image, self.seeds)
    self.assertEqual(set(np.unique(labels)), {1, 2})
    np.testing.assert_array_equal(labels == 2, self.read("mask.png") > 0)

  def test_guess(self):
    guess = np.zeros((self.height, self.width), np.uint8)
    guess[self.height // 4:-self.height // 4, self.width // 4:-self.width // 4] = 200
    pixels.write_png(self.path("guess.png"), self.width, self.height, pixels.GREY, guess.tobytes())
    self.cut("--seeds", self.path("seeds.png"), "--guess", self.path("guess.png"), "--mask", self.path("mask.png"))
    labels = fretsaw.segment(self.image, self.seeds, guess)
    np.testing.assert_array_equal(labels == 2, self.read("mask.png") > 0)

  def test_cutout(self):
    self.cut("--seeds", self.path("seeds.png"), "--cutout", self.path("cutout.png"))
    np.testing.assert_array_equal(fretsaw.cutout(self.image, self.seeds), self.read("cutout.png", 4))

  def test_objects(self):
    seeds = self.seeds.copy()
    seeds[seeds == 2] = np.where(np.nonzero(seeds == 2)[0] % 2, 2, 3)
    pixels.write_png(self.path("seeds3.png"), self.width, self.height, pixels.GREY, seeds.tobytes())
    self.cut("--seeds", self.path("seeds3.png"), "--labels", self.path("labels.png"))
    wanted, labels = self.read("labels.png"), fretsaw.segment(self.image, seeds)
    np.testing.assert_array_equal(np.unique(labels, return_inverse=True)[1], np.unique(wanted, return_inverse=True)[1])


class Strokes(unittest.TestCase):
  def test_whole_or_piece_by_piece(self):
    """Labels at once, pixel by pixel, and in other layouts of the image: one result."""
    image, seeds, inside = made_photo()
    wanted = fretsaw.segment(image, seeds)
    self.assertGreater((wanted == 2)[inside].mean(), 0.98)
    photo = fretsaw.Photo(image)
    for label in (1, 2):
      photo.change_seeds(seeds == label, label)
      if label == 2:
        self.assertTrue(photo.update().exact)
        self.assertEqual(photo.preview().shape, seeds.shape)
    self.assertTrue(photo.finish().exact)
    np.testing.assert_array_equal(photo.labels(), wanted)
    np.testing.assert_array_equal(photo.mask(), wanted == 2)
    rgba = np.dstack([image, np.full(seeds.shape, 255, np.uint8)])
    wide = np.zeros((80, 140, 3), np.uint8)
    wide[:, 7:127] = image
    for other, order in ((image[..., ::-1], "bgr"), (rgba, "rgb"), (wide[:, 7:127], "rgb"),
                         (np.asfortranarray(image), "rgb"), (np.ascontiguousarray(image[::-1])[::-1], "rgb")):
      np.testing.assert_array_equal(fretsaw.segment(other, seeds, order=order), wanted)

  def test_grey_and_models(self):
    image, seeds, inside = made_photo()
    for options in ({"model": "kmeans"}, {"model": "gmm", "iterations": 2}, {"neighbours": 4},
                    {"smoothness": 0.5, "star": False}, {"verify": True, "context": fretsaw.Context(threads=2)}):
      labels = fretsaw.segment(image, seeds, **options)
      self.assertGreater((labels == 2)[inside].mean(), 0.9, options)
    labels = fretsaw.segment(image[..., 0], seeds)
    self.assertGreater((labels == 2)[inside].mean(), 0.9)

  def test_guess(self):
    """8 bits, 16 bits, floats and masks; no strokes at all."""
    image, _, inside = made_photo()
    for guess in (np.where(inside, 220, 30).astype(np.uint8), np.where(inside, 0.9, 0.1),
                  np.where(inside, 60000, 5000).astype(np.uint16)):
      labels = fretsaw.segment(image, guess=guess, found=True)
      self.assertGreater((labels == 2)[inside].mean(), 0.95)
    labels = fretsaw.segment(image, guess=inside)
    self.assertGreater((labels == 2)[inside].mean(), 0.95)

  def test_edge(self):
    image, seeds, _ = made_photo()
    photo = fretsaw.Photo(image)
    photo.set_seeds(seeds)
    photo.finish()
    hard = photo.alpha(width="hard")
    np.testing.assert_array_equal(hard > 0, photo.mask())
    soft = photo.cutout(width=3, shift=0.5)
    self.assertEqual(soft.shape, (80, 120, 4))
    self.assertTrue(((soft[..., 3] > 0) & (soft[..., 3] < 255)).any())
    np.testing.assert_array_equal(photo.alpha(width=3, shift=0.5), soft[..., 3])

  def test_numbers(self):
    """A finished mask with objects comes out as it is, its unknown pixels filled; a stroke changes it where it is."""
    image, seeds, inside = made_photo()
    whole = np.where(inside, np.where(np.arange(120) < 60, 2, 3), 1).astype(np.uint8)
    np.testing.assert_array_equal(fretsaw.segment(image, numbers=whole), whole)
    unknown = whole.copy()
    unknown[38:44, 40:80] = 0
    filled = fretsaw.segment(image, numbers=unknown)
    np.testing.assert_array_equal(filled[unknown > 0], whole[unknown > 0])
    self.assertTrue(np.isin(filled[unknown == 0], (2, 3)).all())
    photo = fretsaw.Photo(image)
    photo.set_guess(numbers=whole)
    photo.paint((50, 40), (55, 40), radius=2, label=4)
    for cut in (photo.update, photo.finish):
      self.assertTrue(cut().exact or cut == photo.finish)
      labels = photo.labels(progress=lambda fraction: None)
      self.assertEqual(set(np.unique(labels)) - {2, 3}, {1, 4})
      self.assertEqual(labels[40, 52], 4)
      np.testing.assert_array_equal(photo.mask(), labels > 1)
    for words, options in (("numbers: they are for a photo without a guess", {"guess": whole, "numbers": whole}),
                           ("numbers: they are for", {"numbers": whole, "found": True}),
                           ("seeds, guess or numbers: one", {})):
      with self.assertRaisesRegex(fretsaw.InvalidError, words):
        fretsaw.segment(image, **options)

  def test_refused(self):
    image, seeds, _ = made_photo()
    photo = fretsaw.Photo(image)
    for kind, words, call in (
        (TypeError, "image: elements must be uint8, not float64", lambda: fretsaw.Photo(image / 255)),
        (TypeError, "image: pixels are needed, not a file's name", lambda: fretsaw.Photo("photo.jpg")),
        (ValueError, r"image: the shape is \(80, 120, 2\)", lambda: fretsaw.Photo(image[..., :2])),
        (ValueError, r"seeds: the shape is \(80, 119\); it must be \(80, 120\)",
         lambda: fretsaw.segment(image, seeds[:, 1:])),
        (TypeError, "seeds: elements must be uint8, not bool; 1 is", lambda: fretsaw.segment(image, seeds > 0)),
        (TypeError, "seeds: elements must be uint8, not float64", lambda: fretsaw.segment(image, seeds * 1.0)),
        (ValueError, "", lambda: fretsaw.segment(image)),
        (ValueError, "", photo.labels),
        (ValueError, "guess: floats must be 0 to 1", lambda: photo.set_guess(np.full((4, 4), np.nan))),
        (TypeError, "guess: elements", lambda: photo.set_guess(np.zeros((4, 4), int))),
        (ValueError, "model: 'magic'", lambda: fretsaw.Photo(image, model="magic")),
        (ValueError, "smoothness: nan", lambda: fretsaw.Photo(image, smoothness=float("nan"))),
        (ValueError, "", lambda: photo.paint((0, 0), (float("nan"), 0), radius=1, label=1)),
        (ValueError, "label", lambda: photo.paint((0, 0), (1, 1), radius=1, label=300)),
        (TypeError, r"cutout\(\) has no option 'feather'; it has width, ", lambda: photo.cutout(feather=4)),
        (ValueError, "width: 40", lambda: photo.cutout(width=40))):
      with self.assertRaisesRegex(kind, words) as caught:
        call()
      self.assertIsInstance(caught.exception, fretsaw.Error)
    self.assertGreater(fretsaw.Photo.forecast_bytes((1000, 1000)), 1000000)


sys.exit(tap.main())
