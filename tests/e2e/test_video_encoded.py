#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`fretsaw frames` on videos that FFmpeg encodes, if it is here: pictures, shape and colours are those that FFmpeg decodes."""

import json
import os
import shutil
import subprocess
import sys
import unittest

import pixels
import program

WIDTH, HEIGHT, N_PICTURES, N_BITS = 64, 48, 16, 8
MARK_HEIGHT = 12
H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-qp", "16", "-x264-params",
        "keyint=8:bframes=3:b-adapt=0:scenecut=0")
HEVC = ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "bframes=3:log-level=none")
VP9 = ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-b:v", "2M")
NO_LIST = ("-use_editlist", "0")

# Name, how it is encoded, and what is cut out of it, without encoding again, from this second on.
VIDEOS = (
  ("no-list.mp4", (*H264, *NO_LIST), None),
  ("cut.mp4", H264, ("0.26", "0.2")),
  ("gap.mp4", (*H264, *NO_LIST, "-vf", "setpts=PTS+gte(N\\,7)*2/TB", "-vsync", "passthrough"), None),
  ("hevc.mp4", (*HEVC, *NO_LIST), None),
  ("mpeg2.mpg", ("-c:v", "mpeg2video", "-bf", "2", "-q:v", "2"), None),
  ("mpeg4.avi", ("-c:v", "mpeg4", "-bf", "2", "-q:v", "2"), None),
  ("vp9.webm", VP9, None),
  ("some.gif", (), None),
)
# With SCALE above 1.
MORE_VIDEOS = (
  ("list.mov", H264, None),
  ("cut-on.mkv", H264, ("0.4", "9")),
  ("fragments.mp4", (*H264, "-movflags", "frag_keyframe+empty_moov"), None),
  ("negative.mp4", (*H264, "-movflags", "negative_cts_offsets"), None),
  ("open.mp4", ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-x264-params", "open-gop=1:keyint=8:bframes=2"), ("0.4", "0.2")),
  ("mpeg2.ts", ("-c:v", "mpeg2video", "-bf", "2", "-q:v", "2"), None),
  ("hevc.mkv", HEVC, None),
  ("mpeg4.mp4", ("-c:v", "mpeg4", "-bf", "2", "-q:v", "2"), ("0.3", "0.2")),
)


def made_picture(number):
  """Its number in black and white along the top, over a slope."""
  mark = b"".join((b"\xdc" if number >> k & 1 else b"\x1e") * (WIDTH // N_BITS) for k in range(N_BITS))
  return mark * MARK_HEIGHT + bytes(60 + 2 * x for x in range(WIDTH)) * (HEIGHT - MARK_HEIGHT)


def read_number(grey, width=WIDTH):
  row = grey[4 * width:5 * width]
  return sum((row[(2 * k + 1) * width // (2 * N_BITS)] > 128) << k for k in range(N_BITS))


def ffmpeg(*words, data=None):
  return subprocess.run(["ffmpeg", "-v", "error", "-y", "-threads", "1", *words], input=data, stdout=subprocess.PIPE,
                        stderr=subprocess.DEVNULL, check=False)


@unittest.skipUnless(shutil.which("ffmpeg"), "no FFmpeg here")
class Encoded(program.ProgramTest):
  def setUp(self):
    super().setUp()
    if "\nvideo: GStreamer " not in self.run_program("--version").out:
      self.skipTest("this build reads no videos")

  def encode(self, name, words, pictures=None, kind="gray"):
    """None where this FFmpeg has no such encoder."""
    video = self.path(name)
    data = pictures or b"".join(made_picture(n + 1) for n in range(N_PICTURES))
    raw = ("-f", "rawvideo", "-pix_fmt", kind, "-s", f"{WIDTH}x{HEIGHT}", "-r", "25", "-i", "-")
    return video if ffmpeg(*raw, *words, video, data=data).returncode == 0 else None

  def decode(self, video, kind="gray"):
    words = ("-i", video, "-map", "0:v:0", "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", kind, "-")
    return ffmpeg(*words).stdout

  def seeds(self, name, width=WIDTH, height=HEIGHT):
    path = self.path(name)
    rows = (b"\0" if 16 < y < height - 16 else b"\x02" for y in range(height))
    pixels.write_png(path, width, height, pixels.GREY, b"".join(row * width for row in rows))
    return path

  def numbers(self, video):
    """Of all pictures that the program takes; None where GStreamer has no plug-in for it."""
    out, cutouts = self.path("out"), self.path("cutouts")
    for folder in (out, cutouts):
      shutil.rmtree(folder, ignore_errors=True)
    run = self.run_program("frames", video, "--out", out, "--cutouts", cutouts, "--keep-hidden", "--seeds",
                           self.seeds("seeds.png"))
    if "no plug-in" in run.err:
      return None
    self.assert_done(run)
    names = sorted(n for n in os.listdir(cutouts) if n.endswith(".png"))
    self.assertEqual(names, [f"frame-{n + 1:06d}.png" for n in range(len(names))])
    return [read_number(pixels.Png(os.path.join(cutouts, n)).plane(1)) for n in names]

  def picture(self, video, first=1):
    path = self.path("picture.png")
    run = self.run_program("frames", video, "--picture", path, "--first", str(first))
    if "no plug-in" in run.err:
      self.skipTest("GStreamer has no plug-in for it here")
    self.assertEqual(run.status, 0, run.err)
    return pixels.Png(path), run.err

  def test_pictures(self):
    """All of them, in their order, as FFmpeg has them."""
    n_skipped, videos = 0, VIDEOS + (MORE_VIDEOS if int(os.environ.get("SCALE", "1")) > 1 else ())
    for name, words, part in videos:
      with self.subTest(name):
        video = self.encode("whole-" + name, words)
        if video and part:
          whole, video = video, self.path(name)
          ffmpeg("-ss", part[0], "-i", whole, "-c", "copy", "-t", part[1], video)
        numbers = self.numbers(video) if video else None
        if numbers is None:
          n_skipped += 1
          continue
        grey, n = self.decode(video), WIDTH * HEIGHT
        wanted = [read_number(grey[n * i:n * (i + 1)]) for i in range(len(grey) // n)]
        self.assertGreater(len(wanted), 2)
        self.assertEqual(numbers, wanted)
    print(f"# {len(videos) - n_skipped} videos, {n_skipped} that cannot be made or read here")

  def test_numbers(self):
    """A picture of a cut has the same number however it is asked for."""
    whole, video = self.encode("whole.mp4", H264), self.path("cut.mp4")
    if not whole:
      self.skipTest("no H.264 encoder here")
    ffmpeg("-ss", "0.2", "-i", whole, "-c", "copy", "-t", "0.3", video)
    numbers = self.numbers(video)
    if numbers is None:
      self.skipTest("no H.264 decoder here")
    for i in (0, 2, len(numbers) - 1):
      self.assertEqual(read_number(self.picture(video, i + 1)[0].plane(1)), numbers[i])
    run = self.run_program("frames", video, "--picture", self.path("p.png"), "--first", str(len(numbers) + 1))
    self.assert_refused(run, 1, "ends before frame")

  def test_alpha(self):
    """Is left aside, and that is said, in the report too."""
    colour = bytes((30, 160, 90, 128)) * (WIDTH * HEIGHT) * 3
    video = self.encode("alpha.webm", ("-c:v", "libvpx", "-pix_fmt", "yuva420p", "-auto-alt-ref", "0", "-b:v", "2M"), colour,
                        "rgba")
    if not video:
      self.skipTest("no VP8 encoder here")
    png, err = self.picture(video)
    self.assertIn("transparency", err)
    for channel, value in zip(range(4), (30, 160, 90, 255)):
      self.assertLessEqual(max(abs(v - value) for v in png.plane(channel)), 4)
    report = self.path("report.json")
    self.run_program("frames", video, "--out", self.path("masks"), "--seeds", self.seeds("s.png"), "--report", report)
    with open(report, encoding="utf-8") as file:
      self.assertEqual(sum("transparency" in line for line in json.load(file)["warnings"]), 1)

  def test_interlaced(self):
    """No line of the other moment is left of what moves."""
    def made(n):
      rows = (10 if y % 2 == 0 else 30 for y in range(HEIGHT))
      return b"".join(b"\x3c" * x + b"\xdc" * 12 + b"\x3c" * (WIDTH - 12 - x) for x in (r + n for r in rows))
    for first, x in (("tff", 10), ("bff", 30)):
      order = ("-vf", f"setfield={first}", "-flags", "+ilme+ildct", "-top", "1" if first == "tff" else "0")
      video = self.encode(f"{first}.mpg", ("-c:v", "mpeg2video", "-q:v", "1", *order), b"".join(made(n) for n in range(8)))
      if not video:
        self.skipTest("no MPEG-2 encoder here")
      png, err = self.picture(video, 3)
      self.assertIn("interlaced", err)
      for y in range(2, HEIGHT - 2):
        row = png.plane(1)[WIDTH * y:WIDTH * (y + 1)]
        self.assertGreater(min(row[x + 5:x + 11]), 180)
        self.assertLess(max(row[(40 - x) + 5:(40 - x) + 11]), 110)
      self.assertEqual(len(self.decode(video)) // (WIDTH * HEIGHT), 8)
      self.assert_refused(self.run_program("frames", video, "--picture", self.path("p.png"), "--first", "9"), 1, "ends before")

  def test_square_pixels(self):
    for name, words, ratio, width, height in (("a.mkv", H264, "1/2", WIDTH, 2 * HEIGHT), ("b.mp4", H264, "2/1", 2 * WIDTH, HEIGHT),
                                              ("c.webm", VP9, "4/3", 85, HEIGHT), ("d.mpg", ("-c:v", "mpeg2video"), "2/1", 0, 0)):
      video = self.encode(name, (*words, "-vf", f"setsar={ratio}"))
      if not video:
        continue
      png, err = self.picture(video)
      if width:  # MPEG-2 knows a few shapes of whole pictures only
        self.assertEqual((png.width, png.height), (width, height))
      self.assertGreater(png.width * png.height, WIDTH * HEIGHT)
      self.assertIn("not square", err)

  def test_colours(self):
    """By what the stream says, and its size."""
    rgb = (220, 120, 40)
    for matrix, full, size, tagged in (("bt709", 1, 1, True), ("bt709", 0, 20, False), ("smpte170m", 0, 1, False),
                                       ("smpte170m", 1, 1, True), ("bt709", 0, 1, True)):
      scale = f"scale={WIDTH * size}:{HEIGHT * size}:out_color_matrix={'bt601' if matrix == 'smpte170m' else matrix}"
      tags = ("-colorspace", matrix, "-color_range", "pc" if full else "tv") if tagged else ()
      words = ("-vf", f"{scale}:out_range={'full' if full else 'limited'}:flags=accurate_rnd,format=yuv420p", *H264, *tags)
      video = self.encode(f"{matrix}{full}{size}.mp4", words, bytes(rgb) * (WIDTH * HEIGHT) * 2, "rgb24")
      if not video:
        self.skipTest("no H.264 encoder here")
      png, _ = self.picture(video)
      middle = png.width * (png.height // 2) + png.width // 2
      for channel in range(3):
        self.assertLessEqual(abs(png.plane(channel)[middle] - rgb[channel]), 2, (matrix, full, size))


if __name__ == "__main__":
  sys.exit(program.tap.main())
