/* SPDX-License-Identifier: MIT */
#include "app/frames/frames_manifest.h"

#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/photo/input/photo_input.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Left as they are in keys, beside letters and digits. */
#define PLAIN " !#$&'()+,;=@[]{}^`"

struct _FsFramesManifest {
  char *path, *log_path;
  json_t *run;         /* NULL: not known       */
  GHashTable *records; /* stem → FsFramesRecord */
  char *text;          /* as on the disk; NULL: not there */
  gboolean is_damaged, has_log;
  int log; /* -1: not open */
};

/* --- records ---------------------------------------------------------------------------------- */

static void
record_free (gpointer data)
{
  FsFramesRecord *record = data;
  g_free (record->picture);
  g_free (record->from);
  g_free (record->sum);
  g_free (record->lost);
  g_free (record);
}

static json_t *
record_to_json (const FsFramesRecord *record)
{
  return json_pack ("{s:I, s:s, s:s, s:s*, s:s*}", "number", (json_int_t)record->number, "picture",
                    record->picture, "from", record->from, "sum", record->sum, "lost",
                    record->lost);
}

/* NULL for anything else. */
static FsFramesRecord *
record_from_json (json_t *json)
{
  json_int_t number;
  const char *picture, *from, *sum = NULL, *lost = NULL;
  if (json_unpack (json, "{s:I, s:s, s:s, s?s, s?s}", "number", &number, "picture", &picture,
                   "from", &from, "sum", &sum, "lost", &lost)
          != 0
      || number < 0)
    return NULL;
  FsFramesRecord *record = g_new0 (FsFramesRecord, 1);
  record->number = (guint64)number;
  record->picture = g_strdup (picture);
  record->from = g_strdup (from);
  record->sum = g_strdup (sum);
  record->lost = g_strdup (lost);
  return record;
}

static void
take_record (FsFramesManifest *manifest, const char *key, json_t *json)
{
  char *stem = g_uri_unescape_string (key, NULL);
  FsFramesRecord *record = record_from_json (json);
  if (stem && record) {
    g_hash_table_replace (manifest->records, stem, record);
    return;
  }
  if (stem)
    g_hash_table_remove (manifest->records, stem);
  g_free (stem);
  g_clear_pointer (&record, record_free);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* NULL where there is none, or none that can be read. */
static char *
read_manifest_text (const char *path)
{
  gsize n = 0;
  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, NULL, NULL, NULL);
  g_autofree guint8 *bytes = input ? fs_photo_input_read_whole (input, &n, NULL) : NULL;
  return bytes ? g_strndup ((const char *)bytes, n) : NULL;
}

static void
read_manifest (FsFramesManifest *manifest)
{
  GStatBuf facts;
  manifest->text = read_manifest_text (manifest->path);
  json_t *json = manifest->text ? json_loads (manifest->text, JSON_REJECT_DUPLICATES, NULL) : NULL;
  manifest->is_damaged = !json_is_object (json) && g_lstat (manifest->path, &facts) == 0;
  if (json_is_object (json)) {
    const char *key;
    json_t *value;
    json_object_foreach (json_object_get (json, "frames"), key, value)
        take_record (manifest, key, value);
    json_object_del (json, "frames");
    manifest->run = json_incref (json);
  }
  json_decref (json);
}

/* As far as its lines are whole. */
static void
read_log (FsFramesManifest *manifest)
{
  GStatBuf facts;
  manifest->has_log = g_lstat (manifest->log_path, &facts) == 0;
  g_autofree char *text = manifest->has_log ? read_manifest_text (manifest->log_path) : NULL;
  for (char *line = text, *end; line && (end = strchr (line, '\n')); line = end + 1) {
    json_t *json = json_loadb (line, (size_t)(end - line), JSON_REJECT_DUPLICATES, NULL);
    const char *key = json_string_value (json_object_get (json, "frame"));
    if (key)
      take_record (manifest, key, json);
    json_decref (json);
    if (!key)
      break;
  }
}

FsFramesManifest *
fs_frames_manifest_read (const char *folder)
{
  g_return_val_if_fail (folder, NULL);
  FsFramesManifest *manifest = g_new0 (FsFramesManifest, 1);
  manifest->path = g_build_filename (folder, FS_FRAMES_MANIFEST_NAME, NULL);
  manifest->log_path = g_build_filename (folder, FS_FRAMES_MANIFEST_LOG, NULL);
  manifest->records = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, record_free);
  manifest->log = -1;
  g_autofree char *older = g_build_filename (folder, &FS_FRAMES_MANIFEST_NAME[1], NULL);
  if (!g_file_test (manifest->path, G_FILE_TEST_EXISTS))
    g_rename (older, manifest->path); /* what cannot be renamed is not there */
  read_manifest (manifest);
  read_log (manifest);
  return manifest;
}

void
fs_frames_manifest_free (FsFramesManifest *manifest)
{
  if (!manifest)
    return;
  if (manifest->log >= 0)
    close (manifest->log);
  json_decref (manifest->run);
  g_hash_table_unref (manifest->records);
  g_free (manifest->text);
  g_free (manifest->log_path);
  g_free (manifest->path);
  g_free (manifest);
}

/* --- what it says ----------------------------------------------------------------------------- */

gboolean
fs_frames_manifest_is_there (const FsFramesManifest *manifest)
{
  return manifest->run || manifest->is_damaged;
}

gboolean
fs_frames_manifest_is_damaged (const FsFramesManifest *manifest)
{
  return manifest->is_damaged;
}

