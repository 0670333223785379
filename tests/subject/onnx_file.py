# SPDX-License-Identifier: MIT
"""Small ONNX models, written as protocol buffers by hand: no weight of anybody's network is needed."""

import struct

FLOAT, FLOAT16 = 1, 10


def varint(value):
  out = bytearray()
  while True:
    out.append(value & 0x7f | (0x80 if value > 0x7f else 0))
    value >>= 7
    if not value:
      return bytes(out)


def number(field, value):
  return varint(field << 3) + varint(value)


def message(field, *parts):
  body = b"".join(part.encode() if isinstance(part, str) else part for part in parts)
  return varint(field << 3 | 2) + varint(len(body)) + body


def value(field, name, shape, kind=FLOAT):
  """ValueInfoProto; a side of 0 is left open, by a name."""
  dims = [message(1, number(1, side) if side else message(2, "n")) for side in shape]
  return message(field, message(1, name), message(2, message(1, number(1, kind), message(2, *dims))))


def weights(name, shape, values, kind=FLOAT):
  packed = struct.pack(f"<{len(values)}{'f' if kind == FLOAT else 'e'}", *values)
  return message(5, *(number(1, side) for side in shape), number(2, kind), message(8, name),
                 message(9, packed))


def integers(name, *values):
  return message(5, number(1, len(values)), number(2, 7), message(8, name), message(9, struct.pack(f"<{len(values)}q", *values)))


def node(operation, inputs, outputs, *attributes):
  return message(1, *(message(1, name) for name in inputs), *(message(2, name) for name in outputs),
                 message(3, f"{operation} of {outputs[0]}"), message(4, operation), *attributes)


def ints(name, *values):
  """An attribute: a list of whole numbers."""
  return message(5, message(1, name), *(number(8, v) for v in values), number(20, 7))


def model(*graph):
  return number(1, 7) + message(8, message(1, ""), number(2, 11)) + message(7, *graph, message(2, "made"))


def colour_model(width, height, factors, bias, sigmoid=True, planes=1, kind=FLOAT, shape=None,
                 names=("photo", "mask")):
  """What a segmentation network looks like from outside: each pixel's three samples times
  `factors`, plus `bias`, as a 1 × 1 convolution, and a sigmoid over it. Its second output is the
  other way round."""
  first, last = names
  return model(
    node("Conv", [first, "factors", "bias"], ["score" if sigmoid else last], ints("kernel_shape", 1, 1)),
    *([node("Sigmoid", ["score"], [last])] if sigmoid else []),
    node("Conv", [first, "against", "less"], ["rest"], ints("kernel_shape", 1, 1)),
    node("Sigmoid", ["rest"], ["background"]),
    weights("factors", (planes, 3, 1, 1), list(factors) * planes, kind),
    weights("bias", (planes,), [bias] * planes, kind),
    weights("against", (1, 3, 1, 1), [-f for f in factors], kind),
    weights("less", (1,), [-bias], kind),
    value(11, first, shape or (1, 3, height, width)),
    value(12, last, (1, planes, height, width)),
    value(12, "background", (1, 1, height, width)))
