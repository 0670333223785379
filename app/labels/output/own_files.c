/* SPDX-License-Identifier: MIT */
#include "app/labels/output/own_files.h"

#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/manifest/made_files.h"
#include "app/manifest/manifest.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define NAME    ".fretsaw-export"
#define LOG     ".log"
#define FORMAT  "fretsaw-export-1"
#define CLASSES "classes" /* no file of a set has this name */

typedef struct {
  char *key;       /* path within the folder */
  GPtrArray *sums; /* of char: what it may have been written with */
  char *of;        /* or NULL */
  gboolean is_mine, is_written;
} File;

struct _FsOwnFiles {
  char *folder;
  FsManifest *manifest;
  GHashTable *files;  /* key → File, which has the key */
  GHashTable *photos; /* stem → GPtrArray of the Files of the photo */
  GPtrArray *classes; /* of char, NULL at the end; or NULL */
  guint n_recorded;   /* of them */
};

static void
file_free (gpointer data)
{
  File *file = data;
  g_ptr_array_unref (file->sums);
  g_free (file->key);
  g_free (file->of);
  g_free (file);
}

/* --- reading ---------------------------------------------------------------------------------- */

static File *
find_file (FsOwnFiles *own, const char *key)
{
  File *file = g_hash_table_lookup (own->files, key);
  if (!file) {
    file = g_new0 (File, 1);
    file->key = g_strdup (key);
    file->sums = g_ptr_array_new_with_free_func (g_free);
    g_hash_table_insert (own->files, file->key, file);
  }
  return file;
}

/* A file stays that of the first photo that it is of. */
static void
set_photo (FsOwnFiles *own, File *file, const char *stem)
{
  if (!stem || file->of)
    return;
  file->of = g_strdup (stem);
  GPtrArray *files = g_hash_table_lookup (own->photos, stem);
  if (!files) {
    files = g_ptr_array_new ();
    g_hash_table_insert (own->photos, g_strdup (stem), files);
  }
  g_ptr_array_add (files, file);
}

static void
take_names (FsOwnFiles *own, json_t *names)
{
  const size_t n = json_array_size (names);
  if (own->classes && n < own->classes->len)
    return;
  g_clear_pointer (&own->classes, g_ptr_array_unref);
  own->classes = g_ptr_array_new_with_free_func (g_free);
  for (size_t i = 0; i < n; i++) {
    const char *name = json_string_value (json_array_get (names, i));
    g_ptr_array_add (own->classes, g_strdup (name ? name : ""));
  }
  g_ptr_array_add (own->classes, NULL);
}

static void
take_record (const char *key, const json_t *record, gpointer data)
{
  FsOwnFiles *own = data;
  const char *sums[] = { json_string_value (json_object_get (record, "before")),
                         json_string_value (json_object_get (record, "sum")) };
  if (strcmp (key, CLASSES) == 0) {
    take_names (own, json_object_get (record, "names"));
    return;
  }
  File *file = find_file (own, key);
  for (gsize i = 0; i < G_N_ELEMENTS (sums); i++)
    if (sums[i])
      g_ptr_array_add (file->sums, g_strdup (sums[i]));
  set_photo (own, file, json_string_value (json_object_get (record, "of")));
}

static FsManifest *
read_manifest (const FsOwnFiles *own, const char *name, gboolean is_own, GError **error)
{
  g_autofree char *log = g_strconcat (name, LOG, NULL);
  const FsManifestNames names = { own->folder, name, log, "files", "file" };
  return is_own ? fs_manifest_read_locked (&names, error) : fs_manifest_read (&names);
}

