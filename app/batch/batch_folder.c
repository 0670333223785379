/* SPDX-License-Identifier: MIT */
#include "app/batch/batch_folder.h"

#include "app/manifest/made_files.h"
#include "app/manifest/manifest.h"
#include "app/files/display_name.h"
#include "app/files/same_file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME   ".fretsaw-cut"
#define FORMAT "fretsaw-cut-1"

typedef struct {
  char *from, *sum; /* from: NULL: there is none; sum: NULL: its writing did not end */
} File;

typedef struct {
  gint64 turn;
  char *photo, *place; /* sums of the photo's file, and of its folder's path */
  File files[FS_BATCH_N_KINDS];
} Record;

struct FsBatchFolder {
  const FsBatchJob *job;
  FsManifest *own;
  GHashTable *records; /* stem → Record, the newest of all manifests */
  GHashTable *moved;   /* stem → GPtrArray of char: files that were moved away for this photo */
};

/* --- records ---------------------------------------------------------------------------------- */

static void
file_clear (File *file)
{
  g_clear_pointer (&file->from, g_free);
  g_clear_pointer (&file->sum, g_free);
}

static void
record_free (gpointer data)
{
  Record *record = data;
  if (!record)
    return;
  g_free (record->photo);
  g_free (record->place);
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    file_clear (&record->files[kind]);
  g_free (record);
}

static json_t *
record_to_json (const Record *record)
{
  json_t *json = json_pack ("{s:I, s:s, s:s}", "turn", (json_int_t)record->turn, "photo",
                            record->photo, "place", record->place);
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    if (record->files[kind].from)
      json_object_set_new (json, fs_batch_kind_name ((FsBatchKind)kind),
                           json_pack ("{s:s, s:s*}", "from", record->files[kind].from, "sum",
                                      record->files[kind].sum));
  return json;
}

/* NULL for anything else. */
static Record *
record_from_json (json_t *json)
{
  json_int_t turn;
  const char *photo, *place;
  if (json_unpack (json, "{s:I, s:s, s:s}", "turn", &turn, "photo", &photo, "place", &place) != 0)
    return NULL;
  Record *record = g_new0 (Record, 1);
  record->turn = turn;
  record->photo = g_strdup (photo);
  record->place = g_strdup (place);
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++) {
    json_t *file = json_object_get (json, fs_batch_kind_name ((FsBatchKind)kind));
    record->files[kind].from = g_strdup (json_string_value (json_object_get (file, "from")));
    record->files[kind].sum = g_strdup (json_string_value (json_object_get (file, "sum")));
  }
  return record;
}

static void
take_record (const char *stem, const json_t *json, gpointer records)
{
  Record *record = record_from_json ((json_t *)json);
  const Record *there = g_hash_table_lookup (records, stem);
  if (record && (!there || there->turn < record->turn))
    g_hash_table_replace (records, g_strdup (stem), record);
  else
    record_free (record);
}

/* --- opening ---------------------------------------------------------------------------------- */

static FsManifest *
read_manifest (const char *folder, const char *base, gboolean is_own, GError **error)
{
  g_autofree char *name = g_strconcat (base, ".json", NULL);
  g_autofree char *log = g_strconcat (base, ".log", NULL);
  FsManifestNames names = { folder, name, log, "photos", "photo_name" };
  return is_own ? fs_manifest_read_locked (&names, error) : fs_manifest_read (&names);
}

static void
read_others (FsBatchFolder *folder, const char *own)
{
  const char *path = folder->job->folders[FS_BATCH_MASKS];
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  for (const char *name; dir && (name = g_dir_read_name (dir));) {
    if (!g_str_has_prefix (name, NAME) || !g_str_has_suffix (name, ".json"))
      continue;
    g_autofree char *base = g_strndup (name, strlen (name) - strlen (".json"));
    if (strcmp (base, own) == 0)
      continue;
    g_autoptr (FsManifest) other = read_manifest (path, base, FALSE, NULL);
    fs_manifest_foreach (other, take_record, folder->records);
  }
}

