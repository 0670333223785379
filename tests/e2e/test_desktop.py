#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a desktop is told of the program, installed into a folder and shown to the desktop's tools.

Each tool is also given a spoilt copy, so that a check that looks at nothing would fail here.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import program

APP_ID = "io.github.fretsaw.Fretsaw"
LANGUAGES = os.path.join(program.SOURCE, "po", "LINGUAS")
RESOURCES = os.path.join(program.SOURCE, "resources")
OWN_WIDGET = re.compile(r"G_DEFINE_(?:FINAL_)?TYPE \((Fs\w+), \w+, GTK_TYPE_(\w+)\)")
# Lists the libraries of a program in place of running it.
TRACE = "LD_TRACE_LOADED_OBJECTS=1"
OWN_SIGNAL = re.compile(r'<signal name="(?!notify)[^>]*/>')


def read(path):
  with open(path, encoding="utf-8") as file:
    return file.read()


def write(path, text):
  with open(path, "w", encoding="utf-8") as file:
    file.write(text)


def run(*command, **options):
  """Runs a tool; a tool that is not installed counts the case as skipped."""
  if shutil.which(command[0]) is None:
    raise unittest.SkipTest(command[0] + " is not installed")
  return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False,
                        stderr=subprocess.STDOUT, text=True, **options)


def find(folder, name):
  """The one file of that name below a folder."""
  found = [os.path.join(at, name) for at, _, files in os.walk(folder) if name in files]
  if len(found) != 1:
    raise AssertionError(f"{name}: {len(found)} of them below {folder}")
  return found[0]


def sources(folder):
  folder = os.path.join(program.SOURCE, folder)
  return "".join(read(os.path.join(at, name)) for at, _, names in sorted(os.walk(folder))
                 for name in sorted(names) if name.endswith((".c", ".h")))