/* The records of other shards. */
static void
read_others (FsOwnFiles *own, const char *name)
{
  g_autoptr (GHashTable) bases = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GDir) dir = g_dir_open (own->folder, 0, NULL);
  for (const char *other; dir && (other = g_dir_read_name (dir));) {
    if (!g_str_has_prefix (other, NAME))
      continue;
    char *base = g_str_has_suffix (other, LOG) ? g_strndup (other, strlen (other) - strlen (LOG))
                                               : g_strdup (other);
    g_hash_table_add (bases, base);
  }
  g_hash_table_remove (bases, name);
  GHashTableIter iter;
  gpointer base;
  g_hash_table_iter_init (&iter, bases);
  while (g_hash_table_iter_next (&iter, &base, NULL)) {
    g_autoptr (FsManifest) manifest = read_manifest (own, base, FALSE, NULL);
    fs_manifest_foreach (manifest, take_record, own);
  }
}

gboolean
fs_own_files_are_in (const char *folder)
{
  g_return_val_if_fail (folder, FALSE);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; dir && (name = g_dir_read_name (dir));)
    if (g_str_has_prefix (name, NAME))
      return TRUE;
  return FALSE;
}

static void
mark_mine (const char *key, const json_t *record, gpointer data)
{
  FsOwnFiles *own = data;
  if (strcmp (key, CLASSES) != 0)
    find_file (own, key)->is_mine = TRUE;
}

static gboolean
make_folder (const char *folder, GError **error)
{
  if (g_mkdir_with_parents (folder, 0777) == 0)
    return TRUE;
  const int code = errno;
  g_autofree char *name = fs_display_name (folder);
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, _ ("%s: cannot be written: %s"), name,
               g_strerror (code));
  return FALSE;
}

FsOwnFiles *
fs_own_files_open (const char *folder, const FsShard *shard, GError **error)
{
  g_return_val_if_fail (folder && shard, NULL);

  if (!make_folder (folder, error))
    return NULL;
  g_autoptr (FsOwnFiles) own = g_new0 (FsOwnFiles, 1);
  own->folder = g_strdup (folder);
  own->files = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, file_free);
  own->photos =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
  g_autofree char *name =
      shard->n > 0 ? g_strdup_printf (NAME "-%u-of-%u", shard->k, shard->n) : g_strdup (NAME);
  own->manifest = read_manifest (own, name, TRUE, error);
  if (!own->manifest)
    return NULL;
  fs_manifest_foreach (own->manifest, take_record, own);
  fs_manifest_foreach (own->manifest, mark_mine, own);
  read_others (own, name);
  json_t *run = json_pack ("{s:s}", "format", FORMAT);
  fs_manifest_set_run (own->manifest, run);
  json_decref (run);
  /* A line that was torn in the log would hide those behind it. */
  const gboolean is_new = g_hash_table_size (own->files) == 0;
  return is_new || fs_manifest_save (own->manifest, error) ? g_steal_pointer (&own) : NULL;
}

void
fs_own_files_free (FsOwnFiles *own)
{
  if (!own)
    return;
  g_clear_pointer (&own->manifest, fs_manifest_free);
  g_clear_pointer (&own->classes, g_ptr_array_unref);
  g_hash_table_unref (own->photos);
  g_hash_table_unref (own->files);
  g_free (own->folder);
  g_free (own);
}

/* --- files ------------------------------------------------------------------------------------ */

/* The path within the folder, a part of `path`. */
static const char *
key_of (const FsOwnFiles *own, const char *path)
{
  g_autofree char *inside = g_build_filename (own->folder, ".", NULL);
  return path + strlen (inside) - 1;
}

static gboolean
is_unchanged (const FsOwnFiles *own, const char *key, const File *file)
{
  g_autofree char *path = g_build_filename (own->folder, key, NULL);
  g_autofree char *sum = fs_made_file_sum (path);
  return sum && g_ptr_array_find_with_equal_func (file->sums, sum, g_str_equal, NULL);
}

gboolean
fs_own_files_has (const FsOwnFiles *own, const char *path)
{
  const char *key = key_of (own, path);
  const File *file = g_hash_table_lookup (own->files, key);
  return file && is_unchanged (own, key, file);
}

