#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks of the source text, one TAP case each, beside a case that shows the check can fail.

A check takes the tree as {path: text} and returns its findings as "path:line: what". It looks at
tracked files only, or at all files where there is no git.
"""

import os
import re
import shutil
import subprocess
import sys
import unittest

ROOT = os.environ.get("FRETSAW_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
ROOT = os.path.abspath(ROOT)
sys.path.insert(0, os.path.join(ROOT, "tests"))
import tap  # noqa: E402
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import circles  # noqa: E402
import rooms  # noqa: E402

MAX_FILE_LINES = 700
MAX_FUNCTION_LINES = 80
MAX_MAIN_LINES = 80
# Files of a folder of product code.
MAX_FOLDER_FILES = 25

C_STANDARD = set("""assert ctype errno fenv float inttypes limits locale math setjmp signal stdalign
  stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string time""".split())
POSIX = {"fcntl", "malloc", "unistd", "sys/stat", "sys/types", "sys/sysinfo", "sys/resource", "sys/mman", "sys/file",
         "sys/wait", "sys/prctl", "sys/socket", "ftw"}

# For each layer: layers it may include from, layers of which it may include value headers only, and external headers beyond the C library, as prefixes.
LAYERS = {
  "solver/kernels": ({"solver/kernels"}, {"solver"}, ("cuda", "cooperative_groups")),
  "solver/kernels/graph": ({"solver/kernels", "solver/kernels/graph"}, {"solver"}, ("cuda", "cooperative_groups")),
  "solver": ({"solver", "solver/kernels"}, set(), ("glib", "emmintrin", "immintrin", "cpuid", "pthread",
             "sys/mman", "sys/uio", "dlfcn", "atomic")),
  "energy": ({"energy"}, {"solver"}, ("glib", "emmintrin")),
  "cut": ({"cut", "energy", "solver"}, set(), ("glib",)),
  # Its C++ header takes the installed C one.
  "library": ({"library", "cut", "energy", "solver"}, set(), ("glib", "fretsaw", "memory", "stdexcept", "utility", "vector")),
  "app": ({"app", "cut", "energy", "solver"}, set(),
          ("glib", "gio/", "jpeglib", "jerror", "png", "zlib", "jansson", "gdk-pixbuf/", "tiffio", "lcms2", "webp/", "libheif/", "dlfcn",
           "gst/")),
  # A program apart, the only one with OpenCV.
  "subject": ({"subject", "app"}, {"energy"}, ("glib", "opencv2/", "exception", "new")),
  # A program that GIMP starts, and that starts another.
  "gimp": ({"gimp"}, set(), ("glib", "libgimp/", "sys/prctl", "unistd")),
  "ui": ({"ui", "app"}, {"energy", "solver"}, ("glib", "gio/", "gtk/", "gdk/", "cairo")),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
VALUE_HEADER = "(value header)"


# --- the tree ----------------------------------------------------------------------------------

def tracked_paths():
  try:
    out = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True)
    return [p for p in out.stdout.decode().split("\0") if p]
  except (OSError, subprocess.CalledProcessError):
    return walked_paths()


def walked_paths():
  """In the order of git's: of two files that define a function the first is its owner."""
  found = []
  for folder, names, files in os.walk(ROOT):
    names[:] = [n for n in names if not n.startswith((".git", "build"))]
    found += [os.path.relpath(os.path.join(folder, f), ROOT) for f in files]
  return sorted(found)


def read_tree():
  tree = {}
  for path in tracked_paths():
    try:
      with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        tree[path] = file.read()
    except (UnicodeDecodeError, FileNotFoundError):
      continue  # a picture, or removed and not yet committed
  return tree


def line_of(text, position):
  return text.count("\n", 0, position) + 1


def is_c(path):
  return path.endswith((".c", ".h", ".cpp", ".hpp", ".cu", ".cuh"))


