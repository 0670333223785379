#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw frames` a second time, after something has changed: a mask counts as there only if it was made of these
pictures and is as it was made, and nothing that is not the program's is lost."""

import fcntl
import json
import os
import random
import shutil
import sys

import pixels
import program
import sequences
from sequences import HEIGHT, NUMBERS, WIDTH, made_frame, made_seeds

MANIFEST = ".fretsaw-frames.json"


class Again(sequences.SequenceTest):
  def setUp(self):
    super().setUp()
    self.cutouts, self.overlays = self.path("cut"), self.path("over")
    self.folders = ("--cutouts", self.cutouts, "--overlays", self.overlays)

  def replace(self, number, noise=100):
    """Another picture under the same name, as old as the one before and as large a file where that can be."""
    facts = os.stat(self.frame(number))
    pixels.write_png(self.frame(number), WIDTH, HEIGHT, pixels.RGB, made_frame(number, noise))
    os.utime(self.frame(number), ns=(facts.st_atime_ns, facts.st_mtime_ns))

  def assert_fresh(self, *options, frames=None):
    """All folders are what a run into new ones leaves, apart from what was moved away."""
    fresh = [self.path("fresh-" + os.path.basename(folder)) for folder in (self.out, self.cutouts, self.overlays)]
    run = self.run_frames("--cutouts", fresh[1], "--overlays", fresh[2], *options, out=fresh[0], frames=frames)
    self.assertIn(run.status, (0, 3), run.err)
    for folder, new in zip((self.out, self.cutouts, self.overlays), fresh):
      there = {name: content for name, content in self.content(folder).items() if not name.startswith("old/")}
      self.assertEqual(there, self.content(new))
      shutil.rmtree(new)

  def run_again(self, *options, **words):
    run = self.run_frames(*self.folders, *options, **words)
    self.assertEqual(run.status, 0, run.err)
    return run

  def test_replaced(self):
    """One picture, by one as old: it is cut again, and what follows from it; all of them; and none."""
    self.run_again()
    self.replace(6)
    run = self.run_again()
    self.assertIn("8 frames: 5 cut, 3 there already, 0 failed", run.out)
    self.assertRegex(run.err, r"\A[^\n]*shot-0006.png: has changed since its mask was made[^\n]*\n\Z")
    self.assert_fresh()
    for number in NUMBERS:
      self.replace(number, 200)
    run = self.run_again()
    self.assertIn("8 cut, 0 there already", run.out)
    self.assertRegex(run.err, r"\A[^\n]*shot-0003.png: has changed since its mask was made[^\n]*\n\Z")
    self.assert_fresh()
    run = self.run_again()
    self.assertEqual((run.err, "0 cut, 8 there already" in run.out), ("", True))

  def test_other_order(self):
    """Two pictures have changed names, and one has come between others."""
    self.run_again()
    os.rename(self.frame(10), self.path("x.png"))
    os.rename(self.frame(11), self.frame(10))
    os.rename(self.path("x.png"), self.frame(11))
    self.assertIn("3 cut, 5 there already", self.run_again().out)
    self.assert_fresh()
    pixels.write_png(self.frame(7), WIDTH, HEIGHT, pixels.RGB, made_frame(7))
    self.assertIn("9 frames: 5 cut, 4 there already", self.run_again().out)
    self.assert_fresh()

  def test_skin_alone(self):
    """Frames of skin need no others: only what has changed is cut."""
    words = ["frames", self.frames, "--out", self.out, "--skin"]
    self.assert_done(self.run_program(*words))
    self.replace(5)
    self.replace(10)
    run = self.run_program(*words)
    self.assertIn("2 cut, 6 there already", run.out)
    self.assertEqual(len(run.err.splitlines()), 1, run.err)
    fresh = self.path("fresh")
    self.assert_done(self.run_program(*words[:3], fresh, "--skin"))
    self.assertEqual(self.content(), self.content(fresh))

  def test_not_as_made(self):
    """Empty, cut off, of another size, text, a link, another mask: made again, and what was there kept elsewhere."""
    self.run_again()
    before = self.content()
    with open(self.mask(4), "wb"):
      pass
    with open(self.mask(5), "r+b") as file:
      file.truncate(40)
    pixels.write_png(self.mask(6), 4, 4, pixels.GREY, bytes(16))
    with open(self.mask(9), "w", encoding="utf-8") as file:
      file.write("hello")
    os.unlink(self.mask(10))
    os.symlink(self.frame(10), self.mask(10))
    shutil.copy(self.mask(12), self.mask(11))
    frames = self.content(self.frames)
    other = {n: self.content().get(os.path.basename(self.mask(n))) for n in (5, 6, 9, 11)}
    os.unlink(os.path.join(self.cutouts, "shot-0004.png"))
    with open(os.path.join(self.overlays, "shot-0012.png"), "ab") as file:
      file.write(b"more")
    run = self.run_again()
    self.assertIn("8 frames: 6 cut, 2 there already", run.out)
    self.assertEqual(len(run.err.splitlines()), 6, run.err)
    for number in (5, 6, 9, 10, 11):
      self.assertIn(f"shot-{number:04d}.png: was changed after it was written: it is made again, and the changed file is now ", run.err)
      kept = os.path.join(self.out, "old", os.path.basename(self.mask(number)))
      if number == 10:
        self.assertTrue(os.path.islink(kept))
      else:
        with open(kept, "rb") as file:
          self.assertEqual(file.read(), other[number])
    shutil.rmtree(os.path.join(self.out, "old"))
    self.assertEqual(self.content(), before)
    self.assertEqual(self.content(self.frames), frames)
    self.assert_fresh()
    # A second one does not replace what was moved away first.
    for text in ("one", "two"):
      with open(self.mask(5), "w", encoding="utf-8") as file:
        file.write(text)
      self.run_again()
    kept = {name: content for name, content in self.content().items() if name.startswith("old/")}
    self.assertEqual(kept, {"old/shot-0005.png": b"one", "old/shot-0005-2.png": b"two"})

  def test_a_mask_that_is_no_one_s(self):
    """Where no mask comes of a frame, what a person put there stays."""
    pixels.write_png(self.frame(11), WIDTH, HEIGHT, pixels.RGB, bytes(3 * WIDTH * HEIGHT))
    self.assertEqual(self.run_frames().status, 3)
    with open(self.mask(11), "w", encoding="utf-8") as file:
      file.write("mine")
    run = self.run_frames()
    self.assertEqual(run.status, 3)
    self.assertIn("shot-0011.png: was changed after it was written: it is left as it is, and not used", run.err)
    self.assertEqual(self.content()["shot-0011.png"], b"mine")

  def test_a_frame_goes_bad(self):
    """The masks that were made of it, and cut-outs, go with it; with the picture they come back."""
    self.run_again()
    with open(self.frame(10), "rb") as file:
      picture = file.read()
    with open(self.frame(10), "wb") as file:
      file.write(b"no photo at all")
    self.assertEqual(self.run_frames(*self.folders).status, 3)
    for folder in (self.out, self.cutouts, self.overlays):
      self.assertNotIn("shot-0010.png", self.content(folder))
    self.assert_fresh()
    with open(self.frame(10), "wb") as file:
      file.write(picture)
    self.run_again()
    self.assert_fresh()

  def test_left(self):
    """Masks of frames that are gone stay and are told; in the midst, at the end, and until they are gone, too."""
    self.run_again()
    before = self.content()
    for number in (11, 12):
      os.unlink(self.frame(number))
    report = self.path("r.json")
    run = self.run_again("--report", report)
    self.assertIn("6 frames: 0 cut, 6 there already", run.out)
    self.assertEqual(len(run.err.splitlines()), 3, run.err)
    self.assertIn("out: 2 pictures are of frames that are no longer there, and stay: shot-0011.png, shot-0012.png", run.err)
    with open(report, encoding="utf-8") as file:
      self.assertEqual(json.load(file)["left"], 6)
    self.assertEqual(self.content(), before)
    os.unlink(self.frame(5))
    run = self.run_again()
    self.assertIn("5 frames: 3 cut, 2 there already", run.out)
    self.assertIn("3 pictures are of frames that are no longer there, and stay: shot-0005.png, shot-0011.png", run.err)
    for number in (5, 11, 12):
      for folder in (self.out, self.cutouts, self.overlays):
        os.unlink(os.path.join(folder, f"shot-{number:04d}.png"))
    self.assertEqual(self.run_again().err, "")
    self.assert_fresh()
    run = self.run_again("--last", "6")
    self.assertEqual((run.err, "3 frames: 0 cut, 3 there already" in run.out), ("", True))

  def test_other_place(self):
    """Frames of the same names: of another folder they are refused, of one that was moved they are the same."""
    self.run_again()
    before, shot = self.content(), self.path("shot-b")
    os.mkdir(shot)
    for number in NUMBERS:
      pixels.write_png(os.path.join(shot, f"shot-{number:04d}.png"), WIDTH, HEIGHT, pixels.RGB, made_frame(number, 50))
    for options in ((), self.folders):
      for _ in range(2):
        self.assert_refused(self.run_frames(*options, frames=shot), 1, "out: holds pictures made from other frames", "of the same names")
        self.assertEqual(self.content(), before)
    self.assert_refused(self.run_frames("--cutouts", self.cutouts, frames=shot, out=self.path("new")), 1, "cut: holds")
    moved = self.path("moved")
    os.rename(self.frames, moved)
    self.assertIn("0 cut, 8 there already", self.run_again(frames=moved).out)
    self.assert_fresh(frames=moved)
    # What a copy of the folder says is true of it as well.
    shutil.copytree(self.out, self.path("copy"))
    self.assertIn("8 there already", self.run_frames(frames=moved, out=self.path("copy")).out)

  def test_manifests(self):
    """A damaged one, one of an older version, none, one of masks elsewhere: nothing counts that is not known."""
    self.run_again()
    path = os.path.join(self.out, MANIFEST)
    with open(path, encoding="utf-8") as file:
      known = json.load(file)
    older = {key: value for key, value in known.items() if key not in ("frames", "place")}
    older = json.dumps({**older, "format": "fretsaw-frames-1", "corrections": {}})
    wrong = {number: {**known["frames"]["shot-0003"], "number": number} for number in NUMBERS}
    elsewhere = json.dumps({**known, "frames": {f"shot-{n:04d}": record for n, record in wrong.items()}})
    odd = json.dumps({**known, "frames": {"shot-0004": 5, "%zz": {}, "shot-0005": {"number": "x"}}})
    for text, words in ((older, "an older version"), ('{"format"', "is damaged"), ("[1]", "is damaged"), ("", "is damaged"),
                        (elsewhere, None), (odd, None)):
      with open(path, "w", encoding="utf-8") as file:
        file.write(text)
      run = self.run_again()
      self.assertEqual((words or "") in run.err, True, run.err)
      self.assertEqual(len(run.err.splitlines()), 1 if words else 0, run.err)
      self.assertRegex(run.out, r"[678] cut")
      self.assert_fresh()
    # Its name had no dot.
    os.rename(path, os.path.join(self.out, "fretsaw-frames.json"))
    self.assertIn("8 there already", self.run_again().out)
    self.assert_fresh()
    # The masks of an older version that are not those of the pictures are not lost either.
    self.replace(11)
    before = self.content()
    with open(path, "w", encoding="utf-8") as file:
      file.write(older)
    run = self.run_again()
    self.assertEqual({name for name in self.content() if name.startswith("old/")},
                     {f"old/shot-{n:04d}.png" for n in (11, 12) if self.content()[f"shot-{n:04d}.png"] != before[f"shot-{n:04d}.png"]})
    self.assert_fresh()

  def test_log(self):
    """What a run has noted counts as far as its lines are whole."""
    self.run_again()
    path, log = os.path.join(self.out, MANIFEST), os.path.join(self.out, ".fretsaw-frames.log")
    with open(path, encoding="utf-8") as file:
      known = json.load(file)
    lines = [json.dumps({**record, "frame": stem}) + "\n" for stem, record in sorted(known["frames"].items())]
    whole = self.content()
    for n, end in ((8, ""), (5, lines[5][:30]), (3, "nonsense\n" + "".join(lines)), (0, "")):
      with open(path, "w", encoding="utf-8") as file:
        json.dump({**known, "frames": {}}, file)
      with open(log, "w", encoding="utf-8") as file:
        file.write("".join(lines[:n]) + end)
      self.assertIn(f"{8 - n} cut, {n} there already", self.run_again().out)
      self.assertEqual(self.content(), whole)

  def test_one_at_a_time(self):
    """A folder that another run writes into is refused, whichever of the three it is."""
    self.run_again()
    before = self.content()
    for folder in (self.out, self.cutouts, self.overlays):
      held = os.open(folder, os.O_RDONLY)
      fcntl.flock(held, fcntl.LOCK_EX)
      self.assert_refused(self.run_frames(*self.folders), 1, os.path.basename(folder) + ": another run of frames is writing")
      os.close(held)
    self.assertEqual(self.content(), before)
    self.run_again()

  def test_strokes(self):
    """Other seeds are another run; strokes do not lie where masks are made, nor behind a link there."""
    self.run_again()
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, made_seeds()[::-1])
    self.assert_refused(self.run_frames(), 1, "out: holds the results of another run")
    pixels.write_png(self.seeds, WIDTH, HEIGHT, pixels.GREY, made_seeds())
    correction = self.correct(9, dx=-12, dy=-20)
    self.assertIn("4 cut, 4 there already", self.run_again(*correction).out)
    self.assert_fresh(*correction)
    correction = self.correct(9, dx=-3, dy=-2)
    self.assertIn("4 cut, 4 there already", self.run_again(*correction).out)
    self.assert_fresh(*correction)
    new, link = self.path("new"), self.path("link.png")
    os.mkdir(new)
    shutil.copy(self.seeds, os.path.join(new, "shot-0003.png"))
    os.symlink(os.path.join(new, "shot-0003.png"), link)
    for seeds in (os.path.join(new, "shot-0003.png"), link):
      self.assert_refused(self.run_program("frames", self.frames, "--out", new, "--seeds", seeds), 1, "keep strokes in another")

  def link_to(self, path):
    link = self.path(f"link-{len(os.listdir(self.folder))}.json")
    os.symlink(path, link)
    return link

  def test_report_spares_all(self):
    """It replaces no picture that is made or read, no manifest and no photo of a session, also by links."""
    session = self.session(3)
    photo = self.path("photo.png")
    shutil.copy(self.frame(3), photo)
    with open(session, encoding="utf-8") as file:
      content = json.load(file)
    content["photo"]["name"] = "photo.png"
    with open(session, "w", encoding="utf-8") as file:
      json.dump(content, file)
    words = ["frames", self.frames, "--session", session, "--out", self.out, *self.folders, "--report"]
    link, dangling, hard = map(self.path, ("link.json", "dangling.json", "hard.json"))
    self.assert_done(self.run_program(*words[:-1]))
    os.symlink(self.mask(4), link)
    os.unlink(self.mask(5))
    os.symlink(self.mask(5), dangling)
    os.link(self.mask(6), hard)
    def everything():
      return [self.content(folder) for folder in (self.out, self.cutouts, self.overlays, self.frames)]
    before = everything()
    made = "is a file that this run writes"
    for path, reason in ((self.mask(4), made), (self.mask(5), made), (link, made), (dangling, made), (hard, made),
                         (os.path.join(self.cutouts, "shot-0012.png"), made), (os.path.join(self.out, MANIFEST), made),
                         (os.path.join(self.overlays, ".fretsaw-frames.log"), made), (photo, "is an input, and would be overwritten"),
                         (self.frame(4), "is an input, and would be overwritten")):
      if path.endswith(".png"):
        self.assert_refused(self.run_program(*words, path), 2, "has the ending of a picture")
        path = self.link_to(path)
      self.assert_refused(self.run_program(*words, path), 1, reason)
      self.assertEqual(everything(), before)
    elsewhere = self.path("elsewhere.png")
    shutil.copy(self.frame(3), elsewhere)
    self.assert_refused(self.run_program(*words, self.link_to(elsewhere), "--photo", elsewhere), 1,
                        "is an input, and would be overwritten")
    self.assert_refused(self.run_program(*words, session), 2, "is an input, and would be overwritten")

  def test_links_among_folders(self):
    """Two names of one folder are one folder, also of one that is not there yet."""
    os.mkdir(self.path("a"))
    os.symlink(self.path("a"), self.path("b"))
    for inner in ("", "x", "x/y"):
      one, two = os.path.join(self.path("a"), inner), os.path.join(self.path("b"), inner)
      self.assert_refused(self.run_frames("--cutouts", two, out=one), 1, "need a folder each")
    os.symlink(self.frames, self.path("f"))
    self.assert_refused(self.run_frames(out=self.path("f")), 1, "is the folder of the frames")
    # A frame that is a link to where its mask goes.
    self.run_again()
    os.rename(self.frame(6), self.mask(6))
    os.symlink(self.mask(6), self.frame(6))
    before = self.content()
    run = self.run_frames()
    self.assertEqual(run.status, 3)
    self.assertIn("shot-0006.png: is the frame itself, by a link", run.err)
    self.assertEqual(self.content()["shot-0006.png"], before["shot-0006.png"])