const json_t *
fs_frames_manifest_get_run (const FsFramesManifest *manifest)
{
  return manifest->run;
}

void
fs_frames_manifest_set_run (FsFramesManifest *manifest, json_t *run)
{
  json_decref (manifest->run);
  manifest->run = json_incref (run);
}

const FsFramesRecord *
fs_frames_manifest_find (const FsFramesManifest *manifest, const char *stem)
{
  return g_hash_table_lookup (manifest->records, stem);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b, gpointer records)
{
  const char *first = *(const char *const *)a, *second = *(const char *const *)b;
  guint64 of_first = ((FsFramesRecord *)g_hash_table_lookup (records, first))->number;
  guint64 of_second = ((FsFramesRecord *)g_hash_table_lookup (records, second))->number;
  if (of_first != of_second)
    return of_first < of_second ? -1 : 1;
  return strcmp (first, second);
}

GPtrArray *
fs_frames_manifest_list (const FsFramesManifest *manifest)
{
  GPtrArray *stems = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer stem;
  g_hash_table_iter_init (&iter, manifest->records);
  while (g_hash_table_iter_next (&iter, &stem, NULL))
    g_ptr_array_add (stems, stem);
  g_ptr_array_sort_with_data (stems, compare_numbers, manifest->records);
  return stems;
}

/* --- writing ---------------------------------------------------------------------------------- */

static gboolean
set_manifest_error (const char *path, int code, GError **error)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, "%s: cannot be written: %s", name,
               g_strerror (code));
  return FALSE;
}

/* A new file: what was there has been put into the manifest. */
static gboolean
open_log (FsFramesManifest *manifest, GError **error)
{
  if (manifest->log >= 0)
    return TRUE;
  manifest->log = g_open (manifest->log_path,
                          O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  manifest->has_log = manifest->log >= 0;
  return manifest->has_log || set_manifest_error (manifest->log_path, errno, error);
}

/* In one write, so that only the last line can be torn. */
static gboolean
append_line (FsFramesManifest *manifest, const char *stem, json_t *json, GError **error)
{
  g_autofree char *key = g_uri_escape_string (stem, PLAIN, TRUE);
  json_object_set_new (json, "frame", json_string (key));
  char *text = json_dumps (json, JSON_COMPACT | JSON_SORT_KEYS);
  json_decref (json);
  g_autofree char *line = g_strconcat (text, "\n", NULL);
  free (text);
  gsize n = strlen (line);
  if (!open_log (manifest, error))
    return FALSE;
  gssize written;
  do
    written = write (manifest->log, line, n);
  while (written < 0 && errno == EINTR);
  return (gsize)written == n
         || set_manifest_error (manifest->log_path, written < 0 ? errno : ENOSPC, error);
}

gboolean
fs_frames_manifest_put (FsFramesManifest *manifest, const char *stem, const FsFramesRecord *record,
                        GError **error)
{
  g_return_val_if_fail (manifest && stem && record && record->picture && record->from, FALSE);
  FsFramesRecord *copy = g_new0 (FsFramesRecord, 1);
  copy->number = record->number;
  copy->picture = g_strdup (record->picture);
  copy->from = g_strdup (record->from);
  copy->sum = g_strdup (record->sum);
  copy->lost = g_strdup (record->lost);
  g_hash_table_replace (manifest->records, g_strdup (stem), copy);
  return append_line (manifest, stem, record_to_json (copy), error);
}

gboolean
fs_frames_manifest_drop (FsFramesManifest *manifest, const char *stem, GError **error)
{
  g_autofree char *own = g_strdup (stem); /* it may be the table's */
  return !g_hash_table_remove (manifest->records, stem)
         || append_line (manifest, own, json_object (), error);
}

void
fs_frames_manifest_clear (FsFramesManifest *manifest)
{
  g_hash_table_remove_all (manifest->records);
}

static char *
to_text (const FsFramesManifest *manifest)
{
  json_t *json = manifest->run ? json_copy (manifest->run) : json_object ();
  json_t *frames = json_object ();
  GHashTableIter iter;
  gpointer stem, record;
  g_hash_table_iter_init (&iter, manifest->records);
  while (g_hash_table_iter_next (&iter, &stem, &record)) {
    g_autofree char *key = g_uri_escape_string (stem, PLAIN, TRUE);
    json_object_set_new (frames, key, record_to_json (record));
  }
  json_object_set_new (json, "frames", frames);
  char *text = json_dumps (json, JSON_INDENT (2) | JSON_SORT_KEYS);
  char *lines = g_strconcat (text, "\n", NULL);
  json_decref (json);
  free (text);
  return lines;
}

gboolean
fs_frames_manifest_save (FsFramesManifest *manifest, GError **error)
{
  g_return_val_if_fail (manifest, FALSE);
  g_autofree char *text = to_text (manifest);
  if (g_strcmp0 (text, manifest->text) != 0) {
    if (!fs_export_write_text (manifest->path, text, -1, error))
      return FALSE;
    g_free (manifest->text);
    manifest->text = g_steal_pointer (&text);
    manifest->is_damaged = FALSE;
  }
  if (manifest->log >= 0)
    close (manifest->log);
  manifest->log = -1;
  if (manifest->has_log && g_unlink (manifest->log_path) != 0)
    return set_manifest_error (manifest->log_path, errno, error);
  manifest->has_log = FALSE;
  return TRUE;
}
