/* SPDX-License-Identifier: MIT */
#include "app/session/journal.h"

#include "app/files/display_name.h"
#include "app/session/journal_record.h"

#include <glib/gi18n.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_NAMES 100

struct _FsJournal {
  int fd;
  char *path;
  gsize n_bytes;
  gboolean published;
  gboolean damaged;
};

static gboolean
set_journal_error (const FsJournal *journal, GError **error)
{
  int code = errno;
  g_autofree char *name = fs_display_name (journal->path);
  g_set_error (error, FS_JOURNAL_ERROR, FS_JOURNAL_ERROR_IO, "%s: %s", name, g_strerror (code));
  return FALSE;
}

/* File systems without locks have nobody who would be kept out. */
static gboolean
lock_journal (const FsJournal *journal)
{
  return flock (journal->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/* ---- Appending ---- */

static gboolean
append_bytes (FsJournal *journal, const void *bytes, gsize n_bytes, GError **error)
{
  const char *at = bytes;
  gsize left = n_bytes;
  while (left > 0) {
    ssize_t n = write (journal->fd, at, left);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      set_journal_error (journal, error);
      /* Half a record would hide all that is appended after it. */
      if (ftruncate (journal->fd, (off_t)journal->n_bytes) == 0)
        lseek (journal->fd, (off_t)journal->n_bytes, SEEK_SET);
      return FALSE;
    }
    at += n;
    left -= (gsize)n;
  }
  journal->n_bytes += n_bytes;
  return TRUE;
}

static gboolean
check_whole (const FsJournal *journal, GError **error)
{
  if (!journal->damaged)
    return TRUE;
  g_autofree char *name = fs_display_name (journal->path);
  g_set_error (error, FS_JOURNAL_ERROR, FS_JOURNAL_ERROR_FORMAT,
               _ ("%s: is damaged, and is left as it is"), name);
  return FALSE;
}

/* Takes the record. */
static gboolean
append_record (FsJournal *journal, GByteArray *record, GError **error)
{
  fs_journal_record_seal (record);
  gboolean done =
      check_whole (journal, error) && append_bytes (journal, record->data, record->len, error);
  g_byte_array_unref (record);
  return done;
}

static gboolean
append_text (FsJournal *journal, FsJournalKind kind, const char *text, GError **error)
{
  GByteArray *record = fs_journal_record_new (kind);
  g_byte_array_append (record, (const guint8 *)text, (guint)strlen (text));
  return append_record (journal, record, error);
}

gboolean
fs_journal_add_photo (FsJournal *journal, const char *path, int width, int height, GError **error)
{
  g_return_val_if_fail (journal && path && width > 0 && height > 0, FALSE);

  GByteArray *record = fs_journal_record_new (FS_JOURNAL_PHOTO);
  fs_journal_record_add_u32 (record, (guint32)width);
  fs_journal_record_add_u32 (record, (guint32)height);
  g_byte_array_append (record, (const guint8 *)path, (guint)strlen (path));
  return append_record (journal, record, error);
}

gboolean
fs_journal_add_sum (FsJournal *journal, const char *sha256, GError **error)
{
  return append_text (journal, FS_JOURNAL_SUM, sha256, error);
}

gboolean
fs_journal_add_session (FsJournal *journal, const char *path, GError **error)
{
  return append_text (journal, FS_JOURNAL_SESSION, path, error);
}

gboolean
fs_journal_add_session_sum (FsJournal *journal, const char *sha256, GError **error)
{
  return append_text (journal, FS_JOURNAL_SESSION_SUM, sha256, error);
}

gboolean
fs_journal_add_settings (FsJournal *journal, const FsSettings *settings, GError **error)
{
  GByteArray *record = fs_journal_record_new (FS_JOURNAL_SETTINGS);
  fs_journal_record_add_settings (record, settings);
  return append_record (journal, record, error);
}

gboolean
fs_journal_add_stroke (FsJournal *journal, const FsStroke *stroke, GError **error)
{
  g_return_val_if_fail (journal && stroke && stroke->samples->len > 0, FALSE);

  GByteArray *record = fs_journal_record_new (FS_JOURNAL_STROKE);
  fs_journal_record_add_stroke (record, stroke);
  return append_record (journal, record, error);
}

gboolean
fs_journal_add_guess (FsJournal *journal, FsStroke *stroke, GError **error)
{
  g_return_val_if_fail (journal && stroke && stroke->shape == FS_STROKE_GUESS, FALSE);

  GByteArray *record = fs_journal_record_of_guess (stroke);
  if (!record) {
    errno = ENOMEM;
    return set_journal_error (journal, error);
  }
  return append_record (journal, record, error);
}

gboolean
fs_journal_add_edge (FsJournal *journal, const FsEdgeEdit *edit, gboolean continues, GError **error)
{
  g_return_val_if_fail (journal && edit, FALSE);

  GByteArray *record =
      fs_journal_record_new (edit->zone ? FS_JOURNAL_EDGE_STROKE : FS_JOURNAL_EDGE_SETTINGS);
  if (edit->zone)
    fs_journal_record_add_stroke (record, edit->zone);
  else
    fs_journal_record_add_edge_settings (record, &edit->settings, continues);
  return append_record (journal, record, error);
}

gboolean
fs_journal_add_undo (FsJournal *journal, GError **error)
{
  return append_record (journal, fs_journal_record_new (FS_JOURNAL_UNDO), error);
}

gboolean
fs_journal_add_redo (FsJournal *journal, GError **error)
{
  return append_record (journal, fs_journal_record_new (FS_JOURNAL_REDO), error);
}

gboolean
fs_journal_add_label (FsJournal *journal, uint8_t label, const FsSessionLabel *named,
                      GError **error)
{
  g_return_val_if_fail (journal && named, FALSE);

  GByteArray *record = fs_journal_record_new (FS_JOURNAL_LABEL);
  fs_journal_record_add_u32 (record, label);
  fs_journal_record_add_u32 (record, named->colour);
  g_byte_array_append (record, (const guint8 *)named->name, (guint)strlen (named->name));
  return append_record (journal, record, error);
}

gboolean
fs_journal_add_done (FsJournal *journal, gboolean done, GError **error)
{
  g_return_val_if_fail (journal, FALSE);

  GByteArray *record = fs_journal_record_new (FS_JOURNAL_DONE);
  fs_journal_record_add_u32 (record, done ? 1 : 0);
  return append_record (journal, record, error);
}

/* ---- Flushing ---- */

static void
flush_one (gpointer data, gpointer user_data)
{
  int fd = GPOINTER_TO_INT (data) - 1;
  fdatasync (fd);
  close (fd);
}

void
fs_journal_flush (FsJournal *journal)
{
  static GThreadPool *pool;
  int fd = fcntl (journal->fd, F_DUPFD_CLOEXEC, 0);
  if (fd < 0)
    return;
  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (flush_one, NULL, 1, FALSE, NULL));
  /* NULL cannot be pushed. */
  g_thread_pool_push (pool, GINT_TO_POINTER (fd + 1), NULL);
}