class Names(sequences.SequenceTest):
  def test_two_sequences(self):
    """Two in a folder are told, with the pattern of each; where numbers are the same it is refused."""
    for number in (20, 21, 22):
      shutil.copy(self.frame(12), os.path.join(self.frames, f"other{number}.png"))
    run = self.run_frames()
    self.assertEqual(run.status, 0)
    self.assertIn("it holds 2 sequences, shot-%04d.png (8 images), other%d.png (3); a pattern takes one of them: ", run.err)
    self.assertIn("frames/shot-%04d.png", run.err)
    self.assertEqual(self.run_frames(frames=os.path.join(self.frames, "shot-%04d.png"), out=self.path("o")).err, "")
    shutil.copy(self.frame(12), os.path.join(self.frames, "other12.png"))
    self.assert_refused(self.run_frames(), 1, "other12.png and shot-0012.png have the same number: it holds 2 sequences")

  def test_patterns_that_miss(self):
    for pattern in ("shot-%d.png", "shoot-%04d.png"):
      self.assert_refused(self.run_frames(frames=os.path.join(self.frames, pattern)), 1,
                          "there is no image of such a name; its folder has shot-%04d.png (8 images)")
    os.mkdir(self.path("none"))
    self.assert_refused(self.run_frames(frames=self.path("none")), 1, "has no numbered images", "shot-0001.png")
    self.assert_refused(self.run_frames("--first", "13"), 1, "its numbers are 3 to 12")

  def test_percent(self):
    """A percent sign in names is written twice, or as it is where it can mean nothing else."""
    for number in NUMBERS[:2]:
      os.rename(self.frame(number), os.path.join(self.frames, f"100%_{number}.png"))
    for pattern in ("100%%_%d.png", "100%_%d.png"):
      run = self.run_frames(frames=os.path.join(self.frames, pattern), out=self.path(pattern))
      self.assert_done(run)
      self.assertIn("2 frames: 2 cut", run.out)
    self.assertIn("0 cut, 2 there already",
                  self.run_frames(frames=os.path.join(self.frames, pattern), out=self.path(pattern)).out)


