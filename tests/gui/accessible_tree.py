# SPDX-License-Identifier: MIT
"""Prints what assistive technology sees of the program, one line an object: role, name, description.

A script of its own, because the Python that has GObject introspection need not be the tests' one.
Ends with 77 where there is none.
"""

import sys

try:
  import gi
  gi.require_version("Atspi", "2.0")
  from gi.repository import Atspi
except (ImportError, ValueError):
  sys.exit(77)


def walk(accessible, lines):
  """Hidden parts, such as buttons that a message does not have, are nobody's."""
  if not accessible.get_state_set().contains(Atspi.StateType.VISIBLE) \
      and accessible.get_role() != Atspi.Role.APPLICATION:
    return
  fields = (accessible.get_role_name(), accessible.get_name(), accessible.get_description())
  lines.append("\t".join(field or "" for field in fields))
  for i in range(accessible.get_child_count()):
    child = accessible.get_child_at_index(i)
    if child is not None:
      walk(child, lines)


def main():
  desktop = Atspi.get_desktop(0)
  lines = []
  for i in range(desktop.get_child_count()):
    application = desktop.get_child_at_index(i)
    if application is not None and application.get_name() == sys.argv[1]:
      walk(application, lines)
  print("\n".join(lines))


if __name__ == "__main__":
  main()