static gboolean
read_manifests (FsBatchFolder *folder, GError **error)
{
  const FsBatchJob *job = folder->job;
  g_autofree char *own = job->shard.n > 0
                             ? g_strdup_printf (NAME "-%u-of-%u", job->shard.k, job->shard.n)
                             : g_strdup (NAME);
  folder->own = read_manifest (job->folders[FS_BATCH_MASKS], own, TRUE, error);
  if (!folder->own)
    return FALSE;
  if (fs_manifest_is_damaged (folder->own)) {
    g_autofree char *name = fs_display_name (job->folders[FS_BATCH_MASKS]);
    g_autofree char *message =
        g_strdup_printf ("%s: its %s.json is damaged: the files there are made again", name, own);
    job->on_message (message, job->user_data);
  }
  fs_manifest_foreach (folder->own, take_record, folder->records);
  read_others (folder, own);
  json_t *run = json_pack ("{s:s}", "format", FORMAT);
  fs_manifest_set_run (folder->own, run);
  json_decref (run);
  return fs_manifest_save (folder->own, error);
}

static gboolean
check_input_folder (const FsBatchJob *job, const char *inputs, GError **error)
{
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    if (fs_same_file (job->folders[kind], inputs))
      return fs_batch_fail (error, FS_BATCH_ERROR_FOLDER, job->folders[kind],
                            "is a folder of photos, seeds, guesses or sessions: outputs need "
                            "another one");
  return TRUE;
}

/* Refuses a report in the place of a manifest, its log, or one of another shard. */
static gboolean
check_report (const FsBatchJob *job, GError **error)
{
  if (!job->report)
    return TRUE;
  g_autofree char *name = g_path_get_basename (job->report);
  g_autofree char *folder = g_path_get_dirname (job->report);
  return !g_str_has_prefix (name, NAME) || !fs_same_file (folder, job->folders[FS_BATCH_MASKS])
         || fs_batch_fail (error, FS_BATCH_ERROR_FOLDER, job->report,
                           "is named as the records of the masks' folder are: choose another name");
}

static gboolean
check_folders (const FsBatchJob *job, const GPtrArray *photos, GError **error)
{
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    for (int other = 0; other < kind; other++)
      if (fs_same_file (job->folders[kind], job->folders[other]))
        return fs_batch_fail (error, FS_BATCH_ERROR_FOLDER, job->folders[kind],
                              "is named for two kinds of outputs: each needs a folder of its own");
  if (!check_report (job, error) || !check_input_folder (job, job->sessions, error)
      || !check_input_folder (job, job->seeds, error)
      || !check_input_folder (job, job->guesses, error))
    return FALSE;
  g_autofree char *last = NULL;
  for (guint i = 0; i < photos->len; i++) {
    g_autofree char *folder = g_path_get_dirname (((const FsBatchPhoto *)photos->pdata[i])->path);
    if (g_strcmp0 (folder, last) == 0)
      continue;
    if (!check_input_folder (job, folder, error))
      return FALSE;
    g_free (last);
    last = g_steal_pointer (&folder);
  }
  return TRUE;
}

FsBatchFolder *
fs_batch_folder_open (const FsBatchJob *job, const GPtrArray *photos, GError **error)
{
  g_return_val_if_fail (job && job->folders[FS_BATCH_MASKS] && photos, NULL);
  if (!check_folders (job, photos, error))
    return NULL;
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    if (job->folders[kind] && g_mkdir_with_parents (job->folders[kind], 0777) != 0) {
      fs_batch_fail (error, FS_BATCH_ERROR_FOLDER, job->folders[kind], "cannot be made: %s",
                     g_strerror (errno));
      return NULL;
    }
  g_autoptr (FsBatchFolder) folder = g_new0 (FsBatchFolder, 1);
  folder->job = job;
  folder->records = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, record_free);
  folder->moved =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
  return read_manifests (folder, error) ? g_steal_pointer (&folder) : NULL;
}

