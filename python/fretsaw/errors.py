# SPDX-License-Identifier: MIT
"""Exceptions. Each is a fretsaw.Error, and one of Python's own, so that either can be caught."""


class Error(Exception):
  """Anything that fretsaw refuses or that fails in it."""


class InvalidError(Error, ValueError):
  """An argument is outside its range, or an array has another shape than is needed."""


class ElementsError(Error, TypeError):
  """An argument, or an array's elements, have another type than is needed."""


class UnsupportedError(Error, ValueError):
  """This version, or the device, does not know what is asked for."""


class OutOfMemoryError(Error, MemoryError):
  """There is not enough memory."""


class CancelledError(Error, RuntimeError):
  """The call was cancelled."""


class BusyError(Error, RuntimeError):
  """Another thread's call of the same object has not ended yet."""


class DeviceError(Error, RuntimeError):
  """There is no such device, or it failed."""


class FormatError(Error, ValueError):
  """A text breaks its format."""


class ReadError(Error, OSError):
  """A file could not be read."""


class UnprovenError(Error, RuntimeError):
  """A certificate does not hold: a fault of fretsaw."""
