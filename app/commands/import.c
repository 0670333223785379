/* SPDX-License-Identifier: MIT */
/* fretsaw import. */
#include "app/commands/command_line.h"

#include "app/files/display_name.h"
#include "app/labels/parse/label_file.h"
#include "app/labels/input/label_import.h"

#include <errno.h>
#include <stdio.h>

typedef struct {
  char *photos, *out;
  gboolean replace, help;
  char **labels;
} Options;

static void
import_options_clear (Options *o)
{
  g_free (o->photos);
  g_free (o->out);
  g_strfreev (o->labels);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, import_options_clear)

static gboolean
parse_import_options (Options *o, int argc, char **argv, char **help, GError **error)
{
  const GOptionEntry entries[] = {
    { "photos", 0, 0, G_OPTION_ARG_FILENAME, &o->photos, "The folder of the photos", "DIR" },
    { "out", 0, 0, G_OPTION_ARG_FILENAME, &o->out,
      "Write NAME.fretsaw into this folder for each photo that is there", "DIR" },
    { "replace", 0, 0, G_OPTION_ARG_NONE, &o->replace,
      "Write over sessions that are there with other contents", NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &o->help, "Show this", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &o->labels, NULL, NULL },
    { NULL },
  };
  return fs_command_parse (
      entries, "LABELS",
      "Makes sessions of labels: each object is a mask with its name, which strokes correct.\n\n"
      "LABELS is COCO's or labelme's JSON file, or the folder of a data set: of labelme's files, "
      "YOLO's (data.yaml, labels), Pascal VOC's (SegmentationObject), of masks "
      "(PHOTO/CLASS-N.png), or "
      "of indexed PNGs with classes.txt.",
      argc, argv, help, error);
}

static gboolean
check_import_options (const Options *o, GError **error)
{
  if (!o->labels || o->labels[1])
    return fs_command_usage (error, "takes one file or folder of labels");
  if (!o->photos)
    return fs_command_usage (error, "--photos names the folder of the photos");
  if (!g_file_test (o->photos, G_FILE_TEST_IS_DIR)) {
    g_autofree char *shown = fs_display_name (o->photos);
    g_autofree char *message = g_strconcat ("--photos ", shown, ": is no folder", NULL);
    return fs_command_usage (error, message);
  }
  return (o->out && *o->out) || fs_command_usage (error, "--out names a folder for the sessions");
}

typedef struct {
  const Options *options;
  FsLabelReader *reader;
  GHashTable *written; /* sessions */
  guint n_failed, n_absent;
  guint n_without_objects; /* photos, which got no session */
  guint n_all_lost;        /* of these, those whose objects were all left out */
  const char *absent;      /* the first of these photos */
} Import;

static gboolean
fail_photo (Import *import, const char *message)
{
  import->n_failed++;
  fs_command_fail (FS_EXIT_PARTIAL, message);
  return FALSE;
}

/* The session's path; NULL, with a message, where it may not be written. g_free. */
static char *
name_session (Import *import, const char *photo)
{
  g_autofree char *stem = fs_label_file_stem (photo);
  g_autofree char *file = g_strconcat (stem, ".fretsaw", NULL);
  char *path = g_build_filename (import->options->out, file, NULL);
  if (!g_hash_table_contains (import->written, path))
    return path;
  g_autofree char *shown = fs_display_name (path);
  g_autofree char *message =
      g_strconcat (shown, ": is written already, of other labels with a photo of that name", NULL);
  fail_photo (import, message);
  g_free (path);
  return NULL;
}

/* The labels of a photo have no object that a session could have. */
static void
report_no_session (Import *import, const char *photo, const FsLabelCounts *counts)
{
  g_autofree char *shown = fs_display_name (photo);
  g_autofree char *text = fs_label_counts_to_text (counts);
  import->n_without_objects++;
  if (fs_label_counts_sum_lost (counts) == 0) {
    printf ("%s: no session: no objects\n", shown);
    return;
  }
  import->n_all_lost++;
  g_autofree char *message = g_strconcat (shown, ": no session: ", text, NULL);
  fs_command_fail (FS_EXIT_PARTIAL, message);
}

