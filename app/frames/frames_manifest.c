/* SPDX-License-Identifier: MIT */
#include "app/frames/frames_manifest.h"

#include "app/manifest/manifest.h"

#include <glib/gstdio.h>
#include <string.h>

struct _FsFramesManifest {
  FsManifest *file;
  GHashTable *records; /* stem → FsFramesRecord */
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
take_record (const char *stem, const json_t *json, gpointer records)
{
  FsFramesRecord *record = record_from_json ((json_t *)json);
  if (record)
    g_hash_table_replace (records, g_strdup (stem), record);
}

/* --- reading ---------------------------------------------------------------------------------- */

FsFramesManifest *
fs_frames_manifest_read (const char *folder)
{
  g_return_val_if_fail (folder, NULL);
  FsFramesManifest *manifest = g_new0 (FsFramesManifest, 1);
  g_autofree char *path = g_build_filename (folder, FS_FRAMES_MANIFEST_NAME, NULL);
  g_autofree char *older = g_build_filename (folder, &FS_FRAMES_MANIFEST_NAME[1], NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    g_rename (older, path); /* what cannot be renamed is not there */
  manifest->records = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, record_free);
  manifest->file = fs_manifest_read (&(FsManifestNames){
      folder, FS_FRAMES_MANIFEST_NAME, FS_FRAMES_MANIFEST_LOG, "frames", "frame" });
  fs_manifest_foreach (manifest->file, take_record, manifest->records);
  return manifest;
}

void
fs_frames_manifest_free (FsFramesManifest *manifest)
{
  if (!manifest)
    return;
  fs_manifest_free (manifest->file);
  g_hash_table_unref (manifest->records);
  g_free (manifest);
}

/* --- what it says ----------------------------------------------------------------------------- */

gboolean
fs_frames_manifest_is_there (const FsFramesManifest *manifest)
{
  return fs_manifest_is_there (manifest->file);
}

gboolean
fs_frames_manifest_is_damaged (const FsFramesManifest *manifest)
{
  return fs_manifest_is_damaged (manifest->file);
}

const json_t *
fs_frames_manifest_get_run (const FsFramesManifest *manifest)
{
  return fs_manifest_get_run (manifest->file);
}

void
fs_frames_manifest_set_run (FsFramesManifest *manifest, json_t *run)
{
  fs_manifest_set_run (manifest->file, run);
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

gboolean
fs_frames_manifest_put (FsFramesManifest *manifest, const char *stem, const FsFramesRecord *record,
                        GError **error)
{
  g_return_val_if_fail (manifest && stem && record && record->picture && record->from, FALSE);
  json_t *json = record_to_json (record);
  take_record (stem, json, manifest->records);
  gboolean done = fs_manifest_put (manifest->file, stem, json, error);
  json_decref (json);
  return done;
}

gboolean
fs_frames_manifest_drop (FsFramesManifest *manifest, const char *stem, GError **error)
{
  g_autofree char *own = g_strdup (stem); /* it may be the table's */
  g_hash_table_remove (manifest->records, stem);
  return fs_manifest_drop (manifest->file, own, error);
}

void
fs_frames_manifest_clear (FsFramesManifest *manifest)
{
  g_hash_table_remove_all (manifest->records);
  fs_manifest_clear (manifest->file);
}

gboolean
fs_frames_manifest_save (FsFramesManifest *manifest, GError **error)
{
  g_return_val_if_fail (manifest, FALSE);
  return fs_manifest_save (manifest->file, error);
}