class Lost(sequences.SequenceTest):
  """A frame without the object: no mask, an empty one, the last one, or the end."""

  def setUp(self):
    super().setUp()
    pixels.write_png(self.frame(10), WIDTH, HEIGHT, pixels.RGB, bytes(3 * WIDTH * HEIGHT))

  def plane(self, number):
    return pixels.Png(self.mask(number)).plane(0)

  def test_filled(self):
    skip = self.path("skip")
    self.assertEqual(self.run_frames(out=skip).status, 3)
    cutouts = self.path("cutouts")
    for way in ("empty", "last"):
      shutil.rmtree(self.out, ignore_errors=True)
      shutil.rmtree(cutouts, ignore_errors=True)
      for n_cut in (7, 0):
        run = self.run_frames("--lost", way, "--cutouts", cutouts, "--soft-edge", "0")
        self.assertEqual(run.status, 0, run.err)
        self.assertIn(f"8 frames: {n_cut} cut, {7 - n_cut} there already, 0 failed, 1 lost;", run.out)
        self.assertEqual(self.plane(10), bytes(WIDTH * HEIGHT) if way == "empty" else self.plane(9))
        self.assertEqual(pixels.Png(os.path.join(cutouts, "shot-0010.png")).plane(3), self.plane(10))
        self.assertEqual("shot-0010.png: the object is lost" in run.err, n_cut == 7)
      for number in (3, 9, 11, 12):
        with open(os.path.join(skip, f"shot-{number:04d}.png"), "rb") as file:
          self.assertEqual(self.content()[f"shot-{number:04d}.png"], file.read())
    # Who wants no such mask any more loses it, and nothing else.
    self.assertIn("7 there already, 1 failed", self.run_frames().out)
    self.assertEqual(self.content(), self.content(skip))

  def test_stop(self):
    run = self.run_frames("--lost", "stop")
    self.assertEqual(run.status, 3)
    self.assertIn("6 frames: 5 cut, 0 there already, 1 failed", run.out)
    self.assertNotIn("shot-0011.png", self.content())
    pixels.write_png(self.frame(10), WIDTH, HEIGHT, pixels.RGB, made_frame(10))
    run = self.run_frames("--lost", "stop")
    self.assertIn("8 frames: 3 cut, 5 there already, 0 failed", run.out)

  def test_taken_for_it(self):
    """It goes, and something beside it has its colours: that was background before."""
    for number in NUMBERS:
      rgb = bytearray(made_frame(number, 300))
      rng = random.Random(number)
      for y in range(HEIGHT):
        for x in range(WIDTH):
          # It goes behind a wall of its colours.
          if x >= 70:
            rgb[3 * (y * WIDTH + x):3 * (y * WIDTH + x) + 3] = bytes(b + rng.randrange(30) for b in (200, 120, 60))
      pixels.write_png(self.frame(number), WIDTH, HEIGHT, pixels.RGB, bytes(rgb))
    run = self.run_frames("--lost", "empty")
    self.assertEqual(run.status, 0, run.err)
    self.assertRegex(run.err, r"shot-00(10|11|12).png: the object is lost: most of what was found was background before")
    self.assertEqual(self.plane(12), bytes(WIDTH * HEIGHT))
    self.assertGreater(self.plane(4).count(255), 100)

  def test_usage(self):
    for words in (("--seeds", self.seeds, "--lost", "nothing"), ("--skin", "--lost", "empty")):
      self.assert_refused(self.run_program("frames", self.frames, "--out", self.out, *words), 2, "--lost")


if __name__ == "__main__":
  sys.exit(program.tap.main())
