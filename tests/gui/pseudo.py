#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a language of which every word is marked, accented and longer:

  pseudo.py SOURCE_FOLDER OUTPUT_FOLDER STAMP

writes OUTPUT_FOLDER/en@pseudo/LC_MESSAGES/fretsaw.mo. What shows up in it without its marks was
never given to a translator.
"""

import os
import re
import subprocess
import sys

LANGUAGE = "en@pseudo"
OPEN, CLOSE = "⟦", "⟧"
ACCENTS = str.maketrans("AEINOSUaceinosuy", "ÅÉÎÑÖŠÛåçéîñöšûý")
# What must stay as it is: printf's directives, escapes, and the mark of a mnemonic.
KEPT = re.compile(r"(%[-+ #0-9.]*(?:ll|l|z)?[a-zA-Z%]|\\.|_)")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def pseudo(text):
  """The text, about a third longer; a line end at its end stays there."""
  end = "\\n" if text.endswith("\\n") else ""
  text = text[:len(text) - len(end)]
  parts = KEPT.split(text)
  parts[::2] = [part.translate(ACCENTS) for part in parts[::2]]
  return OPEN + "".join(parts) + " ~" * max(1, len(text) // 6) + CLOSE + end


def translate_entry(entry):
  """An entry of a template, with its translation."""
  fields = {}
  for name, value in re.findall(r'^(msgid|msgid_plural) ((?:".*"\n?)+)', entry, re.M):
    fields[name] = "".join(STRING.findall(value))
  if not fields.get("msgid"):
    return entry
  entry = entry[:re.search(r"^msgstr", entry, re.M).start()]
  if "msgid_plural" in fields:
    return entry + "".join(f'msgstr[{i}] "{pseudo(fields[name])}"\n'
                           for i, name in enumerate(("msgid", "msgid_plural")))
  return entry + f'msgstr "{pseudo(fields["msgid"])}"\n'


def template(source):
  with open(os.path.join(source, "po", "POTFILES"), encoding="utf-8") as file:
    paths = [line.strip() for line in file if line.strip() and not line.startswith("#")]
  made = subprocess.run(["xgettext", "--from-code=UTF-8", "--no-location", "--no-wrap", "-o", "-", "-k_",
                         "-kN_", "-kC_:1c,2", "-kNC_:1c,2", "-kngettext:1,2", *paths], cwd=source,
                        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
  text = made.stdout.decode("utf-8").replace("charset=CHARSET", "charset=UTF-8")
  return text.replace("nplurals=INTEGER; plural=EXPRESSION;", "nplurals=2; plural=n != 1;")


def main():
  source, output, stamp = sys.argv[1:]
  entries = [translate_entry(entry + "\n") for entry in template(source).split("\n\n")]
  folder = os.path.join(output, LANGUAGE, "LC_MESSAGES")
  os.makedirs(folder, exist_ok=True)
  subprocess.run(["msgfmt", "--check-format", "-o", os.path.join(folder, "fretsaw.mo"), "-"],
                 input="\n".join(entries).encode("utf-8"), check=True)
  with open(stamp, "w", encoding="utf-8"):
    pass


if __name__ == "__main__":
  main()
