#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw frames` through the real program: masks of a sequence, corrections, bad frames, resumed runs."""

import contextlib
import hashlib
import json
import os
import pty
import random
import shutil
import struct
import subprocess
import sys
import time

import pixels
import program
import sequences
from sequences import HEIGHT, NUMBERS, ROUNDS, WIDTH, iou, kill_twelve_times, made_correction, made_frame, made_seeds, sweep

# The least mean and worst IoU of a clip of the data pack, over the frames that are looked at.
CLIPS = {"synth-static": (0.95, 0.93), "synth-moving": (0.90, 0.88), "car-shadow": (0.85, 0.80)}


class Frames(sequences.SequenceTest):
  def test_follows(self):
    report = self.path("report.json")
    run = self.run_frames("--report", report)
    self.assert_done(run)
    self.assertRegex(run.out, r"\A8 frames: 8 cut, 0 there already, 0 failed; 2 numbers without a frame \(7 to 8\); \d+ ms\n\Z")
    for number in NUMBERS:
      self.check_mask(number)
    with open(report, encoding="utf-8") as file:
      content = json.load(file)
    self.assertEqual([content[k] for k in ("frames", "cut", "kept", "failed", "missing")], [8, 8, 0, 0, 2])
    self.assertEqual((content["failures"], content["warnings"], content["gaps"]), ([], [], [[7, 8]]))

  def test_pattern(self):
    """The same frames by a pattern, and some of them."""
    self.assert_done(self.run_frames())
    pattern, part = os.path.join(self.frames, "shot-%04d.png"), self.path("part")
    run = self.run_frames("--last", "9", frames=pattern, out=part)
    self.assert_done(run)
    self.assertIn("5 frames: 5 cut, 0 there already, 0 failed; 2 numbers without a frame (7 to 8)", run.out)
    run = self.run_frames(frames=pattern, out=part)
    self.assert_done(run)
    self.assertIn("8 frames: 3 cut, 5 there already", run.out)
    self.assertEqual(self.content(part), self.content())

  def test_frames_are_spared(self):
    """Nothing is written over a frame, also over one that is not wanted."""
    before = self.content(self.frames)
    for number in 3, 12:
      link = self.path(f"link-{number}.json")
      os.symlink(self.frame(number), link)
      for frames in self.frames, os.path.join(self.frames, "shot-%04d.png"):
        self.assert_refused(self.run_frames("--report", self.frame(number), frames=frames), 2, "the ending of a picture")
        self.assert_refused(self.run_frames("--report", link, "--last", "11", frames=frames), 1,
                            f"link-{number}.json: is an input, and would be overwritten")
        self.assert_refused(self.run_program("frames", frames, "--picture", self.frame(number)), 1, "is an input")
    self.assertEqual(self.content(self.frames), before)

  def test_bad_corrections_cost_nothing(self):
    """What is there is not removed for strokes that cannot be used."""
    self.assert_done(self.run_frames())
    before = self.content()
    pixels.write_png(self.path("wide.png"), WIDTH + 1, HEIGHT, pixels.GREY, bytes((WIDTH + 1) * HEIGHT))
    pixels.write_png(self.path("blank.png"), WIDTH, HEIGHT, pixels.GREY, bytes(WIDTH * HEIGHT))
    other = self.session(4, "other.fretsaw")
    for name, words in (("wide.png", "97 × 72"), ("blank.png", "no seeds"), (other, "is not the photo"),
                        (self.mask(9), "keep strokes in another folder")):
      self.assert_refused(self.run_frames("--correct", "5=" + self.path(name)), 1, words)
      self.assertEqual(self.content(), before)

  def test_nothing_is_removed_before_all_is_fine(self):
    """Neither for a folder of another run nor for a report that cannot be written; which may lie among the masks."""
    report = os.path.join(self.out, "report.json")
    self.assert_done(self.run_frames("--report", report))
    self.assertTrue(os.path.exists(report))
    other = self.path("other")
    self.assert_done(self.run_frames(out=other))
    before = self.content()
    options = self.correct(5)
    self.assert_refused(self.run_frames(*options, "--cutouts", other), 1, "other: holds the results of another run")
    self.assert_refused(self.run_frames(*options, "--report", self.path("no/r.json")), 1, "r.json: cannot be written")
    self.assertEqual(self.content(), before)

  def test_limits(self):
    run = self.run_frames("--first", "5", "--last", "9", "--seeds", self.correct(5, dx=-5, dy=-1)[1][2:])
    self.assert_done(run)
    self.assertEqual(set(self.content()) - {".fretsaw-frames.json"}, {f"shot-{n:04d}.png" for n in (5, 6, 9)})
    self.assert_refused(self.run_frames("--first", "13"), 1, "frames: ", "has no image from number 13 on")
    self.assert_refused(self.run_frames("--first", "7", "--last", "8"), 1, "from number 7 to 8")

  def test_cutouts_and_overlays(self):
    """Made from the masks, also of those that are there already."""
    self.assert_done(self.run_frames())
    cutouts, overlays = self.path("cut"), self.path("over")
    run = self.run_frames("--cutouts", cutouts, "--soft-edge", "0", "--overlays", overlays)
    self.assert_done(run)
    self.assertIn("0 cut, 8 there already", run.out)
    for number in NUMBERS:
      name = os.path.basename(self.mask(number))
      mask, frame = pixels.Png(self.mask(number)), pixels.Png(self.frame(number))
      cutout, overlay = (pixels.Png(os.path.join(folder, name)) for folder in (cutouts, overlays))
      self.assertEqual(cutout.plane(3), mask.plane(0))
      for channel in range(3):
        self.assertEqual(cutout.plane(channel), pixels.both(frame.plane(channel), mask.plane(0)))
      self.assertEqual(set(overlay.plane(3)), {255})
      outside = [(o, f) for o, f, m in zip(overlay.plane(0), frame.plane(0), mask.plane(0)) if not m]
      inside = [(o, f) for o, f, m in zip(overlay.plane(0), frame.plane(0), mask.plane(0)) if m]
      self.assertTrue(all(o <= f // 2 + 40 for o, f in outside))
      self.assertTrue(all(o in (f, 255) for o, f in inside))
    os.unlink(os.path.join(overlays, "shot-0006.png"))
    whole = self.path("whole")
    self.assert_done(self.run_frames("--overlays", overlays))
    self.assert_done(self.run_frames("--overlays", whole, out=self.path("out2")))
    self.assertEqual(self.content(whole), self.content(overlays))

  def test_session_on_the_first_frame(self):
    session = self.session(3)
    run = self.run_program("frames", self.frames, "--out", self.out, "--session", session)
    self.assert_done(run)
    for number in NUMBERS:
      self.check_mask(number)
    self.assertIn("8 there already", self.run_program("frames", self.frames, "--out", self.out, "--session", session).out)
    replayed = self.path("replayed.png")
    self.assert_done(self.run_program("replay", session, "--photo", self.frame(3), "--mask", replayed))
    self.assertEqual(pixels.Png(replayed).pixels, pixels.Png(self.mask(3)).pixels)
    self.assert_refused(
      self.run_program("frames", self.frames, "--out", self.path("o"), "--session", session, "--first", "4"), 1,
      "shot-0004.png: is not the photo")

  def test_session_on_another_file(self):
    """Pixels count, not bytes; and a photo that stands for the frame may be named, or its folder."""
    session = self.session(3)
    os.mkdir(self.path("painted"))
    os.rename(self.frame(3), self.path("painted/copy.png"))
    picture = pixels.Png(self.path("painted/copy.png"))
    dull = bytes(value ^ 1 for value in picture.pixels)
    pixels.write_png(self.frame(3), WIDTH, HEIGHT, pixels.RGB, dull)
    with open(session, encoding="utf-8") as file:
      content = json.load(file)
    content["photo"]["pixels"] = hashlib.sha256(struct.pack(">II", WIDTH, HEIGHT) + b"".join(
      picture.pixels[i:i + 3] + b"\xff" for i in range(0, len(picture.pixels), 3))).hexdigest()
    with open(session, "w", encoding="utf-8") as file:
      json.dump(content, file)
    run = ["frames", self.frames, "--session", session, "--last", "4", "--out"]
    self.assert_refused(self.run_program(*run, self.path("o1")), 1, "shot-0003.png: is not the photo")
    for i, photo in enumerate(("painted", "painted/copy.png")):
      self.assert_done(self.run_program(*run, self.path(f"p{i}"), "--photo", self.path(photo)))
    pixels.write_png(self.frame(3), WIDTH, HEIGHT, pixels.RGB, picture.pixels)
    self.assert_done(self.run_program(*run, self.path("o2")))
    content["photo"]["sha256"] = "0" * 64
    del content["photo"]["pixels"]
    with open(session, "w", encoding="utf-8") as file:
      json.dump(content, file)
    told = self.run_program(*run, self.path("o3"))
    self.assertEqual(told.status, 0)
    self.assertIn("shot-0003.png: is not the file", told.err)

  def test_corrections(self):
    """The corrected frame has another mask, those before it stay; without a correction all is as it was."""
    self.assert_done(self.run_frames())
    before, over = self.content(), self.path("over")
    correction = self.correct(9, dx=-12, dy=-20)
    for _ in range(2):
      self.assert_done(self.run_frames("--overlays", over, *correction))
      corrected = self.content()
      for number in NUMBERS[:5]:
        name = f"shot-{number:04d}.png"
        (self.assertEqual if number < 9 else self.assertNotEqual)(corrected[name], before[name])
    fresh = self.path("fresh")
    self.assert_done(self.run_frames("--overlays", self.path("over2"), *correction, out=fresh))
    self.assertEqual((self.content(fresh), self.content(self.path("over2"))), (corrected, self.content(over)))
    self.assertIn("3 cut, 5 there already", self.run_frames(*correction, *self.correct(10, "second.png")).out)
    self.assert_done(self.run_frames())
    self.assertEqual(self.content(), before)

  def test_corrected_by_a_session(self):
    """It stands for the mask that the window shows."""
    session, replayed = self.session(9), self.path("replayed.png")
    self.assert_done(self.run_frames("--correct", f"9={session}"))
    self.assert_done(self.run_program("replay", session, "--photo", self.frame(9), "--mask", replayed))
    self.assertEqual(pixels.Png(replayed).pixels, pixels.Png(self.mask(9)).pixels)
    for number in NUMBERS:
      self.check_mask(number)

  def test_soft_cutouts(self):
    """Soft in the cut-outs alone, which other runs do not take for theirs."""
    hard, soft = self.path("hard"), self.path("soft")
    self.assert_done(self.run_frames("--cutouts", hard, "--soft-edge", "0"))
    run = self.run_frames("--cutouts", soft, "--soft-edge", "3")
    self.assert_done(run)
    self.assertIn("0 cut, 8 there already", run.out)
    for number in NUMBERS:
      name = os.path.basename(self.mask(number))
      alphas = [pixels.Png(os.path.join(folder, name)).plane(3) for folder in (hard, soft)]
      self.assertEqual(alphas[0], pixels.Png(self.mask(number)).plane(0))
      n_soft = pixels.select(alphas[1], {0, 255}).count(0)
      self.assertGreater(n_soft, 50)
      self.assertLess(n_soft, 0.2 * WIDTH * HEIGHT)
    for folder, options in ((hard, ("--soft-edge", "3")), (soft, ("--soft-edge", "4")), (soft, ())):
      self.assert_refused(self.run_frames("--cutouts", folder, *options), 1, os.path.basename(folder))
    self.assert_done(self.run_frames("--cutouts", soft, "--soft-edge", "3"))
    self.assert_refused(self.run_frames("--soft-edge", "3"), 2, "--soft-edge")

  def test_hidden_colours(self):
    """Cut-outs hold nothing under alpha 0; those that do are of another run."""
    empty, hidden = self.path("empty"), self.path("hidden")
    self.assert_done(self.run_frames("--cutouts", empty, "--soft-edge", "0"))
    self.assert_done(self.run_frames("--cutouts", hidden, "--keep-hidden", "--soft-edge", "0"))
    for number in NUMBERS:
      name = os.path.basename(self.mask(number))
      cut_away = pixels.select(pixels.Png(self.mask(number)).plane(0), {0})
      n_coloured = [pixels.both(cut_away, pixels.select(pixels.Png(os.path.join(folder, name)).plane(1),
                                                        set(range(1, 256)))).count(255) for folder in (empty, hidden)]
      self.assertEqual(n_coloured[0], 0)
      self.assertGreater(n_coloured[1], 100)
    for folder, options in ((hidden, ()), (empty, ("--keep-hidden",))):
      self.assert_refused(self.run_frames("--cutouts", folder, "--soft-edge", "0", *options), 1, os.path.basename(folder))
    self.assert_refused(self.run_frames("--keep-hidden"), 2, "--keep-hidden")

  def test_cutouts_on_a_background(self):
    """Cut-outs on a colour or a picture, which are inputs as all others are."""
    clear, flat, picture = map(self.path, ("clear", "flat", "back.png"))
    self.assert_done(self.run_frames("--cutouts", clear))
    self.assert_done(self.run_frames("--cutouts", flat, "--background", "#204060"))
    for number in NUMBERS:
      name = os.path.basename(self.mask(number))
      cutout, on_colour = pixels.Png(os.path.join(clear, name)), pixels.Png(os.path.join(flat, name))
      self.assertEqual(on_colour.channels, 3)
      for k, value in enumerate((0x20, 0x40, 0x60)):
        expected = bytes((c * a + value * (255 - a) + 127) // 255 for c, a in zip(cutout.plane(k), cutout.plane(3)))
        self.assertEqual(on_colour.plane(k), expected)
    self.assertIn("8 there already", self.run_frames("--cutouts", flat, "--background", "#204060").out)
    pixels.write_png(picture, 2, 1, pixels.RGB, bytes((9, 9, 9, 200, 200, 200)))
    for options in ((), ("--background", "#204061"), ("--background", picture)):
      self.assert_refused(self.run_frames("--cutouts", flat, *options), 1, "flat: holds the results of another run")
    other = self.path("other")
    self.assert_done(self.run_frames("--cutouts", other, "--background", picture))
    pixels.write_png(picture, 2, 1, pixels.RGB, bytes((9, 9, 9, 201, 200, 200)))
    self.assert_refused(self.run_frames("--cutouts", other, "--background", picture), 1, "other: holds the results")
    for word, options in (("--background applies", ("--background", "white")),
                          ("--keep-hidden", ("--cutouts", clear, "--background", "white", "--keep-hidden")),
                          ("whit: is neither", ("--cutouts", clear, "--background", "whit"))):
      self.assert_refused(self.run_frames(*options), 2, word)

  def test_soft_cutouts_spare_strokes(self):
    """Seeds, a correction and a session are kept to, also in cut-outs that are made of masks later."""
    session, soft, later = self.session(9), self.path("soft"), self.path("later")
    options = ("--soft-edge", "16", "--correct", f"9={session}", *self.correct(11, dx=10, dy=5))
    self.assert_done(self.run_frames("--cutouts", soft, *options))
    self.assert_done(self.run_frames("--cutouts", later, *options))
    self.assertEqual(self.content(soft), self.content(later))
    stroke = bytearray(WIDTH * HEIGHT)
    for y, x0, x1, label in ((39, 60, 70, 2), (5, 5, 90, 1), (66, 5, 90, 1)):
      stroke[y * WIDTH + x0:y * WIDTH + x1 + 1] = bytes([label]) * (x1 + 1 - x0)
    for number, seeds in ((3, made_seeds()), (9, bytes(stroke)), (11, made_correction(10, 5))):
      alpha = pixels.Png(os.path.join(soft, f"shot-{number:04d}.png")).plane(3)
      told = {(label, value) for label, value in zip(seeds, alpha) if label}
      self.assertEqual(told, {(1, 0), (2, 255)}, number)

  def test_found_again(self):
    """An object that was lost is there again where a correction says so."""
    pixels.write_png(self.frame(11), WIDTH, HEIGHT, pixels.RGB, bytes(3 * WIDTH * HEIGHT))
    run = self.run_frames(*self.correct(12, dx=30, dy=6))
    self.assertEqual(run.status, 3)
    self.assertRegex(run.err, r"\Afretsaw: [^\n]*shot-0011.png: the object is lost: [^\n]+\n\Z")
    self.check_mask(12)

  def test_wrong_corrections(self):
    correction = self.correct(3)
    self.assert_refused(self.run_frames(*correction), 1, "correction.png: there is no later frame 3")
    self.assert_refused(self.run_frames(*self.correct(7)), 1, "correction.png: there is no later frame 7")
    pixels.write_png(self.path("small.png"), 4, 4, pixels.GREY, bytes(16))
    self.assert_refused(self.run_frames("--correct", "5=" + self.path("small.png")), 1, "small.png: ")
    self.assert_refused(self.run_frames("--correct", "6=" + self.path("none.png")), 1, "none.png: ")
    for wrong in ("5", "=x.png", "5=", "x=y.png", "-5=x.png", "1234567890123456789=x.png"):
      self.assert_refused(self.run_frames("--correct", wrong), 2, "--correct")
    self.assert_refused(self.run_frames(*self.correct(5), *self.correct(5)), 2, "--correct")

  def test_progress(self):
    """On a terminal a line says how far it is, and is wiped."""
    terminal, side = pty.openpty()
    self.addCleanup(os.close, terminal)
    process = subprocess.Popen([program.PROGRAM, "frames", self.frames, "--out", self.out, "--seeds", self.seeds],
                               env=self.environment, stdout=subprocess.DEVNULL, stderr=side)
    os.close(side)
    self.assertEqual(process.wait(), 0)
    said = b""
    with contextlib.suppress(OSError):
      while part := os.read(terminal, 65536):
        said += part
    said = said.decode()
    self.assertTrue(said.startswith("frame 1 of 8"), said)
    self.assertRegex(said, r"\r +\r\Z")

  def test_damaged_frame(self):
    """What can be seen of it is cut, and the damage told."""
    with open(self.frame(10), "rb") as file:
      whole = file.read()
    with open(self.frame(10), "wb") as file:
      file.write(whole[:len(whole) * 9 // 10])
    report = self.path("report.json")
    run = self.run_frames("--report", report)
    self.assertEqual(run.status, 0)
    self.assertRegex(run.err, r"\Afretsaw: [^\n]*shot-0010.png: [^\n]+\n\Z")
    with open(report, encoding="utf-8") as file:
      self.assertEqual(len(json.load(file)["warnings"]), 1)

  def test_picture(self):
    """The first frame, to be painted on."""
    picture = self.path("picture.png")
    self.assert_done(self.run_program("frames", self.frames, "--picture", picture, "--first", "7"))
    got, frame = pixels.Png(picture), pixels.Png(self.frame(9))
    self.assertEqual([got.plane(c) for c in range(3)], [frame.plane(c) for c in range(3)])
    self.assert_refused(self.run_program("frames", self.frames, "--picture", picture, "--out", "x"), 2, "--picture")
    self.assert_refused(self.run_program("frames", self.frames, "--picture", picture, "--first", "20"), 1, "frames: ")

  def test_bad_frames(self):
    """Three kinds of them: each is told, none holds up the others."""
    with open(self.frame(5), "wb") as file:
      file.write(b"no photo")
    pixels.write_png(self.frame(9), 10, 10, pixels.RGB, bytes(300))
    pixels.write_png(self.frame(11), WIDTH, HEIGHT, pixels.RGB, bytes(3 * WIDTH * HEIGHT))
    run = self.run_frames()
    self.assertEqual(run.status, 3)
    lines = run.err.splitlines()
    self.assertEqual(len(lines), 3, run.err)
    for line, number in zip(lines, (5, 9, 11)):
      self.assertTrue(line.startswith("fretsaw: ") and f"shot-{number:04d}.png: " in line, line)
      self.assertFalse(os.path.exists(self.mask(number)))
    self.assertIn("8 frames: 5 cut, 0 there already, 3 failed", run.out)
    for number in (3, 4, 6, 10, 12):
      self.check_mask(number)
    pixels.write_png(self.frame(5), WIDTH, HEIGHT, pixels.RGB, made_frame(5))
    self.assertIn("4 cut, 2 there already, 2 failed", self.run_frames().out)
    self.check_mask(5)

  def test_backend(self):
    """Where there is no device one line says so, and the processor makes the masks."""
    report = self.path("report.json")
    self.assert_done(self.run_frames("--backend", "cpu", "--report", report))
    with open(report, encoding="utf-8") as file:
      self.assertEqual(json.load(file)["backend"], "cpu")
    before = self.content()
    shutil.rmtree(self.out)
    run = self.run_frames("--backend", "cuda", "--report", report)
    self.assertEqual((run.status, len(run.err.splitlines())), (0, 1), run.err)
    self.assertIn("using the CPU", run.err)
    self.assertEqual(self.content(), before)
    with open(report, encoding="utf-8") as file:
      self.assertEqual(json.load(file)["backend"], "cpu")

  def test_first_frame_fails(self):
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, bytes(WIDTH * HEIGHT))
    self.assert_refused(self.run_frames(), 1, "seeds.png: no seeds")
    # Nothing was made of these strokes, so that there is nothing to keep from others.
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, made_seeds())
    self.assert_done(self.run_frames())
    self.check_mask(NUMBERS[0])

  def test_strokes_that_cannot_be_read(self):
    """A pipe would block, a device never end."""
    fifo, empty = self.path("fifo"), self.path("empty")
    os.mkfifo(fifo)
    with open(empty, "wb"):
      pass
    wrong = [(fifo, "a device or a pipe"), ("/dev/null", "a device or a pipe"), (self.folder, "is a folder"),
             (self.path("none"), "No such file"), (empty, "is empty")]
    for path, reason in wrong:
      for option in "--seeds", "--session":
        run = self.run_program("frames", self.frames, "--out", self.out, option, path)
        self.assert_refused(run, 1, path, reason)
    self.assertFalse(os.path.exists(self.out))

  def test_resumed(self):
    """Killed at any moment and run again, the folders are those of a run in one go."""
    self.check_resumed(())

  def test_corrected_and_resumed(self):
    """The same on top of a whole run without the corrections."""
    self.assert_done(self.run_frames("--overlays", os.path.join(self.out, "over")))
    self.check_resumed((*self.correct(5, "first.png", dx=-9), *self.correct(10, "second.png", dx=8)))

  def test_span(self):
    """Frames cut together: masks as good, another run than without; a span of one is none."""
    self.assert_done(self.run_frames("--span", "3"))
    for number in NUMBERS:
      self.check_mask(number)
    with open(os.path.join(self.out, ".fretsaw-frames.json"), encoding="utf-8") as file:
      self.assertEqual(json.load(file)["span"], 3)
    before = self.content()
    for other in ((), ("--span", "2")):
      self.assert_refused(self.run_frames(*other), 1, "out: ", "another --span")
    self.assertEqual(self.content(), before)
    one, none = self.path("one"), self.path("none")
    self.assert_done(self.run_frames("--span", "1", out=one))
    self.assert_done(self.run_frames(out=none))
    self.assertEqual(self.content(one), self.content(none))

  def test_span_resumed(self):
    """Killed at any moment, with frames that are cut together and a correction among them."""
    self.check_resumed(("--span", "3"))

  def test_span_corrected_and_resumed(self):
    self.assert_done(self.run_frames("--span", "4", "--overlays", os.path.join(self.out, "over")))
    self.check_resumed(("--span", "4", *self.correct(6, "first.png", dx=-9)))

  def test_span_with_bad_frames(self):
    """A frame that fails is passed over, whether the run goes on or begins anew behind it."""
    with open(self.frame(6), "wb") as file:
      file.write(b"no photo")
    pixels.write_png(self.frame(9), WIDTH, HEIGHT, pixels.RGB, bytes(3 * WIDTH * HEIGHT))
    whole = self.path("whole")
    run = self.run_frames("--span", "3", out=whole)
    self.assertEqual(run.status, 3)
    self.assertEqual(len(run.err.splitlines()), 2, run.err)
    for first in (10, 11, 12):
      shutil.copytree(whole, self.out, dirs_exist_ok=True)
      for number in range(first, 13):
        os.unlink(self.mask(number))
      self.assertEqual(self.run_frames("--span", "3").status, 3)
      self.assertEqual(self.content(), self.content(whole))

  def check_resumed(self, options):
    def words(out):
      return ["frames", self.frames, "--out", out, "--seeds", self.seeds, *options,
              "--overlays", os.path.join(out, "over")]
    whole = self.path("whole")
    start = time.monotonic()
    self.assert_done(self.run_program(*words(whole)))
    seconds = time.monotonic() - start
    rng, before = random.Random(1), self.path("before")
    if os.path.exists(self.out):
      os.rename(self.out, before)
    for _ in range(ROUNDS):
      shutil.rmtree(self.out, ignore_errors=True)
      if os.path.exists(before):
        shutil.copytree(before, self.out)
      kill_twelve_times([program.PROGRAM, *words(self.out)], self.environment, rng, seconds / 3)
      self.assert_done(self.run_program(*words(self.out)))
      for folder in (self.out, os.path.join(self.out, "over")):
        sweep(folder)
      self.assertEqual(self.content(), self.content(whole))
      self.assertIn("0 cut, 8 there already", self.run_program(*words(self.out)).out)

  def test_other_runs_are_kept(self):
    self.assert_done(self.run_frames())
    before = self.content()
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, made_seeds()[::-1])
    self.assert_refused(self.run_frames(), 1, "out: ", "another run")
    self.assertEqual(self.content(), before)
    os.unlink(os.path.join(self.out, ".fretsaw-frames.json"))
    self.assert_refused(self.run_frames(), 1, "shot-0003.png: ", "choose another folder")
    self.assert_refused(self.run_frames(out=self.frames), 1, "the folder of the frames")
    self.assert_refused(self.run_frames("--overlays", self.frames, out=self.path("new")), 1, "the folder of the frames")
    for name in "new", "new/", "./new":
      self.assert_refused(self.run_frames("--overlays", self.path(name), out=self.path("new")), 1, "a folder each")
      self.assertFalse(os.path.exists(self.path("new")))

  def test_skin(self):
    self.assert_done(self.run_program("frames", self.frames, "--out", self.out, "--skin"))
    for number in NUMBERS:
      self.check_mask(number)

  def test_skin_span(self):
    """Frames of skin cut together: as good, the same after being killed, and by itself with one."""
    def words(span, out):
      return ["frames", self.frames, "--out", out, "--skin", "--span", str(span)]
    whole, one, none = map(self.path, ("whole", "one", "none"))
    start = time.monotonic()
    self.assert_done(self.run_program(*words(3, self.out)))
    seconds = time.monotonic() - start
    for number in NUMBERS:
      self.check_mask(number)
    os.rename(self.out, whole)
    for _ in range(ROUNDS):
      shutil.rmtree(self.out, ignore_errors=True)
      kill_twelve_times([program.PROGRAM, *words(3, self.out)], self.environment, random.Random(1), seconds / 3)
      self.assert_done(self.run_program(*words(3, self.out)))
      self.assertEqual(self.content(), self.content(whole))
    self.assert_done(self.run_program(*words(1, one)))
    self.assert_done(self.run_program("frames", self.frames, "--out", none, "--skin"))
    self.assertEqual(self.content(one), self.content(none))

  def test_skin_span_steadies(self):
    """Skin with a soft border in light that changes: fewer pixels change their label than without."""
    width, height, film = 240, 180, self.path("film")
    os.mkdir(film)
    for number in range(5):
      rng = random.Random(number)
      rgb, light = bytearray(), rng.uniform(-0.2, 0.2)
      for y in range(height):
        for x in range(width):
          part = min(1, max(0, (((x - 120) ** 2 + 2 * (y - 90) ** 2) ** 0.5 - 42) / 25 + light))
          rgb += bytes(int(p + (q - p) * part) + rng.randrange(30) for p, q in zip((200, 120, 60), (60, 100, 140)))
      pixels.write_png(os.path.join(film, f"{number}.png"), width, height, pixels.RGB, bytes(rgb))
    changes = []
    for span in ("1", "3"):
      out = self.path("film-" + span)
      self.assert_done(self.run_program("frames", film, "--out", out, "--skin", "--span", span))
      masks = [pixels.Png(os.path.join(out, f"{number}.png")).plane(0) for number in range(5)]
      changes.append(sum(a != b for mask, after in zip(masks, masks[1:]) for a, b in zip(mask, after)))
    print(f"# {changes[0]} changes, {changes[1]} with a span")
    self.assertGreater(changes[1], 0)
    self.assertLess(changes[1], changes[0])

  def test_skin_span_of_two_sizes(self):
    """A frame of another size begins a span of its own, also where a run goes on behind it."""
    pixels.write_png(self.frame(9), 40, 30, pixels.RGB, bytes((200, 120, 60)) * 600 + bytes((60, 100, 140)) * 600)
    words = ["frames", self.frames, "--out", self.out, "--skin", "--span", "4"]
    self.assert_done(self.run_program(*words))
    before = self.content()
    for number in (11, 12):
      os.unlink(self.mask(number))
    self.assert_done(self.run_program(*words))
    self.assertEqual(self.content(), before)

  def test_wrong_usage(self):
    for words in ([], ["--out", self.out], ["--seeds", self.seeds],
                  ["--out", self.out, "--seeds", self.seeds, "--skin"],
                  ["--out", self.out, "--seeds", self.seeds, "--session", self.seeds],
                  ["--out", self.out, "--skin", "--correct", "5=" + self.seeds],
                  ["--out", self.out, "--skin", "--first", "5", "--last", "4"],
                  ["--out", self.out, "--skin", "--first", "-1"],
                  ["--out", self.out, "--seeds", self.seeds, "--report", self.seeds],
                  ["--out", self.out, "--skin", "--threads", "65"], ["--nonsense"],
                  ["--out", self.out, "--skin", "--backend", "abacus"],
                  ["--picture", self.path("p.png"), "--backend", "cpu"],
                  *(["--out", self.out, "--seeds", self.seeds, "--span", n] for n in ("0", "17", "-1", "two", "")),
                  ["--picture", self.path("p.png"), "--span", "2"]):
      self.assert_refused(self.run_program("frames", self.frames, *words), 2, "frames --help")
    self.assert_refused(self.run_program("frames", self.path("none"), "--out", self.out, "--skin"), 1, "none: ")
    for pattern in ("shot-%d-%d.png", "%s.png", "shot-%4d.png"):
      self.assert_refused(self.run_program("frames", os.path.join(self.frames, pattern), "--out", self.out, "--skin"),
                          1, pattern + ": ")


class Clips(program.ProgramTest):
  """The data pack's clips, from strokes that are the first truth without its border."""

  def strokes(self, truth, width, height):
    """Object and background, each without the eight pixels beside the other."""
    def shrunk(values, least):
      rows = [[int(values[y * width + x] == least) for x in range(width)] for y in range(height)]
      for _ in range(8):
        rows = [[min(row[max(0, x - 1):x + 2]) for x in range(width)] for row in rows]
        rows = [[min(rows[max(0, y - 1)][x], rows[y][x], rows[min(height - 1, y + 1)][x]) for x in range(width)]
                for y in range(height)]
      return rows
    inner = shrunk([t > 128 for t in truth], True)
    outer = shrunk([t > 128 for t in truth], False)
    return bytes(2 * inner[y][x] or outer[y][x] for y in range(height) for x in range(width))

  def check_clip(self, name):
    frames, masks = program.shared("video", name, "frames"), program.shared("video", name, "masks")
    first = pixels.Png(os.path.join(masks, "00000.png"))
    seeds, out = self.path("seeds.png"), self.path("out")
    pixels.write_png(seeds, first.width, first.height, pixels.GREY,
                     self.strokes(first.plane(0), first.width, first.height))
    self.assert_done(self.run_program("frames", frames, "--out", out, "--seeds", seeds))
    found = []
    for mask in sorted(os.listdir(masks))[::6]:
      truth = pixels.Png(os.path.join(masks, mask)).plane(0)
      found.append(iou(pixels.Png(os.path.join(out, mask)).plane(0), truth))
    print(f"# {name}: mean IoU {sum(found) / len(found):.4f}, worst {min(found):.4f}")
    self.assertGreater(sum(found) / len(found), CLIPS[name][0])
    self.assertGreater(min(found), CLIPS[name][1])

  def test_static(self):
    self.check_clip("synth-static")

  def test_moving(self):
    self.check_clip("synth-moving")

  def test_car(self):
    self.check_clip("car-shadow")


if __name__ == "__main__":
  sys.exit(program.tap.main())
