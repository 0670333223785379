#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw cut` with --out: many photos, each to the bytes of the command for one; only what has changed; failures cost
a line each; shards and workers."""

import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import batches
import pixels
import program

FAILING_FINDER = """#!/bin/sh
# The worker that waits for this photo is killed; else the guess is what lies in the folder.
case "$(cat "$3/victim")" in "$(cksum < "$1")") kill -9 $PPID; sleep 1;; esac
cp "$3/guess.png" "$2"
"""


class Batch(batches.BatchTest):
  def assert_counts(self, run, n, cut, there, failed):
    self.assertIn(f"{n} photos: {cut} cut, {there} there already, {failed} failed", run.out, run.err)
    self.assertEqual(run.status, 0 if failed == 0 else 3 if failed < n else 1, run.err)

  def test_bytes_of_one_photo(self):
    """Seeds, a guess, both, and a session: every output is that of `cut` or `replay` alone."""
    batches.add_session(self.photos, "sample")
    self.assert_counts(self.run_batch("--edge-shift", "1"), 7, 7, 0, 0)
    made = batches.content(self.out)
    self.assertEqual(len(made), 7 * 5)
    for stem, ending, evidence in (("photo-0000", ".png", ["--seeds"]), ("photo-0002", ".png", ["--guess"]),
                                   ("photo-0003", ".png", ["--seeds", "--guess"]), ("sample", ".jpg", None)):
      photo = os.path.join(self.photos, stem + ending)
      outputs = {"mask": "masks", "cutout": "cutouts", "alpha": "alphas", "labels": "labels", "outline": "outlines"}
      words = [word for name in outputs
               for word in ("--" + name, self.path("one-" + name + (".svg" if name == "outline" else ".png")))]
      if evidence is None:
        words = ["replay", os.path.join(self.photos, stem + ".fretsaw"), "--photo", photo, "--at-once", *words]
      else:
        words = ["cut", photo, *words]
        words += [word for option in evidence for word in (option, os.path.join(self.photos, f"{stem}-{option[2:]}.png"))]
      run = self.run_program(*words, "--edge-shift", "1")
      self.assertEqual(run.status, 0, run.err)
      for name, folder in outputs.items():
        ending = ".svg" if name == "outline" else ".png"
        with open(self.path("one-" + name + ending), "rb") as file:
          self.assertEqual(file.read(), made[f"{folder}/{stem}{ending}"], (stem, name))

  def test_only_what_has_changed(self):
    """A photo, its seeds, an option of one kind, an output that is gone; and nothing."""
    self.assert_counts(self.run_batch(), 6, 6, 0, 0)
    first = batches.content(self.out, hidden=True)
    self.assert_counts(self.run_batch("--jobs", "2"), 6, 0, 6, 0)
    self.assertEqual(batches.content(self.out, hidden=True), first)
    batches.write_photo(self.photo(1), 100)
    batches.write_seeds(self.photo(4, "-seeds.png"), flipped=True)
    os.unlink(os.path.join(self.out, "outlines", "photo-0005.svg"))
    self.assert_counts(self.run_batch(), 6, 3, 3, 0)
    self.assertEqual(batches.content(self.out).keys(), {name for name in first if "/." not in name})
    os.unlink(self.photo(4, "-seeds.png"))
    batches.write_guess(self.photo(4, "-guess.png"))
    self.assert_counts(self.run_batch(), 6, 1, 5, 0)
    self.assert_counts(self.run_batch("--edge-smooth", "2"), 6, 6, 0, 0)
    self.assert_counts(self.run_batch("--outline-tolerance", "0", "--edge-smooth", "2"), 6, 6, 0, 0)
    masks = ["cut", self.photos, "--out", os.path.join(self.out, "masks")]
    self.assert_counts(self.run_program(*masks), 6, 0, 6, 0)
    self.assert_counts(self.run_program(*masks, "--threads", "1", "--verify"), 6, 0, 6, 0)
    self.assert_counts(self.run_program(*masks, "--smoothness", "3"), 6, 6, 0, 0)
    fresh = self.path("fresh")
    self.run_batch("--edge-smooth", "2", out=fresh)
    self.assert_counts(self.run_batch("--edge-smooth", "2"), 6, 6, 0, 0)
    self.assertEqual(batches.content(self.out), batches.content(fresh))

  def test_changed_by_hand(self):
    """An output that somebody has changed is made again, and theirs is kept; the same bytes in its place are no change."""
    self.run_batch()
    before = batches.content(self.out)
    mask = os.path.join(self.out, "masks", "photo-0002.png")
    shutil.copy(self.photo(0), mask)
    os.unlink(os.path.join(self.out, "masks", ".fretsaw-cut.json"))
    run = self.run_batch()
    self.assert_counts(run, 6, 6, 0, 0)
    self.assertRegex(run.err, r"\Afretsaw: [^\n]*photo-0002.png: an output of it was changed [^\n]*/old/photo-0002.png\n\Z")
    after = batches.content(self.out)
    with open(self.photo(0), "rb") as file:
      self.assertEqual(after.pop("masks/old/photo-0002.png"), file.read())
    self.assertEqual(after, before)

  def test_failures(self):
    """A broken photo, one without evidence, seeds of another size, a name of a list that is not there: a line each."""
    with open(self.photo(1), "wb") as file:
      file.write(b"no photo")
    os.unlink(self.photo(4, "-seeds.png"))
    os.truncate(self.photo(5, "-seeds.png"), 20)
    listed = self.path("list.txt")
    with open(listed, "w", encoding="utf-8") as file:
      file.write("\ufeff" + "".join(f"photos/photo-{n:04d}.png\n" for n in (0, 1, 4, 5)) + "\nnot-there.jpg\r\n")
    for jobs in ("1", "3"):
      out = self.path("out-" + jobs)
      run = self.run_batch("--jobs", jobs, "--report", self.path("r.json"), inputs=[listed], out=out)
      self.assert_counts(run, 5, 1, 0, 4)
      lines = run.err.splitlines()
      self.assertEqual(len(lines), 4, run.err)
      self.assertRegex(lines[0], r"^fretsaw: [^ ]*not-there.jpg: cannot be opened: No such file or directory$")
      self.assertRegex(lines[1], r"^fretsaw: [^ ]*photo-0001.png: is not a photo")
      self.assertRegex(lines[2], r"^fretsaw: [^ ]*photo-0004.png: no strokes, guess or session$")
      self.assertRegex(lines[3], r"^fretsaw: [^ ]*photo-0005.png: [^ ]*photo-0005-seeds.png: ")
      with open(self.path("r.json"), encoding="utf-8") as file:
        report = json.load(file)
      self.assertEqual([report[key] for key in ("photos", "cut", "there", "failed")], [5, 1, 0, 4])
      self.assertEqual([f"fretsaw: {f['photo']}: {f['reason']}" for f in report["failures"]], lines)
      self.assertEqual(len(batches.content(out)), 5)
    batches.write_photo(self.photo(1), 1)
    self.assert_counts(self.run_batch(inputs=[listed], out=out), 5, 1, 1, 3)

  def test_photo_that_breaks_later(self):
    """Its outputs stay while it cannot be read, and go when it is something else that cannot be cut."""
    self.run_batch()
    with open(self.photo(1), "rb") as file:
      photo = file.read()
    os.unlink(self.photo(1))
    self.assert_counts(self.run_batch(inputs=[self.photo(0), self.photo(1)]), 2, 0, 1, 1)
    self.assertEqual(len(batches.content(self.out)), 30)
    with open(self.photo(1), "wb") as file:
      file.write(photo[:40])
    self.assert_counts(self.run_batch(), 6, 0, 5, 1)
    self.assertEqual(len(batches.content(self.out)), 25)

  def test_refused(self):
    shutil.copy(self.photo(0), self.photo(1, ".jpg"))
    self.assert_refused(self.run_batch(), 1, "has the same name as", "photo-0001.jpg")
    os.unlink(self.photo(1, ".jpg"))
    self.assert_refused(self.run_program("cut", self.photos, "--out", self.photos), 1, "is a folder of photos")
    self.assert_refused(self.run_program("cut", self.photos, "--out", self.out, "--cutouts", self.out), 1, "two kinds")
    self.assert_refused(self.run_program("cut", self.path("none"), "--out", self.out), 1, "no list of photos")
    for option in ("--seeds", "--guess", "--sessions"):
      for name in (self.photo(0, "-seeds.png"), self.path("none")):
        self.assert_refused(self.run_program("cut", self.photos, "--out", self.out, option, name), 1, "is no folder")
    os.mkdir(self.path("empty"))
    self.assert_refused(self.run_program("cut", self.path("empty"), "--out", self.out), 1, "has no photos")
    for words, reason in ((["--mask", "m.png"], "for one photo"), (["--quality", "3"], "--quality"),
                          (["--devices", "0", "--backend", "cpu"], "--devices cannot")):
      self.assert_refused(self.run_batch(*words), 2, reason)
    self.assert_refused(self.run_program("cut", self.photo(0), "--seeds", self.photo(0, "-seeds.png"), "--jobs", "2"), 2,
                        "--jobs is for many photos")
    self.environment["CUDA_VISIBLE_DEVICES"] = "3,5"
    self.assert_refused(self.run_batch("--devices", "0,2"), 2, "device 2: CUDA_VISIBLE_DEVICES has 2")

  def test_no_files(self):
    """Named as photos in a folder or a list: each fails with its reason, and nobody waits for a pipe."""
    def named(stem, ending=".png"):
      return os.path.join(self.photos, stem + ending)
    reasons = {"link": "cannot be opened: No such file", "pipe": "is a device or a pipe", "folder": "is a folder",
               "socket": "cannot be opened", "device": "is a device or a pipe"}
    if os.geteuid() != 0:
      reasons["secret"] = "cannot be opened: Permission denied"
    os.symlink("nowhere.jpg", named("link"))
    os.mkfifo(named("pipe"))
    os.mkdir(named("folder"))
    os.mkdir(self.photo(0, ".jpg"))
    os.symlink("/dev/null", named("device"))
    with socket.socket(socket.AF_UNIX) as bound:
      bound.bind(named("socket"))
    shutil.copy(self.photo(0), named("secret"))
    os.chmod(named("secret"), 0o200)
    if "secret" not in reasons:
      os.unlink(named("secret"))
    for stem in reasons:
      shutil.copy(self.photo(0, "-seeds.png"), named(stem, "-seeds.png"))
    n = 6 + len(reasons) + 1
    listed = self.path("list.txt")
    with open(listed, "w", encoding="utf-8") as file:
      file.write("\n".join([*map(self.photo, range(6)), *map(named, reasons), self.photo(0, ".jpg")]))
    for inputs in ([self.photos], [listed]):
      run = self.run_batch(inputs=inputs)
      self.assert_counts(run, n, 6 if inputs == [self.photos] else 0, 0 if inputs == [self.photos] else 6, n - 6)
      for stem, reason in reasons.items():
        self.assertRegex(run.err, re.escape(named(stem) + ": ") + reason)
      self.assertIn(self.photo(0, ".jpg") + ": is a folder", run.err)
    os.mkdir(self.path("links"))
    os.symlink("nowhere.jpg", self.path("links/a.jpg"))
    run = self.run_batch(inputs=[self.path("links")])
    self.assert_counts(run, 1, 0, 0, 1)
    self.assertIn("a.jpg: cannot be opened", run.err)

  def test_session_of_another_photo(self):
    """A photo that has the name of another one's session is cut, since it may be a retouched copy, and told."""
    batches.add_session(self.photos, "sample")
    sample, session = (os.path.join(self.photos, "sample" + ending) for ending in (".jpg", ".fretsaw"))
    with open(session, encoding="utf-8") as file:
      content = json.load(file)
    content["photo"]["pixels"] = "0" * 64
    with open(session, "w", encoding="utf-8") as file:
      json.dump(content, file)
    run = self.run_batch(inputs=[sample])
    self.assertEqual((run.status, run.err), (0, ""))
    copy = pixels.Png(self.path("out/cutouts/sample.png"))
    pixels.write_png(os.path.join(self.photos, "sample.png"), copy.width, copy.height, pixels.RGB,
                     bytes(3 * copy.width * copy.height))
    os.unlink(sample)
    run = self.run_batch(inputs=[os.path.join(self.photos, "sample.png")])
    self.assert_counts(run, 1, 1, 0, 0)
    self.assertIn("sample.png: has other pixels than the photo that the session was painted on", run.err)

  def test_report_over_an_input(self):
    """A report replaces no photo, evidence or list, of any shard, and no manifest."""
    batches.add_session(self.photos, "sample")
    paths = [os.path.join(self.photos, name) for name in ("sample.fretsaw", "sample.jpg", "list.txt")]
    with open(paths[2], "w", encoding="utf-8") as file:
      file.write("sample.jpg\n")
    link = self.path("link.json")
    os.symlink(paths[0], link)
    manifest = os.path.join(self.out, "masks", ".fretsaw-cut.json")
    self.run_batch()
    before = batches.content(self.path(""), hidden=True)
    for report, words in ((paths[0], []), (link, ["--shard", "1/7"]), (paths[2], []), (manifest, [])):
      run = self.run_batch("--report", report, *words, inputs=[self.photos, paths[2]])
      self.assertEqual(run.status, 1, run.err)
      self.assertIn("would be overwritten" if report != manifest else "choose another name", run.err)
    self.assertEqual(batches.content(self.path(""), hidden=True), before)

  def test_other_photos_of_these_names(self):
    """A second folder's photos do not replace the first one's outputs; the same ones in another place are there."""
    self.run_batch()
    other = self.path("other")
    shutil.copytree(self.photos, other)
    batches.write_photo(os.path.join(other, "photo-0003.png"), 77)
    before = batches.content(self.out)
    run = self.run_batch(inputs=[other])
    self.assert_counts(run, 6, 0, 5, 1)
    self.assertIn("photo-0003.png: ", run.err)
    self.assertIn("another photo of that name", run.err)
    self.assertEqual(batches.content(self.out), before)

  def test_named_folders(self):
    """Seeds and guesses in folders of their own; what lies beside the photos does not count then."""
    seeds, guesses = self.path("seeds"), self.path("guesses")
    os.mkdir(seeds)
    os.mkdir(guesses)
    for number in range(self.count):
      for kind, folder in (("-seeds.png", seeds), ("-guess.png", guesses)):
        if os.path.exists(self.photo(number, kind)):
          shutil.copy(self.photo(number, kind), os.path.join(folder, f"photo-{number:04d}.png"))
    self.assert_counts(self.run_batch("--seeds", seeds, "--guess", guesses), 6, 6, 0, 0)
    self.assert_counts(self.run_batch(), 6, 0, 6, 0)
    self.assert_counts(self.run_batch("--guess", guesses, out=self.path("less")), 6, 2, 0, 4)

  def test_skin(self):
    """Skin needs no evidence, and seeds alone count beside it."""
    batches.add_session(self.photos, "sample")
    os.unlink(self.photo(4, "-seeds.png"))
    masks = ["cut", self.photos, "--skin", "--out", self.out]
    self.assert_counts(self.run_program(*masks), 7, 7, 0, 0)
    for words in ([self.photo(3), "--seeds", self.photo(3, "-seeds.png")], [os.path.join(self.photos, "sample.jpg")]):
      self.assert_done(self.run_program("cut", *words, "--skin", "--mask", self.path("one.png")))
      stem = os.path.splitext(os.path.basename(words[0]))[0]
      with open(self.path("one.png"), "rb") as one, open(os.path.join(self.out, stem + ".png"), "rb") as many:
        self.assertEqual(one.read(), many.read())

  def test_group_signal(self):
    """SIGTERM to the whole group, workers included, as schedulers send it: no photo fails by it."""
    process = subprocess.Popen([program.PROGRAM, *self.words("--jobs", "2")], env=self.environment, text=True,
                               start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.05)
    os.killpg(process.pid, signal.SIGTERM)
    out, err = process.communicate()
    if process.returncode != -signal.SIGTERM:
      self.assertEqual(process.returncode, 0, err)  # it was done before
    self.assertEqual(err, "")
    self.assertNotRegex(out, r"[1-9]\d* failed")

  def test_shards(self):
    """Any division makes what one run makes, at the same time too, and any other finds it there."""
    whole = self.path("whole")
    self.run_batch(out=whole)
    processes = [subprocess.Popen([program.PROGRAM, *self.words("--shard", f"{k}/3")], env=self.environment,
                                  stdout=subprocess.PIPE, text=True) for k in (1, 2, 3)]
    for process in processes:
      out, _ = process.communicate()
      self.assertIn("2 photos: 2 cut", out)
    self.assertEqual(batches.content(self.out), batches.content(whole))
    self.assert_counts(self.run_batch(), 6, 0, 6, 0)
    self.assert_counts(self.run_batch("--shard", "1/2"), 3, 0, 3, 0)
    self.assert_counts(self.run_batch("--shard", "9/9"), 0, 0, 0, 0)
    batches.write_photo(self.photo(1), 100)
    self.assert_counts(self.run_batch("--shard", "2/2"), 3, 1, 2, 0)
    self.assert_counts(self.run_batch(), 6, 0, 6, 0)

  def test_locked(self):
    """One run at a time has a shard."""
    os.mkfifo(self.path("wait"))
    with open(self.path("finder"), "w", encoding="utf-8") as file:
      file.write('#!/bin/sh\necho started > "$3/started"\nread line < "$3/wait"\n')
    finder = f"sh {self.path('finder')} {{photo}} {{mask}} {self.folder}"
    for name in os.listdir(self.photos):
      if re.search("-(seeds|guess)", name):
        os.unlink(os.path.join(self.photos, name))
    words = self.words("--find-subject=" + finder)
    process = subprocess.Popen([program.PROGRAM, *words], env=self.environment, stdout=subprocess.PIPE, text=True)
    self.await_file("started")
    self.assert_refused(self.run_batch("--find-subject=" + finder), 1, "another run is writing")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    self.assertEqual(process.returncode, -signal.SIGINT)
    self.assertIn("6 to do: the same command goes on", out)
    self.assertEqual(sorted(os.listdir(os.path.join(self.out, "masks"))), [".fretsaw-cut.json"])

  def await_file(self, name):
    for _ in range(600):
      if os.path.exists(self.path(name)):
        return
      time.sleep(0.1)
    self.fail(name + " did not appear")

  def test_killed_worker(self):
    """The worker that has one photo is killed, idle or busy: one line, and the rest is done by another one."""
    for name in os.listdir(self.photos):
      if re.search("-(seeds|guess)", name):
        os.unlink(os.path.join(self.photos, name))
    batches.write_guess(self.path("guess.png"))
    with open(self.path("finder"), "w", encoding="utf-8") as file:
      file.write(FAILING_FINDER)
    # Finders get PNGs of the program's own making: find out which.
    with open(self.path("probe"), "w", encoding="utf-8") as file:
      file.write('#!/bin/sh\ncksum < "$1" > "$3/victim"\ncp "$3/guess.png" "$2"\n')
    self.assert_done(self.run_program("cut", self.photo(3), "--mask", self.path("x.png"),
                                      f"--find-subject=sh {self.path('probe')} {{photo}} {{mask}} {self.folder}"))
    finder = f"--find-subject=sh {self.path('finder')} {{photo}} {{mask}} {self.folder}"
    for jobs in ("1", "2"):
      run = self.run_batch("--jobs", jobs, finder, out=self.path("out-" + jobs))
      self.assert_counts(run, 6, 5, 0, 1)
      self.assertRegex(run.err, r"\Afretsaw: [^\n]*photo-0003.png: its worker was ended by signal 9 [^\n]*\n\Z")
      self.assertEqual(len(batches.content(self.path("out-" + jobs))), 25)

  def test_devices(self):
    """Worker k sees device k mod n of those that are visible, and no other."""
    for name in os.listdir(self.photos):
      if re.search("-(seeds|guess)", name):
        os.unlink(os.path.join(self.photos, name))
    batches.write_guess(self.path("guess.png"))
    with open(self.path("finder"), "w", encoding="utf-8") as file:
      file.write('#!/bin/sh\necho "$CUDA_VISIBLE_DEVICES" >> "$3/seen"\nsleep 0.3\ncp "$3/guess.png" "$2"\n')
    finder = f"--find-subject=sh {self.path('finder')} {{photo}} {{mask}} {self.folder}"
    for visible, options, seen in (("", ["--device", "1"], {"1"}), ("4,7,9", ["--device", "1"], {"7"}),
                                   ("4,7,9", ["--devices", "0,2"], {"4", "9"}), ("4,7", ["--jobs", "3"], {"4", "7"}),
                                   ("GPU-ab,GPU-cd", ["--devices", "1"], {"GPU-cd"})):
      if os.path.exists(self.path("seen")):
        os.unlink(self.path("seen"))
      self.environment.pop("CUDA_VISIBLE_DEVICES", None)
      if visible:
        self.environment["CUDA_VISIBLE_DEVICES"] = visible
      self.environment["XDG_CACHE_HOME"] = self.path("cache" + visible + "".join(options))  # it has the guesses
      self.assert_counts(self.run_batch(finder, *options, out=self.path("out" + "".join(options))), 6, 6, 0, 0)
      with open(self.path("seen"), encoding="utf-8") as file:
        self.assertEqual(set(file.read().split()), seen)
      shutil.rmtree(self.path("out" + "".join(options)))

  def test_progress(self):
    """On a terminal a line that says how far it is; elsewhere nothing but failures, without a control character."""
    with open(self.photo(1), "wb") as file:
      file.write(b"no photo")
    run = self.run_batch()
    self.assertNotRegex(run.err + run.out, r"[\x00-\x09\x0b-\x1f]")
    main, side = pty.openpty()
    process = subprocess.Popen([program.PROGRAM, *self.words(out=self.path("again"))], env=self.environment,
                               stdout=subprocess.DEVNULL, stderr=side)
    os.close(side)
    shown = b""
    while True:
      try:
        shown += os.read(main, 4096)
      except OSError:
        break
    process.wait()
    self.assertRegex(shown.decode(), r"\d of 6(, 1 failed)?(, \d+ s left)?")
    self.assertIn("\r", shown.decode())


if __name__ == "__main__":
  sys.exit(program.tap.main())
