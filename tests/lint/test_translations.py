#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every language in po/LINGUAS says all that the program says, and says it soundly.

Catalogues are held against the strings of the tree as it is, not against a template that may be old.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ.get("FRETSAW_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..")
ROOT = os.path.abspath(ROOT)
sys.path.insert(0, os.path.join(ROOT, "tests"))
import tap  # noqa: E402

ENTRY = re.compile(r'^msgid ((?:".*"\n)+)(?:msgid_plural (?:".*"\n)+)?((?:msgstr(?:\[\d\])? (?:".*"\n)+)+)', re.M)


def read(*names):
  with open(os.path.join(*names), encoding="utf-8") as file:
    return file.read()


def unquoted(lines):
  return "".join(re.findall(r'"(.*)"', lines))


def entries(text):
  """(original, [translation, …]) of a catalogue, without its header."""
  for match in ENTRY.finditer(text + "\n"):
    if unquoted(match[1]):
      yield unquoted(match[1]), [unquoted(part) for part in re.split(r"^msgstr(?:\[\d\])? ", match[2],
                                                                     flags=re.M)[1:]]


def run(*command, **options):
  return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, **options)


@unittest.skipUnless(shutil.which("xgettext") and shutil.which("msgmerge"), "gettext is not installed")
class Translations(unittest.TestCase):
  @classmethod
  def setUpClass(cls):
    cls.folder = tempfile.TemporaryDirectory(prefix="fretsaw-po-")
    cls.template = os.path.join(cls.folder.name, "fretsaw.pot")
    paths = re.findall(r"^[a-z]\S*", read(ROOT, "po", "POTFILES"), re.M)
    made = run("xgettext", "--from-code=UTF-8", "-o", cls.template, "-k_", "-kN_", "-kC_:1c,2",
               "-kNC_:1c,2", "-kngettext:1,2", *paths)
    assert made.returncode == 0, made.stderr
    cls.languages = re.findall(r"^[a-z]\S*", read(ROOT, "po", "LINGUAS"), re.M)

  @classmethod
  def tearDownClass(cls):
    cls.folder.cleanup()

  def lacks(self, catalogue):
    """What msgfmt says is missing or doubtful, and the originals that it means."""
    merged = os.path.join(self.folder.name, "merged.po")
    made = run("msgmerge", "--quiet", "--no-fuzzy-matching", "-o", merged, catalogue, self.template)
    self.assertEqual(made.returncode, 0, made.stderr)
    told = run("msgfmt", "--check", "--statistics", "-o", os.devnull, merged)
    missing = run("msgattrib", "--untranslated", "--no-obsolete", merged).stdout
    if re.fullmatch(r"\d+ translated messages\.\n", told.stderr) and told.returncode == 0:
      return ""
    return told.stderr + "".join(f"\n  {original}" for original, _ in entries(missing))

  def catalogue(self, language):
    return os.path.join(ROOT, "po", language + ".po")

  def test_three_at_least(self):
    self.assertGreaterEqual(set(self.languages), {"de", "fr", "pt_BR"})

  def test_complete(self):
    for language in self.languages:
      with self.subTest(language):
        self.assertEqual(self.lacks(self.catalogue(language)), "")

  def test_incomplete_is_seen(self):
    text = read(self.catalogue("de"))
    for spoilt in (text.replace('msgstr "Rückgängig"', 'msgstr ""'),
                   text.replace('#, c-format\nmsgid', '#, fuzzy, c-format\nmsgid', 1),
                   text.replace("%d × %d px\"\n\n", "%s × %s px\"\n\n")):
      self.assertNotEqual(spoilt, text)
      path = os.path.join(self.folder.name, "spoilt.po")
      with open(path, "w", encoding="utf-8") as file:
        file.write(spoilt)
      self.assertNotEqual(self.lacks(path), "")

  def test_mnemonics(self):
    """An underlined letter in English is one in every language; two are none."""
    for language in self.languages:
      for original, translations in entries(read(self.catalogue(language))):
        wanted = 1 if re.search(r"(?<![_%\w])_?\w*_\w", original) and "_" in original else 0
        for translation in translations:
          with self.subTest(language, original=original):
            self.assertEqual(translation.count("_"), wanted, translation)

  def test_ends_alike(self):
    """A sentence, a colon and a continuation end the same way, but for the French space."""
    for language in self.languages:
      for original, translations in entries(read(self.catalogue(language))):
        for translation in translations:
          with self.subTest(language, original=original):
            for end in (".", "…", ":", "\\n"):
              self.assertEqual(original.endswith(end), translation.endswith(end), translation)


if __name__ == "__main__":
  sys.exit(tap.main())