void
fs_batch_folder_free (FsBatchFolder *folder)
{
  if (!folder)
    return;
  g_clear_pointer (&folder->own, fs_manifest_free);
  g_hash_table_unref (folder->records);
  g_hash_table_unref (folder->moved);
  g_free (folder);
}

void
fs_batch_folder_leave (FsBatchFolder *folder)
{
  fs_manifest_leave (folder->own);
}

/* --- outputs ---------------------------------------------------------------------------------- */

static char *
name_of (const FsBatchPhoto *photo, FsBatchKind kind)
{
  return g_strconcat (photo->stem, kind == FS_BATCH_OUTLINES ? ".svg" : ".png", NULL);
}

char *
fs_batch_folder_path (const FsBatchFolder *folder, const FsBatchPhoto *photo, FsBatchKind kind)
{
  g_autofree char *name = name_of (photo, kind);
  return folder->job->folders[kind] ? g_build_filename (folder->job->folders[kind], name, NULL)
                                    : NULL;
}

gboolean
fs_batch_folder_has (const FsBatchFolder *folder, const FsBatchPhoto *photo,
                     char *const from[FS_BATCH_N_KINDS])
{
  const Record *record = g_hash_table_lookup (folder->records, photo->stem);
  for (int kind = 0; record && kind < FS_BATCH_N_KINDS; kind++) {
    g_autofree char *path = fs_batch_folder_path (folder, photo, (FsBatchKind)kind);
    const File *file = &record->files[kind];
    if (!path)
      continue;
    if (!file->sum || g_strcmp0 (file->from, from[kind]) != 0)
      return FALSE;
    g_autofree char *sum = fs_made_file_sum (path);
    if (g_strcmp0 (sum, file->sum) != 0)
      return FALSE;
  }
  return record != NULL;
}

/* TRUE if the file is as this program wrote it. */
static gboolean
is_own (const Record *record, FsBatchKind kind, const char *path)
{
  const File *file = record ? &record->files[kind] : NULL;
  if (!file || !file->from || !fs_made_file_is_plain (path))
    return FALSE;
  g_autofree char *sum = file->sum ? fs_made_file_sum (path) : NULL;
  return !file->sum || g_strcmp0 (sum, file->sum) == 0;
}

/* A file that is not as it was made goes into "old". */
static gboolean
clear_place (FsBatchFolder *folder, const FsBatchPhoto *photo, FsBatchKind kind, GError **error)
{
  const Record *record = g_hash_table_lookup (folder->records, photo->stem);
  g_autofree char *path = fs_batch_folder_path (folder, photo, kind);
  if (!path || !fs_made_file_is_there (path) || is_own (record, kind, path))
    return TRUE;
  g_autofree char *name = name_of (photo, kind);
  char *moved = fs_made_file_move_away (folder->job->folders[kind], name, error);
  if (!moved)
    return FALSE;
  GPtrArray *all = g_hash_table_lookup (folder->moved, photo->stem);
  if (!all) {
    all = g_ptr_array_new_with_free_func (g_free);
    g_hash_table_insert (folder->moved, g_strdup (photo->stem), all);
  }
  g_ptr_array_add (all, moved);
  return TRUE;
}

/* The folder's location, as a sum: outputs may be given away. */
static char *
sum_place (const FsBatchPhoto *photo)
{
  g_autofree char *folder = g_path_get_dirname (photo->path);
  g_autofree char *whole = g_canonicalize_filename (folder, NULL);
  char *real = realpath (whole, NULL);
  char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, real ? real : whole, -1);
  free (real);
  return sum;
}

static gboolean
put_record (FsBatchFolder *folder, const FsBatchPhoto *photo, const Record *record, GError **error)
{
  json_t *json = record_to_json (record);
  gboolean done = fs_manifest_put (folder->own, photo->stem, json, error);
  json_decref (json);
  return done;
}