def is_source(path):
  return is_c(path) or path.endswith((".py", ".sh", ".build", ".ui", ".css", ".xml", ".in")) \
    or path in ("dev", ".ci/run", "meson_options.txt")


def is_product(path):
  return is_c(path) and path.startswith(("solver/", "energy/", "cut/", "library/", "app/", "subject/", "gimp/", "ui/"))


# --- the checks --------------------------------------------------------------------------------

def layer_of(path):
  if path.startswith("solver/kernels/"):
    return "solver/kernels"
  return path.split("/", 1)[0]


def include_fault(layer, bracket, name, tree):
  """Why a file of `layer` may not include `name`; None where it may."""
  inside, values_of, externals = LAYERS[layer]
  if bracket == '"':
    other = layer_of(name) if "/" in name else None
    if other in inside:
      return None
    if other in values_of:
      return None if VALUE_HEADER in tree.get(name, "") else "not a value header"
    return "above this layer, or not named from the root"
  stem = name[:-2] if name.endswith(".h") else name
  if stem in C_STANDARD or stem.startswith(externals):
    return None
  if stem in POSIX and layer in ("app", "subject"):
    return None
  return "external header of another layer"


def check_layers(tree):
  found = []
  for path, text in tree.items():
    if not is_product(path):
      continue
    for match in INCLUDE.finditer(text):
      fault = include_fault(layer_of(path), match[1], match[2], tree)
      if fault:
        found.append(f"{path}:{line_of(text, match.start())}: {match[2]}: {fault}")
  return found


# Their formats have no comments.
WITHOUT_COMMENTS = ("debian/changelog", "debian/copyright", "debian/source/format")


def check_spdx(tree):
  return [f"{path}:1: no SPDX line" for path, text in tree.items()
          if (is_source(path) or path.startswith("debian/") and path not in WITHOUT_COMMENTS) and "SPDX-License-Identifier: MIT" not in text[:400]]


VERSION = re.compile(r"^(?:  version: '|fretsaw \()([\d.]+)", re.M)


def check_versions(tree):
  """Debian's package has the project's version."""
  versions = [(path, VERSION.search(tree[path])[1]) for path in ("meson.build", "debian/changelog") if path in tree]
  return [f"{path}: version {version}, not {versions[0][1]}" for path, version in versions if version != versions[0][1]]


def check_file_length(tree):
  found = []
  for path, text in tree.items():
    limit = MAX_MAIN_LINES if path in ("app/main.c", "ui/main.c") else MAX_FILE_LINES
    if is_source(path) and text.count("\n") > limit:
      found.append(f"{path}:{limit}: longer than {limit} lines")
  return found


def check_function_length(tree):
  """In our format only a function's body has its braces in the first column."""
  found = []
  for path, text in tree.items():
    if not is_c(path):
      continue
    start = 0
    for number, line in enumerate(text.splitlines(), 1):
      if line == "{":
        start = number
      elif line == "}" and start:
        if number - start + 1 > MAX_FUNCTION_LINES:
          found.append(f"{path}:{start}: a function of {number - start + 1} lines")
        start = 0
  return found


def check_folders(tree):
  found = []
  folders = [os.path.dirname(path) for path in tree if is_product(path)]
  for folder in sorted(set(folders)):
    if folders.count(folder) > MAX_FOLDER_FILES:
      found.append(f"{folder}: {folders.count(folder)} files in one folder")
  return found


def check_rooms(tree):
  found = []
  for path, text in tree.items():
    for match in INCLUDE.finditer(text) if is_product(path) else ():
      fault = rooms.fault(path, match[2]) if match[2] in tree else None
      if fault:
        found.append(f"{path}:{line_of(text, match.start())}: {match[2]}: {fault}")
  return found


PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Za-z][a-z]*")
IDENTIFIER = re.compile(r"\b[A-Za-z_]\w*")
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\\\.|[^"\\\\\n])*"|#\s*include[^\n]*', re.S)


def read_terms(text):
  """{(layer, piece of an identifier): the field's word for it}, from lines of three columns."""
  rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
  return {(layer, piece): instead for layer, piece, instead in rows}


def check_terms(tree):
  terms = read_terms(tree.get("tests/lint/terms.tsv", ""))
  found = []
  for path, text in tree.items():
    if not is_c(path):
      continue
    layer = path.split("/", 1)[0]
    pieces = {piece for own, piece in terms if own == layer}
    code = NOT_CODE.sub(lambda match: "\n" * match[0].count("\n"), text)
    for match in IDENTIFIER.finditer(code):
      for piece in pieces.intersection(p.lower() for p in PIECE.findall(match[0])):
        found.append(f"{path}:{line_of(code, match.start())}: {match[0]}: say {terms[layer, piece]}")
  return found


OPENING = re.compile(r"\A/\* SPDX[^\n]*\n/\*+\s*(?:\* )?(What|Who|Whether|Where|How|Of)\b")


def check_headers(tree):
  """The first words of a header say what it is: a noun phrase."""
  return [f"{path}:2: begins with {match[1]}" for path, text in tree.items()
          if is_product(path) and path.endswith((".h", ".cuh")) and (match := OPENING.match(text))]


COMMENT_OPENING = re.compile(r"/\*+\s*(?:\* )?(What|Who|Whether|How|Of)\b")


def check_comments(tree):
  """A comment says what a thing is or does, in that order: no question and no bare genitive opens it."""
  return [f"{path}:{line_of(text, match.start())}: begins with {match[1]}" for path, text in tree.items()
          if is_product(path) and path.endswith((".c", ".h", ".cu", ".cuh"))
          for match in COMMENT_OPENING.finditer(text)]


def check_circles(tree):
  found = circles.circles(circles.arrows({path: text for path, text in tree.items() if is_product(path)}))
  return ["a circle of modules: " + " ".join(circle) for circle in found]


UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w./$}>])/(?:home|root|tmp|work|mnt|opt|Users)/\w")


def check_words(tree):
  found = []
  for path, text in tree.items():
    if path == "tests/summary.py":
      continue  # a TAP reader has to know one of these words
    for pattern, what in ((UNFINISHED, "unfinished"), (MACHINE_PATH, "a path of one machine")):
      found += [f"{path}:{line_of(text, m.start())}: {what}: {m[0]}" for m in pattern.finditer(text)]
  return found


def check_white_space(tree):
  found = []
  for path, text in tree.items():
    if not is_source(path) and not path.endswith(".md"):
      continue
    if text and not text.endswith("\n"):
      found.append(f"{path}: no newline at the end")
    found += [f"{path}:{line_of(text, m.start())}: white space at the end of a line"
              for m in re.finditer(r"[ \t]+$", text, re.M)]
    found += [f"{path}:{line_of(text, m.start())}: a tab" for m in re.finditer(r"\t", text)]
  return found


# Of a page: where its links lead. Anywhere: a page or picture of docs that is named.
MARKDOWN_LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)[^)]*\)")
NAMED_PAGE = re.compile(r"(?<![:/\w])docs/[\w./-]+\.(?:md|svg|png|c)\b")


def is_in(tree, path):
  return path in tree or any(name.startswith(path + "/") for name in tree) or os.path.exists(os.path.join(ROOT, path))


def check_links(tree):
  found = []
  for path, text in tree.items():
    named = [(m, m[0]) for m in NAMED_PAGE.finditer(text)]
    if path.endswith(".md"):
      named += [(m, os.path.normpath(os.path.join(os.path.dirname(path), m[1]))) for m in MARKDOWN_LINK.finditer(text)]
    found += [f"{path}:{line_of(text, m.start())}: leads nowhere: {goal}" for m, goal in named if not is_in(tree, goal)]
  return found


