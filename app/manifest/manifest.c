/* SPDX-License-Identifier: MIT */
#include "app/manifest/manifest.h"

#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/photo/input/photo_input.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Left as they are in keys, beside letters and digits. */
#define PLAIN " !#$&'()+,;=@[]{}^`"

enum { MAX_TRIES = 10 };

struct _FsManifest {
  char *path, *log_path;
  const char *list, *item;
  json_t *run;         /* NULL: not known */
  GHashTable *records; /* key → json_t    */
  char *text;          /* as on the disk; NULL: not there */
  gboolean is_damaged, has_log, is_locked;
  int log; /* -1: not open */
};

/* --- reading ---------------------------------------------------------------------------------- */

static void
release_json (gpointer json)
{
  json_decref (json);
}

/* NULL where there is none, or none that can be read. */
static char *
read_manifest_text (const char *path)
{
  gsize n = 0;
  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, NULL, NULL, NULL);
  g_autofree guint8 *bytes = input ? fs_photo_input_read_whole (input, &n, NULL) : NULL;
  return bytes ? g_strndup ((const char *)bytes, n) : NULL;
}

/* An empty record is a removal. */
static void
take_record (FsManifest *manifest, const char *escaped, json_t *json)
{
  char *key = g_uri_unescape_string (escaped, NULL);
  if (key && json_object_size (json) > 0) {
    g_hash_table_replace (manifest->records, key, json_incref (json));
    return;
  }
  if (key)
    g_hash_table_remove (manifest->records, key);
  g_free (key);
}

static void
read_manifest (FsManifest *manifest)
{
  GStatBuf facts;
  manifest->text = read_manifest_text (manifest->path);
  json_t *json = manifest->text ? json_loads (manifest->text, JSON_REJECT_DUPLICATES, NULL) : NULL;
  manifest->is_damaged = !json_is_object (json) && g_lstat (manifest->path, &facts) == 0;
  if (json_is_object (json)) {
    const char *key;
    json_t *value;
    json_object_foreach (json_object_get (json, manifest->list), key, value)
        take_record (manifest, key, value);
    json_object_del (json, manifest->list);
    manifest->run = json_incref (json);
  }
  json_decref (json);
}

/* As far as its lines are whole. */
static void
read_log (FsManifest *manifest)
{
  GStatBuf facts;
  manifest->has_log = g_lstat (manifest->log_path, &facts) == 0;
  g_autofree char *text = manifest->has_log ? read_manifest_text (manifest->log_path) : NULL;
  for (char *line = text, *end; line && (end = strchr (line, '\n')); line = end + 1) {
    json_t *json = json_loadb (line, (size_t)(end - line), JSON_REJECT_DUPLICATES, NULL);
    g_autofree char *key = g_strdup (json_string_value (json_object_get (json, manifest->item)));
    if (key) {
      json_object_del (json, manifest->item);
      take_record (manifest, key, json);
    }
    json_decref (json);
    if (!key)
      break;
  }
}

static FsManifest *
manifest_new (const FsManifestNames *names)
{
  FsManifest *manifest = g_new0 (FsManifest, 1);
  manifest->path = g_build_filename (names->folder, names->name, NULL);
  manifest->log_path = g_build_filename (names->folder, names->log, NULL);
  manifest->list = names->list;
  manifest->item = names->item;
  manifest->records = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, release_json);
  manifest->log = -1;
  return manifest;
}

FsManifest *
fs_manifest_read (const FsManifestNames *names)
{
  g_return_val_if_fail (names && names->folder, NULL);
  FsManifest *manifest = manifest_new (names);
  read_manifest (manifest);
  read_log (manifest);
  return manifest;
}

void
fs_manifest_free (FsManifest *manifest)
{
  GStatBuf facts;
  if (!manifest)
    return;
  if (manifest->is_locked && fstat (manifest->log, &facts) == 0 && facts.st_size == 0)
    g_unlink (manifest->log_path);
  if (manifest->log >= 0)
    close (manifest->log);
  json_decref (manifest->run);
  g_hash_table_unref (manifest->records);
  g_free (manifest->text);
  g_free (manifest->log_path);
  g_free (manifest->path);
  g_free (manifest);
}

void
fs_manifest_leave (FsManifest *manifest)
{
  if (manifest->log >= 0)
    close (manifest->log);
  manifest->log = -1;
  manifest->is_locked = FALSE;
}

/* --- what it says ----------------------------------------------------------------------------- */

gboolean
fs_manifest_is_there (const FsManifest *manifest)
{
  return manifest->run || manifest->is_damaged;
}

gboolean
fs_manifest_is_damaged (const FsManifest *manifest)
{
  return manifest->is_damaged;
}

const json_t *
fs_manifest_get_run (const FsManifest *manifest)
{
  return manifest->run;
}

void
fs_manifest_set_run (FsManifest *manifest, json_t *run)
{
  json_decref (manifest->run);
  manifest->run = json_incref (run);
}

void
fs_manifest_foreach (const FsManifest *manifest,
                     void (*each) (const char *key, const json_t *record, gpointer data),
                     gpointer data)
{
  GHashTableIter iter;
  gpointer key, record;
  g_hash_table_iter_init (&iter, manifest->records);
  while (g_hash_table_iter_next (&iter, &key, &record))
    each (key, record, data);
}