gboolean
fs_batch_folder_begin (FsBatchFolder *folder, const FsBatchPhoto *photo, const char *photo_sum,
                       char *const from[FS_BATCH_N_KINDS], GError **error)
{
  Record *record = g_hash_table_lookup (folder->records, photo->stem);
  g_autofree char *place = sum_place (photo);
  if (record && strcmp (record->place, place) != 0 && strcmp (record->photo, photo_sum) != 0)
    return fs_batch_fail (
        error, FS_BATCH_ERROR_FOLDER, folder->job->folders[FS_BATCH_MASKS],
        "holds outputs of another photo of that name, from another folder: choose "
        "another folder");
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    if (!clear_place (folder, photo, (FsBatchKind)kind, error))
      return FALSE;
  if (!record) {
    record = g_new0 (Record, 1);
    g_hash_table_insert (folder->records, g_strdup (photo->stem), record);
  }
  record->turn++;
  g_free (record->photo);
  record->photo = g_strdup (photo_sum);
  g_free (record->place);
  record->place = g_steal_pointer (&place);
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    if (folder->job->folders[kind]) {
      file_clear (&record->files[kind]);
      record->files[kind].from = g_strdup (from[kind]);
    }
  return put_record (folder, photo, record, error);
}

/* Removes those of the files that were moved away which were the same. */
static void
settle_moved (FsBatchFolder *folder, const FsBatchPhoto *photo,
              const char *const sums[FS_BATCH_N_KINDS])
{
  const FsBatchJob *job = folder->job;
  GPtrArray *all = g_hash_table_lookup (folder->moved, photo->stem);
  for (guint i = 0; all && i < all->len; i++) {
    g_autofree char *old = g_path_get_dirname (all->pdata[i]);
    g_autofree char *parent = g_path_get_dirname (old);
    char *moved = g_strdup (all->pdata[i]);
    for (int kind = 0; moved && kind < FS_BATCH_N_KINDS; kind++)
      if (sums[kind] && strcmp (parent, job->folders[kind]) == 0)
        fs_made_file_remove_twin (parent, sums[kind], &moved);
    if (!moved)
      continue;
    g_autofree char *name = fs_display_name (moved);
    g_autofree char *of = fs_display_name (photo->path);
    g_autofree char *message = g_strdup_printf (
        "%s: an output of it was changed after it was written, or was another program's: it is "
        "made again, and the changed file is now %s",
        of, name);
    job->on_message (message, job->user_data);
    g_free (moved);
  }
  g_hash_table_remove (folder->moved, photo->stem);
}

gboolean
fs_batch_folder_end (FsBatchFolder *folder, const FsBatchPhoto *photo,
                     const char *const sums[FS_BATCH_N_KINDS], GError **error)
{
  Record *record = g_hash_table_lookup (folder->records, photo->stem);
  g_return_val_if_fail (record, FALSE);
  for (int kind = 0; kind < FS_BATCH_N_KINDS; kind++)
    if (folder->job->folders[kind]) {
      g_free (record->files[kind].sum);
      record->files[kind].sum = g_strdup (sums[kind]);
    }
  settle_moved (folder, photo, sums);
  return put_record (folder, photo, record, error);
}

void
fs_batch_folder_discard (FsBatchFolder *folder, const FsBatchPhoto *photo)
{
  static const char *const none[FS_BATCH_N_KINDS] = { NULL };
  const Record *record = g_hash_table_lookup (folder->records, photo->stem);
  for (int kind = 0; record && kind < FS_BATCH_N_KINDS; kind++) {
    g_autofree char *path = fs_batch_folder_path (folder, photo, (FsBatchKind)kind);
    if (path && is_own (record, (FsBatchKind)kind, path))
      fs_made_file_remove (path, NULL);
  }
  settle_moved (folder, photo, none);
}

gboolean
fs_batch_folder_close (FsBatchFolder *folder, GError **error)
{
  return fs_manifest_save (folder->own, error);
}