/* ---- The file ---- */

static char *
fresh_path (const char *folder, const char *prefix, const char *suffix)
{
  g_autofree char *name =
      g_strdup_printf ("%s%08x%08x%s", prefix, g_random_int (), g_random_int (), suffix);
  return g_build_filename (folder, name, NULL);
}

static gboolean
make_file (FsJournal *journal, const char *folder)
{
  for (int i = 0; i < MAX_NAMES; i++) {
    g_free (journal->path);
    journal->path = fresh_path (folder, FS_JOURNAL_NEW_PREFIX, "");
    journal->fd = open (journal->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (journal->fd >= 0 || errno != EEXIST)
      break;
  }
  return journal->fd >= 0;
}

FsJournal *
fs_journal_new (const char *folder, GError **error)
{
  g_return_val_if_fail (folder, NULL);

  g_autoptr (FsJournal) journal = g_new0 (FsJournal, 1);
  journal->fd = -1;
  journal->path = g_strdup (folder);
  if (g_mkdir_with_parents (folder, 0700) < 0 || !make_file (journal, folder)) {
    set_journal_error (journal, error);
    return NULL;
  }
  lock_journal (journal);
  if (!append_bytes (journal, FS_JOURNAL_FORMAT, strlen (FS_JOURNAL_FORMAT), error))
    return NULL;
  return g_steal_pointer (&journal);
}

gboolean
fs_journal_publish (FsJournal *journal, GError **error)
{
  g_return_val_if_fail (journal && !journal->published, FALSE);

  g_autofree char *folder = g_path_get_dirname (journal->path);
  g_autofree char *path = fresh_path (folder, "", FS_JOURNAL_SUFFIX);
  if (rename (journal->path, path) < 0)
    return set_journal_error (journal, error);
  g_free (journal->path);
  journal->path = g_steal_pointer (&path);
  journal->published = TRUE;
  return TRUE;
}

static gboolean
check_file (FsJournal *journal, gsize *n_bytes, GError **error)
{
  struct stat facts;
  if (fstat (journal->fd, &facts) < 0)
    return set_journal_error (journal, error);
  g_autofree char *name = fs_display_name (journal->path);
  if (!S_ISREG (facts.st_mode) || facts.st_size > FS_JOURNAL_MAX_BYTES) {
    g_set_error (error, FS_JOURNAL_ERROR, FS_JOURNAL_ERROR_FORMAT, _ ("%s: is not a journal"),
                 name);
    return FALSE;
  }
  /* Removed between opening and locking: nobody would ever find what is appended. */
  if (!lock_journal (journal) || facts.st_nlink == 0) {
    g_set_error (error, FS_JOURNAL_ERROR, FS_JOURNAL_ERROR_LOCKED, _ ("%s: is in use"), name);
    return FALSE;
  }
  *n_bytes = (gsize)facts.st_size;
  return TRUE;
}

static gboolean
read_all (FsJournal *journal, uint8_t *bytes, gsize n_bytes, GError **error)
{
  for (gsize n = 0; n < n_bytes;) {
    ssize_t got = pread (journal->fd, bytes + n, n_bytes - n, (off_t)n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got == 0)
      errno = EIO;
    if (got <= 0)
      return set_journal_error (journal, error);
    n += (gsize)got;
  }
  return TRUE;
}

static FsJournalContent *
read_content (FsJournal *journal, GError **error)
{
  gsize n_bytes = 0;
  if (!check_file (journal, &n_bytes, error))
    return NULL;
  g_autofree uint8_t *bytes = g_try_malloc (MAX (n_bytes, 1));
  if (!bytes) {
    errno = ENOMEM;
    set_journal_error (journal, error);
    return NULL;
  }
  if (!read_all (journal, bytes, n_bytes, error))
    return NULL;
  journal->n_bytes = n_bytes;
  return fs_journal_parse (journal->path, bytes, n_bytes, error);
}

FsJournal *
fs_journal_open (const char *path, FsJournalContent **content, GError **error)
{
  g_return_val_if_fail (path && content, NULL);

  g_autoptr (FsJournal) journal = g_new0 (FsJournal, 1);
  journal->path = g_strdup (path);
  journal->published = TRUE;
  journal->fd = open (path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
  if (journal->fd < 0) {
    set_journal_error (journal, error);
    return NULL;
  }
  g_autoptr (FsJournalContent) read = read_content (journal, error);
  if (!read)
    return NULL;
  journal->damaged = read->damaged;
  if (lseek (journal->fd, (off_t)journal->n_bytes, SEEK_SET) < 0) {
    set_journal_error (journal, error);
    return NULL;
  }
  *content = g_steal_pointer (&read);
  return g_steal_pointer (&journal);
}

gsize
fs_journal_get_size (const FsJournal *journal)
{
  return journal->n_bytes;
}

const char *
fs_journal_get_path (const FsJournal *journal)
{
  return journal->path;
}

char *
fs_journal_get_path_aside (const FsJournal *journal)
{
  if (!journal->damaged)
    return NULL;
  gsize n_stem = strlen (journal->path);
  if (g_str_has_suffix (journal->path, FS_JOURNAL_SUFFIX))
    n_stem -= strlen (FS_JOURNAL_SUFFIX);
  return g_strdup_printf ("%.*s" FS_JOURNAL_DAMAGED_SUFFIX, (int)n_stem, journal->path);
}

void
fs_journal_free (FsJournal *journal)
{
  if (!journal)
    return;
  if (!journal->published && journal->fd >= 0)
    unlink (journal->path);
  if (journal->fd >= 0) {
    /* Closing alone leaves it locked as long as the worker flushes it. */
    flock (journal->fd, LOCK_UN);
    close (journal->fd);
  }
  g_free (journal->path);
  g_free (journal);
}

void
fs_journal_remove (FsJournal *journal)
{
  g_autofree char *aside = journal ? fs_journal_get_path_aside (journal) : NULL;
  /* Where it cannot be renamed it is offered again, which is better than nothing. */
  if (aside)
    rename (journal->path, aside);
  else if (journal)
    unlink (journal->path);
  fs_journal_free (journal);
}