/* --- writing ---------------------------------------------------------------------------------- */

static gboolean
set_manifest_error (const char *path, int code, GError **error)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, _ ("%s: cannot be written: %s"), name,
               g_strerror (code));
  return FALSE;
}

/* Locks the log; *is_gone: its last owner has removed it meanwhile. */
static gboolean
lock_log (FsManifest *manifest, gboolean *is_gone, GError **error)
{
  GStatBuf open_file, named;
  *is_gone = FALSE;
  manifest->log =
      g_open (manifest->log_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (manifest->log < 0)
    return set_manifest_error (manifest->log_path, errno, error);
  if (flock (manifest->log, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    g_autofree char *name = fs_display_name (manifest->log_path);
    g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("%s: another run is writing these files: wait until it has ended, or choose "
                    "another folder"),
                 name);
    return FALSE;
  }
  *is_gone = fstat (manifest->log, &open_file) != 0 || g_lstat (manifest->log_path, &named) != 0
             || open_file.st_ino != named.st_ino;
  return TRUE;
}

FsManifest *
fs_manifest_read_locked (const FsManifestNames *names, GError **error)
{
  g_return_val_if_fail (names && names->folder, NULL);
  g_autoptr (FsManifest) manifest = manifest_new (names);
  gboolean is_gone = TRUE;
  for (int i = 0; i < MAX_TRIES && is_gone; i++) {
    if (manifest->log >= 0)
      close (manifest->log);
    if (!lock_log (manifest, &is_gone, error))
      return NULL;
  }
  read_manifest (manifest);
  read_log (manifest);
  manifest->is_locked = TRUE;
  return g_steal_pointer (&manifest);
}

/* A new file: what was there has been put into the manifest. */
static gboolean
open_log (FsManifest *manifest, GError **error)
{
  if (manifest->log >= 0)
    return TRUE;
  manifest->log = g_open (manifest->log_path,
                          O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  manifest->has_log = manifest->log >= 0;
  return manifest->has_log || set_manifest_error (manifest->log_path, errno, error);
}

/* Takes a torn line back, which would hide those behind it. */
static void
cut_log (const FsManifest *manifest, gsize n_torn)
{
  GStatBuf facts;
  if (fstat (manifest->log, &facts) == 0 && (guint64)facts.st_size >= n_torn
      && ftruncate (manifest->log, facts.st_size - (off_t)n_torn) != 0)
    g_debug ("%s has a torn line", manifest->log_path);
}

/* In one write, so that only the last line can be torn. Takes `json`. */
static gboolean
append_line (FsManifest *manifest, const char *key, json_t *json, GError **error)
{
  g_autofree char *escaped = g_uri_escape_string (key, PLAIN, TRUE);
  json_object_set_new (json, manifest->item, json_string (escaped));
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
  if (written > 0 && (gsize)written < n)
    cut_log (manifest, (gsize)written);
  return (gsize)written == n
         || set_manifest_error (manifest->log_path, written < 0 ? errno : ENOSPC, error);
}

gboolean
fs_manifest_put (FsManifest *manifest, const char *key, const json_t *record, GError **error)
{
  g_return_val_if_fail (manifest && key && record, FALSE);
  g_hash_table_replace (manifest->records, g_strdup (key), json_deep_copy (record));
  return append_line (manifest, key, json_deep_copy (record), error);
}

void
fs_manifest_set (FsManifest *manifest, const char *key, const json_t *record)
{
  g_return_if_fail (manifest && key && record);
  g_hash_table_replace (manifest->records, g_strdup (key), json_deep_copy (record));
}

gboolean
fs_manifest_drop (FsManifest *manifest, const char *key, GError **error)
{
  g_autofree char *own = g_strdup (key); /* it may be the table's */
  return !g_hash_table_remove (manifest->records, key)
         || append_line (manifest, own, json_object (), error);
}

void
fs_manifest_clear (FsManifest *manifest)
{
  g_hash_table_remove_all (manifest->records);
}

static char *
to_text (const FsManifest *manifest)
{
  json_t *json = manifest->run ? json_copy (manifest->run) : json_object ();
  json_t *list = json_object ();
  GHashTableIter iter;
  gpointer key, record;
  g_hash_table_iter_init (&iter, manifest->records);
  while (g_hash_table_iter_next (&iter, &key, &record)) {
    g_autofree char *escaped = g_uri_escape_string (key, PLAIN, TRUE);
    json_object_set (list, escaped, record);
  }
  json_object_set_new (json, manifest->list, list);
  char *text = json_dumps (json, JSON_INDENT (2) | JSON_SORT_KEYS);
  char *lines = g_strconcat (text, "\n", NULL);
  json_decref (json);
  free (text);
  return lines;
}

static gboolean
empty_log (FsManifest *manifest, GError **error)
{
  if (manifest->is_locked)
    return ftruncate (manifest->log, 0) == 0
           || set_manifest_error (manifest->log_path, errno, error);
  if (manifest->log >= 0)
    close (manifest->log);
  manifest->log = -1;
  if (manifest->has_log && g_unlink (manifest->log_path) != 0)
    return set_manifest_error (manifest->log_path, errno, error);
  manifest->has_log = FALSE;
  return TRUE;
}

gboolean
fs_manifest_save (FsManifest *manifest, GError **error)
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
  return empty_log (manifest, error);
}
