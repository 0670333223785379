#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program started as a desktop starts it: by D-Bus, on X11 and on Wayland, at scale 1 and 2.

Runs below on_screen.sh, which has an X server, a session bus and fresh folders.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

SOURCE, BUILD = os.environ["FRETSAW_SOURCE"], os.environ["FRETSAW_BUILD"]
sys.path.insert(0, os.path.join(SOURCE, "tests"))
import tap  # noqa: E402

APP_ID = "io.github.fretsaw.Fretsaw"
APP_PATH = "/" + APP_ID.replace(".", "/")
PROGRAM = os.path.join(BUILD, "fretsaw")
SAMPLE = os.path.join(SOURCE, "data", "sample", "sample.jpg")
DEADLINE_S = 60 * float(os.environ.get("FRETSAW_SLOWNESS", "1"))


def call(path, method, *arguments):
  """Calls a method of the program, or of the bus; returns its answer, None where there is none."""
  name = "org.freedesktop.DBus" if path == "/org/freedesktop/DBus" else APP_ID
  done = subprocess.run(["gdbus", "call", "--session", "--dest", name, "--object-path", path,
                         "--method", method, *arguments], capture_output=True, text=True, check=False)
  return done.stdout if done.returncode == 0 else None


def wait_for(state, what):
  end = time.monotonic() + DEADLINE_S
  while not state():
    if time.monotonic() > end:
      raise AssertionError(f"not within {DEADLINE_S:.0f} s: {what}")
    time.sleep(0.05)


def is_running():
  return "true" in call("/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner", APP_ID)


def count_names():
  """How many connections the bus has."""
  return call("/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames").count("':")


def shows_photo(number=1):
  """Whether a window can zoom: only one with a photo can."""
  told = call(f"{APP_PATH}/window/{number}", "org.gtk.Actions.Describe", "zoom-fit")
  return told is not None and told.startswith("((true")


def accessible_tree():
  """The lines of accessible_tree.py, by the first Python that can run it; None where none can."""
  script = os.path.join(SOURCE, "tests", "gui", "accessible_tree.py")
  environment = {k: v for k, v in os.environ.items() if k != "NO_AT_BRIDGE"}
  for python in (sys.executable, "/usr/bin/python3"):
    if shutil.which(python) is None:
      continue
    done = subprocess.run([python, script, "fretsaw"], env=environment, capture_output=True, text=True,
                          check=False)
    if done.returncode == 0:
      return done.stdout.splitlines()
  return None


def paints():
  """Draws a stroke in the middle of the screen; whether there is one now to undo."""
  subprocess.run(["xdotool", "mousemove", "600", "450", "mousedown", "1", "mousemove", "640", "480",
                  "mousemove", "680", "500", "mouseup", "1"], check=True)
  time.sleep(0.2)
  told = call(f"{APP_PATH}/window/1", "org.gtk.Actions.Describe", "undo")
  return told is not None and told.startswith("((true")