class Desktop(unittest.TestCase):
  @classmethod
  def setUpClass(cls):
    cls.scratch = tempfile.TemporaryDirectory(prefix="fretsaw-install-")
    cls.root = os.path.join(cls.scratch.name, "root")
    done = run("meson", "install", "-C", program.BUILD, "--no-rebuild", "--destdir", cls.root)
    if done.returncode != 0:
      raise AssertionError(done.stdout)
    applications = os.path.dirname(find(cls.root, APP_ID + ".desktop"))
    cls.share = os.path.dirname(applications)

  @classmethod
  def tearDownClass(cls):
    cls.scratch.cleanup()

  def installed(self, *names):
    path = os.path.join(self.share, *names)
    self.assertTrue(os.path.isfile(path), os.path.join(*names) + " is not installed")
    return path

  def root_of(self, name):
    """The folder of a program; completions have its name, too."""
    return next(at for at, _, names in os.walk(self.root) if name in names and at.endswith("/bin"))

  def scratch_file(self, name, text):
    path = os.path.join(self.scratch.name, name)
    write(path, text)
    return path

  def accepts(self, *command):
    done = run(*command)
    self.assertEqual(done.returncode, 0, done.stdout)
    return done.stdout

  def refuses(self, *command):
    done = run(*command)
    self.assertNotEqual(done.returncode, 0, done.stdout)

  def test_commands_go_without_the_toolkit(self):
    commands = os.path.join(self.root_of("fretsaw"), "fretsaw")
    window = find(self.root, "fretsaw-window")
    self.assertNotRegex(self.accepts("env", TRACE, commands), r"lib(gtk|gdk)-3")
    self.assertRegex(self.accepts("env", TRACE, window), r"libgtk-3")

  def test_the_window_is_found(self):
    """Where it was installed, below any root; beside the program; or not at all."""
    installed = os.path.join(self.root_of("fretsaw"), "fretsaw")
    self.assertIn("\nwindow: yes\n", self.accepts(installed, "--version"))
    alone = os.path.join(self.scratch.name, "alone")
    os.mkdir(alone)
    copy = shutil.copy(installed, alone)
    self.assertIn("\nwindow: no\n", self.accepts(copy, "--version"))
    done = run(copy, os.path.join(program.SOURCE, "data", "sample", "sample.jpg"))
    self.assertEqual((done.returncode, done.stdout),
                     (2, "fretsaw: no window is installed; see fretsaw --help\n"))
    window = os.path.join(alone, "fretsaw-window")
    write(window, "#!/bin/sh\necho window: \"$0\" \"$@\"\n")
    self.assertEqual(run(copy).returncode, 2)  # no program yet
    os.chmod(window, 0o755)
    self.assertEqual(self.accepts(copy, "./a b"), f"window: {window} ./a b\n")
    write(window, "no program\n\0")
    done = run(copy)
    self.assertEqual((done.returncode, done.stdout), (1, f"fretsaw: {window}: Exec format error\n"))

  def test_the_first_run_builds_the_window(self):
    """`./dev run` builds the program and what it needs, not the tests."""
    text = read(os.path.join(program.SOURCE, "dev"))
    function = re.search(r"^around_program\(\) \{\n.*?^\}\n", text, re.M | re.S)[0]
    targets = self.accepts("bash", "-c", function + 'around_program "$0"', program.BUILD).split()
    self.assertIn("fretsaw-window", targets)
    self.assertIn("data/gschemas.compiled", targets)

  def test_desktop_entry(self):
    path = self.installed("applications", APP_ID + ".desktop")
    self.assertEqual(self.accepts("desktop-file-validate", path).strip(), "")
    spoilt = read(path).replace("Type=Application", "Type=Applet")
    self.refuses("desktop-file-validate", self.scratch_file(APP_ID + ".desktop", spoilt))

  def test_desktop_entry_is_true(self):
    text = read(self.installed("applications", APP_ID + ".desktop"))
    self.assertIn("\nExec=fretsaw %U\n", text)
    self.assertIn(f"\nIcon={APP_ID}\n", text)
    self.installed("icons", "hicolor", "scalable", "apps", APP_ID + ".svg")
    self.installed("icons", "hicolor", "symbolic", "apps", APP_ID + "-symbolic.svg")
    types = re.search(r"^MimeType=(.*);$", text, re.M)[1].split(";")
    self.assertIn("application/x-fretsaw-session", types)
    version = program.Run(["--version"], os.environ).out
    for name in ["BMP", "TIFF", "WebP", "HEIC", "HEIF", "AVIF"]:
      self.assertEqual("image/" + name.lower() in types, name in version, name)

  def test_actions_are_the_programs(self):
    """What D-Bus is asked to activate for an entry's action is an action of the application."""
    entry = read(self.installed("applications", APP_ID + ".desktop"))
    actions = re.search(r"^Actions=(.*);$", entry, re.M)[1].split(";")
    for action in actions:
      self.assertIn(f"\n[Desktop Action {action}]\n", entry)
      self.assertIn(f'{{ .name = "{action}",', sources("ui"))

  def test_metainfo(self):
    path = self.installed("metainfo", APP_ID + ".metainfo.xml")
    self.accepts("appstreamcli", "validate", "--no-net", path)
    spoilt = read(path).replace("<summary>", "<summery>").replace("</summary>", "</summery>")
    self.refuses("appstreamcli", "validate", "--no-net",
                 self.scratch_file(APP_ID + ".metainfo.xml", spoilt))

  def test_metainfo_names_the_version(self):
    version = program.Run(["--version"], os.environ).out.split()[1]
    text = read(self.installed("metainfo", APP_ID + ".metainfo.xml"))
    self.assertIn(version, re.findall(r'<release [^>]*version="([^"]+)"', text))

  def test_schema(self):
    path = self.installed("glib-2.0", "schemas", APP_ID + ".gschema.xml")
    self.accepts("glib-compile-schemas", "--strict", "--dry-run", os.path.dirname(path))
    folder = os.path.join(self.scratch.name, "schemas")
    os.mkdir(folder)
    write(os.path.join(folder, "spoilt.gschema.xml"),
          read(path).replace("<default>24</default>", "<default>1024</default>"))
    self.refuses("glib-compile-schemas", "--strict", "--dry-run", folder)

  def test_every_key_is_used(self):
    keys = re.findall(r'<key name="([^"]+)"', read(self.installed(
      "glib-2.0", "schemas", APP_ID + ".gschema.xml")))
    self.assertGreater(len(keys), 3)
    self.assertEqual([key for key in keys if f'"{key}"' not in sources("ui")], [])

  def test_mime_type(self):
    package = self.installed("mime", "packages", APP_ID + ".xml")
    folder = os.path.join(self.scratch.name, "data")
    os.makedirs(os.path.join(folder, "mime", "packages"))
    shutil.copy(package, os.path.join(folder, "mime", "packages"))
    self.accepts("update-mime-database", os.path.join(folder, "mime"))
    session = os.path.join(program.SOURCE, "data", "sessions", "sample.fretsaw")
    nameless = self.scratch_file("nameless", read(session))
    environment = dict(os.environ, XDG_DATA_DIRS=folder + ":/usr/local/share:/usr/share",
                       XDG_DATA_HOME=os.path.join(self.scratch.name, "home"))
    for path in (session, nameless):
      told = run("gio", "info", "-a", "standard::content-type", path, env=environment)
      self.assertIn("content-type: application/x-fretsaw-session", told.stdout)
    self.installed("icons", "hicolor", "scalable", "mimetypes", "application-x-fretsaw-session.svg")

  def test_mime_type_speaks_every_language(self):
    text = read(self.installed("mime", "packages", APP_ID + ".xml"))
    languages = re.findall(r"^[a-z]\S*", read(LANGUAGES), re.M)
    spoken = re.findall(r'<comment xml:lang="([^"]+)"', text)
    self.assertEqual(sorted(set(languages) - set(spoken)), [])

  def test_entry_speaks_every_language(self):
    entry = read(self.installed("applications", APP_ID + ".desktop"))
    metainfo = read(self.installed("metainfo", APP_ID + ".metainfo.xml"))
    for language in re.findall(r"^[a-z]\S*", read(LANGUAGES), re.M):
      self.assertIn(f"\nComment[{language}]=", entry)
      self.assertIn(f'<summary xml:lang="{language}">', metainfo)
      self.installed("locale", language, "LC_MESSAGES", "fretsaw.mo")

  def test_service(self):
    text = read(self.installed("dbus-1", "services", APP_ID + ".service"))
    self.assertIn(f"\nName={APP_ID}\n", text)
    path = re.search(r"^Exec=(\S+) --gapplication-service$", text, re.M)[1]
    self.assertTrue(os.access(self.root + path, os.X_OK), path)

  def test_templates(self):
    """GTK's own check; it knows none of our widgets, so their parents stand in for them."""
    texts = {}
    for folder, _, names in os.walk(RESOURCES):
      texts.update({n: read(os.path.join(folder, n)) for n in names if n.endswith(".ui")})
    parents = {name: "Gtk" + "".join(word.capitalize() for word in parent.split("_"))
               for name, parent in OWN_WIDGET.findall(sources("ui"))}
    self.assertGreater(len(texts), 3)
    for name, text in texts.items():
      plain = re.sub(r'(<object class=")(Fs\w+)(".*?</object>|".*?/>)',
                     lambda m: m[1] + parents[m[2]] + OWN_SIGNAL.sub("", m[3]), text, flags=re.S)
      path = self.scratch_file(name, plain)
      self.accepts("xvfb-run", "-a", "gtk-builder-tool", "validate", path)
    spoilt = self.scratch_file("spoilt.ui", plain.replace('name="visible"', 'name="visibel"', 1))
    self.refuses("xvfb-run", "-a", "gtk-builder-tool", "validate", spoilt)


if __name__ == "__main__":
  sys.exit(program.tap.main())
