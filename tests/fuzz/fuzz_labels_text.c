/* SPDX-License-Identifier: MIT */
/* YOLO's files, lists of names and VOC's annotations from anywhere: the same text as each of them.
 */
#include "app/labels/parse/value_names.h"
#include "app/labels/parse/voc_xml.h"
#include "app/labels/parse/yaml_names.h"
#include "tests/app/photo/made_files.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/label_checks.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
check_names (GPtrArray *names, guint max)
{
  g_assert_cmpuint (names->len, <=, max);
  for (guint i = 0; i < names->len; i++)
    g_assert_true (!names->pdata[i] || strlen (names->pdata[i]) < G_MAXINT);
  g_ptr_array_unref (names);
}

static char *set_folder;

static void
remove_set (void)
{
  made_folder_remove (set_folder);
  g_clear_pointer (&set_folder, g_free);
}

/* A data set's folder, which is there until the program ends. */
static const char *
make_set (void)
{
  if (set_folder)
    return set_folder;
  set_folder = made_folder ();
  atexit (remove_set);
  g_autofree char *labels = g_build_filename (set_folder, "labels", NULL);
  g_autofree char *list = g_build_filename (set_folder, "data.yaml", NULL);
  g_mkdir (labels, 0700);
  g_assert_true (g_file_set_contents (list, "names: [a, b]\n", -1, NULL));
  return set_folder;
}

/* The text as the only file of labels of a data set. */
static void
try_yolo (const uint8_t *bytes, size_t n_bytes)
{
  g_autofree char *file = g_build_filename (make_set (), "labels", "p.txt", NULL);
  FILE *to = fopen (file, "wb");
  fwrite (bytes, 1, n_bytes, to);
  fclose (to);
  g_autoptr (FsLabelReader) reader = fs_label_reader_open (make_set (), NULL);
  g_assert_nonnull (reader);
  label_checks_read (reader, 12, 8);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  const char *text = n_bytes > 0 ? (const char *)bytes : "";
  check_names (fs_yaml_names_parse (text, n_bytes), FS_YAML_MAX_NAMES);
  check_names (fs_value_names_parse (text, n_bytes, FS_VALUE_LIST), 256);
  check_names (fs_value_names_parse (text, n_bytes, FS_VALUE_MAP), 256);
  check_names (fs_value_names_parse (text, n_bytes, FS_VALUE_OWN_LIST), 256);
  GPtrArray *objects = fs_voc_xml_parse (text, n_bytes);
  if (objects)
    check_names (objects, FS_VOC_XML_MAX_OBJECTS);
  try_yolo (bytes, n_bytes);
  return 0;
}

/* --- corpus ----------------------------------------------------------------------------------- */

static const char *const texts[] = {
  "0 0.1 0.1 0.5 0.1 0.5 0.9\n1 0.5 0.5 1 0.5 1 1 0.5 1\n0 0.5 0.5 0.1 0.1\n7 0 0 1 0 1 1\n",
  "1 -1e3 0 2 nan 3 4\r\n\r\n0 1\n",
  "path: .\nnames:\n  0: person # one\n  1: \"two \\\"words\\\"\"\n  99999: 'it''s'\nnc: 2\n",
  "names:\n- a\n- 'b'\n",
  "names: [a, \"b, c\",\n  'd']\n",
  "names: {0: a, 3: 'b'}\n",
  "__ignore__\n_background_\ncow\n# label:colour\nsheep:1,2,3::\n",
  ("<annotation><size><width>3</width></size><object><name>cow</name><part><name>x</name></part>"
   "</object><object><name> a &amp; b </name></object><object/></annotation>"),
};

GPtrArray *
fuzz_corpus (void)
{
  return fuzz_texts (texts, G_N_ELEMENTS (texts));
}
