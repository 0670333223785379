# SPDX-License-Identifier: MIT
"""A PNG reader and writer and mask arithmetic, independent of the program under test."""

import functools
import itertools
import struct
import zlib

GREY, RGB, INDEXED, RGBA = 0, 2, 3, 6
CHANNELS = {GREY: 1, RGB: 3, INDEXED: 1, RGBA: 4}
SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Png:
  """An 8-bit PNG without interlace: `pixels` holds height · width · channels bytes.

  Chunks, check sums and the amount of data are looked at at once; the filters, the slow part here,
  are taken back when somebody asks for pixels.
  """

  def __init__(self, path):
    with open(path, "rb") as file:
      data = file.read()
    if not data.startswith(SIGNATURE):
      raise ValueError(f"{path}: not a PNG")
    packed, self.palette, ended = b"", b"", False
    for kind, body in chunks(data):
      if kind == b"IHDR":
        self.width, self.height, self.bits, self.kind, _, _, interlace = struct.unpack(
          ">IIBBBBB", body)
      elif kind == b"PLTE":
        self.palette = body
      elif kind == b"IDAT":
        packed += body
      ended = kind == b"IEND"
    if not ended or self.bits != 8 or interlace or self.kind not in CHANNELS:
      raise ValueError(f"{path}: cut short, or not of the expected kind")
    self.channels = CHANNELS[self.kind]
    self.rows = zlib.decompress(packed)
    if len(self.rows) != self.height * (self.width * self.channels + 1):
      raise ValueError(f"{path}: wrong amount of pixel data")

  @functools.cached_property
  def pixels(self):
    return unfilter(self.rows, self.width * self.channels, self.channels, self.height)

  def plane(self, channel):
    return self.pixels[channel::self.channels]


def chunks(data):
  """Yields (kind, body) and checks every CRC."""
  at = len(SIGNATURE)
  while at < len(data):
    size, kind = struct.unpack_from(">I4s", data, at)
    body = data[at + 8:at + 8 + size]
    if struct.pack(">I", zlib.crc32(kind + body)) != data[at + 8 + size:at + 12 + size]:
      raise ValueError(f"bad CRC or cut short in {kind}")
    yield kind, body
    at += 12 + size


def unfilter(data, row_bytes, step, height):
  rows, above = [], bytes(row_bytes)
  for y in range(height):
    at = y * (row_bytes + 1)
    above = unfilter_row(data[at], data[at + 1:at + 1 + row_bytes], above, step)
    rows.append(above)
  return b"".join(rows)


def unfilter_row(method, row, above, step):
  if method == 0:
    return row
  if method == 1:
    out = bytearray(len(row))
    for channel in range(step):
      out[channel::step] = bytes(
        v & 255 for v in itertools.accumulate(row[channel::step]))
    return bytes(out)
  if method == 2:
    return bytes((a + b) & 255 for a, b in zip(row, above))
  out = bytearray(row)
  for i, value in enumerate(row):
    left, up = (out[i - step] if i >= step else 0), above[i]
    if method == 3:
      guess = (left + up) >> 1
    else:
      guess = paeth(left, up, above[i - step] if i >= step else 0)
    out[i] = (value + guess) & 255
  return bytes(out)


def paeth(left, up, corner):
  guess = left + up - corner
  far = (abs(guess - left), abs(guess - up), abs(guess - corner))
  return (left, up, corner)[far.index(min(far))]


def chunk(kind, body):
  return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def write_png(path, width, height, kind, pixels, palette=b""):
  row = width * CHANNELS[kind]
  raw = b"".join(b"\0" + pixels[y * row:(y + 1) * row] for y in range(height))
  header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
  with open(path, "wb") as file:
    file.write(SIGNATURE + chunk(b"IHDR", header) + (chunk(b"PLTE", palette) if palette else b"")
               + chunk(b"IDAT", zlib.compress(raw, 1)) + chunk(b"IEND", b""))


def select(plane, values):
  """255 where the plane's byte is one of `values`, 0 elsewhere."""
  return plane.translate(bytes(255 if v in values else 0 for v in range(256)))


def both(a, b):
  n = len(a)
  return (int.from_bytes(a, "big") & int.from_bytes(b, "big")).to_bytes(n, "big")


def iou(mask, truth):
  """Intersection over union where truth is 0 or 255; other values are ignored."""
  known = select(truth, {0, 255})
  mask, truth = both(mask, known), select(truth, {255})
  common = both(mask, truth).count(255)
  return common / (mask.count(255) + truth.count(255) - common)