gboolean
fs_own_files_put (FsOwnFiles *own, const char *path, const char *stem, const char *sum,
                  GError **error)
{
  const char *key = key_of (own, path);
  File *file = find_file (own, key);
  const gboolean is_known = file->is_mine && file->sums->len == 1
                            && strcmp (file->sums->pdata[0], sum) == 0
                            && g_strcmp0 (file->of, stem) == 0;
  file->is_written = TRUE;
  if (is_known)
    return TRUE;
  g_autofree char *before = fs_made_file_sum (path);
  json_t *record = json_pack ("{s:s, s:s*, s:s*}", "sum", sum, "before", before, "of", stem);
  gboolean done = fs_manifest_put (own->manifest, key, record, error);
  json_decref (record);
  g_ptr_array_add (file->sums, g_strdup (sum));
  file->is_mine = TRUE;
  set_photo (own, file, stem);
  return done;
}

static gboolean
is_there (const FsOwnFiles *own, const char *key)
{
  g_autofree char *path = g_build_filename (own->folder, key, NULL);
  return fs_made_file_is_there (path);
}

gboolean
fs_own_files_have_others (const FsOwnFiles *own)
{
  GHashTableIter iter;
  gpointer key, value;
  g_hash_table_iter_init (&iter, own->files);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    const File *file = value;
    if (file->of && file->is_mine && !file->is_written && is_there (own, key))
      return TRUE;
  }
  return FALSE;
}

gboolean
fs_own_files_remove_rest (FsOwnFiles *own, const char *stem, GError **error)
{
  GPtrArray *files = g_hash_table_lookup (own->photos, stem);
  for (guint i = files ? files->len : 0; i-- > 0;) {
    const File *file = files->pdata[i];
    if (file->is_written || !is_unchanged (own, file->key, file))
      continue;
    g_autofree char *path = g_build_filename (own->folder, file->key, NULL);
    if (!fs_made_file_remove (path, error) || !fs_manifest_drop (own->manifest, file->key, error))
      return FALSE;
    g_ptr_array_remove_index (files, i);
    g_hash_table_remove (own->files, file->key);
  }
  return TRUE;
}

/* --- classes ---------------------------------------------------------------------------------- */

static gboolean
has_photos (const FsOwnFiles *own)
{
  GHashTableIter iter;
  gpointer key, value;
  g_hash_table_iter_init (&iter, own->files);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (((const File *)value)->of && is_there (own, key))
      return TRUE;
  return FALSE;
}

const char *const *
fs_own_files_get_classes (const FsOwnFiles *own)
{
  return own->classes && has_photos (own) ? (const char *const *)own->classes->pdata : NULL;
}

gboolean
fs_own_files_put_classes (FsOwnFiles *own, const FsLabelClasses *classes, GError **error)
{
  const guint n = fs_label_classes_get_n (classes);
  if (n == own->n_recorded)
    return TRUE;
  json_t *names = json_array ();
  for (guint i = 0; i < n; i++)
    json_array_append_new (names, json_string (fs_label_classes_get_name (classes, i)));
  json_t *record = json_pack ("{s:o}", "names", names);
  own->n_recorded = n;
  gboolean done = fs_manifest_put (own->manifest, CLASSES, record, error);
  json_decref (record);
  return done;
}

/* --- the end ---------------------------------------------------------------------------------- */

/* The contents before are gone. */
static void
settle_file (FsOwnFiles *own, const char *key, const File *file)
{
  json_t *record =
      json_pack ("{s:s, s:s*}", "sum", file->sums->pdata[file->sums->len - 1], "of", file->of);
  fs_manifest_set (own->manifest, key, record);
  json_decref (record);
}

gboolean
fs_own_files_save (FsOwnFiles *own, gboolean forget, GError **error)
{
  GHashTableIter iter;
  gpointer key, value;
  g_hash_table_iter_init (&iter, own->files);
  while (g_hash_table_iter_next (&iter, &key, &value)) {
    const File *file = value;
    if (file->is_written)
      settle_file (own, key, file);
    else if (forget && file->is_mine && !fs_manifest_drop (own->manifest, key, error))
      return FALSE;
  }
  return fs_manifest_save (own->manifest, error);
}
