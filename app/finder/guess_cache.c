/* SPDX-License-Identifier: MIT */
#include "app/finder/guess_cache.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* KEY-SUM.guess */
#define ENDING ".guess"

typedef struct {
  char *path;
  guint64 n_bytes;
  gint64 used_s;
} Entry;

static void
entry_free (gpointer data)
{
  Entry *entry = data;
  g_free (entry->path);
  g_free (entry);
}

char *
fs_guess_cache_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "fretsaw", "guesses", NULL);
}

/* Entries of a key; NULL: every file, also one that was never finished. */
static GPtrArray *
list_entries (const char *folder, const char *key)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func (entry_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name = dir ? g_dir_read_name (dir) : NULL; name; name = g_dir_read_name (dir)) {
    struct stat facts;
    const gsize n_key = key ? strlen (key) : 0;
    if (key
        && (!g_str_has_suffix (name, ENDING) || strncmp (name, key, n_key) != 0
            || name[n_key] != '-'))
      continue;
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (lstat (path, &facts) < 0 || !S_ISREG (facts.st_mode))
      continue;
    Entry *entry = g_new (Entry, 1);
    *entry = (Entry){ g_steal_pointer (&path), (guint64)facts.st_size, facts.st_mtime };
    g_ptr_array_add (entries, entry);
  }
  return entries;
}

/* Returns whether the file is the one that its name says. */
static gboolean
is_whole (const Entry *entry)
{
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  if (entry->n_bytes > FS_GUESS_CACHE_MAX_FILE_BYTES
      || !g_file_get_contents (entry->path, &bytes, &n_bytes, NULL))
    return FALSE;
  g_autofree char *sum =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)bytes, n_bytes);
  g_autofree char *tail = g_strconcat ("-", sum, ENDING, NULL);
  return g_str_has_suffix (entry->path, tail);
}

char *
fs_guess_cache_find (const char *key)
{
  g_autofree char *folder = fs_guess_cache_folder ();
  g_autoptr (GPtrArray) entries = list_entries (folder, key);
  for (guint i = 0; i < entries->len; i++) {
    const Entry *entry = g_ptr_array_index (entries, i);
    if (is_whole (entry)) {
      utimensat (AT_FDCWD, entry->path, NULL, 0);
      return g_strdup (entry->path);
    }
    g_unlink (entry->path);
  }
  return NULL;
}

void
fs_guess_cache_drop (const char *key)
{
  g_autofree char *folder = fs_guess_cache_folder ();
  g_autoptr (GPtrArray) entries = list_entries (folder, key);
  for (guint i = 0; i < entries->len; i++)
    g_unlink (((Entry *)g_ptr_array_index (entries, i))->path);
}

static gint
compare_use (gconstpointer a, gconstpointer b)
{
  const Entry *first = *(Entry *const *)a, *second = *(Entry *const *)b;
  if (first->used_s != second->used_s)
    return first->used_s < second->used_s ? -1 : 1;
  return strcmp (first->path, second->path);
}

static void
limit_size (const char *folder)
{
  g_autoptr (GPtrArray) entries = list_entries (folder, NULL);
  guint64 n_bytes = 0;
  for (guint i = 0; i < entries->len; i++)
    n_bytes += ((Entry *)g_ptr_array_index (entries, i))->n_bytes;
  g_ptr_array_sort (entries, compare_use);
  guint n_files = entries->len;
  for (guint i = 0; i < entries->len
                    && (n_files > FS_GUESS_CACHE_MAX_FILES || n_bytes > FS_GUESS_CACHE_MAX_BYTES);
       i++) {
    const Entry *entry = g_ptr_array_index (entries, i);
    g_unlink (entry->path);
    n_bytes -= entry->n_bytes;
    n_files--;
  }
}

void
fs_guess_cache_store (const char *key, const char *path)
{
  g_autofree char *folder = fs_guess_cache_folder (), *bytes = NULL;
  gsize n_bytes;
  struct stat facts;
  if (stat (path, &facts) < 0 || (guint64)facts.st_size > FS_GUESS_CACHE_MAX_FILE_BYTES
      || !g_file_get_contents (path, &bytes, &n_bytes, NULL))
    return;
  g_autofree char *sum =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)bytes, n_bytes);
  g_autofree char *name = g_strconcat (key, "-", sum, ENDING, NULL);
  g_autofree char *to = g_build_filename (folder, name, NULL);
  g_mkdir_with_parents (folder, 0700);
  fs_guess_cache_drop (key);
  /* Its sum shows whether all of it has reached the disk: nobody has to wait for that. */
  g_file_set_contents_full (to, bytes, (gssize)n_bytes,
                            G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_ONLY_EXISTING,
                            0600, NULL);
  limit_size (folder);
}