/* TRUE if a session was written. */
static gboolean
import_photo (Import *import, guint entry, const char *photo)
{
  g_autoptr (GError) error = NULL;
  FsLabelCounts counts = { 0 };
  char *path = name_session (import, photo);
  if (!path)
    return FALSE;
  g_hash_table_add (import->written, path);
  if (!fs_label_import_write (import->reader, entry, photo, path, import->options->replace, &counts,
                              &error))
    return fail_photo (import, error->message);
  if (counts.n_read == 0) {
    report_no_session (import, photo, &counts);
    return FALSE;
  }
  g_autofree char *shown = fs_display_name (path);
  g_autofree char *text = fs_label_counts_to_text (&counts);
  printf ("%s: %s\n", shown, text);
  return TRUE;
}

static void
print_rest (const Import *import)
{
  const FsLabelCounts *losses = fs_label_reader_get_losses (import->reader);
  g_autofree char *shown = fs_display_name (import->options->labels[0]);
  if (fs_label_counts_sum_lost (losses) > 0) {
    g_autofree char *text = fs_label_counts_to_text (losses);
    fprintf (stderr, "fretsaw: %s: %s\n", shown, text);
  }
  if (import->n_absent > 0) {
    g_autofree char *name = fs_display_name (import->absent);
    fprintf (stderr, "fretsaw: %s: %u %s not in the folder of the photos%s: %s\n", shown,
             import->n_absent, import->n_absent == 1 ? "photo is" : "photos are",
             import->n_absent == 1 ? "" : ", the first of them", name);
  }
}

static int
fail_folder (const char *folder, int reason)
{
  g_autofree char *shown = fs_display_name (folder);
  g_autofree char *message = g_strdup_printf ("%s: cannot be made: %s", shown, g_strerror (reason));
  return fs_command_fail (FS_EXIT_FAILED, message);
}

static int
choose_status (const Import *import, guint n_done)
{
  if (n_done == 0 && import->n_failed == 0 && import->n_absent > 0
      && import->n_without_objects == 0)
    return fs_command_fail (FS_EXIT_FAILED, "none of the photos is there");
  if (n_done == 0 && import->n_failed == 0) {
    g_autofree char *shown = fs_display_name (import->options->labels[0]);
    g_autofree char *message = g_strconcat (shown, ": has no object to import", NULL);
    return fs_command_fail (FS_EXIT_PARTIAL, message);
  }
  if (import->n_failed == 0 && import->n_all_lost == 0)
    return FS_EXIT_DONE;
  return n_done > 0 || import->n_all_lost > 0 ? FS_EXIT_PARTIAL : FS_EXIT_FAILED;
}

static int
import_labels (const Options *o)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhotoNames) photos = fs_photo_names_new (o->photos, &error);
  g_autoptr (FsLabelReader) reader = photos ? fs_label_reader_open (o->labels[0], &error) : NULL;
  if (!reader)
    return fs_command_fail (FS_EXIT_FAILED, error->message);
  if (g_mkdir_with_parents (o->out, 0777) < 0)
    return fail_folder (o->out, errno);
  if (fs_label_reader_has_usual_names (reader)) {
    g_autofree char *shown = fs_display_name (o->labels[0]);
    fprintf (stderr,
             "fretsaw: %s: has no list of classes and no annotations; classes are taken to be "
             "VOC's twenty\n",
             shown);
  }
  g_autoptr (GHashTable) written = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Import import = { .options = o, .reader = reader, .written = written };
  guint n_done = 0;
  for (guint entry = 0; entry < fs_label_reader_get_n (reader); entry++) {
    const char *name = fs_label_reader_get (reader, entry)->name;
    g_autofree char *photo = fs_photo_names_find (photos, name);
    if (photo)
      n_done += import_photo (&import, entry, photo);
    else if (import.n_absent++ == 0)
      import.absent = name;
  }
  print_rest (&import);
  return choose_status (&import, n_done);
}

int
fs_command_import (int argc, char **argv)
{
  g_set_prgname ("fretsaw import");
  g_auto (Options) o = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *help = NULL;
  gboolean parsed = parse_import_options (&o, argc, argv, &help, &error);
  if (parsed && o.help) {
    fputs (help, stdout);
    return FS_EXIT_DONE;
  }
  if (!parsed || !check_import_options (&o, &error))
    return fs_command_fail_usage ("import", error);
  return fs_command_finish (import_labels (&o));
}
