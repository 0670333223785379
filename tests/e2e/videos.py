# SPDX-License-Identifier: MIT
"""Videos for tests: AVI files with pictures that are not compressed."""

import struct

from sequences import HEIGHT, WIDTH


def chunk(kind, body):
  return kind + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def listed(kind, *chunks):
  return chunk(b"LIST", kind + b"".join(chunks))


def headers(n_pictures, width, height):
  """What an AVI says of its one stream, five RGB pictures a second that are not compressed."""
  n_bytes = 3 * width * height
  file = struct.pack("<14I", 200000, 5 * n_bytes, 0, 0x10, n_pictures, 0, 1, n_bytes, width, height, 0, 0, 0, 0)
  stream = b"vids" + b"\0" * 4 + struct.pack("<10I4H", 0, 0, 0, 1, 5, 0, n_pictures, n_bytes, 0, n_bytes, 0, 0, width,
                                             height)
  picture = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, n_bytes, 0, 0, 0, 0)
  return listed(b"hdrl", chunk(b"avih", file), listed(b"strl", chunk(b"strh", stream), chunk(b"strf", picture)))


def made_picture(rgb, scale=1):
  """Blue first, and the last row; each pixel as a square of scale x scale."""
  bgr = bytearray(rgb)
  bgr[0::3], bgr[2::3] = rgb[2::3], rgb[0::3]
  rows = [b"".join(bytes(bgr[i:i + 3]) * scale for i in range(3 * WIDTH * y, 3 * WIDTH * (y + 1), 3))
               for y in reversed(range(HEIGHT))]
  return chunk(b"00db", b"".join(row * scale for row in rows))


def write_avi(path, pictures, scale=1):
  """Piece by piece: what this process holds counts for the program that it starts."""
  n, n_bytes = len(pictures), 3 * WIDTH * HEIGHT * scale * scale
  head, n_movi = headers(n, WIDTH * scale, HEIGHT * scale), 4 + n * (8 + n_bytes)
  index = chunk(b"idx1", b"".join(b"00db" + struct.pack("<3I", 0x10, 4 + i * (8 + n_bytes), n_bytes) for i in range(n)))
  with open(path, "wb") as file:
    file.write(b"RIFF" + struct.pack("<I", 4 + len(head) + 8 + n_movi + len(index)) + b"AVI " + head)
    file.write(b"LIST" + struct.pack("<I", n_movi) + b"movi")
    file.writelines(pictures)
    file.write(index)
