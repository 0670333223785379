# SPDX-License-Identifier: MIT
"""Objects of the library, of which there is one. Not public."""

from .errors import UnsupportedError


class Unique:
  """Refuses copies, which would share what is within, and pickles."""

  def __reduce_ex__(self, protocol):
    name = type(self).__name__
    raise UnsupportedError(f"a {name} can be neither copied nor pickled; make another {name} of the same arrays")