@unittest.skipUnless(shutil.which("gdbus"), "gdbus is not installed")
class Start(unittest.TestCase):
  def setUp(self):
    self.assertFalse(is_running())
    self.environment = {k: v for k, v in os.environ.items() if k != "GDK_SCALE"}
    # Fontconfig keeps offsets where others keep pointers: patterns in its caches look lost.
    suppressions = os.path.join(os.environ["HOME"], "suppressions")
    with open(suppressions, "w", encoding="utf-8") as file:
      file.write("leak:libfontconfig\n")
    self.environment["LSAN_OPTIONS"] = f"suppressions={suppressions}:print_suppressions=0"

  def tearDown(self):
    if is_running():
      self.quit()

  def start(self, *arguments):
    process = subprocess.Popen([PROGRAM, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    self.addCleanup(process.stdout.close)
    self.addCleanup(process.kill)
    return process

  def quit(self):
    call(APP_PATH, "org.freedesktop.Application.ActivateAction", "quit", "[]", "{}")
    wait_for(lambda: not is_running(), "the end of the program")

  def end(self, process):
    self.quit()
    self.assertEqual((process.wait(DEADLINE_S), process.stdout.read()), (0, ""))

  def test_activation(self):
    """A bus that knows the service file starts the program for a file manager."""
    folder = os.path.join(os.environ["XDG_DATA_HOME"], "dbus-1", "services")
    os.makedirs(folder)
    with open(os.path.join(BUILD, "data", APP_ID + ".service"), encoding="utf-8") as file:
      service = re.sub(r"^Exec=\S+", "Exec=" + PROGRAM, file.read(), flags=re.M)
    with open(os.path.join(folder, APP_ID + ".service"), "w", encoding="utf-8") as file:
      file.write(service)
    call("/org/freedesktop/DBus", "org.freedesktop.DBus.ReloadConfig")
    self.addCleanup(call, "/org/freedesktop/DBus", "org.freedesktop.DBus.ReloadConfig")
    self.addCleanup(shutil.rmtree, folder)
    self.assertIsNotNone(call(APP_PATH, "org.freedesktop.Application.Open", f"['file://{SAMPLE}']", "{}"))
    wait_for(shows_photo, "a window with the photo")
    call(APP_PATH, "org.freedesktop.Application.ActivateAction", "new-window", "[]", "{}")
    wait_for(lambda: call(APP_PATH + "/window/2", "org.gtk.Actions.List"), "a second window")
    self.quit()

  @unittest.skipUnless(shutil.which("xdotool"), "xdotool is not installed")
  def test_hand_over(self):
    """For another program: a process of its own, with that one's strokes, which ends when they are applied."""
    folder = os.path.join(os.environ["HOME"], "hand-over")
    os.mkdir(folder)
    self.addCleanup(shutil.rmtree, folder)
    photo, cutout = os.path.join(folder, "sample.jpg"), os.path.join(folder, "cutout.png")
    shutil.copy(SAMPLE, photo)
    shutil.copy(os.path.join(SOURCE, "data", "sessions", "sample-few.fretsaw"), os.path.join(folder, "session.fretsaw"))
    process = self.start("--hand-over", folder, photo)
    def is_applied():
      subprocess.run(["xdotool", "mousemove", "600", "450", "key", "ctrl+Return"], check=False)
      return process.poll() is not None
    wait_for(is_applied, "the end of the program")
    self.assertEqual((process.returncode, process.stdout.read()), (0, ""))
    self.assertTrue(os.path.exists(cutout))
    self.assertFalse(is_running())

  @unittest.skipUnless(shutil.which("xdotool"), "xdotool is not installed")
  def test_hand_over_terminated(self):
    """The other program is gone: the window closes, and removes a folder that was private to both, and no other."""
    for is_private in (False, True):
      folder = os.path.join(os.environ["HOME"], "terminated")
      os.mkdir(folder)
      self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
      photo = os.path.join(folder, "sample.jpg")
      shutil.copy(SAMPLE, photo)
      if is_private:
        self.environment["FRETSAW_HAND_OVER_PRIVATE"] = "1"
      process = self.start("--hand-over", folder, photo)
      wait_for(lambda: subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "^" + APP_ID + "$"],
                                      capture_output=True, check=False).stdout, "a window")
      process.send_signal(signal.SIGTERM)
      self.assertEqual((process.wait(DEADLINE_S), process.stdout.read()), (0, ""))
      self.assertEqual(os.path.exists(folder), not is_private)
      shutil.rmtree(folder, ignore_errors=True)

  def test_second_start_joins_the_first(self):
    first = self.start(SAMPLE)
    wait_for(shows_photo, "a window with the photo")
    second = self.start(SAMPLE)
    self.assertEqual(second.wait(DEADLINE_S), 0)
    self.end(first)

  def test_start_while_the_first_ends(self):
    """Whoever is asked to open the photo leaves the bus without an answer."""
    first = self.start(SAMPLE)
    wait_for(shows_photo, "a window with the photo")
    first.send_signal(signal.SIGSTOP)
    n_names = count_names()
    second = self.start(SAMPLE)
    wait_for(lambda: count_names() > n_names, "the second program on the bus")
    time.sleep(0.5)
    first.kill()
    first.wait()
    wait_for(lambda: shows_photo() or second.poll() is not None, "a window of the second program")
    self.assertIsNone(second.poll())
    self.end(second)

  @unittest.skipUnless(shutil.which("xdotool"), "xdotool is not installed")
  def test_window_class(self):
    """By its class, a shell finds the desktop entry of the window."""
    process = self.start(SAMPLE)
    wait_for(shows_photo, "a window with the photo")
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "^" + APP_ID + "$"],
                           capture_output=True, text=True, check=False)
    self.assertRegex(found.stdout, r"^\d+\n")
    with open(os.path.join(BUILD, "data", APP_ID + ".desktop"), encoding="utf-8") as file:
      self.assertIn(f"\nStartupWMClass={APP_ID}\n", file.read())
    self.end(process)

  def test_seen_by_assistive_technology(self):
    """Over the accessibility bus: the canvas, and no control without a name."""
    del self.environment["NO_AT_BRIDGE"]
    process = self.start(SAMPLE)
    wait_for(shows_photo, "a window with the photo")
    seen = accessible_tree()
    if seen is None:
      self.skipTest("Python has no introspection of AT-SPI")
    self.assertIn("drawing area\tPhoto\tNothing painted yet. Object brush", "\n".join(seen))
    controls = [line.split("\t") for line in seen
                if line.startswith(("push button", "toggle button", "radio button", "slider"))]
    self.assertGreater(len(controls), 15)
    self.assertEqual([role for role, name, _ in controls if not name.strip()], [])
    self.quit()
    self.assertEqual(process.wait(DEADLINE_S), 0)

  def test_scale_2(self):
    self.environment["GDK_SCALE"] = "2"
    process = self.start(SAMPLE)
    wait_for(shows_photo, "a window with the photo")
    self.end(process)

  @unittest.skipUnless(shutil.which("weston") and shutil.which("xdotool"),
                       "weston or xdotool is not installed")
  def test_wayland(self):
    """Weston in an X window: its pointer is the X server's, and paints a stroke."""
    socket = "fretsaw-wayland"
    weston = subprocess.Popen(["weston", "--backend=x11-backend.so", "--use-pixman", "--idle-time=0",
                               "--shell=kiosk-shell.so", "--width=1400", "--height=1000",
                               "--socket=" + socket],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=self.environment)
    self.addCleanup(weston.wait)
    self.addCleanup(weston.terminate)
    place = os.path.join(os.environ["XDG_RUNTIME_DIR"], socket)
    wait_for(lambda: os.path.exists(place), "the Wayland display")
    del self.environment["DISPLAY"]
    self.environment.update(WAYLAND_DISPLAY=socket, GDK_BACKEND="wayland")
    process = self.start(SAMPLE)
    wait_for(shows_photo, "a window with the photo")
    wait_for(paints, "a stroke")
    self.quit_without_saving(process)

  def quit_without_saving(self, process):
    process.terminate()
    self.assertEqual(process.stdout.read(), "")


if __name__ == "__main__":
  sys.exit(tap.main())