SHOWN_TEXT = re.compile(
  r"\b(g_action_map_add_\w+|g_menu_append\w*|g_menu_item_new|gtk_\w+_new_with_(?:label|mnemonic)"
  r"|gtk_(?:label|check_button)_new|gtk_\w+_set_(?:title|subtitle|label|text|tooltip_text"
  r"|placeholder_text)|gtk_file_chooser_native_new|gtk_dialog_add_button)"
  r'\s*\((?:[^"();]*,)?\s*"[^"]*[A-Za-z]{2}')
TRANSLATABLE = re.compile(r'\b(?:_|N_|C_|Q_|ngettext)\s*\(\s*"|translatable="yes"')
UI_PROPERTY = re.compile(
  r'<property name="(label|title|subtitle|tooltip[-_]text|placeholder[-_]text)">[^<]*[A-Za-z]{2}')


def check_gettext(tree):
  found = []
  for path, text in tree.items():
    if path.startswith("ui/") and path.endswith(".c"):
      found += [f"{path}:{line_of(text, m.start())}: {m[1]}: text that is not translated"
                for m in SHOWN_TEXT.finditer(text) if not m[1].startswith("g_action_map")]
    if path.endswith(".ui"):
      found += [f"{path}:{line_of(text, m.start())}: {m[1]}: text that is not translated"
                for m in UI_PROPERTY.finditer(text)]
  return found


def check_potfiles(tree):
  listed = set(re.findall(r"^[^#\s]\S*", tree.get("po/POTFILES", ""), re.M))
  wanted = {path for path, text in tree.items()
            if path.startswith(("ui/", "app/", "gimp/", "resources/")) and TRANSLATABLE.search(text)}
  return [f"po/POTFILES: lacks {path}" for path in sorted(wanted - listed)] \
    + [f"po/POTFILES: lists {path}, which has nothing to translate"
       for path in sorted(listed - wanted) if not path.startswith("data/")]


def check_format(tree):
  run = subprocess.run(["clang-format", "--dry-run", "-Werror", "--style=file",
                        *filter(is_c, tree)], cwd=ROOT, capture_output=True, text=True,
                       check=False)
  return re.findall(r"^(\S+:\d+):\d+: error", run.stderr, re.M) if run.returncode else []


# --- the cases ---------------------------------------------------------------------------------

class Tree(unittest.TestCase):
  """The tree passes each check."""

  @classmethod
  def setUpClass(cls):
    cls.tree = read_tree()

  def passes(self, check):
    found = check(self.tree)
    self.assertFalse(found, "\n" + "\n".join(found))

  def test_reads_the_tree(self):
    self.assertIn("solver/grid.h", self.tree)
    self.assertGreater(sum(map(is_product, self.tree)), 5)

  def test_layers(self):
    self.passes(check_layers)

  def test_spdx(self):
    self.passes(check_spdx)

  def test_versions(self):
    self.passes(check_versions)

  def test_file_length(self):
    self.passes(check_file_length)

  def test_function_length(self):
    self.passes(check_function_length)

  def test_folders(self):
    self.passes(check_folders)

  def test_circles(self):
    self.passes(check_circles)

  def test_rooms(self):
    self.passes(check_rooms)

  def test_terms(self):
    self.passes(check_terms)

  def test_headers(self):
    self.passes(check_headers)

  def test_comments(self):
    self.passes(check_comments)

  def test_words(self):
    self.passes(check_words)

  def test_white_space(self):
    self.passes(check_white_space)

  def test_links(self):
    self.passes(check_links)

  def test_gettext(self):
    self.passes(check_gettext)

  def test_potfiles(self):
    self.passes(check_potfiles)

  @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
  def test_format(self):
    self.passes(check_format)


