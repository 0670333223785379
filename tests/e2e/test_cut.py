#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw cut` on the sample photo: what it writes, what it reports, how it refuses."""

import json
import os
import pty
import random
import shutil
import signal
import struct
import subprocess
import sys
import unittest
import zlib

import pixels
import program

SAMPLE = os.path.join(program.SOURCE, "data", "sample")
PHOTO = os.path.join(SAMPLE, "sample.jpg")
SEEDS = os.path.join(SAMPLE, "seeds.png")
TRUTH = os.path.join(SAMPLE, "truth.png")
WIDTH, HEIGHT = 1600, 1067
N_PIXELS = WIDTH * HEIGHT


class Cut(program.ProgramTest):
  # Several tests look at the same cut of the sample from different sides.
  made = {}

  def cut(self, *options):
    return self.run_program("cut", PHOTO, "--seeds", SEEDS, *options)

  def cut_all(self, *options):
    """Returns mask, cut-out, labels and report of a cut of the sample."""
    if options not in self.made:
      names = [self.path(n) for n in ("mask.png", "cutout.png", "labels.png", "report.json")]
      self.assert_done(self.cut("--mask", names[0], "--cutout", names[1], "--labels", names[2],
                                "--report", names[3], *options))
      with open(names[3], encoding="utf-8") as file:
        report = json.load(file)
      self.made[options] = [pixels.Png(name) for name in names[:3]] + [report]
    return self.made[options]

  def test_files_and_quality(self):
    mask, cutout, labels, report = self.cut_all("--soft-edge", "0")
    for picture, kind in ((mask, pixels.GREY), (cutout, pixels.RGBA), (labels, pixels.INDEXED)):
      self.assertEqual((picture.width, picture.height, picture.kind), (WIDTH, HEIGHT, kind))
    self.assertEqual(set(mask.pixels), {0, 255})
    self.assertEqual(pixels.select(labels.pixels, {2}), mask.pixels)
    self.assertEqual(pixels.select(labels.pixels, {1}), pixels.select(mask.pixels, {0}))
    self.assertEqual(cutout.plane(3), mask.pixels)
    self.assertEqual(report["object_pixels"], mask.pixels.count(255))
    self.check_seeds(mask.pixels)
    quality = pixels.iou(mask.pixels, pixels.Png(TRUTH).pixels)
    print(f"# IoU of the sample against its truth: {quality:.4f}")
    self.assertGreaterEqual(quality, 0.87)

  def test_soft_edge(self):
    hard_mask, _, _, hard_report = self.cut_all("--soft-edge", "0")
    photo = self.cut_all("--keep-hidden", "--soft-edge", "0")[1]
    mask, soft, _, report = self.cut_all("--soft-edge", "6")
    self.assertEqual(mask.pixels, hard_mask.pixels)
    self.assertEqual(report["energy"], hard_report["energy"])
    alpha = soft.plane(3)
    whole = pixels.select(alpha, {0, 255})
    n_soft = whole.count(0)
    self.assertGreater(n_soft, 5_000)
    self.assertLess(n_soft, 0.05 * N_PIXELS)
    # Which pixels are more object than background hardly changes.
    more = pixels.select(alpha, set(range(128, 256)))
    self.assertGreater(pixels.iou(more, mask.pixels), 0.97)
    n_other = [0, 0]
    for channel in range(3):
      for a, b, share in zip(soft.plane(channel), photo.plane(channel), alpha):
        if share:
          n_other[share == 255] += a != b
    self.assertEqual(n_other[1], 0, "colours of pixels that are no mixture")
    self.assertGreater(n_other[0], n_soft)

  def test_hidden_colours(self):
    """What was cut away is not in the file, unless that is asked for."""
    cutout, soft = self.cut_all()[1], self.cut_all("--soft-edge", "6")[1]
    hidden = self.cut_all("--keep-hidden")[1]
    self.assertEqual(cutout.plane(3), hidden.plane(3))
    for picture, least, most in ((cutout, 0, 0), (soft, 0, 0), (hidden, 100_000, N_PIXELS)):
      cut_away = pixels.select(picture.plane(3), {0})
      coloured = pixels.both(cut_away, pixels.select(picture.plane(1), set(range(1, 256)))).count(255)
      self.assertTrue(least <= coloured <= most, coloured)
    self.assert_refused(self.cut("--keep-hidden"), 2, "--keep-hidden")

  def test_keep_metadata(self):
    """The camera's Exif is in the cut-out where that is asked for, turned upright."""
    exif = (b"MM\0*" + struct.pack(">IH", 8, 2) + struct.pack(">HHII", 0x010F, 2, 10, 38)
            + struct.pack(">HHII", 0x0112, 4, 1, 1) + bytes(4) + b"Acme 3000\0")
    photo, cutout = self.path("camera.jpg"), self.path("cutout.png")
    with open(PHOTO, "rb") as file:
      jpeg = file.read()
    with open(photo, "wb") as file:
      file.write(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 8) + b"Exif\0\0" + exif + jpeg[2:])
    for options, n_found in (((), 0), (("--keep-metadata",), 1)):
      self.assert_done(self.run_program("cut", photo, "--seeds", SEEDS, "--cutout", cutout, "--preview", *options))
      with open(cutout, "rb") as file:
        head = file.read(1 << 16)
      upright = exif.replace(struct.pack(">HHII", 0x0112, 4, 1, 1), struct.pack(">HHIHH", 0x0112, 3, 1, 1, 0))
      self.assertEqual(head.count(b"eXIf" + upright), n_found)
    self.assert_refused(self.cut("--keep-metadata"), 2, "--keep-metadata")
    self.assert_refused(self.run_program("replay", self.path("a.fretsaw"), "--keep-metadata"), 2, "--keep-metadata")

  def test_mask_page(self):
    """The second page of a cut-out in TIFF is the mask, as other programs read it."""
    tiff, mask, page = self.path("c.tif"), self.path("m.png"), self.path("page.png")
    self.assert_refused(self.cut("--mask-page"), 2, "--mask-page")
    self.assert_refused(self.cut("--cutout", self.path("c.png"), "--mask-page"), 2, "--mask-page")
    self.assert_done(self.cut("--preview", "--cutout", tiff, "--mask-page", "--mask", mask))
    if shutil.which("convert") is None:
      raise unittest.SkipTest("ImageMagick is not installed")
    said = subprocess.run(["convert", tiff, "-format", "%w %h %[channels] ", "info:-"], capture_output=True, text=True,
                          check=True)
    self.assertEqual(said.stdout.split()[:3], [str(WIDTH), str(HEIGHT), "srgba"])
    self.assertEqual(said.stdout.split()[3:5], [str(WIDTH), str(HEIGHT)])
    subprocess.run(["convert", tiff + "[1]", "-depth", "8", "-define", "png:color-type=0", page], check=True)
    self.assertEqual(pixels.Png(page).pixels, pixels.Png(mask).pixels)

  def test_background(self):
    """A cut-out on a colour or on itself, and what is refused."""
    flat, alpha, again, jpeg = (self.path(name) for name in ("f.png", "a.png", "g.png", "f.jpg"))
    colour = ("--background", "#204060")
    self.assert_done(self.cut("--preview", "--soft-edge", "4", "--cutout", alpha))
    self.assert_done(self.cut("--preview", "--soft-edge", "4", "--cutout", flat, *colour))
    cutout, on_colour = pixels.Png(alpha), pixels.Png(flat)
    self.assertEqual((on_colour.channels, on_colour.width, on_colour.height), (3, WIDTH, HEIGHT))
    for k, value in enumerate((0x20, 0x40, 0x60)):
      expected = [(c * a + value * (255 - a) + 127) // 255 for c, a in zip(cutout.plane(k), cutout.plane(3))]
      self.assertEqual(on_colour.plane(k), bytes(expected))
    # Its own photo behind a hard cut-out gives the photo.
    self.assert_done(self.cut("--preview", "--soft-edge", "0", "--cutout", again, "--background", PHOTO))
    self.assert_done(self.cut("--preview", "--soft-edge", "0", "--cutout", self.path("all.png"), "--keep-hidden"))
    photo, both = pixels.Png(self.path("all.png")), pixels.Png(again)
    for k in range(3):
      self.assertEqual(both.plane(k), photo.plane(k))
    sizes = []
    for quality in ("30", "95"):
      self.assert_done(self.cut("--preview", "--cutout", jpeg, *colour, "--quality", quality))
      sizes.append(os.path.getsize(jpeg))
    self.assertLess(2 * sizes[0], sizes[1])
    c = ("--cutout", self.path("c.png"))
    for word, options in (("--background applies", colour), ("--quality applies", ("--quality", "90")),
                          ("--quality applies", (*c, *colour, "--quality", "90")),
                          ("--quality takes", ("--cutout", jpeg, *colour, "--quality", "0")),
                          ("--quality takes", ("--cutout", jpeg, *colour, "--quality", "101")),
                          ("--keep-hidden", (*c, *colour, "--keep-hidden")),
                          ("would flatten", ("--cutout", self.path("c.ora"), *colour)),
                          ("#12345: is neither a colour", (*c, "--background", "#12345")),
                          ("whit: is neither a colour", (*c, "--background", "whit")),
                          ("sample.jpg: is an input", ("--cutout", PHOTO, "--background", PHOTO))):
      with self.subTest(options):
        self.assert_refused(self.cut(*options), 2, word)
    self.assert_refused(self.cut(*c, "--background", self.folder), 1, os.path.basename(self.folder))

  def test_soft_edge_spares_strokes(self):
    soft = self.cut_all("--soft-edge", "32")[1]
    self.assertLess(pixels.select(soft.plane(3), {0, 255}).count(255), 0.98 * N_PIXELS)
    self.check_seeds(soft.plane(3))

  def test_soft_edge_usage(self):
    cutout = ("--cutout", self.path("c.png"))
    for options in (("--soft-edge", "3"), (*cutout, "--soft-edge", "33"), (*cutout, "--soft-edge", "-1"),
                    (*cutout, "--soft-edge", "wide"), ("--remove-specks", "3")):
      self.assert_refused(self.cut(*options), 2, "--soft-edge")
    for name, wrong in (("--edge-shift", ("10.1", "-11", "0.05", "x", "nan")), ("--edge-contrast", ("-1", "101")),
                        ("--edge-smooth", ("21",)), ("--clean-colours", ("101",)), ("--remove-specks", ("-1",)),
                        ("--fill-holes", ("100001",))):
      for value in wrong:
        self.assert_refused(self.cut(*cutout, f"{name}={value}"), 2, name)
    zones = self.path("zones.png")
    self.assert_refused(self.cut("--edge-zones", zones), 2, "--edge-zones")
    pixels.write_png(zones, WIDTH, HEIGHT, pixels.GREY, bytes([3]) * (WIDTH * HEIGHT))
    self.assert_refused(self.cut(*cutout, "--edge-zones", zones), 1, "zones.png: zone 3")

  def alpha(self, *options):
    path = self.path("alpha.png")
    self.assert_done(self.cut("--preview", "--alpha", path, *options))
    picture = pixels.Png(path)
    self.assertEqual((picture.width, picture.height, picture.kind), (WIDTH, HEIGHT, pixels.GREY))
    return picture.pixels

  def test_alpha(self):
    """The alpha of a cut-out as a picture of its own; by default its edge is soft, the mask hard."""
    mask, cutout = self.path("m.png"), self.path("c.png")
    alpha = self.alpha("--mask", mask, "--cutout", cutout)
    self.assertEqual(alpha, pixels.Png(cutout).plane(3))
    self.assertEqual(self.alpha("--soft-edge", "auto"), alpha)
    self.assertEqual(self.alpha("--soft-edge", "0"), pixels.Png(mask).pixels)
    n_soft = pixels.select(alpha, {0, 255}).count(0)
    self.assertGreater(n_soft, 1000)
    self.assertLess(n_soft, 0.05 * N_PIXELS)
    nothing = ("--edge-shift", "0", "--edge-contrast", "0", "--edge-smooth", "0", "--remove-specks", "0",
               "--fill-holes", "0", "--clean-colours", "100")
    self.assertEqual(self.alpha(*nothing), alpha)

  def test_zones(self):
    """Only in a zone is the edge another, hard or found by matting; haze is told by neighbours."""
    zones = self.path("zones.png")
    plain, hard_mask = self.alpha(), self.alpha("--soft-edge", "0")
    border = [p for p in range(N_PIXELS - 1) if hard_mask[p] != hard_mask[p + 1]]
    x, y = border[len(border) // 2] % WIDTH, border[len(border) // 2] // WIDTH
    box = {v * WIDTH + u for v in range(max(y - 40, 0), min(y + 40, HEIGHT))
           for u in range(max(x - 40, 0), min(x + 40, WIDTH))}
    near = {p + dy * WIDTH + dx for p in box for dy in (-1, 0, 1) for dx in (-1, 0, 1)}
    n_soft = {}
    for zone in (1, 2):
      pixels.write_png(zones, WIDTH, HEIGHT, pixels.GREY, bytes(zone if p in box else 0 for p in range(N_PIXELS)))
      alpha = self.alpha("--edge-zones", zones)
      self.assertTrue({p for p in range(N_PIXELS) if alpha[p] != plain[p]} <= near)
      n_soft[zone] = sum(0 < alpha[p] < 255 for p in box)
    self.assertLess(n_soft[1], n_soft[2])

  def test_progress_of_zones(self):
    """On a terminal a line says how far the alpha of zones is; Ctrl+C leaves nothing behind."""
    zones, alpha = self.path("zones.png"), self.path("alpha.png")
    pixels.write_png(zones, WIDTH, HEIGHT, pixels.GREY, bytes([2]) * N_PIXELS)
    before = set(os.listdir(self.folder))
    main, side = pty.openpty()
    self.addCleanup(os.close, main)
    process = subprocess.Popen([program.PROGRAM, "cut", PHOTO, "--seeds", SEEDS, "--preview", "--alpha", alpha,
                                "--edge-zones", zones], env=self.environment, stdout=subprocess.DEVNULL, stderr=side)
    os.close(side)
    shown = b""
    while b"refining the edge" not in shown:
      shown += os.read(main, 4096)
    process.send_signal(signal.SIGINT)
    self.assertEqual(process.wait(), -signal.SIGINT, shown)
    self.assertEqual(set(os.listdir(self.folder)), before)

  def test_shape_of_edge(self):
    """Each control does what it is named for."""
    plain = self.alpha()
    self.assertGreater(sum(self.alpha("--edge-shift", "2")), sum(plain))
    self.assertLess(sum(self.alpha("--edge-shift=-2")), sum(plain))
    sharp = self.alpha("--edge-contrast", "100")
    self.assertEqual(set(sharp), {0, 255})
    self.assertEqual([a > 127 for a in plain], [a > 127 for a in sharp])
    self.assertNotEqual(self.alpha("--edge-smooth", "6"), plain)
    hard = self.alpha("--soft-edge", "0")
    fewer, more = (self.alpha("--soft-edge", "0", name, "100000") for name in ("--remove-specks", "--fill-holes"))
    self.assertTrue(all(a >= b for a, b in zip(hard, fewer)))
    self.assertTrue(all(a <= b for a, b in zip(hard, more)))

  def test_quality_of_colours_alone(self):
    mask = self.cut_all("--model", "kmeans")[0]
    self.assertGreaterEqual(pixels.iou(mask.pixels, pixels.Png(TRUTH).pixels), 0.90)

  def check_seeds(self, plane):
    seeds = pixels.Png(SEEDS).pixels
    for label, value in ((1, 0), (2, 255)):
      seeded = pixels.both(pixels.select(seeds, {label}), pixels.select(plane, {value}))
      self.assertEqual(seeded.count(255), seeds.count(label), f"seeds of label {label}")

  def test_report(self):
    report = self.cut_all()[3]
    self.assertEqual(report["photo"], {"width": WIDTH, "height": HEIGHT})
    self.assertEqual(report["backend"], "cpu")
    self.assertIsInstance(report["device"], str)
    self.assertEqual(report["neighbours"], 8)
    self.assertIs(report["exact"], True)
    self.assertEqual(report["energy"], report["bound"])
    self.assertGreater(report["energy"], 0)
    times = report["time_us"]
    self.assertLessEqual({"decode", "model", "energy", "cut", "write", "total"}, times.keys())
    parts = sum(times[k] for k in ("decode", "model", "energy", "cut", "write"))
    self.assertLessEqual(parts, times["total"])
    self.assertGreater(parts, 0.5 * times["total"])

  def test_neighbours_verify_and_repeat(self):
    masks = {}
    for options in (("--neighbours", "4"), ("--neighbours", "8", "--verify"), ()):
      mask, _, _, report = self.cut_all(*options)
      self.assertEqual(report["energy"], report["bound"])
      self.assertEqual(report["neighbours"], 4 if "4" in options else 8)
      masks[options] = mask.pixels
    four, eight, default = masks.values()
    self.assertNotEqual(four, eight)
    self.assertEqual(eight, default)

  def test_verify_reports_the_certificate(self):
    certificate = self.cut_all("--neighbours", "8", "--verify")[3]["certificate"]
    self.assertEqual(certificate, dict.fromkeys(
      ("feasible", "conserved", "canonical", "holds"), True))

  def test_threads_do_not_matter(self):
    masks = [self.cut_all("--threads", n)[0].pixels for n in (("1", "5") if program.SHARED_OUT else ("1", "2", "5"))]
    for others in masks[1:]:
      self.assertEqual(masks[0], others)
    run = self.cut("--threads", "65")
    self.assert_refused(run, 2, "--threads")

  def test_models(self):
    reports = {}
    for model in ("geodesic", "kmeans", "gmm"):
      # Of a model's code threads see nothing: one of them says as much of a compiler as all.
      threads = ("1", "3") if model == "geodesic" or not program.SHARED_OUT else ("3",)
      masks = [self.cut_all("--model", model, "--verify", "--threads", n) for n in threads]
      self.assertEqual(masks[0][0].pixels, masks[-1][0].pixels)
      # Unverified, links are read for the tiles that a search meets.
      plain = self.cut_all("--model", model)
      self.assertEqual(plain[0].pixels, masks[0][0].pixels)
      self.assertEqual(plain[3]["energy"], masks[0][3]["energy"])
      reports[model] = masks[0][3]
      self.assertEqual(reports[model]["model"], model)
      self.assertTrue(reports[model]["certificate"]["holds"])
    self.assertEqual(len({report["energy"] for report in reports.values()}), 3)

  def test_iterations(self):
    once = self.cut_all("--model", "gmm")
    many = self.cut_all("--model", "gmm", "--iterations", "4", "--verify")
    self.assertNotIn("iterations", once[3])
    self.assertIn(many[3]["iterations"], range(1, 5))
    self.assertNotEqual(once[3]["energy"], many[3]["energy"])
    self.assertTrue(many[3]["certificate"]["holds"])
    for options in (["--model", "gmm", "--iterations", "51"], ["--iterations", "1"],
                    ["--model", "gmm", "--iterations", "1", "--preview"]):
      self.assert_refused(self.cut(*options), 2, "--iterations")


  def test_smoothness_matters(self):
    # The place counts as well as the colour in geodesic: its borders are smoother from the start.
    for model, factor in (("geodesic", 1.5), ("kmeans", 2))[:1 if program.SHARED_OUT else 2]:
      rough, smooth = (self.cut_all("--model", model, "--smoothness", x)[0].pixels for x in ("0", "5"))
      self.assertGreater(self.border(rough), factor * self.border(smooth))

  @staticmethod
  def border(mask):
    return sum(a != b for a, b in zip(mask, mask[1:]))

  def test_no_outputs(self):
    run = self.cut()
    self.assert_done(run)
    self.assertIn("exact", run.out)
    self.assertEqual(os.listdir(self.folder), [])


class Preview(program.ProgramTest):
  def preview(self, *options):
    mask, report = self.path("mask.png"), self.path("report.json")
    self.assert_done(self.run_program("cut", PHOTO, "--seeds", SEEDS, "--mask", mask,
                                      "--report", report, *options))
    with open(report, encoding="utf-8") as file:
      return pixels.Png(mask).pixels, json.load(file)

  def test_preview_says_what_it_is(self):
    mask, report = self.preview("--preview")
    self.assertIs(report["exact"], False)
    self.assertGreater(report["energy"], report["bound"])
    self.assertEqual((report["preview"]["levels"], report["preview"]["band"]), (3, 2))
    self.assertLess(report["preview"]["solved_pixels"][0], len(mask) / 10)
    exact, exact_report = self.preview()
    self.assertNotIn("preview", exact_report)
    self.assertGreaterEqual(exact_report["second_looks"], 1)
    self.assertNotIn("second_looks", report)
    self.assertGreater(pixels.iou(mask, exact), 0.9)

  # The others do not look at the border again, so both are masks for the same energy.
  def test_no_preview_is_cheaper(self):
    report, exact_report = (self.preview("--model", "kmeans", *options)[1]
                            for options in (["--preview"], []))
    self.assertGreaterEqual(report["energy"], exact_report["energy"])

  def test_no_levels_is_the_exact_cut(self):
    mask, report = self.preview("--model", "kmeans", "--preview", "--levels", "0")
    exact, exact_report = self.preview("--model", "kmeans")
    self.assertEqual(bytes(mask), bytes(exact))
    self.assertEqual(report["energy"], exact_report["energy"])

  def test_options_that_do_not_go_together(self):
    for options in (["--levels", "2"], ["--band", "2"], ["--preview", "--verify"],
                    ["--preview", "--levels", "13"], ["--preview", "--levels", "x"], ["--levels", "-1"],
                    ["--preview", "--levels", "-1"], ["--preview", "--band", "-1"]):
      with self.subTest(options):
        run = self.run_program("cut", PHOTO, "--seeds", SEEDS, *options)
        self.assert_refused(run, 2, options[-2] if len(options) > 2 else options[0])


class Refusals(program.ProgramTest):
  def test_wrong_usage(self):
    wrong = [["cut"], ["cut", PHOTO], ["cut", PHOTO, PHOTO, "--seeds", SEEDS],
             ["cut", PHOTO, "--seeds", SEEDS, "--neighbours", "6"],
             ["cut", PHOTO, "--seeds", SEEDS, "--smoothness", "nan"],
             ["cut", PHOTO, "--seeds", SEEDS, "--smoothness", "-1"],
             ["cut", PHOTO, "--seeds", SEEDS, "--smoothness", "1x"],
             ["cut", PHOTO, "--seeds", SEEDS, "--model", "none"],
             ["cut", PHOTO, "--seeds", SEEDS, "--backend", "abacus"],
             ["cut", PHOTO, "--seeds", SEEDS, "--frobnicate"],
             ["cut", PHOTO, "--seeds", SEEDS, "--mask", SEEDS],
             ["cut", PHOTO, "--seeds", SEEDS, "--mask", "x.png", "--cutout", "x.png"]]
    for arguments in wrong:
      with self.subTest(arguments=arguments):
        self.assert_refused(self.run_program(*arguments), 2)

  def test_missing_photo(self):
    name = self.path("nowhere.jpg")
    self.assert_refused(self.run_program("cut", name, "--seeds", SEEDS), 1, "nowhere.jpg")

  def test_missing_seeds(self):
    name = self.path("nowhere.png")
    self.assert_refused(self.run_program("cut", PHOTO, "--seeds", name), 1, "nowhere.png")

  def refused_seeds(self, width, height, kind, pixel, *words):
    name = self.path("seeds.png")
    pixels.write_png(name, width, height, kind, pixel * (width * height))
    mask = self.path("mask.png")
    run = self.run_program("cut", PHOTO, "--seeds", name, "--mask", mask)
    self.assert_refused(run, 1, "seeds.png", *words)
    self.assertFalse(os.path.exists(mask))

  def test_seeds_of_another_size(self):
    self.refused_seeds(HEIGHT, WIDTH, pixels.GREY, b"\1")

  def test_seeds_of_another_kind(self):
    self.refused_seeds(WIDTH, HEIGHT, pixels.RGB, b"\1\1\1")

  def test_empty_seeds(self):
    self.refused_seeds(WIDTH, HEIGHT, pixels.GREY, b"\0")

  def test_seeds_of_a_soft_brush(self):
    photo, seeds = self.path("photo.png"), self.path("seeds.png")
    pixels.write_png(photo, 64, 64, pixels.GREY, bytes(range(64)) * 64)
    soft = bytes(max(0, 255 - 9 * max(abs(x - 30), abs(y - 30))) for y in range(64) for x in range(64))
    pixels.write_png(seeds, 64, 64, pixels.GREY, soft)
    run = self.run_program("cut", photo, "--seeds", seeds, "--mask", self.path("mask.png"))
    self.assert_refused(run, 1, "seeds.png", f"{len(set(soft) - {0})} values", "hard brush")
    self.assertFalse(os.path.exists(self.path("mask.png")))

  def test_mistaken_command(self):
    for word in ("bogus", "cutt"):
      self.assert_refused(self.run_program(word, PHOTO), 2, word, "neither a command nor a file")
    # What may name a file is for the window, which says what became of it.
    self.assertNotIn("neither", self.run_program("bogus.jpg").err)

  def test_words_after_an_option(self):
    for option in ("--version", "--help", "-h"):
      self.assert_refused(self.run_program(option, "extra"), 2, option, "goes alone")
      self.assert_refused(self.run_program("photo.jpg", option), 2, option, "goes alone")

  def test_hand_over(self):
    """The window for another program wants a folder and a photo, and nothing else."""
    for word, words in (("takes a folder and a photo", []), ("takes a folder and a photo", [self.folder]),
                        ("takes a folder and a photo", [self.folder, PHOTO, PHOTO]),
                        ("nowhere: is no folder", [self.path("nowhere"), PHOTO]),
                        ("none.jpg: is no file", [self.folder, self.path("none.jpg")]), ("./-", [self.folder, "-"])):
      self.assert_refused(self.run_program("--hand-over", *words), 2, word)
    self.assert_refused(self.run_program(PHOTO, "--hand-over"), 2, "no such option")

  def test_options_of_the_window(self):
    """It has none; GTK and GLib would take theirs, and refuse the rest in words of their own."""
    for words in (["--foo"], ["-z"], ["photo.jpg", "--foo"], ["photo.jpg", "-z"], ["photo.jpg", "--display", ":7"],
                  ["--gapplication-app-id"], ["photo.jpg", "--gapplication-replace"]):
      option = next(word for word in words if word.startswith("-"))
      self.assert_refused(self.run_program(*words), 2, f"{option}: no such option; see fretsaw --help")
    self.assert_refused(self.run_program("photo.jpg", "-"), 2, "./-")
    self.assert_refused(self.run_program("photo.jpg", ""), 2, "the name of a file is empty")
    self.assertNotIn("option", self.run_program("--", "-z.jpg").err)

  def test_not_a_regular_file(self):
    fifo = self.path("fifo.jpg")
    os.mkfifo(fifo)
    for name in (fifo, "/dev/zero", self.folder):
      with self.subTest(name=name):
        run = self.run_program("cut", name, "--seeds", SEEDS)
        self.assert_refused(run, 1, os.path.basename(name))
        self.assertLess(run.seconds, 1 * program.SLOWNESS)

  def test_output_that_cannot_be_written(self):
    mask = self.path("no/such/folder/mask.png")
    run = self.run_program("cut", PHOTO, "--seeds", SEEDS, "--mask", mask)
    self.assert_refused(run, 1, "mask.png")

  def test_the_ending_says_the_format(self):
    """Pictures are compared pixel by pixel where they are written (tests/app/export/test_export_formats.c)."""
    formats = self.run_program("--version").out
    names = {"WebP": "cutout.webp", "TIFF": "cutout.TIFF", "PNG": "cutout"}
    begins = {"WebP": b"RIFF", "TIFF": b"II*\0", "PNG": b"\x89PNG"}
    photo, seeds = self.path("photo.png"), self.path("seeds.png")
    pixels.write_png(photo, 8, 8, pixels.RGBA, bytes(range(256)))
    pixels.write_png(seeds, 8, 8, pixels.GREY, b"\1" * 8 + b"\2" * 56)
    for format_name, name in names.items():
      with self.subTest(format_name):
        run = self.run_program("cut", photo, "--seeds", seeds, "--cutout", self.path(name), "--soft-edge", "0")
        if format_name not in formats:
          self.assert_refused(run, 2, f"{name}: this build of Fretsaw cannot write {format_name}")
          continue
        self.assert_done(run)
        with open(self.path(name), "rb") as file:
          self.assertEqual(file.read(4), begins[format_name])

  def test_names_that_mislead(self):
    """A PNG called JPEG, a file called -, and one file under two names."""
    here = os.path.join(self.folder, ".")
    wrong = [("out.jpg: JPEG changes pixels", ["--mask", self.path("out.jpg")]), ("out.HEIC", ["--cutout", self.path("out.HEIC")]),
             ("out.xcf", ["--cutout", self.path("out.xcf")]), ("out.psd: layers", ["--mask", self.path("out.psd")]),
             ("out.jpg: JPEG has no transparency", ["--cutout", self.path("out.jpg")]),
             ("out.jpeg: JPEG changes", ["--labels", self.path("out.jpeg")]),
             ("out.webp: WebP has no palette", ["--labels", self.path("out.webp")]),
             ("./-", ["--mask", "-"]), ("empty", ["--mask", ""]),
             ("a.png: is named for two", ["--mask", self.path("a.png"), "--labels", os.path.join(here, "a.png")]),
             ("seeds.png: is an input", ["--mask", SEEDS]), ("sample.jpg: is an input", ["--report", PHOTO])]
    for word, options in wrong:
      with self.subTest(options):
        self.assert_refused(self.run_program("cut", PHOTO, "--seeds", SEEDS, *options), 2, word)
    self.assert_refused(self.run_program("cut", "-", "--seeds", SEEDS), 2, "./-")
    self.assertEqual(os.listdir(self.folder), [])

  def test_words_that_would_be_lost(self):
    """An option with two values, a flag with one, and names that say something else than is written."""
    a, b = self.path("a.png"), self.path("b.png")
    for word, options in (("--mask is given twice", ["--mask", a, "--mask", b]),
                          ("--cutout is given twice", ["--cutout", a, "--mask", b, "--cutout=" + b]),
                          ("--soft-edge is given twice", ["--cutout", a, "--soft-edge", "1", "--soft-edge", "2"]),
                          ("--seeds is given twice", ["--seeds", SEEDS, "--mask", a]),
                          ("--verify takes no value", ["--mask", a, "--verify=no"]),
                          ("--mask-page takes no value", ["--cutout", self.path("c.tif"), "--mask-page=no"]),
                          ("--skin takes no value", ["--mask", a, "--skin="]),
                          (".ora: is the ending of a name", ["--cutout", self.path(".ora")]),
                          (".PNG: is the ending of a name", ["--mask", self.path(".PNG")]),
                          (".svg: is the ending of a name", ["--outline", self.path(".svg")]),
                          ("r.png: has the ending of a picture", ["--report", self.path("r.png")]),
                          ("r.gif: nothing is written in that format", ["--mask", a, "--report", self.path("r.gif")]),
                          ("r.psd: has the ending of a picture", ["--report", self.path("r.psd")]),
                          ("the name of a file is empty", ["--outline", ""]),
                          ("the name of a file is empty", ["--cutout", "", "--mask-page"]),
                          ("the name of a file is empty", ["--outline="])):
      with self.subTest(options):
        self.assert_refused(self.run_program("cut", PHOTO, "--seeds", SEEDS, *options), 2, word)
    self.assertEqual(os.listdir(self.folder), [])
    # Values that look like options, and words after the last option, are not counted.
    self.assert_refused(self.run_program("cut", PHOTO, "--seeds", SEEDS, "--", "--mask", "--mask"), 2, "one photo")
    self.assert_refused(self.run_program("maxflow", "p.max", "--cut", self.path("c.png")), 2, "ending of a picture")
    self.assert_refused(self.run_program("mrf", "p.mrf", "--report", self.path("r.png")), 2, "ending of a picture")
    self.assert_refused(self.run_program("coco", "s.fretsaw", "--out", self.path("d.jpg")), 2, "ending of a picture")
    # Pictures of labels and of frames are none of objects.
    for ending in ".ora", ".psd", ".svg", ".jpg":
      self.assert_refused(self.run_program("mrf", "p.mrf", "--out", self.path("x" + ending)), 2, "x" + ending)
      self.assert_refused(self.run_program("frames", self.folder, "--picture", self.path("x" + ending)), 2, "x" + ending)
    for option in "--mask", "--report":
      run = self.run_program("replay", "s.fretsaw", option, self.path("x"), option + "=" + self.path("y"))
      self.assert_refused(run, 2, option + " is given twice")

  def test_folder_of_two_names(self):
    """What is one file for the system is one here, though no name says so, whether it is there or not."""
    folder, link = self.path("folder"), self.path("link")
    os.mkdir(folder)
    os.symlink(folder, link)
    photo = shutil.copy(PHOTO, folder)
    os.link(photo, self.path("second"))
    for word, options in (("a.png: is named for two",
                           ["--mask", os.path.join(folder, "a.png"), "--labels", os.path.join(link, "a.png")]),
                          ("sample.jpg: is an input", ["--report", os.path.join(link, "sample.jpg")]),
                          ("second: is an input", ["--report", self.path("second")])):
      with self.subTest(options):
        self.assert_refused(self.run_program("cut", photo, "--seeds", SEEDS, *options), 2, word)
    self.assertEqual(os.listdir(folder), ["sample.jpg"])

  @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
  def test_full_standard_output(self):
    small, seeds = self.path("photo.png"), self.path("seeds.png")
    pixels.write_png(small, 8, 8, pixels.GREY, bytes(range(64)))
    pixels.write_png(seeds, 8, 8, pixels.GREY, b"\1" * 8 + b"\2" * 56)
    for arguments in (["--help"], ["cut", "--help"], ["cut", small, "--seeds", seeds]):
      with self.subTest(arguments), open("/dev/full", "wb") as full:
        done = subprocess.run([program.PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                              env=self.environment, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Afretsaw: standard output [^\n]+\n\Z")

  def test_hostile_names(self):
    for name in ("%s%n%s.jpg", "two\nlines.jpg", "latin\udcff.jpg"):
      with self.subTest(name=name):
        run = self.run_program("cut", self.path(name), "--seeds", SEEDS)
        self.assertEqual(run.status, 1)
        self.assertTrue(run.err.startswith("fretsaw: "))


def profile_of(path):
  """What the iCCP chunk of a PNG holds, or None."""
  with open(path, "rb") as file:
    data = file.read()
  at = 8
  while at < len(data):
    n, = struct.unpack_from(">I", data, at)
    if data[at + 4:at + 8] == b"iCCP":
      return zlib.decompress(data[at + 8:at + 8 + n].split(b"\0", 1)[1][1:])
    at += 12 + n
  return None


class ColourProfile(program.ProgramTest):
  """The cut-out's numbers mean the colours that the photo's mean."""

  def setUp(self):
    super().setUp()
    self.seeds, self.cutout = self.path("seeds.png"), self.path("cutout.png")

  @staticmethod
  def profile(space=b"RGB ", n_bytes=70000):
    head = struct.pack(">I4sI4s4s4s12s4s", n_bytes, b"test", 0x04000000, b"mntr", space, b"XYZ ", bytes(12), b"acsp")
    head += bytes(28) + struct.pack(">III", 0xf6d6, 0x10000, 0xd32d)
    return head.ljust(132, b"\0") + random.Random(3).randbytes(n_bytes - 132)

  def png(self, profile):
    path = self.path("photo.png")
    pixels.write_png(path, 8, 8, pixels.RGB, bytes(range(192)))
    with open(path, "rb") as file:
      data = file.read()
    chunk = pixels.chunk(b"iCCP", b"some\0\0" + zlib.compress(profile))
    with open(path, "wb") as file:
      file.write(data[:33] + chunk + data[33:])
    return path

  def test_goes_along_with_frames(self):
    profile, folder, cutouts = self.profile(), self.path("frames"), self.path("cutouts")
    os.mkdir(folder)
    os.rename(self.png(profile), os.path.join(folder, "f-1.png"))
    pixels.write_png(self.seeds, 8, 8, pixels.GREY, b"\1" * 8 + b"\2" * 56)
    self.assert_done(self.run_program("frames", folder, "--out", self.path("out"), "--seeds", self.seeds,
                                      "--cutouts", cutouts))
    self.assertEqual(profile_of(os.path.join(cutouts, "f-1.png")), profile)

  def jpeg(self, profile, numbers=(1, 2)):
    path = self.path("photo.jpg")
    with open(PHOTO, "rb") as file:
      data = file.read()
    parts = [profile[:40000], profile[40000:]]
    markers = b"".join(b"\xff\xe2" + struct.pack(">H", len(part) + 16) + b"ICC_PROFILE\0" + bytes((number, 2)) + part
                       for number, part in zip(numbers, parts))
    with open(path, "wb") as file:
      file.write(data[:2] + markers + data[2:])
    return path

  def cut(self, path, width=8, height=8):
    pixels.write_png(self.seeds, width, height, pixels.GREY, b"\1" * width + b"\2" * (width * (height - 1)))
    self.assert_done(self.run_program("cut", path, "--seeds", self.seeds, "--cutout", self.cutout, "--model", "kmeans", "--soft-edge", "0"))
    picture = pixels.Png(self.cutout)
    self.assertEqual((picture.width, picture.height, picture.kind), (width, height, pixels.RGBA))
    return profile_of(self.cutout)

  def test_what_is_lost_is_said(self):
    """PNG says that a photo's colours are PQ's, TIFF cannot."""
    path, tiff = self.path("photo.png"), self.path("cutout.tif")
    pixels.write_png(path, 8, 8, pixels.RGB, bytes(range(192)))
    with open(path, "rb") as file:
      data = file.read()
    with open(path, "wb") as file:
      file.write(data[:33] + pixels.chunk(b"cICP", bytes((9, 16, 0, 1))) + data[33:])
    self.assertIsNone(self.cut(path))
    with open(self.cutout, "rb") as file:
      self.assertIn(b"cICP\x09\x10\x00\x01", file.read())
    if "TIFF" not in self.run_program("--version").out:
      self.skipTest("this build writes no TIFF")
    run = self.run_program("cut", path, "--seeds", self.seeds, "--cutout", tiff, "--model", "kmeans", "--soft-edge", "0")
    self.assertEqual(run.status, 0)
    self.assertRegex(run.err, r"\Afretsaw: [^\n]*cutout\.tif[^\n]*colours[^\n]*\n\Z")

  def test_goes_along(self):
    profile = self.profile()
    self.assertEqual(self.cut(self.png(profile)), profile)
    self.assertEqual(self.cut(self.jpeg(profile), WIDTH, HEIGHT), profile)
    large = self.profile(n_bytes=(1 << 20) + 4)
    self.assertEqual(self.cut(self.png(large)), large)

  def test_stays_behind(self):
    """What is no profile for RGB, is not whole, or converts by itself."""
    good = self.profile()
    wrong = [self.profile(b"CMYK"), good[:-4], good[:100], b"", good[:8] + b"\4\0\0\0link" + good[16:]]
    for profile in wrong:
      with self.subTest(n_bytes=len(profile)):
        self.assertIsNone(self.cut(self.png(profile)))


class OneKind(program.ProgramTest):
  """Seeds of one kind alone are enough for a cut."""

  def cut_with(self, label):
    seeds = pixels.Png(SEEDS).pixels
    only, mask = self.path("seeds.png"), self.path("mask.png")
    pixels.write_png(only, WIDTH, HEIGHT, pixels.INDEXED,
                     seeds.translate(bytes(v if v == label else 0 for v in range(256))),
                     bytes(range(9)))
    self.assert_done(self.run_program("cut", PHOTO, "--seeds", only, "--mask", mask))
    return pixels.Png(mask).pixels

  def test_object_only(self):
    self.assertIn(self.cut_with(2).count(255), range(1, N_PIXELS))

  def test_background_only(self):
    self.assertIn(self.cut_with(1).count(255), range(0, N_PIXELS))


if __name__ == "__main__":
  sys.exit(program.tap.main())