class Fails(unittest.TestCase):
  """Each check finds a planted fault, and nothing in the same text without it."""

  def finds(self, check, n_faults, bad, good):
    self.assertEqual(len(check(bad)), n_faults, check(bad))
    self.assertEqual(check(good), [])

  def test_layers(self):
    bad = {"solver/a.c": '#include "energy/b.h"\n#include <gio/gio.h>\n#include "grid.h"\n',
           "energy/a.c": '#include "solver/engine.h"\n#include <gtk/gtk.h>\n',
           "app/a.c": '#include "ui/w.h"\n#include "solver/kernels/k.h"\n#include <cairo.h>\n',
           "ui/w.c": '#include <png.h>\n#include "solver/engine.h"\n#include <unistd.h>\n',
           "app/b.c": '#include <opencv2/dnn.hpp>\n#include "subject/n.h"\n',
           "solver/kernels/k.c": '#include <glib.h>\n#include "tests/ladder/l.h"\n',
           "solver/engine.h": "/* The engine. */\n"}
    good = {"solver/a.c": '#include "solver/grid.h"\n#include <glib.h>\n#include <string.h>\n',
            "energy/a.c": '#include "solver/grid.h"\n',
            "app/a.c": '#include "energy/a.h"\n# include <jpeglib.h>\n#include <unistd.h>\n',
            "ui/w.c": '#include "app/a.h"\n#include <gtk/gtk.h>\n',
            "subject/n.cpp": '#include "app/a.h"\n#include <opencv2/dnn.hpp>\n#include <fcntl.h>\n',
            "tests/t.c": '#include "ui/w.h"\n',
            "solver/grid.h": f"/* The grid. {VALUE_HEADER} */\n"}
    self.finds(check_layers, 15, bad, good)

  def test_spdx(self):
    self.finds(check_spdx, 3, {"a.c": "int x;\n", "t.py": "#!/usr/bin/env python3\n", "debian/rules": "%:\n"},
               {"a.c": "/* SPDX-License-Identifier: MIT */\n", "a.md": "words\n", "debian/changelog": "words\n"})

  def test_versions(self):
    project = {"meson.build": "project('fretsaw', 'c',\n  version: '1.2.3',\n"}
    self.finds(check_versions, 1, {**project, "debian/changelog": "fretsaw (1.2.2) unstable\n"},
               {**project, "debian/changelog": "fretsaw (1.2.3) unstable\n"})

  def test_file_length(self):
    self.finds(check_file_length, 2, {"a.c": "\n" * 701, "app/main.c": "\n" * 81},
               {"a.c": "\n" * 700, "app/main.c": "\n" * 80})

  def test_function_length(self):
    self.finds(check_function_length, 1, {"a.c": "void\nf (void)\n{\n" + "\n" * 79 + "}\n"},
               {"a.c": "void\nf (void)\n{\n" + "\n" * 78 + "}\n"})

  def test_folders(self):
    many = {f"app/x/{i}.c": "" for i in range(MAX_FOLDER_FILES + 1)}
    self.finds(check_folders, 1, many, {path: "" for path in list(many)[1:]})

  def test_circles(self):
    """By an include, and by a call of what another module's header declares; within a folder and across."""
    line = {"app/a.c": '#include "app/b.h"\n', "app/b.h": "", "app/b.c": '#include "app/c.h"\n/* fs_a () */\n', "app/c.h": ""}
    for there in ("app", "app/b"):
      pair = {"app/a.h": "", "app/a.c": "fs_a (void)\n{\n  fs_b ();\n}\n", f"{there}/b.c": '#include "app/a.h"\nfs_b (void)\n'}
      self.finds(check_circles, 1, pair, line)

  def test_rooms(self):
    self.finds(check_rooms, 3, {"energy/image/a.c": '#include "energy/terms/b.h"\n', "energy/none/c.c": '#include "energy/image/d.h"\n',
                                "ui/ui.c": '#include "ui/none/e.h"\n', "energy/terms/b.h": "", "energy/image/d.h": "", "ui/none/e.h": ""},
               {"energy/terms/a.c": '#include "energy/image/b.h"\n#include "energy/terms/c.h"\n', "solver/backends.c": '#include "solver/cuda/d.h"\n',
                "energy/image/b.h": "", "energy/terms/c.h": "", "solver/cuda/d.h": "", "ui/window/f.c": '#include "ui/made.h"\n'})

  def test_terms(self):
    terms = {"tests/lint/terms.tsv": "# what this is\nsolver\tflood\tglobal relabelling\ntests\ttold\treported\n"}
    code = "/* flood */ int flooded; puts (\"flood\");\n"
    self.finds(check_terms, 4, {**terms, "solver/a.c": code + "void fs_flood_all (FsFlood *x);\nenum { FS_FLOOD };\n",
                                "tests/c.c": "int n_told;\n"},
               {**terms, "solver/a.c": code, "ui/b.c": "int flood;\nint n_told;\n"})

  def test_headers(self):
    self.finds(check_headers, 2, {"ui/a.h": "/* SPDX-License-Identifier: MIT */\n/* What a does. */\n",
                                  "ui/b.cuh": "/* SPDX-License-Identifier: MIT */\n/*\n * Whether b is. */\n"},
               {"ui/a.h": "/* SPDX-License-Identifier: MIT */\n/* Whatever a does. */\n"})

  def test_comments(self):
    self.finds(check_comments, 4, {"app/a.c": "int a;\n/* Whether a is. */\nint b; /* Of b. */\n", "energy/b.h": "/*\n * How b is. */\n",
                                   "solver/c.cuh": "/* What c is. */\n"},
               {"app/a.c": "/* Whatever a does. */\nint b; /* the sum of b */\n", "tests/b.h": "/* How b is. */\n"})

  def test_words(self):
    bad = {"a.c": "/* TO" "DO */\n", "b.py": 'open("/ho' 'me/me/x")\n', "c.md": "in /tm" "p/x\n"}
    self.finds(check_words, 3, bad, {"a.c": 'f ("build/tmp/x", "/usr/share/x");\n'})

  def test_white_space(self):
    self.finds(check_white_space, 3, {"a.c": "int x; \n\tint y;", "b.png": "x "},
               {"a.c": "int x;\n"})

  def test_links(self):
    bad = {"a/b.md": "[c](../none.md) and [d](d.md#e)\n", "a/b.h": "/* do" "cs/none.md */\n"}
    self.finds(check_links, 3, bad, {"a/b.md": "[c](../c.md#d), [e](e), [f](https://x.org/y)\n", "c.md": "do" "cs/f.md\n", "a/e/g.c": "",
                                     "do" "cs/f.md": ""})

  def test_gettext(self):
    bad = {"ui/w.c": 'l = gtk_label_new ("Open");\n  gtk_widget_set_tooltip_text (w, "Undo it");\n',
           "resources/w.ui": '<property name="label">Open</property>\n'}
    good = {"ui/w.c": 'l = gtk_label_new (_("Open"));\n  gtk_label_set_text (l, "");\n'
                      '  gtk_widget_set_tooltip_text (w, _("Undo"));\n',
            "resources/w.ui": '<property name="label" translatable="yes">Open</property>\n'}
    self.finds(check_gettext, 3, bad, good)

  def test_potfiles(self):
    self.finds(check_potfiles, 2,
               {"ui/w.c": '_("Open")', "po/POTFILES": "ui/gone.c\n"},
               {"ui/w.c": '_("Open")', "ui/v.c": "x", "po/POTFILES": "# all\nui/w.c\n"})

  @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
  def test_format(self):
    run = subprocess.run(["clang-format", "--dry-run", "-Werror", "--style=file"], cwd=ROOT,
                         input="int  f(){return 1;}\n", capture_output=True, text=True, check=False)
    self.assertNotEqual(run.returncode, 0)


if __name__ == "__main__":
  sys.exit(tap.main())
